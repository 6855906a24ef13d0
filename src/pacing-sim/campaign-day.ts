/** One campaign during one simulated day: its fates, lines, policy and counts. */
import type { LedgerRule, LedgerState, Tally } from '../dialer/ledger.ts'
import type { PacingFact } from '../dialer/pacing/pacer-interface.ts'
import { type Sampler, samplerOf } from './distributions.ts'
import { Histogram } from './histogram.ts'
import { ringAge } from './known-distributions.ts'
import { Lines } from './lines.ts'
import { DRAWN, type Row, rowOf, uniformAt } from './outcomes.ts'
import type { Policy } from './policy.ts'
import { type CampaignScenario, hitRateAt } from './scenario.ts'

/** The outcome of a dial: the same for every policy. */
interface Fate {
  /** From the dial to the pick-up, or to the end without one. */
  ageMs: number
  isPerson: boolean
  /** A person picks up, or a machine that detection must recognise. */
  isPickedUp: boolean
}

export interface CampaignCounts {
  dials: number
  /** Lines that ended without a person, as far as the dialer knows. */
  failed: number
  /** Ringing lines that the policy withdrew; `ringsCut` of them had not rung for 15 s. */
  withdrawn: number
  ringsCut: number
  /** Calls connected with an agent; `connectedMachines` of them were machines. */
  connected: number
  connectedMachines: number
  abandoned: number
  /** Persons whom detection took for machines: the dialer hung up. */
  personsHungUpOn: number
  /** The time during which abandoned over answered was above the cap. */
  aboveCapMs: number
  /** Callees who waited for an agent when the day ended: no other count includes them. */
  leftWaiting: number
}

/** State of one campaign during a simulated day. */
export class CampaignDay {
  readonly index: number
  readonly scenario: CampaignScenario
  readonly policy: Policy
  readonly lines: Lines
  readonly rule: LedgerRule
  /** Changed only by `count`. */
  readonly tally: { -readonly [Key in keyof Tally]: number }
  readonly counts: CampaignCounts = {
    dials: 0,
    failed: 0,
    withdrawn: 0,
    ringsCut: 0,
    connected: 0,
    connectedMachines: 0,
    abandoned: 0,
    personsHungUpOn: 0,
    aboveCapMs: 0,
    leftWaiting: 0,
  }
  readonly waits = new Histogram(10, 60_000)
  /** Abandoned over answered since the begin of the day, at each mark. */
  readonly ratesPct: number[] = []
  /** The next instant at which the policy decides without an event; Infinity while its last decision stands. */
  nextTickMs = 0
  /** The ledger is broken by an event that the policy did not cause, and does not hold again yet. */
  isExcused = false
  readonly #dayMs: number
  readonly #beginAtMs: number
  readonly #fate: Fate = { ageMs: 0, isPerson: false, isPickedUp: false }
  readonly #rows: Readonly<Record<keyof typeof DRAWN, Row>>
  readonly #answerAge: Sampler
  readonly #failures: readonly { readonly upTo: number; readonly after: Sampler; readonly isMachine: boolean }[]
  readonly #talk: Sampler
  readonly #wrapUp: Sampler
  readonly #takes: Sampler | undefined
  readonly #machineTalk: Sampler | undefined
  readonly #patience: Sampler | undefined
  readonly #carried: number
  #dials = 0
  #countedAtMs = 0
  #isAbove = false

  constructor(index: number, scenario: CampaignScenario, policy: Policy, day: DayFrame) {
    this.index = index
    this.scenario = scenario
    this.policy = policy
    this.lines = new Lines(index)
    this.#dayMs = day.dayMs
    this.#beginAtMs = day.beginAtMs
    this.#carried = day.agents * scenario.carriedPerAgent
    this.tally = { answered: this.#carried, abandoned: 0 }
    this.rule = dayRule(scenario)
    const named = Object.entries(DRAWN).map(([name, drawn]) => [name, rowOf(day.seed, day.day, index, drawn)])
    this.#rows = Object.fromEntries(named)
    this.#answerAge = ringAge(scenario)
    this.#failures = cumulated(scenario)
    this.#talk = samplerOf(scenario.talk)
    this.#wrapUp = samplerOf(
      scenario.wrapUp.kind === 'byHand'
        ? scenario.wrapUp.distribution
        : { kind: 'fixed', ms: scenario.wrapUp.lengthMs },
    )
    this.#takes = scenario.detection && samplerOf(scenario.detection.takes)
    this.#machineTalk = scenario.detection && samplerOf(scenario.detection.machineTalk)
    this.#patience = scenario.loss.kind === 'patience' ? samplerOf(scenario.loss.distribution) : undefined
  }

  get answered(): number {
    return this.tally.answered - this.#carried
  }

  /** The number of the next dial that the carrier takes, from 0. */
  takeDial(): number {
    return this.#dials++
  }

  /** The fate of the n-th dial of the day, dialed now. The next call reuses the object. */
  fateOf(dial: number, nowMs: number): Fate {
    const { hit, detection, giveUpAfterMs } = this.scenario
    const fate = this.#fate
    fate.isPerson = uniformAt(this.#rows.hit, dial) < hitRateAt(hit, nowMs, this.#dayMs)
    fate.isPickedUp = fate.isPerson
    if (fate.isPerson) fate.ageMs = wholeMs(this.#answerAge.drawMs(uniformAt(this.#rows.answerAge, dial)))
    else this.#fail(fate, uniformAt(this.#rows.failure, dial), uniformAt(this.#rows.answerAge, dial), !!detection)
    if (giveUpAfterMs !== undefined && fate.ageMs > giveUpAfterMs) {
      fate.ageMs = giveUpAfterMs
      fate.isPickedUp = false
    }
    return fate
  }

  #fail(fate: Fate, which: number, uniform: number, isDetected: boolean): void {
    for (const { upTo, after, isMachine } of this.#failures) {
      if (which >= upTo) continue
      fate.ageMs = wholeMs(after.drawMs(uniform))
      fate.isPickedUp = isMachine && isDetected
      return
    }
  }

  passes(dial: number, isPerson: boolean): boolean {
    const { falsePositive, falseNegative } = this.scenario.detection!
    const uniform = uniformAt(this.#rows.detection, dial)
    return isPerson ? uniform >= falsePositive : uniform < falseNegative
  }

  /** The duration of detection for the dial; undefined if detection knows at once. */
  detectionMs(dial: number): number | undefined {
    return this.#takes && wholeMs(this.#takes.drawMs(uniformAt(this.#rows.detectionTime, dial)))
  }

  talkMs(agent: number, call: number, isPerson: boolean): number {
    const distribution = isPerson || !this.#machineTalk ? this.#talk : this.#machineTalk
    return wholeMs(distribution.drawMs(uniformAt(this.#rows.talk, numberOf(agent, call))))
  }

  wrapUpMs(agent: number, call: number): number {
    return wholeMs(this.#wrapUp.drawMs(uniformAt(this.#rows.wrapUp, numberOf(agent, call))))
  }

  /** The instant at which a callee who answered at `answeredAtMs`, and waits from now on, is lost. */
  lostAtMs(dial: number, answeredAtMs: number, nowMs: number): number {
    const { loss } = this.scenario
    if (loss.kind === 'dropped') return nowMs + loss.afterMs
    const patienceMs = wholeMs(this.#patience!.drawMs(uniformAt(this.#rows.patience, dial)))
    return Math.max(nowMs + 1, answeredAtMs + patienceMs)
  }

  /** Changes the tally and the time above the cap. A day without answers is not above the cap. */
  count(answered: number, abandoned: number, nowMs: number): void {
    if (this.#isAbove) this.counts.aboveCapMs += nowMs - this.#countedAtMs
    this.#countedAtMs = nowMs
    this.tally.answered += answered
    this.tally.abandoned += abandoned
    this.#isAbove = this.tally.abandoned * 10_000 > this.rule.capBasisPoints * this.tally.answered
  }

  mark(): void {
    const { answered } = this
    this.ratesPct.push(answered === 0 ? 0 : (100 * this.tally.abandoned) / answered)
  }

  learn(fact: PacingFact, nowMs: number): void {
    this.policy.learn(fact, this.#beginAtMs + nowMs)
  }

  /** Compares counters with states. Throws if the simulator is wrong. */
  assertConserved(): void {
    const { dials, failed, withdrawn, connected, abandoned, personsHungUpOn } = this.counts
    const { inFlight, waiting } = this.lines
    const passed = connected + abandoned + waiting.length
    if (passed !== this.answered) throw new Error(`${passed} answers are somewhere, ${this.answered} came`)
    const ended = failed + withdrawn + personsHungUpOn + passed
    if (dials !== ended + inFlight.size) throw new Error(`${dials} dials, but ${ended} ended, ${inFlight.size} are out`)
    if (abandoned !== this.tally.abandoned) throw new Error('the ledger counts other abandoned calls')
  }
}

interface DayFrame {
  readonly seed: number
  readonly day: number
  readonly agents: number
  readonly dayMs: number
  readonly beginAtMs: number
}

/** One ledger for the day, persons only. The answers carried in stand for a window of several days. */
function dayRule({ capBasisPoints }: CampaignScenario): LedgerRule {
  const window = { kind: 'day', timeZone: 'UTC' } as const
  return { name: 'day', capBasisPoints, window, scope: 'campaign', denominator: 'answeredByPerson' }
}

/** The ledger of a campaign, over live counts that the caller keeps. */
export function ledgerOver(campaign: CampaignDay, live: LedgerState['live']): LedgerState {
  return { rule: campaign.rule, tally: campaign.tally, live }
}

function cumulated({ failures }: CampaignScenario) {
  const whole = failures.reduce((sum, { share }) => sum + share, 0)
  let sum = 0
  return failures.map(({ share, after, isMachine }, index) => {
    sum += share / whole
    return { upTo: index === failures.length - 1 ? 1 : sum, after: samplerOf(after), isMachine }
  })
}

/** One number for each pair of agent and call. */
function numberOf(agent: number, call: number): number {
  return agent * 65_536 + call
}

/** Instants are whole milliseconds, and an event comes at least one after its cause. */
function wholeMs(ms: number): number {
  return Math.max(1, Math.round(ms))
}
