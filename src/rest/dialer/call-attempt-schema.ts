/** A call attempt on the wire (D-11). */
import { Type } from 'typebox'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { AttemptShape } from '../../ports/call-task.ts'
import { InstantOut } from '../http/list-params.ts'

/** Result → the contract's code and name. A withdrawn number is shown as cancelled. */
export const ATTEMPT_RESULTS: Readonly<Record<AttemptResult | 'inProgress', readonly [number, string]>> = {
  inProgress: [0, 'IN_PROGRESS'],
  answered: [1, 'ANSWERED'],
  noAnswer: [2, 'NO_ANSWER'],
  busy: [3, 'BUSY'],
  voicemail: [4, 'VOICEMAIL'],
  dropped: [5, 'DROPPED'],
  lost: [6, 'LOST'],
  failed: [7, 'FAILED'],
  invalidNumber: [8, 'INVALID_NUMBER'],
  rejected: [9, 'REJECTED'],
  cancelled: [10, 'CANCELLED'],
  withdrawn: [10, 'CANCELLED'],
  blocked: [11, 'BLOCKED'],
  unknown: [12, 'UNKNOWN'],
}

/** Result → code. */
export const RESULT_CODES = eachResult((result) => ATTEMPT_RESULTS[result][0])
/** Result → name. */
export const RESULT_NAMES = eachResult((result) => ATTEMPT_RESULTS[result][1])

const is = (wanted: AttemptResult) => ({ of: 'result', as: eachResult((result) => result === wanted) }) as const

/** The object, field by field. `startTs` is when the line was answered, be it by a machine. */
export const ATTEMPT_SHAPE: AttemptShape = {
  iccaId: { of: 'id' },
  itcaId: { of: 'task' },
  callCode: { of: 'campaign' },
  eactId: { of: 'activity' },
  attemptNo: { of: 'attemptNumber' },
  callNumber: { of: 'number' },
  dialTs: { of: 'dialedAtMs', as: 'instant' },
  ringTs: { of: 'ringingAtMs', as: 'instant' },
  startTs: { of: 'answeredAtMs', as: 'instant' },
  endTs: { of: 'endedAtMs', as: 'instant' },
  result: { of: 'result', as: RESULT_CODES },
  resultName: { of: 'result', as: RESULT_NAMES },
  answered: is('answered'),
  voicemail: is('voicemail'),
  dropped: is('dropped'),
  lost: is('lost'),
  hangupCause: { of: 'hangupCause' },
  sipStatus: { of: 'sipStatus' },
  agent: { object: { userId: { of: 'agentUser' }, name: { of: 'agentTitle' } }, unless: 'agent' },
  ringSeconds: { of: 'ringMs', as: 'seconds' },
  talkSeconds: { of: 'talkMs', as: 'seconds' },
}

const IntegerOrNull = Type.Union([Type.Integer(), Type.Null()])

/** The object as it is described in the reference. */
export const CallAttempt = Type.Object({
  iccaId: Type.Integer(),
  itcaId: Type.Integer(),
  callCode: Type.Integer(),
  eactId: Type.Integer({ description: 'Of the call activity; it is there when the call is over.' }),
  attemptNo: Type.Integer({ description: 'From 1.' }),
  callNumber: Type.String(),
  dialTs: InstantOut('When we dialed.'),
  ringTs: InstantOut('When the phone began to ring.'),
  startTs: InstantOut('When the line was answered, by whom or what ever.'),
  endTs: InstantOut('When it was over.'),
  result: Type.Integer({
    description: [...new Set(Object.values(ATTEMPT_RESULTS).map(([code, name]) => `${code} ${name}`))].join(', '),
  }),
  resultName: Type.String(),
  answered: Type.Boolean({ description: 'A person, connected to an agent. At most one of the four is true.' }),
  voicemail: Type.Boolean(),
  dropped: Type.Boolean({ description: 'A person answered, and no agent was there.' }),
  lost: Type.Boolean({ description: 'The other side hung up before an agent was there.' }),
  hangupCause: IntegerOrNull,
  sipStatus: IntegerOrNull,
  agent: Type.Union([Type.Object({ userId: IntegerOrNull, name: Type.String() }), Type.Null()]),
  ringSeconds: IntegerOrNull,
  talkSeconds: Type.Integer(),
})

function eachResult<T>(wordOf: (result: AttemptResult | 'inProgress') => T): Record<AttemptResult | 'inProgress', T> {
  const results = Object.keys(ATTEMPT_RESULTS) as (AttemptResult | 'inProgress')[]
  return Object.fromEntries(results.map((result) => [result, wordOf(result)])) as Record<
    AttemptResult | 'inProgress',
    T
  >
}
