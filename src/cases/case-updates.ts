import type { AtMs } from '../kernel/clock.ts'
import { CASE_STATUS, type CaseRecord, type CustomStatus } from '../ports/cases.ts'
import { type Changed, changeAtMs, complete, inStatus } from './case-change.ts'
import { STATUS_RULES } from './case-status.ts'
import { reopened } from './custom-status.ts'

interface Update {
  /** True for an incoming one, which reopens the case; false for ours, such as a sent email or an outbound call. */
  readonly isExternal: boolean
  readonly atMs: AtMs
}

/** Applies a communication. Our choice: new times alone change no case, which would make open forms stale (INV-C7). */
export function takeUpdate(record: CaseRecord, update: Update, all: readonly CustomStatus[]): Changed {
  const { isExternal, atMs } = update
  const timed = isExternal
    ? { ...record, externalUpdatedAtMs: Math.max(atMs, record.externalUpdatedAtMs ?? atMs) }
    : { ...record, internalUpdatedAtMs: Math.max(atMs, record.internalUpdatedAtMs ?? atMs) }
  const reopens = isExternal && STATUS_RULES[record.status].onIncoming === 'reopens'
  const after = reopens ? inStatus(timed, reopened(record, all), atMs) : timed
  return complete(record, after, { by: null, nowMs: atMs, why: 'incoming update' })
}

/** Applies a comment: like a communication, and also a change of the case (D-22). */
export function takeComment(record: CaseRecord, update: Update, all: readonly CustomStatus[]): Changed {
  const { record: after, logs } = takeUpdate(record, update, all)
  const touched = { ...after, updatedAtMs: changeAtMs(record, update.atMs), version: record.version + 1 }
  return { record: touched, logs }
}

/** Ends the hold if its time is over. */
export function endHold(record: CaseRecord, all: readonly CustomStatus[], nowMs: AtMs): Changed {
  const { status, holdUntilMs } = record
  const isOver = status === CASE_STATUS.onHold && holdUntilMs !== null && holdUntilMs <= nowMs
  const after = isOver ? inStatus(record, reopened(record, all), nowMs) : record
  return complete(record, after, { by: null, nowMs, why: 'the time on hold has passed' })
}
