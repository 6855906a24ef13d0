/** Agents dial numbers that they type, through the doors of a started service (campaigns-111, campaigns-113). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { attemptsOf, makeCampaign, makeSystem } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type SteadyAgent, steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openServicePlace } from './service-place.ts'
import { startServiceProcess, tokenOf } from './service-process.ts'

const setup = `
agents: { anna: { phone: { host: 127.0.0.101 } }, ben: { phone: { host: 127.0.0.102 } } }
teams: { ${TEAM}: { agents: [anna] }, others: { agents: [ben] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"] } }
`
const HAND = { dialMode: 'manual', agentsDialNumbers: true }
/** A window of one minute, on the day after tomorrow. */
const LATER = (nowMs: number) => {
  const days = [((new Date(nowMs).getUTCDay() + 1) % 7) + 1]
  return [{ days, from: '12:00', to: '12:01', timeZone: 'Europe/Copenhagen' }]
}
const closes: (() => Promise<unknown>)[] = []
const clock = new RealClock()
let client: Client
let annasClient: Client
let anna: SteadyAgent
const codes = { open: 0, off: 0, later: 0, foreign: 0, busy: 0, down: 0 }

beforeAll(async () => {
  const place = await openServicePlace(setup)
  closes.push(() => place.close())
  const env = await place.env({ DATABASE_URL: (await place.database()).url })
  const service = startServiceProcess(env)
  closes.push(() => service.stop())
  await service.ready
  const ssoUrl = `http://127.0.0.1:${env['SSO_PORT']}`
  client = connect({ ssoUrl, credential: await tokenOf(env, '--name', 'integrator') })
  const credential = await tokenOf(env, '--name', 'anna', '--user', 'anna')
  annasClient = connect({ ssoUrl, credential })
  const itsyId = await makeSystem(client, undefined)
  codes.open = await makeCampaign(client, itsyId, { ...HAND, name: 'By hand' })
  codes.off = await makeCampaign(client, itsyId, { dialMode: 'manual', name: 'Off' })
  codes.later = await makeCampaign(client, itsyId, { ...HAND, name: 'Later', callWindows: LATER(clock.nowMs()) })
  const queues = await client.ask('GET /rest/svcpbx/queue')
  const others = queues.find(({ name }) => name === 'others')
  codes.foreign = await makeCampaign(client, itsyId, { ...HAND, queue: { ucquId: others!.ucquId } })
  codes.busy = await makeCampaign(client, itsyId, { ...HAND, name: 'Busy' })
  codes.down = await makeCampaign(client, itsyId, { ...HAND, name: 'Too many failures' })
  anna = await steadyAgent('anna', ssoUrl, credential, clock)
  closes.push(() => anna.leave())
  await anna.is('ready')
})
afterAll(async () => {
  for (const close of closes.reverse()) await close()
})

/** The status and the sentence of a refusal. */
async function dial(number: string, callCode = codes.open, idempotencyKey?: string): Promise<string> {
  const body = { type: 'dialNumber', number, callCode } as const
  return annasClient.ask('POST /svcpbx/agents/me/orders', { body, ...(idempotencyKey && { idempotencyKey }) }).then(
    () => 'dialed',
    (error: unknown) => {
      if (!(error instanceof SwitchboardProblem)) throw error
      return `${error.status} ${error.message}`
    },
  )
}
const tasksOf = async (callCode: number) =>
  (await client.ask('POST /dialer/calltaskget', { body: { callCodes: [callCode], detail: true } })).callTasks

test('the agent sees the campaigns of their teams that allow it', async () => {
  const campaigns = () => annasClient.ask('GET /svcpbx/agents/me/campaigns')
  await expect.poll(campaigns, SOON).toEqual([
    { callCode: codes.busy, name: 'Busy' },
    { callCode: codes.open, name: 'By hand' },
    { callCode: codes.later, name: 'Later' },
    { callCode: codes.down, name: 'Too many failures' },
  ])
})

test('what may not be dialed is refused in words, and nothing stays open', async () => {
  expect(await dial('+4522110001', codes.off)).toMatch(/^409 .*Agents of this campaign may not dial numbers/)
  expect(await dial('+4522110001', codes.foreign)).toMatch(/^409 .*Your teams have no such campaign/)
  // On a busy machine the gate sees first that a claim took long.
  await expect.poll(() => dial('+4522110001', codes.later), SOON).toMatch(/^409 .*outside the calling hours/)
  expect(await dial('112')).toMatch(/^409 .*The number is no telephone number/)
  expect(await dial('90 12 34 56')).toMatch(/^409 .*The number costs more than a call to a person/)
  expect(await dial('+46701234567')).toMatch(/^409 .*The number is in a country the campaign may not call/)
  expect([await tasksOf(codes.off), await tasksOf(codes.foreign), await tasksOf(codes.open)]).toEqual([[], [], []])
  const ended = await tasksOf(codes.later)
  expect(ended.map(({ finished }) => finished)).toEqual(ended.map(() => true))
  expect(ended.at(-1)).toMatchObject({ callReceiverName: '+4522110001' })
})

test('a number on the stop list is refused', async () => {
  await client.ask('POST /dialer/stoplist/numbers', { body: { numbers: ['+4522110002'] } })
  expect(await dial('22 11 00 02')).toMatch(/^409 .*on a stop list/)
  expect(await tasksOf(codes.open)).toEqual([])
})

test('a number in national form is dialed, and the same Idempotency-Key dials once', async () => {
  const key = 'one-dialed-number'
  expect(await dial('22 11 00 01', codes.open, key)).toBe('dialed')
  expect(await dial('22 11 00 01', codes.open, key)).toBe('dialed')
  await anna.is('talking')
  const tasks = await tasksOf(codes.open)
  expect(tasks).toMatchObject([{ callReceiverName: '+4522110001', callNumberList: [{ number: '22 11 00 01' }] }])
  expect(await dial('22 11 00 03')).toMatch(/^409 .*You are not ready/)
  const [{ itcaId } = { itcaId: 0 }] = tasks
  expect(await attemptsOf(client, [itcaId])).toHaveLength(1)
})

test('a line that is busy ends the call task, and recycling does not take it', async () => {
  await anna.order({ type: 'hangUp' })
  await anna.is('ready')
  await expect.poll(() => dial('+4522110102', codes.busy), SOON).toBe('dialed')
  await anna.hears(({ type, resultName }) => type === 'callEnded' && resultName === 'busy')
  await expect.poll(() => tasksOf(codes.busy), SOON).toMatchObject([{ statusId: 21, finished: true }])
  const params = { callCode: String(codes.busy) }
  const all = { results: [1, 2, 3, 4, 5, 6, 7, 8], talked: true }
  const recycled = await client.ask('POST /dialer/callcode/{callCode}/recycle', { params, body: all })
  expect(recycled).toMatchObject({ recycledCount: 0, skipped: [{ reason: 'ENDED', count: 1 }] })
})

test('calls that do not count, because the carrier is down, leave nothing that a machine could dial', async () => {
  let said = 'dialed'
  for (let count = 10; count < 60 && said === 'dialed'; count++) {
    // The last digits are of a number for which the network says 503.
    said = await dial(`+4522${count}0108`, codes.down)
    if (/You are not ready|dialed for you/.test(said)) said = 'dialed'
    await anna.is('ready')
  }
  expect(said).toMatch(/^409 .*fail before any phone rings/)
  await expect.poll(async () => (await tasksOf(codes.down)).filter(({ finished }) => !finished), SOON).toEqual([])
  const spared = (await tasksOf(codes.down)).filter(({ finishReason }) => finishReason?.startsWith('dialed once'))
  expect(spared.length).toBeGreaterThan(0)
  for (const { itcaId, callAttemptCount, statusId, finishReason } of spared) {
    expect([callAttemptCount, statusId, finishReason]).toEqual([0, 22, 'dialed once, by hand: failed'])
    expect(await attemptsOf(client, [itcaId])).toMatchObject([{ resultName: 'FAILED' }])
  }
  const failures = anna.news.filter(({ type, resultName }) => type === 'callEnded' && resultName === 'failed')
  expect(failures.length).toBeGreaterThanOrEqual(spared.length)
})

test('a campaign that dials by itself cannot allow it', async () => {
  const body = { callCode: codes.off, dialMode: 'progressive', agentsDialNumbers: true } as const
  await expect(client.ask('POST /dialer/callcode', { body })).rejects.toThrow('agentsDialNumbers needs dialMode manual')
})
