import { seededRandom } from '../../src/kernel/random.ts'
import type { Records } from '../../src/ports/dialer-repository.ts'
import { SimRecords, type SimRecordsOptions } from '../sim/sim-dialer-repository.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import type { RecordsWorld } from './dialer-repository-world.ts'

/** The simulated memory. */
export interface SimRecordsWorld extends RecordsWorld {
  readonly clock: VirtualClock
  readonly sim: SimRecords
}

/** Time runs whenever somebody has asked: until nothing is under way. What is asked together is under way together. */
export function simRecordsWorld(seed: number, options: Partial<SimRecordsOptions> = {}): SimRecordsWorld {
  const clock = new VirtualClock()
  const sim = new SimRecords({ clock, random: seededRandom(seed), ...options })
  return {
    clock,
    sim,
    records: inTime(sim, clock),
    nowMs: () => clock.nowMs(),
    eventsAbout: async (activity) => sim.view.events.filter((event) => event.activity === activity).length,
    close: async () => {},
  }
}

function inTime(sim: SimRecords, clock: VirtualClock): Records {
  return new Proxy<Records>(sim, {
    get(target, name: keyof Records) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const answer = method.apply(target, args)
        queueMicrotask(() => clock.runUntilIdle())
        return answer
      }
    },
  })
}
