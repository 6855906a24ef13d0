/**
 * An engine takes the place of one that is gone: it finds out what was left, lets the switch say what of that lives,
 * goes on with it, and settles the rest. Nobody is dialed before that is done (F-B1).
 */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, AttemptId, BridgeId, CallId, LegId } from '../../kernel/ids.ts'
import type { Attempt, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository, FinishedCall, OpenCall } from '../../ports/dialer-repository.ts'
import { restingCampaign } from '../campaigns/inactive-campaign.ts'
import type { EngineContext } from '../context.ts'
import { serveAgain } from '../inbound/arrivals.ts'
import type { Dialer } from '../loop/dialer.ts'
import { attemptEndOf, finishedCallOf } from '../outbound/attempt-outcome.ts'
import type { FoundLeg } from '../outbound/live-attempt.ts'
import type { Timers } from '../timers.ts'
import { endOfPast, type LoggedLeg, type PastLine, pastCall, pastLines, unsent } from './past-attempts.ts'
import { PastRecordings } from './past-recordings.ts'

/** What a takeover needs beside the rooms. */
export interface CallRecoveryOptions {
  readonly dialerRepository: DialerRepository
  readonly node: string
  readonly timers: Timers
  /** What the switch wrote down of legs; nothing where it cannot be asked. */
  readonly loggedEnd: (legs: readonly LegId[]) => Promise<ReadonlyMap<LegId, LoggedLeg>>
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
export class CallRecovery {
  /** Of lines that ended while no engine was there. */
  readonly recordings: PastRecordings
  readonly #context: EngineContext
  readonly #dialer: Dialer
  readonly #options: CallRecoveryOptions
  /** Until the switch is up for the first time: what is expected of it, and what it said of that. */
  #past: readonly PastLine[] | undefined
  #openCalls: readonly OpenCall[] = []
  #hasLooked = false
  readonly #found = new Map<LegId, FoundLeg>()
  /** Conversations with callers that an earlier engine connected: kept until the caller hangs up. */
  readonly #kept = new Map<LegId, KeptTalk>()

  constructor(context: EngineContext, dialer: Dialer, options: CallRecoveryOptions) {
    this.#context = context
    this.#dialer = dialer
    this.#options = options
    this.recordings = new PastRecordings(context.dependencies.pbx, options.timers)
  }

  /** Before the switch is asked for anything: what did an earlier engine leave, that must not be closed? */
  async prepare(lease: NodeLease): Promise<void> {
    const { dialerRepository, node } = this.#options
    const open = await this.#insist(async () => {
      await dialerRepository.adoptAttempts(lease, CUT_OFF_MAX_MS)
      return dialerRepository.openAttempts(lease)
    })
    this.#past = await this.#insist(() => this.linesOf(open))
    this.#openCalls = await this.#insist(() => dialerRepository.openCalls(node))
    const sessions = await this.#insist(() => dialerRepository.agentSessions(node))
    this.#context.enqueue(() =>
      this.#context.performDistributor(this.#context.distributor.restoreSessions(sessions, this.#nowMs())),
    )
    // What the desk did not take up again is not ours any more.
    const kept = this.#context.distributor.savedSessions()
    this.#context.dependencies.pbx.expect(
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
        this.#context.dependencies.log.warn({ why: String(error) }, 'the records are not there; asked again')
        await this.#options.timers.pause(RETRY_MS)
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
    const isHere = (leg: LegId) => this.#dialer.dialing.lines.owns(leg) || this.#kept.has(leg)
    for (const leg of this.#context.distributor.parties().filter((party) => !isHere(party))) {
      this.#context.performDistributor(this.#context.distributor.partyEnded(leg, this.#nowMs()))
    }
    const legs = [...gone.map(({ attempt }) => attempt.leg), ...goneCalls.map(({ leg }) => leg)]
    void Promise.all([this.#options.loggedEnd(legs), this.recordings.of(gone)]).then(([told, recordings]) =>
      this.#context.enqueue(() => {
        const nowMs = this.#nowMs()
        for (const line of gone) {
          const { leg } = line.attempt
          this.write(endOfPast(line, told.get(leg), nowMs, recordings.get(leg)))
        }
        for (const call of goneCalls) this.#writeCall(call, told.get(call.leg))
        const { log } = this.#context.dependencies
        if (legs.length > 0) log.warn({ calls: legs.length }, 'calls ended while no engine was there')
        this.#past = undefined
        void this.#dialer.recordWriter.settled().then(() => this.#context.enqueue(() => this.#dialer.pastSettled()))
      }),
    )
  }

  /** What was expected and found, and nobody goes on with: nobody stays in an agent's bridge unseen. */
  #hangUpStrangers(): void {
    const { distributor, dependencies } = this.#context
    for (const leg of this.#found.keys()) {
      const isOurs = this.#dialer.dialing.lines.owns(leg) || this.#kept.has(leg) || distributor.owns(leg)
      if (!isOurs && !this.#context.callsByLeg.has(leg)) dependencies.pbx.hangUp(leg)
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
      ...pastCall(call, told, this.#context.eventName(), nowMs),
      ...{ result: 'answered', talkMs: Math.max(0, nowMs - sinceMs), hungUpBy: hasAgentLeft ? 'agent' : 'caller' },
      ...(agent !== undefined && { agent }),
    }
    this.#dialer.recordWriter.write({ key: leg, what: 'callEnded', value })
    this.#context.performDistributor(this.#context.distributor.partyEnded(leg, nowMs))
    return true
  }

  /**
   * Brings attempts to their end that are nobody's lines. `isUnsent`: committed by a claim of ours whose answer was
   * lost, so that nothing of it was ever dialed (F-D7). Of the others the switch may know; else nobody does.
   */
  async settleStrays(strays: readonly PastLine[], isUnsent: (attempt: AttemptId) => boolean): Promise<void> {
    const dialed = strays.filter(({ attempt }) => !isUnsent(attempt.id))
    const told = await this.#options.loggedEnd(dialed.map(({ attempt }) => attempt.leg))
    this.#context.enqueue(() => {
      const nowMs = this.#nowMs()
      for (const stray of strays) {
        const { id, leg } = stray.attempt
        this.write(isUnsent(id) ? unsent(stray, nowMs) : endOfPast(stray, told.get(leg), nowMs))
      }
    })
  }

  write({ line, report, atMs }: ReturnType<typeof endOfPast>): void {
    const { recordWriter, fence } = this.#dialer
    const end = attemptEndOf(line, report, fence, atMs)
    line.campaign.resolved(line.attempt, false, report.result === 'dropped', atMs)
    this.#dialer.dialing.tried(line, end)
    if (report.facts.reach === 'nothing') recordWriter.write({ key: line.leg, what: 'attemptEnded', value: end })
    else {
      const value = finishedCallOf(line, end, this.#context.eventName())
      recordWriter.write({ key: line.leg, what: 'callEnded', value })
    }
  }

  /** Attempts with their tasks and campaigns. */
  async linesOf(open: readonly Attempt[]): Promise<PastLine[]> {
    const tasks = [...new Set(open.map(({ task }) => task))]
    const described = tasks.length === 0 ? [] : await this.#options.dialerRepository.describeTasks(tasks, 0)
    const found = ({ campaign }: Attempt) => this.#dialer.campaigns.get(campaign) ?? restingCampaign(campaign)
    return pastLines(open, described, found)
  }

  /** Takes over an attempt that lives on; false when the switch knows nothing of it. */
  #adopt({ attempt, campaign, group }: PastLine): boolean {
    const found = this.#found.get(attempt.leg)
    if (!found) return false
    const { id, leg, activity, number, claimedAtMs } = attempt
    const line = { attempt: id, leg, activity, number, claimedAtMs, validUntilAtMs: claimedAtMs }
    this.#dialer.dialing.lines.adopt({ ...line, campaign, group, byHand: undefined }, attempt, found)
    return true
  }

  /** A caller who is with somebody stays there; one who is alone is served from the beginning. False: they are gone. */
  #goOn(call: OpenCall): boolean {
    const found = this.#found.get(call.leg)
    if (!found) return false
    const { distributor, dependencies } = this.#context
    if (!found.bridge || !distributor.sessionOfBridge(found.bridge)) {
      // The seat of their agent was not kept: they are alone in a bridge that nobody else would ever close (INV-A4).
      if (found.bridge) dependencies.pbx.closeBridge(found.bridge)
      serveAgain(this.#context, call)
    } else {
      this.#adoptCaller(call.leg, found.bridge)
      this.#kept.set(call.leg, { call, ...this.#talkOf(call.leg), hasAgentLeft: false })
    }
    return true
  }

  /** The agent may not be known to talk: what was saved of their seat can be older than this conversation. */
  #adoptCaller(leg: LegId, bridge: BridgeId): void {
    const { distributor, performDistributor } = this.#context
    const session = distributor.sessionOfBridge(bridge)
    if (!session || distributor.sessionWith(leg)) return
    const [team] = [...this.#context.staff().teams.values()].filter(({ agents }) => agents.includes(session.agent))
    if (team) performDistributor(distributor.adopt({ leg, team: team.name, wrapUp: NO_WRAP_UP }, bridge, this.#nowMs()))
  }

  /** Since when the agent talks to them: as it was kept with the seat; at the worst since we know of it. */
  #talkOf(leg: LegId): Pick<KeptTalk, 'agent' | 'sinceMs'> {
    const { distributor } = this.#context
    const agent = distributor.sessionWith(leg)?.agent
    const status = distributor.statuses().find((one) => one.agent === agent)
    return { agent, sinceMs: status?.state === 'talking' ? status.sinceAtMs : this.#nowMs() }
  }

  /** The agent of a kept conversation has left it: the caller is not left in silence. */
  agentLeft(leg: LegId): void {
    const kept = this.#kept.get(leg)
    if (!kept) return
    kept.hasAgentLeft = true
    this.#context.dependencies.pbx.hangUp(leg)
  }

  /** The same by the name of the call. */
  agentLeftCall(call: CallId): void {
    for (const kept of this.#kept.values()) if (kept.call.call === call) this.agentLeft(kept.call.leg)
  }

  #writeCall(call: OpenCall, told: LoggedLeg): void {
    const value = pastCall(call, told, this.#context.eventName(), this.#nowMs())
    this.#dialer.recordWriter.write({ key: call.leg, what: 'callEnded', value })
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}
