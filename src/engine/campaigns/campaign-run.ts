/** One campaign while it dials: its pace, its answered calls for the ledgers, its lines. */
import type { Campaign } from '../../dialer/campaign.ts'
import { type Trial, trialOf, whyFailing, withTrial } from '../../dialer/failing-campaign.ts'
import type { JointLedger } from '../../dialer/joint-ledger.ts'
import type { LedgerRule, LedgerState, LiveLines, Tally } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { PacingFact } from '../../dialer/pacing/pacer.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AttemptId, CallTaskId } from '../../kernel/ids.ts'
import type { TriedAttempt } from '../../ports/attempt.ts'
import type { StoredCampaign } from '../../ports/dialer-repository.ts'
import { type AnswerCounts, pageName } from './answer-counts.ts'
import { CampaignPace } from './campaign-pace.ts'

/** What a campaign did before this engine knew of it. */
export interface CampaignPast {
  /** Where its answered calls are counted, with those of all others. */
  readonly counts: AnswerCounts
  /** Its latest attempts since it was made active. */
  readonly tried: readonly TriedAttempt[]
  /** What its pace kept when an engine last had it. */
  readonly learning?: unknown
}

/** Until the past of a ledger is known, only lines that agents cover are placed. */
const NO_CREDIT: Tally = { answered: 0, abandoned: 0 }

/** Mutable state with a lifetime, hence a class. */
export class CampaignRun {
  campaign: Campaign
  stored: StoredCampaign
  /** Lines wished for in a claim whose answer is not there yet: they count as out. */
  claiming = 0
  /** Tasks that may only be dialed for an agent who stands by (D-12, after a dropped call). */
  readonly needAgent = new Set<CallTaskId>()
  readonly pace: CampaignPace
  /** Why the task that was looked at last was not dialed. */
  refused: Reason | undefined
  /** Nothing is due before then, unless somebody says otherwise: a claim found nothing. */
  quietUntilAtMs: AtMs = 0
  /** The turn of the engine in which tasks were last asked for. */
  askedAtTurn = 0
  readonly #counts: AnswerCounts
  #trials: readonly Trial[]
  #isStopped = false

  constructor(stored: StoredCampaign, campaign: Campaign, past: CampaignPast) {
    this.stored = stored
    this.campaign = campaign
    this.#counts = past.counts
    // Nobody knows any more whether its carrier failed for everybody then.
    this.#trials = past.tried.flatMap((attempt) => trialOf(attempt, true) ?? [])
    this.pace = new CampaignPace(campaign, past.learning)
  }

  /** Follows a change of the campaign. */
  follow(stored: StoredCampaign, campaign: Campaign): void {
    if (stored.activeSinceAtMs !== this.stored.activeSinceAtMs) {
      this.#trials = []
      this.#isStopped = false
    }
    this.stored = stored
    // The records may not know yet that it paused itself.
    this.campaign = this.#isStopped ? { ...campaign, isActive: false } : campaign
    this.pace.follow(campaign)
  }

  /** Whether lines are placed for it without anybody asking. */
  get isAutomatic(): boolean {
    return this.campaign.isActive && this.campaign.mode !== 'manual' && this.campaign.mode !== 'preview'
  }

  /** It paused itself: until it is made active again no further line is placed. Lines that are out go on. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Why it must pause itself; undefined: it need not, or has done so, or is not active at all. */
  get whyFailing(): string | undefined {
    return this.campaign.isActive ? whyFailing(this.#trials) : undefined
  }

  /** An attempt of its is over. What was claimed before it was made active again does not count any more. */
  tried(attempt: TriedAttempt, isCarrierDown: boolean): void {
    const trial = attempt.claimedAtMs < this.stored.activeSinceAtMs ? undefined : trialOf(attempt, isCarrierDown)
    if (trial) this.#trials = withTrial(this.#trials, trial)
  }

  /** From now on no further line is placed, whatever the records say of it, until it is made active again. */
  stop(): void {
    this.#isStopped = true
    this.campaign = { ...this.campaign, isActive: false }
  }

  /** Every ledger that it is under, with what that counts now. */
  ledgers(live: LiveLines, nowAtMs: AtMs): LedgerState[] {
    return this.campaign.ledgers.map((rule) => ({ ...this.#counted(rule, nowAtMs), live }))
  }

  /** Whether a ledger of its counts the calls of others too. */
  get hasWideLedger(): boolean {
    return this.campaign.ledgers.some(({ scope }) => scope !== 'campaign')
  }

  /** Its ledgers among those of others: each with the places of the campaigns whose calls it counts. */
  jointLedgers(runs: readonly CampaignRun[], nowAtMs: AtMs): JointLedger[] {
    return this.campaign.ledgers.map((rule) => {
      const scope = pageName(rule.scope, this)
      const members = runs.flatMap((run, place) => (pageName(rule.scope, run) === scope ? [place] : []))
      return { ...this.#counted(rule, nowAtMs), members }
    })
  }

  /** Of a cap a line is worth something by itself, even without an answer so far: without its past there is none. */
  #counted(rule: LedgerRule, nowAtMs: AtMs): Pick<LedgerState, 'rule' | 'tally'> {
    const tally = this.#counts.tally(rule, this, nowAtMs)
    return tally ? { rule, tally } : { rule: { ...rule, capBasisPoints: 0 }, tally: NO_CREDIT }
  }

  /** Somebody or something answered. */
  answered(attempt: AttemptId, isMachine: boolean, nowAtMs: AtMs): void {
    this.#counts.answered(this, attempt, isMachine, nowAtMs)
  }

  /** A person answered for whom nobody is there: abandoned from now on, not only when the message has been heard. */
  abandoned(attempt: AttemptId, nowAtMs: AtMs): void {
    this.#counts.abandoned(this, attempt, nowAtMs)
  }

  /** What became of it: an abandoned call is a person whom we dropped. */
  resolved(attempt: AttemptId, isMachine: boolean, isAbandoned: boolean, nowAtMs: AtMs): void {
    // Also whom nobody saw answer: when it crossed our wish to hang up, or while no engine was there.
    if (isAbandoned) this.abandoned(attempt, nowAtMs)
    if (!this.#counts.resolved(attempt, isMachine, isAbandoned) || isMachine) return
    this.learn({ type: 'answer.resolved', isAbandoned }, nowAtMs)
  }

  /** The gate did not let one of its tasks pass. */
  refuses(why: Reason, nowAtMs: AtMs): void {
    this.refused = why
    this.pace.stats.refused(why, nowAtMs)
  }

  /** Something that its pacer learns from. */
  learn(fact: PacingFact, nowAtMs: AtMs): void {
    this.pace.learn(fact, nowAtMs)
  }
}
