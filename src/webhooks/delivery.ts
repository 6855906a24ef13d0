import type { AtMs } from '../kernel/clock.ts'
import { MachineRun } from '../kernel/machine.ts'
import type { DeliveryRow, DeliveryState } from '../ports/webhook.ts'
import { type DeliveryCommand, type DeliveryContext, deliveryMachine } from './delivery.machine.ts'

type DeliveryOf = Pick<DeliveryRow, 'id' | 'subscription' | 'event'>

/** A new delivery. Resending by hand also uses this: the delivery gets a whole new schedule. */
export function newDelivery(of: DeliveryOf, nowMs: AtMs): DeliveryRow {
  return rowOf(of, MachineRun.start<DeliveryCommand>(deliveryMachine, undefined, nowMs).run, nowMs)
}

/** Restores the machine of a row. */
export function resumed({ saved }: DeliveryRow): MachineRun<DeliveryCommand> {
  return MachineRun.restore<DeliveryCommand>(deliveryMachine, saved)
}

/** The row of a machine. */
export function rowOf(
  { id, subscription, event }: DeliveryOf,
  run: MachineRun<DeliveryCommand>,
  nowMs: AtMs,
): DeliveryRow {
  const state = run.value as DeliveryState
  const nextAtMs = state === 'pending' ? nowMs : run.nextDueAtMs
  return { id, subscription, event, state, nextAtMs, why: (run.context as DeliveryContext).why, saved: run.save() }
}
