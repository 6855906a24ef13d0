import type { AtMs } from '../kernel/clock.ts'
import { MachineRun } from '../kernel/machine.ts'
import type { DeliveryRow, DeliveryState } from '../ports/webhook.ts'
import { type DeliveryCommand, type DeliveryContext, deliveryMachine } from './delivery.machine.ts'

/** What a delivery is about: all of its row but how far it got. */
type DeliveryOf = Pick<DeliveryRow, 'id' | 'subscription' | 'event'>

/**
 * A delivery that nobody tried yet. The same again for one that was tried is how it is sent once more by hand: with a
 * whole schedule before it.
 */
export function newDelivery(of: DeliveryOf, nowMs: AtMs): DeliveryRow {
  return rowOf(of, MachineRun.start<DeliveryCommand>(deliveryMachine, undefined, nowMs).run, nowMs)
}

/** The machine of a row, as it was left. */
export function resumed({ saved }: DeliveryRow): MachineRun<DeliveryCommand> {
  return MachineRun.restore<DeliveryCommand>(deliveryMachine, saved)
}

/** The row of a machine, as it is now. */
export function rowOf(
  { id, subscription, event }: DeliveryOf,
  run: MachineRun<DeliveryCommand>,
  nowMs: AtMs,
): DeliveryRow {
  const state = run.value as DeliveryState
  const nextAtMs = state === 'pending' ? nowMs : run.nextDueAtMs
  return { id, subscription, event, state, nextAtMs, why: (run.context as DeliveryContext).why, saved: run.save() }
}
