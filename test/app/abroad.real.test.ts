/** A campaign to another country ends for the day with the operator's cap, also after a restart of the service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, tokenOf } from './service-process.ts'

/** All are busy. */
const SWEDES = ['+46812345602', '+46812346602', '+46812347602']
const DANE = '+4520123402'
const setup = `
agents: { anna: { phone: { host: 127.0.0.101 } } }
teams: { ${TEAM}: { agents: [anna] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"] } }
`

let place: Awaited<ReturnType<typeof openServicePlace>>
let env: Record<string, string>
let service: ReturnType<typeof startServiceProcess>
let client: Client
let anna: SteadyAgent
let campaign: number

beforeAll(async () => {
  place = await openServicePlace(setup)
  env = await place.env({ DATABASE_URL: (await place.database()).url, ABROAD_CALLS_PER_DAY: '2' })
  service = startServiceProcess(env)
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  client = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  anna = await steadyAgent('anna', ssoUrl, await tokenOf(env, '--name', 'anna', '--user', 'anna'), new RealClock())
  const itsyId = await makeSystem(client, undefined)
  campaign = await makeCampaign(client, itsyId, { allowedDestinations: ['DK', 'SE'], acceptPossibleNumbers: true })
})
afterAll(async () => {
  await anna?.leave()
  await service?.stop()
  await place?.close()
})

const waiting = async () => {
  const { callTasks } = await client.ask('POST /dialer/calltaskget', { body: { callCodes: [campaign], detail: true } })
  return callTasks.filter(({ waitsFor }) => waitsFor === 'countrySpent').map(({ systemLookupCode }) => systemLookupCode)
}

test('after two calls to Sweden the third waits, and Danes are called on', async () => {
  const tasks = [...SWEDES, DANE].map((number, index) => ({ numbers: [number], caseNumber: `C-${index}` }))
  const ids = await importTasks(client, campaign, tasks)
  await expect.poll(waiting, SOON).toHaveLength(1)
  const ended = async () => (await attemptsOf(client, ids)).filter(({ endTs }) => endTs !== null).length
  await expect.poll(ended, SOON).toBe(3)
  expect((await attemptsOf(client, ids)).filter(({ callNumber }) => callNumber === DANE)).toHaveLength(1)
})

test('a restart counts nothing anew', async () => {
  await anna.leave()
  await service.stop()
  service = startServiceProcess(env)
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  anna = await steadyAgent(
    'anna',
    ssoUrl,
    await tokenOf(env, '--name', 'anna again', '--user', 'anna'),
    new RealClock(),
  )
  await importTasks(client, campaign, [{ numbers: ['+46812348602'], caseNumber: 'C-4' }])
  await expect.poll(waiting, SOON).toContain('C-4')
})
