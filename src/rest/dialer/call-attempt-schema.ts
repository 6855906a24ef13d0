/** A call attempt on the wire (D-11). */
import { Type } from 'typebox'
import type { AttemptResult } from '../../ports/attempt.ts'
import type { AttemptField, AttemptShape, FeedbackField, StreamedField, StreamedObject } from '../../ports/call-task.ts'
import { InstantOut } from '../http/list-params.ts'
import { streamed, streamedObject } from './streamed-shape.ts'

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

const only = (wanted: AttemptResult) => eachResult((result) => result === wanted)
const IntegerOrNull = Type.Union([Type.Integer(), Type.Null()])
const AGENT = streamed<AttemptField>({
  userId: [IntegerOrNull, 'agentUser'],
  name: [Type.String(), 'agentTitle'],
})

const SPEAKER = streamed<FeedbackField>({
  userId: [IntegerOrNull, 'agentUser'],
  name: [Type.String(), 'agentTitle'],
})
/** The values of the fields of an outcome. */
export const OutcomeValues = Type.Array(
  Type.Object({ name: Type.String(), value: Type.Union([Type.Number(), Type.String()]) }),
  { description: 'The values of the fields of the outcome.' },
)
/** Of a promised callback. */
export const CALLBACK_OWN = { description: 'Whether the agent promised to call back themselves.' }
const OUTCOME = streamed<FeedbackField>({
  outcomeId: [Type.Integer(), 'outcome'],
  name: [Type.String({ description: 'The name of the outcome when it was saved.' }), 'feedbackType'],
})
const FEEDBACK = streamed<FeedbackField, StreamedObject<FeedbackField>>({
  feedbackType: [Type.String(), 'feedbackType'],
  final: [Type.Boolean(), 'isFinal'],
  note: [Type.Union([Type.String(), Type.Null()]), 'note'],
  agent: streamedObject(SPEAKER),
  creationTs: [InstantOut('When the agent said it.'), 'atMs', 'instant'],
  outcome: streamedObject(OUTCOME, 'outcome'),
  fields: [OutcomeValues, 'fields'],
  callBackTs: [InstantOut('The callback that was promised with it.'), 'callbackAtMs', 'instant'],
  callBackForMe: [Type.Boolean(CALLBACK_OWN), 'isCallbackOwn'],
})

const ATTEMPT = streamed<AttemptField, Exclude<AttemptShape[string], StreamedField<AttemptField>>>({
  iccaId: [Type.Integer(), 'id'],
  itcaId: [Type.Integer(), 'task'],
  callCode: [Type.Integer(), 'campaign'],
  eactId: [
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'The call activity; it can be looked up when the call has ended. null: BLOCKED, there was no call.',
    }),
    'activity',
  ],
  attemptNo: [Type.Integer({ description: 'From 1.' }), 'attemptNumber'],
  callNumber: [Type.String(), 'number'],
  dialTs: [InstantOut('When it was dialed.'), 'dialedAtMs', 'instant'],
  ringTs: [InstantOut('When it started to ring.'), 'ringingAtMs', 'instant'],
  startTs: [InstantOut('When it was answered, by a person or a machine.'), 'answeredAtMs', 'instant'],
  endTs: [InstantOut('When it ended.'), 'endedAtMs', 'instant'],
  result: [
    Type.Integer({
      description: [...new Set(Object.values(ATTEMPT_RESULTS).map(([code, name]) => `${code} ${name}`))].join(', '),
    }),
    'result',
    RESULT_CODES,
  ],
  resultName: [Type.String(), 'result', RESULT_NAMES],
  answered: [
    Type.Boolean({
      description: 'A person answered and was connected to an agent. At most one of the four results is true.',
    }),
    'result',
    only('answered'),
  ],
  voicemail: [Type.Boolean(), 'result', only('voicemail')],
  dropped: [Type.Boolean({ description: 'A person answered, and no agent was available.' }), 'result', only('dropped')],
  lost: [Type.Boolean({ description: 'The callee hung up before an agent was available.' }), 'result', only('lost')],
  hangupCause: [IntegerOrNull, 'hangupCause'],
  sipStatus: [IntegerOrNull, 'sipStatus'],
  agent: streamedObject(AGENT, 'agent'),
  feedback: {
    schema: Type.Array(Type.Object(FEEDBACK.fields), { description: 'What agents said about the call, oldest first.' }),
    column: { list: 'feedback', of: FEEDBACK.columns },
  },
  ringSeconds: [IntegerOrNull, 'ringMs', 'seconds'],
  talkSeconds: [Type.Integer(), 'talkMs', 'seconds'],
})

export const CallAttempt = Type.Object(ATTEMPT.fields)
/** The object as the repository reads it. */
export const ATTEMPT_SHAPE: AttemptShape = ATTEMPT.columns

function eachResult<T>(wordOf: (result: AttemptResult | 'inProgress') => T): Record<AttemptResult | 'inProgress', T> {
  const results = Object.keys(ATTEMPT_RESULTS) as (AttemptResult | 'inProgress')[]
  return Object.fromEntries(results.map((result) => [result, wordOf(result)])) as Record<
    AttemptResult | 'inProgress',
    T
  >
}
