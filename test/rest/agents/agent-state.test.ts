/** A supervisor's orders to agents and her place in conversations, through HTTP: rights, refusals, audit. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AgentName, CallId, CorporationId } from '../../../src/kernel/ids.ts'
import type { AgentDesktop, AgentOrder } from '../../../src/ports/agent-desktop.ts'
import type { CallSupervision, Supervisor } from '../../../src/ports/supervision.ts'
import { agentStateRoute } from '../../../src/rest/agents/agent-state.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import { superviseRoutes } from '../../../src/rest/agents/supervise.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import type { Scope } from '../../../src/rest/http/route.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const ANNA = 'anna' as AgentName
const CALL = 'sb-leg-1' as CallId
const orders: AgentOrder[] = []
const begun: { by: Supervisor; call: string; mode: string }[] = []
let world: RestWorld
let supervisor: CredentialValues

const agentDesktop: AgentDesktop = {
  order: async (_, order) => {
    orders.push(order)
    return order.type === 'ready' ? { ok: false, why: 'there is no call to wrap up' } : { ok: true }
  },
  attach: () => () => {},
  listen: () => () => {},
  queues: () => [],
  isSpare: () => false,
  teamsOf: () => [],
  campaignsToDialIn: () => [],
  statuses: () => [{ agent: ANNA, state: 'talking', sinceAtMs: 0, asked: 'pause' }],
}
const talk = { call: CALL, agent: ANNA, corporation: OURS }
const supervision: CallSupervision = {
  async begin(by, call, mode) {
    begun.push({ by, call, mode })
    const present = { call: CALL, agent: ANNA, supervisor: by.agent, mode, state: 'ringing', sinceAtMs: 0 } as const
    return call === CALL ? { ok: true, supervision: present } : { ok: false, kind: 'notFound', why: 'no such call' }
  },
  end: async (_, call) => call === CALL,
  shownTalks: () => [],
  talks: () => [talk, { ...talk, corporation: THEIRS }],
}

async function credentialOf(
  userName: string,
  scopes: readonly Scope[],
  corporations: readonly CorporationId[] = [OURS],
) {
  const user = await world.parts.directory.userByName(userName)
  return world.credential(scopes, corporations, { user: { id: user!.id, userName, active: true, teams: [] } })
}

beforeAll(async () => {
  world = await openRestWorld({
    parts: () => ({ agentDesktop, supervision }),
    routes: (dependencies) => {
      const tickets = new AgentTickets(dependencies.secretBytes)
      return [agentStateRoute({ ...dependencies, tickets }), ...superviseRoutes(dependencies)]
    },
  })
  const agents = ['anna', 'sam'].map((name) => ({ name, title: name }))
  await world.parts.directory.syncStaff({ agents, teams: [] }, OURS, 0)
  supervisor = await credentialOf('sam', ['dialer:write', 'users:read'])
})
beforeEach(() => {
  orders.length = 0
  begun.length = 0
})
afterAll(() => world.close())

const put = (body: object, as = supervisor, userName = 'anna') =>
  world.call('PUT', `/svcpbx/agents/${userName}/state`, body, { as })
const supervise = (body: object, as = supervisor, call: string = CALL, headers = {}) =>
  world.call('POST', `/svcpbx/calls/${call}/supervise`, body, { as, headers })

test('an agent is paused with a reason, logged out, and made ready; the audit trail says who and why', async () => {
  const { status, body } = await put({ state: 'paused', reason: 'briefing' })
  expect([status, body]).toMatchObject([200, { userName: 'anna', state: 'talking', asked: 'pause' }])
  expect((await put({ state: 'loggedOut' })).status).toBe(200)
  expect(await put({ state: 'ready' })).toMatchObject({ status: 409 })
  expect(orders).toEqual([{ type: 'pause', reason: 'briefing' }, { type: 'logOut' }, { type: 'ready' }])
  const { rows } = await world.pools.jobs.query(
    `select action, object, reason, ids from audit_records where object = 'agentState' order by number`,
  )
  expect(rows).toEqual([
    { action: 'change', object: 'agentState', reason: 'briefing', ids: [String(body.userId)] },
    { action: 'change', object: 'agentState', reason: null, ids: [String(body.userId)] },
  ])
})

test('ready names the state that it ends, where the row of it was seen', async () => {
  const sinceTs = '2026-03-02T09:00:00.250Z'
  await put({ state: 'ready', sinceTs })
  expect(orders).toEqual([{ type: 'ready', sinceAtMs: Date.parse(sinceTs) }])
})

test.for([
  ['a pause without a reason', { state: 'paused' }, 'anna', 400],
  ['another state', { state: 'talking' }, 'anna', 400],
  ['who is not logged in', { state: 'ready' }, 'sam', 409],
  ['who does not exist', { state: 'ready' }, 'nobody', 409],
] as const)('%s is refused', async ([, body, userName, status]) => {
  expect((await put(body, supervisor, userName)).status).toBe(status)
  expect(orders).toEqual([])
})

test('an agent, and a supervisor of another corporation, can do neither', async () => {
  const agent = await credentialOf('sam', ['dialer:read', 'calls:read'])
  const foreign = await world.credential(['dialer:write', 'users:read'], [THEIRS])
  expect([(await put({ state: 'ready' }, agent)).status, (await put({ state: 'ready' }, foreign)).status]).toEqual([
    403, 409,
  ])
  expect([
    (await supervise({ mode: 'listen' }, agent)).status,
    (await supervise({ mode: 'listen' }, foreign)).status,
  ]).toEqual([403, 403])
  expect([orders, begun]).toEqual([[], []])
})

test('a supervisor begins, changes and leaves; who asked is told to the engine; a repeated key asks once', async () => {
  const key = { 'Idempotency-Key': 'k-1' }
  const [first, again] = [
    await supervise({ mode: 'listen' }, supervisor, CALL, key),
    await supervise({ mode: 'listen' }, supervisor, CALL, key),
  ]
  expect([first.body, again.body]).toMatchObject([
    { callId: CALL, supervisor: 'sam', state: 'ringing' },
    { callId: CALL },
  ])
  expect(begun).toMatchObject([{ call: CALL, mode: 'listen', by: { agent: 'sam', corporations: [OURS] } }])
  expect((await supervise({ mode: 'shout' })).status).toBe(400)
  expect((await supervise({ mode: 'join' }, supervisor, 'other')).status).toBe(404)
  const leave = (call: string) => world.call('DELETE', `/svcpbx/calls/${call}/supervise`, undefined, { as: supervisor })
  expect([(await leave(CALL)).status, (await leave('other')).status]).toEqual([204, 404])
})

test('the conversations of other corporations are not listed', async () => {
  const { body } = await world.call('GET', '/svcpbx/calls/live', undefined, { as: supervisor })
  expect(body).toEqual([{ callId: CALL, eactId: null, userName: 'anna', supervision: null }])
})
