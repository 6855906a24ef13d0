import type { Log } from '../kernel/log.ts'
import type { FinishCallResult, FinishedCall } from '../ports/dialer-repository.ts'

/** Logs a call once it is recorded: from a time and a number to its activity and, by `call show`, to its story. */
export function logEnd(log: Log, ended: FinishedCall, end: FinishCallResult): void {
  if (end.outcome !== 'recorded') return
  const { call, direction, caller, called, createdAtMs, endedAtMs, result, hungUpBy, agent } = ended
  const seconds = Math.round((endedAtMs - createdAtMs) / 1_000)
  // `called` is not masked: it is a number of ours. Whom we called is a callee.
  const numbers = direction === 'in' ? { caller, called } : { caller, to: called }
  const who = { call, activity: end.activity, direction, ...numbers, agent }
  log.info({ ...who, beganAt: new Date(createdAtMs).toISOString(), seconds, result, hungUpBy }, 'a call ended')
}
