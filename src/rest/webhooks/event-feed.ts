/** The event feed, for clients that cannot receive webhooks or missed some (D-25). */
import { Type } from 'typebox'
import { payloadOf } from '../../webhooks/payload.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { EventOut, EventTypes } from './webhook-schema.ts'

const LIMIT = 100
const LIMIT_MAX = 1_000

const NOT_FOR_AGENTS =
  'the feed has the events of the whole corporation; use the credential of a system, or one with dialer:write'

const Query = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 80,
        description: '`next` of the previous page; starts with the oldest event if absent',
      }),
    ),
    types: Type.Optional(Type.Array(EventTypes)),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: `Maximum number of events; default ${LIMIT}` }),
    ),
  },
  { additionalProperties: false },
)

/** Answers an object, not an array: it needs a cursor, and a total would change all the time. */
export function eventFeedRoute({ outbox }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/events',
    scope: 'calls:read',
    audit: PLAIN_READ,
    summary: 'Read the events of the last 30 days in commit order',
    description:
      'Store `next` and send it as `after` in the next request; repeat immediately while `more` is true. No event is ' +
      'missed. An event may appear shortly after its webhook.',
    query: Query,
    answers: { 200: Type.Object({ events: Type.Array(EventOut), next: Type.String(), more: Type.Boolean() }) },
    async handle({ query, asker }) {
      if (asker.boundTo !== undefined) return refuse('forbidden', NOT_FOR_AGENTS)
      const { after, types, limit = LIMIT } = query
      const page = await outbox.feed({
        corporations: asker.corporations,
        rowsMax: limit,
        ...(types && { types }),
        ...(after !== undefined && { after }),
      })
      if (page === 'unknown cursor') {
        const message = 'is not a valid cursor; omit it to start from the beginning and deduplicate by event id'
        return refuse('validation', `after ${message}`, { errors: [{ path: 'after', code: 'cursor', message }] })
      }
      const events = page.events.map(payloadOf).flatMap((payload) => (payload.ok ? [payload.body] : []))
      return { body: { events, next: page.next, more: page.isMore } }
    },
  })
}
