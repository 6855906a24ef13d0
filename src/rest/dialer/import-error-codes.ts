/** The error codes of imports (contract.md §7). */
import type { TaskFaultKind } from '../../ports/dialer-admin-repository.ts'

/** Faults of a whole request: the `statusCode` of an answer 400. */
export const REQUEST_ERROR_CODES = {
  unknownError: 1,
  requestMissing: 2,
  systemCodeMissing: 3,
  invalidSystemCode: 4,
  callCodeMissing: 5,
  invalidCallCode: 6,
  maxCallAttemptsMissing: 7,
  invalidMaxCallAttempts: 8,
  callIntervalMissing: 9,
  invalidCallInterval: 10,
  callTasksMissing: 11,
  incompleteSetup: 12,
} as const

/** Faults of one call task: its `errorCodes`. */
export const TASK_ERROR_CODES: Readonly<Record<TaskFaultKind, number>> = {
  unexpected: 1,
  propertyWrong: 12,
  nameMissing: 101,
  numbersMissing: 102,
  numberInvalid: 103,
  duplicate: 201,
  personStopped: 202,
  numberStopped: 203,
  finalFeedback: 204,
}
