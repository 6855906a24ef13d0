/**
 * The robot: it asks each campaign's pacer how many lines to place, claims so many due tasks, and dials what the
 * records have committed (law 6). It dials only while everything it relies on is known to be well (R8).
 */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { decideTask } from '../../dialer/decide-task.ts'
import type { LiveLines } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import { shiftLeftMs } from '../../dialer/time-left-in-shift.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, AttemptId, CallTaskId, CampaignId, Fence } from '../../kernel/ids.ts'
import type { AttemptEnd, ClaimedAttempt, ClaimMoment, DueTask, NodeLease, Verdict } from '../../ports/attempt.ts'
import { DatabaseUnavailable, type DialerRepository } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext, TrunkLimits } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import { AgentAllocation } from './agent-allocation.ts'
import { attemptEndOf, finishedCallOf } from './attempt-outcome.ts'
import { AttemptRunner } from './attempt-runner.ts'
import type { AttemptGroup, LiveAttempt } from './live-attempt.ts'
import { pacingAges } from './pacing-ages.ts'
import { PacingObservations } from './pacing-observations.ts'
import { isPaced, linesLeft } from './trunk-limits.ts'
import { type Allowed, linesOf, Trunks } from './trunk-load.ts'
import { unserved } from './unstaffed-attempts.ts'

/** What dialing is made of, beside the rooms. */
export interface CallPlacerOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  /** The lease, as long as it is for certain ours. */
  readonly lease: () => NodeLease | undefined
  /** The newest fence that was ours. */
  readonly fence: () => Fence
  /** Something that was asked of the records may or may not have happened. */
  readonly onDoubt: () => void
  /** The carrier of that name, or the first one. */
  readonly trunk: (name: string | undefined) => TrunkLimits | undefined
  /** A name for an event, never given before. */
  readonly eventName: () => string
  /** An agent is on the line with somebody we called. */
  readonly onConnected: (live: LiveAttempt) => void
  readonly onEnded: (live: LiveAttempt, report: AttemptReport) => void
  /** The carrier bears more in a moment: think it over again then. */
  readonly onPaced: () => void
  /** Agents who are idle may be offered a task to look at. */
  readonly offerPreviews: () => void
  /** Agents for whom a task to look at is being looked for: nothing is dialed for them. */
  readonly isKept: (agent: AgentName) => boolean
}

/** Somebody asks for a line of their own. */
export interface ByHand {
  readonly agent: AgentName
  readonly task: CallTaskId
}

/** No task was due: whoever imports some tells us, this is for the night. */
const NOTHING_DUE_MS = 2_000
const BY_HAND = { lines: 1, why: 'byHand' } as const
/** The carrier bears no more for a moment: nothing is wrong with the tasks. */
const PASSES_SOON: ReadonlySet<Reason | 'unavailable'> = new Set(['trunkFull', 'trunkTooFast'])
const SOON_MS = 100

/** Mutable state with a lifetime, hence a class. */
export class CallPlacer {
  readonly lines: AttemptRunner
  readonly campaigns = new Map<CampaignId, CampaignRun>()
  readonly pacingObservations = new PacingObservations()
  readonly #context: EngineContext
  readonly #options: CallPlacerOptions
  readonly #trunks: Trunks
  /** Open attempts of the past are settled, and nothing is in doubt. */
  #isSettled = false
  #isSwitchUp = false
  #isDirty = false
  #turn = 0

  constructor(context: EngineContext, options: CallPlacerOptions) {
    this.#context = context
    this.#options = options
    this.lines = new AttemptRunner(context, {
      attemptEnded: (live, report) => this.#attemptEnded(live, report),
      connected: (live) => this.#connected(live),
      adopted: (live) => options.onConnected(live),
      moved: (live, from, to) => this.pacingObservations.moved(live, from, to, this.#nowMs()),
      changed: () => this.consider(),
    })
    this.#trunks = new Trunks(this.lines, options.trunk)
  }

  /** What is placed is thought over at the end of this turn. */
  consider(): void {
    this.#isDirty = true
  }

  /** Dialing may begin, or must stop: the past is settled, or something about it is in doubt. */
  settled(isSettled: boolean): void {
    this.#isSettled = isSettled
    this.consider()
  }

  switchIsUp(isUp: boolean): void {
    this.#isSwitchUp = isUp
    this.consider()
  }

  /** Whether everything is well that dialing relies on. */
  get isWell(): boolean {
    const { recordWriter, lease } = this.#options
    return this.#isSettled && this.#isSwitchUp && !recordWriter.isBehind && lease() !== undefined
  }

  /** Whether the answer to a claim is still under way. */
  get isClaiming(): boolean {
    return this.#trunks.claims.size > 0
  }

  /** At the end of every turn of the engine. */
  afterTurn(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    for (const live of unserved(this.lines, this.#context.distributor)) this.lines.cancel(live, 'cancel')
    const allocation = this.allocation()
    this.#updateDistributor(allocation)
    if (!this.isWell) return
    this.#turn++
    // Turn about: whoever looks at a task before they dial it must not wait for ever behind those who need not.
    if (this.#turn % 2 === 0) this.#options.offerPreviews()
    for (const run of this.#inTurn()) this.#place(run, allocation)
    this.#updateDistributor(allocation)
  }

  /** Tasks were imported, ended or changed: whoever found nothing due looks again. */
  tasksChanged(): void {
    for (const run of this.campaigns.values()) run.quietUntilAtMs = 0
    this.consider()
  }

  /** Takes back what nobody has answered yet. */
  takeBack(attempts: readonly AttemptId[]): void {
    for (const attempt of attempts) {
      const live = this.lines.of(attempt)
      if (live) this.lines.cancel(live, 'cancel')
    }
  }

  /** Dials one task for the agent who waits for it. `done` hears whether a line was placed, and why not. */
  dialByHand(run: CampaignRun, byHand: ByHand, done: (why: Reason | 'unavailable' | undefined) => void): void {
    if (!this.isWell) return done('unavailable')
    this.#claim(run, 1, byHand, done)
  }

  /** Asked inside a claim or a reservation: may this task be dialed now? */
  judge(run: CampaignRun, task: DueTask, moment: ClaimMoment, agent: AgentName | undefined, permitted: number) {
    const nowMs = this.#nowMs()
    const allocation = this.allocation()
    const live = allocation.of(run)
    // What this claim is allowed already is out; the rest of its wish is not yet.
    const now = { ...live, inFlight: live.inFlight - run.claiming + permitted }
    const trunk = this.#trunks.of(run)
    return decideTask(task, moment, {
      campaign: run.campaign,
      engineNowAtMs: nowMs,
      holdsLease: this.isWell,
      trunk: this.#trunks.useOf(run, nowMs),
      isCallerIdOurs: trunk?.callerIds.includes(run.campaign.callerId) ?? false,
      reservedAgent: agent,
      live: now,
      // A ledger that is not there is a full one.
      ledgers: allocation.stood(run, 1, nowMs, permitted) > 0 ? run.ledgers(now, nowMs) : [],
      placing: agent === undefined ? run.pace.placing : BY_HAND,
    })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }

  /** Whoever has waited longest comes first: a carrier's pace may leave room for one of them at a time. */
  #inTurn(): CampaignRun[] {
    const runs = [...this.campaigns.values()].filter((run) => run.isAutomatic)
    return runs.sort((one, other) => one.askedAtTurn - other.askedAtTurn)
  }

  #place(run: CampaignRun, allocation: AgentAllocation): void {
    const nowMs = this.#nowMs()
    if (run.claiming > 0 || nowMs < run.quietUntilAtMs) return
    const use = this.#trunks.useOf(run, nowMs)
    const live = allocation.of(run)
    const { team, linesPerAgentMax } = run.campaign
    const snapshot = {
      agents: this.#context.distributor.readyIn(team),
      live,
      ledgers: run.ledgers(live, nowMs),
      linesFree: use ? linesLeft(use) : 0,
      linesPerAgentMax,
      wantedByHand: 0,
      ages: pacingAges(run, this.lines.all(), this.#context.distributor.sessionsIn(team), nowMs),
      shiftLeftMs: shiftLeftMs(run.campaign, nowMs),
    }
    const placing = run.pace.place(snapshot, nowMs)
    const lines = allocation.stood(run, placing.lines, nowMs)
    if (lines < placing.lines) run.pace.placing = { ...placing, lines, why: 'ledgerFull' }
    if (lines <= 0) {
      if (use && isPaced(use)) this.#options.onPaced()
      return
    }
    run.askedAtTurn = this.#turn
    if (this.#placeReserved(run, live)) return
    this.#claim(run, lines, undefined, (why) => {
      if (why !== undefined) run.quietUntilAtMs = this.#nowMs() + (PASSES_SOON.has(why) ? SOON_MS : NOTHING_DUE_MS)
    })
  }

  /** A person whom we dropped is called again only with an agent who stands by (D-12). */
  #placeReserved(run: CampaignRun, { idleAgents, inFlight, waiting }: LiveLines): boolean {
    const [task] = run.needAgent
    if (task === undefined || idleAgents - inFlight - waiting < 1) return false
    run.needAgent.delete(task)
    const agent = this.#context.distributor.reserveAny(run.campaign.team, this.#nowMs())
    if (agent === undefined) return false
    this.#claim(run, 1, { agent, task }, (why) => {
      if (why !== undefined) this.#unreserve(agent)
    })
    return true
  }

  #unreserve(agent: AgentName): void {
    this.#context.performDistributor(this.#context.distributor.unreserve(agent, this.#nowMs()))
    this.consider()
  }

  #claim(
    run: CampaignRun,
    tasksMax: number,
    byHand: ByHand | undefined,
    done: (why: Reason | 'unavailable' | undefined) => void,
  ): void {
    const { dialerRepository, lease: heldLease } = this.#options
    const lease = heldLease()
    if (!lease) return done('unavailable')
    const allowed: Allowed = { trunk: this.#trunks.of(run)?.name, wished: tasksMax, perTask: new Map() }
    const { perTask } = allowed
    let refused: Reason | undefined
    const decide = (task: DueTask, moment: ClaimMoment): Verdict => {
      perTask.delete(task.id)
      const judged = this.judge(run, task, moment, byHand?.agent, linesOf(allowed))
      if (judged.verdict.verdict === 'dial') perTask.set(task.id, judged.verdict.numbers.length)
      else if ('refused' in judged) {
        refused = judged.refused
        run.refuses(refused, moment.databaseAtMs)
        if (judged.refused === 'agentNeeded') run.needAgent.add(task.id)
      }
      return judged.verdict
    }
    const nowMs = this.#nowMs()
    const claimed = byHand ? 0 : tasksMax
    run.claiming += claimed
    this.#trunks.claims.add(allowed)
    const command = {
      lease,
      campaign: run.campaign.id,
      tasksMax,
      atMs: nowMs,
      dialedSinceAtMs: nowMs - run.campaign.frequencyCap.windowMs,
      ...(byHand && { only: byHand.task, agent: byHand.agent }),
      decide,
    }
    dialerRepository.claimDueTasks(command).then(
      (result) =>
        this.#context.enqueue(() => {
          run.claiming -= claimed
          this.#trunks.claims.delete(allowed)
          const attempts = result.outcome === 'claimed' ? result.attempts : []
          run.pace.stats.placed(attempts.length, byHand ? 'byHand' : run.pace.placing.why, this.#nowMs())
          this.#dial(run, attempts, byHand)
          done(attempts.length > 0 ? undefined : (refused ?? 'notYet'))
          this.consider()
        }),
      (error: unknown) =>
        this.#context.enqueue(() => {
          run.claiming -= claimed
          this.#trunks.claims.delete(allowed)
          this.#inDoubt(error)
          done('unavailable')
        }),
    )
  }

  /** What is committed is dialed, if everything is still well; else it ends unsent. */
  #dial(run: CampaignRun, attempts: readonly ClaimedAttempt[], byHand: ByHand | undefined): void {
    const groups = new Map<CallTaskId, AttemptGroup>()
    const lives = attempts.map((claimed) => {
      const { task, id, leg, activity, number, permit } = claimed
      const group = groups.get(task.id) ?? { task, attempts: [...task.attempts], open: new Set<AttemptId>() }
      groups.set(task.id, group)
      group.open.add(id)
      const { validUntilAtMs, givenAtMs } = permit as { validUntilAtMs: AtMs; givenAtMs: AtMs }
      const line = { attempt: id, leg, activity, number, claimedAtMs: givenAtMs, validUntilAtMs }
      return this.lines.begin({ ...line, campaign: run, group, byHand: byHand?.agent })
    })
    for (const live of lives) this.#permit(live)
  }

  #permit(live: LiveAttempt): void {
    const nowMs = this.#nowMs()
    const trunk = this.#trunks.of(live.campaign)
    const isAgentThere = live.byHand === undefined || this.#context.distributor.isReserved(live.byHand)
    const isWished = isAgentThere && !live.campaign.isStopped
    const isPermitted = this.isWell && nowMs <= live.validUntilAtMs && trunk !== undefined && isWished
    if (isPermitted) this.#trunks.pace.placed(trunk.name, nowMs)
    this.lines.permit(live, isPermitted)
  }

  /** A claim may or may not have been committed. Until we know, nobody else is dialed (F-D7). */
  #inDoubt(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) {
      this.#context.dependencies.log.error({ err: error }, 'a claim failed by our mistake')
    }
    this.#isSettled = false
    this.#options.onDoubt()
  }

  #connected(live: LiveAttempt): void {
    const { recordWriter, fence, onConnected } = this.#options
    const { attempt, agent, leg, campaign } = live
    // Also while the lease is away: nobody else may take a conversation for a person whom we let down.
    if (agent !== undefined) {
      const value = { attempt, fence: fence(), atMs: this.#nowMs(), agent }
      recordWriter.write({ key: leg, what: 'connected', value })
    }
    if (campaign.campaign.recording.mode === 'always') this.lines.record(live)
    onConnected(live)
  }

  #attemptEnded(live: LiveAttempt, report: AttemptReport): void {
    const { recordWriter, onEnded, eventName } = this.#options
    const { result, facts } = report
    this.pacingObservations.attemptEnded(live, report, this.#nowMs())
    if (facts.isMachine) live.campaign.answered(live.attempt, true, this.#nowMs())
    live.campaign.resolved(live.attempt, facts.isMachine, result === 'dropped', this.#nowMs())
    const trunk = this.#trunks.of(live.campaign)
    if (trunk && facts.reach !== 'nothing') {
      this.#trunks.pace.attemptEnded(trunk.name, result === 'failed' && facts.reach === 'sent', this.#nowMs())
    }
    const end = attemptEndOf(live, report, this.#options.fence(), live.seen.endedAtMs ?? this.#nowMs())
    this.tried(live, end)
    // What was never sent was no call: nobody is told of it.
    if (facts.reach === 'nothing') recordWriter.write({ key: live.leg, what: 'attemptEnded', value: end })
    else recordWriter.write({ key: live.leg, what: 'callEnded', value: finishedCallOf(live, end, eventName()) })
    for (const entry of live.afterwards) recordWriter.write(entry)
    // Another number of the task may still ring for the same agent.
    const isLast = live.group.open.size === 0
    if (live.byHand !== undefined && isLast && live.seen.connectedAtMs === undefined) this.#unreserve(live.byHand)
    onEnded(live, report)
  }

  /** An attempt is over: a campaign most of whose calls fail pauses itself (F-F7). */
  tried({ campaign, claimedAtMs }: Pick<LiveAttempt, 'campaign' | 'claimedAtMs'>, end: AttemptEnd): void {
    const trunk = this.#trunks.of(campaign)
    const isCarrierDown = trunk !== undefined && this.#trunks.pace.isFailing(trunk.name)
    campaign.tried({ ...end, claimedAtMs, endedAtMs: end.atMs }, isCarrierDown)
    this.stopWhereFailing(campaign)
  }

  /** Nobody is dialed for it from this moment on; the records are told until they know, by whichever engine. */
  stopWhereFailing(run: CampaignRun): void {
    const why = run.whyFailing
    if (why === undefined) return
    const { id: campaign, activeSinceAtMs } = run.stored
    this.#context.dependencies.log.error({ campaign, why }, 'a campaign paused itself: too many of its calls failed')
    const value = { campaign, activeSinceAtMs, why, atMs: this.#nowMs() }
    run.stop()
    this.#options.recordWriter.write({ key: `campaign-${campaign}`, what: 'paused', value })
  }

  /** Who of the agents is left for whom, now. */
  allocation(): AgentAllocation {
    return new AgentAllocation(this.#context, this.lines, () => this.campaigns.values(), this.#options.isKept)
  }

  /** Who of the agents may leave, and which callers may be served, depends on the lines that are out. */
  #updateDistributor(allocation: AgentAllocation): void {
    const { distributor, performDistributor } = this.#context
    performDistributor(distributor.linesOut(allocation.perTeam(), this.#nowMs(), allocation.placing()))
  }
}
