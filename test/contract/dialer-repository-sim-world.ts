import { seededRandom } from '../../src/kernel/random.ts'
import { SimDialerRepository, type SimDialerRepositoryOptions } from '../sim/sim-dialer-repository.ts'
import type { DialerRepositoryWithStops } from '../support/stop-control.ts'
import { VirtualClock } from '../support/virtual-clock.ts'
import type { DialerRepositoryWorld } from './dialer-repository-world.ts'

/** The simulated database. */
export interface SimDialerRepositoryWorld extends DialerRepositoryWorld {
  readonly clock: VirtualClock
  readonly sim: SimDialerRepository
}

/** Time runs after each request until all are done. Requests made together run concurrently. */
export function simDialerRepositoryWorld(
  seed: number,
  options: Partial<SimDialerRepositoryOptions> = {},
): SimDialerRepositoryWorld {
  const clock = new VirtualClock()
  const sim = new SimDialerRepository({ clock, random: seededRandom(seed), ...options })
  return {
    clock,
    sim,
    dialerRepository: inTime(sim, clock),
    nowMs: () => clock.nowMs(),
    eventsAbout: async (activity) => sim.view.events.filter((event) => event.activity === activity).length,
    async callOf(activity) {
      const { result = null, agent = null, talkMs, recordings } = sim.view.calls.get(activity)!
      return { result, agent, talkMs, recordings: recordings.length }
    },
    close: async () => {},
  }
}

function inTime(sim: SimDialerRepository, clock: VirtualClock): DialerRepositoryWithStops {
  return new Proxy<DialerRepositoryWithStops>(sim, {
    get(target, name: keyof DialerRepositoryWithStops) {
      const method = target[name] as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const answer = method.apply(target, args)
        queueMicrotask(() => clock.runUntilIdle())
        return answer
      }
    },
  })
}
