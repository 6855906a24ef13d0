/** A new engine goes on with what an earlier one left, and settles the rest. Only then is anything dialed (F-B1). */
import type { WrapUp } from '../../acd/agent-session-messages.ts'
import { type AttemptId, type BridgeId, callOf, type Fence, type LegId } from '../../kernel/ids.ts'
import type { Attempt, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository, FinishedCall } from '../../ports/dialer-repository.ts'
import type { CallProgress, OpenCall } from '../../ports/open-call.ts'
import type { CallEventLog, LoggedLeg } from '../../ports/pbx.ts'
import { AFTER_PAST_CALL, runSteps } from '../after-call.ts'
import { inactiveCampaign } from '../campaigns/inactive-campaign.ts'
import type { EngineContext } from '../context.ts'
import { recordedSoFar } from '../leg-recordings.ts'
import { inPlace, revisionOf } from '../lost-steps.ts'
import type { AttemptEnds } from '../outbound/attempt-end.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { type FoundLeg, shownBy } from '../outbound/live-attempt.ts'
import type { RecordWriter } from '../record-writer.ts'
import type { Timers } from '../timers.ts'
import { KeptTalks } from './kept-talks.ts'
import { LeftCalls } from './left-calls.ts'
import { loggedLegs } from './logged-legs.ts'
import { endOfPast, isClaimedUnder, type PastAttempt, pastAttempts, unsent } from './past-attempts.ts'
import { type PastTalk, pastCall } from './past-calls.ts'
import { endPastRecordings } from './past-recordings.ts'
import { callWithout, endConsultations, openTransfers, PastPairs, progressOf } from './past-transfers.ts'
import { UnservedCalls } from './unserved-calls.ts'

/** What becomes of the callers of an earlier engine. */
interface PastCallers {
  readonly serveAgain: (call: OpenCall) => boolean
  /** The caller has gone. `settle` runs after the steps of `onHangup`. */
  readonly finishWithoutCaller: (call: OpenCall, settle: () => void) => void
}

interface CallRecoveryOptions {
  readonly dialerRepository: DialerRepository
  readonly node: string
  /** The newest one. */
  readonly lease: () => NodeLease
  /** How long the lease of another node must be over, as in `NodeLeaseHolder`. */
  readonly graceMs: () => number
  readonly timers: Timers
  readonly recordWriter: RecordWriter
  readonly attempts: AttemptRunner
  readonly attemptEnds: AttemptEnds
  readonly campaigns: Pick<CampaignRegistry, 'get'>
  readonly callEventLog: CallEventLog | undefined
  readonly callers: PastCallers
  readonly onSettled: () => void
}

const RETRY_MS = 500
/** What an earlier engine left has more time, as an end that was told is never corrected (calls-and-flows-74). */
const PAST_LOG_MAX_MS = 10 * 60_000
/** As long as one entry is written in this time, the engine waits for all that was spooled. */
const SPOOL_STUCK_MS = 60_000
/** The campaign or queue of the call is unknown after a restart. */
const NO_WRAP_UP: WrapUp = { kind: 'timed', lengthMs: 0 }

/** Recovers the calls of the engine that ran before. */
export class CallRecovery {
  readonly #unserved: UnservedCalls
  readonly #context: EngineContext
  readonly #options: CallRecoveryOptions
  /** Until the switch is up for the first time: what the engine expects of it, and what it reported. */
  #past: readonly PastAttempt[] | undefined
  #openCalls: readonly OpenCall[] = []
  #hasLooked = false
  readonly #found = new Map<LegId, FoundLeg>()
  /** Bridges of callers with rung agents, and of transfers. */
  #bridges: readonly BridgeId[] = []
  readonly #pairs: PastPairs
  readonly kept: KeptTalks

  constructor(context: EngineContext, options: CallRecoveryOptions) {
    this.#context = context
    this.#options = options
    this.#pairs = new PastPairs(context, options.attempts.pairs, this.#found)
    this.#unserved = new UnservedCalls(context, options)
    const finish = (value: FinishedCall, call: OpenCall) => this.#finishFlow(value, call)
    this.kept = new KeptTalks(context, { ...options, finish })
  }

  begin(): void {
    for (const part of [this.#unserved, new LeftCalls(this.#context, this.#options)]) part.begin()
  }

  switchIsDown(): void {
    this.#unserved.switchIsDown()
  }

  loggedLegs(legs: readonly LegId[], withinMs?: number): Promise<ReadonlyMap<LegId, LoggedLeg>> {
    return loggedLegs({ ...this.#options, nowMs: () => this.#nowMs() }, legs, withinMs)
  }

  /**
   * Writes what an earlier engine could not: before its attempts and calls are read, which would be settled without it.
   * Its attempts are adopted first: an entry about an attempt of another lease is refused. An entry that the database
   * never takes must not keep callers from being served.
   */
  async writeSpool(): Promise<void> {
    const { recordWriter, timers } = this.#options
    await this.#openAttempts()
    const done = recordWriter.resume()
    for (let left = Number.POSITIVE_INFINITY; recordWriter.pending > 0 && recordWriter.pending < left; ) {
      left = recordWriter.pending
      await Promise.race([done, timers.pause(SPOOL_STUCK_MS)])
    }
  }

  /** Reads what an earlier engine left, and tells the switch which legs and bridges it must not close. */
  async prepare(): Promise<void> {
    const { dialerRepository, node } = this.#options
    const open = await this.#openAttempts()
    this.#past = await this.#insist(() => this.describe(open))
    this.#openCalls = await this.#placed(await this.#insist(() => dialerRepository.openCalls(node)))
    const sessions = await this.#insist(() => dialerRepository.agentSessions(node))
    this.#context.enqueue(() => {
      // First: the sessions are stored anew as soon as they are there.
      this.#context.outbound?.sessions.restored(sessions)
      this.#context.performDistributor(this.#context.distributor.restoreSessions(sessions, this.#nowMs()))
    })
    // Sessions that the distributor did not restore are not expected.
    const kept = this.#context.distributor.savedSessions()
    const talks = this.#openCalls.flatMap(({ progress }) => progress?.talk ?? [])
    const went = [...open.map(progressOf), ...this.#openCalls.map(({ progress }) => progress)]
    const transfers = went.flatMap(openTransfers)
    this.#bridges = [...talks, ...transfers].map(({ bridge }) => bridge)
    this.#context.dependencies.pbx.expect(
      [
        ...[...open, ...this.#openCalls, ...kept].map(({ leg }) => leg),
        ...talks.map(({ agentLeg }) => agentLeg),
        ...transfers.map(({ leg }) => leg),
      ],
      [...kept.map(({ bridge }) => bridge), ...this.#bridges],
    )
  }

  /** Adopts them. Without a lease nothing is found, and all who talk would be hung up on: it is waited for. */
  async #openAttempts(): Promise<readonly Attempt[]> {
    const { dialerRepository, lease: newest, graceMs, timers } = this.#options
    for (;;) {
      const open = await this.#insist(async () => {
        const lease = newest()
        return (await dialerRepository.adoptAttempts(lease, graceMs())) && dialerRepository.openAttempts(lease)
      })
      if (open) return open
      await timers.pause(RETRY_MS)
    }
  }

  /** Callers go on in the revision that they are in, also when another one is live by now. */
  async #placed(open: readonly OpenCall[]): Promise<readonly OpenCall[]> {
    const { flows } = this.#context.dependencies
    const left = new Set(open.flatMap((call) => revisionOf(call) ?? []))
    for (const one of left) await this.#insist(() => flows.recall(one))
    return open.map((call) => inPlace(call, flows))
  }

  /** Retries until the database answers: without the answer the engine would not know whom it is already dialing. */
  async #insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        this.#context.dependencies.log.warn({ why: String(error) }, 'database unavailable during recovery; retrying')
        await this.#options.timers.pause(RETRY_MS)
      }
    }
  }

  legFound(leg: LegId, found: FoundLeg): void {
    this.#found.set(leg, found)
  }

  get isPending(): boolean {
    return this.#past !== undefined
  }

  get pending(): ReadonlySet<AttemptId> {
    return new Set(this.#past?.map(({ attempt }) => attempt.id))
  }

  /** The switch has reported all legs that live. Only the first time: after that it reports this engine's own legs. */
  switchIsUp(): void {
    this.#settlePast()
    this.#unserved.switchIsUp()
  }

  #settlePast(): void {
    const past = this.#past
    if (!past || this.#hasLooked) return
    this.#hasLooked = true
    const [gone, goneCalls] = this.#goOnWithAll(past)
    const talks = new Map(goneCalls.map(({ leg }) => [leg, this.#pastTalkOf(leg)]))
    this.#hangUpStrangers()
    this.#unmute()
    this.#closeBridges()
    const { keptTalks, callsByLeg } = this.#context
    const isHere = (leg: LegId) => this.#options.attempts.owns(leg) || keptTalks.has(leg) || callsByLeg.has(leg)
    for (const leg of this.#context.distributor.parties().filter((party) => !isHere(party))) {
      this.#context.performDistributor(this.#context.distributor.partyEnded(leg, this.#nowMs()))
    }
    const legs = [...gone.map(({ attempt }) => attempt.leg), ...goneCalls.map(({ leg }) => leg)]
    const ended = endPastRecordings(this.#context.recordings, gone, goneCalls)
    void Promise.all([this.loggedLegs(legs, PAST_LOG_MAX_MS), ended]).then(([logged, recordings]) =>
      this.#context.enqueue(() => {
        const nowMs = this.#nowMs()
        for (const line of gone) {
          const { leg } = line.attempt
          this.#options.attemptEnds.pastAttemptEnded(endOfPast(line, logged.get(leg), nowMs, recordings.get(leg)))
        }
        const finishFlow = (call: OpenCall) => {
          const { leg } = call
          const [end, talk, made] = [logged.get(leg), talks.get(leg), recordings.get(leg)]
          this.#finishFlow(pastCall(call, end, talk, this.#context.eventName(), nowMs, made), call)
        }
        for (const call of goneCalls) runSteps(AFTER_PAST_CALL, { finishFlow }, call)
        const { log } = this.#context.dependencies
        if (legs.length > 0) log.warn({ calls: legs.length }, 'calls ended while no engine was running')
        this.#past = undefined
        void this.#options.recordWriter.settled().then(() => this.#context.enqueue(() => this.#options.onSettled()))
      }),
    )
  }

  /**
   * Returns what is gone. Whoever is in a bridge comes first: the saved sessions may be older than a conversation, and
   * nobody who waits may get an agent who is in one (day 1449: two callees in one bridge).
   */
  #goOnWithAll(past: readonly PastAttempt[]): [gone: readonly PastAttempt[], goneCalls: readonly OpenCall[]] {
    const inBridge = ({ leg }: { readonly leg: LegId }) => this.#found.get(leg)?.bridge !== undefined
    const [gone, goneCalls]: [PastAttempt[], OpenCall[]] = [[], []]
    for (const isInBridge of [true, false]) {
      for (const line of past) if (inBridge(line.attempt) === isInBridge && !this.#adopt(line)) gone.push(line)
      for (const call of this.#openCalls) if (inBridge(call) === isInBridge && !this.#goOn(call)) goneCalls.push(call)
    }
    return [gone, goneCalls]
  }

  /** Hangs up expected legs that no part of the engine goes on with: no unseen leg stays in an agent's bridge. */
  #hangUpStrangers(): void {
    for (const leg of this.#found.keys()) if (!this.#isOurs(leg)) this.#context.dependencies.pbx.hangUp(leg)
  }

  /** Those that nobody of ours is in: who was there is gone, or never came. Nothing else would close them (INV-A4). */
  #closeBridges(): void {
    const inside = [...this.#found].filter(([leg]) => this.#isOurs(leg)).map(([, { bridge }]) => bridge)
    for (const bridge of this.#bridges) if (!inside.includes(bridge)) this.#context.dependencies.pbx.closeBridge(bridge)
  }

  #isOurs(leg: LegId): boolean {
    const { distributor, inboundCalls, keptTalks, callsByLeg } = this.#context
    const owners = [inboundCalls?.transfers, this.#options.attempts.pairs, this.#options.attempts, distributor]
    return owners.some((one) => one?.owns(leg)) || keptTalks.has(leg) || callsByLeg.has(leg)
  }

  /** The switch keeps a leg muted until it is told: who does not count as muted is heard (calls-and-flows-98). */
  #unmute(): void {
    const { distributor, dependencies, agentDesktop } = this.#context
    for (const [leg, { isUp }] of this.#found) {
      const isMuted = agentDesktop?.talkActs.isMutedOn(leg) === true
      if (isUp && !isMuted && distributor.owns(leg)) dependencies.pbx.mute(leg, false)
    }
  }

  /** The call is written after the steps of `onHangup`: an engine after another crash goes on with them. */
  #finishFlow(value: FinishedCall, call: OpenCall): void {
    const recordCall = () => this.#options.recordWriter.write({ key: call.leg, what: 'callEnded', value })
    this.#options.callers.finishWithoutCaller(call, recordCall)
  }

  /**
   * Ends open attempts that no engine runs. Those of a claim under our `fences` whose answer was lost were never dialed
   * (F-D7). The ends of the others come from the call event log, as far as it knows them.
   */
  async settleStrays(strays: readonly PastAttempt[], fences: readonly Fence[]): Promise<void> {
    const isUnsent = ({ attempt }: PastAttempt) =>
      isClaimedUnder(attempt, fences) && !this.#options.attempts.hasBegun(attempt.id)
    const dialed = strays.filter((stray) => !isUnsent(stray))
    const logged = await this.loggedLegs(dialed.map(({ attempt }) => attempt.leg))
    this.#context.enqueue(() => {
      const nowMs = this.#nowMs()
      for (const stray of strays) {
        const end = isUnsent(stray) ? unsent(stray, nowMs) : endOfPast(stray, logged.get(stray.attempt.leg), nowMs)
        this.#options.attemptEnds.pastAttemptEnded(end)
      }
    })
  }

  async describe(open: readonly Attempt[]): Promise<PastAttempt[]> {
    const tasks = [...new Set(open.map(({ task }) => task))]
    const described = tasks.length === 0 ? [] : await this.#options.dialerRepository.describeTasks(tasks, 0)
    const found = ({ campaign }: Attempt) => this.#options.campaigns.get(campaign) ?? inactiveCampaign(campaign)
    return pastAttempts(open, described, found)
  }

  /**
   * Whoever was on hold goes back to their agent, who waits on the line (calls-and-flows-82). `rung`: with an agent
   * whose phone was rung.
   */
  #takenBack(leg: LegId, rung?: CallProgress['talk']): FoundLeg | undefined {
    const found = this.#found.get(leg)
    if (!found?.isUp || found.bridge !== undefined) return found
    const { distributor, dependencies } = this.#context
    // Nobody else would end it: the agent who comes next, or the flow, is to be heard.
    dependencies.pbx.stopMusic(leg)
    const talk = distributor.sessionWith(leg) ?? rung
    if (!talk || !this.#found.get(talk.agentLeg)?.isUp) return found
    dependencies.pbx.join(talk.bridge, leg)
    return Object.assign({}, found, { bridge: talk.bridge })
  }

  /** Takes over an attempt that lives. False: the switch does not know its leg. */
  #adopt({ attempt, campaign, group }: PastAttempt): boolean {
    const found = this.#takenBack(attempt.leg)
    if (!found) return false
    const { id, leg, activity, number, claimedAtMs } = attempt
    const line = { attempt: id, leg, activity, number, claimedAtMs, validUntilAtMs: claimedAtMs }
    const shown = shownBy(attempt.permit, campaign.campaign)
    const { transfers, agent } = attempt
    const pair = this.#pairs.of(transfers, agent, found)
    const settled = Object.assign({}, attempt, {
      transfers: transfers && endConsultations(transfers, this.#nowMs(), pair),
    })
    this.#options.attempts.adopt({ ...line, campaign, shown, group, byHand: undefined }, settled, found, pair?.leg)
    if (pair) this.#pairs.adopt(pair, callOf(leg), leg)
    return true
  }

  /** A caller with an agent stays there; one who is alone is served from the beginning. False: gone, or refused. */
  #goOn(open: OpenCall): boolean {
    const found = this.#takenBack(open.leg, open.progress?.talk)
    if (!found) return false
    const { transfers, agent } = open.progress ?? {}
    const pair = this.#pairs.of(transfers, agent, found)
    const isPair = pair !== undefined && this.#pairs.isHere(pair)
    const call = callWithout(open, this.#nowMs(), isPair ? pair : undefined)
    if (isPair) this.#pairs.adopt(pair, call.call, call.leg)
    const { distributor, dependencies, performDistributor } = this.#context
    const session = found.bridge && distributor.sessionOfBridge(found.bridge)
    // A phone that was lost with the engine: the session has let the caller go, or will.
    const isOfSession = session !== undefined && this.#found.get(session.agentLeg)?.isUp === true
    if (isOfSession) this.#adoptCaller(call.leg, found.bridge!)
    if (isPair || isOfSession || this.#adoptRung(call, found)) {
      const noted = new Map(Object.entries(call.progress?.transfers ?? {}))
      const was = { ...recordedSoFar(call), ...this.#talkOf(call), talk: call.progress?.talk, transfers: noted }
      const kept = Object.assign(was, { call, hasAgentLeft: false })
      this.kept.begin(kept, isPair)
      return true
    }
    const isTransferred = this.#context.inboundCalls?.transfers.takeOver(call, this.#found) === true
    // Nobody is known in this bridge: nothing else would ever close it (INV-A4). That of a session stays.
    if (found.bridge && session) dependencies.pbx.leave(found.bridge, call.leg)
    else if (found.bridge && !isTransferred) dependencies.pbx.closeBridge(found.bridge)
    // Before anybody gets the caller.
    performDistributor(distributor.partyEnded(call.leg, this.#nowMs()))
    return this.#options.callers.serveAgain(call)
  }

  /** Both are still in their bridge: they go on, though the agent has no session (calls-and-flows-31). */
  #adoptRung({ call, leg: callerLeg, progress }: OpenCall, { bridge }: FoundLeg): boolean {
    const { talk, agent, team } = progress ?? {}
    if (!talk || !agent || bridge !== talk.bridge) return false
    const other = this.#found.get(talk.agentLeg)
    if (!other?.isUp || other.bridge !== bridge) return false
    const { pauseAfterMissMs = 0 } = this.#context.staff().teams.get(team!) ?? {}
    this.#context.distributor.adoptRung({ call, callerLeg, agent, pauseAfterMissMs, ...talk }, this.#nowMs())
    return true
  }

  /** The restored session may be older than this conversation, and not know of it. */
  #adoptCaller(leg: LegId, bridge: BridgeId): void {
    const { distributor, performDistributor, dependencies } = this.#context
    // Harmless where they are in it: the session may have let them go since they were found.
    dependencies.pbx.join(bridge, leg)
    const session = distributor.sessionOfBridge(bridge)
    if (!session || distributor.sessionWith(leg)?.bridge === bridge) return
    const [team] = [...this.#context.staff().teams.values()].filter(({ agents }) => agents.includes(session.agent))
    if (team) performDistributor(distributor.adopt({ leg, team: team.name, wrapUp: NO_WRAP_UP }, bridge, this.#nowMs()))
  }

  /** Since when the caller talks: as saved with the call, else with the session, else since now. */
  #talkOf({ leg, progress }: OpenCall): PastTalk {
    const saved = this.#pastTalkOf(leg)
    const agent = saved?.agent ?? this.#context.distributor.sessionWith(leg)?.agent ?? progress?.agent
    return { agent, sinceMs: progress?.connectedAtMs ?? saved?.sinceMs ?? this.#nowMs() }
  }

  /** Undefined: no agent of a saved session talked to this leg. */
  #pastTalkOf(leg: LegId): PastTalk | undefined {
    const { distributor } = this.#context
    const status = distributor.statuses().find(({ agent }) => agent === distributor.sessionWith(leg)?.agent)
    return status?.state === 'talking' ? { agent: status.agent, sinceMs: status.sinceAtMs } : undefined
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }
}
