/**
 * A call task as the rules see it. What finishes it: `next-attempt.ts` (answered, attempts used up, no callable
 * number), `decide-due-task.ts` (stopped, expired), `store/dialer/expire-tasks.ts` (expired), and from outside
 * `store/dialer/end-call-task.ts`. `ports/call-task.ts` lists the ends.
 */
import type { AtMs } from '../kernel/clock.ts'
import type { CallTaskId, CampaignId, ContactKey, PhoneNumber } from '../kernel/ids.ts'
import type { EarlierAttempt, PromisedCallback, Touch } from '../ports/attempt.ts'
import type { FinishedStatus } from '../ports/call-task.ts'

export interface TaskNumber {
  /** Absent if the imported text is not a number that can be dialed. */
  readonly number: PhoneNumber | undefined
  /** The number is on a stop list. */
  readonly isStopped: boolean
  /** The network says that the number does not exist (campaigns-36). */
  readonly isDead?: boolean
}

export interface CallTask {
  readonly id: CallTaskId
  readonly campaign: CampaignId
  /** Absent if the import named no debtor; then only the numbers identify the person. */
  readonly contact: ContactKey | undefined
  /** In dialing order. */
  readonly numbers: readonly TaskNumber[]
  /** Counting attempts (D-12) until the task is finished: `maxCallAttempts`, contract.md §8. */
  readonly attemptsMax: number
  /** From the end of one attempt to the next: `minCallIntervalHours`, contract.md §8. */
  readonly attemptIntervalMs: number
  /** A date for the next call; open until a call at or after its instant reaches somebody. */
  readonly callback: PromisedCallback | undefined
  /** The task is dialed from then on, and up to but without `validToAtMs`; absent: no limit (campaigns-58). */
  readonly validFromAtMs?: AtMs | undefined
  readonly validToAtMs?: AtMs | undefined
  /** IANA zone of the contact's home if known; more certain than the zone of a number. */
  readonly timeZone: string | undefined
  readonly end: FinishedStatus | undefined
  readonly attempts: readonly EarlierAttempt[]
  /** The person's case in the external system. */
  readonly externalCaseNumber?: string | undefined
  /** Calls to the person or to a number of the task, by any task. */
  readonly touches?: readonly Touch[]
  readonly lastTalkAtMs?: AtMs | undefined
  readonly lastDropAtMs?: AtMs | undefined
}

/** Before its validity begins a task waits; from its end on it is expired. */
export function isValid({ validToAtMs }: Pick<CallTask, 'validToAtMs'>, nowAtMs: AtMs): boolean {
  return validToAtMs === undefined || nowAtMs < validToAtMs
}
