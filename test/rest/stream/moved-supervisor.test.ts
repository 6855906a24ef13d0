/** A supervisor whose teams change while her board is open, or while its line is cut, on a real port. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentName, TeamName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop, AgentNotification, AgentStatus } from '../../../src/ports/agent-desktop.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { LiveTopics } from '../../../src/rest/stream/live-topics.ts'
import { streamSocket } from '../../../src/rest/stream/stream-socket.ts'
import { StreamTickets, streamTicketRoute } from '../../../src/rest/stream/stream-ticket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const SCOPES = ['dialer:read', 'dialer:write', 'users:read', 'calls:read'] as const
/** One agent in each of them. */
const TEAMS = { debt: 'anna', sales: 'bo' } as const
type Team = keyof typeof TEAMS

const clock = new VirtualClock()
const statuses = Object.values(TEAMS).map((agent): AgentStatus => {
  return { agent: agent as AgentName, state: 'ready', sinceAtMs: clock.nowMs() }
})
let tell: (agent: AgentName, notification: AgentNotification) => void
const agentDesktop: Partial<AgentDesktop> = {
  statuses: () => statuses,
  listen: (listener) => {
    tell = listener
    return () => {}
  },
  queues: () => [],
  teamsOf: (agent) => [(agent === TEAMS.debt ? 'debt' : 'sales') as TeamName],
}
let world: RestWorld
let served: { close(): void }
let topics: LiveTopics
let vera: CredentialValues
const open: WebSocket[] = []

beforeAll(async () => {
  const streamTickets = new StreamTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))
  world = await openRestWorld({
    clock,
    parts: () => ({
      agentDesktop: agentDesktop as AgentDesktop,
      supervision: { talks: () => [], shownTalks: () => [], end: async () => false } as never,
    }),
    routes: (dependencies) => [streamTicketRoute({ ...dependencies, streamTickets })],
  })
  topics = new LiveTopics({ ...world.parts, node: 'node-1', log: silentLog })
  served = streamSocket(world.rest.node!.server, {
    ...world.parts,
    log: silentLog,
    streamTickets,
    topics,
    allowedOrigins: [],
  })
  await belongsTo('debt')
  vera = await credentialOf('vera')
})
afterEach(async () => {
  for (const socket of open.splice(0)) {
    socket.terminate()
    await expect.poll(() => socket.readyState).toBe(socket.CLOSED)
  }
})
afterAll(async () => {
  served.close()
  topics.close()
  await world.close()
})

/** What `apply` writes: vera is in these teams now. */
async function belongsTo(...hers: readonly Team[]) {
  const agents = ['anna', 'bo', 'vera'].map((name) => ({ name, title: name }))
  const teams = (Object.keys(TEAMS) as Team[]).map((name) => {
    return { name, title: name, agents: [TEAMS[name], ...(hers.includes(name) ? ['vera'] : [])] } as never
  })
  await world.parts.directory.syncStaff({ agents, teams }, OURS, 0)
}

async function credentialOf(userName: string) {
  const { id } = (await world.parts.directory.userByName(userName))!
  return world.credential(SCOPES, [OURS], { user: { id, userName, active: true, teams: [] } })
}

// biome-ignore lint/suspicious/noExplicitAny: tests check what a frame holds
type Frame = any

/** A stream that has asked for the board, and its frames in order, heartbeats left out. */
async function boardOf(as: CredentialValues, since?: { readonly epoch: string; readonly seq: number }) {
  const { body } = await world.call('POST', '/rest/core/stream/ticket', undefined, { as })
  const url = `${world.rest.url.replace('http', 'ws')}/rest/core/stream`
  const socket = new WebSocket(url, ['switchboard.v1', body.ticket])
  open.push(socket)
  const frames: Frame[] = []
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.t !== 'hb') frames.push(frame)
  })
  const next = async (): Promise<Frame> => {
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    return frames.shift()
  }
  const { epoch } = await next()
  socket.send(JSON.stringify({ t: 'sub', id: 1, topic: 'board', since }))
  return { socket, epoch, next }
}

/** An agent has a break and comes back: two numbers of their team's board. */
function rests(place: 0 | 1) {
  const status = statuses[place]!
  for (const now of [{ ...status, state: 'paused', reason: 'lunch' } as const, status]) {
    tell(status.agent, { type: 'status', status: now })
    clock.run(100)
  }
}

const agentsIn = ({ rows }: Frame) => rows.flatMap(([kind, key]: Frame) => (kind === 'agent' ? [key] : [])).sort()

test.for([
  ['another team besides', ['debt', 'sales'], ['anna', 'bo']],
  ['another team instead', ['sales'], ['bo']],
  ['no team any more', [], ['anna', 'bo']],
] as const)('a supervisor who gets %s has the board of it at once', async ([, teams, agents]) => {
  await belongsTo('debt')
  const { next } = await boardOf(vera)
  expect(agentsIn(await next())).toEqual(['anna'])
  await belongsTo(...teams)
  world.tell('access')
  expect(await next()).toEqual({ t: 'gap', id: 1, reason: 'epoch' })
  const snap = await next()
  expect([snap.t, agentsIn(snap)]).toEqual(['snap', agents])
  rests(1)
  for (const step of [1, 2]) {
    expect(await next()).toMatchObject({ t: 'd', id: 1, seq: snap.seq + step, ops: [['u', 'agent', 'bo', {}]] })
  }
})

test('a page that was away while her teams changed gets no deltas of another team on top of its rows', async () => {
  await belongsTo('sales')
  const first = await boardOf(vera)
  await first.next()
  await belongsTo('debt')
  world.tell('access')
  expect((await first.next()).t).toBe('gap')
  let { seq } = await first.next()
  for (let count = 0; count < 10; count++) rests(0)
  for (let count = 0; count < 20; count++) {
    seq = (await first.next()).seq
    rests(1)
  }
  first.socket.terminate()
  await belongsTo('sales')
  const moved = await boardOf(vera, { epoch: first.epoch, seq })
  expect(await moved.next()).toEqual({ t: 'gap', id: 1, reason: 'expired' })
  expect(agentsIn(await moved.next())).toEqual(['bo'])
})
