/** The desk's stream over a restart of the node: what a page has heard before it must not hide what happens after. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { StreamClient, type StreamSocket } from '../../../src/console/stream/stream-client.ts'
import type { AgentName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { AgentDesktop, AgentNotification, ConsultState } from '../../../src/ports/agent-desktop.ts'
import { LiveTopics } from '../../../src/rest/stream/live-topics.ts'
import { streamSocket } from '../../../src/rest/stream/stream-socket.ts'
import { StreamTickets, streamTicketRoute } from '../../../src/rest/stream/stream-ticket.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const ANNA = 'anna' as AgentName
const clock = new VirtualClock()
const listeners = new Set<(agent: AgentName, notification: AgentNotification) => void>()
const agentDesktop: AgentDesktop = {
  order: async () => ({ ok: true }),
  attach: () => () => {},
  statuses: () => [],
  listen: (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  queues: () => [],
  isSpare: () => false,
  teamsOf: () => [],
  campaignsToDialIn: () => [],
}
const streamTickets = new StreamTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))
let world: RestWorld
let node: { close(): void }

beforeAll(async () => {
  world = await openRestWorld({
    clock,
    parts: () => ({ agentDesktop, supervision: { talks: () => [], shownTalks: () => [] } as never }),
    routes: (dependencies) => [streamTicketRoute({ ...dependencies, streamTickets })],
  })
  await world.parts.directory.syncStaff({ agents: [{ name: ANNA, title: 'Anna' }], teams: [] }, OURS, 0)
  node = startNode()
})
afterAll(async () => {
  node.close()
  await world.close()
})

/** What a process has of the stream: another one knows nothing of it. */
function startNode() {
  const topics = new LiveTopics({ ...world.parts, node: 'node-1', log: silentLog })
  const doors = { ...world.parts, log: silentLog, streamTickets, topics, allowedOrigins: [] }
  const served = streamSocket(world.rest.node!.server, doors)
  return {
    close() {
      served.close()
      topics.close()
    },
  }
}

/** The desk's own client on a real WebSocket. */
async function openDesk() {
  const { id } = (await world.parts.directory.userByName(ANNA))!
  const as = await world.credential(['dialer:read'], [OURS], {
    user: { id, userName: ANNA, active: true, teams: [] },
  })
  const heard: string[] = []
  const url = `${world.rest.url.replace('http', 'ws')}/rest/core/stream`
  const client = new StreamClient({
    clock,
    random: () => 0,
    schedule: (flush) => flush(),
    getTicket: async () => (await world.call('POST', '/rest/core/stream/ticket', undefined, { as })).body.ticket,
    openSocket: (protocols) => new WebSocket(url, [...protocols]) as unknown as StreamSocket,
    onEvent: ({ data }) => heard.push(`${data['about']} ${data['why']}`),
  })
  client.start()
  const rows = client.join({ topic: 'me' }).rows
  /** It has the rows of the node that is there now. */
  const isThere = (state: string) =>
    expect
      .poll(() => {
        clock.run(100)
        return rows.row('agent', ANNA)?.['reason']
      })
      .toBe(state)
  return { client, heard, isThere }
}

const tell = (notification: AgentNotification) => {
  for (const listener of listeners) listener(ANNA, notification)
}
const pausedFor = (reason: string) =>
  tell({ type: 'status', status: { agent: ANNA, state: 'paused', sinceAtMs: clock.nowMs(), reason } })

/** Anna talks with Bent in this state, until it ends by itself. */
function consult(state: ConsultState, why: string): void {
  const bent = { type: 'consult', with: 'bent', name: 'Bent' } as const
  tell({ ...bent, state })
  tell({ ...bent, state: null, why })
}

test('the end of a consultation is told also where one like it was told before the restart', async () => {
  const { client, heard, isThere } = await openDesk()
  pausedFor('before')
  await isThere('before')
  consult('talking', 'they hung up')
  consult('all', 'they hung up')
  await expect.poll(() => heard).toEqual(['consultEnded they hung up', 'conferenceEnded they hung up'])
  node.close()
  node = startNode()
  pausedFor('after')
  await isThere('after')
  // Two in one instant are two.
  consult('talking', 'did not answer')
  consult('all', 'were cut off')
  consult('talking', 'refused')
  await expect
    .poll(() => heard.slice(2))
    .toEqual(['consultEnded did not answer', 'conferenceEnded were cut off', 'consultEnded refused'])
  client.close()
})
