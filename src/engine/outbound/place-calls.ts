/** Claims and dials what pacers ask for (law 6), only while everything it relies on is known to be well (R8). */
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { decideTask } from '../../dialer/decide-due-task.ts'
import type { LiveLines } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import { shiftLeftMs } from '../../dialer/time-left-in-shift.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, AttemptId, CallTaskId, CampaignId, Fence } from '../../kernel/ids.ts'
import type { ClaimedAttempt, ClaimMoment, DueTask, NodeLease, Verdict } from '../../ports/attempt.ts'
import { DatabaseUnavailable, type DialerRepository } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext, TrunkLimits } from '../context.ts'
import type { RecordWriter } from '../record-writer.ts'
import { AgentAllocation } from './agent-allocation.ts'
import { AttemptEnds } from './attempt-end.ts'
import { AttemptRunner } from './attempt-runner.ts'
import type { AttemptGroup, LiveAttempt } from './live-attempt.ts'
import { pacingAges } from './pacing-ages.ts'
import { PacingObservations } from './pacing-observations.ts'
import { isPaced, linesLeft } from './trunk-limits.ts'
import { type Allowed, linesOf, Trunks } from './trunk-load.ts'
import { unstaffedAttempts } from './unstaffed-attempts.ts'

export interface CallPlacerOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  /** The lease, as long as it is certainly ours. */
  readonly lease: () => NodeLease | undefined
  readonly fence: () => Fence
  readonly onDoubt: () => void
  /** The trunk of that name, or the first one. */
  readonly trunk: (name: string | undefined) => TrunkLimits | undefined
  readonly onConnected: (live: LiveAttempt) => void
  readonly onEnded: (live: LiveAttempt, report: AttemptReport) => void
  readonly onPaced: () => void
  readonly offerPreviews: () => void
  /** Agents for whom a preview task is being looked up: nothing is dialed for them. */
  readonly isKept: (agent: AgentName) => boolean
}

export interface ByHand {
  readonly agent: AgentName
  readonly task: CallTaskId
}

/** No task is due: imports wake the campaign, this is only for the passing of time. */
const NOTHING_DUE_MS = 2_000
const BY_HAND = { lines: 1, why: 'byHand' } as const
/** The trunk is full for a moment; the tasks are all right. */
const PASSES_SOON: ReadonlySet<Reason | 'unavailable'> = new Set(['trunkFull', 'trunkTooFast'])
const SOON_MS = 100

/** Decides about new lines at the end of each turn, and places them. */
export class CallPlacer {
  readonly attempts: AttemptRunner
  readonly campaigns = new Map<CampaignId, CampaignRun>()
  readonly pacingObservations = new PacingObservations()
  readonly attemptEnds: AttemptEnds
  readonly #context: EngineContext
  readonly #options: CallPlacerOptions
  readonly #trunks: Trunks
  #isSettled = false
  #isSwitchUp = false
  #isDirty = false
  #turn = 0

  constructor(context: EngineContext, options: CallPlacerOptions) {
    this.#context = context
    this.#options = options
    this.attempts = new AttemptRunner(context, {
      attemptEnded: (live, report) => this.attemptEnds.attemptEnded(live, report),
      connected: (live) => this.#connected(live),
      adopted: (live) => options.onConnected(live),
      moved: (live, from, to) => this.pacingObservations.moved(live, from, to, this.#nowMs()),
      changed: () => this.consider(),
    })
    this.#trunks = new Trunks(this.attempts, options.trunk)
    this.attemptEnds = new AttemptEnds(context, {
      recordWriter: options.recordWriter,
      fence: options.fence,
      trunks: this.#trunks,
      pacingObservations: this.pacingObservations,
      forgetAttempt: (live, report) => this.attempts.forget(live, report),
      releaseAgent: (agent) => this.#unreserve(agent),
      notifyAgent: options.onEnded,
      considerDialing: () => this.consider(),
    })
  }

  consider(): void {
    this.#isDirty = true
  }

  /** False stops dialing: the past is not settled, or something is in doubt. */
  setSettled(isSettled: boolean): void {
    this.#isSettled = isSettled
    this.consider()
  }

  switchIsUp(isUp: boolean): void {
    this.#isSwitchUp = isUp
    this.consider()
  }

  get isWell(): boolean {
    const { recordWriter, lease } = this.#options
    return this.#isSettled && this.#isSwitchUp && !recordWriter.isBehind && lease() !== undefined
  }

  get isClaiming(): boolean {
    return this.#trunks.claims.size > 0
  }

  afterTurn(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    for (const live of unstaffedAttempts(this.attempts, this.#context.distributor)) this.attempts.cancel(live, 'cancel')
    const allocation = this.allocation()
    this.#updateDistributor(allocation)
    if (!this.isWell) return
    this.#turn++
    // Alternating, because automatic campaigns would otherwise always claim before a preview agent gets a task.
    if (this.#turn % 2 === 0) this.#options.offerPreviews()
    for (const run of this.#inTurn()) this.#place(run, allocation)
    this.#updateDistributor(allocation)
  }

  /** Tasks were imported, ended or changed: campaigns that found nothing due look again. */
  tasksChanged(): void {
    for (const run of this.campaigns.values()) run.quietUntilAtMs = 0
    this.consider()
  }

  cancelAttempts(attempts: readonly AttemptId[]): void {
    for (const attempt of attempts) {
      const live = this.attempts.of(attempt)
      if (live) this.attempts.cancel(live, 'cancel')
    }
  }

  /** Dials one task for a reserved agent. `done` gets the reason when no line was placed. */
  dialByHand(run: CampaignRun, byHand: ByHand, done: (why: Reason | 'unavailable' | undefined) => void): void {
    if (!this.isWell) return done('unavailable')
    this.#claim(run, 1, byHand, done)
  }

  /** Asked inside a claim or a reservation: may this task be dialed now? */
  judge(run: CampaignRun, task: DueTask, moment: ClaimMoment, agent: AgentName | undefined, permitted: number) {
    const nowMs = this.#nowMs()
    const allocation = this.allocation()
    const live = allocation.of(run)
    // Only the permitted lines of this claim count as placed; the rest of the request does not.
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
      // A missing ledger is a full one.
      ledgers: allocation.stood(run, 1, nowMs, permitted) > 0 ? run.ledgers(now, nowMs) : [],
      placing: agent === undefined ? run.pace.placing : BY_HAND,
    })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }

  /** The campaign that has waited longest comes first: a trunk may have room for one at a time. */
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
      ages: pacingAges(run, this.attempts.all(), this.#context.distributor.sessionsIn(team), nowMs),
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

  /** After an abandoned call the callee is called again only with a reserved agent (D-12). */
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
    const allowed: Allowed = { trunk: this.#trunks.of(run)?.name, requested: tasksMax, perTask: new Map() }
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

  /** Dials what is committed, if everything is still well; else the attempts end unsent. */
  #dial(run: CampaignRun, attempts: readonly ClaimedAttempt[], byHand: ByHand | undefined): void {
    const groups = new Map<CallTaskId, AttemptGroup>()
    const lives = attempts.map((claimed) => {
      const { task, id, leg, activity, number, permit } = claimed
      const group = groups.get(task.id) ?? { task, attempts: [...task.attempts], open: new Set<AttemptId>() }
      groups.set(task.id, group)
      group.open.add(id)
      const { validUntilAtMs, givenAtMs } = permit as { validUntilAtMs: AtMs; givenAtMs: AtMs }
      const line = { attempt: id, leg, activity, number, claimedAtMs: givenAtMs, validUntilAtMs }
      return this.attempts.begin({ ...line, campaign: run, group, byHand: byHand?.agent })
    })
    for (const live of lives) this.#permit(live)
  }

  #permit(live: LiveAttempt): void {
    const nowMs = this.#nowMs()
    const trunk = this.#trunks.of(live.campaign)
    const isAgentThere = live.byHand === undefined || this.#context.distributor.isReserved(live.byHand)
    const isWanted = isAgentThere && !live.campaign.isStopped
    const isPermitted = this.isWell && nowMs <= live.validUntilAtMs && trunk !== undefined && isWanted
    if (isPermitted) this.#trunks.pace.placed(trunk.name, nowMs)
    this.attempts.permit(live, isPermitted)
  }

  /** The claim may or may not have been committed: dialing stops until the engine knows (F-D7). */
  #inDoubt(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) {
      this.#context.dependencies.log.error({ err: error }, 'a claim failed by an internal error')
    }
    this.#isSettled = false
    this.#options.onDoubt()
  }

  #connected(live: LiveAttempt): void {
    const { recordWriter, fence, onConnected } = this.#options
    const { attempt, agent, leg, campaign } = live
    // Also without a lease: no other node may take a conversation for an abandoned call.
    if (agent !== undefined) {
      const value = { attempt, fence: fence(), atMs: this.#nowMs(), agent }
      recordWriter.write({ key: leg, what: 'connected', value })
    }
    if (campaign.campaign.recording.mode === 'always') this.attempts.record(live)
    onConnected(live)
  }

  allocation(): AgentAllocation {
    return new AgentAllocation(this.#context, this.attempts, () => this.campaigns.values(), this.#options.isKept)
  }

  /** Tells the distributor which agents lines depend on: it decides about breaks and callers. */
  #updateDistributor(allocation: AgentAllocation): void {
    const { distributor, performDistributor } = this.#context
    performDistributor(distributor.linesOut(allocation.perTeam(), this.#nowMs(), allocation.placing()))
  }
}
