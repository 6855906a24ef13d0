import type { Clock } from '../kernel/clock.ts'
import type { AgentName } from '../kernel/ids.ts'
import { type AgentScript, SimAgentPhone } from './sim-agent-phone.ts'

/** The phones of all agents. */
export class SimAgentPhones {
  readonly #clock: Clock
  readonly #all = new Map<AgentName, SimAgentPhone>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** It behaves like this from the next ring on. */
  of(agent: AgentName, script: AgentScript): SimAgentPhone {
    const phone = this.#all.get(agent) ?? new SimAgentPhone(this.#clock, script)
    phone.script = script
    this.#all.set(agent, phone)
    return phone
  }

  /** The phone that rings for a fresh call. */
  toRing(agent: AgentName): SimAgentPhone | undefined {
    const phone = this.#all.get(agent)
    if (!phone?.isBusy || !phone.isBrowser) return phone
    const fresh: SimAgentPhone = phone.ringsBeside(() => {
      if (this.#all.get(agent) === fresh && phone.isBusy) this.#all.set(agent, phone)
    })
    this.#all.set(agent, fresh)
    return fresh
  }
}
