/** A case with all that its rules are about, and what may be wished of it. */
import type { AtMs } from '../kernel/clock.ts'
import type { UserId } from '../kernel/ids.ts'
import type {
  CaseChange,
  CaseLog,
  CaseRecord,
  CaseValue,
  Category,
  CustomStatus,
  Member,
  Priority,
} from '../ports/cases.ts'

/** Everything of a case that has rules; texts, files and links have none. */
export interface CaseState {
  readonly record: CaseRecord
  readonly members: readonly Member[]
  /** In their order. */
  readonly tags: readonly string[]
  /** By the number of the field. */
  readonly values: readonly CaseValue[]
}

/** The lists of a corporation, also what of them is not used any more. */
export interface CaseLists {
  readonly customs: readonly CustomStatus[]
  readonly priorities: readonly Priority[]
  readonly categories: readonly Category[]
}

/** Who changes a case by hand. */
export interface Changer {
  /** Null: a system, in nobody's name. */
  readonly by: UserId | null
  readonly isAdmin: boolean
  readonly nowMs: AtMs
}

/** A case after a change, with what is written about it; or why it cannot be. */
export type Judged = { readonly ok: true; readonly state: CaseState; readonly logs: readonly CaseLog[] } | Refused

/** No change at all. */
export interface Refused {
  readonly ok: false
  /** `invalid`: never possible. `conflict`: not as the case is now. `forbidden`: an administrator may. */
  readonly why: 'invalid' | 'conflict' | 'forbidden'
  /** What of the wish it is about. */
  readonly about: keyof CaseChange
  /** A sentence with the remedy. */
  readonly message: string
}

/** A refusal. */
export function refused(why: Refused['why'], about: keyof CaseChange, message: string): Refused {
  return { ok: false, why, about, message }
}
