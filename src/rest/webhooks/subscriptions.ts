/** Webhook subscriptions and their secrets (D-25). An addition to the contract. */
import { type Static, Type } from 'typebox'
import type { CorporationId, SubscriptionId } from '../../kernel/ids.ts'
import type { KeptSubscription } from '../../ports/outbox.ts'
import type { Subscription } from '../../ports/webhook.ts'
import { secretOf } from '../../webhooks/sign.ts'
import { disable, enable, rotateSecret } from '../../webhooks/subscription.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import type { FieldError } from '../http/problem-kinds.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { deliveryRoutes, noSuchWebhook, type Refused } from './deliveries.ts'
import { eventFeedRoute } from './event-feed.ts'
import { EventTypes, Webhook, WebhookWithSecret, webhookOf } from './webhook-schema.ts'

/** D-25. */
const SUBSCRIPTIONS_MAX = 50
/** D-27. */
const SECRET_BYTES = 32
const HOUR_MS = 3_600_000
const OVERLAP_HOURS = 24
/** The dispatcher may change a subscription at the same time; more conflicts mean a client in a loop. */
const TRIES_MAX = 5

const FIELDS = {
  url: Type.String({ minLength: 1, maxLength: 2_048, description: 'https URL without credentials and fragment' }),
  events: Type.Array(EventTypes, { minItems: 1, maxItems: 20 }),
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  systemCodes: Type.Union([Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 100 }), Type.Null()], {
    description: 'Only calls of these external systems; empty: all calls, including calls without a system',
  }),
  active: Type.Boolean(),
}

const NewWebhook = Type.Object(
  {
    url: FIELDS.url,
    events: FIELDS.events,
    description: Type.Optional(FIELDS.description),
    systemCodes: Type.Optional(FIELDS.systemCodes),
    active: Type.Optional(FIELDS.active),
    corporation: Type.Optional(Type.Object({ corpId: Id('Corporation; default: the first one of the credential') })),
  },
  { additionalProperties: false },
)

const Change = Type.Partial(Type.Object(FIELDS), { additionalProperties: false })
const Rotate = Type.Object(
  { overlapHours: Type.Optional(Type.Number({ minimum: 0, maximum: 168 })) },
  { additionalProperties: false },
)
const Params = Type.Object({ webhookId: Id('The subscription') })

const NOT_FOR_TEAMS =
  'webhooks have the events of the whole corporation; use a credential of a system, or of a supervisor without teams'

/** Subscriptions, deliveries and the feed of events. */
export function webhookRoutes(dependencies: RestDependencies): Route[] {
  const routes = [
    addRoute(dependencies),
    listRoute(dependencies),
    getRoute(dependencies),
    changeRoute(dependencies),
    removeRoute(dependencies),
    rotateRoute(dependencies),
    ...deliveryRoutes(dependencies),
  ]
  return [...routes.map(ofWholeCorporation), eventFeedRoute(dependencies)]
}

/** As the feed: a webhook tells of the calls of all teams, and another client's could be led elsewhere (rest-50). */
function ofWholeCorporation(one: Route): Route {
  return {
    ...one,
    handle: async (asked) => (asked.asker.teams === undefined ? one.handle(asked) : refuse('forbidden', NOT_FOR_TEAMS)),
  }
}

function addRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/webhooks',
    scope: 'webhooks:write',
    audit: { action: 'create', object: 'webhook', by: 'webhookId' },
    summary: 'Subscribe to events',
    description: `The secret is returned only once. At most ${SUBSCRIPTIONS_MAX} subscriptions per corporation.`,
    body: NewWebhook,
    answers: { 201: WebhookWithSecret },
    example: { body: { url: 'https://debt.example.com/events', events: ['phone-call.ended'] } },
    handle: ({ body, asker }) => added(dependencies, body, asker),
  })
}

async function added(dependencies: RestDependencies, body: Static<typeof NewWebhook>, asker: Asker): Promise<Answer> {
  const { outbox, clock, secretBytes } = dependencies
  const corporation = body.corporation?.corpId ?? asker.corporations[0]
  const errors = [
    ...wrongCorporation(corporation, asker),
    ...(await wrongFields(dependencies, body, asker.corporations)),
  ]
  if (errors.length > 0) return invalid(errors)
  const nowMs = clock.nowMs()
  const secret = secretOf(secretBytes(SECRET_BYTES))
  const kept = await outbox.addSubscription({
    subscription: {
      corporation: corporation as CorporationId,
      url: body.url,
      events: [...new Set(body.events)],
      systemCodes: [...new Set(body.systemCodes ?? [])],
      secrets: [{ secret }],
      ...(body.active === false && { disabled: { because: 'owner' as const, sinceAtMs: nowMs } }),
    },
    description: body.description ?? '',
    atMs: nowMs,
    subscriptionsMax: SUBSCRIPTIONS_MAX,
  })
  if (kept === 'too many')
    return refuse('conflict', `the corporation has ${SUBSCRIPTIONS_MAX} webhooks already; remove one first`)
  const headers = { location: `/rest/core/webhooks/${kept.subscription.id}` }
  return { status: 201, headers, body: { ...webhookOf(kept, nowMs), secret } }
}

function listRoute({ outbox, clock }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/webhooks',
    scope: 'webhooks:write',
    audit: PLAIN_READ,
    summary: 'List subscriptions',
    answers: { 200: Type.Array(Webhook) },
    async handle({ asker }) {
      const found = await outbox.subscriptions(asker.corporations)
      return { body: found.map((kept) => webhookOf(kept, clock.nowMs())), headers: totals(found.length) }
    },
  })
}

function getRoute({ outbox, clock }: RestDependencies): Route {
  return route({
    method: 'GET',
    path: '/core/webhooks/{webhookId}',
    scope: 'webhooks:write',
    audit: PLAIN_READ,
    summary: 'Get a subscription',
    params: Params,
    answers: { 200: Webhook },
    async handle({ params, asker }) {
      const kept = await outbox.findSubscription(params.webhookId as SubscriptionId, asker.corporations)
      return kept ? { body: webhookOf(kept, clock.nowMs()) } : noSuchWebhook()
    },
  })
}

function changeRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'PATCH',
    path: '/core/webhooks/{webhookId}',
    scope: 'webhooks:write',
    audit: { action: 'change', object: 'webhook', by: 'webhookId' },
    summary: 'Change the given fields of a subscription',
    description: 'Set active to true to enable a disabled subscription; use recover to send missed events.',
    params: Params,
    body: Change,
    answers: { 200: Webhook },
    async handle({ params, body, asker }) {
      const errors = await wrongFields(dependencies, body, asker.corporations)
      if (errors.length > 0) return invalid(errors)
      const changed = await saved(dependencies, params.webhookId, asker, (kept, nowMs) => changedBy(kept, body, nowMs))
      return 'problem' in changed ? changed : { body: webhookOf(changed, dependencies.clock.nowMs()) }
    },
  })
}

function removeRoute({ outbox }: RestDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/core/webhooks/{webhookId}',
    scope: 'webhooks:write',
    audit: { action: 'delete', object: 'webhook', by: 'webhookId' },
    summary: 'Remove a subscription and its deliveries',
    params: Params,
    answers: { 204: Type.Unknown() },
    async handle({ params, asker }) {
      const isGone = await outbox.removeSubscription(params.webhookId as SubscriptionId, asker.corporations)
      return isGone ? { status: 204 } : noSuchWebhook()
    },
  })
}

function rotateRoute(dependencies: RestDependencies): Route {
  return route({
    method: 'POST',
    path: '/core/webhooks/{webhookId}/rotate-secret',
    scope: 'webhooks:write',
    audit: { action: 'change', object: 'webhook', by: 'webhookId' },
    summary: 'Rotate the signing secret',
    description: `For overlapHours (default ${OVERLAP_HOURS}) every request has two signatures, one per secret.`,
    params: Params,
    body: Rotate,
    bodyMayBeAbsent: true,
    answers: { 200: WebhookWithSecret },
    async handle({ params, body, asker }) {
      const secret = secretOf(dependencies.secretBytes(SECRET_BYTES))
      const overlapMs = (body.overlapHours ?? OVERLAP_HOURS) * HOUR_MS
      const changed = await saved(dependencies, params.webhookId, asker, (kept, nowMs) => {
        const rotation = rotateSecret(kept.subscription, secret, overlapMs, nowMs)
        return rotation.ok ? { ...kept, subscription: rotation.subscription } : refuse('conflict', rotation.why)
      })
      return 'problem' in changed ? changed : { body: { ...webhookOf(changed, dependencies.clock.nowMs()), secret } }
    },
  })
}

/** Reads, changes and writes; retries if the subscription was changed in between. */
async function saved(
  { outbox, clock }: RestDependencies,
  webhookId: number,
  asker: Asker,
  change: (kept: KeptSubscription, nowMs: number) => KeptSubscription | Answer,
): Promise<KeptSubscription | Refused> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const kept = await outbox.findSubscription(webhookId as SubscriptionId, asker.corporations)
    if (!kept) return noSuchWebhook()
    const nowMs = clock.nowMs()
    const changed = change(kept, nowMs)
    if (!('subscription' in changed)) return changed as Refused
    const written = await outbox.saveSubscription(changed, nowMs)
    if (written) return written
  }
  return refuse('conflict', 'the subscription is being changed by other requests; try again') as Refused
}

function changedBy(kept: KeptSubscription, body: Static<typeof Change>, nowMs: number): KeptSubscription {
  const { url, events, description, systemCodes, active } = body
  const changed: Subscription = {
    ...kept.subscription,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: [...new Set(events)] }),
    ...(systemCodes !== undefined && { systemCodes: [...new Set(systemCodes ?? [])] }),
  }
  const subscription = active === undefined ? changed : active ? enable(changed) : disable(changed, 'owner', nowMs)
  return { ...kept, subscription, ...(description !== undefined && { description: description ?? '' }) }
}

/** Checks that need more than a schema: the URL's target and the external systems. */
async function wrongFields(
  { webhookWeb, directory }: RestDependencies,
  { url, systemCodes }: Static<typeof Change>,
  corporations: readonly CorporationId[],
): Promise<FieldError[]> {
  const verdict = url === undefined ? undefined : webhookWeb.judge(url)
  const known = systemCodes?.length ? await directory.externalSystems(corporations, true) : []
  const knownCodes = new Set(known.map(({ code }) => code))
  const message = 'there is no such external system'
  return [
    ...(verdict === undefined || verdict.ok ? [] : [{ path: 'url', code: 'url', message: verdict.why }]),
    ...(systemCodes ?? []).flatMap((code, index) => {
      return knownCodes.has(code) ? [] : [{ path: `systemCodes[${index}]`, code: 'reference', message }]
    }),
  ]
}

function wrongCorporation(corporation: number | undefined, asker: Asker): FieldError[] {
  if (asker.corporations.some((id) => id === corporation)) return []
  return [{ path: 'corporation.corpId', code: 'reference', message: 'there is no such corporation' }]
}

function invalid(errors: readonly FieldError[]): Answer {
  return refuse('validation', `${errors[0]?.path}: ${errors[0]?.message}`, { errors })
}
