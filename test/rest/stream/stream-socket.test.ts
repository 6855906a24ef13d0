/** The live stream on a real port: tickets, limits, rights, and what topics tell. */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentName, CallId, CallTaskId, CampaignId, CorporationId, TeamName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop, AgentNotification, AgentStatus } from '../../../src/ports/agent-desktop.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import type { Scope } from '../../../src/rest/http/route.ts'
import { LiveTopics } from '../../../src/rest/stream/live-topics.ts'
import { streamSocket } from '../../../src/rest/stream/stream-socket.ts'
import { StreamTickets, streamTicketRoute } from '../../../src/rest/stream/stream-ticket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld, THEIRS } from '../rest-world.ts'

const PAGE = 'https://desk.example.com'
const ANNA = 'anna' as AgentName
const SUPERVISOR = ['dialer:read', 'dialer:write', 'users:read', 'calls:read'] as const
const clock = new VirtualClock()
const screens = new Set<string>()
const listeners = new Set<(agent: AgentName, notification: AgentNotification) => void>()
let anna: AgentStatus = { agent: ANNA, state: 'paused', sinceAtMs: clock.nowMs(), reason: 'lunch' }
let waiting = 2
/** The engine's side of the port. */
const agentDesktop: AgentDesktop = {
  order: async () => ({ ok: true }),
  attach: (agent, listener) => {
    screens.add(agent)
    listener({ type: 'status', status: anna })
    return () => void screens.delete(agent)
  },
  statuses: () => [anna],
  listen: (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  queues: () => [{ team: 'debt' as TeamName, waiting, longestSinceAtMs: undefined, ready: 1, atWork: 1 }],
  isSpare: () => false,
  teamsOf: () => [],
  campaignsToDialIn: () => [],
}
const tell = (notification: AgentNotification) => {
  if (notification.type === 'status') anna = notification.status
  for (const listener of listeners) listener(ANNA, notification)
}
const is = (state: AgentStatus['state']) =>
  tell({ type: 'status', status: { agent: ANNA, state, sinceAtMs: clock.nowMs() } })
const task = { task: 5 as CallTaskId, campaign: 7 as CampaignId, receiverName: 'Jane' }
const call = (name: string): AgentNotification => ({
  type: 'call',
  call: { call: name as CallId, direction: 'out', number: '+4520123456', task },
})

let world: RestWorld
let served: { close(): void }
let topics: LiveTopics
const streamTickets = new StreamTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))
const open: Stream[] = []

beforeAll(async () => {
  world = await openRestWorld({
    clock,
    parts: () => ({
      agentDesktop,
      supervision: { talks: () => [], shownTalks: () => [], end: async () => false } as never,
    }),
    routes: (dependencies) => [streamTicketRoute({ ...dependencies, streamTickets })],
  })
  const { directory } = world.parts
  await directory.addUser({ userName: 'sue', name: 'Sue', corporation: OURS, roles: ['supervisor'] }, 0)
  await directory.syncStaff({ agents: [{ name: 'anna', title: 'Anna' }], teams: [] }, OURS, 0)
  topics = new LiveTopics({ ...world.parts, node: 'node-1', log: silentLog })
  const doors = { ...world.parts, log: silentLog, streamTickets, topics, allowedOrigins: [PAGE] }
  served = streamSocket(world.rest.node!.server, doors)
})
afterEach(async () => {
  for (const { socket } of open.splice(0)) {
    if (socket.readyState === socket.OPEN) socket.terminate()
    await expect.poll(() => socket.readyState).toBe(socket.CLOSED)
  }
})
afterAll(async () => {
  served.close()
  topics.close()
  await world.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests check what a frame holds
type Frame = any

interface Stream {
  readonly socket: WebSocket
  readonly frames: Frame[]
  send(frame: object): void
  /** The next frame of this kind, those that came before included. */
  next(t: string): Promise<Frame>
}

const credentialOf = async (userName: string, scopes: readonly Scope[], corporations = [OURS]) => {
  const user = (await world.parts.directory.userByName(userName))!
  return world.credential(scopes, corporations, { user: { id: user.id, userName, active: true, teams: [] } })
}

async function ticketFor(as: CredentialValues, headers: Record<string, string> = {}): Promise<string> {
  const { status, body } = await world.call('POST', '/rest/core/stream/ticket', undefined, { as, headers })
  expect(status).toBe(200)
  return body.ticket
}

function dial(ticket: string, headers: Record<string, string> = {}, protocols = ['switchboard.v1', ticket]): Stream {
  const socket = new WebSocket(`${world.rest.url.replace('http', 'ws')}/rest/core/stream`, protocols, { headers })
  const frames: Frame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  socket.on('error', () => {})
  const stream: Stream = {
    socket,
    frames,
    send: (frame) => socket.send(JSON.stringify(frame)),
    next: async (t) => {
      await expect.poll(() => frames.some((frame) => frame.t === t)).toBe(true)
      return frames.splice(0, frames.findIndex((frame) => frame.t === t) + 1).at(-1)
    },
  }
  open.push(stream)
  return stream
}

/** `open`, or the status of the refusal. */
const outcomeOf = ({ socket }: Stream): Promise<string | number> =>
  new Promise((resolve) => {
    socket.once('open', () => resolve('open'))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve(statusCode)
      socket.terminate()
    })
  })

async function streamOf(as: CredentialValues): Promise<Stream> {
  const stream = dial(await ticketFor(as))
  expect(await outcomeOf(stream)).toBe('open')
  return stream
}

async function annas(): Promise<Stream> {
  const stream = await streamOf(await credentialOf('anna', ['dialer:read']))
  stream.send({ t: 'sub', id: 1, topic: 'me' })
  return stream
}

async function supervisors(): Promise<Stream> {
  const stream = await streamOf(await credentialOf('sue', SUPERVISOR))
  stream.send({ t: 'sub', id: 1, topic: 'board' })
  return stream
}

describe('a ticket', () => {
  test('opens the stream once, and only with its sub-protocol', async () => {
    const ticket = await ticketFor(world.values)
    const stream = dial(ticket)
    expect(await outcomeOf(stream)).toBe('open')
    expect(stream.socket.protocol).toBe('switchboard.v1')
    expect(await stream.next('welcome')).toMatchObject({ v: 1, hb: 5_000, resumeMs: 60_000, user: null })
    expect(await outcomeOf(dial(ticket))).toBe(401)
    const other = await ticketFor(world.values)
    expect(await outcomeOf(dial(other, {}, [other]))).toBe(401)
    expect(await outcomeOf(dial('', {}, ['switchboard.v1']))).toBe(401)
  })

  test('expires after 30 s', async () => {
    const [early, late] = [await ticketFor(world.values), await ticketFor(world.values)]
    clock.run(29_999)
    expect(await outcomeOf(dial(early))).toBe('open')
    clock.run(1)
    expect(await outcomeOf(dial(late))).toBe(401)
  })

  test('that was stolen from a page opens no stream elsewhere; a foreign page opens none at all', async () => {
    const origin = { origin: PAGE }
    expect(await outcomeOf(dial(await ticketFor(world.values, origin), origin))).toBe('open')
    expect(await outcomeOf(dial(await ticketFor(world.values, origin)))).toBe(401)
    const foreign = { origin: 'https://evil.example.com' }
    expect(await outcomeOf(dial(await ticketFor(world.values), foreign))).toBe(401)
    expect(await outcomeOf(dial(await ticketFor(world.values, foreign), foreign))).toBe(401)
  })

  test('of whoever has signed out since opens nothing', async () => {
    const as = await credentialOf('anna', ['dialer:read'])
    const ticket = await ticketFor(as)
    await world.call('POST', '/rest/core/session/logout', undefined, { as })
    expect(await outcomeOf(dial(ticket))).toBe(401)
  })

  test('needs a credential', async () => {
    const { status } = await world.call('POST', '/rest/core/stream/ticket', undefined, { as: null })
    expect(status).toBe(401)
  })
})

describe('topic me', () => {
  test('shows state, call and wrap-up of its agent in numbered order; the page is a screen', async () => {
    const stream = await annas()
    const { rows, seq } = await stream.next('snap')
    expect(rows).toEqual([['agent', 'anna', expect.objectContaining({ state: anna.state })]])
    expect(screens).toContain('anna')
    is('ready')
    tell(call('c1'))
    is('talking')
    const sue = { type: 'supervisor', call: 'c1' as CallId, supervisor: 'sue' as AgentName } as const
    tell({ ...sue, mode: 'listen' })
    tell({ ...sue, mode: null })
    tell({ type: 'callEnded', call: 'c1' as CallId, why: 'answered' })
    is('wrapUp')
    is('ready')
    await expect.poll(() => stream.frames.filter(({ t }) => t === 'd').length).toBe(8)
    const deltas = stream.frames.filter(({ t }) => t === 'd')
    expect(deltas.map((delta) => delta.seq - seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(deltas.flatMap(({ ops }) => ops)).toMatchObject([
      ['u', 'agent', 'anna', { state: 'ready' }],
      ['u', 'call', 'c1', { number: '+4520123456', direction: 2, callTask: { itcaId: 5, callCode: 7 } }],
      ['u', 'agent', 'anna', { state: 'talking' }],
      ['u', 'supervisor', 'sue', { mode: 'listen', callId: 'c1' }],
      ['x', 'supervisor', 'sue'],
      ['x', 'call', 'c1'],
      ['u', 'agent', 'anna', { state: 'wrapUp' }],
      ['u', 'wrap', 'anna', { callId: 'c1', resultName: 'answered', number: '+4520123456', callTask: { itcaId: 5 } }],
      ['u', 'agent', 'anna', { state: 'ready' }],
      ['x', 'wrap', 'anna'],
    ])
    stream.socket.terminate()
    await expect.poll(() => screens.has('anna')).toBe(false)
  })

  test('goes on where a cut line left off, and begins anew for numbers that nobody gave', async () => {
    const first = await annas()
    const { epoch } = await first.next('welcome')
    const { seq } = await first.next('snap')
    first.socket.terminate()
    is('talking')
    is('paused')
    const second = await streamOf(await credentialOf('anna', ['dialer:read']))
    second.send({ t: 'sub', id: 4, topic: 'me', since: { epoch, seq } })
    await second.next('hb')
    second.frames.length = 0
    second.send({ t: 'sub', id: 5, topic: 'me', since: { epoch, seq } })
    expect([await second.next('d'), await second.next('d')].map((delta) => delta.seq - seq)).toEqual([1, 2])
    for (const [since, reason] of [
      [{ epoch: 'another', seq }, 'epoch'],
      [{ epoch, seq: 9_999 }, 'expired'],
    ] as const) {
      second.send({ t: 'sub', id: 6, topic: 'me', since })
      expect(await second.next('gap')).toEqual({ t: 'gap', id: 6, reason })
      expect(await second.next('snap')).toMatchObject({ id: 6, seq: seq + 2 })
    }
  })

  test('sends a popup until it is acknowledged, also to a page that was away', async () => {
    tell({ type: 'popup', reason: 'a', url: 'https://debt.example.com/1', call: 'c9' as CallId })
    const stream = await annas()
    const popup = { t: 'ev', id: 1, evId: 'popup:c9:a', name: 'popup' }
    expect(await stream.next('ev')).toMatchObject(popup)
    clock.run(5_000)
    expect(await stream.next('ev')).toMatchObject(popup)
    stream.send({ t: 'ack', evId: 'popup:c9:a' })
    stream.send({ t: 'ping' })
    await stream.next('hb')
    stream.frames.length = 0
    clock.run(5_000)
    await stream.next('hb')
    expect(stream.frames.filter(({ t }) => t === 'ev')).toEqual([])
  })

  test('is of agents alone', async () => {
    const stream = await streamOf(await credentialOf('sue', SUPERVISOR))
    stream.send({ t: 'sub', id: 3, topic: 'me' })
    expect(await stream.next('deny')).toEqual({ t: 'deny', id: 3, code: 'forbidden' })
  })
})

describe('topic board', () => {
  test('shows agents, calls, queues and campaigns; changes within 100 ms are one frame', async () => {
    is('ready')
    const stream = await supervisors()
    const { rows, seq } = await stream.next('snap')
    expect(rows).toContainEqual(['agent', 'anna', expect.objectContaining({ state: 'ready' })])
    expect(rows).toContainEqual(['queue', 'debt', expect.objectContaining({ waiting: 2, ready: 1 })])
    tell(call('c2'))
    is('talking')
    is('wrapUp')
    is('talking')
    clock.run(100)
    const delta = await stream.next('d')
    expect(delta.seq).toBe(seq + 1)
    expect(delta.ops).toMatchObject([
      ['u', 'call', 'c2', { userName: 'anna', number: '+4520123456' }],
      ['u', 'agent', 'anna', { state: 'talking' }],
    ])
    waiting = 5
    clock.run(1_100)
    expect((await stream.next('d')).ops).toContainEqual(['u', 'queue', 'debt', { waiting: 5 }])
    tell({ type: 'callEnded', call: 'c2' as CallId })
    clock.run(100)
    expect((await stream.next('d')).ops).toEqual([['x', 'call', 'c2']])
  })

  test('is refused to agents, to whoever lacks a scope, and shows nothing of other corporations', async () => {
    for (const as of [
      await credentialOf('anna', ['dialer:read', 'users:read', 'calls:read']),
      await world.credential(['dialer:read', 'users:read']),
    ]) {
      const stream = await streamOf(as)
      stream.send({ t: 'sub', id: 2, topic: 'board' })
      expect(await stream.next('deny')).toEqual({ t: 'deny', id: 2, code: 'forbidden' })
    }
    const theirs = await streamOf(await world.credential(SUPERVISOR, [THEIRS as CorporationId]))
    theirs.send({ t: 'sub', id: 2, topic: 'board' })
    expect((await theirs.next('snap')).rows).toEqual([])
    theirs.send({ t: 'sub', id: 3, topic: 'nothing' })
    expect(await theirs.next('deny')).toEqual({ t: 'deny', id: 3, code: 'unknown' })
  })

  test('is taken away with the right, and the stream ends with the credential', async () => {
    const values = await credentialOf('sue', SUPERVISOR)
    const stream = await streamOf(values)
    stream.send({ t: 'sub', id: 1, topic: 'board' })
    await stream.next('snap')
    const where = 'where realm_control = $1'
    await world.pools.jobs.query(`update credentials set scopes = '{dialer:write}' ${where}`, [values.rcntrl])
    world.tell('access')
    expect(await stream.next('deny')).toEqual({ t: 'deny', id: 1, code: 'forbidden' })
    await world.pools.jobs.query(`delete from credentials ${where}`, [values.rcntrl])
    clock.run(4_000)
    expect(await stream.next('bye')).toMatchObject({ code: 'signedOut' })
    await expect.poll(() => stream.socket.readyState).toBe(stream.socket.CLOSED)
  })
})

describe('limits', () => {
  test('a reader that does not read gets no deltas, and a gap with a snapshot when it reads again', async () => {
    const stream = await supervisors()
    await stream.next('snap')
    stream.socket.pause()
    const before = anna
    // The kernel holds some megabytes for the reader; then the server does.
    for (let count = 0; count < 90; count++) {
      const reason = `${count}`.padStart(200_000, 'x')
      tell({ type: 'status', status: { agent: ANNA, state: 'paused', sinceAtMs: clock.nowMs(), reason } })
      clock.run(100)
    }
    tell({ type: 'status', status: before })
    clock.run(100)
    stream.socket.resume()
    await expect
      .poll(() => {
        stream.send({ t: 'ping' })
        return stream.frames.some(({ t }) => t === 'gap')
      })
      .toBe(true)
    expect(await stream.next('gap')).toEqual({ t: 'gap', id: 1, reason: 'slow' })
    const { rows } = await stream.next('snap')
    expect(rows).toContainEqual(['agent', 'anna', expect.objectContaining({ state: before.state })])
  })

  test('more than 50 messages in a second, 64 KiB in a frame, or no frame at all end the stream', async () => {
    const closeOf = async (say: (stream: Stream) => void) => {
      const stream = await streamOf(world.values)
      say(stream)
      return (await once(stream.socket, 'close'))[0]
    }
    const tooMany = (stream: Stream) => {
      for (let count = 0; count < 51; count++) stream.send({ t: 'unsub', id: 1 })
    }
    expect(await closeOf(tooMany)).toBe(4008)
    expect(await closeOf(({ send }) => send({ t: 'ack', evId: 'x'.repeat(70_000) }))).toBe(1009)
    for (const text of ['no JSON', '[]', 'null', '{"t":"sub"}', '{"t":"sub","id":-1,"topic":"me"}', '{"t":"shout"}']) {
      expect(await closeOf(({ socket }) => socket.send(text)), text).toBe(4002)
    }
  })

  test('a user has 8 streams of 64 topics', async () => {
    const as = await credentialOf('sue', SUPERVISOR)
    const streams: Stream[] = []
    for (let count = 0; count < 8; count++) streams.push(await streamOf(as))
    expect(await outcomeOf(dial(await ticketFor(as)))).toBe(429)
    const [first] = streams
    for (let id = 1; id <= 65; id++) {
      first!.send({ t: 'sub', id, topic: 'board' })
      if (id === 40) {
        await expect.poll(() => first!.frames.filter(({ t }) => t === 'snap').length).toBe(40)
        clock.run(1_000)
      }
    }
    expect(await first!.next('deny')).toEqual({ t: 'deny', id: 65, code: 'tooMany' })
  })
})
