/** `PUT /v1/calltasks/{itcaId}/end` (contract.md §4.1, D-13). */
import { Type } from 'typebox'
import type { CallTaskId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Route, route } from '../http/route.ts'
import { STATUS_CODES } from './call-task-schema.ts'

const Command = Type.Object({
  reason: Type.Optional(Type.String({ maxLength: 200 })),
  reasonCode: Type.Optional(Type.Enum(['PAID', 'WITHDRAWN', 'DISPUTED', 'OTHER'])),
})

const Ended = Type.Object({
  itcaId: Type.Integer(),
  statusId: Type.Integer(),
  finished: Type.Boolean(),
  answered: Type.Boolean(),
  finishedTs: InstantOut('When it was finished.'),
  changed: Type.Boolean({ description: 'False if the call task, and all that follow it, were already finished.' }),
  endedFollowers: Type.Array(Type.Integer(), {
    description: 'The itcaIds of call tasks that followed this one, such as promised callbacks, and are ended with it.',
  }),
  activeCall: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The eactId of a conversation that continues; null if there is none.',
  }),
})

/** The operation. Ending twice succeeds: repeated notices of a payment must not produce errors. */
export function callTaskEndRoutes({ clock, dialerRepository }: RestDependencies): Route[] {
  const endCallTask = route({
    method: 'PUT',
    path: '/v1/calltasks/{itcaId}/end',
    scope: 'dialer:write',
    audit: { action: 'end', object: 'callTask', by: 'itcaId' },
    summary: 'End a call task',
    description:
      'No attempt begins after the answer, and no callback is promised any more. A ringing call is cancelled within ' +
      '2 s. A conversation continues, and activeCall is its eactId.',
    params: Type.Object({ itcaId: Id('The call task') }),
    body: Command,
    bodyMayBeAbsent: true,
    answers: { 200: Ended },
    example: { body: { reasonCode: 'PAID' } },
    async handle({ params, body, asker }) {
      const reason = [body.reasonCode, body.reason].filter((part) => part !== undefined && part !== '').join(': ')
      const result = await dialerRepository.endCallTask({
        task: params.itcaId as CallTaskId,
        corporations: asker.corporations,
        status: asker.user === undefined ? 'endedBySystem' : 'endedByUser',
        ...(reason !== '' && { reason }),
        atMs: clock.nowMs(),
      })
      if (result.outcome === 'no such call task') return refuse('notFound', 'there is no call task with this itcaId')
      const { status, answered, finishedAtMs, activeCall, outcome, followers } = result
      return {
        body: {
          itcaId: params.itcaId,
          statusId: STATUS_CODES[status],
          finished: true,
          answered,
          finishedTs: instantText(finishedAtMs),
          changed: outcome === 'ended',
          endedFollowers: [...followers],
          activeCall,
        },
      }
    },
  })
  return [endCallTask]
}
