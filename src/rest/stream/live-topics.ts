/** The topics of the live stream, and who may read them. One source for all connections of this node. */
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentDesktop } from '../../ports/agent-desktop.ts'
import type { LivePort } from '../../ports/live.ts'
import type { CallSupervision } from '../../ports/supervision.ts'
import { type Asker, isSupervising, type Scope } from '../http/route.ts'
import { AgentTopics } from './agent-topics.ts'
import { type BoardFilter, BoardTopics } from './board-topics.ts'
import type { FindTopic } from './stream-session.ts'

/** Who reads: the credential as it is now, and the agent behind it. */
export interface Reader {
  readonly asker: Asker
  readonly agent: AgentName | undefined
}

interface LiveTopicsOptions {
  readonly agentDesktop: AgentDesktop
  readonly supervision: Pick<CallSupervision, 'shownTalks'>
  readonly live: LivePort
  /** The name of this node. */
  readonly node: string
  readonly clock: Clock
  readonly log: Log
  /** Whether the phone of an agent is the browser. */
  readonly isBrowser?: ((agent: AgentName) => boolean) | undefined
  /** What is wrong with the sound in an agent's browser. */
  readonly soundOf?: ((agent: AgentName) => string | null) | undefined
}

const REFRESH_MS = 1_000
/** Everything that the rows of a board show by REST. Supervisors have these; an agent's credential is bound. */
const BOARD_SCOPES: readonly Scope[] = ['dialer:read', 'users:read', 'calls:read']

/** The topics of a node. They listen to the engine from the start: nothing is missed while no page is open. */
export class LiveTopics {
  readonly #options: LiveTopicsOptions
  readonly #agents: AgentTopics
  readonly #boards: BoardTopics
  readonly #stopListening: readonly (() => void)[]
  #timer: Timer

  constructor(options: LiveTopicsOptions) {
    const { agentDesktop, live, clock } = options
    this.#options = options
    this.#agents = new AgentTopics(options)
    this.#boards = new BoardTopics(options)
    this.#stopListening = [
      agentDesktop.listen((agent, notification) => {
        this.#agents.notified(agent, notification)
        this.#boards.notified(agent, notification)
      }),
      live.onBoard((line) => this.#boards.line(line)),
    ]
    this.#timer = clock.schedule(clock.nowMs() + REFRESH_MS, () => this.#refresh())
  }

  /** The topics, for this reader. `reader` is asked anew each time: rights change. */
  finder(reader: () => Reader): FindTopic {
    return (topic, args) => {
      const { asker, agent } = reader()
      if (topic === 'me') {
        return agent === undefined ? 'forbidden' : { name: `me ${agent}`, open: () => this.#agents.open(agent) }
      }
      const campaign = topic === 'campaign' ? args['callCode'] : undefined
      if (topic === 'campaign' ? !Number.isSafeInteger(campaign) : topic !== 'board') return 'unknown'
      const scopes = topic === 'board' ? BOARD_SCOPES : BOARD_SCOPES.slice(0, 1)
      if (!isSupervising(asker) || !scopes.every((scope) => asker.scopes.has(scope))) return 'forbidden'
      const corporations = [...asker.corporations].sort((a, b) => a - b)
      const { teams } = asker
      const whose = { corporations, ...(teams && { teams }) }
      const filter = campaign === undefined ? whose : { ...whose, campaign: campaign as number }
      return this.#board(JSON.stringify([topic, filter]), filter)
    }
  }

  close(): void {
    this.#timer.cancel()
    for (const stop of this.#stopListening) stop()
    this.#agents.close()
    this.#boards.close()
  }

  #board(name: string, filter: BoardFilter): ReturnType<FindTopic> {
    const topic = this.#boards.open(name, filter)
    return topic ? { name, open: () => ({ topic, release: () => {} }) } : 'tooMany'
  }

  #refresh(): void {
    const { clock, log } = this.#options
    try {
      this.#boards.refresh()
    } catch (error) {
      log.error({ err: error }, 'the live boards were not refreshed')
    }
    this.#timer = clock.schedule(clock.nowMs() + REFRESH_MS, () => this.#refresh())
  }
}
