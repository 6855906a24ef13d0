/** Claims and dials what pacers ask for (law 6), only while everything it relies on is known to be well (R8). */
import { decideTask } from '../../dialer/decide-due-task.ts'
import { touchesSinceAtMs } from '../../dialer/frequency-caps.ts'
import type { LiveLines } from '../../dialer/ledger.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, AttemptId, CallTaskId, CampaignId } from '../../kernel/ids.ts'
import type { ClaimedAttempt, ClaimMoment, DueTask, Verdict } from '../../ports/attempt.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import { type CampaignRun, decidedBy } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import { AgentAllocation } from './agent-allocation.ts'
import { AttemptEnds } from './attempt-end.ts'
import { AttemptRunner } from './attempt-runner.ts'
import type { ByHand, CallPlacerOptions } from './call-placer-options.ts'
import { CallerService } from './caller-service.ts'
import { CampaignShares } from './campaign-shares.ts'
import { type AttemptGroup, type LiveAttempt, shownBy } from './live-attempt.ts'
import { lookForDueTask, WAITS_FOR_ROOM } from './look-for-due-task.ts'
import { PacingObservations } from './pacing-observations.ts'
import { pacingSnapshot } from './pacing-snapshot.ts'
import { isPaced } from './trunk-limits.ts'
import { type Allowed, Trunks } from './trunk-load.ts'
import { unstaffedAttempts } from './unstaffed-attempts.ts'

/** No task is due: imports wake the campaign, this is only for the passing of time. */
const NOTHING_DUE_MS = 2_000
const BY_HAND = { lines: 1, why: 'byHand' } as const
/** The trunk is full for a moment; the tasks are all right. */
const PASSES_SOON: ReadonlySet<Reason | 'unavailable'> = new Set(['carrierFailing', 'trunkFull', 'trunkTooFast'])
const SOON_MS = 100

/** Decides about new lines at the end of each turn, and places them. */
export class CallPlacer {
  readonly attempts: AttemptRunner
  readonly campaigns = new Map<CampaignId, CampaignRun>()
  readonly pacingObservations = new PacingObservations()
  readonly attemptEnds: AttemptEnds
  readonly callerService: CallerService
  readonly #context: EngineContext
  readonly #options: CallPlacerOptions
  readonly trunks: Trunks
  readonly #shares: CampaignShares
  #isDirty = false
  #turn = 0

  constructor(context: EngineContext, options: CallPlacerOptions) {
    this.#context = context
    this.#options = options
    this.callerService = new CallerService(context)
    this.attempts = new AttemptRunner(context, {
      attemptEnded: (live, report) => this.attemptEnds.attemptEnded(live, report),
      connected: (live) => this.#connected(live),
      adopted: (live) => options.onConnected(live),
      rang: (live) => this.trunks.rang(live),
      moved: (live, from, to) => this.pacingObservations.moved(live, from, to, this.#nowMs()),
      changed: () => this.consider(),
      write: (entry) => options.recordWriter.write(entry),
    })
    this.trunks = new Trunks(this.attempts, options.trunk, (trunk, isFailing) => this.#carrierChanged(trunk, isFailing))
    this.#shares = new CampaignShares({
      runs: () => this.campaigns.values(),
      allocation: () => this.allocation(),
      shareTrunk: (one, other) => this.trunks.first(one)?.name === this.trunks.first(other)?.name,
    })
    this.attemptEnds = new AttemptEnds(context, {
      recordWriter: options.recordWriter,
      fence: options.fence,
      trunks: this.trunks,
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

  get isWell(): boolean {
    const { isReady, recordWriter, lease } = this.#options
    return isReady() && !recordWriter.isBehind && lease() !== undefined
  }

  get isClaiming(): boolean {
    return this.trunks.claims.size > 0
  }

  afterTurn(): void {
    if (!this.#isDirty) return
    this.#isDirty = false
    for (const live of unstaffedAttempts(this.attempts, this.#context.distributor)) this.attempts.cancel(live, 'cancel')
    this.callerService.learn(this.campaigns.values())
    const allocation = this.allocation()
    this.#updateDistributor(allocation)
    if (!this.isWell) return
    for (const run of this.campaigns.values()) this.attemptEnds.pauseIfOver(run)
    this.#turn++
    this.#options.serveCallbacks()
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
  judge(
    run: CampaignRun,
    task: DueTask,
    moment: ClaimMoment,
    agent: AgentName | undefined,
    permitted: number,
    trunk = this.trunks.of(run, this.#nowMs()),
  ) {
    const nowMs = this.#nowMs()
    const allocation = this.allocation()
    const live = allocation.of(run)
    // Only the permitted lines of this claim count as placed; the rest of the request does not.
    const now = { ...live, inFlight: live.inFlight - run.claiming + permitted }
    const decision = decideTask(task, moment, {
      campaign: run.campaign,
      engineNowAtMs: nowMs,
      holdsLease: this.isWell,
      fence: this.#options.fence(),
      trunk: trunk && this.trunks.useOf(trunk, nowMs),
      ourCallerIds: trunk?.callerIds,
      abroadCaps: trunk?.abroad,
      permitted,
      reservedAgent: agent,
      live: now,
      // A missing ledger is a full one.
      answers: run.pace.learnt.hours,
      ledgers: allocation.stood(run, 1, nowMs, permitted) > 0 ? run.ledgers(now, nowMs) : [],
      isRoomBeside: (beside) => allocation.standsBeside(run, permitted, agent === undefined ? 1 : 0, beside, nowMs),
      placing: agent === undefined ? run.pace.placing : BY_HAND,
      isOnOurLine: this.#options.isOnOurLine,
    })
    if (task.callback && 'refused' in decision) this.#options.callbackRefused(task.id, decision.refused)
    return decision
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
    if (run.claiming > 0 || nowMs < run.quietUntilAtMs || allocation.isChangingTeam(run)) return
    const trunk = this.trunks.of(run, nowMs)
    const use = trunk && this.trunks.useOf(trunk, nowMs)
    const { distributor } = this.#context
    const { isKept } = this.#options
    const snapshot = pacingSnapshot(run, { distributor, allocation, attempts: this.attempts.all(), use, isKept }, nowMs)
    const placing = run.pace.place(snapshot, nowMs)
    const lines = allocation.stood(run, placing.lines, nowMs)
    if (lines < placing.lines) run.pace.placing = { ...placing, lines, why: 'ledgerFull' }
    if (['trunkFull', 'paced'].includes(run.pace.placing.why)) this.#shares.needsTrunk(run, nowMs)
    const isAhead = this.#shares.isAhead(run, allocation, nowMs)
    if (isAhead) run.pace.placing = { ...placing, lines: 0, why: 'notItsTurn' }
    if (lines <= 0 || isAhead) {
      if (use && isPaced(use)) this.#options.onPaced()
      if (this.#shares.mustLook(run, allocation, nowMs)) this.#look(run)
      return
    }
    run.askedAtTurn = this.#turn
    if (this.#placeReserved(run, snapshot.live)) return
    this.#claim(run, lines, undefined, (why) => {
      if (why === undefined) return
      run.quietUntilAtMs = this.#nowMs() + (PASSES_SOON.has(why) ? SOON_MS : NOTHING_DUE_MS)
      this.#shares.looked(run, WAITS_FOR_ROOM.has(why), this.#nowMs())
    })
  }

  /** Others of the same agents or trunk need to know whether a campaign that may place no line has due tasks. */
  #look(run: CampaignRun): void {
    const lease = this.#options.lease()
    if (!lease) return
    const judge = (task: DueTask, moment: ClaimMoment) => this.judge(run, task, moment, undefined, 0)
    const asked = { dialerRepository: this.#options.dialerRepository, lease, run, judge, nowMs: this.#nowMs() }
    lookForDueTask(asked, (isDue) => this.#context.enqueue(() => this.#shares.looked(run, isDue, this.#nowMs())))
  }

  /** After an abandoned call the callee is called again only with a reserved agent (D-12). */
  #placeReserved(run: CampaignRun, { idleAgents, inFlight, waiting }: LiveLines): boolean {
    const [task] = run.needAgent
    if (task === undefined || idleAgents - inFlight - waiting < 1) return false
    run.needAgent.delete(task)
    const agent = this.#context.distributor.reserveAny(run.campaign.team, this.#nowMs())
    if (agent !== undefined) this.dialReserved(run, { agent, task })
    return agent !== undefined
  }

  /** Dials a task for this agent, who must be spare. */
  dialFor(run: CampaignRun, byHand: ByHand): boolean {
    if (!this.isWell || !this.#context.distributor.reserve(byHand.agent, this.#nowMs())) return false
    this.dialReserved(run, byHand)
    return true
  }

  dialReserved(run: CampaignRun, byHand: ByHand): void {
    this.#claim(run, 1, byHand, (why) => {
      if (why !== undefined) this.#unreserve(byHand.agent)
    })
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
    const nowMs = this.#nowMs()
    const trunk = this.trunks.of(run, nowMs)
    const allowed: Allowed = { trunk: trunk?.name, requested: tasksMax, perTask: new Map() }
    const { perTask } = allowed
    const book = (task: CallTaskId, numbers: number) => {
      run.claimingBeside += Math.max(0, numbers - 1) - Math.max(0, (perTask.get(task) ?? 0) - 1)
      if (numbers > 0) perTask.set(task, numbers)
      else perTask.delete(task)
    }
    const settle = () => {
      run.claiming -= claimed
      for (const task of perTask.keys()) book(task, 0)
      this.trunks.claimEnded(allowed)
    }
    const { staffing } = this.#context.distributor
    if (!byHand) run.staffing = staffing
    let refused: Reason | undefined
    const decide = (task: DueTask, moment: ClaimMoment): Verdict => {
      book(task.id, 0)
      const judged = this.judge(run, task, moment, byHand?.agent, perTask.size, trunk)
      if (judged.verdict.verdict === 'dial') book(task.id, judged.verdict.numbers.length)
      else if ('refused' in judged) {
        refused = judged.refused
        run.refuses(refused, moment.databaseAtMs)
        if (judged.refused === 'agentNeeded') run.needAgent.add(task.id)
      }
      return judged.verdict
    }
    const claimed = byHand ? 0 : tasksMax
    run.claiming += claimed
    this.trunks.claims.add(allowed)
    const command = {
      lease,
      campaign: run.campaign.id,
      tasksMax,
      atMs: nowMs,
      dialedSinceAtMs: touchesSinceAtMs(run.campaign, nowMs),
      ...decidedBy(run),
      ...(byHand ? { only: byHand.task, agent: byHand.agent } : { kept: this.#options.keptCallbacks(run) }),
      decide,
    }
    dialerRepository.claimDueTasks(command).then(
      (result) =>
        this.#context.enqueue(() => {
          settle()
          if (!byHand && result.outcome === 'claimed') run.nextDueAtMs = result.nextDueAtMs
          const attempts = result.outcome === 'claimed' ? result.attempts : []
          run.mix.dialed(
            run.campaign.newPercent,
            attempts.map(({ task }) => task),
          )
          run.pace.stats.placed(attempts.length, byHand ? 'byHand' : run.pace.placing.why, this.#nowMs())
          if (!byHand && attempts.length > 0) this.#shares.linesPlaced(run, attempts.length, this.#nowMs())
          this.#dial(run, attempts, staffing, byHand)
          done(attempts.length > 0 ? undefined : (refused ?? 'notYet'))
          this.consider()
        }),
      (error: unknown) =>
        this.#context.enqueue(() => {
          settle()
          this.#inDoubt(error)
          done('unavailable')
        }),
    )
  }

  /** Dials what is committed, if everything is still well; else the attempts end unsent. */
  #dial(run: CampaignRun, attempts: readonly ClaimedAttempt[], staffing: number, byHand: ByHand | undefined): void {
    const groups = new Map<CallTaskId, AttemptGroup>()
    const lives = attempts.map((claimed) => {
      const { task, id, leg, activity, number, permit } = claimed
      const group = groups.get(task.id) ?? { task, attempts: [...task.attempts], open: new Set<AttemptId>() }
      groups.set(task.id, group)
      group.open.add(id)
      const { validUntilAtMs, givenAtMs } = permit as { validUntilAtMs: AtMs; givenAtMs: AtMs }
      const line = { attempt: id, leg, activity, number, claimedAtMs: givenAtMs, validUntilAtMs }
      const shown = shownBy(permit, run.campaign)
      return this.attempts.begin({ ...line, campaign: run, shown, staffing, group, byHand: byHand?.agent })
    })
    for (const live of lives) this.#permit(live)
  }

  #permit(live: LiveAttempt): void {
    const nowMs = this.#nowMs()
    const trunk = this.trunks.named(live.shown.trunk)
    const isAgentThere = live.byHand === undefined || this.#context.distributor.isReserved(live.byHand)
    const { isActive, team, endsAtMs = Number.POSITIVE_INFINITY } = live.campaign.campaign
    // A change that came after the claim: no phone rings yet, and no agent of the new team was counted for it.
    const isSameTeam = live.byHand !== undefined || live.shown.team === team
    const isWanted = isAgentThere && isActive && isSameTeam && nowMs < endsAtMs
    // A call from them may have arrived since the claim.
    const isFree = !this.#options.isOnOurLine(live.group.task)
    const isPermitted = this.isWell && nowMs < live.validUntilAtMs && trunk !== undefined && isWanted && isFree
    if (isPermitted) this.trunks.pace.placed(trunk.name, nowMs)
    this.attempts.permit(live, isPermitted)
  }

  /** The claim may or may not have been committed: dialing stops until the engine knows (F-D7). */
  #inDoubt(error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) {
      this.#context.dependencies.log.error({ err: error }, 'a claim failed by an internal error')
    }
    this.#options.onDoubt()
  }

  /** The first trunk of a campaign, if it fails; the next one may have taken over. */
  carrierFailing(run: CampaignRun): { readonly trunk: string; readonly sinceAtMs: AtMs } | null {
    const trunk = this.trunks.first(run)
    const sinceAtMs = trunk && this.trunks.pace.failingSince(trunk.name)
    return trunk && sinceAtMs !== undefined ? { trunk: trunk.name, sinceAtMs } : null
  }

  #carrierChanged(trunk: string, isFailing: boolean): void {
    const { log } = this.#context.dependencies
    if (isFailing) {
      log.error(
        { trunk },
        'a carrier fails: calls end before any phone rings; one probe at a time goes over this trunk',
      )
      this.attemptEnds.carrierFailures.trunkFails(trunk)
    } else log.warn({ trunk }, 'a carrier works again: a call came through')
    this.consider()
  }

  #connected(live: LiveAttempt): void {
    const { recordWriter, fence, onConnected } = this.#options
    const { attempt, agent, leg, campaign } = live
    // Also without a lease: no other node may take a conversation for an abandoned call.
    if (agent !== undefined) {
      const value = { attempt, fence: fence(), atMs: this.#nowMs(), agent }
      recordWriter.write({ key: leg, what: 'connected', value })
    }
    if (live.byHand === undefined) this.#shares.agentTaken(campaign)
    if (campaign.campaign.recording.mode === 'always') this.attempts.record(live)
    onConnected(live)
  }

  allocation(): AgentAllocation {
    return new AgentAllocation(
      this.#context,
      this.attempts,
      () => this.campaigns.values(),
      this.#options.isKept,
      this.callerService,
    )
  }

  /** Tells the distributor which agents lines depend on: it decides about breaks and callers. */
  #updateDistributor(allocation: AgentAllocation): void {
    const { distributor, performDistributor } = this.#context
    const nowMs = this.#nowMs()
    performDistributor(distributor.linesOut(allocation.perTeam(nowMs), nowMs, allocation.placing()))
  }
}
