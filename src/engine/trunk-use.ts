import type { TrunkUse } from '../dialer/may-dial-now.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { PhoneNumber } from '../ports/call-task.ts'

/** What a carrier bears and which numbers are ours on it: the part of the set-up that dialing reads. */
export interface TrunkLimits {
  readonly name: string
  readonly linesMax: number
  readonly callsPerSecondMax: number
  readonly callerIds: readonly PhoneNumber[]
}

const SECOND_MS = 1_000

/** Counts what was placed on each carrier in the last second. */
export class TrunkPace {
  readonly #placed = new Map<string, AtMs[]>()

  placed(trunk: string, atMs: AtMs): void {
    const instants = this.#placed.get(trunk) ?? []
    instants.push(atMs)
    this.#placed.set(trunk, instants)
  }

  useOf({ name, linesMax, callsPerSecondMax }: TrunkLimits, linesInUse: number, nowMs: AtMs): TrunkUse {
    const instants = (this.#placed.get(name) ?? []).filter((atMs) => atMs > nowMs - SECOND_MS)
    this.#placed.set(name, instants)
    return { linesInUse, linesMax, placedLastSecond: instants.length, perSecondMax: callsPerSecondMax }
  }
}
