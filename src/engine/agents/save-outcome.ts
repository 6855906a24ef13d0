/** What agents say about their calls: an outcome of the campaign's catalogue, or free feedback where it has none. */
import { isRefused, readOutcome } from '../../dialer/outcome-given.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentOrder, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { DueTask } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Feedback, Outcome, SavedOutcome } from '../../ports/outcome.ts'
import type { EngineContext } from '../context.ts'
import type { WriteEntry } from '../record-writer.ts'
import type { SpokenOf } from './earlier-calls.ts'

interface OutcomesOptions {
  readonly dialerRepository: Pick<DialerRepository, 'outcomesOf'>
  /** Resolves when no crash can lose the entry any more. */
  readonly write: (entry: WriteEntry) => Promise<OrderAnswer>
  /** Why the task cannot be called back; undefined: it can, or the database cannot say. */
  readonly whyNoCallback: (task: DueTask['id'], atMs: AtMs) => Promise<string | undefined>
  /** The agent ended the task that they talk about. */
  readonly endedByAgent: (live: SpokenOf) => void
}

type Given<Type extends AgentOrder['type']> = Extract<AgentOrder, { readonly type: Type }>

const no = (why: string): OrderAnswer => ({ ok: false, why })
const CATALOGUE = no('The campaign has a catalogue of outcomes. Give the order outcome, with one of its outcomes.')

/** Checks and writes outcomes and feedback. */
export class Outcomes {
  readonly #context: EngineContext
  readonly #options: OutcomesOptions

  constructor(context: EngineContext, options: OutcomesOptions) {
    this.#context = context
    this.#options = options
  }

  /** Free words would be read by nobody who looks for the outcomes of the catalogue. */
  feedback(
    agent: AgentName,
    live: SpokenOf,
    { feedbackType, isFinal, note }: Given<'feedback'>,
  ): OrderAnswer | Promise<OrderAnswer> {
    if (live.campaign.stored.outcomes?.some(({ isActive }) => isActive)) return CATALOGUE
    const value = { ...this.#said(agent, live, note), feedbackType, isFinal }
    return this.#options.write({ key: live.leg, what: 'feedback', value })
  }

  async save(agent: AgentName, live: SpokenOf, order: Given<'outcome'>): Promise<OrderAnswer> {
    const task = live.group.task.id
    // An agent's screen may know what the last load of the campaigns does not.
    const catalogue = await this.#catalogueOf(live)
    const outcome = readOutcome(catalogue, order, this.#nowMs())
    if (isRefused(outcome)) return { ok: false, ...outcome }
    const why = order.callback && (await this.#options.whyNoCallback(task, order.callback.atMs))
    if (why !== undefined) return { ok: false, about: 'callback', why }
    return new Promise((resolve) => {
      this.#context.enqueue(() => resolve(this.#write(agent, live, outcome, order)))
    })
  }

  #write(agent: AgentName, live: SpokenOf, outcome: Outcome, order: Given<'outcome'>): Promise<OrderAnswer> {
    const { leg: key, attempt } = live
    const { callback, fields } = order
    const value: SavedOutcome = {
      ...this.#said(agent, live, order.note),
      outcome: outcome.id,
      feedbackType: outcome.name,
      isFinal: outcome.isFinal,
      corporation: live.campaign.stored.corporation,
      attempt,
      fields,
      ...(callback && { callback }),
      eventName: this.#context.eventName(),
    }
    if (outcome.isFinal) {
      this.#options.endedByAgent(live)
      // Promises of this call that would be written once more after it: the agent knows what became of them.
      live.afterwards.length = 0
    } else if (!live.report) {
      takeBackPromise(live, agent)
      // The task may be ended before the call is over, and then the agent must hear that nobody will call back.
      const promise = callback && { ...callback, task: value.task, agent, attempt, nowMs: value.atMs }
      if (promise) live.afterwards.push({ key, what: 'callback', value: promise })
    }
    return this.#options.write({ key, what: 'outcome', value })
  }

  /** The last one that is known while the database is unavailable: what the agent typed is not lost. */
  async #catalogueOf({ campaign }: SpokenOf): Promise<readonly Outcome[]> {
    const known = campaign.stored.outcomes ?? []
    return this.#options.dialerRepository.outcomesOf(campaign.stored.id).catch(() => known)
  }

  #said(
    agent: AgentName,
    { activity, group }: SpokenOf,
    note: string | undefined,
  ): Pick<Feedback, 'activity' | 'agent' | 'note' | 'atMs'> & Pick<SavedOutcome, 'task'> {
    return { activity, task: group.task.id, agent, ...(note !== undefined && { note }), atMs: this.#nowMs() }
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** The date of an earlier outcome: only an outcome says whether its callback is for the team. */
function takeBackPromise({ afterwards }: SpokenOf, agent: AgentName): void {
  const isPromise = (entry: WriteEntry) =>
    entry.what === 'callback' && entry.value.isForTeam !== undefined && entry.value.agent === agent
  afterwards.splice(0, afterwards.length, ...afterwards.filter((entry) => !isPromise(entry)))
}
