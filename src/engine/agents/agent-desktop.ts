/** Agents at their screens: their orders go to the desk, the lines and the records; what happens is pushed to them. */
import { type PopupValues, popupUrl } from '../../acd/screen-pop.ts'
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { REASONS } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallId } from '../../kernel/ids.ts'
import type {
  AgentCall,
  AgentNews,
  AgentOrder,
  AgentStatus,
  OfferedTask,
  OrderAnswer,
  Stations as StationsPort,
} from '../../ports/agent-desktop.ts'
import type { ActivityId, AttemptId, DueTask } from '../../ports/attempt.ts'
import { type CallTaskId, isFinished } from '../../ports/call-task.ts'
import type { MatchedTask, Records } from '../../ports/dialer-repository.ts'
import { FIRST_CORPORATION } from '../../ports/directory.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { LiveCall, Rooms } from '../context.ts'
import type { Robot } from '../loop/dialer.ts'
import { isTalking, isUnanswered, type LiveAttempt } from '../outbound/live-attempt.ts'
import type { Entry } from '../record-writer.ts'
import type { PreviewDesk } from './preview-offers.ts'

/** The call an agent is in or has just left: what their words after it are about. */
interface LastCall {
  readonly call: CallId
  readonly activity: ActivityId
  readonly task: CallTaskId
  readonly attempt: AttemptId
  readonly live: LiveAttempt
  endedAtMs: AtMs | undefined
}

/** What stations need beside the engine. */
export interface StationsOptions {
  readonly records: Records
  /** The template of an external system's page, by the system's id or code; undefined where it has none. */
  readonly page: (externalSystem: number | string) => string | undefined
}

const LOOK_EVERY_MS = 2_000
/** Our choice: later words are about something else, or belong to the task and not to the call. */
const WORDS_MAX_MS = 15 * 60_000
/** A task that could not be dialed by hand comes again so much later. */
const REFUSED_MS = 60_000
const OK: OrderAnswer = { ok: true }
const no = (why: string): OrderAnswer => ({ ok: false, why })
const NO_CALL = no('There is no call of yours that this could be about.')

type Handlers = {
  [T in AgentOrder['type']]?: (
    agent: AgentName,
    order: Extract<AgentOrder, { type: T }>,
  ) => OrderAnswer | Promise<OrderAnswer>
}

/** Mutable state with a lifetime, hence a class. */
export class Stations implements StationsPort {
  readonly #rooms: Rooms
  readonly #robot: Robot
  readonly #records: Records
  readonly #page: StationsOptions['page']
  readonly #screens = new Map<AgentName, Set<(news: AgentNews) => void>>()
  readonly #lastCalls = new Map<AgentName, LastCall>()
  /** Conversations with callers, for screens that come later. */
  readonly #inbound = new Map<AgentName, AgentCall>()
  readonly #handlers: Handlers
  /** Whose agent knows that the task was ended. */
  readonly #told = new WeakSet<LiveAttempt>()
  #lookedAtMs = 0

  constructor(rooms: Rooms, robot: Robot, { records, page }: StationsOptions) {
    this.#rooms = rooms
    this.#robot = robot
    this.#records = records
    this.#page = page
    this.#handlers = {
      dial: (agent, { task }) => this.#dial(agent, task),
      skip: (agent) => (this.#preview.skip(agent) ? OK : no('No task is offered to you.')),
      feedback: (agent, { feedbackType, isFinal, note }) =>
        this.#about(agent, ({ activity, task, live }) => ({
          key: live.leg,
          what: 'feedback',
          value: {
            activity,
            task,
            agent,
            feedbackType,
            isFinal,
            ...(note !== undefined && { note }),
            atMs: this.#nowMs(),
          },
        })),
      callback: (agent, { atMs, askedByContact }) =>
        atMs <= this.#nowMs()
          ? no('The date of a callback lies in the future.')
          : this.#about(agent, ({ task, live }) => ({
              key: live.leg,
              what: 'callback',
              value: { task, atMs, askedByContact, agent, nowMs: this.#nowMs() },
            })),
      machine: (agent) => this.#machine(agent),
      recordingConsent: (agent) => this.#consent(agent),
      hangUp: (agent) => (this.#takeBack(agent) ? OK : this.#orderDesk(agent, { type: 'hangUp' })),
    }
  }

  get #preview(): PreviewDesk {
    return this.#robot.preview
  }

  order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer> {
    return new Promise((resolve) => {
      this.#rooms.turn(() => {
        const handle = this.#handlers[order.type] as ((agent: AgentName, order: AgentOrder) => OrderAnswer) | undefined
        try {
          resolve(handle ? handle(agent, order) : this.#orderDesk(agent, order as never))
        } catch (error) {
          this.#rooms.parts.log.error({ err: error, order: order.type }, 'an order broke by our mistake')
          resolve(no('This did not work, by our mistake.'))
        }
      })
    })
  }

  attach(agent: AgentName, listener: (news: AgentNews) => void): () => void {
    const screens = this.#screens.get(agent) ?? new Set()
    this.#screens.set(agent, screens)
    screens.add(listener)
    this.#rooms.turn(() => {
      const status = this.#rooms.desk.statuses().find((one) => one.agent === agent)
      if (status) listener({ type: 'status', status })
      const last = this.#lastCalls.get(agent)
      const inbound = this.#inbound.get(agent)
      if (last && !last.live.report) listener({ type: 'call', call: callOf(last.live) })
      else if (inbound) listener({ type: 'call', call: inbound })
      this.#preview.tellAgain(agent, listener)
      this.#rooms.doDesk(this.#rooms.desk.screen(agent, true, this.#nowMs()))
    })
    return () => {
      if (!screens.delete(listener) || screens.size > 0) return
      this.#rooms.turn(() => this.#rooms.doDesk(this.#rooms.desk.screen(agent, false, this.#nowMs())))
    }
  }

  statuses(): readonly AgentStatus[] {
    return this.#rooms.desk.statuses()
  }

  tell(agent: AgentName, news: AgentNews): void {
    for (const listener of this.#screens.get(agent) ?? []) listener(news)
  }

  /**
   * Tasks have changed: whoever talks about one that the integrator ended is told, once (D-13). Looked up now and then,
   * for nothing is lost when it comes a moment late.
   */
  async tasksChanged(): Promise<void> {
    const talking = [...this.#robot.dialing.lines.all()].filter((live) => isTalking(live) && !this.#told.has(live))
    const nowMs = this.#nowMs()
    if (talking.length === 0 || nowMs < this.#lookedAtMs + LOOK_EVERY_MS) return
    this.#lookedAtMs = nowMs
    const tasks = await this.#records.describeTasks(
      talking.map(({ group }) => group.task.id),
      nowMs,
    )
    const ended = new Set(tasks.filter(({ status }) => isFinished(status)).map(({ id }) => id))
    for (const live of talking) {
      const task = live.group.task.id
      if (live.agent === undefined || live.report || !ended.has(task)) continue
      this.#told.add(live)
      this.tell(live.agent, { type: 'taskEnded', task })
    }
  }

  /** An agent is on the line with somebody we called. */
  connected(live: LiveAttempt): void {
    const { agent, leg, activity, attempt, group } = live
    if (agent === undefined) return
    const call = leg as string as CallId
    this.#inbound.delete(agent)
    this.#lastCalls.set(agent, { call, activity, task: group.task.id, attempt, live, endedAtMs: undefined })
    this.tell(agent, { type: 'call', call: callOf(live) })
    this.#popup(agent, live)
  }

  /** A caller is with an agent. Triggers (b) and (c) of Interface §6: matched by number, or by what they typed. */
  met(agent: AgentName, live: LiveCall): void {
    const { call, matched, popup, caller, called } = live
    const number = caller ?? ''
    const task = matched && offeredOf(matched)
    const shown: AgentCall = { call, direction: 'in', number, ...(task && { task }) }
    // From here on their words are not about whom we called before.
    this.#lastCalls.delete(agent)
    this.#inbound.set(agent, shown)
    this.tell(agent, { type: 'call', call: shown })
    const known = { CODE: popup ?? matched?.externalCaseNumber, CALLER: number, CALLED: called }
    if (matched) {
      const about = { call, task: matched.task }
      this.popup(agent, 'b', matched.externalSystem, { ...known, EXTCUSTID: matched.externalCustomer }, about)
    } else if (popup !== undefined)
      this.popup(agent, 'c', this.#rooms.numbers.get(called)?.externalSystem, known, { call })
  }

  /** The caller is gone, or the agent let them go. */
  parted(agent: AgentName, call: CallId): void {
    if (this.#inbound.get(agent)?.call === call) this.#inbound.delete(agent)
    this.tell(agent, { type: 'callEnded', call })
  }

  ended(live: LiveAttempt, { result }: AttemptReport): void {
    if (live.agent === undefined) return
    const last = this.#lastCalls.get(live.agent)
    if (last?.live === live) last.endedAtMs = this.#nowMs()
    this.tell(live.agent, { type: 'callEnded', call: live.leg as string as CallId, why: result })
  }

  /** Trigger (a) of Interface §6: an agent is on a call on a task of a system that has a page. */
  #popup(agent: AgentName, { group: { task }, leg, number, activity }: LiveAttempt): void {
    const values = { CODE: task.externalCaseNumber, CALLED: number, CALLER: number, EACTID: String(activity) }
    const about = { call: leg as string as CallId, activity, task: task.id }
    this.popup(agent, 'a', task.externalSystem, { ...values, EXTCUSTID: task.externalCustomer }, about)
  }

  /** Opens the page of an external system on an agent's screen, where it has one (D-28). */
  popup(
    agent: AgentName,
    reason: 'a' | 'b' | 'c',
    system: number | string | undefined,
    known: Readonly<Record<string, string | undefined>>,
    about: { readonly call: CallId; readonly activity?: ActivityId; readonly task?: CallTaskId },
  ): void {
    const template = system === undefined ? undefined : this.#page(system)
    if (template === undefined) return
    const task = about.task === undefined ? {} : { ITCAID: String(about.task) }
    const values = Object.entries({ ...known, ...task }).filter(([, value]) => value !== undefined)
    const url = popupUrl(template, Object.fromEntries(values) as PopupValues)
    if (url !== undefined) this.tell(agent, { type: 'popup', reason, url, ...about })
  }

  #nowMs(): number {
    return this.#rooms.parts.clock.nowMs()
  }

  #orderDesk(agent: AgentName, order: Parameters<Rooms['desk']['order']>[1]): OrderAnswer {
    const { answer, commands } = this.#rooms.desk.order(agent, order, this.#nowMs())
    this.#rooms.doDesk(commands)
    this.#robot.dialing.consider()
    return answer
  }

  /** What an agent's words are about: the call on the line, or the one that has just ended. */
  #lastCall(agent: AgentName): LastCall | undefined {
    const last = this.#lastCalls.get(agent)
    const isOld = last?.endedAtMs !== undefined && this.#nowMs() - last.endedAtMs > WORDS_MAX_MS
    return isOld ? undefined : last
  }

  #about(agent: AgentName, entryOf: (last: LastCall) => Entry): OrderAnswer {
    const last = this.#lastCall(agent)
    if (!last) return NO_CALL
    const entry = entryOf(last)
    // While it goes on, its task is not finished: words about it are written behind its end, in their order.
    if (last.live.report) this.#robot.scribe.write(entry)
    else last.live.afterwards.push(entry)
    return OK
  }

  #machine(agent: AgentName): OrderAnswer {
    const last = this.#lastCall(agent)
    if (!last) return NO_CALL
    if (!last.live.report) this.#robot.dialing.lines.tell(last.live.leg, { type: 'machine.marked' })
    else {
      const value = [last.attempt, agent, this.#nowMs()] as const
      this.#robot.scribe.write({ key: last.live.leg, what: 'machine', value: [...value] })
    }
    return OK
  }

  /** A call that an agent asked for and that nobody has answered yet. */
  #takeBack(agent: AgentName): boolean {
    const ringing = [...this.#robot.dialing.lines.all()].filter((live) => live.byHand === agent && isUnanswered(live))
    this.#robot.dialing.takeBack(ringing.map(({ attempt }) => attempt))
    return ringing.length > 0
  }

  #consent(agent: AgentName): OrderAnswer {
    const live = this.#lastCalls.get(agent)?.live
    if (!live || live.report) return NO_CALL
    if (live.campaign.campaign.recording.mode !== 'consent') return no('This campaign does not record by consent.')
    this.#robot.dialing.lines.record(live)
    return OK
  }

  /** The task that is offered, or one of the agent's choice; the agent stands by until somebody answers. */
  #dial(agent: AgentName, chosen: CallTaskId | undefined): OrderAnswer | Promise<OrderAnswer> {
    const { desk, turn, doDesk } = this.#rooms
    const offered = this.#preview.taken(agent)
    const task = chosen ?? offered?.task.id
    if (offered && task !== offered.task.id) this.#preview.giveBack(offered.task.id, this.#nowMs())
    if (task === undefined) return no('No task is offered to you, and none was named.')
    if (!offered && !desk.reserve(agent, this.#nowMs())) return no('You are not ready.')
    return new Promise((resolve) => {
      const refuse = (why: string) => {
        this.#preview.giveBack(task, this.#nowMs() + REFUSED_MS)
        doDesk(desk.unreserve(agent, this.#nowMs()))
        resolve(no(why))
      }
      this.#find(task).then(
        (due) =>
          turn(() => {
            const run = due && this.#robot.campaigns.get(due.campaign)
            if (!run || !this.#isTheirs(run, agent))
              return refuse('There is no such task, or its campaign is not complete.')
            this.#robot.dialing.dialByHand(run, { agent, task }, (why) => {
              if (why === undefined) resolve(OK)
              else refuse(why === 'unavailable' ? 'Nobody can be dialed just now.' : REASONS[why])
            })
          }),
        () => turn(() => refuse('The records are away; nobody can be dialed just now.')),
      )
    })
  }

  /** Only tasks of the agent's own teams and corporation exist for them (D-04). */
  #isTheirs({ campaign, stored }: CampaignRun, agent: AgentName): boolean {
    const team = this.#rooms.staff().teams.get(campaign.team)
    return stored.corporation === FIRST_CORPORATION && team?.agents.includes(agent) === true
  }

  async #find(task: CallTaskId): Promise<DueTask | undefined> {
    return (await this.#records.describeTasks([task], 0))[0]
  }
}

/** A task as screens show it. */
export function offeredTask(task: DueTask): OfferedTask {
  const { id, campaign, receiverName, externalCaseNumber, externalCustomer } = task
  return {
    ...{ task: id, campaign, receiverName },
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}

function callOf({ leg, number, activity, group }: LiveAttempt): Extract<AgentNews, { type: 'call' }>['call'] {
  return { call: leg as string as CallId, direction: 'out', number, activity, task: offeredTask(group.task) }
}

function offeredOf({ task, campaign, receiverName, externalCaseNumber, externalCustomer }: MatchedTask): OfferedTask {
  return {
    ...{ task, campaign, receiverName },
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}
