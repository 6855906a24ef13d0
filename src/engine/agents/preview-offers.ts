/** Preview: a task is offered to an agent, who looks at it, and dials or skips it. Nothing is dialed by itself. */
import type { AtMs, Timer } from '../../kernel/clock.ts'
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentNews } from '../../ports/agent-desktop.ts'
import type { DueTask, NodeLease } from '../../ports/attempt.ts'
import type { CallTaskId } from '../../ports/call-task.ts'
import type { Records } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { Rooms } from '../context.ts'
import type { Dialing } from '../outbound/place-calls.ts'
import type { Scribe } from '../record-writer.ts'
import { offeredTask } from './agent-desktop.ts'

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
export class PreviewDesk {
  readonly #rooms: Rooms
  readonly #records: Records
  readonly #scribe: Scribe
  readonly #dialing: Dialing
  readonly #lease: () => NodeLease | undefined
  readonly #offers = new Map<AgentName, Offer>()
  /**
   * For whom a task is being looked for. One question at a time for each campaign: where nothing is due for one agent,
   * nothing is for the others. They are not reserved before there is a task: callers may have them meanwhile.
   */
  readonly #asking = new Map<CampaignRun, AgentName>()

  constructor(rooms: Rooms, records: Records, scribe: Scribe, dialing: Dialing, lease: () => NodeLease | undefined) {
    this.#scribe = scribe
    this.#rooms = rooms
    this.#records = records
    this.#dialing = dialing
    this.#lease = lease
  }

  /** Offers something to everybody who is idle, where a campaign of their team is in preview. */
  offerAll(): void {
    if (!this.#dialing.isWell) return
    for (const run of this.#dialing.campaigns.values()) {
      const { isActive, mode, team } = run.campaign
      if (!isActive || mode !== 'preview' || this.#nowMs() < run.quietUntilAtMs) continue
      this.#askForFirst(run, this.#rooms.desk.idleAgents(team))
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
    this.#rooms.doDesk(this.#rooms.desk.unreserve(agent, this.#nowMs()))
    this.#dialing.consider()
    return true
  }

  /** A screen that comes later is told of the offer as well. */
  tellAgain(agent: AgentName, tell: (news: AgentNews) => void): void {
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
    const agent = agents.find((agent) => this.#rooms.desk.isSpare(agent) && !this.isLookingFor(agent))
    if (agent !== undefined) this.#ask(run, agent, lease)
  }

  #ask(run: CampaignRun, agent: AgentName, lease: NodeLease): void {
    const { turn } = this.#rooms
    const nowMs = this.#nowMs()
    this.#asking.set(run, agent)
    const wish = {
      ...{ lease, campaign: run.campaign.id, agent, atMs: nowMs },
      dialedSinceAtMs: nowMs - run.campaign.frequencyCap.windowMs,
      decide: (task: DueTask, moment: Parameters<Dialing['judge']>[2]) =>
        this.#dialing.judge(run, task, moment, agent, 0).verdict,
    }
    this.#records.reserveTask(wish).then(
      (found) => turn(() => this.#offer(run, agent, typeof found === 'string' ? undefined : found)),
      () => turn(() => this.#offer(run, agent, undefined)),
    )
  }

  #offer(run: CampaignRun, agent: AgentName, task: DueTask | undefined): void {
    const { desk, doDesk, parts } = this.#rooms
    this.#asking.delete(run)
    if (!task) {
      run.quietUntilAtMs = this.#nowMs() + NOTHING_DUE_MS
      return this.#dialing.consider()
    }
    if (!desk.reserve(agent, this.#nowMs())) return this.giveBack(task.id, this.#nowMs())
    // Their screen shows that first.
    doDesk(desk.timePassed(this.#nowMs()))
    const untilAtMs = this.#nowMs() + OFFER_MS
    const timer = parts.clock.schedule(untilAtMs, () => this.#rooms.turn(() => this.#tooLate(agent)))
    this.#offers.set(agent, { task, timer, untilAtMs })
    this.#rooms.robot?.stations.tell(agent, { type: 'preview', task: offeredTask(task), untilAtMs })
    this.offerAll()
  }

  #tooLate(agent: AgentName): void {
    if (!this.skip(agent)) return
    const { answer, commands } = this.#rooms.desk.order(
      agent,
      { type: 'pause', reason: 'did not look at the task that was offered' },
      this.#nowMs(),
    )
    if (answer.ok) this.#rooms.doDesk(commands)
  }

  /** Nothing comes of a task that was reserved: it is due again then. Tried until the records have it. */
  giveBack(task: CallTaskId, nextCallAtMs: AtMs): void {
    this.#scribe.write({ key: `task-${task}`, what: 'released', value: [task, nextCallAtMs] })
  }

  #nowMs(): AtMs {
    return this.#rooms.parts.clock.nowMs()
  }
}
