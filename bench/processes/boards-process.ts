/** A node as far as its boards: topic, sessions and sockets as the service has them, and agents who work. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { RealClock } from '../../src/kernel/clock.ts'
import { type AgentName, type CallId, FIRST_CORPORATION, type TeamName } from '../../src/kernel/ids.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { AgentStatus } from '../../src/ports/agent-desktop.ts'
import { BoardTopics } from '../../src/rest/stream/board-topics.ts'
import { BEAT_MS, StreamSession } from '../../src/rest/stream/stream-session.ts'
import { type Api, serve } from '../child.ts'

/** The questions of the driver. */
export type BoardsApi = typeof api

const STATES = ['ready', 'talking', 'talking', 'talking', 'wrapUp', 'paused'] as const
const REFRESH_MS = 1_000
const TICK_MS = 10

const clock = new RealClock()
const random = seededRandom(1)
const statuses: AgentStatus[] = []
const agentDesktop = {
  statuses: () => statuses,
  queues: () => [{ team: 'team' as TeamName, waiting: 1, longestSinceAtMs: clock.nowMs(), ready: 30, atWork: 480 }],
  isSpare: () => false,
  teamsOf: () => ['team' as TeamName],
}
const live = { kind: 'alone', publishBoard: () => {} } as const
const topics = new BoardTopics({ agentDesktop, supervision: { shownTalks: () => [] }, live, node: 'node', clock })
const server = createServer()
const sockets = new WebSocketServer({ server, handleProtocols: () => 'switchboard.v1' })

sockets.on('connection', (socket) => {
  const filter = { corporations: [FIRST_CORPORATION] }
  const open = () => ({ topic: topics.open('board', filter)!, release: () => {} })
  const wire = {
    send: (frame: string) => socket.send(frame),
    unsentBytes: () => socket.bufferedAmount,
    close: () => socket.close(),
  }
  const find = () => ({ name: 'board', open })
  const session = new StreamSession({ clock, wire, find, epoch: 'e', node: 'node', user: 1 })
  const beat = setInterval(() => session.beat(0), BEAT_MS)
  socket.on('message', (data) => session.receive(String(data as Buffer)))
  socket.on('close', () => {
    clearInterval(beat)
    session.close()
  })
})

function change(): void {
  const place = Math.floor(random.next() * statuses.length)
  const { agent, state: before } = statuses[place]!
  const state = STATES[Math.floor(random.next() * STATES.length)]!
  statuses[place] = { agent, state, sinceAtMs: clock.nowMs() }
  const call = `call-${agent}` as CallId
  if (before === 'talking' && state !== 'talking') topics.notified(agent, { type: 'callEnded', call, why: 'answered' })
  if (before !== 'talking' && state === 'talking') {
    topics.notified(agent, { type: 'call', call: { call, direction: 'out', number: '+4520123456' } })
  }
  topics.notified(agent, { type: 'status', status: statuses[place]! })
}

const api = {
  /** Gives the port. */
  async start({ agents, perSecond }: { readonly agents: number; readonly perSecond: number }): Promise<number> {
    for (let place = 0; place < agents; place++) {
      statuses.push({ agent: `agent${place}` as AgentName, state: 'ready', sinceAtMs: clock.nowMs() })
    }
    let due = 0
    setInterval(() => topics.refresh(), REFRESH_MS)
    setInterval(() => {
      for (due += (perSecond * TICK_MS) / 1_000; due >= 1; due--) change()
    }, TICK_MS)
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', () => listens()))
    return (server.address() as AddressInfo).port
  },
  /** Processor time that the process has used, in milliseconds. */
  cpuMs: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  },
} satisfies Api

serve(api)
