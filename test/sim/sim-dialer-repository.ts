import type { AtMs, Clock, Timer } from '../../src/kernel/clock.ts'
import type { AgentName, CallTaskId, CampaignId, CorporationId, LegId, PhoneNumber } from '../../src/kernel/ids.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'
import type {
  AttemptConnected,
  AttemptEnd,
  AttemptQuery,
  AttemptTransfers,
  Claim,
  CountedScope,
  MachineWord,
  NodeLease,
  Reservation,
} from '../../src/ports/attempt.ts'
import type { CampaignLearning } from '../../src/ports/campaign-learning.ts'
import {
  type CallbackRequest,
  type Campaign,
  type CampaignPause,
  type ChangeCallTask,
  type DatabaseNotification,
  DatabaseUnavailable,
  type DoNotCall,
  type EndCallTask,
  type FinishedCall,
  type Import,
  type SavedAgentSession,
  type Stop,
} from '../../src/ports/dialer-repository.ts'
import type { OpenCall } from '../../src/ports/open-call.ts'
import type { CallerFeedback, Feedback, SavedOutcome } from '../../src/ports/outcome.ts'
import type { DialerRepositoryWithStops } from '../support/stop-control.ts'
import { usedAbroad } from './sim-dialer-repository-abroad.ts'
import * as attempts from './sim-dialer-repository-attempts.ts'
import * as campaigns from './sim-dialer-repository-campaigns.ts'
import { claimDueTasks, reserveTask } from './sim-dialer-repository-claim.ts'
import { doNotCall } from './sim-dialer-repository-do-not-call.ts'
import { greetings } from './sim-dialer-repository-greetings.ts'
import { importCallTasks } from './sim-dialer-repository-import.ts'
import * as leases from './sim-dialer-repository-leases.ts'
import { NEWS, TOLD_ANYWAY } from './sim-dialer-repository-news.ts'
import type { SimDialerRepositoryView } from './sim-dialer-repository-rows.ts'
import { dueTaskOf, jsonOf } from './sim-dialer-repository-shape.ts'
import { SimRepositoryState } from './sim-dialer-repository-state.ts'
import { isStopped } from './sim-dialer-repository-stops.ts'
import * as tasks from './sim-dialer-repository-tasks.ts'
import {
  type Away,
  drawFate,
  type Fate,
  isAway,
  NO_FAULTS,
  type RepositoryFaults,
} from './sim-dialer-repository-trouble.ts'
import * as validity from './sim-dialer-repository-validity.ts'

/** How the simulated database behaves. */
export interface SimDialerRepositoryOptions {
  readonly clock: Clock
  readonly random: Random
  /** Of each way. Default 0 to 2 ms. */
  readonly latencyMs?: readonly [from: number, to: number]
  readonly faults?: Partial<RepositoryFaults>
  readonly away?: readonly Away[]
  /** The chance that a notification is lost. Default 0. */
  readonly newsLost?: number
  /** The interval of spurious notifications to listeners, as the PostgreSQL adapter sends them. Default never. */
  readonly newsEveryMs?: number
}

const USUAL_LATENCY_MS = [0, 2] as const

/**
 * The memory of the dialer without PostgreSQL, on virtual time: asked, applied in one step at one instant, answered.
 * Between the three anything else may happen, and each may go wrong. The same contract suite runs on it and on
 * PostgreSQL. It judges by a clock of its own, which may be wrong by `skewMs`.
 *
 * Answers come while the clock runs; what somebody does with one, after an `await`, follows when the run has returned.
 */
export class SimDialerRepository implements DialerRepositoryWithStops {
  /** How far the database's clock is ahead of everybody else's. */
  skewMs = 0
  faults: RepositoryFaults
  away: readonly Away[]
  /** What is kept, for checkers. */
  readonly view: SimDialerRepositoryView
  readonly #options: SimDialerRepositoryOptions
  readonly #memory: SimRepositoryState
  readonly #listeners = new Set<(notification: DatabaseNotification) => void>()
  #files = 0
  #tellingAnyway: Timer | undefined
  /** Requests that are to be struck, by their names. */
  readonly #struck = new Map<keyof DialerRepositoryWithStops, Exclude<Fate['strikes'], 'never'>[]>()

  constructor(options: SimDialerRepositoryOptions) {
    this.#options = options
    this.#memory = new SimRepositoryState(() => options.clock.nowMs() + this.skewMs)
    this.view = this.#memory
    this.faults = { ...NO_FAULTS, ...options.faults }
    this.away = options.away ?? []
  }

  /** The database's own clock. */
  get databaseAtMs(): AtMs {
    return this.#memory.nowAtMs
  }

  /** The next request of this name that nothing else befalls is struck; asked several times, so many of them. */
  strikeNext(name: keyof DialerRepositoryWithStops, when: 'before' | 'after'): void {
    this.#struck.set(name, [...(this.#struck.get(name) ?? []), when])
  }

  takeLease(node: string, lifeMs: number, instance?: string) {
    return this.#ask('takeLease', (memory) => leases.takeLease(memory, node, lifeMs, instance))
  }

  renewLease(lease: NodeLease, lifeMs: number, seenMaxMs?: AtMs) {
    return this.#ask('renewLease', (memory) => leases.renewLease(memory, lease, lifeMs, seenMaxMs))
  }

  dropLease(lease: NodeLease) {
    return this.#ask('dropLease', (memory) => leases.dropLease(memory, lease))
  }

  adoptAttempts(lease: NodeLease, graceMs?: number) {
    return this.#ask('adoptAttempts', (memory) => leases.adoptAttempts(memory, lease, graceMs))
  }

  openAttempts(lease: NodeLease) {
    return this.#ask('openAttempts', (memory) => leases.openAttempts(memory, lease))
  }

  attemptsToCancel(lease: NodeLease) {
    return this.#ask('attemptsToCancel', (memory) => leases.attemptsToCancel(memory, lease))
  }

  saveCampaign(campaign: Campaign, atMs: AtMs) {
    return this.#ask('saveCampaign', (memory) => campaigns.saveCampaign(memory, campaign, atMs))
  }

  campaigns() {
    return this.#ask('campaigns', ({ campaigns }) => {
      return [...campaigns.values()].sort((a, b) => a.id - b.id).map(jsonOf)
    })
  }

  pauseCampaign(pause: CampaignPause) {
    return this.#ask('pauseCampaign', (memory) => campaigns.pauseCampaign(memory, pause))
  }

  triedAttempts(campaign: CampaignId, sinceAtMs: AtMs) {
    return this.#ask('triedAttempts', (memory) => campaigns.triedAttempts(memory, campaign, sinceAtMs))
  }

  keepLearning(lease: Pick<NodeLease, 'node' | 'fence'>, learning: CampaignLearning) {
    return this.#ask('keepLearning', (memory) => campaigns.keepLearning(memory, lease, learning))
  }

  keptLearning(campaign: CampaignId, node: string) {
    return this.#ask('keptLearning', (memory) => campaigns.keptLearning(memory, campaign, node))
  }

  answeredCalls(of: CountedScope, sinceAtMs: AtMs) {
    return this.#ask('answeredCalls', (memory) => attempts.answeredCalls(memory, of, sinceAtMs))
  }

  answeredSums(of: CountedScope, fromAtMs: AtMs, beforeAtMs: AtMs) {
    return this.#ask('answeredSums', (memory) => attempts.answeredSums(memory, of, fromAtMs, beforeAtMs))
  }

  detectionCounts(campaign: CampaignId, sinceAtMs: AtMs) {
    return this.#ask('detectionCounts', (memory) => attempts.detectionCounts(memory, campaign, sinceAtMs))
  }

  setKillSwitch(isOn: boolean, by: string, _atMs: AtMs) {
    return this.#ask('setKillSwitch', (memory) => {
      memory.killSwitch.push({ ...memory.committed(), isOn, by })
    })
  }

  isKillSwitchOn() {
    return this.#ask('isKillSwitchOn', (memory) => memory.isKillSwitchOn())
  }

  usedAbroad() {
    return this.#ask('usedAbroad', usedAbroad)
  }

  importCallTasks(request: Import) {
    return this.#ask('importCallTasks', (memory) => importCallTasks(memory, request))
  }

  claimDueTasks(claim: Claim) {
    return this.#ask('claimDueTasks', (memory) => claimDueTasks(memory, claim))
  }

  reserveTask(command: Reservation) {
    return this.#ask('reserveTask', (memory) => reserveTask(memory, command))
  }

  releaseTask(task: CallTaskId, nextCallAtMs: AtMs, waitsFor?: 'skipped') {
    return this.#ask('releaseTask', (memory) => tasks.releaseTask(memory, task, nextCallAtMs, waitsFor))
  }

  releaseForgotten(lease: Pick<NodeLease, 'node' | 'fence'>, beforeAtMs: AtMs) {
    return this.#ask('releaseForgotten', (memory) => leases.releaseForgotten(memory, lease, beforeAtMs))
  }

  describeTasks(ids: readonly CallTaskId[], dialedSinceAtMs: AtMs) {
    return this.#ask('describeTasks', (memory) => {
      const found = [...new Set(ids)].sort((a, b) => a - b).flatMap((id) => memory.tasks.get(id) ?? [])
      return found.map((task) => dueTaskOf(memory, task, dialedSinceAtMs))
    })
  }

  readonly attemptConnected = (event: AttemptConnected) =>
    this.#ask('attemptConnected', (memory) => attempts.attemptConnected(memory, event))
  readonly attemptTransfers = (event: AttemptTransfers) =>
    this.#ask('attemptTransfers', (memory) => attempts.attemptTransfers(memory, event))

  endAttempt(end: AttemptEnd) {
    return this.#ask('endAttempt', (memory) => attempts.endAttempt(memory, end))
  }

  findAttempts(by: AttemptQuery) {
    return this.#ask('findAttempts', (memory) => attempts.findAttempts(memory, by))
  }

  endCallTask(command: EndCallTask) {
    return this.#ask('endCallTask', (memory) => tasks.endCallTask(memory, command))
  }

  changeCallTask(command: ChangeCallTask) {
    return this.#ask('changeCallTask', (memory) => validity.changeCallTask(memory, command))
  }

  expireTasks(atMs: AtMs) {
    return this.#ask('expireTasks', (memory) => validity.expireTasks(memory, atMs))
  }

  addStop(corporation: CorporationId, stop: Stop, _atMs: AtMs) {
    return this.#ask('addStop', (memory) => void memory.changeStop(corporation, stop, 'added'))
  }

  removeStop(corporation: CorporationId, stop: Stop) {
    return this.#ask('removeStop', (memory) => memory.changeStop(corporation, stop, 'removed'))
  }

  isStopped(corporation: CorporationId, stop: Stop) {
    return this.#ask('isStopped', (memory) => isStopped(memory, corporation, stop))
  }

  callBegan(node: string, call: OpenCall) {
    // Like a statement of PostgreSQL, it does not see an end that is written while it runs.
    const isOver = this.#memory.callNames.has(call.call)
    return this.#ask('callBegan', (memory) => attempts.callBegan(memory, node, call, isOver))
  }

  unknownLegs(legs: readonly LegId[]) {
    return this.#ask('unknownLegs', (memory) => attempts.unknownLegs(memory, legs))
  }

  readonly fileNumber = () => this.#ask('fileNumber', () => ++this.#files)
  readonly openCalls = (node: string) =>
    this.#ask('openCalls', ({ openCalls }) => {
      return [...openCalls.values()].filter((one) => one.node === node).map(({ call }) => jsonOf(call))
    })
  readonly leftCalls = (lease: NodeLease) => this.#ask('leftCalls', (memory) => leases.leftCalls(memory, lease))

  readonly finishCall = (call: FinishedCall) => this.#ask('finishCall', (memory) => attempts.finishCall(memory, call))

  recordFeedback = (feedback: Feedback) =>
    this.#ask('recordFeedback', (memory) => tasks.recordFeedback(memory, feedback))
  recordOutcome = (outcome: SavedOutcome) =>
    this.#ask('recordOutcome', (memory) => tasks.recordOutcome(memory, outcome))
  readonly recordCallerFeedback = (feedback: CallerFeedback) =>
    this.#ask('recordCallerFeedback', (memory) => tasks.recordCallerFeedback(memory, feedback))
  readonly callOfAgent = (...of: Parameters<DialerRepositoryWithStops['callOfAgent']>) =>
    this.#ask('callOfAgent', (memory) => tasks.callOfAgent(memory, ...of))
  readonly outcomesOfTeam = () => this.#ask('outcomesOfTeam', () => [])
  readonly outcomesOf = (campaign: CampaignId) =>
    this.#ask('outcomesOf', ({ campaigns }) => campaigns.get(campaign)?.outcomes ?? [])

  doNotCall(request: DoNotCall) {
    return this.#ask('doNotCall', (memory) => doNotCall(memory, request))
  }

  setCallback(callbackRequest: CallbackRequest) {
    return this.#ask('setCallback', (memory) => tasks.setCallback(memory, callbackRequest))
  }

  keepPlace: DialerRepositoryWithStops['keepPlace'] = (request) =>
    this.#ask('keepPlace', (memory) => tasks.keepPlace(memory, request))
  readonly taskOfNumber: DialerRepositoryWithStops['taskOfNumber'] = (request) =>
    this.#ask('taskOfNumber', (memory) => tasks.taskOfNumber(memory, request))
  readonly takeBackTask: DialerRepositoryWithStops['takeBackTask'] = (...of) =>
    this.#ask('takeBackTask', (memory) => tasks.takeBackTask(memory, ...of))
  readonly greetings: DialerRepositoryWithStops['greetings'] = (...of) =>
    this.#ask('greetings', (memory) => greetings(memory, ...of))

  dueCallbacks(campaigns: readonly CampaignId[], atMs: AtMs) {
    return this.#ask('dueCallbacks', (memory) => tasks.dueCallbacks(memory, campaigns, atMs))
  }

  correctToMachine(...word: MachineWord) {
    return this.#ask('correctToMachine', (memory) => tasks.correctToMachine(memory, word))
  }

  matchCaller(corporation: CorporationId, number: PhoneNumber) {
    return this.#ask('matchCaller', (memory) => tasks.matchCaller(memory, corporation, number))
  }

  saveAgentSession(lease: NodeLease, session: SavedAgentSession) {
    return this.#ask('saveAgentSession', (memory) => leases.saveAgentSession(memory, lease, session))
  }

  removeAgentSession(lease: NodeLease, agent: AgentName) {
    return this.#ask('removeAgentSession', (memory) => leases.removeAgentSession(memory, lease, agent))
  }

  agentSessions(node: string) {
    return this.#ask('agentSessions', (memory) => leases.agentSessions(memory, node))
  }

  onNotification(listener: (notification: DatabaseNotification) => void) {
    // A new function per call: a listener registered twice is called twice and removed once.
    const mine = (notification: DatabaseNotification) => listener(notification)
    this.#listeners.add(mine)
    if (this.#listeners.size === 1) this.#tellAnywayLater()
    return () => {
      if (this.#listeners.delete(mine) && this.#listeners.size === 0) this.#tellingAnyway?.cancel()
    }
  }

  /** One step of the database, between the delays of request and response. */
  #ask<T>(name: keyof DialerRepositoryWithStops, step: (memory: SimRepositoryState) => T): Promise<T> {
    const fate = this.#fateOf(name)
    const isAwayNow = () => isAway(this.away, this.#options.clock.nowMs())
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new DatabaseUnavailable(`the simulated database ${why} (${name})`))
      this.#after(fate.thereMs, () => {
        if (fate.strikes === 'before' || isAwayNow()) {
          this.#after(fate.backMs, () => fail('did not do it'))
          return
        }
        const answer = this.#apply(name, step)
        this.#after(fate.backMs, () => {
          if (fate.strikes === 'after' || isAwayNow()) return fail('was lost before it answered')
          if ('mistake' in answer) reject(answer.mistake)
          else resolve(answer.value)
        })
      })
    })
  }

  #apply<T>(
    name: keyof DialerRepositoryWithStops,
    step: (memory: SimRepositoryState) => T,
  ): { value: T } | { mistake: unknown } {
    this.#memory.beginStep()
    try {
      const value = step(this.#memory)
      this.#tell(NEWS[name])
      return { value }
    } catch (mistake) {
      return { mistake }
    }
  }

  #tell(notification: DatabaseNotification | undefined): void {
    const { random, newsLost = 0, latencyMs = USUAL_LATENCY_MS } = this.#options
    if (notification === undefined || random.next() < newsLost) return
    this.#after(randomInt(random, ...latencyMs), () => this.#tellAll(notification))
  }

  #tellAll(notification: DatabaseNotification): void {
    for (const listener of [...this.#listeners]) listener(notification)
  }

  #tellAnywayLater(): void {
    const { newsEveryMs } = this.#options
    if (newsEveryMs === undefined) return
    this.#tellingAnyway = this.#after(newsEveryMs, () => {
      this.#tellAnywayLater()
      for (const notification of TOLD_ANYWAY) this.#tellAll(notification)
    })
  }

  #after(delayMs: number, action: () => void): Timer {
    return this.#options.clock.schedule(this.#options.clock.nowMs() + delayMs, action)
  }

  #fateOf(name: keyof DialerRepositoryWithStops): Fate {
    const { random, latencyMs = USUAL_LATENCY_MS } = this.#options
    const fate = drawFate(random, latencyMs, this.faults)
    const strikes = fate.strikes === 'never' ? this.#struck.get(name)?.shift() : undefined
    return strikes ? { ...fate, strikes } : fate
  }
}
