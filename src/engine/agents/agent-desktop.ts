/** Agents' screens: orders go to the distributor, the attempts and the database; notifications go to the screens. */
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
  callOf,
  FIRST_CORPORATION,
} from '../../kernel/ids.ts'
import type {
  AgentCall,
  AgentDesktop as AgentDesktopPort,
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
import type { AgentScreens, EngineContext, LiveCall } from '../context.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { isTalking, isUnanswered, type LiveAttempt, offeredTask } from '../outbound/live-attempt.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import type { RecordWriter, WriteEntry } from '../record-writer.ts'
import type { PreviewOffers } from './preview-offers.ts'

/** The call that an agent is in or has just left: feedback and callbacks refer to it. */
interface LastCall {
  readonly call: CallId
  readonly activity: ActivityId
  readonly task: CallTaskId
  readonly attempt: AttemptId
  readonly live: LiveAttempt
  endedAtMs: AtMs | undefined
}

interface AgentDesktopOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  readonly callPlacer: CallPlacer
  readonly campaigns: CampaignRegistry
  readonly preview: PreviewOffers
  readonly page: (externalSystem: number | string) => string | undefined
}

const LOOK_EVERY_MS = 2_000
/** Our choice: later feedback refers to something else, or to the task instead of the call. */
const WORDS_MAX_MS = 15 * 60_000
const REFUSED_MS = 60_000
const OK: OrderAnswer = { ok: true }
const no = (why: string): OrderAnswer => ({ ok: false, why })
const NO_CALL = no('You have no call that this could refer to.')

type Handlers = {
  [T in AgentOrder['type']]?: (
    agent: AgentName,
    order: Extract<AgentOrder, { type: T }>,
  ) => OrderAnswer | Promise<OrderAnswer>
}

/** Carries out agents' orders, and notifies their screens. */
export class AgentDesktop implements AgentDesktopPort, AgentScreens {
  readonly #context: EngineContext
  readonly #options: AgentDesktopOptions
  readonly #screens = new Map<AgentName, Set<(notification: AgentNotification) => void>>()
  readonly #lastCalls = new Map<AgentName, LastCall>()
  readonly #inbound = new Map<AgentName, AgentCall>()
  readonly #handlers: Handlers
  readonly #notified = new WeakSet<LiveAttempt>()
  #lookedAtMs = 0

  constructor(context: EngineContext, options: AgentDesktopOptions) {
    this.#context = context
    this.#options = options
    this.#handlers = {
      dial: (agent, { task }) => this.#dial(agent, task),
      skip: (agent) => (this.#options.preview.skipOffer(agent) ? OK : no('No task is offered to you.')),
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
          ? no('The date of a callback must be in the future.')
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

  order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer> {
    return new Promise((resolve) => {
      this.#context.enqueue(() => {
        const handle = this.#handlers[order.type] as ((agent: AgentName, order: AgentOrder) => OrderAnswer) | undefined
        try {
          resolve(handle ? handle(agent, order) : this.#orderDistributor(agent, order as never))
        } catch (error) {
          this.#context.dependencies.log.error(
            { err: error, order: order.type },
            'an order failed by an internal error',
          )
          resolve(no('This failed because of an internal error. Try again.'))
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
      if (last && !last.live.report) listener({ type: 'call', call: shownCall(last.live) })
      else if (inbound) listener({ type: 'call', call: inbound })
      this.#options.preview.repeatOffer(agent, listener)
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

  /** Notifies an agent once who talks about a task that the integrator ended (D-13). Throttled; a delay is harmless. */
  async tasksChanged(): Promise<void> {
    const talking = [...this.#options.callPlacer.attempts.all()].filter(
      (live) => isTalking(live) && !this.#notified.has(live),
    )
    const nowMs = this.#nowMs()
    if (talking.length === 0 || nowMs < this.#lookedAtMs + LOOK_EVERY_MS) return
    this.#lookedAtMs = nowMs
    const tasks = await this.#options.dialerRepository.describeTasks(
      talking.map(({ group }) => group.task.id),
      nowMs,
    )
    const ended = new Set(tasks.filter(({ status }) => isFinished(status)).map(({ id }) => id))
    for (const live of talking) {
      const task = live.group.task.id
      if (live.agent === undefined || live.report || !ended.has(task)) continue
      this.#notified.add(live)
      this.notifyAgent(live.agent, { type: 'taskEnded', task })
    }
  }

  calleeConnected(live: LiveAttempt): void {
    const { agent, leg, activity, attempt, group } = live
    if (agent === undefined) return
    const call = callOf(leg)
    this.#inbound.delete(agent)
    this.#lastCalls.set(agent, { call, activity, task: group.task.id, attempt, live, endedAtMs: undefined })
    this.notifyAgent(agent, { type: 'call', call: shownCall(live) })
    this.#popup(agent, live)
  }

  /** A caller is connected with an agent. Triggers (b) and (c) of contract.md §6: matched by number or typed code. */
  callerConnected(agent: AgentName, live: LiveCall): void {
    const { call, matched, popup, caller, called } = live
    const number = caller ?? ''
    const task = matched && offeredOf(matched)
    const shown: AgentCall = { call, direction: 'in', number, ...(task && { task }) }
    // From now on feedback does not refer to the call before.
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

  callerParted(agent: AgentName, call: CallId): void {
    if (this.#inbound.get(agent)?.call === call) this.#inbound.delete(agent)
    this.notifyAgent(agent, { type: 'callEnded', call })
  }

  attemptEnded(live: LiveAttempt, { result }: AttemptReport): void {
    if (live.agent === undefined) return
    const last = this.#lastCalls.get(live.agent)
    if (last?.live === live) last.endedAtMs = this.#nowMs()
    this.notifyAgent(live.agent, { type: 'callEnded', call: callOf(live.leg), why: result })
  }

  /** Trigger (a) of contract.md §6: the task's external system has a screen pop template. */
  #popup(agent: AgentName, { group: { task }, leg, number, activity }: LiveAttempt): void {
    const values = { CODE: task.externalCaseNumber, CALLED: number, CALLER: number, EACTID: String(activity) }
    const about = { call: callOf(leg), activity, task: task.id }
    this.popup(agent, 'a', task.externalSystem, { ...values, EXTCUSTID: task.externalCustomer }, about)
  }

  /** Opens the page of an external system on an agent's screen, where it has a template (D-28). */
  popup(
    agent: AgentName,
    reason: 'a' | 'b' | 'c',
    system: number | string | undefined,
    known: Readonly<Record<string, string | undefined>>,
    about: { readonly call: CallId; readonly activity?: ActivityId; readonly task?: CallTaskId },
  ): void {
    const template = system === undefined ? undefined : this.#options.page(system)
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
    this.#options.callPlacer.consider()
    return answer
  }

  #lastCall(agent: AgentName): LastCall | undefined {
    const last = this.#lastCalls.get(agent)
    const isOld = last?.endedAtMs !== undefined && this.#nowMs() - last.endedAtMs > WORDS_MAX_MS
    return isOld ? undefined : last
  }

  #about(agent: AgentName, entryOf: (last: LastCall) => WriteEntry): OrderAnswer {
    const last = this.#lastCall(agent)
    if (!last) return NO_CALL
    const entry = entryOf(last)
    // During the call the task is not finished; the entry is written after the end of the call.
    if (last.live.report) this.#options.recordWriter.write(entry)
    else last.live.afterwards.push(entry)
    return OK
  }

  #machine(agent: AgentName): OrderAnswer {
    const last = this.#lastCall(agent)
    if (!last) return NO_CALL
    if (!last.live.report) this.#options.callPlacer.attempts.sendToAttempt(last.live.leg, { type: 'machine.marked' })
    else {
      const value = [last.attempt, agent, this.#nowMs()] as const
      this.#options.recordWriter.write({ key: last.live.leg, what: 'machine', value: [...value] })
    }
    return OK
  }

  /** Cancels the calls that the agent asked for and that nobody has answered yet. */
  #cancelAttempts(agent: AgentName): boolean {
    const ringing = [...this.#options.callPlacer.attempts.all()].filter(
      (live) => live.byHand === agent && isUnanswered(live),
    )
    this.#options.callPlacer.cancelAttempts(ringing.map(({ attempt }) => attempt))
    return ringing.length > 0
  }

  #consent(agent: AgentName): OrderAnswer {
    const live = this.#lastCalls.get(agent)?.live
    if (!live || live.report) return NO_CALL
    if (live.campaign.campaign.recording.mode !== 'consent') return no('This campaign does not record by consent.')
    this.#options.callPlacer.attempts.record(live)
    return OK
  }

  /** Dials the offered task, or one of the agent's choice; the agent is reserved until the callee answers. */
  #dial(agent: AgentName, chosen: CallTaskId | undefined): OrderAnswer | Promise<OrderAnswer> {
    const { distributor, enqueue, performDistributor } = this.#context
    const offered = this.#options.preview.takeOffer(agent)
    const task = chosen ?? offered?.task.id
    if (offered && task !== offered.task.id) this.#options.preview.releaseTask(offered.task.id, this.#nowMs())
    if (task === undefined) return no('No task is offered to you. Name the task to dial.')
    if (!offered && !distributor.reserve(agent, this.#nowMs())) return no('You are not ready.')
    return new Promise((resolve) => {
      const refuse = (why: string) => {
        this.#options.preview.releaseTask(task, this.#nowMs() + REFUSED_MS)
        performDistributor(distributor.unreserve(agent, this.#nowMs()))
        resolve(no(why))
      }
      this.#find(task).then(
        (due) =>
          enqueue(() => {
            const run = due && this.#options.campaigns.get(due.campaign)
            if (!run || !this.#isTheirs(run, agent))
              return refuse('There is no such task, or its campaign is not complete.')
            this.#options.callPlacer.dialByHand(run, { agent, task }, (why) => {
              if (why === undefined) resolve(OK)
              else
                refuse(why === 'unavailable' ? 'Dialing is not possible at the moment. Try again later.' : REASONS[why])
            })
          }),
        () => enqueue(() => refuse('The database is unavailable, so nothing can be dialed. Try again later.')),
      )
    })
  }

  /** An agent can only dial tasks of their own teams and corporation (D-04). */
  #isTheirs({ campaign, stored }: CampaignRun, agent: AgentName): boolean {
    const team = this.#context.staff().teams.get(campaign.team)
    return stored.corporation === FIRST_CORPORATION && team?.agents.includes(agent) === true
  }

  async #find(task: CallTaskId): Promise<DueTask | undefined> {
    return (await this.#options.dialerRepository.describeTasks([task], 0))[0]
  }
}

function shownCall({
  leg,
  number,
  activity,
  group,
}: LiveAttempt): Extract<AgentNotification, { type: 'call' }>['call'] {
  return { call: callOf(leg), direction: 'out', number, activity, task: offeredTask(group.task) }
}

function offeredOf({ task, campaign, receiverName, externalCaseNumber, externalCustomer }: MatchedTask): OfferedTask {
  return {
    task,
    campaign,
    receiverName,
    ...(externalCaseNumber !== undefined && { externalCaseNumber }),
    ...(externalCustomer !== undefined && { externalCustomer }),
  }
}
