/** `POST /svcems/calls/search` (contract.md §4.2, D-15). */
import { type TSchema, Type } from 'typebox'
import type { ActivityId } from '../../kernel/ids.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { type Route, route, SHOWN_ROWS } from '../http/route.ts'
import { CALL } from './call-schema.ts'

const searchBy = <One extends TSchema>(id: One) =>
  Type.Object(
    {
      // D-30.
      eactIds: Type.Array(id, { minItems: 1, maxItems: 1_000, description: 'phoneCallId; unknown ids are ignored.' }),
    },
    { additionalProperties: false },
  )

/** The contract shows strings, as events have them (contract.md §4.2). */
const Shown = searchBy(Type.Union([Type.String({ pattern: '^[0-9]{1,16}$' }), Type.Integer({ minimum: 1 })]))

/** The operation. */
export function callSearchRoutes({ dialerAdmin }: RestDependencies): Route[] {
  const searchCalls = route({
    method: 'POST',
    path: '/svcems/calls/search',
    scope: 'calls:read',
    audit: SHOWN_ROWS('call'),
    summary: 'Look up calls by the ids of their activities',
    body: searchBy(Id('The phoneCallId of an event')),
    shownBody: Shown,
    answers: { 200: Type.Array(CALL.schema) },
    example: { body: { eactIds: ['5550'] } },
    async handle({ body, asker }) {
      const ids = [...new Set(body.eactIds)] as ActivityId[]
      const calls = await dialerAdmin.calls(asker, ids)
      return { body: calls.map(CALL.show), headers: totals(calls.length) }
    },
  })
  return [searchCalls]
}
