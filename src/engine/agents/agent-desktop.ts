/** Agents at their screens: their orders go to the desk, the lines and the records; what happens is pushed to them. */
import { type PopupValues, popupUrl } from '../../acd/screen-pop.ts'
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import { REASONS } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import {
  type ActivityId,
  type AgentName,
  type AttemptId,
  type CallId,
  type CallTaskId,
  FIRST_CORPORATION,
} from '../../kernel/ids.ts'
import type {
  AgentCall,
  AgentNotification,
  AgentOrder,
  AgentStatus,
  OfferedTask,
  OrderAnswer,
} from '../../ports/agent-desktop.ts'
import type { DueTask } from '../../ports/attempt.ts'
import { isFinished } from '../../ports/call-task.ts'
import type { DialerRepository, MatchedTask } from '../../ports/dialer-repository.ts'
import type { CampaignRun } from '../campaigns/campaign-run.ts'
import type { EngineContext, LiveCall } from '../context.ts'
import type { Dialer } from '../loop/dialer.ts'
import { isTalking, isUnanswered, type LiveAttempt, offeredTask } from '../outbound/live-attempt.ts'
import type { Entry } from '../record-writer.ts'
import type { PreviewOffers } from './preview-offers.ts'

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
export interface AgentDesktopOptions {
  readonly dialerRepository: DialerRepository
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
export class AgentDesktop implements AgentDesktop {
  readonly #context: EngineContext
  readonly #dialer: Dialer
  readonly #dialerRepository: DialerRepository
  readonly #page: AgentDesktopOptions['page']
  readonly #screens = new Map<AgentName, Set<(notification: AgentNotification) => void>>()
  readonly #lastCalls = new Map<AgentName, LastCall>()
  /** Conversations with callers, for screens that come later. */
  readonly #inbound = new Map<AgentName, AgentCall>()
  readonly #handlers: Handlers
  /** Whose agent knows that the task was ended. */
  readonly #told = new WeakSet<LiveAttempt>()
  #lookedAtMs = 0

  constructor(context: EngineContext, dialer: Dialer, { dialerRepository, page }: AgentDesktopOptions) {
    this.#context = context
    this.#dialer = dialer
    this.#dialerRepository = dialerRepository
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
      hangUp: (agent) => (this.#cancelAttempts(agent) ? OK : this.#orderDistributor(agent, { type: 'hangUp' })),
    }
  }

  get #preview(): PreviewOffers {
    return this.#dialer.preview
  }

  order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer> {
    return new Promise((resolve) => {
      this.#context.enqueue(() => {
        const handle = this.#handlers[order.type] as ((agent: AgentName, order: AgentOrder) => OrderAnswer) | undefined
        try {
          resolve(handle ? handle(agent, order) : this.#orderDistributor(agent, order as never))
        } catch (error) {
          this.#context.dependencies.log.error({ err: error, order: order.type }, 'an order broke by our mistake')
          resolve(no('This did not work, by our mistake.'))
        }
      })
    })
  }

  attach(agent: AgentName, listener: (notification: AgentNotification) => void): () => void {
    const screens = this.#screens.get(agent) ?? new Set()
    this.#screens.set(agent, screens)
    screens.add(listener)
    this.#context.enqueue(() => {
      const status = this.#context.distributor.statuses().find((one) => one.agent === agent)
      if (status) listener({ type: 'status', status })
      const last = this.#lastCalls.get(agent)
      const inbound = this.#inbound.get(agent)
      if (last && !last.live.report) listener({ type: 'call', call: callOf(last.live) })
      else if (inbound) listener({ type: 'call', call: inbound })
      this.#preview.notifyAgain(agent, listener)
      this.#context.performDistributor(this.#context.distributor.screen(agent, true, this.#nowMs()))
    })
    return () => {
      if (!screens.delete(listener) || screens.size > 0) return
      this.#context.enqueue(() =>
        this.#context.performDistributor(this.#context.distributor.screen(agent, false, this.#nowMs())),
      )
    }
  }

  statuses(): readonly AgentStatus[] {
    return this.#context.distributor.statuses()
  }

  notifyAgent(agent: AgentName, notification: AgentNotification): void {
    for (const listener of this.#screens.get(agent) ?? []) listener(notification)
  }

  /**
   * Tasks have changed: whoever talks about one that the integrator ended is told, once (D-13). Looked up now and then,
   * for nothing is lost when it comes a moment late.
   */
  async tasksChanged(): Promise<void> {
    const talking = [...this.#dialer.dialing.lines.all()].filter((live) => isTalking(live) && !this.#told.has(live))
    const nowMs = this.#nowMs()
    if (talking.length === 0 || nowMs < this.#lookedAtMs + LOOK_EVERY_MS) return
    this.#lookedAtMs = nowMs
    const tasks = await this.#dialerRepository.describeTasks(
      talking.map(({ group }) => group.task.id),
      nowMs,
    )
    const ended = new Set(tasks.filter(({ status }) => isFinished(status)).map(({ id }) => id))
    for (const live of talking) {
      const task = live.group.task.id
      if (live.agent === undefined || live.report || !ended.has(task)) continue
      this.#told.add(live)
      this.notifyAgent(live.agent, { type: 'taskEnded', task })
    }
  }

  /** An agent is on the line with somebody we called. */
  connected(live: LiveAttempt): void {
    const { agent, leg, activity, attempt, group } = live
    if (agent === undefined) return
    const call = leg as string as CallId
    this.#inbound.delete(agent)
    this.#lastCalls.set(agent, { call, activity, task: group.task.id, attempt, live, endedAtMs: undefined })
    this.notifyAgent(agent, { type: 'call', call: callOf(live) })
    this.#popup(agent, live)
  }

  /** A caller is with an agent. Triggers (b) and (c) of contract.md §6: matched by number, or by what they typed. */
  met(agent: AgentName, live: LiveCall): void {
    const { call, matched, popup, caller, called } = live
    const number = caller ?? ''
    const task = matched && offeredOf(matched)
    const shown: AgentCall = { call, direction: 'in', number, ...(task && { task }) }
    // From here on their words are not about whom we called before.
    this.#lastCalls.delete(agent)
    this.#inbound.set(agent, shown)
    this.notifyAgent(agent, { type: 'call', call: shown })
    const known = { CODE: popup ?? matched?.externalCaseNumber, CALLER: number, CALLED: called }
    if (matched) {
      const about = { call, task: matched.task }
      this.popup(agent, 'b', matched.externalSystem, { ...known, EXTCUSTID: matched.externalCustomer }, about)
    } else if (popup !== undefined)
      this.popup(agent, 'c', this.#context.numbers.get(called)?.externalSystem, known, { call })
  }

  /** The caller is gone, or the agent let them go. */
  parted(agent: AgentName, call: CallId): void {
    if (this.#inbound.get(agent)?.call === call) this.#inbound.delete(agent)
    this.notifyAgent(agent, { type: 'callEnded', call })
  }

  callEnded(live: LiveAttempt, { result }: AttemptReport): void {
    if (live.agent === undefined) return
    const last = this.#lastCalls.get(live.agent)
    if (last?.live === live) last.endedAtMs = this.#nowMs()
    this.notifyAgent(live.agent, { type: 'callEnded', call: live.leg as string as CallId, why: result })
  }

  /** Trigger (a) of contract.md §6: an agent is on a call on a task of a system that has a page. */
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
    if (url !== undefined) this.notifyAgent(agent, { type: 'popup', reason, url, ...about })
  }

  #nowMs(): number {
    return this.#context.dependencies.clock.nowMs()
  }

  #orderDistributor(agent: AgentName, order: Parameters<EngineContext['distributor']['order']>[1]): OrderAnswer {
    const { answer, commands } = this.#context.distributor.order(agent, order, this.#nowMs())
    this.#context.performDistributor(commands)
    this.#dialer.dialing.consider()
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
    if (last.live.report) this.#dialer.recordWriter.write(entry)
    else last.live.afterwards.push(entry)
    return OK
  }

  #machine(agent: AgentName): OrderAnswer {
    const last = this.#lastCall(agent)
    if (!last) return NO_CALL
    if (!last.live.report) this.#dialer.dialing.lines.sendToAttempt(last.live.leg, { type: 'machine.marked' })
    else {
      const value = [last.attempt, agent, this.#nowMs()] as const
      this.#dialer.recordWriter.write({ key: last.live.leg, what: 'machine', value: [...value] })
    }
    return OK
  }

  /** A call that an agent asked for and that nobody has answered yet. */
  #cancelAttempts(agent: AgentName): boolean {
    const ringing = [...this.#dialer.dialing.lines.all()].filter((live) => live.byHand === agent && isUnanswered(live))
    this.#dialer.dialing.takeBack(ringing.map(({ attempt }) => attempt))
    return ringing.length > 0
  }

  #consent(agent: AgentName): OrderAnswer {
    const live = this.#lastCalls.get(agent)?.live
    if (!live || live.report) return NO_CALL
    if (live.campaign.campaign.recording.mode !== 'consent') return no('This campaign does not record by consent.')
    this.#dialer.dialing.lines.record(live)
    return OK
  }

  /** The task that is offered, or one of the agent's choice; the agent stands by until somebody answers. */
  #dial(agent: AgentName, chosen: CallTaskId | undefined): OrderAnswer | Promise<OrderAnswer> {
    const { distributor, enqueue, performDistributor } = this.#context
    const offered = this.#preview.taken(agent)
    const task = chosen ?? offered?.task.id
    if (offered && task !== offered.task.id) this.#preview.giveBack(offered.task.id, this.#nowMs())
    if (task === undefined) return no('No task is offered to you, and none was named.')
    if (!offered && !distributor.reserve(agent, this.#nowMs())) return no('You are not ready.')
    return new Promise((resolve) => {
      const refuse = (why: string) => {
        this.#preview.giveBack(task, this.#nowMs() + REFUSED_MS)
        performDistributor(distributor.unreserve(agent, this.#nowMs()))
        resolve(no(why))
      }
      this.#find(task).then(
        (due) =>
          enqueue(() => {
            const run = due && this.#dialer.campaigns.get(due.campaign)
            if (!run || !this.#isTheirs(run, agent))
              return refuse('There is no such task, or its campaign is not complete.')
            this.#dialer.dialing.dialByHand(run, { agent, task }, (why) => {
              if (why === undefined) resolve(OK)
              else refuse(why === 'unavailable' ? 'Nobody can be dialed just now.' : REASONS[why])
            })
          }),
        () => enqueue(() => refuse('The records are away; nobody can be dialed just now.')),
      )
    })
  }

  /** Only tasks of the agent's own teams and corporation exist for them (D-04). */
  #isTheirs({ campaign, stored }: CampaignRun, agent: AgentName): boolean {
    const team = this.#context.staff().teams.get(campaign.team)
    return stored.corporation === FIRST_CORPORATION && team?.agents.includes(agent) === true
  }

  async #find(task: CallTaskId): Promise<DueTask | undefined> {
    return (await this.#dialerRepository.describeTasks([task], 0))[0]
  }
}

function callOf({ leg, number, activity, group }: LiveAttempt): Extract<AgentNotification, { type: 'call' }>['call'] {
  return { call: leg as string as CallId, direction: 'out', number, activity, task: offeredTask(group.task) }
}

function offeredOf({ task, campaign, receiverName, externalCaseNumber, externalCustomer }: MatchedTask): OfferedTask {
  return {
    ...{ task, campaign, receiverName },
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}
