/** A call activity on the wire (contract.md §2.4, D-15). */
import { Type } from 'typebox'
import type { CallActivity } from '../../ports/dialer-admin-repository.ts'
import { RESULT_CODES, RESULT_NAMES } from '../dialer/call-attempt-schema.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

/** Ours; the contract fixes other kinds of activities only (contract.md §2.6). */
const ACTIVITY_TYPE_CALL = 10
/** Direction → its code. */
const DIRECTIONS = { in: 1, out: 2 } as const

const IntegerOrNull = Type.Union([Type.Integer(), Type.Null()])
const TextOrNull = Type.Union([Type.String(), Type.Null()])

/** The object as it is described in the reference. */
export const Call = Type.Object({
  eactId: Type.Integer({ description: 'One number space with all other activities.' }),
  activityType: Type.Object({ eatyId: Type.Literal(ACTIVITY_TYPE_CALL) }),
  direction: Type.Integer({ description: '1 came in, 2 went out.' }),
  callNumber: Type.String({ description: 'Who called, as the other side saw it.' }),
  calledNumber: Type.String(),
  creationTs: InstantOut('When it began.'),
  ringTs: InstantOut('When it rang.'),
  startTs: InstantOut('When it was answered; null exactly when nobody and nothing answered.'),
  endTs: InstantOut('When it was over.'),
  talkSeconds: Type.Integer(),
  waitSeconds: Type.Integer(),
  result: IntegerOrNull,
  resultName: TextOrNull,
  agent: Type.Union([Type.Object({ userId: IntegerOrNull, name: Type.String() }), Type.Null()]),
  queue: Type.Union([Type.Object({ ucquId: IntegerOrNull, name: Type.String() }), Type.Null()]),
  corporation: Type.Object({ corpId: Type.Integer() }),
  entityExtension: Type.Union([Type.Object({ eeexId: Type.Integer() }), Type.Null()], {
    description: 'The contact whose call it is; null where none is known.',
  }),
  externalSystem: Type.Optional(
    Type.Object(
      { itsyId: Type.Integer(), systemCode: Type.String() },
      { description: 'Absent where the call belongs to no external system.' },
    ),
  ),
  systemLookupCode: TextOrNull,
  callAttempt: Type.Optional(
    Type.Object(
      { iccaId: Type.Integer(), itcaId: Type.Integer(), callCode: Type.Integer() },
      { description: 'Absent where the call belongs to no call task.' },
    ),
  ),
  recordings: Type.Array(
    Type.Object({
      pcreId: Type.Integer(),
      startTs: InstantOut('From …'),
      endTs: InstantOut('… to.'),
      cfreId: Type.Union([Type.Integer(), Type.Null()], { description: 'Its file; null where recording failed.' }),
    }),
  ),
  hangupCause: IntegerOrNull,
  hangupBy: Type.Union([Type.String({ description: 'caller, callee, agent, us' }), Type.Null()]),
  summaryStatus: Type.String({ description: 'none, pending, ready, failed' }),
})

/** The object itself. */
export function callOut(call: CallActivity) {
  const { agent, team, externalSystem, attempt, result, recordings, extension } = call
  return {
    eactId: call.id,
    activityType: { eatyId: ACTIVITY_TYPE_CALL },
    direction: DIRECTIONS[call.direction],
    callNumber: call.caller,
    calledNumber: call.called,
    creationTs: instantText(call.createdAtMs),
    ringTs: instantText(call.ringingAtMs),
    startTs: instantText(call.answeredAtMs),
    endTs: instantText(call.endedAtMs),
    talkSeconds: Math.round(call.talkMs / 1_000),
    waitSeconds: Math.round(call.waitMs / 1_000),
    result: result && RESULT_CODES[result],
    resultName: result && RESULT_NAMES[result],
    agent: agent && { userId: agent.userId, name: agent.title ?? agent.name },
    queue: team && { ucquId: team.id, name: team.name },
    corporation: { corpId: call.corporation },
    entityExtension: extension && { eeexId: extension },
    ...(externalSystem && { externalSystem: { itsyId: externalSystem.id, systemCode: externalSystem.code } }),
    systemLookupCode: call.externalCaseNumber,
    ...(attempt && { callAttempt: { iccaId: attempt.id, itcaId: attempt.task, callCode: attempt.campaign } }),
    recordings: recordings.map(({ id, file, startedAtMs, endedAtMs, state }) => ({
      pcreId: id,
      startTs: instantText(startedAtMs),
      endTs: instantText(endedAtMs),
      cfreId: state === 'ready' ? file : null,
    })),
    hangupCause: call.hangupCause,
    hangupBy: call.hungUpBy,
    summaryStatus: call.summary ?? 'none',
  }
}
