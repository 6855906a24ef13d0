/** The feed of events: for whoever cannot be called, or was away for too long (D-25). */
import { Type } from 'typebox'
import { payloadOf } from '../../webhooks/payload.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem.ts'

import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { EventOut, EventTypes } from './webhook-schema.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.String({ maxLength: 80, description: '`next` of the page before; the oldest when absent' }),
    ),
    types: Type.Optional(Type.Array(EventTypes)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `${LIMIT} when absent` })),
  },
  { additionalProperties: false },
)

/**
 * One operation. Our choice: an object and no bare array, because the place of the next page belongs beside the page,
 * and a total that changes with every look is of no use.
 */
export function eventFeedRoute({ outbox }: Pick<RestDependencies, 'outbox'>): Route {
  return route({
    method: 'GET',
    path: '/core/events',
    scope: 'calls:read',
    audit: PLAIN_READ,
    summary: 'Events of the last 30 days, in the order in which they can be seen',
    description:
      'Keep `next` and ask with it again, at once while `more` is true: nothing is missed, whatever happens ' +
      'meanwhile. An event may appear a moment after its webhook.',
    query: Query,
    answers: { 200: Type.Object({ events: Type.Array(EventOut), next: Type.String(), more: Type.Boolean() }) },
    async handle({ query, asker }) {
      const { after, types, limit = LIMIT } = query
      const page = await outbox.feed({
        ...{ corporations: asker.corporations, rowsMax: limit },
        ...(types && { types }),
        ...(after !== undefined && { after }),
      })
      if (page === 'unknown cursor') {
        const message = 'is not a place of this feed; begin without it, and know doubles by their id'
        return refuse('validation', `after ${message}`, { errors: [{ path: 'after', code: 'cursor', message }] })
      }
      const events = page.events.map(payloadOf).flatMap((payload) => (payload.ok ? [payload.body] : []))
      return { body: { events, next: page.next, more: page.isMore } }
    },
  })
}
