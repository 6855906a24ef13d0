import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallTaskId, CampaignId, ContactKey, PhoneNumber } from '../kernel/ids.ts'
import type { EarlierAttempt } from '../ports/attempt.ts'
import type { FinishedStatus } from '../ports/call-task.ts'

export interface TaskNumber {
  /** Absent if the imported text is not a number that can be dialed. */
  readonly number: PhoneNumber | undefined
  /** The number is on a stop list. */
  readonly isStopped: boolean
}

/** A date for the next call; open until an attempt is placed at or after its instant. */
interface Callback {
  readonly atMs: AtMs
  /** Whether the contact asked for it: only then may the call come before the interval is over (D-12). */
  readonly askedByContact: boolean
  readonly agent: AgentName | undefined
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
  readonly callback: Callback | undefined
  /** IANA zone of the contact's home if known; more certain than the zone of a number. */
  readonly timeZone: string | undefined
  readonly end: FinishedStatus | undefined
  readonly attempts: readonly EarlierAttempt[]
}
