/** What browsers report of their sound, at the node: with which call it is kept, how long it is shown, how much. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgentName, CallId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop, AgentNotification } from '../../../src/ports/agent-desktop.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import { agentRoutes } from '../../../src/rest/agents/agents.ts'
import type { PhoneHolders } from '../../../src/rest/agents/phone-holders.ts'
import { PhoneReports } from '../../../src/rest/agents/phone-reports.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { postgresCallList } from '../../../src/store/calls/call-list.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const ANNA = 'anna' as AgentName
const PATH = '/svcpbx/agents/me/phone/report'
let clock: VirtualClock
let reports: PhoneReports
let world: RestWorld
let anna: CredentialValues
let ben: CredentialValues
let tell: (agent: AgentName, notification: AgentNotification) => void
let lastCall = 0

beforeAll(async () => {
  clock = new VirtualClock()
  const agentDesktop = {
    listen: (listener: typeof tell) => {
      tell = listener
      return () => {}
    },
  } as unknown as AgentDesktop
  world = await openRestWorld({
    clock,
    parts: () => ({ agentDesktop }),
    routes: (dependencies, pools) => {
      reports ??= new PhoneReports({ agentDesktop, callList: postgresCallList(pools), clock, log: silentLog })
      const holders = undefined as unknown as PhoneHolders
      const phones = { holders, isBrowser: (agent: AgentName) => agent === 'anna', reports, iceServers: () => [] }
      return agentRoutes({ ...dependencies, tickets: new AgentTickets(dependencies.secretBytes), phones })
    },
  })
  const { directory } = world.parts
  await directory.syncStaff({ agents: ['anna', 'ben'].map((name) => ({ name, title: name })), teams: [] }, OURS, 0)
  const credentialOf = async (userName: string) => {
    const user = await directory.userByName(userName)
    return world.credential(['users:read'], [OURS], { user: { id: user!.id, userName, active: true, teams: [] } })
  }
  anna = await credentialOf('anna')
  ben = await credentialOf('ben')
})
afterAll(() => world?.close())

beforeEach(() => clock.run(120_000))

const report = (body: object, as = anna) => world.call('POST', PATH, body, { as })

/** A call of anna's; its name. */
function talks(): CallId {
  const call = `call-${++lastCall}` as CallId
  tell(ANNA, { type: 'call', call: { call, direction: 'out', number: '+4520123456' } })
  return call
}

/** What is kept of a call. */
async function keptOf(call: CallId): Promise<unknown[]> {
  const text = `select agent, round(loss_percent::numeric, 1)::float8 as loss, round_trip_ms as trip,
    silent_in, silent_out, first_at_ms::float8 as first, last_at_ms::float8 as last from call_sound where call = $1`
  return (await world.pools.jobs.query(text, [call])).rows
}

test('the worst of a call is kept with it, in one row of each agent', async () => {
  const call = talks()
  const first = clock.nowMs()
  expect((await report({ what: 'loss', lossPercent: 7.5, roundTripMs: 80 })).status).toBe(204)
  clock.run(10_000)
  expect((await report({ what: 'delay', lossPercent: 1, roundTripMs: 520 })).status).toBe(204)
  expect((await report({ what: 'silentOut' })).status).toBe(204)
  const worst = { agent: 'anna', loss: 7.5, trip: 520, silent_in: false, silent_out: true }
  await expect.poll(() => keptOf(call)).toEqual([{ ...worst, first, last: first + 10_000 }])
})

test('boards are told what is poor until it is good, the agent is gone, or nothing is said for 30 s', async () => {
  talks()
  await report({ what: 'loss' })
  expect(reports.soundOf(ANNA)).toBe('loss')
  await report({ what: 'good' })
  expect(reports.soundOf(ANNA)).toBeNull()
  await report({ what: 'silentIn' })
  clock.run(29_000)
  expect(reports.soundOf(ANNA)).toBe('silentIn')
  clock.run(1_000)
  expect(reports.soundOf(ANNA)).toBeNull()
  await report({ what: 'delay' })
  tell(ANNA, { type: 'status', status: { agent: ANNA, state: 'loggedOut', sinceAtMs: 0 } })
  expect(reports.soundOf(ANNA)).toBeNull()
})

test('a report between calls is kept with none, and one that comes late with its own', async () => {
  const call = talks()
  tell(ANNA, { type: 'callEnded', call })
  clock.run(4_000)
  await report({ what: 'loss', lossPercent: 9 })
  await expect.poll(async () => (await keptOf(call)).length).toBe(1)
  clock.run(2_000)
  await report({ what: 'silentIn' })
  const next = talks()
  await report({ what: 'loss', lossPercent: 6 })
  await expect.poll(async () => (await keptOf(next)).length).toBe(1)
  expect(await keptOf(call)).toMatchObject([{ loss: 9, silent_in: false }])
})

test('more than 30 in a minute are refused, and so is whoever has no phone in a browser', async () => {
  const answers = await Promise.all(Array.from({ length: 31 }, () => report({ what: 'good' })))
  expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1)
  clock.run(60_000)
  expect((await report({ what: 'good' })).status).toBe(204)
  expect((await report({ what: 'good' }, ben)).status).toBe(409)
  expect((await report({ what: 'worse' })).status).toBe(400)
  expect((await report({ what: 'loss', lossPercent: 101 })).status).toBe(400)
})
