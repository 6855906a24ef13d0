/** An agent of the demo: signs on, opens the event socket, logs in, and records the events. */
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../src/client/client.ts'
import type { Asked } from '../src/client/request.ts'
import type { AtMs, Clock } from '../src/kernel/clock.ts'

/** Results of an agent's session. */
export interface AgentDay {
  readonly userName: string
  readonly talkMs: number
  readonly calls: number
  /** Pages of the external system that were opened. */
  readonly popups: readonly string[]
}

/** A logged-in agent. */
export interface AgentAtWork {
  /** Resolves when the agent is in this state. */
  is(state: string): Promise<void>
  day(): AgentDay
  order(order: Order): Promise<void>
  logOut(): Promise<void>
}

/** The body of an order. */
export type Order = NonNullable<Asked<'POST /svcpbx/agents/me/orders'>[0]>['body']

/** What the event socket says to an agent, as far as the demo uses it. */
export interface AgentMessage {
  readonly type: string
  readonly state?: string
  readonly url?: string
  /** Of `call`. */
  readonly callId?: string
}

/** Logs an agent in with their own credential. `heard`: everything that the socket says. */
export async function agentAtWork(
  userName: string,
  ssoUrl: string,
  credential: Credential,
  clock: Clock,
  heard: (message: AgentMessage) => void = () => {},
): Promise<AgentAtWork> {
  const client = connect({ ssoUrl, credential, clock })
  const waiting: { state: string; tell: () => void }[] = []
  const popups: string[] = []
  let state = 'loggedOut'
  let talkingSinceAtMs: AtMs | undefined
  let talkMs = 0
  let calls = 0
  const hear = (message: AgentMessage) => {
    heard(message)
    const { type, state: next, url } = message
    if (type === 'popup' && url !== undefined) popups.push(url)
    if (type !== 'status' || next === undefined || next === state) return
    if (next === 'talking') {
      calls++
      talkingSinceAtMs = clock.nowMs()
    } else if (talkingSinceAtMs !== undefined) {
      talkMs += clock.nowMs() - talkingSinceAtMs
      talkingSinceAtMs = undefined
    }
    state = next
    for (const { tell } of waiting.filter((one) => one.state === next)) tell()
  }
  const socket = await openSocket(client, hear)
  const give = async (body: Order) => {
    await client.ask('POST /svcpbx/agents/me/orders', { body })
  }
  await give({ type: 'logIn' })
  return {
    is: (wanted) =>
      state === wanted ? Promise.resolve() : new Promise((tell) => waiting.push({ state: wanted, tell })),
    day: () => ({ userName, talkMs, calls, popups }),
    order: give,
    async logOut() {
      await give({ type: 'logOut' })
      socket.close()
    },
  }
}

async function openSocket(client: Client, hear: (notification: AgentMessage) => void): Promise<WebSocket> {
  const { ticket } = await client.ask('POST /svcpbx/agents/me/tickets')
  const endpoint = await client.endpoint()
  const socket = new WebSocket(`${endpoint.replace(/^http/, 'ws')}/svcpbx/agents/me/events?ticket=${ticket}`)
  await new Promise<void>((opened, failed) => {
    socket.once('open', () => opened())
    socket.once('error', failed)
  })
  socket.on('message', (data) => hear(JSON.parse(String(data)) as AgentMessage))
  return socket
}
