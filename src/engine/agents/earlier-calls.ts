/** Calls of agents that the memory of this engine lacks: what is still said about them after a restart is not lost. */
import { type AgentName, attemptNamed, type CallId, type LegId } from '../../kernel/ids.ts'
import type { OrderAnswer } from '../../ports/agent-desktop.ts'
import type { DueTask } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext } from '../context.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import type { LiveAttempt } from '../outbound/live-attempt.ts'
import { isRefusal, type RecentCall, type Refusal } from './recent-calls.ts'

interface EarlierCallsOptions {
  readonly dialerRepository: Pick<DialerRepository, 'findAttempts' | 'describeTasks'>
  readonly campaigns: Pick<CampaignRegistry, 'all' | 'get'>
}

/** An attempt, as words about it need it. `report`: undefined until it is over. */
export interface SpokenOf
  extends Pick<LiveAttempt, 'attempt' | 'leg' | 'activity' | 'number' | 'campaign' | 'afterwards'> {
  readonly group: { readonly task: DueTask }
  readonly report: object | undefined
}

/** One that is over. */
export interface EarlierCall {
  readonly shown: Pick<RecentCall['shown'], 'call' | 'number' | 'team'>
  readonly live: SpokenOf
  readonly leg: LegId
}

type LateAnswer = OrderAnswer | Promise<OrderAnswer>

const no = (why: string): OrderAnswer => ({ ok: false, why })
const AWAY = no('This cannot be looked up now. Try again.')

/** Attempts in the database, by the names of their calls. */
export class EarlierCalls {
  readonly #context: EngineContext
  readonly #options: EarlierCallsOptions

  constructor(context: EngineContext, options: EarlierCallsOptions) {
    this.#context = context
    this.#options = options
  }

  /** `found`: in the memory of this engine. `then` runs in the engine's turn, now or when the database has answered. */
  about<Found extends RecentCall>(
    agent: AgentName,
    call: CallId | undefined,
    found: Found | Refusal,
    then: (found: Found | EarlierCall) => LateAnswer,
  ): LateAnswer {
    if (!isRefusal(found)) return then(found)
    if (call === undefined) return found
    const answer = (earlier: EarlierCall | undefined) =>
      new Promise<OrderAnswer>((resolve) => {
        this.#context.enqueue(() => resolve(earlier ? then(earlier) : found))
      })
    return this.#find(agent, call).then(answer, () => AWAY)
  }

  /** Undefined: the agent had no such call, or it ended too long ago. */
  async #find(agent: AgentName, call: CallId): Promise<EarlierCall | undefined> {
    const { campaigns, dialerRepository } = this.#options
    const id = attemptNamed(call)
    if (id === undefined) return undefined
    const corporations = [...new Set([...campaigns.all()].map(({ stored }) => stored.corporation))]
    const [attempt] = await dialerRepository.findAttempts({ corporations, ids: [id] })
    if (!attempt || attempt.agent !== agent || attempt.endedAtMs === null) return undefined
    const campaign = campaigns.get(attempt.campaign)
    const sinceMs = this.#context.dependencies.clock.nowMs() - attempt.endedAtMs
    if (!campaign || sinceMs > campaign.campaign.resultWindowMs) return undefined
    const [task] = await dialerRepository.describeTasks([attempt.task], 0)
    if (!task) return undefined
    const { leg, activity, number } = attempt
    const live = { attempt: id, leg, activity, number, campaign, group: { task }, report: attempt, afterwards: [] }
    return { shown: { call, number }, live, leg }
  }
}
