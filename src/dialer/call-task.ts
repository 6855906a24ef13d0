import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallTaskId, CampaignId, ContactKey, PhoneNumber } from '../kernel/ids.ts'
import type { EarlierAttempt } from '../ports/attempt.ts'
import type { FinishedStatus } from '../ports/call-task.ts'

/** One number of a call task's list, at its place. */
export interface TaskNumber {
  /** Absent when the imported text is no number that can be dialed. */
  readonly number: PhoneNumber | undefined
  /** Somebody asked not to be called there. */
  readonly isStopped: boolean
}

/** A date for the next call. It is open until an attempt has been placed at or after its instant. */
interface Callback {
  readonly atMs: AtMs
  /** Whether the contact asked for it: only then it comes before the interval is over (D-12). */
  readonly askedByContact: boolean
  /** The agent who promised it. */
  readonly agent: AgentName | undefined
}

/** The instruction to reach one contact, with what was tried so far. */
export interface CallTask {
  readonly id: CallTaskId
  readonly campaign: CampaignId
  /** Absent where the import named no debtor; then only the numbers tell people apart. */
  readonly contact: ContactKey | undefined
  /** In the order in which they are tried. */
  readonly numbers: readonly TaskNumber[]
  /** Attempts that may count (D-12) before the task is over: `maxCallAttempts`, contract.md §8. */
  readonly attemptsMax: number
  /** From the end of one attempt to the next: `minCallIntervalHours`, contract.md §8. */
  readonly attemptIntervalMs: number
  readonly callback: Callback | undefined
  /** Where the contact lives, when that is known: better than what a number tells. An IANA zone. */
  readonly timeZone: string | undefined
  /** Absent while the task is active. */
  readonly end: FinishedStatus | undefined
  /** In the order of their claims. */
  readonly attempts: readonly EarlierAttempt[]
}
