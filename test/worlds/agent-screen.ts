/** The event socket of an agent of a campaign world, on a real port: the door of orders and notifications. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Clock } from '../../src/kernel/clock.ts'
import type { AgentName } from '../../src/kernel/ids.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { agentSocket } from '../../src/rest/agents/agent-socket.ts'
import { AgentTickets } from '../../src/rest/agents/agent-tickets.ts'
import type { CampaignWorld } from './campaign-world.ts'

export interface Shown {
  readonly type: string
  readonly [field: string]: unknown
}

export interface AgentScreen {
  /** Notifications so far, the oldest first. */
  readonly shown: readonly Shown[]
  /** Sends an order and returns its answer; the milliseconds pass that the database needs for it. */
  order(order: object): Promise<Shown>
  /** Sends an order and lets virtual time pass until its answer. */
  orderAndRun(order: object): Promise<Shown>
  /** Waits for the notifications that the engine has sent. */
  settled(): Promise<void>
  /** Shown calls so far, the oldest first. */
  calls(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Attaches a screen and logs the agent in through it. */
export async function openScreen(world: CampaignWorld, agent: string): Promise<AgentScreen> {
  const { clock, engine } = world
  const tickets = new AgentTickets((count) => crypto.getRandomValues(Buffer.alloc(count)))
  const server = createServer()
  const agentDesktop = engine.agentDesktop!
  const door = agentSocket(server, {
    agentDesktop,
    clock: withoutTimers(clock),
    log: silentLog,
    tickets,
    allowedOrigins: [],
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const { port } = server.address() as AddressInfo
  const { ticket } = tickets.give({ agent: agent as AgentName, isStill: async () => true }, clock.nowMs())
  const socket = new WebSocket(`ws://127.0.0.1:${port}/svcpbx/agents/me/events?ticket=${ticket}`)
  const shown: Shown[] = []
  const answers = new Map<number, PromiseWithResolvers<Shown>>()
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Shown
    if (message.type === 'answer') answers.get(message['id'] as number)?.resolve(message)
    else shown.push(message)
  })
  socket.on('close', (code) => {
    for (const { reject } of answers.values()) reject(new Error(`the event socket was closed: ${code}`))
  })
  await once(socket, 'open')
  let id = 0
  const send = async (order: object) => {
    if (socket.readyState !== socket.OPEN) throw new Error('the event socket is closed')
    const answer = Promise.withResolvers<Shown>()
    answers.set(++id, answer)
    socket.send(JSON.stringify({ id, order }))
    return answer.promise
  }
  // Messages come in order: those before the answer are here.
  const settled = async () => void (await send({ type: 'hangUp', callId: 'none' }))
  const order = async (given: object) => {
    let isAnswered = false
    const answer = send(given).finally(() => {
      isAnswered = true
    })
    for (await settled(); !isAnswered; await settled()) await world.run(1)
    return answer
  }
  await send({ type: 'logIn' })
  return {
    shown,
    order,
    async orderAndRun(given) {
      const answer = send(given)
      await settled()
      await world.run(1_000)
      return answer
    },
    settled,
    async calls() {
      await settled()
      return shown.filter(({ type }) => type === 'call').map(({ callId }) => callId as string)
    },
    async close() {
      door.close()
      socket.terminate()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Virtual minutes pass between a ping and its pong, which crosses a real socket: no heartbeat in such a world. */
function withoutTimers(clock: Clock): Clock {
  return { nowMs: () => clock.nowMs(), schedule: () => ({ cancel: () => {} }) }
}
