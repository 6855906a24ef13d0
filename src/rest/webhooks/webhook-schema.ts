/** Schemas of webhook subscriptions, deliveries and the event feed (D-25, D-26). */
import { Type } from 'typebox'
import type { AtMs } from '../../kernel/clock.ts'
import type { KeptSubscription } from '../../ports/outbox.ts'
import { type DeliveryAttempt, type DeliveryRow, EVENT_TYPES } from '../../ports/webhook.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

export const EventTypes = Type.Union(EVENT_TYPES.map((type) => Type.Literal(type)))

/** An event in webhooks and in the feed (D-26). */
export const EventOut = Type.Object({
  type: EventTypes,
  id: Type.String({ description: 'Event id: the webhook-id of its deliveries, the same for every attempt' }),
  timestamp: Type.String({ format: 'date-time', description: 'Time of the event' }),
  phoneCallId: Type.Optional(Type.String()),
  phoneCallSummaryId: Type.Optional(Type.String()),
  data: Type.Object(
    {
      phoneCallId: Type.Optional(Type.String()),
      phoneCallSummaryId: Type.Optional(Type.String()),
      summaryVersion: Type.Optional(Type.Integer({ description: 'Version of the summary at the time of the event' })),
      outcomeId: Type.Optional(Type.Integer({ description: 'The outcome that an agent saved' })),
      outcomeNumber: Type.Optional(
        Type.Integer({ description: 'Its place among the outcomes that were saved for the call, from 1' }),
      ),
      corpId: Type.Integer(),
      environment: Type.String(),
    },
    { additionalProperties: true },
  ),
})

/** States of a delivery. A running attempt is shown as pending. */
export const DELIVERY_STATES = ['pending', 'waiting', 'delivered', 'dead', 'parked'] as const

const Reason = Type.Union([Type.Literal('owner'), Type.Literal('gone'), Type.Literal('silent'), Type.Null()], {
  description: 'Why the subscription is disabled: owner, gone (status 410) or silent (five days without success)',
})

/** A subscription without its secret. */
export const Webhook = Type.Object({
  webhookId: Type.Integer(),
  corporation: Type.Object({ corpId: Type.Integer() }),
  url: Type.String(),
  events: Type.Array(EventTypes),
  systemCodes: Type.Array(Type.String(), { description: 'Only calls of these external systems; empty: all calls' }),
  description: Type.String(),
  active: Type.Boolean(),
  disabledBecause: Reason,
  disabledTs: InstantOut('Time when it was disabled'),
  failingSinceTs: InstantOut('Time of the first failure after the last success'),
  lastEventTs: InstantOut('Time of the latest event that matched, of the last 30 days'),
  warning: Type.Union([Type.String(), Type.Null()], {
    description: 'What its owner should look at: no event has matched for 7 days; null: nothing',
  }),
  isPaused: Type.Boolean({
    description: 'Deliveries are paused after many failures; the endpoint is only probed until it responds',
  }),
  creationTs: InstantOut('Creation time'),
  updateTs: InstantOut('Time of the last change'),
})

/** A subscription with its secret, which is returned only once. */
export const WebhookWithSecret = Type.Intersect([
  Webhook,
  Type.Object({ secret: Type.String({ description: 'Signing secret (whsec_…); returned only once' }) }),
])

const Attempt = Type.Object({
  ts: InstantOut('Start of the attempt'),
  durationMs: Type.Integer(),
  outcome: Type.String({ description: 'Outcome: answered, timeout, network, forbidden, tooLarge or unavailable' }),
  code: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status; null if there was no response' }),
  answer: Type.String({ description: 'The first 1,024 characters of the response, or why there was none' }),
})

export const Delivery = Type.Object({
  deliveryId: Type.Integer(),
  webhookId: Type.Integer(),
  eventId: Type.String({ description: 'Event id: the webhook-id of every attempt' }),
  eventType: Type.String(),
  eventTs: InstantOut('Time of the event'),
  status: Type.String({ description: DELIVERY_STATES.join(', ') }),
  reason: Type.String({ description: 'How the last attempt ended' }),
  nextTs: InstantOut('Time of the next attempt; null if there is none'),
  attempts: Type.Array(Attempt),
})

const QUIET_DAYS = 7
const DAY_MS = 24 * 3_600_000

/** A subscription that never matches looks as healthy as one that works. */
function warningOf({ subscription, createdAtMs, lastEventAtMs = createdAtMs }: KeptSubscription, nowMs: AtMs) {
  if (subscription.disabled || nowMs - lastEventAtMs <= QUIET_DAYS * DAY_MS) return null
  return `no event has matched for ${QUIET_DAYS} days; check events and systemCodes`
}

/** A subscription as an answer. */
export function webhookOf(kept: KeptSubscription, nowMs: AtMs) {
  const { subscription, description, health, createdAtMs, updatedAtMs, lastEventAtMs } = kept
  const { id, corporation, url, events, systemCodes, disabled } = subscription
  return {
    webhookId: id,
    corporation: { corpId: corporation },
    url,
    events,
    systemCodes,
    description,
    active: disabled === undefined,
    disabledBecause: disabled?.because ?? null,
    disabledTs: instantText(disabled?.sinceAtMs),
    failingSinceTs: instantText(health?.failingSinceAtMs),
    lastEventTs: instantText(lastEventAtMs),
    warning: warningOf(kept, nowMs),
    isPaused: health?.open !== undefined,
    creationTs: instantText(createdAtMs),
    updateTs: instantText(updatedAtMs),
  }
}

interface ShownDelivery {
  readonly row: Omit<DeliveryRow, 'saved'>
  readonly attempts: readonly DeliveryAttempt[]
}

/** A delivery as an answer. */
export function deliveryOf({ row, attempts }: ShownDelivery) {
  const { id, subscription, event, state, why, nextAtMs } = row
  return {
    deliveryId: id,
    webhookId: subscription,
    eventId: event.id,
    eventType: event.type,
    eventTs: instantText(event.atMs),
    status: state,
    reason: why,
    nextTs: instantText(nextAtMs),
    attempts: attempts.map(attemptOf),
  }
}

function attemptOf({ atMs, tookMs, outcome, status, excerpt }: DeliveryAttempt) {
  return { ts: instantText(atMs), durationMs: tookMs, outcome, code: status ?? null, answer: excerpt }
}
