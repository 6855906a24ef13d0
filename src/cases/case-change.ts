/** The common parts of every change of a case: log, time and version. */
import type { AtMs } from '../kernel/clock.ts'
import type { UserId } from '../kernel/ids.ts'
import { CASE_STATUS, type CaseLog, type CaseRecord, type CustomStatus } from '../ports/cases.ts'

export interface Hand {
  readonly by: UserId | null
  readonly nowMs: AtMs
  /** Reason of an automatic change. */
  readonly why?: string
}

/** A case after a change with its log entries; no entries mean no change. */
export interface Changed {
  readonly record: CaseRecord
  readonly logs: readonly CaseLog[]
}

/** Logged field → its value in the record. Texts, files and links are not part of the record. */
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

/** The instant of a change: always later than the last one, even if the clock goes back. */
export function changeAtMs({ updatedAtMs }: CaseRecord, nowMs: AtMs): AtMs {
  return Math.max(nowMs, updatedAtMs + 1)
}

/** Completes a change: logs, next version, instant. `more`: log entries outside the record, such as members. */
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

/** Makes an entry of the log. */
export function logOf(what: string, was: unknown, becomes: unknown, { by, why = '' }: Hand, atMs: AtMs): CaseLog {
  return { what, was, becomes, why: why === '' ? null : why, by, atMs }
}

/** The case in the given status, with the fields that depend on it. */
export function inStatus(record: CaseRecord, { id, status }: CustomStatus, nowMs: AtMs): CaseRecord {
  return {
    ...record,
    status,
    custom: id,
    ...(id !== record.custom && { customChangedAtMs: changeAtMs(record, nowMs) }),
    // Our choice: only the contract's status Open counts as open.
    ...(status === CASE_STATUS.open && { lastOpen: id }),
    // A case that leaves the hold loses its end; the log keeps time and comment.
    ...(status !== CASE_STATUS.onHold && { holdUntilMs: null, holdComment: null }),
  }
}
