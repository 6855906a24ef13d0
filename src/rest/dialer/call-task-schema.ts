/** A call task on the wire: its codes, its summary and its details (D-10). */
import { Type } from 'typebox'
import type {
  CallTaskField,
  CallTaskShape,
  CallTaskSort,
  CallTaskStatus,
  StreamedField,
  TaskNumberField,
  TaskPropertyField,
} from '../../ports/call-task.ts'
import { InstantOut } from '../http/list-params.ts'
import { ATTEMPT_SHAPE, CallAttempt, RESULT_CODES } from './call-attempt-schema.ts'
import { streamed, streamedObject } from './streamed-shape.ts'

/** Status → the contract's code and name. Below 20 a task is active, from 20 on finished. */
export const TASK_STATUSES: Readonly<Record<CallTaskStatus, readonly [number, string]>> = {
  new: [1, 'NEW'],
  ready: [2, 'READY'],
  reserved: [3, 'RESERVED'],
  dialing: [4, 'DIALING'],
  inCall: [5, 'IN_CALL'],
  waiting: [6, 'WAITING'],
  callback: [7, 'CALLBACK'],
  paused: [8, 'PAUSED'],
  answered: [20, 'ANSWERED'],
  maxAttempts: [21, 'MAX_ATTEMPTS'],
  endedBySystem: [22, 'ENDED_BY_SYSTEM'],
  endedByUser: [23, 'ENDED_BY_USER'],
  stopped: [24, 'STOPPED'],
  expired: [25, 'EXPIRED'],
  noCallableNumber: [26, 'NO_CALLABLE_NUMBER'],
}

/** Status → code. */
export const STATUS_CODES = Object.fromEntries(
  Object.entries(TASK_STATUSES).map(([status, [code]]) => [status, code]),
) as Readonly<Record<CallTaskStatus, number>>

/** The statuses of these codes. Unknown codes are ignored. */
export function statusesOf(codes: readonly number[]): CallTaskStatus[] {
  const statuses = Object.keys(TASK_STATUSES) as CallTaskStatus[]
  return statuses.filter((status) => codes.includes(STATUS_CODES[status]))
}

/** Column of the contract → what it sorts by. */
export const SORT_COLUMNS: Readonly<Record<string, CallTaskSort>> = {
  itcaId: 'id',
  callReceiverName: 'receiverName',
  creationTs: 'createdAtMs',
  updateTs: 'updatedAtMs',
  nextCallTs: 'nextCallAtMs',
  lastCallTs: 'lastCallAtMs',
  callBackTs: 'callbackAtMs',
  statusId: 'status',
  callAttemptCount: 'attemptsCounted',
}

const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** With `detail: false`. */
const SUMMARY = streamed<CallTaskField>({
  itcaId: [Type.Integer(), 'id'],
  callCode: [Type.Integer({ description: 'Id of the campaign.' }), 'campaign'],
  callReceiverName: [Type.String(), 'receiverName'],
  extCustId: [TextOrNull, 'externalCustomer'],
  systemLookupCode: [TextOrNull, 'externalCaseNumber'],
  statusId: [
    Type.Integer({
      description: Object.values(TASK_STATUSES)
        .map(([code, name]) => `${code} ${name}`)
        .join(', '),
    }),
    'status',
    STATUS_CODES,
  ],
  finished: [Type.Boolean(), 'finished'],
  answered: [Type.Boolean(), 'answered'],
  callAttemptCount: [Type.Integer({ description: 'Attempts that count towards maxCallAttempts.' }), 'attemptsCounted'],
  nextCallTs: [InstantOut('Earliest time of the next attempt.'), 'nextCallAtMs', 'instant'],
  callBackTs: [InstantOut('Time of a callback that the contact or an agent asked for.'), 'callbackAtMs', 'instant'],
  creationTs: [InstantOut('When it was imported.'), 'createdAtMs', 'instant'],
  updateTs: [InstantOut('When it was last changed.'), 'updatedAtMs', 'instant'],
})

const NUMBER = streamed<TaskNumberField>({
  number: [Type.String({ description: 'As it was imported.' }), 'given'],
  e164: [Type.String(), 'number'],
  position: [Type.Integer({ description: 'From 0.' }), 'position'],
  stopped: [Type.Boolean(), 'stopped'],
  deadTs: [
    InstantOut('When the network last said that the number does not exist. It is not dialed for 90 days after that.'),
    'deadSinceAtMs',
    'instant',
  ],
})
const PROPERTY = streamed<TaskPropertyField>({
  emprId: [Type.Integer(), 'field'],
  name: [Type.String(), 'name'],
  value: [Type.String(), 'value'],
})
const SYSTEM = streamed<CallTaskField>({
  itsyId: [Type.Integer(), 'externalSystem'],
  systemCode: [Type.String(), 'externalSystemCode'],
})
const USER = streamed<CallTaskField>({
  userId: [Type.Integer(), 'assignedUser'],
  name: [Type.String(), 'assignedUserName'],
})
const LAST_ATTEMPT = streamed<CallTaskField>({
  iccaId: [Type.Integer(), 'lastAttempt'],
  result: [Type.Integer(), 'lastAttemptResult', RESULT_CODES],
})

const LAST_OUTCOME = streamed<CallTaskField>({
  outcomeId: [Type.Integer(), 'lastOutcome'],
  name: [Type.String({ description: 'The name of the outcome when it was saved.' }), 'lastOutcomeName'],
  eactId: [
    Type.Integer({ description: 'The call; the rest of the outcome is in its feedback.' }),
    'lastOutcomeActivity',
  ],
  creationTs: [InstantOut('When the agent saved it.'), 'lastOutcomeAtMs', 'instant'],
})

const FOLLOWS = streamed<CallTaskField>({
  itcaId: [
    Type.Integer({ description: 'The finished call task that this one goes on from: a callback, a machine, a list.' }),
    'follows',
  ],
})
const FOLLOWED_BY = streamed<CallTaskField>({
  itcaId: [Type.Integer({ description: 'The latest call task that goes on from this one.' }), 'followedBy'],
})

/** What `detail: true` adds. */
const DETAIL = streamed<CallTaskField, Exclude<CallTaskShape[string], StreamedField<CallTaskField>>>({
  callNumberList: {
    schema: Type.Array(Type.Object(NUMBER.fields)),
    column: { list: 'numbers', of: NUMBER.columns },
  },
  properties: {
    schema: Type.Array(Type.Object(PROPERTY.fields)),
    column: { list: 'properties', of: PROPERTY.columns },
  },
  maxCallAttempts: [Type.Integer(), 'attemptsMax'],
  minCallIntervalHours: [Type.Integer(), 'intervalHours'],
  priority: [Type.Integer({ description: 'Higher first; 0 unless changed.' }), 'priority'],
  validFrom: [InstantOut('The call task is not dialed before.'), 'validFromAtMs', 'instant'],
  validTo: [InstantOut('From then on the call task is EXPIRED.'), 'validToAtMs', 'instant'],
  externalSystem: streamedObject(SYSTEM, 'externalSystem'),
  corporation: streamedObject(streamed<CallTaskField>({ corpId: [Type.Integer(), 'corporation'] })),
  assignedUser: streamedObject(USER, 'assignedUser'),
  lastCallTs: [InstantOut('When it was last dialed.'), 'lastCallAtMs', 'instant'],
  lastAttempt: streamedObject(LAST_ATTEMPT, 'lastAttempt'),
  finishedTs: [InstantOut('When it was finished.'), 'finishedAtMs', 'instant'],
  finishReason: [TextOrNull, 'finishReason'],
  waitsFor: [
    Type.Union([Type.String(), Type.Null()], {
      description:
        'The rule that put the next call off until nextCallTs, such as outsideHours or frequencyCap; skipped: agents ' +
        'skipped its preview; null: it waits for its date alone.',
    }),
    'waitsFor',
  ],
  importId: [TextOrNull, 'importId'],
  lastOutcome: streamedObject(LAST_OUTCOME, 'lastOutcome'),
  follows: streamedObject(FOLLOWS, 'follows'),
  followedBy: streamedObject(FOLLOWED_BY, 'followedBy'),
  callAttempts: { schema: Type.Array(CallAttempt), column: { list: 'attempts', of: ATTEMPT_SHAPE } },
})

/** As a search reads them without `detail`. */
export const SUMMARY_SHAPE: CallTaskShape = SUMMARY.columns
/** As a search reads them with `detail`. */
export const DETAIL_SHAPE: CallTaskShape = { ...SUMMARY.columns, ...DETAIL.columns }
/** As an import answers them: each with its place in the submitted list (D-08). */
export const IMPORTED_SHAPE: CallTaskShape = { callTaskIndex: { of: 'importIndex' }, ...DETAIL_SHAPE }

export const CallTask = Type.Object({
  callTaskIndex: Type.Optional(Type.Integer({ description: 'Place in the submitted list; in answers to an import.' })),
  ...SUMMARY.fields,
  ...Object.fromEntries(Object.entries(DETAIL.fields).map(([name, schema]) => [name, Type.Optional(schema)])),
})
