/** What every change of a case has in common: the log of it, its time and its version. */
import type { AtMs } from '../kernel/clock.ts'
import type { UserId } from '../kernel/ids.ts'
import { CASE_STATUS, type CaseLog, type CaseRecord, type CustomStatus } from '../ports/cases.ts'

/** Who changes it, and when. */
export interface Hand {
  readonly by: UserId | null
  readonly nowMs: AtMs
  /** Where nobody does it by hand. */
  readonly why?: string
}

/** A case after a change, and what is written about it. Without a log nothing has changed. */
export interface Changed {
  readonly record: CaseRecord
  readonly logs: readonly CaseLog[]
}

/** What changed → how it is seen. Texts, files and links are not the record's. */
const SEEN: Readonly<Record<string, (record: CaseRecord) => unknown>> = {
  status: ({ status, custom, holdUntilMs, holdComment }) => {
    return { status, custom, ...(holdUntilMs !== null && { holdUntilMs, holdComment }) }
  },
  title: ({ title }) => title,
  category: ({ category }) => category,
  priority: ({ priority }) => priority,
  team: ({ team }) => team,
  deadline: ({ deadlineAtMs }) => deadlineAtMs,
  'merged into': ({ merged }) => merged?.into ?? null,
}

/** The instant of a change: later than the one before, however the clock was turned and however fast they come. */
export function changeAtMs({ updatedAtMs }: CaseRecord, nowMs: AtMs): AtMs {
  return Math.max(nowMs, updatedAtMs + 1)
}

/**
 * Completes a change: one log for each thing that is different, the next version and the instant. `more` are logs of
 * what is not in the record, such as members.
 */
export function complete(before: CaseRecord, after: CaseRecord, hand: Hand, more: readonly CaseLog[] = []): Changed {
  const atMs = changeAtMs(before, hand.nowMs)
  const own = Object.entries(SEEN).flatMap(([what, seen]) => {
    const [was, becomes] = [seen(before), seen(after)]
    return JSON.stringify(was) === JSON.stringify(becomes) ? [] : [logOf(what, was, becomes, hand, atMs)]
  })
  const logs = [...own, ...more]
  if (logs.length === 0) return { record: { ...after, updatedAtMs: before.updatedAtMs }, logs }
  return { record: { ...after, updatedAtMs: atMs, version: before.version + 1 }, logs }
}

/** One entry of the log. */
export function logOf(what: string, was: unknown, becomes: unknown, { by, why = '' }: Hand, atMs: AtMs): CaseLog {
  return { what, was, becomes, why: why === '' ? null : why, by, atMs }
}

/** The case in another status, or in the same; nothing but what follows from it is changed. */
export function inStatus(record: CaseRecord, { id, status }: CustomStatus, nowMs: AtMs): CaseRecord {
  return {
    ...record,
    status,
    custom: id,
    ...(id !== record.custom && { customChangedAtMs: changeAtMs(record, nowMs) }),
    // Our choice: open is what the contract calls Open, and none of the seven others.
    ...(status === CASE_STATUS.open && { lastOpen: id }),
    // Whoever leaves the hold leaves its time; the log keeps time and comment.
    ...(status !== CASE_STATUS.onHold && { holdUntilMs: null, holdComment: null }),
  }
}
