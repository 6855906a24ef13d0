/** A clock that is a day ahead while a call ends: its event is delivered all the same, in its own time. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { importTasks, makeCampaign, makeSystem, type Receiver, startReceiver } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, tokenOf } from './service-process.ts'

const SOON = { interval: 100, timeout: 30_000 }
const DAY_MS = 24 * 3_600_000
const clock = new RealClock()
let receiver: Receiver
let place: Awaited<ReturnType<typeof openServicePlace>>
let service: ReturnType<typeof startServiceProcess>
let anna: SteadyAgent
let itcaId: number
let stepTo: (offMs: number) => void

beforeAll(async () => {
  receiver = await startReceiver(clock)
  place = await openServicePlace(`
agents: { anna: { phone: { host: 127.0.0.101 } } }
teams: { ${TEAM}: { agents: [anna] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"] } }
allowedHosts: ["${new URL(receiver.url).host}"]
`)
  const file = join(place.directory, 'clock-step')
  const stepper = resolve(import.meta.dirname, '../e2e/chaos/clock-stepper.ts')
  const { url } = await place.database()
  const env = await place.env({ DATABASE_URL: url })
  service = startServiceProcess({ ...env, CLOCK_STEP_FILE: file, NODE_OPTIONS: `--import ${stepper}` })
  await service.ready
  stepTo = (offMs) => {
    writeFileSync(file, String(offMs))
    process.kill(service.pid, 'SIGURG')
  }
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  const client = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  const campaign = await makeCampaign(client, await makeSystem(client, receiver))
  anna = await steadyAgent('anna', ssoUrl, await tokenOf(env, '--name', 'anna', '--user', 'anna'), clock)
  const ids = await importTasks(client, campaign, [{ numbers: ['+4520123401'], caseNumber: 'A-1' }])
  itcaId = ids[0]!
}, 120_000)
afterAll(async () => {
  await anna?.leave()
  await service?.stop()
  await receiver?.close()
  await place?.close()
})

test('the event of a call that ended while the clock was ahead is delivered at once', async () => {
  const { callId } = await anna.hears(({ type, itcaId: of }) => type === 'popup' && of === itcaId)
  await anna.is('talking')
  stepTo(DAY_MS)
  expect((await anna.order({ type: 'hangUp', callId })).status).toBe(200)
  await anna.is('ready')
  stepTo(0)
  await expect.poll(() => receiver.heard.size, SOON).toBe(1)
  expect(receiver.complaints).toEqual([])
}, 90_000)
