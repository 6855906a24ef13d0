import type { Outbox } from '../../ports/outbox.ts'
import type { WebhookEvent } from '../../ports/webhook.ts'
import type { Pools } from '../db/pools.ts'
import { portOf } from '../db/port-methods.ts'
import { deliveries } from './deliveries.ts'
import { dispatcherLeases } from './dispatcher-leases.ts'
import { feedReader } from './event-feed.ts'
import type { OutboxPools } from './outbox-rows.ts'
import { subscriptions } from './subscriptions.ts'

/** The outbox in PostgreSQL. `environment` is that of the installation; every event contains it. */
export function postgresOutbox(pools: Pools, environment: WebhookEvent['environment']): Outbox {
  const feed = feedReader(pools, environment)
  return portOf<Outbox, OutboxPools>(
    { ...pools, environment },
    { ...dispatcherLeases, ...subscriptions, ...deliveries, feed: (_, command) => feed(command) },
  )
}
