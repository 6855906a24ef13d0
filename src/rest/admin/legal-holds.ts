/** Legal holds: data that must not be deleted (F-K3). Additions to the contract. */
import { Type } from 'typebox'
import type { ActivityId, LegalHoldId } from '../../kernel/ids.ts'
import type { NewLegalHold } from '../../ports/privacy.ts'
import { corporationOf } from '../http/corporation-of.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantOut, instantText, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { notOne, PERSON_FIELDS, Reason, readPerson } from './data-subjects.ts'

const NewHold = Type.Object(
  {
    ...PERSON_FIELDS,
    eactId: Type.Optional(Id('A case with all its data')),
    everything: Type.Optional(Type.Literal(true, { description: 'All data of the corporation' })),
    reason: Reason,
  },
  { additionalProperties: false },
)

const Hold = Type.Object({
  holdId: Type.Integer(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  keeps: Type.String({ description: 'Scope of the hold: person, case or everything' }),
  eactId: Type.Union([Type.Integer(), Type.Null()], { description: 'The case' }),
  activities: Type.Integer({
    description:
      'Cases, conversations, emails and calls that a hold of a person or case keeps now, linked ones included',
  }),
  reason: Type.String(),
  creationTs: InstantOut('Start of the hold'),
})

/** Add, list and lift. */
export function legalHoldRoutes(dependencies: RestDependencies): Route[] {
  return [addRoute(dependencies), listRoute(dependencies), liftRoute(dependencies)]
}

function addRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/legalholds',
    scope: 'admin',
    audit: { action: 'create', object: 'legalHold', by: 'holdId', keepsReason: true },
    summary: 'Place a legal hold on a person, a case or everything',
    description:
      'Retention and erasure skip the data until the hold is lifted. The person is resolved when the hold is placed. ' +
      'A hold of a case keeps its sub-cases, what is linked to them, and cases merged with them; none of these links ' +
      'can be taken away meanwhile.',
    body: NewHold,
    answers: { 201: Type.Object({ holdId: Type.Integer() }) },
    example: { body: { eactId: 812, reason: 'lawsuit 7/2026' } },
    async handle({ body, asker }) {
      const { eactId, everything, reason, ...person } = body
      const isOfPerson = Object.keys(person).some((name) => name !== 'corporation')
      if (Number(isOfPerson) + Number(eactId !== undefined) + Number(everything ?? false) !== 1) {
        const message = 'give exactly one of a person, eactId, everything'
        return refuse('validation', `eactId: ${message}`, { errors: [{ path: 'eactId', code: 'required', message }] })
      }
      const hold: NewLegalHold = {
        corporation: corporationOf(person.corporation?.corpId, asker),
        reason,
        atMs: dependencies.clock.nowMs(),
        ...(eactId !== undefined && { case: eactId as ActivityId }),
        ...(isOfPerson && { person: (await readPerson(dependencies, person, asker)).person }),
      }
      const held = await dependencies.privacy.addHold(hold)
      if (held.outcome !== 'held') return notOne(held)
      return { status: 201, headers: { location: `/rest/core/legalholds/${held.id}` }, body: { holdId: held.id } }
    },
  })
}

function listRoute({ privacy }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/legalholds',
    scope: 'admin',
    audit: PLAIN_READ,
    summary: 'List legal holds',
    answers: { 200: Type.Array(Hold) },
    async handle({ asker }) {
      const holds = await privacy.holds(asker.corporations)
      const body = holds.map((hold) => ({
        holdId: hold.id,
        corporation: { corpId: hold.corporation },
        eactId: hold.case,
        activities: hold.activities,
        reason: hold.reason,
        keeps: hold.case === null ? (hold.isOfPerson ? 'person' : 'everything') : 'case',
        creationTs: instantText(hold.createdAtMs),
      }))
      return { body, headers: totals(body.length) }
    },
  })
}

function liftRoute({ privacy }: RestDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/core/legalholds/{holdId}',
    scope: 'admin',
    audit: { action: 'delete', object: 'legalHold', by: 'holdId' },
    summary: 'Lift a legal hold',
    params: Type.Object({ holdId: Id('The hold') }),
    answers: { 204: Type.Unknown() },
    async handle({ params, asker }) {
      const isLifted = await privacy.liftHold(asker.corporations, params.holdId as LegalHoldId)
      return isLifted ? { status: 204 } : refuse('notFound', 'there is no legal hold with this holdId')
    },
  })
}
