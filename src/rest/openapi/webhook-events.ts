/** The events in the OpenAPI document: what a subscriber is sent (contract.md §6, D-26, D-27). */

import type { ActivityId, CorporationId, EventId } from '../../kernel/ids.ts'
import { EVENT_TYPES, type EventType, type WebhookEvent } from '../../ports/webhook.ts'
import { payloadOf } from '../../webhooks/payload.ts'
import { EventOut } from '../webhooks/webhook-schema.ts'
import { SAMPLE_INSTANT } from './field-descriptions.ts'
import { type Json, plain } from './responses.ts'

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'phone-call.ended': 'A call has ended',
  'phone-call-summary.creation': 'The summary of a call is ready',
  'phone-call-summary.update': 'The summary of a call has changed',
}

/** The schema of every event, for the components. */
export const EVENT: Json = {
  ...plain(EventOut),
  description:
    'Thin: look the call up with calls/search. Signed as Standard Webhooks (HMAC-SHA-256 over id.timestamp.body).',
}

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' }, example },
})

/** Names as the standard writes them. */
const SIGNATURE_HEADERS = [
  header('webhook-id', 'Id of the event, the same at every attempt: know doubles by it', 'evt_01JH2V7C4Q'),
  header('webhook-timestamp', 'When this attempt was made, in seconds; believe five minutes', '1767323045'),
  header('webhook-signature', 'v1, and base64 of the signature; several, divided by blanks', 'v1,3q2+7w=='),
]

/** One entry for each event. */
export function webhooksSection(): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: post(type) }]))
}

function post(type: EventType): Json {
  const schema = { $ref: '#/components/schemas/Event' }
  return {
    operationId: `on${type.replaceAll(/(^|[.-])([a-z])/g, (_all, _mark, letter: string) => letter.toUpperCase())}`,
    tags: ['webhooks'],
    summary: SUMMARIES[type],
    description: 'Answer 2xx within 15 s; anything else is tried again, ten times in three days.',
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(type) } },
    },
    responses: { '2XX': { description: 'Taken' }, '410': { description: 'Nobody wants it: no event comes any more' } },
  }
}

/** Written by the very code that writes real ones. */
function exampleOf(type: EventType): unknown {
  const event = {
    ...{ type, id: 'evt_01JH2V7C4Q' as EventId, atMs: Date.parse(SAMPLE_INSTANT), activity: 5550 as ActivityId },
    ...{ corporation: 1 as CorporationId, environment: 'development' },
    ...(type === 'phone-call.ended' ? {} : { version: 2 }),
  } as WebhookEvent
  const payload = payloadOf(event)
  return payload.ok ? payload.body : undefined
}
