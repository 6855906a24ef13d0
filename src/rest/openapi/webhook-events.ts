/** Webhook events in the OpenAPI document (contract.md §6, D-26, D-27). */
import type { ActivityId, CorporationId, EventId, OutcomeId } from '../../kernel/ids.ts'
import { EVENT_TYPES, type EventType, type WebhookEvent } from '../../ports/webhook.ts'
import { payloadOf } from '../../webhooks/payload.ts'
import { EventOut } from '../webhooks/webhook-schema.ts'
import { SAMPLE_INSTANT } from './field-descriptions.ts'
import { type Json, plain } from './responses.ts'

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'phone-call.ended': 'A call ended',
  'phone-call-summary.creation': 'A call summary is ready',
  'phone-call-summary.update': 'A call summary changed',
  'phone-call-outcome.creation': 'An agent saved the outcome of a call that has ended',
}

/** The schema of all events. */
export const EVENT: Json = {
  ...plain(EventOut),
  description:
    'Ids only; read the call with calls/search. Signed per Standard Webhooks (HMAC-SHA-256 over id.timestamp.body).',
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const SIGNATURE_HEADERS = [
  header('webhook-id', 'Event id, the same for every attempt; use it to deduplicate', 'evt_01JH2V7C4Q'),
  header(
    'webhook-timestamp',
    'Time of this attempt in Unix seconds; reject the request if it differs by more than five minutes',
    '1767323045',
  ),
  header(
    'webhook-signature',
    'v1, a comma and the signature in base64; several signatures are separated by spaces',
    'v1,3q2+7w==',
  ),
]

/** One entry for each event type. */
export function webhooksSection(): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: post(type) }]))
}

function post(type: EventType): Json {
  const schema = { $ref: '#/components/schemas/Event' }
  return {
    operationId: `on${type.replaceAll(/(^|[.-])([a-z])/g, (_all, _mark, letter: string) => letter.toUpperCase())}`,
    tags: ['webhooks'],
    summary: SUMMARIES[type],
    description: 'Respond with 2xx within 15 s; otherwise delivery is retried, up to ten times in three days.',
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(type) } } },
    responses: { '2XX': { description: 'Accepted' }, '410': { description: 'Gone; the subscription is disabled' } },
  }
}

/** Built by the code that builds real events. */
function exampleOf(type: EventType): unknown {
  const event = {
    type,
    id: 'evt_01JH2V7C4Q' as EventId,
    atMs: Date.parse(SAMPLE_INSTANT),
    activity: 5550 as ActivityId,
    corporation: 1 as CorporationId,
    environment: 'development',
    ...(type === 'phone-call.ended' ? {} : { version: 2 }),
    ...(type === 'phone-call-outcome.creation' && { outcome: 31 as OutcomeId }),
  } as WebhookEvent
  const payload = payloadOf(event)
  return payload.ok ? payload.body : undefined
}
