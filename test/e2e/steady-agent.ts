/** An agent who stays at work through faults: reopens the screen, and logs in again if necessary. */
import { WebSocket } from 'ws'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { SwitchboardProblem } from '../../src/client/problem.ts'
import type { AnyRequest } from '../../src/client/request.ts'
import type { Clock } from '../../src/kernel/clock.ts'

/** The messages to their screen. */
export interface ScreenMessage {
  readonly type: string
  readonly state?: string
  readonly reason?: string
  readonly url?: string
  readonly [field: string]: unknown
}

/** An agent at work. */
export interface SteadyAgent {
  readonly name: string
  /** The last state on the screen; `away` without a screen. */
  readonly state: string
  readonly news: readonly ScreenMessage[]
  /** Resolves with the first message, past or future, for which this is true. */
  hears(isIt: (news: ScreenMessage) => boolean): Promise<ScreenMessage>
  /** The same for a state; at once if the agent is in it. */
  is(state: string): Promise<void>
  order(order: Readonly<Record<string, unknown>>): Promise<{ readonly status: number; readonly body: unknown }>
  /** Logs out and closes the screen. */
  leave(): Promise<void>
}

const AGAIN_MS = 100
/** State → the order that leaves it. */
const BACK_TO_WORK: Readonly<Record<string, string>> = { loggedOut: 'logIn', paused: 'ready' }

/** Starts their day: the screen opens, and they log in. */
export async function steadyAgent(
  name: string,
  ssoUrl: string,
  credential: Credential,
  clock: Clock,
): Promise<SteadyAgent> {
  const agent = new AgentAtScreen(name, connect({ ssoUrl, credential }), clock)
  await agent.open()
  return agent
}

interface Expectation {
  readonly isIt: (news: ScreenMessage) => boolean
  readonly tell: (news: ScreenMessage) => void
}

class AgentAtScreen implements SteadyAgent {
  readonly name: string
  readonly news: ScreenMessage[] = []
  state = 'away'
  readonly #client: Client
  readonly #clock: Clock
  #expectations: Expectation[] = []
  #socket: WebSocket | undefined
  #isGone = false

  constructor(name: string, client: Client, clock: Clock) {
    this.name = name
    this.#client = client
    this.#clock = clock
  }

  hears(isIt: (news: ScreenMessage) => boolean): Promise<ScreenMessage> {
    const known = this.news.find(isIt)
    if (known) return Promise.resolve(known)
    return new Promise((tell) => this.#expectations.push({ isIt, tell }))
  }

  async is(state: string): Promise<void> {
    if (this.state === state) return
    await new Promise<void>((tell) => {
      this.#expectations.push({ isIt: (news) => news.type === 'status' && news.state === state, tell: () => tell() })
    })
  }

  async order(order: Readonly<Record<string, unknown>>) {
    const request: AnyRequest = { body: order }
    try {
      return await this.#client.reply('POST /svcpbx/agents/me/orders', request as never)
    } catch (error) {
      // A refused order returns its message; an unreachable service throws.
      if (!(error instanceof SwitchboardProblem) || error.status === 0) throw error
      return { status: error.status, body: error.message }
    }
  }

  async leave(): Promise<void> {
    this.#isGone = true
    await this.order({ type: 'logOut' }).catch(() => undefined)
    this.#socket?.close()
  }

  /** Opens the screen and logs in; rejects if that fails. */
  async open(): Promise<void> {
    const { ticket } = await this.#client.ask('POST /svcpbx/agents/me/tickets')
    const endpoint = await this.#client.endpoint()
    const address = `${endpoint.replace(/^http/, 'ws')}/svcpbx/agents/me/events?ticket=${ticket}`
    const socket = new WebSocket(address)
    this.#socket = socket
    await new Promise<void>((opened, failed) => {
      socket.once('open', () => opened())
      socket.once('error', failed)
      socket.on('message', (data) => this.#hear(JSON.parse(String(data)) as ScreenMessage))
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.state = 'away'
      this.#comeBack()
    })
    // An agent who is logged in already gets a message, and stays as they are.
    await this.order({ type: 'logIn' }).catch(() => undefined)
  }

  #comeBack(): void {
    if (this.#isGone) return
    this.#clock.schedule(this.#clock.nowMs() + AGAIN_MS, () => {
      if (!this.#isGone) this.open().catch(() => this.#comeBack())
    })
  }

  #hear(news: ScreenMessage): void {
    this.news.push(news)
    if (news.type === 'status' && news.state !== undefined) {
      this.state = news.state
      this.#goOn(news.state)
    }
    const come = this.#expectations.filter(({ isIt }) => isIt(news))
    this.#expectations = this.#expectations.filter((expectation) => !come.includes(expectation))
    for (const { tell } of come) tell(news)
  }

  /** An agent who was logged out or paused, for any reason, goes back to work. */
  #goOn(state: string): void {
    const type = BACK_TO_WORK[state]
    if (type === undefined) return
    this.#clock.schedule(this.#clock.nowMs() + AGAIN_MS, () => {
      if (!this.#isGone && this.state === state) this.order({ type }).catch(() => undefined)
    })
  }
}
