/** Preview: the engine offers a task to an agent, who dials it or skips it. Nothing is dialed automatically. */
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

/** Our choice: time to read a case; an agent who does not react is away. */
const OFFER_MS = 60_000
/** Our choice: a skipped task goes to another agent first. */
const SKIPPED_MS = 5 * 60_000
const NOTHING_DUE_MS = 2_000

interface Offer {
  readonly task: DueTask
  readonly timer: Timer
  readonly untilAtMs: AtMs
}

/** Offers tasks, and releases those that are not dialed. */
export class PreviewOffers {
  readonly #context: EngineContext
  readonly #dialerRepository: DialerRepository
  readonly #recordWriter: RecordWriter
  readonly #callPlacer: CallPlacer
  readonly #lease: () => NodeLease | undefined
  readonly #offers = new Map<AgentName, Offer>()
  /**
   * Agents for whom a task is being looked up, one for each campaign: where nothing is due for one agent, nothing is
   * for the others. They are reserved only when a task is found, so callers can have them meanwhile.
   */
  readonly #asking = new Map<CampaignRun, AgentName>()

  constructor(
    context: EngineContext,
    dialerRepository: DialerRepository,
    recordWriter: RecordWriter,
    callPlacer: CallPlacer,
    lease: () => NodeLease | undefined,
  ) {
    this.#recordWriter = recordWriter
    this.#context = context
    this.#dialerRepository = dialerRepository
    this.#callPlacer = callPlacer
    this.#lease = lease
  }

  offerAll(): void {
    if (!this.#callPlacer.isWell) return
    for (const run of this.#callPlacer.campaigns.values()) {
      const { isActive, mode, team } = run.campaign
      if (!isActive || mode !== 'preview' || this.#nowMs() < run.quietUntilAtMs) continue
      this.#askForFirst(run, this.#context.distributor.idleAgents(team))
    }
  }

  /** Automatic dialing leaves agents out for whom a task is being looked up. */
  isLookingFor(agent: AgentName): boolean {
    return [...this.#asking.values()].includes(agent)
  }

  takeOffer(agent: AgentName): Offer | undefined {
    const offer = this.#offers.get(agent)
    offer?.timer.cancel()
    this.#offers.delete(agent)
    return offer
  }

  skipOffer(agent: AgentName): boolean {
    const offer = this.takeOffer(agent)
    if (!offer) return false
    this.releaseTask(offer.task.id, this.#nowMs() + SKIPPED_MS)
    this.#context.performDistributor(this.#context.distributor.unreserve(agent, this.#nowMs()))
    this.#callPlacer.consider()
    return true
  }

  repeatOffer(agent: AgentName, notify: (notification: AgentNotification) => void): void {
    const offer = this.#offers.get(agent)
    if (offer) notify({ type: 'preview', task: offeredTask(offer.task), untilAtMs: offer.untilAtMs })
  }

  /** An agent who is not reserved any more has no offer: the agent logged out, or the phone was lost. */
  forgetOffer(agent: AgentName): void {
    const offer = this.takeOffer(agent)
    if (offer) this.releaseTask(offer.task.id, this.#nowMs())
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
      lease,
      campaign: run.campaign.id,
      agent,
      atMs: nowMs,
      dialedSinceAtMs: nowMs - run.campaign.frequencyCap.windowMs,
      decide: (task: DueTask, moment: Parameters<CallPlacer['judge']>[2]) =>
        this.#callPlacer.judge(run, task, moment, agent, 0).verdict,
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
      return this.#callPlacer.consider()
    }
    if (!distributor.reserve(agent, this.#nowMs())) return this.releaseTask(task.id, this.#nowMs())
    // The screen shows the reservation before the offer.
    performDistributor(distributor.timePassed(this.#nowMs()))
    const untilAtMs = this.#nowMs() + OFFER_MS
    const timer = dependencies.clock.schedule(untilAtMs, () => this.#context.enqueue(() => this.#tooLate(agent)))
    this.#offers.set(agent, { task, timer, untilAtMs })
    this.#context.agentDesktop?.notifyAgent(agent, { type: 'preview', task: offeredTask(task), untilAtMs })
    this.offerAll()
  }

  #tooLate(agent: AgentName): void {
    if (!this.skipOffer(agent)) return
    const { answer, commands } = this.#context.distributor.order(
      agent,
      { type: 'pause', reason: 'did not look at the task that was offered' },
      this.#nowMs(),
    )
    if (answer.ok) this.#context.performDistributor(commands)
  }

  /** The reserved task was not dialed: it is due again at that time. The writer retries until the database has it. */
  releaseTask(task: CallTaskId, nextCallAtMs: AtMs): void {
    this.#recordWriter.write({ key: `task-${task}`, what: 'released', value: [task, nextCallAtMs] })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}
