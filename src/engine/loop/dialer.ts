/**
 * Everything that dialing needs, joined: the lease, the campaigns, the writer, the lines, and what an earlier engine
 * left behind. The engine has one when it has records; without, it only serves those who call in.
 */
import type { LegId } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { Attempt, Fence, NodeLease } from '../../ports/attempt.ts'
import type { CampaignBoard } from '../../ports/board.ts'
import type { News, Records } from '../../ports/dialer-repository.ts'
import type { PbxEvent, Witness } from '../../ports/pbx.ts'
import type { Spool } from '../../ports/spool.ts'
import { Stations } from '../agents/agent-desktop.ts'
import { PreviewDesk } from '../agents/preview-offers.ts'
import { SeatKeeper } from '../agents/save-agent-sessions.ts'
import type { Rooms } from '../context.ts'
import { InboundBook } from '../inbound/inbound-call-recorder.ts'
import { CampaignBoards } from '../outbound/campaign-boards.ts'
import { CampaignShelf } from '../outbound/campaign-registry.ts'
import { LeaseKeeper } from '../outbound/node-lease.ts'
import { Dialing } from '../outbound/place-calls.ts'
import type { TrunkLimits } from '../outbound/trunk-limits.ts'
import { Scribe } from '../record-writer.ts'
import type { Told } from '../recovery/past-attempts.ts'
import { CUT_OFF_MAX_MS, Takeover } from '../recovery/recover-calls.ts'
import { Alarms } from '../timers.ts'

/** What a robot is made of, beside the engine's own parts. */
export interface RobotOptions {
  readonly records: Records
  /** The name of this node; its lease, its seats and its calls are kept under it. */
  readonly node: string
  readonly spool: Spool
  /** Undefined where the switch keeps no records that we could read. */
  readonly witness: Witness | undefined
  /** The carriers of the set-up; it may change while lines are out. */
  readonly trunks: () => readonly TrunkLimits[]
  /** The template of an external system's page, by the system's id or code; undefined where it has none. */
  readonly page: (externalSystem: number | string) => string | undefined
  /** False while another engine may be at work: then nothing is dialed. */
  readonly mayDial?: () => boolean
  /** Told of every change of an agent's state, for boards and other nodes. */
  readonly onStatus?: (status: AgentStatus) => void
  /** Told how a campaign is paced, at most once a second for each. */
  readonly onBoard?: (board: CampaignBoard) => void
}

const CONSIDER_EVERY_MS = 500
/** Whoever forecasts gains by deciding more often (pacing-frontier.md 6). */
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
export class Robot {
  readonly dialing: Dialing
  readonly scribe: Scribe
  readonly stations: Stations
  readonly campaigns: CampaignShelf
  readonly preview: PreviewDesk
  readonly inbound: InboundBook
  readonly #rooms: Rooms
  readonly #options: RobotOptions
  readonly #lease: LeaseKeeper
  readonly #seats: SeatKeeper
  readonly #alarms: Alarms
  readonly takeover: Takeover
  #fence: Fence | undefined
  /** Those that this engine had, the newest last: what was claimed under them and never begun was never dialed. */
  #fences: readonly Fence[] = []
  #isStopped = false
  #isConsideredSoon = false
  #doubts = 0
  #taken: ((lease: NodeLease) => void) | undefined
  #forgetNews: (() => void) | undefined

  constructor(rooms: Rooms, options: RobotOptions) {
    const { records, node, spool } = options
    const { clock, log } = rooms.parts
    const lease = () => (options.mayDial?.() === false ? undefined : this.#lease.held)
    this.#rooms = rooms
    this.#options = options
    this.#alarms = new Alarms(clock)
    this.scribe = new Scribe({
      ...{ records, clock, log, spool },
      fence: () => this.#fence,
      onWritten: () => rooms.turn(() => this.dialing.consider()),
    })
    this.#lease = new LeaseKeeper({
      ...{ records, clock, log, node },
      onTaken: (taken) => this.#onTaken(taken),
      onLost: () => rooms.turn(() => this.dialing.settled(false)),
    })
    this.stations = new Stations(rooms, this, options)
    this.dialing = new Dialing(rooms, {
      ...{ records, lease, scribe: this.scribe, fence: () => this.fence },
      trunk: (name) => options.trunks().find((trunk) => name === undefined || trunk.name === name),
      eventName: () => rooms.eventName(),
      onDoubt: () => this.#resettle(),
      onPaced: () => this.#considerSoon(),
      onConnected: (live) => this.stations.connected(live),
      onEnded: (live, report) => this.stations.ended(live, report),
      offerPreviews: () => this.preview.offerAll(),
      isKept: (agent) => this.preview.isLookingFor(agent),
    })
    this.campaigns = new CampaignShelf(rooms, options, this.dialing)
    this.preview = new PreviewDesk(rooms, records, this.scribe, this.dialing, lease)
    this.inbound = new InboundBook(rooms, { records, scribe: this.scribe, lease })
    this.#seats = new SeatKeeper(rooms, records, lease)
    const testimony = (legs: readonly LegId[]) => this.#testimony(legs)
    this.takeover = new Takeover(rooms, this, { records, node, alarms: this.#alarms, testimony })
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
    this.scribe.resume()
    await this.scribe.settled()
    while (!(await this.campaigns.load())) await this.#alarms.pause(RETRY_MS)
    await this.takeover.prepare(lease)
  }

  /** The switch is there: dialing begins as soon as the past is settled. */
  begin(): void {
    const { records, onBoard } = this.#options
    const turn = (action: () => void) => () => this.#rooms.turn(action)
    this.#forgetNews = records.onNews((news) => this.#rooms.turn(() => this.#hear(news)))
    const consider = turn(() => {
      this.dialing.consider()
      this.preview.offerAll()
    })
    this.#alarms.every(CONSIDER_EVERY_MS, consider)
    this.#alarms.every(FORECAST_EVERY_MS, () => {
      if (this.campaigns.isForecasting) this.#rooms.turn(() => this.dialing.consider())
    })
    this.#alarms.every(LOOK_EVERY_MS, () => this.#takeBack())
    if (onBoard) {
      const boards = new CampaignBoards(this.#rooms, this.dialing, onBoard)
      this.#alarms.every(BOARD_EVERY_MS, () => this.#rooms.turn(() => boards.look()))
    }
    this.#alarms.every(CAMPAIGNS_EVERY_MS, () => void this.campaigns.load())
    this.#alarms.every(LEARNING_EVERY_MS, () => void this.campaigns.keepLearning(this.fence))
    this.#alarms.every(STRAYS_EVERY_MS, () => this.#lookForStrays())
  }

  /** Stops to dial. What is up goes on, and is found again by the next engine. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#forgetNews?.()
    this.#alarms.stop()
    this.#rooms.turn(() => this.dialing.settled(false))
    await this.scribe.settled()
    await this.campaigns.keepLearning(this.fence)
    if (this.dialing.lines.count === 0) await this.#lease.stop()
  }

  /** Whether a fact of the switch is about a line of ours. */
  hear(event: PbxEvent): boolean {
    switch (event.type) {
      case 'leg.found':
        this.takeover.found(event.leg, event)
        return false
      case 'pbx.down':
        this.dialing.switchIsUp(false)
        return false
      case 'pbx.up':
        this.dialing.switchIsUp(true)
        this.takeover.switchIsUp()
        return false
      case 'recording.ended':
        this.takeover.recordings.ended(event)
        this.dialing.lines.recordingEnded(event)
        return true
      default:
        return 'leg' in event && this.#hearLeg(event)
    }
  }

  /** An agent's state is shown everywhere, and kept where a restart would need it. */
  seatChanged(status: AgentStatus): void {
    this.stations.tell(status.agent, { type: 'status', status })
    this.#options.onStatus?.(status)
    this.dialing.lessons.seatChanged(status)
    if (status.state !== 'reserved') this.preview.forget(status.agent)
    this.#seats.changed(status)
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
    if (!lease || this.dialing.isClaiming || this.takeover.isPending) return again()
    const { records } = this.#options
    const ask = async () => {
      const ours = await Promise.all(this.#fences.map((fence) => records.openAttempts({ ...lease, fence })))
      await records.adoptAttempts(lease, CUT_OFF_MAX_MS)
      const strays = await this.takeover.linesOf(await this.#strangers(await records.openAttempts(lease)))
      if (doubt !== this.#doubts) return
      const claimed = new Set(ours.flat().map(({ id }) => id))
      await this.takeover.settleStrays(strays, (id) => claimed.has(id) && !this.dialing.lines.hasBegun(id))
    }
    ask().then(
      () =>
        this.#rooms.turn(() => {
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
    this.#alarms.after(PACED_MS, () => {
      this.#isConsideredSoon = false
      this.#rooms.turn(() => this.dialing.consider())
    })
  }

  #later(action: () => void): void {
    this.#alarms.after(RETRY_MS, () => this.#rooms.turn(action))
  }

  #onTaken(lease: NodeLease): void {
    this.#fence = lease.fence
    this.#fences = [...this.#fences, lease.fence].slice(-FENCES_MAX)
    if (!this.#taken) {
      return this.#rooms.turn(() => {
        this.#seats.again()
        this.#resettle()
      })
    }
    this.#taken(lease)
    this.#taken = undefined
  }

  #hearLeg(event: Extract<PbxEvent, { leg: LegId }>): boolean {
    const { lines } = this.dialing
    if (event.type === 'leg.ended' && this.takeover.keptEnded(event.leg)) return true
    if (!lines.owns(event.leg)) return false
    const isUnseen = event.type === 'leg.ended' && event.reason === 'lost' && this.#options.witness !== undefined
    if (isUnseen) this.#askWitness(event)
    else lines.hear(event)
    return true
  }

  /** A leg ended while nobody was looking: the switch may have written down how (F-A1). */
  #askWitness(event: Extract<PbxEvent, { type: 'leg.ended' }>): void {
    const { leg } = event
    void this.#testimony([leg]).then((all) =>
      this.#rooms.turn(() => {
        const told = all.get(leg)
        if (typeof told === 'object') this.dialing.lines.endedUnseen(leg, told)
        else this.dialing.lines.hear(event)
      }),
    )
  }

  async #testimony(legs: readonly LegId[]): Promise<ReadonlyMap<LegId, Told>> {
    const { witness } = this.#options
    if (!witness || legs.length === 0) return new Map()
    const late = this.#alarms.pause(WITNESS_MAX_MS).then(() => undefined)
    const told = await Promise.race([witness.testimonyOf(legs).catch(() => undefined), late])
    return told ?? new Map()
  }

  /** Open attempts that are no lines of ours, and whose end is not about to be written. */
  async #strangers(open: readonly Attempt[]): Promise<readonly Attempt[]> {
    await this.scribe.settled()
    const { pending } = this.takeover
    return open.filter(({ id, leg }) => !this.dialing.lines.of(id) && !pending.has(id) && !this.scribe.holds(leg))
  }

  #hear(news: News): void {
    if (news === 'tasks') {
      this.dialing.tasksChanged()
      this.stations.tasksChanged().catch(() => {})
    }
    if (news === 'orders') void this.campaigns.load()
    if (news === 'tasks' || news === 'orders') this.#takeBack()
  }

  /** What nobody has answered, and must not be answered any more: ended tasks, stops, the kill switch. */
  #takeBack(): void {
    const lease = this.#lease.held
    if (!lease || this.dialing.lines.count === 0) return
    this.#options.records.attemptsToCancel(lease).then(
      (wishes) => this.#rooms.turn(() => this.dialing.takeBack(wishes.map(({ attempt }) => attempt))),
      () => {},
    )
  }

  /** Attempts that the records hold open and nobody knows: found by themselves, should all else have failed. */
  #lookForStrays(): void {
    const lease = this.#lease.held
    if (!lease || !this.dialing.isWell || this.dialing.isClaiming) return
    const nowMs = this.#rooms.parts.clock.nowMs()
    this.#options.records.releaseForgotten(lease, nowMs - RESERVED_MAX_MS).catch(() => {})
    const oldest = nowMs - STRAYS_EVERY_MS
    this.#options.records
      .adoptAttempts(lease, CUT_OFF_MAX_MS)
      .then(() => this.#options.records.openAttempts(lease))
      .then((open) => this.#strangers(open.filter(({ claimedAtMs }) => claimedAtMs < oldest)))
      .then(
        (strays) => {
          if (strays.length > 0) this.#rooms.turn(() => this.#resettle())
        },
        () => {},
      )
  }
}
