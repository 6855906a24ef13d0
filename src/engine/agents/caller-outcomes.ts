/** What agents say about calls that came in: an outcome of the team's catalogue, or free words (campaigns-110). */
import { isRefused, readOutcome } from '../../dialer/outcome-given.ts'
import type { AgentName, TeamName } from '../../kernel/ids.ts'
import type { AgentOrder, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CallerFeedback, Outcome } from '../../ports/outcome.ts'
import type { EngineContext } from '../context.ts'
import type { WriteEntry } from '../record-writer.ts'
import type { EarlierCall } from './earlier-calls.ts'
import type { RecentCall } from './recent-calls.ts'

interface CallerOutcomesOptions {
  readonly dialerRepository: Pick<DialerRepository, 'outcomesOfTeam'>
  /** Resolves when no crash can lose the entry any more. */
  readonly write: (entry: WriteEntry) => Promise<OrderAnswer>
}

type Said = Extract<AgentOrder, { readonly type: 'outcome' | 'feedback' }>

const CATALOGUE = 'The team has a catalogue of outcomes. Give the order outcome, with one of its outcomes.'
const NO_CALLBACK =
  'A call that came in has no call task to be called back. Leave the date out, and call back from a campaign.'
const FINAL = 'A call that came in has no call task to be ended: a number proves no identity. Leave final out.'

/** Checks and writes them. */
export class CallerOutcomes {
  readonly #context: EngineContext
  readonly #options: CallerOutcomesOptions
  /** As they were read last: what an agent typed is not lost while the database is unavailable. */
  readonly #known = new Map<TeamName, readonly Outcome[]>()

  constructor(context: EngineContext, options: CallerOutcomesOptions) {
    this.#context = context
    this.#options = options
  }

  async save(agent: AgentName, { shown, leg }: RecentCall | EarlierCall, order: Said): Promise<OrderAnswer> {
    const { call, team } = shown
    const catalogue = team === undefined ? [] : await this.#catalogueOf(team)
    const said = order.type === 'outcome' ? this.#outcome(catalogue, order) : feedbackOf(catalogue, order)
    if ('ok' in said) return said
    const { note } = order
    const about = { call, agent, ...(note !== undefined && { note }), atMs: this.#nowMs() }
    return new Promise((resolve) => {
      this.#context.enqueue(() => {
        const value = { ...about, ...said, eventName: this.#context.eventName() }
        // Under the key of the call's beginning and end: it is written after the one that was there first.
        resolve(this.#options.write({ key: leg ?? call, what: 'callerFeedback', value }))
      })
    })
  }

  #outcome(catalogue: readonly Outcome[], order: Extract<Said, { type: 'outcome' }>): Part | Refusal {
    if (order.callback) return { ok: false, about: 'callback', why: NO_CALLBACK }
    const outcome = readOutcome(catalogue, order, this.#nowMs(), 'team')
    if (isRefused(outcome)) return { ok: false, ...outcome }
    return { outcome: outcome.id, feedbackType: outcome.name, isFinal: false, fields: order.fields }
  }

  async #catalogueOf(team: TeamName): Promise<readonly Outcome[]> {
    const known = this.#known.get(team) ?? []
    const read = await this.#options.dialerRepository.outcomesOfTeam(team).catch(() => known)
    this.#known.set(team, read)
    return read
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}

type Part = Pick<CallerFeedback, 'outcome' | 'feedbackType' | 'isFinal' | 'fields'>
type Refusal = Extract<OrderAnswer, { readonly ok: false }>

/** Free words would be read by nobody who looks for the outcomes of the catalogue. */
function feedbackOf(catalogue: readonly Outcome[], order: Extract<Said, { type: 'feedback' }>): Part | Refusal {
  if (catalogue.some(({ isActive }) => isActive)) return { ok: false, why: CATALOGUE }
  return order.isFinal ? { ok: false, why: FINAL } : { feedbackType: order.feedbackType, isFinal: false }
}
