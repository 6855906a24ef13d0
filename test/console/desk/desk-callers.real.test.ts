/** Calls that come in, at the desk in a real browser: who calls, the case that they typed, the outcome by keys. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../../src/app/service.ts'
import { readSettings } from '../../../src/app/settings.ts'
import { type Client, connect } from '../../../src/client/client.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { makeLog } from '../../../src/kernel/log.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { SimPbx } from '../../../src/sim/sim-pbx.ts'
import { simSpeech } from '../../../src/sim/sim-speech.ts'
import { openServicePlace } from '../../app/service-place.ts'
import { tokenOf } from '../../app/service-process.ts'
import { importTasks, makeCampaign, makeSystem } from '../../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../../e2e/campaign-place.ts'
import { FLOW, LINE } from '../../e2e/service-line.ts'
import { BROWSER_PATIENCE_MS, testBrowser } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { newPassword, signIn } from '../console-place.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { stateOf } from './desk-place.ts'

const [KNOWN, STRANGER] = ['+4520123901', '+4520123902']
const SETUP = `
agents: { anna: { title: Anna Holm, phone: { host: 127.0.0.111 } } }
teams: { ${TEAM}: { title: Campaign, agents: [anna], wrapUp: 300s } }
numbers: { "${LINE}": { flow: service-line } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }
`

let place: Awaited<ReturnType<typeof openServicePlace>>
let service: Service
let pbx: SimPbx
let browser: Awaited<ReturnType<typeof testBrowser>>
let client: Client
let anna: Page
let faults: string[]

beforeAll(async () => {
  place = await openServicePlace(SETUP)
  writeFileSync(join(place.directory, 'flows', 'service-line.yaml'), FLOW)
  const env = await place.env({ DATABASE_URL: (await place.database()).url })
  const { settings } = readSettings(env)
  const [clock, random] = [new RealClock(), seededRandom(1)]
  pbx = new SimPbx({
    clock,
    random,
    carrier: { contactOf: () => ({ does: 'busy', afterMs: 0 }), takesEveryTrunk: true },
  })
  const log = makeLog('warn', { write: () => {} })
  const input = { settings: settings!, env, clock, random, log, onLine: () => {}, pbx, speech: simSpeech() }
  const started = await startService(input)
  if ('ok' in started) throw new Error(JSON.stringify(started))
  service = started
  pbx.agentPhone('anna' as never, { does: 'answer', afterMs: 50 })
  client = connect({ ssoUrl: `http://127.0.0.1:${env['SSO_PORT']}`, credential: await tokenOf(env, '--name', 'x') })
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const params = { ucquId: String(queues.find(({ code }) => code === TEAM)!.ucquId) }
  for (const [place, name] of ['Answered', 'Will pay'].entries()) {
    const body = { name, key: String(place + 1), fields: place === 1 ? [{ name: 'Day', kind: 'text' as const }] : [] }
    await client.ask('POST /rest/svcpbx/queue/{ucquId}/outcomes', { params, body })
  }
  const callCode = await makeCampaign(client, await makeSystem(client, undefined), { dialMode: 'manual' })
  await importTasks(client, callCode, [{ numbers: [KNOWN as never], caseNumber: 'A-1' }])
  const url = `http://127.0.0.1:${env['HTTP_PORT']}`
  browser = await testBrowser({ reaches: [new URL(url).host] })
  anna = await browser.page()
  await signIn(anna, `${url}/desk`, { userName: 'anna', password: await newPassword('anna', env) })
  faults = watched(anna)
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await place?.close()
})

const becomes = (state: string) => expect.poll(() => stateOf(anna), SOON).toBe(state)
const contact = () => anna.getByRole('region', { name: 'Contact' })
const callIn = (caller: string, keys?: string) =>
  pbx.callIn({ called: LINE, caller, person: { presses: keys ? [{ keys, afterMs: 1_000 }] : [] } })

/** What the agent said about the newest call. */
async function newest() {
  const { calls } = await client.ask('GET /svcems/calls', {})
  const [call] = await client.ask('POST /svcems/calls/search', { body: { eactIds: [calls[0]!.eactId] } })
  return call
}

test('a caller whose number is known is shown as who they are, and two keys save the outcome', async () => {
  await expect.poll(() => anna.evaluate('document.activeElement.textContent'), SOON).toBe('Start')
  await anna.keyboard.press('Enter')
  await becomes('ready')
  callIn(KNOWN)
  await becomes('talking')
  await contact().getByText('A-1', { exact: true }).waitFor()
  await anna.keyboard.type('asked for the rate')
  expect(await auditOf(anna)).toEqual([])
  await picture(anna, 'desk-caller-known', 1440)
  await anna.keyboard.press('F8')
  await becomes('wrap-up')
  await anna.keyboard.press('Escape')
  await anna.keyboard.press('1')
  await anna.keyboard.press('Enter')
  await becomes('ready')
  const words = { feedbackType: 'Answered', note: 'asked for the rate', outcome: { name: 'Answered' } }
  await expect.poll(newest, SOON).toMatchObject({ direction: 1, feedback: [words] })
})

test('a caller who typed 4711 is shown with that case; the form fields of the outcome are saved', async () => {
  callIn(STRANGER, '4711')
  await becomes('talking')
  await contact().getByText('4711').waitFor()
  await anna.keyboard.press('F8')
  await becomes('wrap-up')
  await anna.keyboard.press('Escape')
  await anna.keyboard.press('2')
  await anna.getByLabel('Day (optional)').fill('Friday')
  await picture(anna, 'desk-caller-typed', 1440)
  await anna.keyboard.press('Enter')
  await becomes('ready')
  const words = { feedbackType: 'Will pay', fields: [{ name: 'Day', value: 'Friday' }] }
  await expect.poll(newest, SOON).toMatchObject({ systemLookupCode: '4711', feedback: [words] })
  expect(faults).toEqual([])
})
