/** How one campaign is paced: the pacer in use, and what the campaign has learnt, whatever its mode. */
import type { Campaign } from '../dialer/campaign.ts'
import { type Learnt, learnFact, nothingLearnt } from '../dialer/pacing/laws.ts'
import type { Pacer, PacingFact, PacingSnapshot, Placing } from '../dialer/pacing/pacer.ts'
import { memoryFor, type Pace, paceOf, pacerFor } from '../dialer/pacing/paces.ts'
import type { AtMs } from '../kernel/clock.ts'

/** Mutable state with a lifetime, hence a class. */
export class CampaignPace {
  /** The last decision, for boards: how many lines, and why not more. */
  placing: Placing = { lines: 0, why: 'noIdleAgent' }
  #campaign: Campaign
  #pace: Pace
  #pacer: Pacer<unknown>
  #memory: unknown
  /** The steps of one algorithm depend on the size of the team, as it was at the last decision. */
  #agents = 1
  /** Kept in every mode, so that a campaign whose mode is changed need not begin to learn. */
  #learnt: Learnt = nothingLearnt()

  constructor(campaign: Campaign) {
    this.#campaign = campaign
    this.#pace = paceOf(campaign, 'price')
    this.#pacer = pacerFor(this.#pace, campaign, this.#agents)
    this.#memory = memoryFor(this.#pace, campaign, this.#learnt)
  }

  /** Follows a change of the campaign. What was learnt stays. */
  follow(campaign: Campaign): void {
    this.#campaign = campaign
    const pace = paceOf(campaign, 'price')
    this.#pacer = pacerFor(pace, campaign, this.#agents)
    if (pace !== this.#pace) this.#memory = memoryFor(pace, campaign, this.#learnt)
    this.#pace = pace
  }

  /** Whether its pacer forecasts, and therefore looks more often than others. */
  get isForecasting(): boolean {
    return this.#pace === 'price' || this.#pace === 'risk'
  }

  /** What its lines and agents have taught it. */
  get learnt(): Learnt {
    return this.#learnt
  }

  place(snapshot: PacingSnapshot): Placing {
    if (snapshot.agents !== this.#agents) {
      this.#agents = snapshot.agents
      this.#pacer = pacerFor(this.#pace, this.#campaign, this.#agents)
    }
    this.placing = this.#pacer.place(snapshot, this.#memory)
    return this.placing
  }

  learn(fact: PacingFact, nowAtMs: AtMs): void {
    this.#learnt = learnFact(this.#learnt, fact, nowAtMs)
    this.#memory = this.#pace === 'price' ? this.#learnt : this.#pacer.learn(this.#memory, fact, nowAtMs)
  }
}
