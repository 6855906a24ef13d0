/** Preview: the engine offers a task to an agent, who dials it or skips it. Nothing is dialed automatically. */
import { touchesSinceAtMs } from '../../dialer/frequency-caps.ts'
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId } from '../../kernel/ids.ts'
import type { AgentNotification, AgentOrder, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { DueTask, KeptCallbacks, NodeLease, Verdict } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { type CampaignRun, decidedBy } from '../campaigns/campaign-run.ts'
import type { EngineContext } from '../context.ts'
import type { ByHand } from '../outbound/call-placer-options.ts'
import { offeredTask } from '../outbound/live-attempt.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { RecordWriter } from '../record-writer.ts'
import { SKIPPED_MS, SkippedTasks } from './skipped-tasks.ts'

const NOTHING_DUE_MS = 2_000
const no = (why: string): OrderAnswer => ({ ok: false, why })

interface Offer {
  readonly run: CampaignRun
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
  readonly #kept: (run: CampaignRun) => KeptCallbacks
  readonly #offers = new Map<AgentName, Offer>()
  readonly #skipped = new SkippedTasks()
  /**
   * Agents for whom a task is being looked up, one for each campaign: where nothing is due for one agent, nothing is
   * for the others, except what the one has skipped. They are reserved only when a task is found, so callers can have
   * them meanwhile.
   */
  readonly #asking = new Map<CampaignRun, AgentName>()

  constructor(
    context: EngineContext,
    dialerRepository: DialerRepository,
    recordWriter: RecordWriter,
    callPlacer: CallPlacer,
    lease: () => NodeLease | undefined,
    kept: (run: CampaignRun) => KeptCallbacks,
  ) {
    this.#kept = kept
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

  /** The agent dials it, or another task instead. */
  takeOffer(agent: AgentName): Offer | undefined {
    const offer = this.#endOffer(agent)
    if (offer) this.#skipped.forget(offer.task.id)
    return offer
  }

  /** The task goes to another agent first; after its last skip it waits for its interval (campaigns-55). */
  skipOffer(agent: AgentName, { task: meant, reason }: Extract<AgentOrder, { type: 'skip' }>): OrderAnswer {
    const present = this.#offers.get(agent)?.task.id
    if (meant !== undefined && meant !== present) return no('This task is not offered to you any more.')
    const offer = this.#endOffer(agent)
    if (!offer) return no('No task is offered to you.')
    const { id: task, intervalMs } = offer.task
    const nowMs = this.#nowMs()
    const skips = this.#skipped.skip(task, agent, nowMs)
    const isLast = skips >= offer.run.campaign.previewSkipsMax
    if (isLast) this.#skipped.forget(task)
    this.#context.dependencies.log.info({ task, agent, skips, reason }, 'an agent skipped a task')
    if (isLast) this.#letGo(agent, task, nowMs + Math.max(intervalMs, SKIPPED_MS), 'skipped')
    else this.#letGo(agent, task, nowMs)
    return { ok: true }
  }

  /** Tasks on screens that are neither dialed nor skipped. */
  offered(): readonly { readonly agent: AgentName; readonly task: CallTaskId }[] {
    return [...this.#offers].map(([agent, { task }]) => ({ agent, task: task.id }))
  }

  /** The task was ended or stopped while the agent looked at it. */
  withdraw(agent: AgentName): void {
    const offer = this.#endOffer(agent)
    if (!offer) return
    this.#context.agentDesktop?.notifyAgent(agent, { type: 'taskEnded', task: offer.task.id })
    this.#letGo(agent, offer.task.id, this.#nowMs())
  }

  repeatOffer(agent: AgentName, notify: (notification: AgentNotification) => void): void {
    const offer = this.#offers.get(agent)
    if (offer) notify({ type: 'preview', task: offeredTask(offer.task), untilAtMs: offer.untilAtMs })
  }

  /** An agent who is not reserved any more has no offer: the agent logged out, or the phone was lost. */
  forgetOffer(agent: AgentName): void {
    const offer = this.#endOffer(agent)
    if (offer) this.releaseTask(offer.task.id, this.#nowMs())
  }

  #endOffer(agent: AgentName): Offer | undefined {
    const offer = this.#offers.get(agent)
    offer?.timer.cancel()
    this.#offers.delete(agent)
    return offer
  }

  /** Offers this task, a callback, to the agent; false: not now. */
  offerOnly(run: CampaignRun, { agent, task }: ByHand): boolean {
    const lease = this.#lease()
    if (!lease || !this.#callPlacer.isWell || this.#asking.has(run)) return false
    this.#ask(run, agent, [], lease, task)
    return true
  }

  #letGo(agent: AgentName, task: CallTaskId, nextCallAtMs: AtMs, waitsFor?: 'skipped'): void {
    this.releaseTask(task, nextCallAtMs, waitsFor)
    this.#context.performDistributor(this.#context.distributor.unreserve(agent, this.#nowMs()))
    this.#callPlacer.consider()
  }

  /** Whether there was an agent to ask for. */
  #askForFirst(run: CampaignRun, agents: readonly AgentName[]): boolean {
    const lease = this.#lease()
    if (!lease || this.#asking.has(run)) return false
    const place = agents.findIndex((agent) => this.#context.distributor.isSpare(agent) && !this.isLookingFor(agent))
    if (place < 0) return false
    this.#ask(run, agents[place]!, agents.slice(place + 1), lease)
    return true
  }

  /** `others` may get what the agent has skipped. */
  #ask(run: CampaignRun, agent: AgentName, others: readonly AgentName[], lease: NodeLease, only?: CallTaskId): void {
    const { enqueue } = this.#context
    const nowMs = this.#nowMs()
    let hasSkipped = false
    this.#asking.set(run, agent)
    const command = {
      lease,
      campaign: run.campaign.id,
      agent,
      atMs: nowMs,
      dialedSinceAtMs: touchesSinceAtMs(run.campaign, nowMs),
      ...decidedBy(run),
      ...(only === undefined ? { kept: this.#kept(run) } : { only }),
      decide: (task: DueTask, moment: Parameters<CallPlacer['judge']>[2]): Verdict => {
        if (!this.#skipped.isSkippedBy(agent, task.id, nowMs)) {
          return this.#callPlacer.judge(run, task, moment, agent, 0).verdict
        }
        hasSkipped = true
        return { verdict: 'leave' }
      },
    }
    this.#dialerRepository.reserveTask(command).then(
      (found) =>
        enqueue(() => {
          if (typeof found !== 'string') return this.#offer(run, agent, found)
          this.#asking.delete(run)
          if (hasSkipped && this.#askForFirst(run, others)) return
          if (only === undefined) this.#nothingDue(run)
          else this.#callPlacer.consider()
        }),
      () =>
        enqueue(() => {
          this.#asking.delete(run)
          this.#nothingDue(run)
        }),
    )
  }

  #nothingDue(run: CampaignRun): void {
    run.quietUntilAtMs = this.#nowMs() + NOTHING_DUE_MS
    this.#callPlacer.consider()
  }

  #offer(run: CampaignRun, agent: AgentName, task: DueTask): void {
    const { distributor, performDistributor, dependencies } = this.#context
    this.#asking.delete(run)
    if (!distributor.reserve(agent, this.#nowMs())) return this.releaseTask(task.id, this.#nowMs())
    // The screen shows the reservation before the offer.
    performDistributor(distributor.timePassed(this.#nowMs()))
    const untilAtMs = this.#nowMs() + run.campaign.previewMs
    const timer = dependencies.clock.schedule(untilAtMs, () => this.#context.enqueue(() => this.#tooLate(agent)))
    this.#offers.set(agent, { run, task, timer, untilAtMs })
    this.#context.agentDesktop?.notifyAgent(agent, { type: 'preview', task: offeredTask(task), untilAtMs })
    this.offerAll()
  }

  #tooLate(agent: AgentName): void {
    const offer = this.#endOffer(agent)
    if (!offer) return
    // Before the reservation ends: nobody who waits may get an agent who is not there.
    const { answer, commands } = this.#context.distributor.order(
      agent,
      { type: 'pause', reason: 'did not look at the task that was offered' },
      this.#nowMs(),
    )
    if (answer.ok) this.#context.performDistributor(commands)
    this.#letGo(agent, offer.task.id, this.#nowMs())
  }

  /** The reserved task was not dialed: it is due again at that time. The writer retries until the database has it. */
  releaseTask(task: CallTaskId, nextCallAtMs: AtMs, waitsFor?: 'skipped'): void {
    const value = waitsFor === undefined ? ([task, nextCallAtMs] as const) : ([task, nextCallAtMs, waitsFor] as const)
    this.#recordWriter.write({ key: `task-${task}`, what: 'released', value: [...value] })
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}
