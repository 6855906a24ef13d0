/** How calls go through flows, in sums by revision and hour. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CanaryId, FlowName } from '../../kernel/ids.ts'
import type { CanaryRisk } from './flow-canaries.ts'

/** Which canary a call counts for: once for each caller. */
export interface CountsFor {
  readonly id: CanaryId
  /** Whether the call is in the revision on trial. */
  readonly isNew: boolean
}

/** One call that is over, as it is written with its end. */
export interface CallTraffic {
  readonly flow: FlowName
  readonly revision: string
  readonly atMs: AtMs
  readonly outcome: string
  readonly marks: readonly string[]
  /** Step → end → how often. A caller who hung up in a step ended it with `hangup`. */
  readonly ends: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly canary?: CountsFor & { readonly steps: readonly RiskyStep[] }
}

/** A step that a call came to; '' is the whole call. */
export interface RiskyStep {
  readonly step: string
  readonly risks: readonly CanaryRisk[]
}

/** `calls`: calls in which it happened. `times`: how often altogether. */
export interface TrafficCount {
  readonly revision: string
  readonly what: 'call' | 'outcome' | 'mark' | 'step' | 'end'
  /** The step, the mark or the outcome; '' of calls. */
  readonly name: string
  /** The end of a step. */
  readonly ended: string
  readonly calls: number
  readonly times: number
}

export interface TrafficQuery {
  readonly flow: FlowName
  /** Whole hours count: the one that contains `fromAtMs`, up to and with the one that `toAtMs` is in. */
  readonly fromAtMs: AtMs
  readonly toAtMs: AtMs
  readonly revision?: string
}

export interface FlowTraffic {
  /** Adds what ended calls have left to the sums, each once, and deletes sums that are older than 400 days. */
  fold(atMs: AtMs): Promise<void>
  read(query: TrafficQuery): Promise<readonly TrafficCount[]>
}
