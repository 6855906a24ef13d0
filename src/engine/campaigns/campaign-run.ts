/** One campaign while it dials: its pace, and its answered calls for the ledgers. */
import type { AnsweredCall } from '../../dialer/answer-window.ts'
import type { Campaign } from '../../dialer/campaign.ts'
import { NOTHING_MEASURED } from '../../dialer/detection-error.ts'
import { type Trial, trialOf, whyFailing, withTrial } from '../../dialer/failing-campaign.ts'
import type { JointLedger } from '../../dialer/joint-ledger.ts'
import type { LedgerRule, LedgerState, LiveLines, Tally } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { PacingFact } from '../../dialer/pacing/pacer-interface.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { CallTaskId, PhoneNumber } from '../../kernel/ids.ts'
import type { Claim, DetectionCounts, TriedAttempt } from '../../ports/attempt.ts'
import type { StoredCampaign } from '../../ports/dialer-repository.ts'
import type { Greeting } from '../../ports/pbx.ts'
import { type AnswerCounts, callsCounted } from './answer-counts.ts'
import { CampaignPace } from './campaign-pace.ts'
import { TaskMix } from './task-mix.ts'

export interface CampaignPast {
  readonly counts: AnswerCounts
  readonly tried: readonly TriedAttempt[]
  readonly learning?: unknown
}

/** An answered call, and the caller id that it showed. */
export interface AnsweredLine extends AnsweredCall {
  readonly callerId: PhoneNumber
}

/** Until a ledger's past is known, only lines that idle agents cover are placed. */
const NO_CREDIT: Tally = { answered: 0, abandoned: 0 }

/** The state of one campaign. */
export class CampaignRun {
  campaign: Campaign
  stored: StoredCampaign
  /** Lines requested in a claim that is not answered yet: they count as placed. */
  claiming = 0
  /** Numbers beside the first one of each task in such a claim. */
  claimingBeside = 0
  /** Tasks that may only be dialed for a reserved agent (D-12, after an abandoned call). */
  readonly needAgent = new Set<CallTaskId>()
  readonly pace: CampaignPace
  readonly mix = new TaskMix()
  /** How often machine detection was wrong, as of the latest load. */
  detection: DetectionCounts = NOTHING_MEASURED
  /** The greetings of its corporation, as of the latest load. */
  greetings: readonly Greeting[] = []
  refused: Reason | undefined
  /** Undefined: something was due at the latest claim. Null: no call task waits. */
  nextDueAtMs: AtMs | null | undefined
  /** A claim found nothing: nothing is due before then, unless tasks change. */
  quietUntilAtMs: AtMs = 0
  askedAtTurn = 0
  /** The staff that its latest claim relies on (`TeamMembership`). */
  staffing = 0
  readonly #counts: AnswerCounts
  #trials: readonly Trial[] = []
  #isStopped = false
  #lost = 0

  constructor(stored: StoredCampaign, campaign: Campaign, past: CampaignPast) {
    this.stored = stored
    this.campaign = campaign
    this.#counts = past.counts
    this.triedBefore(past.tried)
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

  /** Its own abandoned calls since this engine began, whatever its ledgers count (rest-54). */
  get lost(): number {
    return this.#lost
  }

  /** Why it must pause itself; undefined: it need not, has done so, or is not active. */
  get whyFailing(): string | undefined {
    return this.campaign.isActive ? whyFailing(this.#trials) : undefined
  }

  /** Takes the latest attempts of the database for all that were made. */
  triedBefore(tried: readonly TriedAttempt[]): void {
    // The state of the trunk at that time is unknown.
    this.#trials = tried.flatMap((attempt) => trialOf(attempt, true) ?? [])
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
      const counted = runs.map((run) => callsCounted(rule.scope, this, run))
      const members = counted.flatMap((calls, place) => (calls === 'none' ? [] : [place]))
      const inPart = members.filter((place) => counted[place] === 'some')
      return { ...this.#counted(rule, nowAtMs), members, inPart }
    })
  }

  /** A cap allows some lines even without answers; without its past it allows none. */
  #counted(rule: LedgerRule, nowAtMs: AtMs): Pick<LedgerState, 'rule' | 'tally'> {
    const tally = this.#counts.tally(rule, this, nowAtMs)
    return tally ? { rule, tally } : { rule: { ...rule, capBasisPoints: 0 }, tally: NO_CREDIT }
  }

  answered(call: AnsweredLine): void {
    this.#note(call, {})
  }

  /** A person answered without an agent: abandoned from now on, not only after the message. */
  abandoned(call: AnsweredLine): void {
    this.#note(call, { isAbandoned: true })
  }

  /** The result of an answered call is known; an abandoned call dropped a person. */
  resolved(call: AnsweredLine, isMachine: boolean, isAbandoned: boolean, nowAtMs: AtMs): void {
    const { isNew } = this.#note(call, { isMachine, isAbandoned })
    // A callee who hung up before an agent was asked for says nothing about agents.
    if (isMachine || (isNew && !isAbandoned)) return
    this.learn({ type: 'answer.resolved', isAbandoned }, nowAtMs)
  }

  /** The agent says that a machine answered, in the call or after it: the line of that age did not reach a person. */
  calledMachine(call: AnsweredLine, ageMs: number, nowAtMs: AtMs): void {
    if (this.#note(call, { isMachine: true }).isNewMachine) this.learn({ type: 'answer.machine', ageMs }, nowAtMs)
  }

  /** The caller id that was shown decides which ledger counts the call. */
  #note({ callerId, ...call }: AnsweredLine, known: Parameters<AnswerCounts['note']>[2]) {
    const noted = this.#counts.note({ stored: this.stored, campaign: { callerId } }, call, known)
    if (noted.isNewLoss) this.#lost++
    return noted
  }

  refuses(why: Reason, nowAtMs: AtMs): void {
    this.refused = why
    this.pace.stats.refused(why, nowAtMs)
  }

  learn(fact: PacingFact, nowAtMs: AtMs): void {
    this.pace.learn(fact, nowAtMs)
  }
}

/** The version of the settings by which the gate decides for this campaign now, and what it takes first. */
export function decidedBy({ campaign, mix, stored }: CampaignRun): Pick<Claim, 'settingsVersion' | 'first'> {
  const { settingsVersion } = stored
  const first = mix.first(campaign.newPercent)
  return { ...(settingsVersion === undefined ? {} : { settingsVersion }), ...(first === undefined ? {} : { first }) }
}
