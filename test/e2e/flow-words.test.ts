/** What callers hear and read of a flow: recordings, and words from answers, also after they have hung up. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTree } from '../../asterisk/tree.ts'
import { type RunningServer, serve } from '../../demo/servers/web-server.ts'
import { writeWav } from '../../src/adapters/speech/wav.ts'
import { AGENT_HZ, type Live, OTHER_NUMBER, startLive } from './live.ts'

const RATE_HZ = 44_100
/** As an old service writes it: in Latin-1, a reference of twenty digits as a number, and a fee as its sum came out. */
const ANSWER = Buffer.from(
  '{"name": "Søren Ærø", "amount": 99.50, "reference": 12345678901234567890, "fee": 0.30000000000000004}',
  'latin1',
)

const flowOf = (debts: string) => `flow: words
start: welcome
activity: { systemLookupCode: "\${late.reference}" }
onHangup:
  - set: { goodbye: Your payment }
  - http: { get: "${debts}/gone" }
  - http: { get: "${debts}/case" }
    as: late
  - sms: { text: "\${goodbye}: \${late.amount | money EUR}, reference \${late.reference}, \${late.name}" }
steps:
  welcome: { play: { file: welcome.mp3 }, next: lookup }
  lookup:
    http: { get: "${debts}/case" }
    as: case
    next: text
  text:
    sms: { text: "\${case.name}, reference \${case.reference}, fee \${case.fee | money EUR}" }
    next: wait
  wait:
    gather: { prompt: Please wait., digits: 4, firstDigitTimeout: 60s }
    next: bye
  bye: { hangup: }
`

let live: Live
let debts: RunningServer

/** A tone of two seconds, as a studio delivers it. */
function recording(): Buffer {
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-studio-'))
  const [wav, mp3] = [join(directory, 'tone.wav'), join(directory, 'tone.mp3')]
  const tone = Int16Array.from({ length: 2 * RATE_HZ }, (_, at) => {
    return 8_000 * Math.sin((2 * Math.PI * AGENT_HZ * at) / RATE_HZ)
  })
  writeFileSync(wav, writeWav(tone, RATE_HZ))
  execFileSync(findTree(process.env['SWITCHBOARD_TEST_TREE']!)!.sndfileConvert, [wav, mp3])
  const bytes = readFileSync(mp3)
  rmSync(directory, { recursive: true })
  return bytes
}

beforeAll(async () => {
  debts = await serve(({ url }, response) => {
    if (url !== '/case') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' }).end(ANSWER)
  })
  live = await startLive({
    flow: flowOf(debts.url),
    recordings: { 'welcome.mp3': recording() },
    setup: (text) => text.replace('allowedHosts: [', `allowedHosts: ["${new URL(debts.url).host}", `),
  })
})

afterAll(async () => {
  await live?.close()
  await debts?.close()
})

const textsTo = (caller: string) => live.twilio.messages.filter(({ to }) => to === caller).map(({ text }) => text)

test('the caller hears the recording of the author, and reads every digit and letter of the answer', async () => {
  const caller = '+4553000001'
  const phone = await live.call(caller, { hangsUpAfterMs: 6_000 }, OTHER_NUMBER)
  expect(await phone.record).toMatchObject({ outcome: 'abandoned', path: ['welcome', 'lookup', 'text', 'wait'] })
  expect(phone.ear.heardTone(AGENT_HZ)).toBeGreaterThan(1_500)
  expect(textsTo(caller)[0]).toBe('Søren Ærø, reference 12345678901234567890, fee €0.30')
})

test('given a caller who has hung up, the flow sets, looks up, texts and reports what it found', async () => {
  const caller = '+4553000002'
  const phone = await live.call(caller, { hangsUpAfterMs: 1_000 }, OTHER_NUMBER)
  const record = await phone.record
  expect(record.activity).toEqual({ systemLookupCode: '12345678901234567890' })
  expect(textsTo(caller)).toEqual(['Your payment: €99.50, reference 12345678901234567890, Søren Ærø'])
  await live.service.journal.flush()
  const notes = (await live.service.journal.read(record.call)).flatMap(({ what }) => {
    return what.type === 'step.left' && String(what.step).startsWith('onHangup') ? [`${what.step} ${what.end}`] : []
  })
  expect(notes).toEqual(['onHangup-1 done', 'onHangup-2 notFound', 'onHangup-3 done', 'onHangup-4 done'])
})
