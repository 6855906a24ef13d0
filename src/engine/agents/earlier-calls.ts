/** Calls of agents that the memory of this engine lacks: what is still said about them after a restart is not lost. */
import { type AgentName, type AttemptId, attemptNamed, type CallId, type LegId } from '../../kernel/ids.ts'
import type { OrderAnswer } from '../../ports/agent-desktop.ts'
import type { Attempt, DueTask } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { type LiveAttempt, shownBy } from '../outbound/live-attempt.ts'
import { CAME_IN, isRefusal, type RecentAttempt, type RecentCall, type Refusal, WORDS_MAX_MS } from './recent-calls.ts'

interface EarlierCallsOptions {
  readonly dialerRepository: Pick<DialerRepository, 'findAttempts' | 'describeTasks' | 'callOfAgent'>
  readonly campaigns: Pick<CampaignRegistry, 'all' | 'get'>
  readonly callPlacer: { readonly attempts: Pick<AttemptRunner, 'of'> }
}

/** An attempt, as words about it need it. `report`: undefined until it is over. */
export interface SpokenOf
  extends Pick<
    LiveAttempt,
    'attempt' | 'leg' | 'activity' | 'number' | 'campaign' | 'shown' | 'seen' | 'claimedAtMs' | 'afterwards'
  > {
  readonly group: { readonly task: DueTask }
  readonly report: object | undefined
}

/** One that is over, or that the agent has passed on. */
export interface EarlierCall {
  readonly shown: Pick<RecentCall['shown'], 'call' | 'number' | 'team'>
  /** Undefined for a call that came in. */
  readonly live: SpokenOf | undefined
  readonly leg: LegId | undefined
}

/** One that we placed. */
interface EarlierAttempt extends EarlierCall {
  readonly live: SpokenOf
}

type LateAnswer = OrderAnswer | Promise<OrderAnswer>

const no = (why: string): OrderAnswer => ({ ok: false, why })
const AWAY = no('This cannot be looked up now. Try again.')

/** Calls in the database, by their names. */
export class EarlierCalls {
  readonly #context: EngineContext
  readonly #options: EarlierCallsOptions

  constructor(context: EngineContext, options: EarlierCallsOptions) {
    this.#context = context
    this.#options = options
  }

  /** `found`: in the memory of this engine. `then` runs in the engine's turn, now or when the database has answered. */
  about(
    agent: AgentName,
    call: CallId | undefined,
    found: RecentCall | Refusal,
    then: (found: RecentCall | EarlierCall) => LateAnswer,
  ): LateAnswer {
    if (!isRefusal(found)) return then(found)
    if (call === undefined) return found
    const answer = (earlier: EarlierCall | undefined) =>
      new Promise<OrderAnswer>((resolve) => {
        this.#context.enqueue(() => resolve(earlier ? then(earlier) : found))
      })
    return this.#find(agent, call).then(answer, () => AWAY)
  }

  /** What only a call that we placed can be told of. */
  aboutAttempt(
    agent: AgentName,
    call: CallId | undefined,
    found: RecentAttempt | Refusal,
    then: (found: RecentAttempt | EarlierAttempt) => LateAnswer,
  ): LateAnswer {
    if (!isRefusal(found)) return then(found)
    if (found === CAME_IN) return found
    return this.about(agent, call, found, ({ shown, live, leg }) => (live ? then({ shown, live, leg }) : CAME_IN))
  }

  /** Undefined: the agent had no such call, or it ended too long ago. */
  async #find(agent: AgentName, call: CallId): Promise<EarlierCall | undefined> {
    const attempt = attemptNamed(call)
    if (attempt !== undefined) return this.#findAttempt(agent, call, attempt)
    const sinceAtMs = this.#context.dependencies.clock.nowMs() - WORDS_MAX_MS
    const found = await this.#options.dialerRepository.callOfAgent(call, agent, sinceAtMs)
    if (!found) return undefined
    const { leg, caller: number, team } = found
    return { shown: { call, number, ...(team && { team }) }, live: undefined, leg }
  }

  async #findAttempt(agent: AgentName, call: CallId, id: AttemptId): Promise<EarlierAttempt | undefined> {
    const { campaigns, dialerRepository, callPlacer } = this.#options
    const corporations = [...new Set([...campaigns.all()].map(({ stored }) => stored.corporation))]
    const [attempt] = await dialerRepository.findAttempts({ corporations, ids: [id] })
    const campaign = attempt && campaigns.get(attempt.campaign)
    if (!attempt || !campaign) return undefined
    if (attempt.endedAtMs === null) {
      const hasAsked = Object.values(attempt.transfers ?? {}).some(({ by }) => by === agent)
      const live = hasAsked ? callPlacer.attempts.of(id) : undefined
      return live && { shown: { call, number: live.number }, live, leg: live.leg }
    }
    const sinceAtMs = this.#context.dependencies.clock.nowMs() - campaign.campaign.resultWindowMs
    if (!(await dialerRepository.callOfAgent(call, agent, sinceAtMs))) return undefined
    const [task] = await dialerRepository.describeTasks([attempt.task], 0)
    if (!task) return undefined
    const { leg, activity, number, claimedAtMs, permit } = attempt
    const known = { attempt: id, leg, activity, number, campaign, claimedAtMs, seen: seenOf(attempt) }
    const shown = shownBy(permit, campaign.campaign)
    const live = { ...known, shown, group: { task }, report: attempt, afterwards: [] }
    return { shown: { call, number }, live, leg }
  }
}

function seenOf({ dialedAtMs, claimedAtMs, answeredAtMs, connectedAtMs }: Attempt): LiveAttempt['seen'] {
  const answered = answeredAtMs ?? connectedAtMs
  return { dialedAtMs: dialedAtMs ?? claimedAtMs, ...(answered !== null && { answeredAtMs: answered }) }
}
