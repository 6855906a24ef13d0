/**
 * An engine takes the place of one that is gone: it finds out what was left, lets the switch say what of that lives,
 * goes on with it, and settles the rest. Nobody is dialed before that is done (F-B1).
 */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, LegId } from '../../kernel/ids.ts'
import type { Attempt, AttemptId, NodeLease } from '../../ports/attempt.ts'
import type { FinishedCall, OpenCall, Records } from '../../ports/dialer-repository.ts'
import { restingCampaign } from '../campaigns/inactive-campaign.ts'
import type { Rooms } from '../context.ts'
import { serveAgain } from '../inbound/arrivals.ts'
import type { Robot } from '../loop/dialer.ts'
import { attemptEndOf, finishedCallOf } from '../outbound/attempt-outcome.ts'
import type { Alarms } from '../timers.ts'
import { endOfPast, type FoundLeg, type PastLine, pastCall, pastLines, type Told, unsent } from './past-attempts.ts'
import { PastRecordings } from './past-recordings.ts'

/** What a takeover needs beside the rooms. */
export interface TakeoverOptions {
  readonly records: Records
  readonly node: string
  readonly alarms: Alarms
  /** What the switch wrote down of legs; nothing where it cannot be asked. */
  readonly testimony: (legs: readonly LegId[]) => Promise<ReadonlyMap<LegId, Told>>
}

const RETRY_MS = 500
/** Another node may only be cut off from the records: its calls go on. */
export const CUT_OFF_MAX_MS = 60_000
/** Nobody knows any more which campaign or queue it came from. */
const NO_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 0 }

/** A conversation with a caller that goes on, and what was kept of its agent's seat. */
interface KeptTalk {
  readonly call: OpenCall
  readonly agent: AgentName | undefined
  readonly sinceMs: AtMs
  hasAgentLeft: boolean
}

/** Mutable state with a lifetime, hence a class. */
export class Takeover {
  /** Of lines that ended while no engine was there. */
  readonly recordings: PastRecordings
  readonly #rooms: Rooms
  readonly #robot: Robot
  readonly #options: TakeoverOptions
  /** Until the switch is up for the first time: what is expected of it, and what it said of that. */
  #past: readonly PastLine[] | undefined
  #openCalls: readonly OpenCall[] = []
  #hasLooked = false
  readonly #found = new Map<LegId, FoundLeg>()
  /** Conversations with callers that an earlier engine connected: kept until the caller hangs up. */
  readonly #kept = new Map<LegId, KeptTalk>()

  constructor(rooms: Rooms, robot: Robot, options: TakeoverOptions) {
    this.#rooms = rooms
    this.#robot = robot
    this.#options = options
    this.recordings = new PastRecordings(rooms.parts.pbx, options.alarms)
  }

  /** Before the switch is asked for anything: what did an earlier engine leave, that must not be closed? */
  async prepare(lease: NodeLease): Promise<void> {
    const { records, node } = this.#options
    const open = await this.#insist(async () => {
      await records.adoptAttempts(lease, CUT_OFF_MAX_MS)
      return records.openAttempts(lease)
    })
    this.#past = await this.#insist(() => this.linesOf(open))
    this.#openCalls = await this.#insist(() => records.openCalls(node))
    const seats = await this.#insist(() => records.seats(node))
    this.#rooms.turn(() => this.#rooms.doDesk(this.#rooms.desk.restoreSeats(seats, this.#nowMs())))
    // What the desk did not take up again is not ours any more.
    const kept = this.#rooms.desk.savedSeats()
    this.#rooms.parts.pbx.expect(
      [...open, ...this.#openCalls, ...kept].map(({ leg }) => leg),
      kept.map(({ bridge }) => bridge),
    )
  }

  /** Asks until there is an answer: without it we would not know whom we are dialing already. */
  async #insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        this.#rooms.parts.log.warn({ why: String(error) }, 'the records are not there; asked again')
        await this.#options.alarms.pause(RETRY_MS)
      }
    }
  }

  found(leg: LegId, found: FoundLeg): void {
    this.#found.set(leg, found)
  }

  /** Whether what an earlier engine left is not settled yet. */
  get isPending(): boolean {
    return this.#past !== undefined
  }

  /** Attempts whose end this has still to write. */
  get pending(): ReadonlySet<AttemptId> {
    return new Set(this.#past?.map(({ attempt }) => attempt.id))
  }

  /** The switch has told what lives. Only the first time: after that it tells of our own lines. */
  switchIsUp(): void {
    const past = this.#past
    if (!past || this.#hasLooked) return
    this.#hasLooked = true
    const gone = past.filter((line) => !this.#adopt(line))
    const goneCalls = this.#openCalls.filter((call) => !this.#goOn(call))
    this.#hangUpStrangers()
    const isHere = (leg: LegId) => this.#robot.dialing.lines.owns(leg) || this.#kept.has(leg)
    for (const leg of this.#rooms.desk.parties().filter((party) => !isHere(party))) {
      this.#rooms.doDesk(this.#rooms.desk.partyEnded(leg, this.#nowMs()))
    }
    const legs = [...gone.map(({ attempt }) => attempt.leg), ...goneCalls.map(({ leg }) => leg)]
    void Promise.all([this.#options.testimony(legs), this.recordings.of(gone)]).then(([told, recordings]) =>
      this.#rooms.turn(() => {
        const nowMs = this.#nowMs()
        for (const line of gone) {
          const { leg } = line.attempt
          this.write(endOfPast(line, told.get(leg), nowMs, recordings.get(leg)))
        }
        for (const call of goneCalls) this.#writeCall(call, told.get(call.leg))
        const { log } = this.#rooms.parts
        if (legs.length > 0) log.warn({ calls: legs.length }, 'calls ended while no engine was there')
        this.#past = undefined
        void this.#robot.scribe.settled().then(() => this.#rooms.turn(() => this.#robot.pastSettled()))
      }),
    )
  }

  /** What was expected and found, and nobody goes on with: nobody stays in an agent's bridge unseen. */
  #hangUpStrangers(): void {
    const { desk, parts } = this.#rooms
    for (const leg of this.#found.keys()) {
      const isOurs = this.#robot.dialing.lines.owns(leg) || this.#kept.has(leg) || desk.owns(leg)
      if (!isOurs && !this.#rooms.callsByLeg.has(leg)) parts.pbx.hangUp(leg)
    }
  }

  /** A conversation that was kept is over; false when the leg is none of one. */
  keptEnded(leg: LegId): boolean {
    const kept = this.#kept.get(leg)
    if (!kept) return false
    this.#kept.delete(leg)
    const { call, agent, sinceMs, hasAgentLeft } = kept
    const nowMs = this.#nowMs()
    const told = { answeredAtMs: call.createdAtMs, endedAtMs: nowMs, reason: 'hungUp' } as const
    const value: FinishedCall = {
      ...pastCall(call, told, this.#rooms.eventName(), nowMs),
      ...{ result: 'answered', talkMs: Math.max(0, nowMs - sinceMs), hungUpBy: hasAgentLeft ? 'agent' : 'caller' },
      ...(agent !== undefined && { agent }),
    }
    this.#robot.scribe.write({ key: leg, what: 'callEnded', value })
    this.#rooms.doDesk(this.#rooms.desk.partyEnded(leg, nowMs))
    return true
  }

  /**
   * Brings attempts to their end that are nobody's lines. `isUnsent`: committed by a claim of ours whose answer was
   * lost, so that nothing of it was ever dialed (F-D7). Of the others the switch may know; else nobody does.
   */
  async settleStrays(strays: readonly PastLine[], isUnsent: (attempt: AttemptId) => boolean): Promise<void> {
    const dialed = strays.filter(({ attempt }) => !isUnsent(attempt.id))
    const told = await this.#options.testimony(dialed.map(({ attempt }) => attempt.leg))
    this.#rooms.turn(() => {
      const nowMs = this.#nowMs()
      for (const stray of strays) {
        const { id, leg } = stray.attempt
        this.write(isUnsent(id) ? unsent(stray, nowMs) : endOfPast(stray, told.get(leg), nowMs))
      }
    })
  }

  write({ line, report, atMs }: ReturnType<typeof endOfPast>): void {
    const { scribe, fence } = this.#robot
    const end = attemptEndOf(line, report, fence, atMs)
    line.campaign.resolved(line.attempt, false, report.result === 'dropped', atMs)
    this.#robot.dialing.tried(line, end)
    if (report.facts.reach === 'nothing') scribe.write({ key: line.leg, what: 'attemptEnded', value: end })
    else {
      const value = finishedCallOf(line, end, this.#rooms.eventName())
      scribe.write({ key: line.leg, what: 'callEnded', value })
    }
  }

  /** Attempts with their tasks and campaigns. */
  async linesOf(open: readonly Attempt[]): Promise<PastLine[]> {
    const tasks = [...new Set(open.map(({ task }) => task))]
    const described = tasks.length === 0 ? [] : await this.#options.records.describeTasks(tasks, 0)
    const found = ({ campaign }: Attempt) => this.#robot.campaigns.get(campaign) ?? restingCampaign(campaign)
    return pastLines(open, described, found)
  }

  /** Takes over an attempt that lives on; false when the switch knows nothing of it. */
  #adopt({ attempt, campaign, group }: PastLine): boolean {
    const found = this.#found.get(attempt.leg)
    if (!found) return false
    const { id, leg, activity, number, claimedAtMs } = attempt
    const line = { attempt: id, leg, activity, number, claimedAtMs, validUntilAtMs: claimedAtMs }
    this.#robot.dialing.lines.adopt({ ...line, campaign, group, byHand: undefined }, attempt, found)
    return true
  }

  /** A caller who is with somebody stays there; one who is alone is served from the beginning. False: they are gone. */
  #goOn(call: OpenCall): boolean {
    const found = this.#found.get(call.leg)
    if (!found) return false
    const { desk, parts } = this.#rooms
    if (!found.bridge || !desk.seatOfBridge(found.bridge)) {
      // The seat of their agent was not kept: they are alone in a bridge that nobody else would ever close (INV-A4).
      if (found.bridge) parts.pbx.closeBridge(found.bridge)
      serveAgain(this.#rooms, call)
    } else {
      this.#adoptCaller(call.leg, found.bridge)
      this.#kept.set(call.leg, { call, ...this.#talkOf(call.leg), hasAgentLeft: false })
    }
    return true
  }

  /** The agent may not be known to talk: what was saved of their seat can be older than this conversation. */
  #adoptCaller(leg: LegId, bridge: BridgeId): void {
    const { desk, doDesk } = this.#rooms
    const seat = desk.seatOfBridge(bridge)
    if (!seat || desk.seatWith(leg)) return
    const [team] = [...this.#rooms.staff().teams.values()].filter(({ agents }) => agents.includes(seat.agent))
    if (team) doDesk(desk.adopt({ leg, team: team.name, wrapUp: NO_WRAP_UP }, bridge, this.#nowMs()))
  }

  /** Since when the agent talks to them: as it was kept with the seat; at the worst since we know of it. */
  #talkOf(leg: LegId): Pick<KeptTalk, 'agent' | 'sinceMs'> {
    const { desk } = this.#rooms
    const agent = desk.seatWith(leg)?.agent
    const status = desk.statuses().find((one) => one.agent === agent)
    return { agent, sinceMs: status?.state === 'talking' ? status.sinceAtMs : this.#nowMs() }
  }

  /** The agent of a kept conversation has left it: the caller is not left in silence. */
  agentLeft(leg: LegId): void {
    const kept = this.#kept.get(leg)
    if (!kept) return
    kept.hasAgentLeft = true
    this.#rooms.parts.pbx.hangUp(leg)
  }

  /** The same by the name of the call. */
  agentLeftCall(call: CallId): void {
    for (const kept of this.#kept.values()) if (kept.call.call === call) this.agentLeft(kept.call.leg)
  }

  #writeCall(call: OpenCall, told: Told): void {
    const value = pastCall(call, told, this.#rooms.eventName(), this.#nowMs())
    this.#robot.scribe.write({ key: call.leg, what: 'callEnded', value })
  }

  #nowMs(): number {
    return this.#rooms.parts.clock.nowMs()
  }
}
