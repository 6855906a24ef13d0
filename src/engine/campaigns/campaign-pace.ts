/** How one campaign is paced: its pacer, its shadow pacer, what was learnt, and the statistics. */
import type { Campaign } from '../../dialer/campaign.ts'
import { type Learnt, learnFact, nothingLearnt } from '../../dialer/pacing/learned-distributions.ts'
import type { Pacer, PacingFact, PacingSnapshot } from '../../dialer/pacing/pacer-interface.ts'
import { memoryFor, type Pace, paceOf, pacerFor } from '../../dialer/pacing/pacer-of-mode.ts'
import { keptLearning, learningFrom } from '../../dialer/pacing/saved-learning.ts'
import type { Placing } from '../../dialer/placing.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { PacingStats } from './pacing-stats.ts'

interface Hand {
  readonly pace: Pace
  pacer: Pacer<unknown>
  memory: unknown
}

/** Decides how many lines a campaign places. */
export class CampaignPace {
  readonly stats: PacingStats
  placing: Placing = { lines: 0, why: 'noIdleAgent' }
  /** What the shadow pacer would have decided; undefined without one. */
  shadowed: Placing | undefined
  #campaign: Campaign
  #inUse: Hand
  #shadow: Hand | undefined
  /** The team's size at the last decision; one algorithm's steps depend on it. */
  #agents = 1
  /** Learnt in every mode: a change of mode keeps what was learnt. */
  #learnt: Learnt
  #keptAtFact: number

  /** `kept`: what an earlier engine stored. Without it, or in another shape, learning begins anew. */
  constructor(campaign: Campaign, kept?: unknown) {
    this.#campaign = campaign
    this.#learnt = learningFrom(kept) ?? nothingLearnt()
    this.#keptAtFact = this.#learnt.known
    this.stats = new PacingStats((kept as { account?: unknown } | undefined)?.account)
    this.#inUse = this.#take(paceOf(campaign))
    this.#shadow = this.#shadowOf(campaign)
  }

  /** Follows a change of the campaign. What was learnt stays. */
  follow(campaign: Campaign): void {
    const { pace } = this.#inUse
    this.#campaign = campaign
    const next = this.#take(paceOf(campaign))
    this.#inUse = next.pace === pace ? { ...next, memory: this.#inUse.memory } : next
    const shadow = this.#shadowOf(campaign)
    this.#shadow = shadow && shadow.pace === this.#shadow?.pace ? { ...shadow, memory: this.#shadow.memory } : shadow
  }

  get learnt(): Learnt {
    return this.#learnt
  }

  get pace(): Pace {
    return this.#inUse.pace
  }

  get isForecasting(): boolean {
    return this.pace === 'price' || this.pace === 'risk'
  }

  /** Decides. The shadow pacer sees the same snapshot; its decision is only recorded. */
  place(snapshot: PacingSnapshot, nowMs: AtMs): Placing {
    if (snapshot.agents !== this.#agents) this.#resize(snapshot.agents)
    this.placing = this.#inUse.pacer.place(snapshot, this.#inUse.memory)
    this.shadowed = this.#shadow?.pacer.place(snapshot, this.#shadow.memory)
    this.stats.decided(this.placing, this.shadowed, nowMs)
    return this.placing
  }

  learn(fact: PacingFact, nowMs: AtMs): void {
    this.#learnt = learnFact(this.#learnt, fact, nowMs)
    for (const hand of [this.#inUse, this.#shadow]) {
      if (hand) hand.memory = hand.pace === 'price' ? this.#learnt : hand.pacer.learn(hand.memory, fact, nowMs)
    }
  }

  /** What is to be stored; undefined when nothing is new since the last call. */
  toKeep(): object | undefined {
    if (this.#learnt.known === this.#keptAtFact) return undefined
    this.#keptAtFact = this.#learnt.known
    return { ...keptLearning(this.#learnt), account: this.stats.hours }
  }

  #take(pace: Pace): Hand {
    const campaign = this.#campaign
    return { pace, pacer: pacerFor(pace, campaign, this.#agents), memory: memoryFor(pace, campaign, this.#learnt) }
  }

  /** Where agents place every line, there is nothing to compare. */
  #shadowOf({ shadowPacing }: Campaign): Hand | undefined {
    return shadowPacing === undefined || this.pace === 'manual' ? undefined : this.#take(shadowPacing)
  }

  #resize(agents: number): void {
    this.#agents = agents
    for (const hand of [this.#inUse, this.#shadow]) {
      if (hand) hand.pacer = pacerFor(hand.pace, this.#campaign, agents)
    }
  }
}
