/**
 * VICIdial's two processes as a policy: the level (dialing-rules.md 2.2) and the calls (2.3), from their description.
 */
import type { PacingFact } from '../../src/dialer/pacing/pacer-interface.ts'
import type { Policy, PolicyFactory, PolicyView } from '../../src/pacing-sim/policy.ts'
import { clockOf, type DropCounts, LEVEL_DEFAULTS, type LevelSettings, nextLevel } from './vicidial-level.ts'

/** How a campaign of VICIdial dials. */
interface VicidialSettings extends Partial<LevelSettings> {
  /** Agents who are ready count, those who talk do not ("available-only ratio tally"). */
  readonly isAvailableOnly?: boolean
}

const SAMPLE_EVERY_MS = 1_000
const SAMPLES = 15
const LEVEL_EVERY_MS = 15_000
const RECOUNT_EVERY_MS = 60_000
const CALLS_EVERY_MS = 2_500
/** Ten calls a second: the upper end of what is usual. */
const BETWEEN_CALLS_MS = 100

/** A campaign with these settings; everything else is VICIdial's default. */
export function vicidial(name: string, settings: VicidialSettings): PolicyFactory {
  return () => new Vicidial(name, { ...LEVEL_DEFAULTS, ...settings }, settings.isAvailableOnly ?? false)
}

class Vicidial implements Policy {
  readonly name: string
  readonly everyMs = BETWEEN_CALLS_MS
  readonly decidesOnEvents = false
  readonly #settings: LevelSettings
  readonly #isAvailableOnly: boolean
  readonly #samples: { ready: number; waiting: number; agents: number }[] = []
  #level = 1
  #counts: DropCounts = NO_COUNTS
  #calls = 0
  #answered = 0
  #dropped = 0
  /** Calls that the last round of process two has still to place. */
  #toPlace = 0
  #beganAtMs: number | undefined
  #nextAtMs = { sample: 0, level: 0, recount: 0, calls: 0 }

  constructor(name: string, settings: LevelSettings, isAvailableOnly: boolean) {
    this.name = name
    this.#settings = settings
    this.#isAvailableOnly = isAvailableOnly
  }

  decide(view: PolicyView): number {
    const { nowMs } = view
    if (this.#beganAtMs === undefined) this.#begin(nowMs)
    const next = this.#nextAtMs
    if (nowMs >= next.sample) this.#sample(view)
    if (nowMs >= next.recount) this.#recount(nowMs)
    if (nowMs >= next.level) this.#steer(nowMs)
    if (this.#toPlace === 0 && nowMs >= next.calls) this.#round(view)
    if (this.#toPlace === 0) return 0
    this.#toPlace--
    this.#calls++
    return 1
  }

  learn(fact: PacingFact): void {
    if (fact.type === 'line.answered') this.#answered++
    else if (fact.type === 'answer.resolved' && fact.isAbandoned) this.#dropped++
  }

  #begin(nowMs: number): void {
    this.#beganAtMs = nowMs
    const after = (ms: number) => nowMs + ms
    this.#nextAtMs = { sample: nowMs, level: after(LEVEL_EVERY_MS), recount: after(RECOUNT_EVERY_MS), calls: nowMs }
  }

  #sample({ nowMs, live, loggedIn }: PolicyView): void {
    this.#nextAtMs.sample = nowMs + SAMPLE_EVERY_MS
    this.#samples.push({ ready: live.idleAgents, waiting: live.waiting, agents: loggedIn })
    if (this.#samples.length > SAMPLES) this.#samples.shift()
  }

  #recount(nowMs: number): void {
    this.#nextAtMs.recount = nowMs + RECOUNT_EVERY_MS
    const { callsToday, droppedToday } = this.#counts
    this.#counts = {
      callsToday: this.#calls,
      answeredToday: this.#answered,
      droppedToday: this.#dropped,
      callsLastMinute: this.#calls - callsToday,
      droppedLastMinute: this.#dropped - droppedToday,
    }
  }

  #steer(nowMs: number): void {
    this.#nextAtMs.level = nowMs + LEVEL_EVERY_MS
    const mean = (what: 'ready' | 'waiting' | 'agents') =>
      this.#samples.reduce((sum, sample) => sum + sample[what], 0) / this.#samples.length
    const sample = { ready: mean('ready'), waiting: mean('waiting'), agents: mean('agents') }
    this.#level = nextLevel(this.#level, sample, this.#counts, this.#settings, clockOf(nowMs))
  }

  /** Those in wrap-up are paused and count nowhere. */
  #round({ nowMs, live, talking }: PolicyView): void {
    this.#nextAtMs.calls = nowMs + CALLS_EVERY_MS
    const { idleAgents, inFlight, waiting } = live
    const goal = this.#isAvailableOnly
      ? Math.round(this.#level * idleAgents) + talking
      : Math.round(this.#level * (idleAgents + talking))
    this.#toPlace = Math.max(0, goal - inFlight - waiting - talking)
  }
}

const NO_COUNTS: DropCounts = {
  callsToday: 0,
  answeredToday: 0,
  droppedToday: 0,
  callsLastMinute: 0,
  droppedLastMinute: 0,
}
