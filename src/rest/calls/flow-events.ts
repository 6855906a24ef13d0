/** Outside events for calls that wait in a flow (calls-and-flows-47). Our addition. */
import { Type } from 'typebox'
import { EVENT_KEY, EVENT_NAME, type EventData, type FlowEventLimits } from '../../ports/flows/flow-events.ts'
import { corporationOf } from '../http/corporation-of.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'

/** Our choice: a caller who pays while the text is still being spoken, or whose call drops and who calls again. */
const KEPT_MS = 10 * 60_000
/** Our choice: every payment of a busy hour fits, and a client that has gone wild fills no disk. */
const LIMITS: FlowEventLimits = { all: 10_000, alike: 20 }
const DATA_LENGTH_MAX = 4_000
const RETRY_AFTER_S = 60

const Body = Type.Object({
  name: Type.String({ pattern: EVENT_NAME, description: 'What happened; the `event` of the wait step.' }),
  key: Type.String({
    pattern: EVENT_KEY,
    description: 'Whom it is about; the `key` of the wait step. 1 to 100 characters without spaces.',
  }),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `What the flow gets as the result of the step: at most ${DATA_LENGTH_MAX} characters of JSON.`,
    }),
  ),
  corporation: Type.Optional(Type.Object({ corpId: Id('Default: the first corporation of the credential') })),
})

const Posted = Type.Object({
  flowEventId: Type.Integer({ description: 'The event. A repeated one has the id of the first.' }),
  repeated: Type.Boolean({ description: 'Whether the same name, key and data were kept already.' }),
  waitingCalls: Type.Integer({ description: 'Calls that wait for it now; 0: it is kept for a call that will wait.' }),
  creationTs: InstantOut('When it was first posted.'),
  keptUntilTs: InstantOut('A call that begins to wait before then still gets it.'),
})

/** `POST /svcpbx/flowevents`. */
export function flowEventRoute({ flowEvents, clock }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/svcpbx/flowevents',
    scope: 'flows:write',
    audit: { action: 'create', object: 'flowEvent', by: 'flowEventId' },
    summary: 'Tell waiting callers that something happened',
    description:
      'Every call of the corporation that waits in a flow for this name and key goes on; each takes the event once. ' +
      'It is kept for 10 minutes for calls that begin to wait later. The same name, key and data within this time ' +
      'are one event, so a request may be repeated. At most 10,000 events of a corporation are kept at a time, and ' +
      '20 of one name and key.',
    body: Body,
    answers: { 200: Posted },
    example: { body: { name: 'payment.completed', key: '20260042', data: { amount: 99.5 } } },
    async handle({ body: { name, key, data = {}, corporation }, asker }) {
      if (JSON.stringify(data).length > DATA_LENGTH_MAX) return tooLong()
      const atMs = clock.nowMs()
      const event = {
        corporation: corporationOf(corporation?.corpId, asker),
        event: name,
        of: key.toWellFormed().normalize('NFC'),
        data: data as EventData,
        atMs,
        keptUntilAtMs: atMs + KEPT_MS,
      }
      const posted = await flowEvents.post(event, LIMITS)
      if (posted === 'too many') return tooMany()
      const { id, isNew, waitingCalls, ...kept } = posted
      return {
        body: {
          flowEventId: id,
          repeated: !isNew,
          waitingCalls,
          creationTs: instantText(kept.atMs),
          keptUntilTs: instantText(kept.keptUntilAtMs),
        },
      }
    },
  })
}

function tooLong() {
  const message = `has more than ${DATA_LENGTH_MAX} characters as JSON; send ids, and let the flow ask for the rest`
  return refuse('validation', `data: ${message}`, { errors: [{ path: 'data', code: 'maxLength', message }] })
}

function tooMany() {
  const detail =
    `${LIMITS.all} events of this corporation, or ${LIMITS.alike} of this name and key, are kept already; ` +
    'nothing was kept. Try again when some have expired'
  return refuse('tooManyRequests', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } })
}
