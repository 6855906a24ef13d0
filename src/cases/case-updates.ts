/** What happens to a case when something arrives, and when time passes (contract.md §3.1). */
import type { AtMs } from '../kernel/clock.ts'
import { CASE_STATUS, type CaseRecord, type CustomStatus } from '../ports/cases.ts'
import { type Changed, changeAtMs, complete, inStatus } from './case-change.ts'
import { STATUS_RULES } from './case-status.ts'
import { reopened } from './custom-status.ts'

/** A communication that belongs to a case. */
interface Update {
  /** From outside, which reopens; else ours, such as an email that we sent or a call that we made. */
  readonly isExternal: boolean
  readonly atMs: AtMs
}

/**
 * A case that gets a communication: the times, and another status where the table says so. Our choice: the times alone
 * are no change of the case itself, which would make stale what people have open (INV-C7).
 */
export function takeUpdate(record: CaseRecord, update: Update, all: readonly CustomStatus[]): Changed {
  const { isExternal, atMs } = update
  const timed = isExternal
    ? { ...record, externalUpdatedAtMs: Math.max(atMs, record.externalUpdatedAtMs ?? atMs) }
    : { ...record, internalUpdatedAtMs: Math.max(atMs, record.internalUpdatedAtMs ?? atMs) }
  const reopens = isExternal && STATUS_RULES[record.status].onIncoming === 'reopens'
  const after = reopens ? inStatus(timed, reopened(record, all), atMs) : timed
  return complete(record, after, { by: null, nowMs: atMs, why: 'incoming update' })
}

/** A case that somebody writes about: like an update, and a change of the case itself (D-22). */
export function takeComment(record: CaseRecord, update: Update, all: readonly CustomStatus[]): Changed {
  const { record: after, logs } = takeUpdate(record, update, all)
  const touched = { ...after, updatedAtMs: changeAtMs(record, update.atMs), version: record.version + 1 }
  return { record: touched, logs }
}

/** A case whose time on hold may be over. */
export function endHold(record: CaseRecord, all: readonly CustomStatus[], nowMs: AtMs): Changed {
  const { status, holdUntilMs } = record
  const isOver = status === CASE_STATUS.onHold && holdUntilMs !== null && holdUntilMs <= nowMs
  const after = isOver ? inStatus(record, reopened(record, all), nowMs) : record
  return complete(record, after, { by: null, nowMs, why: 'the time on hold has passed' })
}
