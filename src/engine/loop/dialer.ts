/**
 * Everything that dialing needs, joined: the lease, the campaigns, the writer, the lines, and what an earlier engine
 * left behind. The engine has one when it has records; without, it only serves those who call in.
 */
import type { Fence, LegId } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { Attempt, NodeLease } from '../../ports/attempt.ts'
import type { DatabaseNotification } from '../../ports/dialer-repository.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import { AgentDesktop } from '../agents/agent-desktop.ts'
import { PreviewOffers } from '../agents/preview-offers.ts'
import { AgentSessionSaver } from '../agents/save-agent-sessions.ts'
import type { DialerOptions, EngineContext } from '../context.ts'
import { InboundCallRecorder } from '../inbound/inbound-call-recorder.ts'
import { CampaignBoards } from '../outbound/campaign-boards.ts'
import { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { NodeLeaseHolder } from '../outbound/node-lease.ts'
import { CallPlacer } from '../outbound/place-calls.ts'
import { RecordWriter } from '../record-writer.ts'
import type { LoggedLeg } from '../recovery/past-attempts.ts'
import { CallRecovery, CUT_OFF_MAX_MS } from '../recovery/recover-calls.ts'
import { Timers } from '../timers.ts'

const CONSIDER_EVERY_MS = 500
/** Whoever forecasts gains by deciding more often (dialing-rules.md 3.9). */
const FORECAST_EVERY_MS = 250
/** A tenth of a second's calls are placed by then. */
const PACED_MS = 100
const LOOK_EVERY_MS = 1_000
const BOARD_EVERY_MS = 1_000
const CAMPAIGNS_EVERY_MS = 5_000
/** What is learnt in a few minutes may be lost. */
const LEARNING_EVERY_MS = 3 * 60_000
const STRAYS_EVERY_MS = 30_000
/** An offered task is looked at for a minute, and dialed or given back within seconds. */
const RESERVED_MAX_MS = 3 * 60_000
const RETRY_MS = 500
const FENCES_MAX = 10
/** How long the switch's own records are waited for when a leg went unseen. */
const WITNESS_MAX_MS = 3_000

/** Mutable state with a lifetime, hence a class. */
export class Dialer {
  readonly dialing: CallPlacer
  readonly recordWriter: RecordWriter
  readonly agentDesktop: AgentDesktop
  readonly campaigns: CampaignRegistry
  readonly preview: PreviewOffers
  readonly inbound: InboundCallRecorder
  readonly #context: EngineContext
  readonly #options: DialerOptions
  readonly #lease: NodeLeaseHolder
  readonly #sessions: AgentSessionSaver
  readonly #timers: Timers
  readonly callRecovery: CallRecovery
  #fence: Fence | undefined
  /** Those that this engine had, the newest last: what was claimed under them and never begun was never dialed. */
  #fences: readonly Fence[] = []
  #isStopped = false
  #isConsideredSoon = false
  #doubts = 0
  #taken: ((lease: NodeLease) => void) | undefined
  #stopNotifications: (() => void) | undefined

  constructor(context: EngineContext, options: DialerOptions) {
    const { dialerRepository, node, spool } = options
    const { clock, log } = context.dependencies
    const lease = () => (options.mayDial?.() === false ? undefined : this.#lease.held)
    this.#context = context
    this.#options = options
    this.#timers = new Timers(clock)
    this.recordWriter = new RecordWriter({
      ...{ dialerRepository, clock, log, spool },
      fence: () => this.#fence,
      onWritten: () => context.enqueue(() => this.dialing.consider()),
    })
    this.#lease = new NodeLeaseHolder({
      ...{ dialerRepository, clock, log, node },
      onTaken: (taken) => this.#onTaken(taken),
      onLost: () => context.enqueue(() => this.dialing.settled(false)),
    })
    this.agentDesktop = new AgentDesktop(context, this, options)
    this.dialing = new CallPlacer(context, {
      ...{ dialerRepository, lease, recordWriter: this.recordWriter, fence: () => this.fence },
      trunk: (name) => options.trunks().find((trunk) => name === undefined || trunk.name === name),
      eventName: () => context.eventName(),
      onDoubt: () => this.#resettle(),
      onPaced: () => this.#considerSoon(),
      onConnected: (live) => this.agentDesktop.connected(live),
      onEnded: (live, report) => this.agentDesktop.callEnded(live, report),
      offerPreviews: () => this.preview.offerAll(),
      isKept: (agent) => this.preview.isLookingFor(agent),
    })
    this.campaigns = new CampaignRegistry(context, options, this.dialing)
    this.preview = new PreviewOffers(context, dialerRepository, this.recordWriter, this.dialing, lease)
    this.inbound = new InboundCallRecorder(context, { dialerRepository, recordWriter: this.recordWriter, lease })
    this.#sessions = new AgentSessionSaver(context, dialerRepository, lease)
    const loggedEnd = (legs: readonly LegId[]) => this.#loggedEnds(legs)
    this.callRecovery = new CallRecovery(context, this, { dialerRepository, node, timers: this.#timers, loggedEnd })
  }

  /** The newest fence that was ours; 0 before there was one: nothing can be written with it. */
  get fence(): Fence {
    return this.#fence ?? (0 as Fence)
  }

  /** Takes the lease, and finds out what an earlier engine left. Then the switch may be started. */
  async prepare(): Promise<void> {
    const lease = await new Promise<NodeLease>((resolve) => {
      this.#taken = resolve
      this.#lease.start()
    })
    this.recordWriter.resume()
    await this.recordWriter.settled()
    while (!(await this.campaigns.load())) await this.#timers.pause(RETRY_MS)
    await this.callRecovery.prepare(lease)
  }

  /** The switch is there: dialing begins as soon as the past is settled. */
  begin(): void {
    const { dialerRepository, onBoard } = this.#options
    const turn = (action: () => void) => () => this.#context.enqueue(action)
    this.#stopNotifications = dialerRepository.onNotification((notification) =>
      this.#context.enqueue(() => this.#handleAttemptEvent(notification)),
    )
    const consider = turn(() => {
      this.dialing.consider()
      this.preview.offerAll()
    })
    this.#timers.every(CONSIDER_EVERY_MS, consider)
    this.#timers.every(FORECAST_EVERY_MS, () => {
      if (this.campaigns.isForecasting) this.#context.enqueue(() => this.dialing.consider())
    })
    this.#timers.every(LOOK_EVERY_MS, () => this.#cancelAttempts())
    if (onBoard) {
      const boards = new CampaignBoards(this.#context, this.dialing, onBoard)
      this.#timers.every(BOARD_EVERY_MS, () => this.#context.enqueue(() => boards.look()))
    }
    this.#timers.every(CAMPAIGNS_EVERY_MS, () => void this.campaigns.load())
    this.#timers.every(LEARNING_EVERY_MS, () => void this.campaigns.keepLearning(this.fence))
    this.#timers.every(STRAYS_EVERY_MS, () => this.#lookForStrays())
  }

  /** Stops to dial. What is up goes on, and is found again by the next engine. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopNotifications?.()
    this.#timers.stop()
    this.#context.enqueue(() => this.dialing.settled(false))
    await this.recordWriter.settled()
    await this.campaigns.keepLearning(this.fence)
    if (this.dialing.lines.count === 0) await this.#lease.stop()
  }

  /** Whether a fact of the switch is about a line of ours. */
  handleSwitchEvent(event: PbxEvent): boolean {
    switch (event.type) {
      case 'leg.found':
        this.callRecovery.found(event.leg, event)
        return false
      case 'pbx.down':
        this.dialing.switchIsUp(false)
        return false
      case 'pbx.up':
        this.dialing.switchIsUp(true)
        this.callRecovery.switchIsUp()
        return false
      case 'recording.ended':
        this.callRecovery.recordings.recordingEnded(event)
        this.dialing.lines.recordingEnded(event)
        return true
      default:
        return 'leg' in event && this.#handleLegEvent(event)
    }
  }

  /** An agent's state is shown everywhere, and kept where a restart would need it. */
  agentSessionChanged(status: AgentStatus): void {
    this.agentDesktop.notifyAgent(status.agent, { type: 'status', status })
    this.#options.onStatus?.(status)
    this.dialing.pacingObservations.agentSessionChanged(status)
    if (status.state !== 'reserved') this.preview.forget(status.agent)
    this.#sessions.changed(status)
    this.dialing.consider()
  }

  /**
   * Something that was asked of the records is in doubt: it is looked into, and then dialing goes on. Of several doubts
   * the last one is looked into; it waits for the lease, for claims under way and for the past.
   */
  #resettle(doubt = ++this.#doubts): void {
    if (this.#isStopped || doubt !== this.#doubts) return
    this.dialing.settled(false)
    const again = () => this.#later(() => this.#resettle(doubt))
    const lease = this.#lease.held
    // A claim whose answer is under way must not be taken for one whose answer was lost.
    if (!lease || this.dialing.isClaiming || this.callRecovery.isPending) return again()
    const { dialerRepository } = this.#options
    const ask = async () => {
      const ours = await Promise.all(this.#fences.map((fence) => dialerRepository.openAttempts({ ...lease, fence })))
      await dialerRepository.adoptAttempts(lease, CUT_OFF_MAX_MS)
      const strays = await this.callRecovery.linesOf(await this.#strangers(await dialerRepository.openAttempts(lease)))
      if (doubt !== this.#doubts) return
      const claimed = new Set(ours.flat().map(({ id }) => id))
      await this.callRecovery.settleStrays(strays, (id) => claimed.has(id) && !this.dialing.lines.hasBegun(id))
    }
    ask().then(
      () =>
        this.#context.enqueue(() => {
          if (doubt === this.#doubts) this.dialing.settled(true)
        }),
      again,
    )
  }

  /** What an earlier engine left is settled. Should something else be in doubt by now, that is looked into first. */
  pastSettled(): void {
    if (this.#doubts === 0) this.dialing.settled(true)
    else this.#resettle()
  }

  /** Once, however many campaigns ask for it. */
  #considerSoon(): void {
    if (this.#isConsideredSoon) return
    this.#isConsideredSoon = true
    this.#timers.after(PACED_MS, () => {
      this.#isConsideredSoon = false
      this.#context.enqueue(() => this.dialing.consider())
    })
  }

  #later(action: () => void): void {
    this.#timers.after(RETRY_MS, () => this.#context.enqueue(action))
  }

  #onTaken(lease: NodeLease): void {
    this.#fence = lease.fence
    this.#fences = [...this.#fences, lease.fence].slice(-FENCES_MAX)
    if (!this.#taken) {
      return this.#context.enqueue(() => {
        this.#sessions.again()
        this.#resettle()
      })
    }
    this.#taken(lease)
    this.#taken = undefined
  }

  #handleLegEvent(event: Extract<PbxEvent, { leg: LegId }>): boolean {
    const { lines } = this.dialing
    if (event.type === 'leg.ended' && this.callRecovery.keptEnded(event.leg)) return true
    if (!lines.owns(event.leg)) return false
    const isUnseen = event.type === 'leg.ended' && event.reason === 'lost' && this.#options.callEventLog !== undefined
    if (isUnseen) this.#askCallEventLog(event)
    else lines.handleLegEvent(event)
    return true
  }

  /** A leg ended while nobody was looking: the switch may have written down how (F-A1). */
  #askCallEventLog(event: Extract<PbxEvent, { type: 'leg.ended' }>): void {
    const { leg } = event
    void this.#loggedEnds([leg]).then((all) =>
      this.#context.enqueue(() => {
        const told = all.get(leg)
        if (typeof told === 'object') this.dialing.lines.endedUnseen(leg, told)
        else this.dialing.lines.handleLegEvent(event)
      }),
    )
  }

  async #loggedEnds(legs: readonly LegId[]): Promise<ReadonlyMap<LegId, LoggedLeg>> {
    const { callEventLog } = this.#options
    if (!callEventLog || legs.length === 0) return new Map()
    const late = this.#timers.pause(WITNESS_MAX_MS).then(() => undefined)
    const told = await Promise.race([callEventLog.readEnds(legs).catch(() => undefined), late])
    return told ?? new Map()
  }

  /** Open attempts that are no lines of ours, and whose end is not about to be written. */
  async #strangers(open: readonly Attempt[]): Promise<readonly Attempt[]> {
    await this.recordWriter.settled()
    const { pending } = this.callRecovery
    return open.filter(({ id, leg }) => !this.dialing.lines.of(id) && !pending.has(id) && !this.recordWriter.holds(leg))
  }

  #handleAttemptEvent(notification: DatabaseNotification): void {
    if (notification === 'tasks') {
      this.dialing.tasksChanged()
      this.agentDesktop.tasksChanged().catch(() => {})
    }
    if (notification === 'orders') void this.campaigns.load()
    if (notification === 'tasks' || notification === 'orders') this.#cancelAttempts()
  }

  /** What nobody has answered, and must not be answered any more: ended tasks, stops, the kill switch. */
  #cancelAttempts(): void {
    const lease = this.#lease.held
    if (!lease || this.dialing.lines.count === 0) return
    this.#options.dialerRepository.attemptsToCancel(lease).then(
      (commands) => this.#context.enqueue(() => this.dialing.takeBack(commands.map(({ attempt }) => attempt))),
      () => {},
    )
  }

  /** Attempts that the records hold open and nobody knows: found by themselves, should all else have failed. */
  #lookForStrays(): void {
    const lease = this.#lease.held
    if (!lease || !this.dialing.isWell || this.dialing.isClaiming) return
    const nowMs = this.#context.dependencies.clock.nowMs()
    this.#options.dialerRepository.releaseForgotten(lease, nowMs - RESERVED_MAX_MS).catch(() => {})
    const oldest = nowMs - STRAYS_EVERY_MS
    this.#options.dialerRepository
      .adoptAttempts(lease, CUT_OFF_MAX_MS)
      .then(() => this.#options.dialerRepository.openAttempts(lease))
      .then((open) => this.#strangers(open.filter(({ claimedAtMs }) => claimedAtMs < oldest)))
      .then(
        (strays) => {
          if (strays.length > 0) this.#context.enqueue(() => this.#resettle())
        },
        () => {},
      )
  }
}
