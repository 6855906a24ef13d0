/** One campaign while it dials: its pace, and its answered calls for the ledgers. */
import type { Campaign } from '../../dialer/campaign.ts'
import { type Trial, trialOf, whyFailing, withTrial } from '../../dialer/failing-campaign.ts'
import type { JointLedger } from '../../dialer/joint-ledger.ts'
import type { LedgerRule, LedgerState, LiveLines, Tally } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { PacingFact } from '../../dialer/pacing/pacer-interface.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AttemptId, CallTaskId } from '../../kernel/ids.ts'
import type { TriedAttempt } from '../../ports/attempt.ts'
import type { StoredCampaign } from '../../ports/dialer-repository.ts'
import { type AnswerCounts, pageName } from './answer-counts.ts'
import { CampaignPace } from './campaign-pace.ts'

export interface CampaignPast {
  readonly counts: AnswerCounts
  readonly tried: readonly TriedAttempt[]
  readonly learning?: unknown
}

/** Until a ledger's past is known, only lines that idle agents cover are placed. */
const NO_CREDIT: Tally = { answered: 0, abandoned: 0 }

/** The state of one campaign. */
export class CampaignRun {
  campaign: Campaign
  stored: StoredCampaign
  /** Lines requested in a claim that is not answered yet: they count as placed. */
  claiming = 0
  /** Tasks that may only be dialed for a reserved agent (D-12, after an abandoned call). */
  readonly needAgent = new Set<CallTaskId>()
  readonly pace: CampaignPace
  refused: Reason | undefined
  /** A claim found nothing: nothing is due before then, unless tasks change. */
  quietUntilAtMs: AtMs = 0
  askedAtTurn = 0
  readonly #counts: AnswerCounts
  #trials: readonly Trial[]
  #isStopped = false

  constructor(stored: StoredCampaign, campaign: Campaign, past: CampaignPast) {
    this.stored = stored
    this.campaign = campaign
    this.#counts = past.counts
    // The state of the trunk at that time is unknown.
    this.#trials = past.tried.flatMap((attempt) => trialOf(attempt, true) ?? [])
    this.pace = new CampaignPace(campaign, past.learning)
  }

  follow(stored: StoredCampaign, campaign: Campaign): void {
    if (stored.activeSinceAtMs !== this.stored.activeSinceAtMs) {
      this.#trials = []
      this.#isStopped = false
    }
    this.stored = stored
    // The database may not know yet that the campaign paused itself.
    this.campaign = this.#isStopped ? { ...campaign, isActive: false } : campaign
    this.pace.follow(campaign)
  }

  get isAutomatic(): boolean {
    return this.campaign.isActive && this.campaign.mode !== 'manual' && this.campaign.mode !== 'preview'
  }

  /** It paused itself: no further line is placed until it is activated again. Lines in flight go on. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Why it must pause itself; undefined: it need not, has done so, or is not active. */
  get whyFailing(): string | undefined {
    return this.campaign.isActive ? whyFailing(this.#trials) : undefined
  }

  /** Counts an ended attempt. Attempts claimed before the last activation do not count. */
  tried(attempt: TriedAttempt, isCarrierDown: boolean): void {
    const trial = attempt.claimedAtMs < this.stored.activeSinceAtMs ? undefined : trialOf(attempt, isCarrierDown)
    if (trial) this.#trials = withTrial(this.#trials, trial)
  }

  /** No further line is placed until it is activated again, whatever the database says. */
  stop(): void {
    this.#isStopped = true
    this.campaign = { ...this.campaign, isActive: false }
  }

  ledgers(live: LiveLines, nowAtMs: AtMs): LedgerState[] {
    return this.campaign.ledgers.map((rule) => ({ ...this.#counted(rule, nowAtMs), live }))
  }

  get hasWideLedger(): boolean {
    return this.campaign.ledgers.some(({ scope }) => scope !== 'campaign')
  }

  /** Its ledgers, each with the indexes in `runs` of the campaigns whose calls it counts. */
  jointLedgers(runs: readonly CampaignRun[], nowAtMs: AtMs): JointLedger[] {
    return this.campaign.ledgers.map((rule) => {
      const scope = pageName(rule.scope, this)
      const members = runs.flatMap((run, place) => (pageName(rule.scope, run) === scope ? [place] : []))
      return { ...this.#counted(rule, nowAtMs), members }
    })
  }

  /** A cap allows some lines even without answers; without its past it allows none. */
  #counted(rule: LedgerRule, nowAtMs: AtMs): Pick<LedgerState, 'rule' | 'tally'> {
    const tally = this.#counts.tally(rule, this, nowAtMs)
    return tally ? { rule, tally } : { rule: { ...rule, capBasisPoints: 0 }, tally: NO_CREDIT }
  }

  answered(attempt: AttemptId, isMachine: boolean, nowAtMs: AtMs): void {
    this.#counts.answered(this, attempt, isMachine, nowAtMs)
  }

  /** A person answered without an agent: abandoned from now on, not only after the message. */
  abandoned(attempt: AttemptId, nowAtMs: AtMs): void {
    this.#counts.abandoned(this, attempt, nowAtMs)
  }

  /** The result of an answered call is known; an abandoned call dropped a person. */
  resolved(attempt: AttemptId, isMachine: boolean, isAbandoned: boolean, nowAtMs: AtMs): void {
    // Also when no event told the answer: it crossed our hang-up, or no engine was there.
    if (isAbandoned) this.abandoned(attempt, nowAtMs)
    if (!this.#counts.resolved(attempt, isMachine, isAbandoned) || isMachine) return
    this.learn({ type: 'answer.resolved', isAbandoned }, nowAtMs)
  }

  refuses(why: Reason, nowAtMs: AtMs): void {
    this.refused = why
    this.pace.stats.refused(why, nowAtMs)
  }

  learn(fact: PacingFact, nowAtMs: AtMs): void {
    this.pace.learn(fact, nowAtMs)
  }
}
