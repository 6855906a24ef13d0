/** Agents who ask somebody else during a conversation: the other side waits, then comes back, joins, or stays there. */
import { countryOf, normalizeNumber } from '../../dialer/phone-number.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, LegId, PhoneNumber } from '../../kernel/ids.ts'
import type { AgentNotification, AgentOrder, ConsultState, OrderAnswer } from '../../ports/agent-desktop.ts'
import type { LegEnd, PbxEvent } from '../../ports/pbx.ts'
import type { TransferMode } from '../../ports/transfer.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import type { LiveAttempt } from '../outbound/live-attempt.ts'
import type { NotedTransfer } from '../outbound/transfer-notes.ts'
import { allTalks, type TalkWithAgent, talkOf } from './live-talks.ts'
import type { TalkActs } from './talk-acts.ts'

/** An order about somebody else, during a conversation. */
export type ConsultOrder = Extract<AgentOrder, { type: 'consult' | 'transfer' | 'connect' | 'join' | 'back' }>

interface ConsultsOptions {
  readonly attempts: Pick<AttemptRunner, 'ofLeg' | 'all' | 'passOn' | 'pairs' | 'transferNotes'>
  readonly talkActs: TalkActs
  readonly notifyAgent: (agent: AgentName, notification: AgentNotification) => void
  /** The call is over for this agent, and not for the other side. */
  readonly parted: (agent: AgentName, call: CallId) => void
  readonly calleeConnected: (live: LiveAttempt) => void
}

interface Consult {
  readonly agent: AgentName
  readonly call: CallId
  readonly partyLeg: LegId
  /** Of the agent's session: whoever is in it talks with the agent. */
  readonly bridge: BridgeId
  readonly to: string
  readonly colleague: AgentName | undefined
  /** The agent leaves as soon as the other answers. */
  readonly leaves: boolean
  /** Undefined while it is asked whether the number may be called. */
  leg: LegId | undefined
  state: ConsultState
  sinceAtMs: AtMs
  /** In the record of the call. Undefined until somebody is called. */
  noted: NotedTransfer | undefined
}

const RING_TIMEOUT_MS = 30_000
const OK: OrderAnswer = { ok: true }
const no = (why: string): OrderAnswer => ({ ok: false, why })
const NO_TALK = no('You are not in a conversation, so there is nobody to transfer.')
const BUSY = no('You talk with somebody else already. Go back to the call first.')
const NOBODY = no('You have called nobody else.')
const NOT_YET = no('They have not answered yet.')
const NO_NUMBER = no('This is no telephone number. Write it with its country, as +45 20 12 34 56.')
const ABROAD = no('Numbers of another country are not called from the desk.')
const OVER = no('The call has ended meanwhile.')
const NOT_LET_IN = 'They could not be connected with you.'
const NOT_CONNECTED = 'The switch did not connect the two sides.'
const NOT_HERE = no('Transfers are not possible on this node.')
/** Why nobody was reached, as a sentence for the agent. */
const WHY: Readonly<Partial<Record<LegEnd, string>>> = {
  busy: 'The line is busy.',
  noAnswer: 'Nobody answered.',
  rejected: 'The call was refused.',
  notFound: 'There is no such number.',
}

/** One consultation of an agent at a time. The party is never without a voice or music (calls-and-flows-80). */
export class Consults {
  readonly #context: EngineContext
  readonly #options: ConsultsOptions
  readonly #of = new Map<AgentName, Consult>()

  constructor(context: EngineContext, options: ConsultsOptions) {
    this.#context = context
    this.#options = options
  }

  /** Whether the agent talks with somebody else while the other side waits. */
  isAside(agent: AgentName): boolean {
    const consult = this.#of.get(agent)
    return consult !== undefined && consult.state !== 'all'
  }

  /** `call`: the present call of the agent. */
  carryOut(agent: AgentName, call: CallId | undefined, order: ConsultOrder): OrderAnswer | Promise<OrderAnswer> {
    const talk = call === undefined ? undefined : talkOf(this.#context, this.#options.attempts, call)
    if (talk?.agent !== agent) return NO_TALK
    const consult = this.#of.get(agent)
    if (order.type === 'consult' || order.type === 'transfer') {
      if (consult) return BUSY
      const leaves = order.type === 'transfer'
      return 'colleague' in order.to
        ? this.#askColleague(talk, order.to.colleague, leaves)
        : this.#askNumber(talk, order.to.number, leaves)
    }
    if (!consult) return NOBODY
    if (order.type === 'back') return this.#back(consult, talk)
    if (consult.state === 'ringing') return NOT_YET
    return order.type === 'join' ? this.#join(consult, talk) : this.#connect(consult)
  }

  /** A colleague who is asked hangs up at the desk. False: nobody asks them. */
  leave(colleague: AgentName): boolean {
    const consult = [...this.#of.values()].find((one) => one.colleague === colleague)
    if (consult) this.#lost(consult, 'They have left.')
    return consult !== undefined
  }

  /** True: the event was about somebody whom an agent asks, and about nobody else. */
  handleSwitchEvent(event: PbxEvent): boolean {
    if (!('leg' in event)) return false
    if (event.type === 'bridge.refused') return this.#notLetIn(event)
    if (this.#options.attempts.pairs.handleSwitchEvent(event)) return true
    if (event.type === 'bridge.joined') this.#colleagueJoined(event.leg, event.bridge)
    const consult = [...this.#of.values()].find(({ leg }) => leg === event.leg)
    if (!consult) return false
    if (consult.colleague !== undefined) {
      if (event.type === 'leg.ended') this.#colleagueLegEnded(consult)
      // The session of the colleague is in another bridge; what else happens to it concerns it.
      return event.type === 'bridge.joined' && event.bridge === consult.bridge
    }
    if (event.type === 'leg.answered') this.#answered(consult)
    if (event.type === 'leg.ended') {
      this.#context.inboundCalls?.transfers.dialedEnded(event.leg)
      const isOver = consult.state !== 'ringing'
      this.#lost(
        consult,
        isOver ? 'They have hung up.' : (WHY[event.reason] ?? 'They could not be reached.'),
        event.reason,
      )
    }
    return true
  }

  /** The conversation may have ended, or its agent may be gone. */
  afterTurn(): void {
    for (const consult of [...this.#of.values()]) {
      const talk = talkOf(this.#context, this.#options.attempts, consult.call)
      if (talk?.agent !== consult.agent || talk.bridge !== consult.bridge) this.#letGo(consult)
      else if (consult.colleague && !this.#context.distributor.isReserved(consult.colleague))
        this.#lost(consult, 'They are not there any more.')
    }
  }

  /** What a screen that comes later has to know. */
  repeat(agent: AgentName, listener: (notification: AgentNotification) => void): void {
    for (const consult of this.#of.values()) {
      if (consult.agent === agent) listener(this.#shown(consult))
      else if (consult.colleague === agent) listener(this.#shownToColleague(consult))
    }
  }

  #askColleague(talk: TalkWithAgent, colleague: AgentName, leaves: boolean): OrderAnswer {
    const { distributor, dependencies } = this.#context
    const session = distributor.savedSession(colleague)
    if (colleague === talk.agent || !session || !distributor.reserve(colleague, this.#nowMs(), true))
      return no(`${this.#nameOf(colleague)} is not ready now. Choose somebody else.`)
    const consult = this.#begin(talk, { to: colleague, colleague, leaves, leg: session.leg, state: 'talking' })
    this.#note(consult)
    this.#canTalk(consult)
    this.#options.talkActs.hold(talk)
    dependencies.pbx.join(talk.bridge, session.leg)
    this.#tell(consult)
    return leaves ? this.#connect(consult) : OK
  }

  async #askNumber(talk: TalkWithAgent, written: string, leaves: boolean): Promise<OrderAnswer> {
    const transfers = this.#context.inboundCalls?.transfers
    if (!transfers) return NOT_HERE
    const attempt = this.#options.attempts.ofLeg(talk.partyLeg)
    const { calls, keptTalks } = this.#context
    const called = (calls.get(talk.call) ?? keptTalks.get(talk.partyLeg)?.call)?.called
    const callerId = attempt?.shown.callerId ?? (called as PhoneNumber | undefined)
    const number = normalizeNumber(written, callerId && countryOf(callerId))
    if (number === undefined) return NO_NUMBER
    const consult = this.#begin(talk, { to: number, colleague: undefined, leaves, leg: undefined, state: 'ringing' })
    // A caller's number may be no caller id of the trunk: then the first of the trunk is shown.
    const answer = await transfers.permit({ number }, attempt?.shown.callerId)
    return new Promise((resolve) =>
      this.#context.enqueue(() => {
        if (this.#of.get(talk.agent) !== consult) return resolve(OVER)
        if ('refused' in answer || answer.permit.abroad !== undefined) {
          this.#of.delete(talk.agent)
          return resolve('refused' in answer ? no(answer.why) : ABROAD)
        }
        consult.leg = this.#context.dependencies.ids.leg()
        this.#note(consult, { leg: consult.leg, trunk: answer.permit.trunk })
        this.#options.talkActs.hold(talk)
        transfers.dial(consult.leg, answer.permit, number, RING_TIMEOUT_MS)
        this.#tell(consult)
        resolve(OK)
      }),
    )
  }

  #begin(talk: TalkWithAgent, rest: Omit<Consult, 'agent' | 'call' | 'partyLeg' | 'bridge' | 'sinceAtMs' | 'noted'>) {
    const { agent, call, partyLeg, bridge } = talk
    const consult: Consult = { agent, call, partyLeg, bridge, ...rest, sinceAtMs: this.#nowMs(), noted: undefined }
    this.#of.set(agent, consult)
    return consult
  }

  #answered(consult: Consult): void {
    Object.assign(consult, { state: 'talking', sinceAtMs: this.#nowMs() })
    this.#canTalk(consult)
    if (consult.leaves) return void this.#connect(consult)
    this.#context.dependencies.pbx.join(consult.bridge, consult.leg!)
    this.#tell(consult)
  }

  /** All hear all. */
  #join(consult: Consult, talk: TalkWithAgent): OrderAnswer {
    // Also one whom the agent has put on hold since.
    this.#options.talkActs.resume(talk)
    if (consult.state === 'all') return OK
    consult.state = 'all'
    this.#canTalk(consult, 'conference')
    this.#tell(consult)
    return OK
  }

  #back(consult: Consult, talk: TalkWithAgent): OrderAnswer {
    this.#letGo(consult)
    this.#options.talkActs.resume(talk)
    return OK
  }

  /** The agent leaves the other two alone, and wraps up. */
  #connect(consult: Consult): OrderAnswer {
    const { agent, call, partyLeg, colleague } = consult
    const { distributor, performDistributor, dependencies } = this.#context
    if (colleague === undefined) {
      this.#options.talkActs.release(call)
      this.#of.delete(agent)
      this.#options.attempts.pairs.connect({ ...consult.noted!, agent, other: consult.leg! })
      this.#options.parted(agent, call)
      performDistributor(distributor.partyEnded(partyLeg, this.#nowMs()))
      // An agent whose phone was rung has no session: the phone is hung up.
      performDistributor(distributor.leave(call, this.#nowMs()))
      this.#tellEnd(consult)
      return OK
    }
    const session = distributor.savedSession(colleague)
    const commands = session && distributor.passOn(agent, colleague, this.#nowMs())
    if (!session || !commands) return no(`${this.#nameOf(colleague)} is not there any more.`)
    this.#canTalk(consult, 'attended')
    this.#noteEnd(consult)
    this.#options.talkActs.release(call)
    this.#of.delete(agent)
    dependencies.pbx.join(session.bridge, session.leg)
    dependencies.pbx.join(session.bridge, partyLeg)
    const attempt = this.#options.attempts.ofLeg(partyLeg)
    if (attempt) this.#options.attempts.passOn(attempt, colleague, session.leg, session.bridge)
    this.#options.parted(agent, call)
    performDistributor(commands)
    if (attempt) this.#options.calleeConnected(attempt)
    this.#tellEnd(consult)
    return OK
  }

  /** The other is gone; the party waits for the agent, or talks with them. */
  #lost(consult: Consult, why: string, reason?: LegEnd): void {
    this.#of.delete(consult.agent)
    this.#noteEnd(consult, reason)
    this.#free(consult)
    this.#tellEnd(consult, why)
  }

  #letGo(consult: Consult): void {
    const { agent, colleague, leg } = consult
    this.#of.delete(agent)
    this.#noteEnd(consult)
    if (colleague !== undefined) this.#free(consult)
    else if (leg) this.#hangUpOther(leg)
    this.#tellEnd(consult)
  }

  /** The colleague hears this conversation no more, whatever they do now. */
  #free({ colleague, leg }: Consult): void {
    if (colleague === undefined) return
    const { distributor, performDistributor, dependencies, enqueue } = this.#context
    const session = distributor.savedSession(colleague)
    if (session && session.leg === leg) dependencies.pbx.join(session.bridge, leg)
    // A turn later: nobody who waits may get a colleague whose session does not know yet that the phone is lost.
    enqueue(() => performDistributor(distributor.unreserve(colleague, this.#nowMs())))
  }

  /** Without whoever is asked the agent goes on; any other leg is hung up, and its agent must know why. */
  #notLetIn({ leg, bridge }: Extract<PbxEvent, { type: 'bridge.refused' }>): boolean {
    const { attempts, notifyAgent } = this.#options
    const consult = [...this.#of.values()].find((one) => one.leg === leg && one.bridge === bridge)
    if (consult) {
      if (consult.colleague === undefined) this.#hangUpOther(leg)
      this.#lost(consult, NOT_LET_IN, 'failed')
      return true
    }
    const talk = attempts.pairs.of(leg) ?? allTalks(this.#context, attempts).find(({ partyLeg }) => partyLeg === leg)
    if (talk) notifyAgent(talk.agent, { type: 'notConnected', call: talk.call, why: NOT_CONNECTED })
    return false
  }

  #hangUpOther(leg: LegId): void {
    this.#context.inboundCalls?.transfers.dialedEnded(leg)
    this.#context.dependencies.pbx.hangUp(leg)
  }

  /** A fresh leg of the same phone comes in its place (calls-and-flows-78): it is in its own bridge first. */
  #colleagueLegEnded(consult: Consult): void {
    const { distributor } = this.#context
    const session = distributor.savedSession(consult.colleague!)
    const isRenewed = session && session.leg !== consult.leg && distributor.isReserved(consult.colleague!)
    if (isRenewed) consult.leg = session.leg
    else this.#lost(consult, 'Their phone was lost.')
  }

  #colleagueJoined(leg: LegId, bridge: BridgeId): void {
    const { distributor, dependencies } = this.#context
    for (const consult of this.#of.values()) {
      const session = consult.colleague && distributor.savedSession(consult.colleague)
      if (!session || session.leg !== leg || session.bridge !== bridge) continue
      consult.leg = leg
      dependencies.pbx.join(consult.bridge, leg)
    }
  }

  #note(consult: Consult, outside?: { readonly leg: LegId; readonly trunk: string }): void {
    const mode = consult.leaves ? 'attended' : 'consultation'
    const asked = { to: consult.to, mode, by: consult.agent, outside } as const
    consult.noted = this.#options.attempts.transferNotes.begin(consult, asked)
  }

  #canTalk({ noted }: Consult, mode?: TransferMode): void {
    if (noted) this.#options.attempts.transferNotes.change(noted, mode ? { mode } : {})
  }

  #noteEnd({ noted }: Consult, reason?: LegEnd): void {
    if (noted) this.#options.attempts.transferNotes.end(noted, reason)
  }

  #tell(consult: Consult): void {
    this.#options.notifyAgent(consult.agent, this.#shown(consult))
    if (consult.colleague) this.#options.notifyAgent(consult.colleague, this.#shownToColleague(consult))
  }

  #tellEnd({ agent, colleague, to }: Consult, why?: string): void {
    const ended = { type: 'consult', with: to, name: this.#nameOf(to), state: null } as const
    this.#options.notifyAgent(agent, why === undefined ? ended : { ...ended, why })
    if (colleague) {
      const name = this.#nameOf(agent)
      this.#options.notifyAgent(colleague, { type: 'consult', with: agent, name, state: null })
    }
  }

  #shown({ to, state, sinceAtMs }: Consult): AgentNotification {
    return { type: 'consult', with: to, name: this.#nameOf(to), state, sinceAtMs }
  }

  #shownToColleague({ agent, state, sinceAtMs }: Consult): AgentNotification {
    const asked = state === 'all' ? 'all' : 'asked'
    return { type: 'consult', with: agent, name: this.#nameOf(agent), state: asked, sinceAtMs }
  }

  /** As the setup file writes the agent's title; a number stands for itself. */
  #nameOf(who: string): string {
    return this.#context.staff().agents.get(who as AgentName)?.title ?? who
  }

  #nowMs(): AtMs {
    return this.#context.dependencies.clock.nowMs()
  }
}

/** Tells the orders of this file from those of `talk-acts.ts`. */
export function isConsult(order: AgentOrder): order is ConsultOrder {
  return ['consult', 'transfer', 'connect', 'join', 'back'].includes(order.type)
}
