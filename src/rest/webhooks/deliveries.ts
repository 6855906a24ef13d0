/** Deliveries of a subscription: test, list, replay, recover (D-25). */
import { Type } from 'typebox'
import type { DeliveryId, SubscriptionId } from '../../kernel/ids.ts'
import type { Span } from '../../ports/call-task.ts'
import { postTest } from '../../webhooks/test-post.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, InstantIn, Page, readInstant, totals } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { PLAIN_READ, type Route, route } from '../http/route.ts'
import { DELIVERY_STATES, Delivery, deliveryOf } from './webhook-schema.ts'

/** Limit of one recover request: about one second of database time. */
const RECOVERED_MAX = 10_000

const Params = Type.Object({ webhookId: Id('The subscription') })

const ListQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Union(DELIVERY_STATES.map((state) => Type.Literal(state))), {
        description: DELIVERY_STATES.join(', '),
      }),
    ),
    from: Type.Optional(InstantIn('Events from this time')),
    to: Type.Optional(InstantIn('Events before this time')),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Page.offsetMax })),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: Page.sizeMax })),
  },
  { additionalProperties: false },
)

const Recover = Type.Object(
  { from: InstantIn('Events from this time'), to: Type.Optional(InstantIn('Events before this time; default now')) },
  { additionalProperties: false },
)

/** Test, list, replay, recover. */
export function deliveryRoutes(dependencies: RestDependencies): Route[] {
  return [testRoute(dependencies), listRoute(dependencies), replayRoute(dependencies), recoverRoute(dependencies)]
}

function testRoute(dependencies: RestDependencies): Route {
  const { outbox, webhookWeb } = dependencies
  return route({
    method: 'POST',
    path: '/core/webhooks/{webhookId}/test',
    scope: 'webhooks:write',
    audit: { action: 'send', object: 'webhook', by: 'webhookId' },
    summary: 'Send a test event and wait for the answer',
    description: 'Sends one attempt immediately, also if the subscription is disabled. The response may take 15 s.',
    params: Params,
    answers: { 200: Delivery },
    async handle({ params, asker }) {
      const kept = await outbox.findSubscription(params.webhookId as SubscriptionId, asker.corporations)
      if (!kept) return noSuchWebhook()
      const { subscription } = kept
      const { event, state, why, attempt } = await postTest(subscription, { ...dependencies, web: webhookWeb })
      const id = await outbox.recordTest(subscription.id, event, { state, why }, attempt)
      // It was removed while its receiver was waited for.
      if (id === undefined) return noSuchWebhook()
      const row = { id, subscription: subscription.id, event, state, why, nextAtMs: undefined }
      return { body: deliveryOf({ row, attempts: [attempt] }) }
    },
  })
}

function listRoute({ outbox }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/webhooks/{webhookId}/deliveries',
    scope: 'webhooks:write',
    audit: PLAIN_READ,
    summary: 'List deliveries of a subscription, newest event first',
    params: Params,
    query: ListQuery,
    answers: { 200: Type.Array(Delivery) },
    async handle({ params, query, asker }) {
      const subscription = params.webhookId as SubscriptionId
      const { status, offset = 0, size = Page.size } = query
      const at = spanOf(query)
      if ('problem' in at) return at
      const { corporations } = asker
      if (!(await outbox.findSubscription(subscription, corporations))) return noSuchWebhook()
      const page = { subscription, corporations, at, offset, rowsMax: size, ...(status && { states: status }) }
      const { found, deliveries } = await outbox.deliveries(page)
      return { body: deliveries.map(deliveryOf), headers: totals(found) }
    },
  })
}

function replayRoute({ outbox, clock }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/deliveries/{deliveryId}/replay',
    scope: 'webhooks:write',
    audit: { action: 'send', object: 'delivery', by: 'deliveryId' },
    summary: 'Send a delivery again with a full retry schedule',
    description: 'Also works for successful deliveries; the receiver deduplicates by webhook-id.',
    params: Type.Object({ deliveryId: Id('The delivery') }),
    answers: { 202: Type.Object({ deliveryId: Type.Integer(), status: Type.Literal('pending') }) },
    async handle({ params, asker }) {
      const { deliveryId } = params
      switch (await outbox.replay(deliveryId as DeliveryId, asker.corporations, clock.nowMs())) {
        case 'queued':
        case 'on its way':
          return { status: 202, body: { deliveryId, status: 'pending' } }
        case 'disabled':
          return isDisabled()
        case 'no such delivery':
          return refuse('notFound', 'there is no delivery with this deliveryId')
      }
    },
  })
}

function recoverRoute({ outbox, clock }: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/webhooks/{webhookId}/recover',
    scope: 'webhooks:write',
    audit: { action: 'send', object: 'webhook', by: 'webhookId' },
    summary: 'Send events that a subscription missed',
    description:
      'Queues events of the time range whose delivery failed, or that happened while the subscription was disabled ' +
      `or did not exist yet. At most ${RECOVERED_MAX} per request: if more is true, repeat the request.`,
    params: Params,
    body: Recover,
    answers: { 202: Type.Object({ queued: Type.Integer(), more: Type.Boolean() }) },
    async handle({ params, body, asker }) {
      const happened = spanOf(body)
      if ('problem' in happened) return happened
      const id = params.webhookId as SubscriptionId
      const result = await outbox.recover(id, asker.corporations, happened, clock.nowMs(), RECOVERED_MAX)
      switch (result.outcome) {
        case 'queued':
          return { status: 202, body: { queued: result.deliveries, more: result.isMore } }
        case 'disabled':
          return isDisabled()
        case 'no such subscription':
          return noSuchWebhook()
      }
    },
  })
}

/** The time range, or an error answer. */
function spanOf(given: { readonly from?: string | number; readonly to?: string | number }): Span | Refused {
  const read = (name: 'from' | 'to') =>
    given[name] === undefined ? undefined : (readInstant(given[name]) ?? Number.NaN)
  const [from, to] = [read('from'), read('to')]
  const errors = (['from', 'to'] as const).flatMap((path, index) => {
    const isWrong = Number.isNaN([from, to][index])
    return isWrong ? [{ path, code: 'format', message: 'is not a timestamp; use the format 2026-01-02T03:04:05Z' }] : []
  })
  if (from !== undefined && to !== undefined && from >= to) {
    errors.push({ path: 'to', code: 'range', message: 'must be later than from' })
  }
  if (errors.length > 0) {
    return refuse('validation', `${errors[0]?.path} ${errors[0]?.message}`, { errors }) as Refused
  }
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

export type Refused = Answer & { readonly problem: unknown }

/** Also the answer for subscriptions of other corporations (D-04). */
export function noSuchWebhook(): Refused {
  return refuse('notFound', 'there is no webhook with this webhookId') as Refused
}

function isDisabled(): Answer {
  return refuse('conflict', 'the subscription is disabled; set active to true first')
}
