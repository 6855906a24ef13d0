/** What a simulated day asks how many lines to place: a production pacer, a peer's rules, or a policy on trial. */
import type { Pacer, PacingFact, PacingSnapshot } from '../dialer/pacing/pacer-interface.ts'
import type { Placing } from '../dialer/placing.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { Random } from '../kernel/random.ts'
import type { KnownDistributions } from './known-distributions.ts'

/** What a policy sees: what production pacers see, and what peers count. One object, changed in place: keep nothing. */
export interface PolicyView extends PacingSnapshot {
  readonly nowMs: AtMs
  /** All who are logged in, those on a break or in wrap-up included. */
  readonly loggedIn: number
  readonly talking: number
  readonly wrappingUp: number
  readonly onBreak: number
  /** Lines in flight that ring by now: the post-dial delay is over. */
  readonly ringing: number
}

/** One way to dial a campaign through one day. It may remember what it likes; each day begins with a new one. */
export interface Policy {
  readonly name: string
  /** How often it is asked, beside events. At the start of the day for the first time. */
  readonly everyMs: number
  /** Whether it is also asked after each instant at which something happened. */
  readonly decidesOnEvents: boolean
  /** Lines to place now: whole, 0 or more. No more are placed than the trunks and `linesPerAgentMax` allow. */
  decide(view: PolicyView): number
  learn(fact: PacingFact, nowMs: AtMs): void
  /** Lines in flight to hang up now, asked before `decide`; absent: none. `linesToWithdraw` has their order. */
  withdraw?(view: PolicyView): number
  /** Whether it promises to keep the ledger: checked all day, and breaks wait until it holds without the agent. */
  readonly isStrict?: boolean
  /** Whether the last decision, nothing, holds until something happens: then ticks are skipped. Absent: never. */
  standsUntilEvent?(): boolean
}

export interface PolicySetting {
  readonly agents: number
  readonly capBasisPoints: number
  /** How long a person who answered may wait before the call counts as abandoned. */
  readonly waitMs: number
  /** The laws of the scenario, for policies that are to know them as after a day of learning. */
  readonly knownDistributions?: KnownDistributions
  /** Chance of its own; the day's fates come from elsewhere. */
  readonly random: Random
}

export type PolicyFactory = (setting: PolicySetting) => Policy

/** The production engine asks on every event and no less often than this. */
const PACER_EVERY_MS = 250

/** How a pacer is run, where it is not run as the engine runs it. */
export interface PacedOptions<Memory> {
  /** Whether a decision depends on counts alone, not on time: see `standsUntilEvent`. Absent: none does. */
  readonly isTimeless?: (placing: Placing, view: PolicyView) => boolean
  /** What it has learnt before the day. Absent: nothing. */
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
