import type { Outbox } from '../../ports/outbox.ts'
import type { WebhookEvent } from '../../ports/webhook.ts'
import type { Pools } from '../db/pools.ts'
import { deliveries, recordTest, recover, replay } from './deliveries.ts'
import { deliveryOutbox } from './dispatcher-leases.ts'
import { feedReader } from './event-feed.ts'
import {
  addSubscription,
  findSubscription,
  removeSubscription,
  saveSubscription,
  subscriptions,
} from './subscriptions.ts'

/** The outbox in PostgreSQL. `environment` is that of the installation, and stands in every event. */
export function postgresOutbox(pools: Pools, environment: WebhookEvent['environment']): Outbox {
  return {
    ...deliveryOutbox(pools, environment),
    addSubscription: (command) => addSubscription(pools, command),
    subscriptions: (corporations) => subscriptions(pools, corporations),
    findSubscription: (id, corporations) => findSubscription(pools, id, corporations),
    saveSubscription: (changed, atMs) => saveSubscription(pools, changed, atMs),
    removeSubscription: (id, corporations) => removeSubscription(pools, id, corporations),
    deliveries: (command) => deliveries(pools, environment, command),
    replay: (delivery, corporations, atMs) => replay(pools, delivery, corporations, atMs),
    recover: (subscription, corporations, happened, atMs, rowsMax) =>
      recover(pools, { subscription, corporations, happened }, atMs, rowsMax),
    recordTest: (subscription, event, outcome, attempt) => recordTest(pools, subscription, event, outcome, attempt),
    feed: feedReader(pools, environment),
  }
}
