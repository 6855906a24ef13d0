/** Agents' screens: orders go to the distributor, the attempts and the database; notifications go to the screens. */
import { type PopupValues, popupUrl } from '../../acd/screen-pop.ts'
import type { AttemptReport } from '../../dialer/attempt.machine.ts'
import type { AtMs } from '../../kernel/clock.ts'
import { type ActivityId, type AgentName, type CallId, type CallTaskId, callOf } from '../../kernel/ids.ts'
import type {
  AgentCall,
  AgentDesktop as AgentDesktopPort,
  AgentNotification,
  AgentOrder,
  OrderAnswer,
} from '../../ports/agent-desktop.ts'
import type { DueTask, MachineWord } from '../../ports/attempt.ts'
import type { CallbackRequest, DialerRepository } from '../../ports/dialer-repository.ts'
import type { AgentNodes } from '../../ports/nodes.ts'
import type { PbxEvent } from '../../ports/pbx.ts'
import type { AgentScreens, DialerOptions, EngineContext, MetCaller } from '../context.ts'
import type { CampaignRegistry } from '../outbound/campaign-registry.ts'
import { isTalking, isUnanswered, type LiveAttempt } from '../outbound/live-attempt.ts'
import type { CallPlacer } from '../outbound/place-calls.ts'
import { greetingOf } from '../outbound/who-answered.ts'
import type { RecordWriter, WriteEntry } from '../record-writer.ts'
import { CallerOutcomes } from './caller-outcomes.ts'
import { type ConsultOrder, Consults, isConsult } from './consults.ts'
import { DialByHand } from './dial-by-hand.ts'
import { DialNumber } from './dial-number.ts'
import { EarlierCalls, type SpokenOf } from './earlier-calls.ts'
import { EndedTasks, mayBeCalledBack, NOT_CALLED_BACK } from './ended-tasks.ts'
import type { PreviewOffers } from './preview-offers.ts'
import { isRefusal, RecentCalls, WORDS_MAX_MS } from './recent-calls.ts'
import { Outcomes } from './save-outcome.ts'
import { queueStatuses, shownCall, shownCaller, teamsOf } from './shown-live.ts'
import { doNotCallEntry } from './stop-request.ts'
import { TalkActs, type TalkOrder } from './talk-acts.ts'
import { whyNotHere } from './why-not-here.ts'

interface AgentDesktopOptions {
  readonly dialerRepository: DialerRepository
  readonly recordWriter: RecordWriter
  readonly callPlacer: CallPlacer
  readonly campaigns: CampaignRegistry
  readonly preview: PreviewOffers
  readonly externalSystem: DialerOptions['externalSystem']
  readonly agentNodes?: AgentNodes
}

const OK: OrderAnswer = { ok: true }
const no = (why: string): OrderAnswer => ({ ok: false, why })
const CONSULTS = 'You talk with somebody else. Go back to the call, or join both.'

type LateAnswer = OrderAnswer | Promise<OrderAnswer>

type Handlers = {
  [T in AgentOrder['type']]?: (agent: AgentName, order: Extract<AgentOrder, { type: T }>) => LateAnswer
}

/** Carries out agents' orders, and notifies their screens. */
export class AgentDesktop implements AgentDesktopPort, AgentScreens {
  readonly #context: EngineContext
  readonly #options: AgentDesktopOptions
  readonly #screens = new Map<AgentName, Set<(notification: AgentNotification) => void>>()
  readonly #listeners = new Set<(agent: AgentName, notification: AgentNotification) => void>()
  readonly #recentCalls = new RecentCalls()
  readonly #earlierCalls: EarlierCalls
  readonly #handlers: Handlers
  readonly #endedTasks: EndedTasks
  readonly #outcomes: Outcomes
  readonly #callerOutcomes: CallerOutcomes
  readonly #dialByHand: DialByHand
  readonly #dialNumber: DialNumber
  readonly talkActs: TalkActs
  readonly #consults: Consults
  /** Promises that were written during their calls, and will be again. */
  readonly #early = new WeakSet<WriteEntry>()

  constructor(context: EngineContext, options: AgentDesktopOptions) {
    this.#context = context
    this.#options = options
    const notifyAgent = (agent: AgentName, notification: AgentNotification) => this.notifyAgent(agent, notification)
    this.#endedTasks = new EndedTasks(context, { ...options, notifyAgent })
    this.#dialByHand = new DialByHand(context, options)
    this.#dialNumber = new DialNumber(context, { ...options, dial: (...of) => this.#dialByHand.dial(...of) })
    this.#earlierCalls = new EarlierCalls(context, options)
    const { attempts } = options.callPlacer
    this.talkActs = new TalkActs(context, { attempts, notifyAgent })
    this.#consults = new Consults(context, {
      attempts,
      talkActs: this.talkActs,
      notifyAgent,
      parted: (agent, call) => this.callerParted(agent, call),
      calleeConnected: (live) => this.calleeConnected(live),
    })
    this.#outcomes = new Outcomes(context, {
      dialerRepository: options.dialerRepository,
      write: (entry) => this.#write(entry),
      whyNoCallback: (task, atMs) => this.#whyNoCallback(task, atMs),
      endedByAgent: (live) => this.#endedTasks.endedByAgent(live),
    })
    const write = (entry: WriteEntry) => this.#write(entry)
    this.#callerOutcomes = new CallerOutcomes(context, { ...options, write })
    this.#handlers = {
      dial: (agent, { task, number }) => this.#dialByHand.dial(agent, task, number),
      dialNumber: (agent, { number, campaign }) => this.#dialNumber.dial(agent, number, campaign),
      skip: (agent, order) => this.#options.preview.skipOffer(agent, order),
      endWrapUp: (agent, { call }) =>
        this.#recentCalls.whyNotNewest(agent, call) ?? this.#orderDistributor(agent, { type: 'endWrapUp' }),
      feedback: (agent, order) => this.#said(agent, order),
      outcome: (agent, order) => this.#said(agent, order),
      callback: (agent, { call, atMs, askedByContact }) =>
        atMs <= this.#nowMs()
          ? no('The date of a callback must be in the future.')
          : this.#callback(agent, call, { atMs, askedByContact }),
      doNotCall: (agent, { call, reason }) => this.#doNotCall(agent, call, reason),
      machine: (agent, { call }) => this.#machine(agent, call),
      recordingConsent: (agent, { call }) => this.#consent(agent, call),
      hangUp: (agent, { call }) => this.#hangUp(agent, call),
      hold: (agent, order) => this.#talk(agent, order),
      resume: (agent, order) => (this.#consults.isAside(agent) ? no(CONSULTS) : this.#talk(agent, order)),
      mute: (agent, order) => this.#talk(agent, order),
      unmute: (agent, order) => this.talkActs.unmute(agent) ?? this.#talk(agent, order),
      digits: (agent, order) => this.#talk(agent, order),
      consult: (agent, order) => this.#talk(agent, order),
      transfer: (agent, order) => this.#talk(agent, order),
      connect: (agent, order) => this.#talk(agent, order),
      join: (agent, order) => this.#talk(agent, order),
      back: (agent, order) => this.#talk(agent, order),
    }
  }

  async order(agent: AgentName, order: AgentOrder): Promise<OrderAnswer> {
    const { agentNodes } = this.#options
    const why = order.type === 'logIn' && agentNodes ? await whyNotHere(agentNodes, agent) : undefined
    return why === undefined ? this.#carryOut(agent, order) : no(why)
  }

  #carryOut(agent: AgentName, order: AgentOrder): Promise<OrderAnswer> {
    return new Promise((resolve) => {
      this.#context.enqueue(() => {
        const handle = this.#handlers[order.type] as ((agent: AgentName, order: AgentOrder) => OrderAnswer) | undefined
        try {
          resolve(handle ? handle(agent, order) : this.#orderDistributor(agent, order as never))
        } catch (error) {
          const { log } = this.#context.dependencies
          log.error({ err: error, order: order.type }, 'an order failed by an internal error')
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
      const present = this.#recentCalls.present(agent)
      if (present) listener({ type: 'call', call: present.shown })
      this.#context.supervisions?.repeat(agent, listener)
      this.talkActs.repeat(agent, listener)
      this.#consults.repeat(agent, listener)
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

  listen(listener: (agent: AgentName, notification: AgentNotification) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly statuses: AgentDesktopPort['statuses'] = () => this.#context.distributor.statuses()
  readonly isSpare: AgentDesktopPort['isSpare'] = (agent) => this.#context.distributor.isSpare(agent)
  readonly queues: AgentDesktopPort['queues'] = () => queueStatuses(this.#context)
  readonly teamsOf: AgentDesktopPort['teamsOf'] = (agent) => teamsOf(this.#context, agent)
  readonly campaignsToDialIn: AgentDesktopPort['campaignsToDialIn'] = (agent) => this.#dialNumber.campaigns(agent)

  notifyAgent(agent: AgentName, notification: AgentNotification): void {
    for (const listener of this.#listeners) listener(agent, notification)
    for (const listener of this.#screens.get(agent) ?? []) listener(notification)
  }

  tasksChanged(): void {
    this.#endedTasks.tasksChanged()
  }

  calleeConnected(live: LiveAttempt): void {
    const { agent } = live
    if (agent === undefined) return
    this.#cameUp(agent, shownCall(live), live)
    this.#popup(agent, live)
  }

  /** A caller is connected with an agent. Triggers (b) and (c) of contract.md §6: matched by number or typed code. */
  callerConnected(agent: AgentName, met: MetCaller, isNew = true): void {
    const { call, leg, matched, popup, caller, called } = met
    const shown = shownCaller(call, caller, met)
    this.#cameUp(agent, { ...shown, ...(popup && { typedCode: popup }) }, undefined, leg)
    const known = { CODE: popup ?? matched?.externalCaseNumber, CALLER: shown.number, CALLED: called }
    const system = this.#context.numbers.get(called)?.externalSystem
    // Another case than that of the caller's task may be another customer's.
    const isOther = popup !== undefined && popup !== matched?.externalCaseNumber && system !== undefined
    if (matched && !isOther && isNew) {
      const about = { call, task: matched.task }
      this.popup(agent, 'b', matched.externalSystem, { ...known, EXTCUSTID: matched.externalCustomer }, about)
    } else if (popup !== undefined && isNew) this.popup(agent, 'c', system, known, { call })
  }

  /** Silent when the agent has not got the call. */
  callerParted(agent: AgentName, call: CallId): void {
    if (this.#recentCalls.present(agent)?.shown.call !== call) return
    this.#recentCalls.ended(agent, call, this.#nowMs())
    this.notifyAgent(agent, { type: 'callEnded', call })
  }

  attemptEnded(live: LiveAttempt, { result }: AttemptReport): void {
    if (live.agent === undefined) return
    this.#recentCalls.ended(live.agent, callOf(live.leg), this.#nowMs())
    this.notifyAgent(live.agent, { type: 'callEnded', call: callOf(live.leg), why: result })
  }

  #cameUp(agent: AgentName, shown: AgentCall, live: LiveAttempt | undefined, leg = live?.leg): void {
    const wordsMaxMs = live?.campaign.campaign.resultWindowMs ?? WORDS_MAX_MS
    this.#recentCalls.cameUp(agent, { shown, live, leg, cameUpAtMs: this.#nowMs(), wordsMaxMs })
    this.notifyAgent(agent, { type: 'call', call: shown })
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
    const template = system === undefined ? undefined : this.#options.externalSystem(system)?.popupUrlTemplate
    if (typeof template !== 'string') return
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

  #said(agent: AgentName, order: Extract<AgentOrder, { type: 'outcome' | 'feedback' }>): LateAnswer {
    const recent = this.#recentCalls.find(agent, order.call, this.#nowMs())
    return this.#earlierCalls.about(agent, order.call, recent, (found) => {
      if (!found.live) return this.#callerOutcomes.save(agent, found, order)
      if (order.type === 'outcome') return this.#outcomes.save(agent, found.live, order)
      return this.#outcomes.feedback(agent, found.live, order)
    })
  }

  /**
   * A word is written at once: a crash must not lose it (campaigns-73). A promise is written once more after its call:
   * the task may have been ended meanwhile, and then its agent must hear so.
   */
  #writeAbout(live: SpokenOf, entry: WriteEntry): Promise<OrderAnswer> {
    const kept = this.#write(entry)
    if (!live.report && entry.what === 'callback') {
      live.afterwards.push(entry)
      this.#early.add(entry)
    }
    return kept
  }

  /** The agent hears `ok` when no crash can lose the word any more. */
  #write(entry: WriteEntry): Promise<OrderAnswer> {
    return new Promise((resolve) => this.#options.recordWriter.write(entry, () => resolve(OK)))
  }

  /** The promise is noted at once, because the call may end meanwhile; the database refuses it for an ended task. */
  #callback(
    agent: AgentName,
    call: CallId | undefined,
    date: Pick<CallbackRequest, 'atMs' | 'askedByContact'>,
  ): LateAnswer {
    const recent = this.#recentCalls.findAttempt(agent, call, this.#nowMs())
    return this.#earlierCalls.aboutAttempt(agent, call, recent, ({ live }) => {
      const task = live.group.task.id
      const value = { task, ...date, agent, nowMs: this.#nowMs(), attempt: live.attempt }
      const kept = this.#writeAbout(live, { key: live.leg, what: 'callback', value })
      const answer = this.#whyNoCallback(task, date.atMs)
      return kept.then(async () => ((await answer) === undefined ? OK : no(NOT_CALLED_BACK)))
    })
  }

  /** What the database cannot say now, it says when the promise is written. */
  #whyNoCallback(task: CallTaskId, atMs: AtMs): Promise<string | undefined> {
    const why = ([due]: readonly DueTask[]) => (due && mayBeCalledBack(due, atMs) ? undefined : NOT_CALLED_BACK)
    return this.#options.dialerRepository.describeTasks([task], 0).then(why, () => undefined)
  }

  /** The agent has to know what became of the promise: the other side was told that we would call. */
  written(entry: WriteEntry, outcome: unknown): void {
    // What the database says after the call counts.
    if (this.#early.delete(entry)) return
    if ((entry.what !== 'callback' && entry.what !== 'outcome') || outcome !== 'task ended') return
    const { agent, task } = entry.value
    this.notifyAgent(agent, { type: 'callbackRefused', task, why: NOT_CALLED_BACK })
  }

  #machine(agent: AgentName, call: CallId | undefined): LateAnswer {
    const recent = this.#recentCalls.findAttempt(agent, call, this.#nowMs())
    return this.#earlierCalls.aboutAttempt(agent, call, recent, ({ live }) => {
      const value: MachineWord = [live.attempt, agent, this.#nowMs(), greetingOf(live)]
      const kept = this.#writeAbout(live, { key: live.leg, what: 'machine', value: [...value] })
      const isOn = 'run' in live && !live.report && isTalking(live)
      if (isOn) this.#options.callPlacer.attempts.sendToAttempt(live.leg, { type: 'machine.marked' })
      this.#options.callPlacer.pacingObservations.calledMachine(live, this.#nowMs())
      this.#options.callPlacer.consider()
      return kept
    })
  }

  /** At once, also during the call: other attempts at the person may ring. */
  #doNotCall(agent: AgentName, call: CallId | undefined, reason: string): LateAnswer {
    const recent = this.#recentCalls.find(agent, call, this.#nowMs())
    return this.#earlierCalls.about(agent, call, recent, (found) => {
      const entry = doNotCallEntry(found, agent, reason, this.#nowMs())
      if (!entry) return no('The number of this call is withheld or not international, so it cannot be stopped.')
      return this.#write(entry)
    })
  }

  /** About the conversation that goes on, if it is the one that the agent means. */
  #talk(agent: AgentName, order: TalkOrder | ConsultOrder): LateAnswer {
    const present = this.#recentCalls.present(agent)
    const found = order.call === undefined ? present : this.#recentCalls.findPresent(agent, order.call, this.#nowMs())
    if (found && isRefusal(found)) return found
    const call = found?.shown.call
    return isConsult(order) ? this.#consults.carryOut(agent, call, order) : this.talkActs.carryOut(agent, call, order)
  }

  afterTurn(): void {
    this.talkActs.afterTurn()
    this.#consults.afterTurn()
  }

  handleSwitchEvent(event: PbxEvent): boolean {
    return this.#consults.handleSwitchEvent(event)
  }

  /** Without a call it also means the phones that ring for the agent, whose calls have not come up. */
  #hangUp(agent: AgentName, call: CallId | undefined): OrderAnswer {
    if (call === undefined && (this.#cancelAttempts(agent) || this.#consults.leave(agent))) return OK
    const present = this.#recentCalls.present(agent)
    if (call !== undefined || present) {
      const found = this.#recentCalls.findPresent(agent, call, this.#nowMs())
      if (isRefusal(found)) return found
      if (this.talkActs.hangUpRung(agent, found.shown.call)) return OK
    }
    return this.#orderDistributor(agent, { type: 'hangUp' })
  }

  /** Cancels the unanswered calls that the agent asked for. */
  #cancelAttempts(agent: AgentName): boolean {
    const { attempts } = this.#options.callPlacer
    const ringing = [...attempts.all()].filter((live) => live.byHand === agent && isUnanswered(live))
    this.#options.callPlacer.cancelAttempts(ringing.map(({ attempt }) => attempt))
    return ringing.length > 0
  }

  #consent(agent: AgentName, call: CallId | undefined): OrderAnswer {
    const found = this.#recentCalls.findPresent(agent, call, this.#nowMs())
    if (isRefusal(found)) return found
    const { live, shown } = found
    const { calls, inboundCalls, outbound } = this.#context
    const caller = calls.get(shown.call)
    if (caller ? inboundCalls?.consented(caller) : outbound?.kept.consented(shown.call)) return OK
    if (live?.campaign.campaign.recording.mode !== 'consent') return no('This call is not recorded by consent.')
    this.#options.callPlacer.attempts.record(live)
    return OK
  }
}
