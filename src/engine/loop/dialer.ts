/** Joins everything that needs the database. An engine without a database has no dialer; it only serves callers. */
import type { AgentName, AttemptId, BridgeId, Fence, LegId } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { Attempt, NodeLease } from '../../ports/attempt.ts'
import type { DatabaseNotification, FinishCallResult } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import { AgentDesktop } from '../agents/agent-desktop.ts'
import { DueCallbacks } from '../agents/due-callbacks.ts'
import { PreviewOffers } from '../agents/preview-offers.ts'
import { AgentSessionSaver } from '../agents/save-agent-sessions.ts'
import { attemptsAt, isCallerOnLine, isInAttempt } from '../callers-on-line.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { DialerOptions, EngineContext, OutboundSide } from '../context.ts'
import { pastCallers } from '../inbound/arrivals.ts'
import { InboundCallRecorder } from '../inbound/inbound-call-recorder.ts'
import { logEnd } from '../log-end.ts'
import { CampaignBoards } from '../outbound/campaign-boards.ts'
import { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { comfortCallee, logLostAgent } from '../outbound/lost-phones.ts'
import { NodeLeaseHolder } from '../outbound/node-lease.ts'
import { CallPlacer } from '../outbound/place-calls.ts'
import { RecordWriter, type WriteEntry } from '../record-writer.ts'
import type { KeptTalks } from '../recovery/kept-talks.ts'
import { CallRecovery } from '../recovery/recover-calls.ts'
import { Timers } from '../timers.ts'
import type { ReadinessCommand } from './readiness.machine.ts'
import { Readiness } from './readiness.ts'

const CONSIDER_EVERY_MS = 500
/** Forecasting pacers gain by deciding more often (dialing-rules.md 3.9). */
const FORECAST_EVERY_MS = 250
/** By then a trunk may place the calls of the next tenth of a second. */
const PACED_MS = 100
const LOOK_EVERY_MS = 1_000
const BOARD_EVERY_MS = 1_000
const CAMPAIGNS_EVERY_MS = 5_000
/** Losing a few minutes of learning does no harm. */
const LEARNING_EVERY_MS = 3 * 60_000
const STRAYS_EVERY_MS = 30_000
/** After an agent's time to look at an offered task it is dialed or released within seconds. */
const RESERVED_BEYOND_MS = 2 * 60_000
const RETRY_MS = 500
const FENCES_MAX = 10

/** Builds and joins the parts that need the database: dialing, call records, agents' screens, recovery. */
export class Dialer implements OutboundSide {
  readonly callPlacer: CallPlacer
  readonly recordWriter: RecordWriter
  readonly agentDesktop: AgentDesktop
  readonly campaigns: CampaignRegistry
  readonly preview: PreviewOffers
  readonly callbacks: DueCallbacks
  readonly inboundCalls: InboundCallRecorder
  readonly kept: KeptTalks
  readonly lease: NodeLeaseHolder
  readonly #context: EngineContext
  readonly #options: DialerOptions
  readonly sessions: AgentSessionSaver
  readonly #timers: Timers
  readonly #callRecovery: CallRecovery
  readonly #readiness: Readiness
  readonly #prepared = Promise.withResolvers<void>()
  /** The newest lease, which may have been lost since. */
  #taken: NodeLease | undefined
  /** This engine's fences, the newest last. An attempt claimed under one of them and never begun was never dialed. */
  #fences: readonly Fence[] = []
  #isConsideredSoon = false
  #stopNotifications: (() => void) | undefined

  constructor(context: EngineContext, options: DialerOptions) {
    const { dialerRepository, spool } = options
    const { clock, log } = context.dependencies
    const lease = () => (this.campaigns.mayDial && !clock.mayBeLater?.() ? this.lease.held : undefined)
    this.#context = context
    this.#options = options
    this.#timers = new Timers(clock)
    this.recordWriter = new RecordWriter({
      dialerRepository,
      clock,
      log,
      spool,
      fence: () => this.#taken?.fence,
      onWritten: (entry, outcome) => context.enqueue(() => this.#written(entry, outcome)),
    })
    this.lease = new NodeLeaseHolder({
      ...options,
      clock,
      log,
      onTaken: (taken) => this.#onTaken(taken),
      onLost: () => context.enqueue(() => this.#readiness.send({ type: 'lease.lost' })),
      onReturn: () => this.sessions.claimAgain(),
    })
    this.#readiness = new Readiness(context, {
      timers: this.#timers,
      perform: (command) => this.#perform(command),
      onChange: () => this.callPlacer.consider(),
    })
    this.callPlacer = new CallPlacer(context, {
      dialerRepository,
      lease,
      recordWriter: this.recordWriter,
      fence: () => this.fence,
      trunk: (name) => options.trunks().find((trunk) => name === undefined || trunk.name === name),
      isOnOurLine: (task) => isCallerOnLine(context, task) || isInAttempt(task, this.callPlacer.attempts.all()),
      isReady: () => this.#readiness.isReady,
      onDoubt: () => this.#readiness.send({ type: 'doubt' }),
      onPaced: () => this.#considerSoon(),
      onConnected: (live) => this.agentDesktop.calleeConnected(live),
      onEnded: (live, report) => this.agentDesktop.attemptEnded(live, report),
      offerPreviews: () => this.preview.offerAll(),
      serveCallbacks: () => this.callbacks.serve(),
      keptCallbacks: (run) => this.callbacks.keptBy(run),
      callbackRefused: (task, why) => this.callbacks.refused(task, why),
      isKept: (agent) => this.preview.isLookingFor(agent) || this.callbacks.isKept(agent),
    })
    this.campaigns = new CampaignRegistry(context, options, this.callPlacer)
    const kept = (run: CampaignRun) => this.callbacks.keptBy(run)
    this.preview = new PreviewOffers(context, dialerRepository, this.recordWriter, this.callPlacer, lease, kept)
    const { recordWriter, callPlacer, campaigns, preview } = this
    this.callbacks = new DueCallbacks(context, { ...options, recordWriter, callPlacer, preview })
    const forScreens = { ...options, recordWriter, callPlacer, campaigns, preview }
    this.agentDesktop = new AgentDesktop(context, forScreens)
    this.inboundCalls = new InboundCallRecorder(context, { ...options, timers: this.#timers, dialer: this })
    // Agents of a node that does not dial take callers.
    this.sessions = new AgentSessionSaver(context, { ...options, timers: this.#timers }, () => this.lease.held)
    this.#callRecovery = this.#recovery()
    this.kept = this.#callRecovery.kept
  }

  /** The newest fence of this node; 0 before the first lease, and no write is accepted with 0. */
  get fence(): Fence {
    return this.#taken?.fence ?? (0 as Fence)
  }

  #written(entry: WriteEntry, outcome: unknown): void {
    this.agentDesktop.written(entry, outcome)
    if (entry.what === 'callEnded') logEnd(this.#context.dependencies.log, entry.value, outcome as FinishCallResult)
    this.callPlacer.consider()
  }

  /** Takes the lease, and reads what an earlier engine left. Start the switch after this resolves. */
  async prepare(): Promise<void> {
    this.lease.start()
    await this.#prepared.promise
  }

  /** The switch is connected; dialing begins as soon as the calls of the earlier engine are settled. */
  begin(): void {
    const { dialerRepository, onBoard } = this.#options
    const turn = (action: () => void) => () => this.#context.enqueue(action)
    this.#stopNotifications = dialerRepository.onNotification((notification) =>
      this.#context.enqueue(() => this.#handleAttemptEvent(notification)),
    )
    const consider = turn(() => {
      this.callPlacer.consider()
      this.preview.offerAll()
    })
    this.#timers.every(CONSIDER_EVERY_MS, consider)
    this.#timers.every(FORECAST_EVERY_MS, () => {
      if (this.campaigns.isForecasting) this.#context.enqueue(() => this.callPlacer.consider())
    })
    this.#timers.every(LOOK_EVERY_MS, () => {
      this.#cancelAttempts()
      this.callbacks.look()
    })
    if (onBoard) {
      const boards = new CampaignBoards(this.#context, this, { ...this.#options, onBoard })
      this.#timers.every(BOARD_EVERY_MS, () => this.#context.enqueue(() => boards.publishChanges()))
    }
    this.#callRecovery.begin()
    this.#timers.every(CAMPAIGNS_EVERY_MS, () => void this.campaigns.load())
    this.#timers.every(LEARNING_EVERY_MS, () => void this.campaigns.keepLearning(this.fence))
    this.#timers.every(STRAYS_EVERY_MS, () => this.#lookForStrays())
  }

  async stop(): Promise<void> {
    this.#stopNotifications?.()
    this.#timers.stop()
    this.#context.enqueue(() => {
      this.#readiness.send({ type: 'stop' })
      this.callPlacer.attemptEnds.carrierFailures.writeAll()
    })
    await this.recordWriter.settled()
    await this.campaigns.keepLearning(this.fence)
    if (this.callPlacer.attempts.count === 0) await this.lease.stop()
  }

  handleSwitchEvent(event: PbxEvent): boolean {
    switch (event.type) {
      case 'leg.found':
        this.#callRecovery.legFound(event.leg, event)
        return false
      case 'pbx.down':
        this.#readiness.send({ type: 'switch.down' })
        this.#callRecovery.switchIsDown()
        return false
      case 'pbx.up':
        this.#readiness.send({ type: 'switch.up' })
        this.#callRecovery.switchIsUp()
        return false
      default:
        return 'leg' in event && this.#handleLegEvent(event)
    }
  }

  afterTurn(): void {
    this.callPlacer.afterTurn()
  }

  agentAssigned(leg: LegId, agent: AgentName, agentLeg: LegId, bridge: BridgeId): void {
    this.callPlacer.attempts.agentAssigned(leg, agent, agentLeg, bridge)
  }

  agentAway(leg: LegId, agent: AgentName, bridge: BridgeId): void {
    const live = this.callPlacer.attempts.ofLeg(leg)
    if (live) comfortCallee(this.#context, live, agent, bridge)
  }

  toAttempt(leg: LegId, type: 'agent.connected'): void {
    this.callPlacer.attempts.sendToAttempt(leg, { type })
  }

  agentLost(leg: LegId, agent: AgentName, hadMusic: boolean): void {
    const live = this.callPlacer.attempts.ofLeg(leg)
    if (live) logLostAgent(this.#context, live, agent)
    this.callPlacer.attempts.sendToAttempt(leg, { type: 'agent.lost', hadMusic })
    const kept = this.#context.keptTalks.get(leg)
    if (kept) this.kept.agentLost(kept.call.call)
  }

  agentFinished(leg: LegId): void {
    this.callPlacer.attempts.sendToAttempt(leg, { type: 'agent.finished' })
    this.kept.agentLeft(leg)
  }

  callerIsHere(caller: string | undefined, ringing: readonly AttemptId[]): void {
    this.callPlacer.cancelAttempts([...ringing, ...attemptsAt(caller, this.callPlacer.attempts.all())])
  }

  agentStatusChanged(status: AgentStatus): void {
    this.agentDesktop.notifyAgent(status.agent, { type: 'status', status })
    this.#options.onStatus?.(status)
    this.callPlacer.pacingObservations.agentStatusChanged(status)
    if (status.state !== 'reserved') this.preview.forgetOffer(status.agent)
    this.sessions.agentStatusChanged(status)
    this.callPlacer.consider()
  }

  #recovery(): CallRecovery {
    const { dialerRepository, node } = this.#options
    const { recordWriter, callPlacer, campaigns } = this
    return new CallRecovery(this.#context, {
      dialerRepository,
      node,
      lease: () => this.#taken!,
      graceMs: () => this.lease.graceMs,
      timers: this.#timers,
      recordWriter,
      attempts: callPlacer.attempts,
      attemptEnds: callPlacer.attemptEnds,
      campaigns,
      callEventLog: this.#options.callEventLog,
      callers: pastCallers(this.#context),
      onSettled: () => this.#readiness.send({ type: 'past.settled' }),
    })
  }

  #perform(command: ReadinessCommand): void {
    switch (command.type) {
      case 'readPast':
        // The machine reads the past once a lease is taken.
        return void this.#readPast()
      case 'saveSessions':
        return this.sessions.saveAll()
      case 'settleDoubt':
        return void this.#settleDoubt(command.doubt).then((isSettled) => {
          const type = isSettled ? 'doubt.settled' : 'doubt.remains'
          this.#context.enqueue(() => this.#readiness.send({ type, doubt: command.doubt }))
        })
    }
  }

  async #readPast(): Promise<void> {
    await this.#callRecovery.writeSpool()
    while (!(await this.campaigns.load())) await this.#timers.pause(RETRY_MS)
    await this.#callRecovery.prepare()
    this.#context.enqueue(() => this.#readiness.send({ type: 'past.read' }))
    this.#prepared.resolve()
  }

  /** False: the lease, a running claim, the recovery or the database must be waited for. */
  async #settleDoubt(doubt: number): Promise<boolean> {
    const lease = this.lease.held
    // A claim whose answer is on its way must not count as one whose answer was lost.
    if (!lease || this.callPlacer.isClaiming || this.#callRecovery.isPending) return false
    const { dialerRepository } = this.#options
    try {
      await dialerRepository.adoptAttempts(lease, this.lease.graceMs)
      const strays = await this.#callRecovery.describe(await this.#strangers(lease))
      // A newer doubt asks again; strays are settled once.
      if (!this.#readiness.isLatest(doubt)) return false
      await this.#callRecovery.settleStrays(strays, this.#fences)
      return true
    } catch {
      return false
    }
  }

  /** Once, however many campaigns ask for it. */
  #considerSoon(): void {
    if (this.#isConsideredSoon) return
    this.#isConsideredSoon = true
    this.#timers.after(PACED_MS, () => {
      this.#isConsideredSoon = false
      this.#context.enqueue(() => this.callPlacer.consider())
    })
  }

  #onTaken(lease: NodeLease): void {
    this.#taken = lease
    this.#fences = [...this.#fences, lease.fence].slice(-FENCES_MAX)
    this.#context.enqueue(() => this.#readiness.send({ type: 'lease.taken' }))
  }

  #handleLegEvent(event: Extract<PbxEvent, { leg: LegId }>): boolean {
    const { attempts: lines } = this.callPlacer
    if (event.type === 'leg.ended' && this.kept.ended(event.leg)) return true
    if (!lines.owns(event.leg)) return false
    const isUnseen = event.type === 'leg.ended' && event.reason === 'lost' && this.#options.callEventLog !== undefined
    if (isUnseen) this.#askCallEventLog(event)
    else lines.handleLegEvent(event)
    return true
  }

  /** No event told how this leg ended; the call event log may know (F-A1). */
  #askCallEventLog(event: Extract<PbxEvent, { type: 'leg.ended' }>): void {
    const { leg } = event
    void this.#callRecovery.loggedLegs([leg]).then((all) =>
      this.#context.enqueue(() => {
        const logged = all.get(leg)
        if (logged?.endedAtMs !== undefined) this.callPlacer.attempts.endedUnseen(leg, logged)
        else this.callPlacer.attempts.handleLegEvent(event)
      }),
    )
  }

  /**
   * Open attempts in the database that this engine does not run and whose end is not about to be written. The answer is
   * older than the end of an attempt that ends meanwhile.
   */
  async #strangers(lease: NodeLease): Promise<readonly Attempt[]> {
    await this.recordWriter.settled()
    const { pending } = this.#callRecovery
    const { attempts, attemptEnds } = this.callPlacer
    const ran = new Set([...attempts.all()].map(({ attempt }) => attempt))
    const kept = this.recordWriter.keys()
    const open = await this.#options.dialerRepository.openAttempts(lease)
    const isOurs = ({ id, leg }: Attempt) => ran.has(id) || kept.has(leg) || attempts.of(id) || pending.has(id)
    const isEnding = ({ leg }: Attempt) => this.recordWriter.holds(leg) || attemptEnds.carrierFailures.holds(leg)
    return open.filter((attempt) => !isOurs(attempt) && !isEnding(attempt))
  }

  #handleAttemptEvent(notification: DatabaseNotification): void {
    if (notification === 'tasks') {
      this.callPlacer.tasksChanged()
      this.agentDesktop.tasksChanged()
    }
    if (notification === 'flowEvents') this.inboundCalls.awaitedEvents.look()
    if (notification === 'orders') void this.campaigns.load()
    if (notification === 'tasks' || notification === 'orders') this.#cancelAttempts()
  }

  /** Cancels unanswered attempts whose task was ended, whose number was stopped, or that the kill switch forbids. */
  #cancelAttempts(): void {
    const lease = this.lease.held
    if (!lease || this.callPlacer.attempts.count === 0) return
    this.#options.dialerRepository.attemptsToCancel(lease).then(
      (commands) => this.#context.enqueue(() => this.callPlacer.cancelAttempts(commands.map(({ attempt }) => attempt))),
      () => {},
    )
  }

  /** A safety net: finds attempts that are open in the database and that no engine runs. */
  #lookForStrays(): void {
    const lease = this.lease.held
    if (!lease || !this.callPlacer.isWell || this.callPlacer.isClaiming) return
    const nowMs = this.#context.dependencies.clock.nowMs()
    const looks = [...this.callPlacer.campaigns.values()].map(({ campaign }) => campaign.previewMs)
    const reservedMaxMs = Math.max(0, ...looks) + RESERVED_BEYOND_MS
    this.#options.dialerRepository.releaseForgotten(lease, nowMs - reservedMaxMs).catch(() => {})
    const isOld = ({ claimedAtMs }: Attempt) => claimedAtMs < nowMs - STRAYS_EVERY_MS
    this.#options.dialerRepository
      .adoptAttempts(lease, this.lease.graceMs)
      .then(() => this.#strangers(lease))
      .then((strays) => {
        if (strays.some(isOld)) this.#context.enqueue(() => this.#readiness.send({ type: 'doubt' }))
      })
      .catch(() => {})
  }
}
