/** Revisions on trial: a share of the new calls of a flow takes them, until they are promoted or withdrawn. */
import type { AtMs } from '../../kernel/clock.ts'
import type { CanaryId, FlowName } from '../../kernel/ids.ts'
import type { FlowId, NewPublication, Signed } from './flow-revisions.ts'

/** What may rise at a step: the caller hangs up in it, says nothing, or the step fails. */
export const CANARY_RISKS = ['hangup', 'noInput', 'failed'] as const
export type CanaryRisk = (typeof CANARY_RISKS)[number]

/** Calls that came to a step, and those of them that ended it badly. */
export interface RiskCounts {
  readonly calls: number
  readonly bad: number
}

/** Why a canary was returned. */
export interface CanaryFault {
  /** Null: the whole call. */
  readonly step: string | null
  readonly risk: CanaryRisk
  readonly onTrial: RiskCounts
  readonly live: RiskCounts
}

/** `replaced`: another publication of the flow ended it. `returned`: it was withdrawn by itself. */
export type CanaryEnd = 'promoted' | 'withdrawn' | 'returned' | 'replaced'

export interface FlowCanary extends FlowId, Signed {
  readonly id: CanaryId
  /** The live revision, with which it is compared. */
  readonly against: string
  /** Of new calls; 1 to 99. */
  readonly percent: number
  readonly begunAtMs: AtMs
  /** Null while it runs. */
  readonly ended: CanaryEnd | null
  readonly endedBy: string | null
  readonly endedNote: string | null
  readonly endedAtMs: AtMs | null
  readonly fault: CanaryFault | null
}

/** Calls at each step, by revision: of the canary, and of the live one in the same time. */
export interface StepSeen {
  /** '': the whole call. */
  readonly step: string
  readonly onTrial: Readonly<Record<'calls' | CanaryRisk, number>>
  readonly live: Readonly<Record<'calls' | CanaryRisk, number>>
}

/** Tests so far at a step, and the calls of the canary at the last one. */
export interface Looks {
  readonly count: number
  readonly calls: number
}

/** What a look at the counts found; pure. */
export type Weigh = (
  seen: readonly StepSeen[],
  looks: Readonly<Record<string, Looks>>,
) => { readonly looks: Readonly<Record<string, Looks>>; readonly fault: CanaryFault | undefined }

/** Canaries of flows. They belong to the installation, as revisions do. */
export interface FlowCanaries {
  /** By flow, one of each at the most. */
  running(): Promise<readonly FlowCanary[]>
  /** The newest first, at most 50. */
  list(flow: FlowName): Promise<readonly FlowCanary[]>
  /**
   * Stores the text, replaces another canary of the flow, and wakes all nodes (`flows`). The same revision with the
   * same share goes on. `liveNow`: another revision is live than the one that the author has seen, or none.
   */
  begin(
    publication: NewPublication & { readonly percent: number },
  ): Promise<'begun' | 'runs already' | 'is live' | { readonly liveNow: string | undefined }>
  /** Promoted, it becomes the live revision. Wakes all nodes. Undefined: this canary does not run. */
  end(
    canary: CanaryId,
    how: 'promoted' | 'withdrawn',
    signed: Signed & { readonly atMs: AtMs },
  ): Promise<FlowId | undefined>
  /** Looks at the counts, remembers the look, and returns the canary at a fault. One node at a time. */
  weigh(canary: CanaryId, weigh: Weigh, atMs: AtMs): Promise<CanaryFault | undefined>
}
