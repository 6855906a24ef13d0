import type { AtMs } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { CallTaskId, CampaignId, PhoneNumber } from '../ports/call-task.ts'
import type { AttemptId, AttemptResult } from '../ports/records.ts'

/**
 * What came of one attempt (D-11). `withdrawn` is the surplus of several numbers rung at once: kept and shown as
 * cancelled, but never counted (dialer.md 1).
 */
export type AttemptOutcome = AttemptResult | 'withdrawn'

/** How far a call got. `sent`: an INVITE left us, or may have left. */
export type Reach = 'nothing' | 'sent' | 'rang' | 'answered'

/** What the rules need to know of an attempt that was made. */
export interface PastAttempt {
  readonly id: AttemptId
  readonly number: PhoneNumber
  readonly result: AttemptOutcome | 'inProgress'
  readonly reach: Reach
  readonly claimedAtMs: AtMs
  /** Absent while in progress. Where the true end was not seen: its latest possible instant (INV-D2). */
  readonly endedAtMs: AtMs | undefined
}

/** One dial of one number for one call task: the row that is committed before the call is placed (law 6). */
export interface Attempt extends PastAttempt {
  readonly task: CallTaskId
  readonly campaign: CampaignId
  /** 1 for the first that was placed for its task. */
  readonly attemptNo: number
  /** Chosen by us before we ask (law 4): whoever finds this leg finds the attempt. */
  readonly leg: LegId
}
