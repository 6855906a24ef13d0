import type { AtMs } from '../kernel/clock.ts'
import type { Branded } from '../kernel/ids.ts'
import { MachineRun, type SavedRun } from '../kernel/machine.ts'
import { type DeliveryCommand, type DeliveryContext, type DeliveryState, deliveryMachine } from './delivery.machine.ts'
import type { WebhookEvent } from './event.ts'
import { type Subscription, type SubscriptionId, wants } from './subscription.ts'

/** Names one event's way to one subscription. Made of both, so that there can be no second one (law 4). */
export type DeliveryId = Branded<string, 'DeliveryId'>

/** A delivery at rest: what the store keeps. `state`, `nextAtMs` and `why` are read out of `saved` to search by. */
export interface DeliveryRow {
  readonly id: DeliveryId
  readonly subscription: SubscriptionId
  readonly event: WebhookEvent
  readonly state: DeliveryState
  /** When it wants its turn; undefined when it is over. */
  readonly nextAtMs: AtMs | undefined
  /** How its last attempt ended, for its owner. */
  readonly why: string
  readonly saved: SavedRun
}

/** What is written down about an event, in the transaction of its fact: one row for everybody who wants it. */
export function deliveriesOf(event: WebhookEvent, subscriptions: Iterable<Subscription>, nowMs: AtMs): DeliveryRow[] {
  const wanting = [...subscriptions].filter((subscription) => wants(subscription, event))
  return wanting.map(({ id }) => newDelivery(event, id, nowMs))
}

/** A delivery that nobody tried yet; alone, it is for the test that a subscription's owner asks for. */
export function newDelivery(event: WebhookEvent, subscription: SubscriptionId, nowMs: AtMs): DeliveryRow {
  const { run } = MachineRun.start<DeliveryCommand>(deliveryMachine, undefined, nowMs)
  const id = `${event.id}/${subscription}` as DeliveryId
  return rowOf({ id, subscription, event }, run, nowMs)
}

/** The same delivery once more, with a whole schedule before it; undefined unless it was dead or parked. */
export function replayed(row: DeliveryRow, nowMs: AtMs): DeliveryRow | undefined {
  if (row.state !== 'dead' && row.state !== 'parked') return undefined
  const run = resumed(row)
  run.send({ type: 'replay' }, nowMs)
  return rowOf(row, run, nowMs)
}

/** The machine of a row, as it was left. */
export function resumed({ saved }: DeliveryRow): MachineRun<DeliveryCommand> {
  return MachineRun.restore<DeliveryCommand>(deliveryMachine, saved)
}

/** The row of a machine, as it is now. */
export function rowOf(
  { id, subscription, event }: Pick<DeliveryRow, 'id' | 'subscription' | 'event'>,
  run: MachineRun<DeliveryCommand>,
  nowMs: AtMs,
): DeliveryRow {
  const state = run.value as DeliveryState
  const nextAtMs = state === 'pending' ? nowMs : run.nextDueAtMs
  return { id, subscription, event, state, nextAtMs, why: (run.context as DeliveryContext).why, saved: run.save() }
}
