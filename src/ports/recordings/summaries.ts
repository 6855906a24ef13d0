/** Summaries of calls: the conversation in a few sentences. Their makers store the results here. */
import type { AtMs } from '../../kernel/clock.ts'
import type { ActivityId, UserId } from '../../kernel/ids.ts'
import type { SummaryState } from '../call-activity.ts'
import type { Seen } from '../dialer-admin-repository.ts'

/** Most letters of a summary. Our choice: ten pages, and a thousand of them still fit into an answer. */
export const SUMMARY_LETTERS_MAX = 10_000

/** The summary of one call (D-16). */
export interface Summary {
  readonly activity: ActivityId
  readonly state: SummaryState
  /** Grows by one with every text; 0 until there is the first. */
  readonly version: number
  /** Null exactly while there is no version. */
  readonly text: string | null
  /** BCP 47, such as `da` or `en-GB`. */
  readonly language: string | null
  readonly source: 'generated' | 'edited'
  /** The user who edited it; null for a machine, and for a system without a user. */
  readonly editedBy: UserId | null
  /** Why it could not be made, the last time that was so. */
  readonly why: string | null
  readonly createdAtMs: AtMs
  readonly updatedAtMs: AtMs
}

interface GeneratedSummary {
  /** Untrusted: it may repeat anything said on the telephone (F-E14). */
  readonly text: string
  readonly language: string
  /** The maker of the summary chooses the id (`makeEventId`), and repeats it in a repetition. */
  readonly eventName: string
  readonly atMs: AtMs
}

/** A text that replaces the version that its editor read. */
interface SummaryEdit {
  readonly text: string
  /** The version that was read; 0 where there was no text yet. */
  readonly version: number
  readonly user: UserId | null
  readonly eventName: string
  readonly atMs: AtMs
}

/** `told already`: under this name. `edited by hand`: no machine writes over a person's text (our choice). */
type SummaryCompleted =
  | { readonly outcome: 'kept' | 'told already' | 'edited by hand'; readonly version: number }
  | { readonly outcome: 'no such call' }

/** The result of an edit. `stale`: the summary was changed since; `version` is the present one. */
type SummaryEdited =
  | { readonly outcome: 'edited'; readonly summary: Summary }
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'no such call' }

/** What became of a word about the making. `ready already`: nothing has changed. */
export type SummaryNoted = 'noted' | 'ready already' | 'no such call'

/**
 * Summaries in the database. A text and the event about it are written in one transaction: exactly one
 * `phone-call-summary.creation` for the first text of a call, generated or edited, and one `…update` for each later
 * version (contract.md §6, INV-E1). Calls that are not over yet have none. Every method may reject with
 * `DatabaseUnavailable`; any other rejection is a programming error.
 */
export interface Summaries {
  /** It is being made, for the first time or again after a failure. No event. */
  begin(activity: ActivityId, atMs: AtMs): Promise<SummaryNoted>
  /** It is made, whether or not it was begun here or had failed. */
  complete(activity: ActivityId, made: GeneratedSummary): Promise<SummaryCompleted>
  /** It could not be made. No event; a text that is there stays. */
  fail(activity: ActivityId, why: string, atMs: AtMs): Promise<SummaryNoted>
  /** A user or a system corrects the text, or writes the first one, whether or not one was being made. */
  edit(activity: ActivityId, seen: Seen, edit: SummaryEdit): Promise<SummaryEdited>
  /** By the ids of their calls; calls without one are left out. */
  search(activities: readonly ActivityId[], seen: Seen): Promise<readonly Summary[]>
}
