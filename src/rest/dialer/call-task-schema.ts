/** A call task on the wire: its codes, its summary and the whole of it (D-10). */
import { Type } from 'typebox'
import type { CallTaskShape, CallTaskSort, CallTaskStatus } from '../../ports/call-task.ts'
import { InstantOut } from '../http/list-params.ts'
import { ATTEMPT_SHAPE, CallAttempt, RESULT_CODES } from './call-attempt-schema.ts'

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

/** The statuses of these codes; a code that there is not has none. */
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

/** With `detail: false`. */
export const SUMMARY_SHAPE: CallTaskShape = {
  itcaId: { of: 'id' },
  callCode: { of: 'campaign' },
  callReceiverName: { of: 'receiverName' },
  extCustId: { of: 'externalCustomer' },
  systemLookupCode: { of: 'externalCaseNumber' },
  statusId: { of: 'status', as: STATUS_CODES },
  finished: { of: 'finished' },
  answered: { of: 'answered' },
  callAttemptCount: { of: 'attemptsCounted' },
  nextCallTs: { of: 'nextCallAtMs', as: 'instant' },
  callBackTs: { of: 'callbackAtMs', as: 'instant' },
  creationTs: { of: 'createdAtMs', as: 'instant' },
  updateTs: { of: 'updatedAtMs', as: 'instant' },
}

/** With `detail: true`. */
export const DETAIL_SHAPE: CallTaskShape = {
  ...SUMMARY_SHAPE,
  callNumberList: {
    list: 'numbers',
    of: {
      number: { of: 'given' },
      e164: { of: 'number' },
      position: { of: 'position' },
      stopped: { of: 'stopped' },
    },
  },
  properties: { list: 'properties', of: { emprId: { of: 'field' }, name: { of: 'name' }, value: { of: 'value' } } },
  maxCallAttempts: { of: 'attemptsMax' },
  minCallIntervalHours: { of: 'intervalHours' },
  externalSystem: {
    object: { itsyId: { of: 'externalSystem' }, systemCode: { of: 'externalSystemCode' } },
    unless: 'externalSystem',
  },
  corporation: { object: { corpId: { of: 'corporation' } } },
  assignedUser: {
    object: { userId: { of: 'assignedUser' }, name: { of: 'assignedUserName' } },
    unless: 'assignedUser',
  },
  lastCallTs: { of: 'lastCallAtMs', as: 'instant' },
  lastAttempt: {
    object: { iccaId: { of: 'lastAttempt' }, result: { of: 'lastAttemptResult', as: RESULT_CODES } },
    unless: 'lastAttempt',
  },
  finishedTs: { of: 'finishedAtMs', as: 'instant' },
  finishReason: { of: 'finishReason' },
  importId: { of: 'importId' },
  callAttempts: { list: 'attempts', of: ATTEMPT_SHAPE },
}

/** As an import answers them: each with its place in the submitted list (D-08). */
export const IMPORTED_SHAPE: CallTaskShape = { callTaskIndex: { of: 'importIndex' }, ...DETAIL_SHAPE }

const text = () => Type.Union([Type.String(), Type.Null()])

/** A call task as it is described in the reference; fields after `updateTs` only in full. */
export const CallTask = Type.Object({
  callTaskIndex: Type.Optional(Type.Integer({ description: 'In answers to an import.' })),
  itcaId: Type.Integer(),
  callCode: Type.Integer({ description: 'Of the campaign.' }),
  callReceiverName: Type.String(),
  extCustId: text(),
  systemLookupCode: text(),
  statusId: Type.Integer({
    description: Object.values(TASK_STATUSES)
      .map(([code, name]) => `${code} ${name}`)
      .join(', '),
  }),
  finished: Type.Boolean(),
  answered: Type.Boolean(),
  callAttemptCount: Type.Integer({ description: 'Attempts that count towards maxCallAttempts.' }),
  nextCallTs: InstantOut('Not before then.'),
  callBackTs: InstantOut('The contact or an agent wished for it.'),
  creationTs: InstantOut('When it was imported.'),
  updateTs: InstantOut('When it last changed.'),
  callNumberList: Type.Optional(
    Type.Array(
      Type.Object({
        number: Type.String({ description: 'As it was imported.' }),
        e164: Type.String(),
        position: Type.Integer({ description: 'From 0.' }),
        stopped: Type.Boolean(),
      }),
    ),
  ),
  properties: Type.Optional(
    Type.Array(Type.Object({ emprId: Type.Integer(), name: Type.String(), value: Type.String() })),
  ),
  maxCallAttempts: Type.Optional(Type.Integer()),
  minCallIntervalHours: Type.Optional(Type.Integer()),
  externalSystem: Type.Optional(
    Type.Union([Type.Object({ itsyId: Type.Integer(), systemCode: Type.String() }), Type.Null()]),
  ),
  corporation: Type.Optional(Type.Object({ corpId: Type.Integer() })),
  assignedUser: Type.Optional(Type.Union([Type.Object({ userId: Type.Integer(), name: Type.String() }), Type.Null()])),
  lastCallTs: Type.Optional(InstantOut('When it was last dialed.')),
  lastAttempt: Type.Optional(
    Type.Union([Type.Object({ iccaId: Type.Integer(), result: Type.Integer() }), Type.Null()]),
  ),
  finishedTs: Type.Optional(InstantOut('When it was finished.')),
  finishReason: Type.Optional(text()),
  importId: Type.Optional(text()),
  callAttempts: Type.Optional(Type.Array(CallAttempt)),
})
