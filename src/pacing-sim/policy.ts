/** The policy interface of the simulator: a production pacer, the rules of another dialer, or an experiment. */
import type { Pacer, PacingFact, PacingSnapshot } from '../dialer/pacing/pacer-interface.ts'
import type { Placing } from '../dialer/placing.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { KnownDistributions } from './known-distributions.ts'

/** The input of a policy: the production snapshot, and counts that other dialers use. It changes in place. */
export interface PolicyView extends PacingSnapshot {
  readonly nowMs: AtMs
  /** All logged-in agents, also on a break or in wrap-up. */
  readonly loggedIn: number
  readonly talking: number
  readonly wrappingUp: number
  readonly onBreak: number
  /** Lines in flight that ring: their post-dial delay is over. */
  readonly ringing: number
}

/** One policy for one campaign during one day. It may keep state; each day begins with a new policy. */
export interface Policy {
  readonly name: string
  /** The interval of decisions without events. The first one is at the start of the day. */
  readonly everyMs: number
  /** Whether the policy also decides after each instant with an event. */
  readonly decidesOnEvents: boolean
  /** The lines to place now: a whole number, 0 or more. The simulator limits it by trunks and `linesPerAgentMax`. */
  decide(view: PolicyView): number
  learn(fact: PacingFact, nowMs: AtMs): void
  /**
   * The number of lines in flight to hang up now, for first-answer-wins; absent: never. Called before each `decide`.
   * `linesToWithdraw` chooses them: lines that do not ring yet first, then those that rang for 15 s, then the youngest.
   */
  withdraw?(view: PolicyView): number
  /**
   * Whether the policy promises to keep the ledger. The simulator checks it all day, and an agent's break waits until
   * the ledger holds without the agent.
   */
  readonly isStrict?: boolean
  /**
   * Whether the last decision, which placed nothing, stays the same until an event. Its ticks are skipped until then:
   * return true only if the outcome does not differ. Absent: never.
   */
  standsUntilEvent?(): boolean
}

export interface PolicySetting {
  readonly agents: number
  readonly capBasisPoints: number
  /** How long a person who answered may wait before the call counts as abandoned. */
  readonly waitMs: number
  /** The distributions of the scenario, for policies that know them as after a day of learning. */
  readonly knownDistributions?: KnownDistributions
  /** Randomness for the policy; the day's fates have their own (`outcomes.ts`). */
  readonly random: Random
}

export type PolicyFactory = (setting: PolicySetting) => Policy

/** The production engine asks on every event and no less often than this. */
const PACER_EVERY_MS = 250

/** How a pacer runs in the simulator, if not as in the engine. */
export interface PacedOptions<Memory> {
  /** Whether a decision depends on counts alone, not on time: see `standsUntilEvent`. Absent: no decision does. */
  readonly isTimeless?: (placing: Placing, view: PolicyView) => boolean
  /** The pacer's state at the begin of the day. Absent: nothing learnt. */
  readonly begin?: (setting: PolicySetting, pacer: Pacer<Memory>) => Memory
}

/** A production pacer as a policy. */
export function pacedBy<Memory>(
  name: string,
  pacer: Pacer<Memory>,
  { isTimeless = () => false, begin = () => pacer.begin() }: PacedOptions<Memory> = {},
): PolicyFactory {
  return (setting) => {
    let memory = begin(setting, pacer)
    let stands = false
    return {
      name,
      everyMs: PACER_EVERY_MS,
      decidesOnEvents: true,
      isStrict: true,
      decide: (view) => {
        const placing = pacer.place(view, memory)
        stands = placing.lines === 0 && isTimeless(placing, view)
        return placing.lines
      },
      learn: (fact, nowMs) => {
        memory = pacer.learn(memory, fact, nowMs)
      },
      standsUntilEvent: () => stands,
    }
  }
}
