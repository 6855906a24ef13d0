/** Preview: a task is offered to an agent, who looks at it, and dials or skips it. Nothing is dialed by itself. */
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId } from '../../kernel/ids.ts'
import type { AgentNotification } from '../../ports/agent-desktop.ts'
import type { DueTask, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import { offeredTask } from '../outbound/live-attempt.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { RecordWriter } from '../record-writer.ts'

/** Our choice: time to read a case; whoever does not answer is not at their desk. */
const OFFER_MS = 60_000
/** Our choice: a skipped task goes to somebody else first. */
const SKIPPED_MS = 5 * 60_000
const NOTHING_DUE_MS = 2_000

interface Offer {
  readonly task: DueTask
  readonly timer: Timer
  readonly untilAtMs: AtMs
}

/** Mutable state with a lifetime, hence a class. */
export class PreviewOffers {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #recordWriter: RecordWriter
  readonly #dialing: CallPlacer
  readonly #lease: () => NodeLease | undefined
  readonly #offers = new Map<AgentName, Offer>()
  /**
   * For whom a task is being looked for. One question at a time for each campaign: where nothing is due for one agent,
   * nothing is for the others. They are not reserved before there is a task: callers may have them meanwhile.
   */
  readonly #asking = new Map<CampaignRun, AgentName>()

  constructor(
    context: EngineContext,
    dialerRepository: DialerRepository,
    recordWriter: RecordWriter,
    dialing: CallPlacer,
    lease: () => NodeLease | undefined,
  ) {
    this.#recordWriter = recordWriter
    this.#context = context
    this.#dialerRepository = dialerRepository
    this.#dialing = dialing
    this.#lease = lease
  }

  /** Offers something to everybody who is idle, where a campaign of their team is in preview. */
  offerAll(): void {
    if (!this.#dialing.isWell) return
    for (const run of this.#dialing.campaigns.values()) {
      const { isActive, mode, team } = run.campaign
      if (!isActive || mode !== 'preview' || this.#nowMs() < run.quietUntilAtMs) continue
      this.#askForFirst(run, this.#context.distributor.idleAgents(team))
    }
  }

  /** Whether a task is being looked for, for this agent: lines that dial by themselves leave them out. */
  isLookingFor(agent: AgentName): boolean {
    return [...this.#asking.values()].includes(agent)
  }

  /** The agent will dial it: the offer is theirs, and over. */
  taken(agent: AgentName): Offer | undefined {
    const offer = this.#offers.get(agent)
    offer?.timer.cancel()
    this.#offers.delete(agent)
    return offer
  }

  skip(agent: AgentName): boolean {
    const offer = this.taken(agent)
    if (!offer) return false
    this.giveBack(offer.task.id, this.#nowMs() + SKIPPED_MS)
    this.#context.performDistributor(this.#context.distributor.unreserve(agent, this.#nowMs()))
    this.#dialing.consider()
    return true
  }

  /** A screen that comes later is told of the offer as well. */
  notifyAgain(agent: AgentName, tell: (notification: AgentNotification) => void): void {
    const offer = this.#offers.get(agent)
    if (offer) tell({ type: 'preview', task: offeredTask(offer.task), untilAtMs: offer.untilAtMs })
  }

  /** Whoever is not reserved any more has no offer: they left, or their phone did. */
  forget(agent: AgentName): void {
    const offer = this.taken(agent)
    if (offer) this.giveBack(offer.task.id, this.#nowMs())
  }

  #askForFirst(run: CampaignRun, agents: readonly AgentName[]): void {
    const lease = this.#lease()
    if (!lease || this.#asking.has(run)) return
    const agent = agents.find((agent) => this.#context.distributor.isSpare(agent) && !this.isLookingFor(agent))
    if (agent !== undefined) this.#ask(run, agent, lease)
  }

  #ask(run: CampaignRun, agent: AgentName, lease: NodeLease): void {
    const { enqueue } = this.#context
    const nowMs = this.#nowMs()
    this.#asking.set(run, agent)
    const command = {
      ...{ lease, campaign: run.campaign.id, agent, atMs: nowMs },
      dialedSinceAtMs: nowMs - run.campaign.frequencyCap.windowMs,
      decide: (task: DueTask, moment: Parameters<CallPlacer['judge']>[2]) =>
        this.#dialing.judge(run, task, moment, agent, 0).verdict,
    }
    this.#dialerRepository.reserveTask(command).then(
      (found) => enqueue(() => this.#offer(run, agent, typeof found === 'string' ? undefined : found)),
      () => enqueue(() => this.#offer(run, agent, undefined)),
    )
  }

  #offer(run: CampaignRun, agent: AgentName, task: DueTask | undefined): void {
    const { distributor, performDistributor, dependencies } = this.#context
    this.#asking.delete(run)
    if (!task) {
      run.quietUntilAtMs = this.#nowMs() + NOTHING_DUE_MS
      return this.#dialing.consider()
    }
    if (!distributor.reserve(agent, this.#nowMs())) return this.giveBack(task.id, this.#nowMs())
    // Their screen shows that first.
    performDistributor(distributor.timePassed(this.#nowMs()))
    const untilAtMs = this.#nowMs() + OFFER_MS
    const timer = dependencies.clock.schedule(untilAtMs, () => this.#context.enqueue(() => this.#tooLate(agent)))
    this.#offers.set(agent, { task, timer, untilAtMs })
    this.#context.dialer?.agentDesktop.notifyAgent(agent, { type: 'preview', task: offeredTask(task), untilAtMs })
    this.offerAll()
  }

  #tooLate(agent: AgentName): void {
    if (!this.skip(agent)) return
    const { answer, commands } = this.#context.distributor.order(
      agent,
      { type: 'pause', reason: 'did not look at the task that was offered' },
      this.#nowMs(),
    )
    if (answer.ok) this.#context.performDistributor(commands)
  }

  /** Nothing comes of a task that was reserved: it is due again then. Tried until the records have it. */
  giveBack(task: CallTaskId, nextCallAtMs: AtMs): void {
    this.#recordWriter.write({ key: `task-${task}`, what: 'released', value: [task, nextCallAtMs] })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}
