/**
 * Promised callbacks whose date has come: their agent gets them first, in every mode, and what is overdue raises an
 * alarm with its reason (campaigns-47, campaigns-49). All others are dialed by claims, where callbacks come first.
 */
import type { KeptPlace } from '../../acd/distributor-messages.ts'
import type { Reason } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId, LegId, PhoneNumber, TeamName } from '../../kernel/ids.ts'
import type { KeptCallbacks } from '../../ports/attempt.ts'
import type { DialerRepository, DueCallback } from '../../ports/dialer-repository.ts'
import { isCallerOnLine } from '../callers-on-line.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { DialerOptions, EngineContext } from '../context.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { RecordWriter } from '../record-writer.ts'
import type { PreviewOffers } from './preview-offers.ts'
import { QueueCallbacks } from './queue-callbacks.ts'

/** A promise is dialed or explained within this time (campaigns-49). */
const OVERDUE_MS = 5 * 60_000
/** A queue may be long; after so long somebody should look why nobody's turn comes. Our choice. */
const PLACE_OVERDUE_MS = 60 * 60_000
/** What could not be called for its agent is tried again then. */
const AGAIN_MS = 10_000

interface Parts {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  readonly trunks: DialerOptions['trunks']
  readonly callPlacer: CallPlacer
  readonly preview: PreviewOffers
}

/** The due callbacks of one engine. */
export class DueCallbacks {
  readonly ofQueues: QueueCallbacks
  readonly #context: EngineContext
  readonly #parts: Parts
  #due: readonly DueCallback[] = []
  #isLooking = false
  readonly #triedAtMs = new Map<CallTaskId, AtMs>()
  readonly #refused = new Map<CallTaskId, Reason>()
  /** Of the calls in which callers kept their places. */
  readonly #legs = new Map<CallTaskId, LegId>()
  #alarmed: ReadonlySet<CallTaskId> = new Set()
  /** Places that callers took back: an answer of the database may be older. */
  readonly #takenBack = new Set<CallTaskId>()

  constructor(context: EngineContext, parts: Parts) {
    this.#context = context
    this.#parts = parts
    this.ofQueues = new QueueCallbacks(context, { ...parts, places: this })
  }

  /** Reads what is due. Without the database nothing is dialed, and what is known stays. */
  look(): void {
    const campaigns = [...this.#parts.callPlacer.campaigns.keys()]
    if (this.#isLooking || campaigns.length === 0) return
    this.#isLooking = true
    this.#parts.dialerRepository.dueCallbacks(campaigns, this.#nowMs()).then(
      (due) => this.#context.enqueue(() => this.#found(due)),
      () => this.#context.enqueue(() => this.#found(this.#due)),
    )
  }

  /** Gives callbacks to their agents: the automatic modes dial for the reserved agent, the others offer the task. */
  serve(): void {
    const nowMs = this.#nowMs()
    const turns = this.#due.filter((callback) => this.#isTurn(callback, nowMs))
    for (const callback of turns) {
      const run = this.#runOf(callback)
      if (!run || callback.place) continue
      const agent = this.#agentFor(run, callback, nowMs)
      if (agent !== undefined && this.#give(run, callback, agent)) this.#triedAtMs.set(callback.task, nowMs)
    }
    this.#context.performDistributor(this.#context.distributor.keep(this.#places(turns), nowMs))
  }

  /** A caller keeps a place from now on. `leg`: of the call in which they still are. */
  kept(callback: DueCallback, leg: LegId): void {
    this.#legs.set(callback.task, leg)
    this.#takenBack.delete(callback.task)
    this.#due = [...this.#due.filter(({ task }) => task !== callback.task), callback]
    this.#parts.callPlacer.consider()
  }

  /** The caller is here again and needs the place no more. Undefined: there is none. */
  takePlace(number: PhoneNumber, team: TeamName): { readonly task: CallTaskId; readonly sinceAtMs: AtMs } | undefined {
    const isTheirs = (callback: DueCallback) =>
      callback.place?.number === number &&
      this.#parts.callPlacer.campaigns.get(callback.campaign)?.campaign.team === team
    const found = this.#due.find(isTheirs)
    if (!found?.place) return undefined
    this.#takenBack.add(found.task)
    this.#due = this.#due.filter(({ task }) => task !== found.task)
    const places = this.#places(this.#due.filter((callback) => this.#isTurn(callback, this.#nowMs())))
    this.#context.performDistributor(this.#context.distributor.keep(places, this.#nowMs()))
    return { task: found.task, sinceAtMs: found.place.sinceAtMs }
  }

  /** The turn of a place has come, and the agent is reserved for it: without a permit the agent is free again. */
  callBack(task: CallTaskId, agent: AgentName): void {
    this.#triedAtMs.set(task, this.#nowMs())
    const leg = this.#legs.get(task)
    if (leg === undefined) return this.#dial(task, agent)
    // Until the end of the caller's call is written, the gate takes them for a caller on the line.
    this.#parts.recordWriter.whenFree(leg, () => this.#context.enqueue(() => this.#dial(task, agent)))
  }

  /** Lines in automatic modes leave an agent out whose callback is due. */
  isKept(agent: AgentName): boolean {
    const nowMs = this.#nowMs()
    return this.#due.some((callback) => {
      const run = callback.agent === agent ? this.#runOf(callback) : undefined
      return run?.isAutomatic === true && this.#isTurn(callback, nowMs) && isKeptFor(run, callback, nowMs)
    })
  }

  /** Callbacks that a claim for the team leaves to their agents: those who are logged in and of the team. */
  keptBy({ campaign }: CampaignRun): KeptCallbacks {
    const { staff, distributor } = this.#context
    const agents = (staff().teams.get(campaign.team)?.agents ?? []).filter((agent) => distributor.isLoggedIn(agent))
    return { agents, sinceAtMs: this.#nowMs() - campaign.callbacks.keptMs }
  }

  /** The gate refused this callback: the alarm says so. */
  refused(task: CallTaskId, why: Reason): void {
    this.#refused.set(task, why)
  }

  /** For the board: at most the oldest 1,000 of all campaigns are counted. */
  countsOf({ campaign }: CampaignRun): { readonly due: number; readonly overdue: number } {
    const due = this.#due.filter((callback) => callback.campaign === campaign.id)
    return { due: due.length, overdue: due.filter((callback) => this.#isOverdue(callback)).length }
  }

  #found(due: readonly DueCallback[]): void {
    this.#isLooking = false
    const tasks = new Set(due.map(({ task }) => task))
    this.#due = due.filter(({ task }) => !this.#takenBack.has(task))
    for (const task of this.#takenBack) if (!tasks.has(task)) this.#takenBack.delete(task)
    for (const known of [this.#triedAtMs, this.#refused, this.#legs]) {
      for (const task of known.keys()) if (!tasks.has(task)) known.delete(task)
    }
    this.#alarm()
    if (due.length > 0) this.#parts.callPlacer.consider()
  }

  /** Once for each callback. */
  #alarm(): void {
    const overdue = this.#due.filter((callback) => this.#isOverdue(callback))
    for (const callback of overdue) {
      const { task, campaign, atMs, nextCallAtMs } = callback
      if (this.#alarmed.has(task)) continue
      const about = { task, campaign, promisedForMs: atMs, nextCallAtMs, why: this.#whyNot(callback) }
      this.#context.dependencies.log.error(about, 'a promised callback is overdue')
    }
    this.#alarmed = new Set(overdue.map(({ task }) => task))
  }

  #isOverdue({ atMs, place }: DueCallback): boolean {
    return this.#nowMs() >= atMs + (place ? PLACE_OVERDUE_MS : OVERDUE_MS)
  }

  /** The gate lets it pass, as far as anybody knows, and it was not refused a moment ago. */
  #isTurn({ task, nextCallAtMs }: DueCallback, nowMs: AtMs): boolean {
    return nowMs >= Math.max(nextCallAtMs, (this.#triedAtMs.get(task) ?? 0) + AGAIN_MS)
  }

  /** Places for the distributor. Who still hears that their place is kept is not called now. */
  #places(turns: readonly DueCallback[]): KeptPlace[] {
    return turns.flatMap((callback) => {
      const run = this.#runOf(callback)
      const { task, place } = callback
      if (!run || !place || isCallerOnLine(this.#context, { numbers: [place] })) return []
      const { priority, skills, sinceAtMs } = place
      return [{ task, team: run.campaign.team, priority, skills, sinceAtMs }]
    })
  }

  #whyNot(callback: DueCallback): Reason | 'keptForAgent' | 'noFreeAgent' {
    const run = this.#runOf(callback)
    if (!run) return 'campaignInactive'
    if (isKeptFor(run, callback, this.#nowMs()) && this.#isTheirs(run, callback)) return 'keptForAgent'
    return this.#refused.get(callback.task) ?? 'noFreeAgent'
  }

  #runOf({ campaign }: DueCallback): CampaignRun | undefined {
    const run = this.#parts.callPlacer.campaigns.get(campaign)
    return run?.campaign.isActive ? run : undefined
  }

  #isTheirs(run: CampaignRun, { agent }: DueCallback): boolean {
    return agent !== undefined && this.keptBy(run).agents.includes(agent)
  }

  /** Its own agent at any time; in manual mode, where no claim finds it, afterwards any agent of the team. */
  #agentFor(run: CampaignRun, callback: DueCallback, nowMs: AtMs): AgentName | undefined {
    const { distributor } = this.#context
    const isSpare = (agent: AgentName) => distributor.isSpare(agent) && !this.#parts.preview.isLookingFor(agent)
    if (this.#isTheirs(run, callback)) {
      if (isSpare(callback.agent!)) return callback.agent
      if (isKeptFor(run, callback, nowMs)) return undefined
    }
    return run.campaign.mode === 'manual' ? distributor.idleAgents(run.campaign.team).find(isSpare) : undefined
  }

  #give(run: CampaignRun, { task }: DueCallback, agent: AgentName): boolean {
    if (run.isAutomatic) return this.#parts.callPlacer.dialFor(run, { agent, task })
    return this.#parts.preview.offerOnly(run, { agent, task })
  }

  #dial(task: CallTaskId, agent: AgentName): void {
    const callback = this.#due.find((one) => one.task === task)
    const run = callback && this.#runOf(callback)
    if (run && this.#parts.callPlacer.isWell) return this.#parts.callPlacer.dialReserved(run, { agent, task })
    this.#context.performDistributor(this.#context.distributor.unreserve(agent, this.#nowMs()))
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}

function isKeptFor({ campaign }: CampaignRun, { atMs }: DueCallback, nowMs: AtMs): boolean {
  return nowMs < atMs + campaign.callbacks.keptMs
}
