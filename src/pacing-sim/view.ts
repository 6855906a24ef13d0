/** The input object of a policy, over the state of the day: made once, changed in place. */
import type { LedgerState, LiveLines, Tally } from '../dialer/ledger.ts'
import type { PacingAges } from '../dialer/pacing/pacer-interface.ts'
import { type CampaignDay, ledgerOver } from './campaign-day.ts'
import { type Floor, IDLE, ON_BREAK, TALKING, TIMED_WRAP_UP, WRAPPING_UP } from './floor.ts'
import type { PolicyView } from './policy.ts'

const NO_CREDIT: Tally = { answered: 0, abandoned: 0 }

/** The ages of a campaign's lines and of all agents, computed when they are read. */
class Ages implements PacingAges {
  nowMs = 0
  readonly #floor: Floor
  readonly #campaign: CampaignDay

  constructor(floor: Floor, campaign: CampaignDay) {
    this.#floor = floor
    this.#campaign = campaign
  }

  get linesMs(): readonly number[] {
    const { inFlight, dialedAtMs } = this.#campaign.lines
    return inFlight.agesAt(this.nowMs, dialedAtMs)
  }

  get talksMs(): readonly number[] {
    return this.#floor.talks.agesAt(this.nowMs, this.#floor.sinceMs)
  }

  get wrapUpsMs(): readonly number[] {
    return this.#floor.wrapUps.agesAt(this.nowMs, this.#floor.sinceMs)
  }

  get wrapUpsLeftMs(): readonly number[] {
    return this.#floor.timedWrapUps.agesAt(this.nowMs, this.#floor.endsAtMs, -1)
  }
}

/** The view of one campaign, updated in place. */
export class View implements PolicyView {
  nowMs = 0
  agents = 0
  loggedIn = 0
  talking = 0
  wrappingUp = 0
  onBreak = 0
  linesFree = 0
  shiftLeftMs = 0
  readonly wantedByHand = 0
  readonly linesPerAgentMax: number
  readonly live: { -readonly [Key in keyof LiveLines]: number } = { inFlight: 0, waiting: 0, idleAgents: 0 }
  readonly ages: Ages
  ledgers: readonly LedgerState[]
  readonly #floor: Floor
  readonly #campaign: CampaignDay
  readonly #others: readonly CampaignDay[]
  readonly #own: readonly LedgerState[]
  readonly #withoutCredit: readonly LedgerState[]

  constructor(floor: Floor, campaign: CampaignDay, others: readonly CampaignDay[], linesPerAgentMax: number) {
    this.#floor = floor
    this.#campaign = campaign
    this.#others = others
    this.linesPerAgentMax = linesPerAgentMax
    this.ages = new Ages(floor, campaign)
    this.#own = [ledgerOver(campaign, this.live)]
    this.#withoutCredit = [{ ...ledgerOver(campaign, this.live), tally: NO_CREDIT }]
    this.ledgers = this.#own
  }

  get ringing(): number {
    const { postDialMs } = this.#campaign.scenario
    let ringing = 0
    for (const ageMs of this.ages.linesMs) if (ageMs >= postDialMs) ringing++
    return ringing
  }

  /**
   * Updates the view to now. Campaigns that share agents see the agents that the others leave, and no credit, as in
   * production.
   */
  refresh(nowMs: number, beginAtMs: number, dayMs: number): void {
    const { counts, size } = this.#floor
    const { inFlight, waiting } = this.#campaign.lines
    let others = 0
    for (const { lines } of this.#others) others += lines.inFlight.size + lines.waiting.length
    this.nowMs = beginAtMs + nowMs
    this.ages.nowMs = nowMs
    this.shiftLeftMs = dayMs - nowMs
    this.talking = counts[TALKING]!
    this.wrappingUp = counts[WRAPPING_UP]! + counts[TIMED_WRAP_UP]!
    this.onBreak = counts[ON_BREAK]!
    this.agents = counts[IDLE]! + this.talking + this.wrappingUp
    this.loggedIn = Math.min(size, this.agents + this.onBreak)
    this.live.inFlight = inFlight.size
    this.live.waiting = waiting.length
    this.live.idleAgents = Math.max(0, counts[IDLE]! - others)
    this.ledgers = others > 0 ? this.#withoutCredit : this.#own
  }
}
