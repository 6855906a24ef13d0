/** Agents at work through the API: permissions, the ticket, and the socket on a real port (F-J13). */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentName, CampaignId, CorporationId, UserId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type {
  AgentDesktop,
  AgentNotification,
  AgentOrder,
  AgentStatus,
  OrderAnswer,
} from '../../../src/ports/agent-desktop.ts'
import { agentSocket } from '../../../src/rest/agents/agent-socket.ts'
import { AgentTickets } from '../../../src/rest/agents/agent-tickets.ts'
import { agentRoutes } from '../../../src/rest/agents/agents.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const PAGE = 'https://desk.example.com'
const clock = new VirtualClock()
const orders: { agent: string; order: AgentOrder }[] = []
const screens = new Map<string, (notification: AgentNotification) => void>()
let answer: () => Promise<OrderAnswer>
const spare = new Set<string>()
const ready: AgentName[] = []
const ANNA_PAUSED = (): AgentStatus => {
  return { agent: 'anna' as AgentName, state: 'paused', sinceAtMs: clock.nowMs(), reason: 'lunch' }
}
/** The engine's side of the port: it keeps its calls. */
const agentDesktop: AgentDesktop = {
  order: (agent, order) => {
    orders.push({ agent, order })
    return answer()
  },
  attach: (agent, listener) => {
    screens.set(agent, listener)
    return () => void screens.delete(agent)
  },
  statuses: () => [ANNA_PAUSED(), ...ready.map((agent): AgentStatus => ({ agent, state: 'ready', sinceAtMs: 0 }))],
  listen: () => () => {},
  queues: () => [],
  isSpare: (agent) => spare.has(agent),
  teamsOf: () => [],
  campaignsToDialIn: () => [{ campaign: 7 as CampaignId, name: 'Reminders' }],
}
const tickets = new AgentTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))

let world: RestWorld
let socketServer: { close(): void }
let anna: CredentialValues
let stranger: CredentialValues
const open: WebSocket[] = []

/** The credential of an existing user. */
const credentialOf = async (
  userName: string,
  corporations: readonly CorporationId[],
  scopes = ['users:read'] as const,
) => {
  const user = await world.parts.directory.userByName(userName)
  if (!user) throw new Error(`there is no ${userName}`)
  return world.credential(scopes, corporations, { user: { id: user.id, userName, active: true, teams: [] } })
}

beforeAll(async () => {
  world = await openRestWorld({
    clock,
    parts: () => ({ agentDesktop }),
    routes: (dependencies) => agentRoutes({ ...dependencies, tickets }),
  })
  const { directory } = world.parts
  // A user of another corporation takes the name of an agent before the configuration names the agent.
  await directory.addUser({ userName: 'zoe', name: 'Zoe', corporation: THEIRS, roles: ['agent'] }, 0)
  await directory.addUser({ userName: 'otto', name: 'Otto', corporation: OURS, roles: ['admin'] }, 0)
  const agents = ['anna', 'ben', 'zoe'].map((name) => ({ name, title: name }))
  await directory.syncStaff({ agents, teams: [] }, OURS, 0)
  anna = await credentialOf('anna', [OURS])
  stranger = await credentialOf('zoe', [THEIRS])
  const server = world.rest.node?.server
  if (!server) throw new Error('the node does not run')
  socketServer = agentSocket(server, { agentDesktop, clock, log: silentLog, tickets, allowedOrigins: [PAGE] })
})
beforeEach(() => {
  orders.length = 0
  answer = async () => ({ ok: true })
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})
afterAll(async () => {
  socketServer.close()
  await world.close()
})

const order = (body: unknown, as: CredentialValues) => world.call('POST', '/svcpbx/agents/me/orders', body, { as })
const ticketFor = async (as = anna): Promise<string> => {
  const { body } = await world.call('POST', '/svcpbx/agents/me/tickets', undefined, { as })
  return body.ticket
}
const dial = (ticket: string, headers: Record<string, string> = {}, path = '/svcpbx/agents/me/events') => {
  const socket = new WebSocket(`${world.rest.url.replace('http', 'ws')}${path}?ticket=${ticket}`, { headers })
  open.push(socket)
  return socket
}
/** `open`, or the status of the refusal. */
const outcomeOf = (socket: WebSocket): Promise<string | number> =>
  new Promise((resolve) => {
    socket.once('open', () => resolve('open'))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
    socket.once('error', () => {})
  })
const nextMessage = async (socket: WebSocket) => JSON.parse(String((await once(socket, 'message'))[0]))
const screen = async () => {
  const socket = dial(await ticketFor())
  expect(await outcomeOf(socket)).toBe('open')
  return socket
}

describe('the list of agents', () => {
  test('returns their states, with instant and reason', async () => {
    const { status, body, headers } = await world.call('GET', '/rest/svcpbx/agents')
    expect(status).toBe(200)
    expect(body).toEqual([
      expect.objectContaining({ userName: 'anna', state: 'paused', reason: 'lunch', untilTs: null, asked: null }),
    ])
    expect(headers['svc-total-found']).toBe('1')
  })

  test('is empty for other corporations than that of the configuration, its total included', async () => {
    const { body, headers } = await world.call('GET', '/svcpbx/agents', undefined, { as: stranger })
    expect(body).toEqual([])
    expect([headers['svc-total-found'], headers['totalfound']]).toEqual(['0', '0'])
  })
})

test('colleagues are those who would not be refused: neither paused nor needed for a line', async () => {
  ready.push('ben' as AgentName, 'zoe' as AgentName)
  spare.add('zoe')
  const path = '/svcpbx/agents/me/colleagues'
  const colleagues = async () => (await world.call('GET', path, undefined, { as: anna })).body
  expect(await colleagues()).toMatchObject([{ userName: 'zoe' }])
  spare.add('ben')
  expect(await colleagues()).toMatchObject([{ userName: 'ben' }, { userName: 'zoe' }])
  ready.splice(0)
})

test('the campaigns to dial in are a list with its total, as every list', async () => {
  const { headers, body } = await world.call('GET', '/svcpbx/agents/me/campaigns', undefined, { as: anna })
  expect(body).toEqual([{ callCode: 7, name: 'Reminders' }])
  expect(headers).toMatchObject({ 'svc-total-found': '1', totalfound: '1' })
})

describe('an order', () => {
  test('is carried out for the agent of its credential', async () => {
    const { status, body } = await order({ type: 'pause', reason: 'lunch' }, anna)
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } })
    expect(orders).toEqual([{ agent: 'anna', order: { type: 'pause', reason: 'lunch' } }])
  })

  test('that is impossible at the moment gets 409, with a sentence for the agent', async () => {
    answer = async () => ({ ok: false, why: 'nobody is on the line' })
    const { status, body } = await order({ type: 'hangUp' }, anna)
    expect(status).toBe(409)
    expect(body.detail).toBe('nobody is on the line')
  })

  test('of a system, of a user who is not an agent, or of a namesake elsewhere is refused', async () => {
    const otto = await credentialOf('otto', [OURS])
    for (const as of [world.values, otto, stranger]) {
      expect((await order({ type: 'logIn' }, as)).status).toBe(403)
      expect((await world.call('POST', '/svcpbx/agents/me/tickets', undefined, { as })).status).toBe(403)
    }
    expect(orders).toEqual([])
  })

  test('of an agent who left the configuration is refused', async () => {
    const ben = await credentialOf('ben', [OURS])
    expect((await order({ type: 'logIn' }, ben)).status).toBe(200)
    const rest = [{ name: 'anna', title: 'anna' }]
    await world.parts.directory.syncStaff({ agents: rest, teams: [] }, OURS, 0)
    expect((await order({ type: 'logIn' }, ben)).status).toBe(403)
  })

  test('of a name that now belongs to another user is refused', async () => {
    const user = { id: 99_999 as UserId, userName: 'anna', active: true, teams: [] }
    await world.pools.jobs.query(
      `insert into users (id, corporation_id, user_name, name, created_at_ms)
       overriding system value values (99999, 1, 'was-anna', 'Anna', 0)`,
    )
    const old = await world.credential(['users:read'], [OURS], { user })
    await world.pools.jobs.query(`update users set user_name = 'renamed' where id = 99999`)
    expect((await order({ type: 'logIn' }, old)).status).toBe(403)
  })

  test.each([
    {},
    { type: 'dance' },
    { type: 'pause' },
    { type: 'pause', reason: 'x'.repeat(201) },
    { type: 'dial', itcaId: -1 },
    { type: 'callback', callBackTs: 'tomorrow' },
    { type: 'feedback', feedbackType: '' },
  ])('that is invalid gets 400: %o', async (body) => {
    expect((await order(body, anna)).status).toBe(400)
    expect(orders).toEqual([])
  })
})

describe('a ticket', () => {
  test('opens the socket once', async () => {
    const ticket = await ticketFor()
    expect(await outcomeOf(dial(ticket))).toBe('open')
    expect(await outcomeOf(dial(ticket))).toBe(401)
  })

  test('expires after 30 s', async () => {
    const [early, late] = [await ticketFor(), await ticketFor()]
    clock.run(29_999)
    expect(await outcomeOf(dial(early))).toBe('open')
    clock.run(1)
    expect(await outcomeOf(dial(late))).toBe(401)
  })

  test('opens it with and without the prefix, and in no other form', async () => {
    expect(await outcomeOf(dial(await ticketFor(), {}, '/rest/svcpbx/agents/me/events'))).toBe('open')
    expect(await outcomeOf(dial(await ticketFor(), {}, '/svcpbx/agents'))).toBe(401)
  })

  test('of whoever has signed out since opens nothing: no order is carried out', async () => {
    const as = await credentialOf('anna', [OURS])
    const ticket = await ticketFor(as)
    expect((await world.call('POST', '/rest/core/session/logout', undefined, { as })).status).toBe(200)
    expect(await outcomeOf(dial(ticket))).toBe(401)
  })

  test.each(['', 'x', '%00', '__proto__'])('"%s" is not one', async (ticket) => {
    expect(await outcomeOf(dial(ticket))).toBe(401)
  })

  test('opens it for our own page and for programs, not for a foreign page', async () => {
    expect(await outcomeOf(dial(await ticketFor(), { origin: PAGE }))).toBe('open')
    const ticket = await ticketFor()
    expect(await outcomeOf(dial(ticket, { origin: 'https://evil.example.com' }))).toBe(401)
    expect(await outcomeOf(dial(ticket, { origin: 'null' }))).toBe(401)
  })
})

describe('the socket', () => {
  test('answers each order by its id, whatever the id is', async () => {
    const socket = await screen()
    answer = async () => ({ ok: false, why: 'not now' })
    socket.send(JSON.stringify({ id: 'a', order: { type: 'skip' } }))
    expect(await nextMessage(socket)).toEqual({ type: 'answer', id: 'a', ok: false, why: 'not now' })
    answer = async () => ({ ok: true })
    socket.send(JSON.stringify({ id: 7, order: { type: 'ready' } }))
    expect(await nextMessage(socket)).toEqual({ type: 'answer', id: 7, ok: true })
    expect(orders.map(({ agent, order }) => `${agent} ${order.type}`)).toEqual(['anna skip', 'anna ready'])
  })

  test('sends notifications in the words of the contract', async () => {
    const socket = await screen()
    const tell = screens.get('anna')
    tell?.({ type: 'popup', reason: 'b', url: 'https://debt.example.com/case?no=1', call: 'c1' as never })
    expect(await nextMessage(socket)).toEqual({
      type: 'popup',
      reason: 'b',
      url: 'https://debt.example.com/case?no=1',
      callId: 'c1',
    })
    tell?.({ type: 'status', status: { agent: 'anna' as AgentName, state: 'ready', sinceAtMs: 0 } })
    expect(await nextMessage(socket)).toMatchObject({
      type: 'status',
      state: 'ready',
      sinceTs: '1970-01-01T00:00:00.000Z',
    })
    const task = { task: 5 as never, campaign: 7 as never, receiverName: 'Jane', externalCaseNumber: 'CASE-1' }
    tell?.({ type: 'preview', task, untilAtMs: 1_000 })
    expect(await nextMessage(socket)).toMatchObject({
      callTask: { itcaId: 5, callCode: 7, callReceiverName: 'Jane', systemLookupCode: 'CASE-1', extCustId: null },
    })
  })

  test('that is closed removes its screen', async () => {
    const socket = await screen()
    expect(screens.has('anna')).toBe(true)
    socket.close()
    await once(socket, 'close')
    await expect.poll(() => screens.has('anna')).toBe(false)
  })

  test.each(['no JSON', '[]', 'null', '"x"', '{}', '{"id":1,"order":{"type":"dance"}}', '{"id":1,"order":null}'])(
    'answers an invalid order like one that cannot be carried out: %s',
    async (text) => {
      const socket = await screen()
      socket.send(text)
      expect(await nextMessage(socket)).toMatchObject({ type: 'answer', ok: false })
      expect(orders).toEqual([])
    },
  )

  test.each([
    [
      'U+0000',
      { type: 'feedback', feedbackType: 'promise', note: 'on\u0000Friday' },
      /U\+0000 in order.note; remove the character/,
    ],
    ['a note that is too long', { type: 'feedback', feedbackType: 'x', note: 'y'.repeat(1_001) }, /note must not have/],
    ['no instant', { type: 'callback', callBackTs: 'tomorrow' }, /callBackTs is not an instant/],
  ] as const)('refuses what HTTP refuses, and says what is wrong: %s', async (_, given, why) => {
    expect((await order(given, anna)).status).toBe(400)
    const socket = await screen()
    socket.send(JSON.stringify({ id: 'b', order: given }))
    expect(await nextMessage(socket)).toEqual({ type: 'answer', id: 'b', ok: false, why: expect.stringMatching(why) })
    expect(orders).toEqual([])
  })

  test('reads numbers in quotes, and null as absent, as HTTP does', async () => {
    const given = { type: 'dial', itcaId: '17', number: '20 12 34 56' }
    await order(given, anna)
    const socket = await screen()
    socket.send(JSON.stringify({ id: 1, order: given }))
    await nextMessage(socket)
    socket.send(JSON.stringify({ id: 2, order: { type: 'skip', reason: null } }))
    await nextMessage(socket)
    const dialed = { agent: 'anna', order: { type: 'dial', task: 17, number: '20 12 34 56' } }
    expect(orders).toEqual([dialed, dialed, { agent: 'anna', order: { type: 'skip' } }])
  })

  test('survives an order that fails, as when the database is away', async () => {
    const socket = await screen()
    answer = async () => Promise.reject(new Error('select secret from nowhere'))
    socket.send(JSON.stringify({ id: 1, order: { type: 'ready' } }))
    expect(await nextMessage(socket)).toEqual({
      type: 'answer',
      id: 1,
      ok: false,
      why: 'the order failed; try again',
    })
    answer = async () => ({ ok: true })
    socket.send(JSON.stringify({ id: 2, order: { type: 'ready' } }))
    expect(await nextMessage(socket)).toMatchObject({ id: 2, ok: true })
  })

  test('is closed when more than 50 orders come in a second', async () => {
    const socket = await screen()
    for (let count = 0; count < 51; count++) socket.send(JSON.stringify({ id: count, order: { type: 'ready' } }))
    const [code] = await once(socket, 'close')
    expect(code).toBe(4008)
    expect(orders).toHaveLength(50)
  })

  test('takes 50 orders in every second', async () => {
    const socket = await screen()
    for (let second = 0; second < 3; second++) {
      for (let count = 0; count < 50; count++) socket.send(JSON.stringify({ id: count, order: { type: 'ready' } }))
      await expect.poll(() => orders.length).toBe((second + 1) * 50)
      clock.run(1_000)
    }
    expect(socket.readyState).toBe(socket.OPEN)
  })

  test('is closed by a frame of more than 64 KiB', async () => {
    const socket = await screen()
    socket.send(JSON.stringify({ id: 1, order: { type: 'pause', reason: 'x'.repeat(70_000) } }))
    const [code] = await once(socket, 'close')
    expect(code).toBe(1009)
    expect(orders).toEqual([])
  })

  test('without a pong for 10 s is cut', async () => {
    const socket = await screen()
    // Its frames are held back, as when a laptop is closed.
    socket.pong = () => {}
    ;(socket as unknown as { _autoPong: boolean })._autoPong = false
    clock.run(10_000)
    await once(socket, 'ping')
    clock.run(10_000)
    await once(socket, 'close')
    await expect.poll(() => screens.has('anna')).toBe(false)
  })

  test('refused after its client is gone causes no error', async () => {
    const { port } = new URL(world.rest.url)
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(port), '127.0.0.1')
      const head =
        'GET /svcpbx/agents/me/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
      socket.write(head, () => socket.resetAndDestroy())
      socket.on('error', () => {})
      await once(socket, 'close')
    }
    expect((await world.call('GET', '/svcpbx/agents')).status).toBe(200)
  })
})
