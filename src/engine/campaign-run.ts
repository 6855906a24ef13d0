/** One campaign while it dials: its pace, its answered calls for the ledgers, its lines. */
import type { Campaign } from '../dialer/campaign.ts'
import { type Trial, trialOf, whyFailing, withTrial } from '../dialer/failing-campaign.ts'
import {
  type AnsweredCall,
  type LedgerRule,
  type LedgerState,
  type LiveLines,
  type Tally,
  tallyOf,
  windowBeginAtMs,
} from '../dialer/ledger.ts'
import type { Reason } from '../dialer/may-dial-now.ts'
import type { PacingFact } from '../dialer/pacing/pacer.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { AttemptId, TriedAttempt } from '../ports/attempt.ts'
import type { CallTaskId } from '../ports/call-task.ts'
import type { StoredCampaign } from '../ports/records.ts'
import { CampaignPace } from './campaign-pace.ts'

/** An answered call while it may still be found to be a machine's, or be abandoned. */
interface Answered {
  answeredAtMs: AtMs
  isMachine: boolean
  isAbandoned: boolean
}

/** What a campaign did before this engine knew of it. */
export interface CampaignPast {
  /** The answered calls that its ledgers still count. */
  readonly answered: readonly AnsweredCall[]
  /** Its latest attempts since it was made active. */
  readonly tried: readonly TriedAttempt[]
  /** What its pace kept when an engine last had it. */
  readonly learning?: unknown
}

const NO_CREDIT: Tally = { answered: 0, abandoned: 0 }
/** Tallies reach no further back than the longest window that any law asks for. */
const WINDOW_MAX_MS = 31 * 24 * 3_600_000

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
  #answered: Answered[]
  readonly #open = new Map<AttemptId, Answered>()
  readonly #tallies = new Map<LedgerRule, Tally>()
  #talliedAtMs: AtMs | undefined
  #trials: readonly Trial[]
  #isStopped = false

  constructor(stored: StoredCampaign, campaign: Campaign, past: CampaignPast) {
    this.stored = stored
    this.campaign = campaign
    this.#answered = past.answered.map((call) => ({ ...call }))
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

  /** `isShared`: others rely on the same agents, so that no credit is used: only covered lines are placed. */
  ledgers(live: LiveLines, nowAtMs: AtMs, isShared: boolean): LedgerState[] {
    return this.campaign.ledgers.map((rule) => ({
      // Of a cap a line is worth something by itself, even without an answer so far.
      rule: isShared ? { ...rule, capBasisPoints: 0 } : rule,
      live,
      tally: isShared ? NO_CREDIT : this.#tally(rule, nowAtMs),
    }))
  }

  /** Counted once for each instant: it is asked for every task that is judged. */
  #tally(rule: LedgerRule, nowAtMs: AtMs): Tally {
    if (this.#talliedAtMs !== nowAtMs) this.#tallies.clear()
    this.#talliedAtMs = nowAtMs
    const known = this.#tallies.get(rule)
    if (known) return known
    const tally = tallyOf(rule, this.#answered, nowAtMs)
    this.#tallies.set(rule, tally)
    return tally
  }

  /** Somebody or something answered. */
  answered(attempt: AttemptId, isMachine: boolean, nowAtMs: AtMs): void {
    this.#talliedAtMs = undefined
    const known = this.#open.get(attempt)
    if (known) known.isMachine = isMachine
    else this.#open.set(attempt, this.#count({ answeredAtMs: nowAtMs, isMachine, isAbandoned: false }))
  }

  /** A person answered for whom nobody is there: abandoned from now on, not only when the message has been heard. */
  abandoned(attempt: AttemptId, nowAtMs: AtMs): void {
    this.#talliedAtMs = undefined
    this.answered(attempt, false, nowAtMs)
    const known = this.#open.get(attempt)
    if (known) known.isAbandoned = true
  }

  /** What became of it: an abandoned call is a person whom we dropped. */
  resolved(attempt: AttemptId, isMachine: boolean, isAbandoned: boolean, nowAtMs: AtMs): void {
    // Also whom nobody saw answer: when it crossed our wish to hang up, or while no engine was there.
    if (isAbandoned) this.abandoned(attempt, nowAtMs)
    const known = this.#open.get(attempt)
    if (!known) return
    this.#talliedAtMs = undefined
    this.#open.delete(attempt)
    known.isMachine = isMachine
    known.isAbandoned = isAbandoned
    if (!isMachine) this.learn({ type: 'answer.resolved', isAbandoned }, nowAtMs)
  }

  /** The gate did not let one of its tasks pass. */
  refuses(why: Reason, nowAtMs: AtMs): void {
    this.refused = why
    this.pace.book.refused(why, nowAtMs)
  }

  /** Something that its pacer learns from. */
  learn(fact: PacingFact, nowAtMs: AtMs): void {
    this.pace.learn(fact, nowAtMs)
  }

  #count(call: Answered): Answered {
    // In the order of time: what is too old stands in front.
    const tooOld = this.#answered.findIndex(({ answeredAtMs }) => answeredAtMs >= call.answeredAtMs - WINDOW_MAX_MS)
    if (tooOld > 0) this.#answered = this.#answered.slice(tooOld)
    this.#answered.push(call)
    return call
  }
}

/** From when on answered calls matter to a campaign's rules. */
export function talliesFromAtMs(rules: readonly LedgerRule[], nowAtMs: AtMs): AtMs {
  const begins = rules.map(({ window }) => windowBeginAtMs(window, nowAtMs))
  return Math.max(nowAtMs - WINDOW_MAX_MS, Math.min(nowAtMs, ...begins))
}
