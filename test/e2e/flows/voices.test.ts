/** Who speaks to a caller: a speech server, a studio, and espeak-ng in place of a server that does not speak. */
import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bodyOf, type RunningServer, serve } from '../../../demo/servers/web-server.ts'
import { DEMO_NUMBER } from '../../../demo/stories.ts'
import { writeWav } from '../../../src/adapters/speech/wav.ts'
import { AGENT_HZ, type Live, OTHER_NUMBER, startLive } from '../live.ts'

const RATE_HZ = 24_000
const KEY = 'sk-nobody-may-log-this'
const WELCOME = 'Welcome to the bank.'
const FAREWELL = 'Goodbye, and thank you.'
const ASK = 'Please type your code.'
const CODE = '4711'
const told = (caller: string) => `You call from the number ${caller}.`
/** Callers whose sentence the server is asked for and charged with. */
const [WELL, LATE, ILL, WRONG] = ['+4553000001', '+4553000002', '+4553000003', '+4553000004'] as const
const REPEAT = 'You typed'
const CHARGED = [WELCOME, ASK, REPEAT, ...[WELL, LATE, ILL, WRONG].map(told)].join('').length

const FLOW = `flow: voices
languages: [en-GB]
start: welcome
steps:
  welcome: { play: "${WELCOME}", next: tell }
  tell: { play: "${told('${caller.number}')}", next: ask }
  ask:
    gather: { prompt: "${ASK}", digits: 4, secret: true, tries: 1, firstDigitTimeout: 1s }
    as: code
    next: repeat
    on: { failed: bye }
  repeat: { play: [${REPEAT}, { digits: "\${code}" }, "that is \${code}."], next: bye }
  bye: { hangup: { say: "${FAREWELL}" } }
`

/** A tone is the voice of the server, and of the studio. */
const spoken = (ms: number) =>
  writeWav(
    Int16Array.from({ length: (ms * RATE_HZ) / 1_000 }, (_, at) => {
      return 8_000 * Math.sin((2 * Math.PI * AGENT_HZ * at) / RATE_HZ)
    }),
    RATE_HZ,
  )
const SERVED_MS = 1_000

type Answer = (response: ServerResponse) => void
const speaks: Answer = (response) => response.writeHead(200, { 'content-type': 'audio/wav' }).end(spoken(SERVED_MS))

let live: Live
let server: RunningServer
let answer = speaks
const asked: { readonly authorization: string | undefined; readonly body: Record<string, unknown> }[] = []
/** What the server was asked for before the first call. */
let ahead: readonly string[]
const inputs = () => asked.map(({ body }) => String(body['input']))

beforeAll(async () => {
  server = await serve(async (request, response) => {
    const { url, method } = request
    const body = JSON.parse(await bodyOf(request)) as Record<string, unknown>
    asked.push({ authorization: request.headers.authorization, body })
    if (method === 'POST' && url === '/v1/audio/speech') answer(response)
    else response.writeHead(404).end()
  })
  const speech = { url: `${server.url}/v1`, key: KEY, model: 'voice-1', voice: 'alloy', charactersPerDay: CHARGED }
  live = await startLive({
    flow: FLOW,
    settings: { speech },
    recordings: {
      'recordings/en.yaml': Buffer.from(`"${FAREWELL}": en/bye.wav\n`),
      'recordings/en/bye.wav': spoken(500),
    },
    setup: (text) => `${text}\nvoices: { en-GB: { engine: http, voice: nova }, en: { engine: flite } }\n`,
  })
  ahead = inputs()
})

afterAll(async () => {
  await live?.close()
  await server?.close()
})

/** What a whole call sounded like: of the tone, and of everything else. */
async function hear(caller: string, presses: Parameters<Live['call']>[1]['presses'] = []) {
  const phone = await live.call(caller, { presses }, OTHER_NUMBER)
  const { outcome, path } = await phone.record
  const toneMs = phone.ear.heardTone(AGENT_HZ)
  return { outcome, path: path.join(), toneMs, otherMs: phone.ear.heard.soundMs - toneMs }
}

/** Welcome, question and farewell are there in any case; a sentence of this very call may be. */
const FIXED_MS = 2 * SERVED_MS + 500
const about = (ms: number) => expect.toSatisfy((heard: number) => Math.abs(heard - ms) < 200, `about ${ms} ms`)
const sounds = () => readdirSync(join(live.directory, 'sounds')).length

test('given a server, the caller hears its voice; a sentence of a studio is not asked for', async () => {
  const call = await hear(WELL)
  expect(call).toEqual({
    outcome: 'completed',
    path: 'welcome,tell,ask,bye',
    toneMs: about(FIXED_MS + SERVED_MS),
    otherMs: about(0),
  })
  expect([...ahead].sort()).toEqual([ASK, WELCOME, REPEAT].sort())
  expect([...new Set(inputs())].sort()).toEqual([ASK, WELCOME, REPEAT, told(WELL)].sort())
  expect(inputs()).toHaveLength(4)
  expect(asked[0]).toEqual({
    authorization: `Bearer ${KEY}`,
    body: { model: 'voice-1', voice: 'nova', input: expect.any(String), response_format: 'wav' },
  })
})

test('given Flite for another language, callers of its flows hear it, and the server nothing', async () => {
  const before = asked.length
  const phone = await live.call('+4553000000', { hangsUpAfterMs: 4_000 }, DEMO_NUMBER)
  await phone.record
  expect(phone.ear.heard.soundMs).toBeGreaterThan(1_500)
  expect(asked).toHaveLength(before)
  expect(live.logged.join('')).not.toContain('in place of Flite')
})

test('given a code that the caller typed, no server gets a word of it: espeak-ng speaks it', async () => {
  const before = asked.length
  const call = await hear(WELL, [{ keys: CODE, afterMs: 2_300 }])
  expect(call).toMatchObject({ outcome: 'completed', path: 'welcome,tell,ask,repeat,bye' })
  expect(call.otherMs).toBeGreaterThan(1_500)
  expect(asked).toHaveLength(before)
})

test('given a late answer, espeak-ng speaks this time, and the server the next time', async () => {
  let release = () => {}
  answer = (response) => {
    release = () => speaks(response)
  }
  const first = await hear(LATE)
  expect(first).toMatchObject({ outcome: 'completed', toneMs: about(FIXED_MS) })
  expect(first.otherMs).toBeGreaterThan(1_500)
  const before = sounds()
  release()
  await expect.poll(sounds).toBe(before + 1)
  expect(await hear(LATE)).toMatchObject({ toneMs: about(FIXED_MS + SERVED_MS), otherMs: about(0) })
})

const ills: readonly (readonly [string, string, Answer])[] = [
  ['fails', ILL, (response) => response.writeHead(500).end('no voice today')],
  ['answers with garbage', WRONG, (response) => response.writeHead(200).end('<html>nothing here</html>')],
]
test.each(ills)('given a server that %s, espeak-ng speaks', async (_, caller, ill) => {
  answer = ill
  const call = await hear(caller)
  expect(call).toMatchObject({ outcome: 'completed', path: 'welcome,tell,ask,bye', toneMs: about(FIXED_MS) })
  expect(call.otherMs).toBeGreaterThan(1_500)
})

test('given a day whose characters are spent, espeak-ng speaks, nothing is sent, the log says so once', async () => {
  answer = speaks
  const before = asked.length
  for (const caller of ['+4553000005', '+4553000006']) {
    const call = await hear(caller)
    expect(call).toMatchObject({ outcome: 'completed', toneMs: about(FIXED_MS) })
    expect(call.otherMs).toBeGreaterThan(1_500)
  }
  expect(asked).toHaveLength(before)
  const log = live.logged.join('')
  expect(log.split('gets no more of the day')).toHaveLength(2)
  expect(log.split('in place of the speech server')).toHaveLength(2)
  expect(log).not.toContain(KEY)
  expect(log).not.toContain('+45530000')
})
