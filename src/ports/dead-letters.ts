/** Work that was given up: what it was, why, and how to have it tried once more. Webhooks have their own (D-25). */
import type { AtMs } from '../kernel/clock.ts'
import type { ActivityId, CorporationId } from '../kernel/ids.ts'

/** A recording that was not written down, a call that was not summed up, an email that did not leave. */
export const DEAD_KINDS = ['transcript', 'summary', 'email'] as const

export type DeadKind = (typeof DEAD_KINDS)[number]

/** Names one; the number is of its kind alone. */
export interface DeadLetterName {
  readonly kind: DeadKind
  readonly number: number
}

export interface DeadLetter extends DeadLetterName {
  readonly corporation: CorporationId
  /** The call, or the email. */
  readonly activity: ActivityId
  /** In our words; never a word or number of a person. */
  readonly why: string | null
  readonly tries: number
  readonly createdAtMs: AtMs
}

export interface DeadLetters {
  /** The newest first. */
  search(request: {
    readonly corporations: readonly CorporationId[]
    readonly kind?: DeadKind
    readonly offset: number
    readonly rowsMax: number
  }): Promise<{ readonly found: number; readonly letters: readonly DeadLetter[] }>
  /** Due at once. False: no dead letter of these corporations. */
  retry(corporations: readonly CorporationId[], name: DeadLetterName, atMs: AtMs): Promise<boolean>
}
