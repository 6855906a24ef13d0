/** Webhook subscriptions, their deliveries and the feed on the wire (D-25, D-26). */
import { Type } from 'typebox'
import type { KeptSubscription } from '../../ports/outbox.ts'
import { type DeliveryAttempt, type DeliveryRow, EVENT_TYPES } from '../../ports/webhook.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

/** What can be subscribed to. */
export const EventTypes = Type.Union(EVENT_TYPES.map((type) => Type.Literal(type)))

/** An event as its webhook and the feed tell it (D-26). */
export const EventOut = Type.Object({
  type: EventTypes,
  id: Type.String({ description: 'The webhook-id of its deliveries, the same at every attempt' }),
  timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
  phoneCallId: Type.Optional(Type.String()),
  phoneCallSummaryId: Type.Optional(Type.String()),
  data: Type.Object(
    {
      phoneCallId: Type.Optional(Type.String()),
      phoneCallSummaryId: Type.Optional(Type.String()),
      summaryVersion: Type.Optional(Type.Integer({ description: 'Of the summary, when it was told' })),
      corpId: Type.Integer(),
      environment: Type.String(),
    },
    { additionalProperties: true },
  ),
})

/** Where deliveries can be. One under way is shown as pending until it is over. */
export const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'dead', 'parked'] as const

const Reason = Type.Union([Type.Literal('owner'), Type.Literal('gone'), Type.Literal('silent'), Type.Null()], {
  description: 'Its owner’s wish, an answer 410, or five days without one success',
})

/** A subscription without its secret. */
export const Webhook = Type.Object({
  webhookId: Type.Integer(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  url: Type.String(),
  events: Type.Array(EventTypes),
  systemCodes: Type.Array(Type.String(), { description: 'Only calls of these external systems; empty: every call' }),
  description: Type.String(),
  active: Type.Boolean(),
  disabledBecause: Reason,
  disabledTs: InstantOut('Since when it gets nothing'),
  failingSinceTs: InstantOut('The first failure after the last success'),
  isPaused: Type.Boolean({ description: 'It fails so often that it is only probed, until it is back' }),
  creationTs: InstantOut('When it was made'),
  updateTs: InstantOut('When it was changed last'),
})

/** A subscription with the secret that nobody is shown again. */
export const WebhookWithSecret = Type.Intersect([
  Webhook,
  Type.Object({ secret: Type.String({ description: 'whsec_…, for the signature; shown once' }) }),
])

const Attempt = Type.Object({
  ts: InstantOut('When it began'),
  durationMs: Type.Integer(),
  outcome: Type.String({ description: 'answered, timeout, network, forbidden, tooLarge or unavailable' }),
  code: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status; null when there was no answer' }),
  answer: Type.String({ description: 'The first 1,024 characters of the answer, or why there was none' }),
})

/** A delivery with everything that was tried. */
export const Delivery = Type.Object({
  deliveryId: Type.Integer(),
  webhookId: Type.Integer(),
  eventId: Type.String({ description: 'The webhook-id of every attempt' }),
  eventType: Type.String(),
  eventTs: InstantOut('When it happened'),
  status: Type.String({ description: DELIVERY_STATES.join(', ') }),
  reason: Type.String({ description: 'How the last attempt ended, in words' }),
  nextTs: InstantOut('When it is tried next; null when it is over'),
  attempts: Type.Array(Attempt),
})

/** As answers write a subscription. */
export function webhookOf({ subscription, description, health, createdAtMs, updatedAtMs }: KeptSubscription) {
  const { id, corporation, url, events, systemCodes, disabled } = subscription
  return {
    webhookId: id,
    corporation: { corpId: corporation },
    ...{ url, events, systemCodes, description },
    active: disabled === undefined,
    disabledBecause: disabled?.because ?? null,
    disabledTs: instantText(disabled?.sinceAtMs),
    failingSinceTs: instantText(health?.failingSinceAtMs),
    isPaused: health?.open !== undefined,
    creationTs: instantText(createdAtMs),
    updateTs: instantText(updatedAtMs),
  }
}

interface ShownDelivery {
  readonly row: Omit<DeliveryRow, 'saved'>
  readonly attempts: readonly DeliveryAttempt[]
}

/** As answers write a delivery. */
export function deliveryOf({ row, attempts }: ShownDelivery) {
  const { id, subscription, event, state, why, nextAtMs } = row
  return {
    deliveryId: id,
    webhookId: subscription,
    ...{ eventId: event.id, eventType: event.type, eventTs: instantText(event.atMs) },
    ...{ status: state, reason: why, nextTs: instantText(nextAtMs) },
    attempts: attempts.map(attemptOf),
  }
}

function attemptOf({ atMs, tookMs, outcome, status, excerpt }: DeliveryAttempt) {
  return { ts: instantText(atMs), durationMs: tookMs, outcome, code: status ?? null, answer: excerpt }
}
