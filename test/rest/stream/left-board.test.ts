/** Whoever leaves every page that says to whom she listens, listens no more: the live stream on a real port. */
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { AgentName, CallId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop } from '../../../src/ports/agent-desktop.ts'
import type { CallSupervision } from '../../../src/ports/supervision.ts'
import type { CredentialValues } from '../../../src/rest/http/credential-values.ts'
import { LiveTopics } from '../../../src/rest/stream/live-topics.ts'
import { streamSocket } from '../../../src/rest/stream/stream-socket.ts'
import { StreamTickets, streamTicketRoute } from '../../../src/rest/stream/stream-ticket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const SUE = 'sue' as AgentName
const SUPERVISOR = ['dialer:read', 'dialer:write', 'users:read', 'calls:read'] as const
const BACK_WITHIN_MS = 10_000
const clock = new VirtualClock()
const CALL = 'c1' as CallId
/** Sue hears anna. */
const supervised = { call: CALL, agent: 'anna' as AgentName, supervisor: SUE, mode: 'listen', state: 'on' } as const
const left: string[] = []
const supervision: CallSupervision = {
  begin: async () => ({ ok: false, kind: 'notFound', why: 'nobody asks' }),
  end: async (_, call) => left.push(call) > 0,
  talks: () => [{ ...supervised, corporation: OURS, supervision: { ...supervised, sinceAtMs: 0 } }],
  shownTalks: () => [],
}
const agentDesktop: AgentDesktop = {
  order: async () => ({ ok: true }),
  attach: () => () => {},
  statuses: () => [],
  listen: () => () => {},
  queues: () => [],
  isSpare: () => false,
  teamsOf: () => [],
  campaignsToDialIn: () => [],
}

let world: RestWorld
let served: { close(): void }
let topics: LiveTopics
let sue: CredentialValues
const streamTickets = new StreamTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))
const open: Page[] = []
/** Of all pages, as the node has them. */
let subscribed = 0

beforeAll(async () => {
  world = await openRestWorld({
    clock,
    parts: () => ({ agentDesktop, supervision }),
    routes: (dependencies) => [streamTicketRoute({ ...dependencies, streamTickets })],
  })
  const { directory } = world.parts
  await directory.syncStaff({ agents: [{ name: 'sue', title: 'Sue' }], teams: [] }, OURS, 0)
  const { id } = (await directory.userByName('sue'))!
  const user = { id, userName: 'sue', active: true, teams: [] }
  sue = await world.credential(SUPERVISOR, [OURS], { user })
  topics = new LiveTopics({ ...world.parts, node: 'node-1', log: silentLog })
  const doors = { ...world.parts, log: silentLog, streamTickets, topics: { finder }, allowedOrigins: [] }
  served = streamSocket(world.rest.node!.server, doors)
})
beforeEach(() => void left.splice(0))
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.close()
  await expect.poll(() => subscribed).toBe(0)
  clock.run(BACK_WITHIN_MS)
})
afterAll(async () => {
  served.close()
  topics.close()
  await world.close()
})

/** That of the node, counted. */
const finder: LiveTopics['finder'] = (reader) => {
  const find = topics.finder(reader)
  return (topic, args) => {
    const found = find(topic, args)
    if (typeof found === 'string') return found
    const open = () => {
      const opened = found.open()
      subscribed++
      const release = () => {
        subscribed--
        opened.release()
      }
      return { topic: opened.topic, release }
    }
    return { name: found.name, open }
  }
}

interface Page {
  readonly socket: WebSocket
  readonly topicCount: number
  send(frame: object): void
  /** The next frame of this kind. */
  next(t: string): Promise<unknown>
}

/** A page that reads these topics; it has their rows. */
async function page(...subs: readonly object[]): Promise<Page> {
  const { body } = await world.call('POST', '/rest/core/stream/ticket', undefined, { as: sue })
  const socket = new WebSocket(`${world.rest.url.replace('http', 'ws')}/rest/core/stream`, [
    'switchboard.v1',
    body.ticket,
  ])
  const frames: { readonly t: string }[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  await once(socket, 'open')
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  const next = async (t: string) => {
    await expect.poll(() => frames.some((frame) => frame.t === t)).toBe(true)
    return frames.splice(0, frames.findIndex((frame) => frame.t === t) + 1).at(-1)
  }
  for (const [id, sub] of subs.entries()) {
    send({ t: 'sub', id, ...sub })
    await next('snap')
  }
  const made = { socket, topicCount: subs.length, send, next }
  open.push(made)
  return made
}

/** The node knows it. */
async function close({ socket, topicCount }: Page): Promise<void> {
  const after = subscribed - topicCount
  socket.close()
  await expect.poll(() => subscribed).toBe(after)
}

const BOARD = { topic: 'board' }
const WALL = { topic: 'board', args: { wall: true } }
const DESK = { topic: 'me' }

test('she has left ten seconds after she went from the board to the desk', async () => {
  const board = await page(BOARD)
  await page(DESK)
  await close(board)
  clock.run(BACK_WITHIN_MS - 1)
  expect(left).toEqual([])
  clock.run(1)
  expect(left).toEqual([CALL])
})

test('she has left ten seconds after she went from the board to the wall, which has no bar', async () => {
  const board = await page(BOARD)
  await page(WALL)
  await close(board)
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([CALL])
})

test('she has left ten seconds after her page gave up the board and kept its connection', async () => {
  const both = await page(BOARD, DESK)
  both.send({ t: 'unsub', id: 0 })
  both.send({ t: 'ping' })
  await both.next('hb')
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([CALL])
})

test('a page that is loaded again, and one that asks for the board anew, is back', async () => {
  const first = await page(BOARD)
  await close(first)
  clock.run(BACK_WITHIN_MS - 1)
  const again = await page(BOARD)
  clock.run(1)
  expect(left).toEqual([])
  again.send({ t: 'unsub', id: 0 })
  again.send({ t: 'sub', id: 1, ...BOARD })
  await again.next('snap')
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([])
})

test('another board that is open keeps her in', async () => {
  const [one] = [await page(BOARD), await page(BOARD)]
  await close(one)
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([])
})

test('whoever listens without a board is in until the last of her streams has closed', async () => {
  const [one, other] = [await page(DESK), await page(DESK)]
  await close(one)
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([])
  await close(other)
  clock.run(BACK_WITHIN_MS)
  expect(left).toEqual([CALL])
})
