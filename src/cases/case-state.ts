/** The state of a case that its rules need, and the changes that can be requested. */
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

/** The parts of a case with rules; texts, files and links have none. */
export interface CaseState {
  readonly record: CaseRecord
  readonly members: readonly Member[]
  readonly tags: readonly string[]
  /** By the number of the field. */
  readonly values: readonly CaseValue[]
}

/** The lists of a corporation, including retired entries. */
export interface CaseLists {
  readonly customs: readonly CustomStatus[]
  readonly priorities: readonly Priority[]
  readonly categories: readonly Category[]
}

export interface Changer {
  /** Null: a system without a user. */
  readonly by: UserId | null
  readonly isAdmin: boolean
  readonly nowMs: AtMs
}

/** A case after a change with its log entries, or the refusal. */
export type CaseChangeResult =
  | { readonly ok: true; readonly state: CaseState; readonly logs: readonly CaseLog[] }
  | Refused

export interface Refused {
  readonly ok: false
  /** `invalid`: never possible. `conflict`: not in the case's present state. `forbidden`: administrators only. */
  readonly why: 'invalid' | 'conflict' | 'forbidden'
  readonly about: keyof CaseChange
  readonly message: string
}

/** Makes a refusal. */
export function refused(why: Refused['why'], about: keyof CaseChange, message: string): Refused {
  return { ok: false, why, about, message }
}
