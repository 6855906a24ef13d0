/** What agents do in a conversation: they mute themselves, let the other side wait, and press keys for it. */
import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, BridgeId, CallId, LegId } from '../../kernel/ids.ts'
import type { AgentNotification, AgentOrder, OrderAnswer } from '../../ports/agent-desktop.ts'
import { HOLD_MUSIC } from '../../ports/pbx.ts'
import type { PartyWait } from '../../ports/supervision.ts'
import type { EngineContext } from '../context.ts'
import type { AttemptRunner } from '../outbound/attempt-runner.ts'
import { type TalkWithAgent, talkOf } from './live-talks.ts'

/** An order about the conversation that the agent is in. */
export type TalkOrder = Extract<AgentOrder, { type: 'hold' | 'resume' | 'mute' | 'unmute' | 'digits' }>

interface TalkActsOptions {
  readonly attempts: Pick<AttemptRunner, 'ofLeg' | 'all'>
  readonly notifyAgent: (agent: AgentName, notification: AgentNotification) => void
}

interface Held {
  readonly agent: AgentName
  readonly partyLeg: LegId
  readonly bridge: BridgeId
  readonly sinceAtMs: AtMs
}

const OK: OrderAnswer = { ok: true }
const NO_TALK: OrderAnswer = {
  ok: false,
  why: 'You are not in a conversation, so there is nothing to hold or to mute.',
}
const ON_HOLD: OrderAnswer = { ok: false, why: 'The other side is on hold. Take them back first.' }

/** Whatever ends the conversation ends a hold; only the agent unmutes (calls-and-flows-79). */
export class TalkActs {
  readonly #context: EngineContext
  readonly #options: TalkActsOptions
  readonly #held = new Map<CallId, Held>()
  /** Muted agents, and the leg on which they are. */
  readonly #muted = new Map<AgentName, LegId>()
  /** Whose other side waits because the phone was lost; `isHeld`: and because the agent holds it. */
  readonly #away = new Map<AgentName, { readonly call: CallId; isHeld: boolean }>()

  constructor(context: EngineContext, options: TalkActsOptions) {
    this.#context = context
    this.#options = options
  }

  /** `call`: the present call of the agent. */
  carryOut(agent: AgentName, call: CallId | undefined, order: TalkOrder): OrderAnswer {
    const talk = call === undefined ? undefined : talkOf(this.#context, this.#options.attempts, call)
    if (talk?.agent !== agent) return NO_TALK
    switch (order.type) {
      case 'mute':
        return this.#mute(talk)
      case 'unmute':
        return OK
      case 'hold':
        return this.hold(talk)
      case 'resume':
        return this.resume(talk)
      case 'digits':
        return this.#press(talk, order.digits)
    }
  }

  /** The phone is lost, and the other side waits for it: with music, as on hold. */
  phoneAway(agent: AgentName, call: CallId): void {
    const talk = talkOf(this.#context, this.#options.attempts, call)
    this.#context.dependencies.log.warn({ agent, call }, "an agent's phone was lost; the other side waits with music")
    if (talk?.agent !== agent) return
    this.#away.set(agent, { call, isHeld: this.#held.has(call) })
    if (!this.#held.has(call)) this.hold(talk)
  }

  phoneBack(agent: AgentName): void {
    const away = this.#away.get(agent)
    const talk = away && talkOf(this.#context, this.#options.attempts, away.call)
    this.#away.delete(agent)
    if (talk?.agent === agent && !away?.isHeld) this.resume(talk)
  }

  /**
   * The phone did not come back. Returns whether the other side had music, also that of a hold, which is over: somebody
   * is to speak. Music that ended any later would be the one to which they wait for the next agent.
   */
  phoneGone(agent: AgentName): boolean {
    const [held] = [...this.#held].find(([, one]) => one.agent === agent) ?? []
    const call = this.#away.get(agent)?.call ?? held
    this.#away.delete(agent)
    if (call !== undefined) this.release(call)
    return call !== undefined
  }

  /** Hangs up an agent without a session, whose phone was rung for this call. False: there is no such agent. */
  hangUpRung(agent: AgentName, call: CallId): boolean {
    const { distributor, dependencies } = this.#context
    const talk = distributor.isLoggedIn(agent) ? undefined : talkOf(this.#context, this.#options.attempts, call)
    if (talk?.agent !== agent) return false
    dependencies.pbx.hangUp(talk.agentLeg)
    return true
  }

  /** A conversation may have ended, or go on with another agent or another leg. */
  afterTurn(): void {
    for (const [call, held] of this.#held) {
      const talk = talkOf(this.#context, this.#options.attempts, call)
      if (talk?.agent === held.agent && talk.bridge === held.bridge) continue
      this.#held.delete(call)
      this.#away.delete(held.agent)
      // A caller's flow stops the music itself, when the next agent takes the call.
      if (!this.#context.calls.has(call)) this.#context.dependencies.pbx.stopMusic(held.partyLeg)
      this.#tell(held.agent)
    }
    for (const [agent, leg] of this.#muted) {
      const { distributor } = this.#context
      // A phone that was rung for one caller is unmuted with its call.
      if (distributor.isLoggedIn(agent) || distributor.owns(leg)) continue
      this.#muted.delete(agent)
      this.#tell(agent)
    }
  }

  /** A fresh leg of a muted agent is muted too. */
  legAnswered(leg: LegId): void {
    for (const agent of this.#muted.keys()) {
      if (this.#context.distributor.savedSession(agent)?.leg !== leg) continue
      this.#muted.set(agent, leg)
      this.#context.dependencies.pbx.mute(leg, true)
    }
  }

  /** What a screen that comes later has to know. */
  repeat(agent: AgentName, listener: (notification: AgentNotification) => void): void {
    const sound = this.#soundOf(agent)
    if (sound.isMuted || sound.isHeld) listener(sound)
  }

  /** Why the other side of this call hears music, and since when. */
  waitOf(call: CallId): PartyWait | undefined {
    const held = this.#held.get(call)
    if (!held) return undefined
    const away = this.#away.get(held.agent)
    return { why: away?.call === call && !away.isHeld ? 'phone' : 'hold', sinceAtMs: held.sinceAtMs }
  }

  hold({ call, agent, partyLeg, bridge }: TalkWithAgent): OrderAnswer {
    if (this.#held.has(call)) return this.#heldWhileAway(agent, call, true)
    const { pbx, clock } = this.#context.dependencies
    this.#held.set(call, { agent, partyLeg, bridge, sinceAtMs: clock.nowMs() })
    pbx.leave(bridge, partyLeg)
    pbx.startMusic(partyLeg, HOLD_MUSIC)
    this.#tell(agent)
    return OK
  }

  /** There is nobody to be taken back to until the phone is there; only then does it matter what was ordered. */
  #heldWhileAway(agent: AgentName, call: CallId, isHeld: boolean): OrderAnswer {
    const away = this.#away.get(agent)
    if (away?.call === call) {
      away.isHeld = isHeld
      this.#tell(agent)
    }
    return OK
  }

  resume({ call, agent, partyLeg, bridge }: TalkWithAgent): OrderAnswer {
    if (this.#away.get(agent)?.call === call) return this.#heldWhileAway(agent, call, false)
    if (!this.#held.delete(call)) return OK
    const { pbx } = this.#context.dependencies
    pbx.stopMusic(partyLeg)
    pbx.join(bridge, partyLeg)
    this.#tell(agent)
    return OK
  }

  /** The other side leaves the agent: whoever asks moves it. */
  release(call: CallId): void {
    const held = this.#held.get(call)
    if (!held) return
    this.#held.delete(call)
    this.#context.dependencies.pbx.stopMusic(held.partyLeg)
    this.#tell(held.agent)
  }

  isMuted(agent: AgentName): boolean {
    return this.#muted.has(agent)
  }

  isMutedOn(leg: LegId): boolean {
    return [...this.#muted.values()].includes(leg)
  }

  wasMuted(agent: AgentName, leg: LegId): void {
    this.#muted.set(agent, leg)
  }

  /**
   * Whatever became of the call: a mute outlives it, and the next person would hear nobody. Undefined: the agent is not
   * muted.
   */
  unmute(agent: AgentName): OrderAnswer | undefined {
    const leg = this.#muted.get(agent)
    if (leg === undefined) return undefined
    this.#muted.delete(agent)
    this.#context.dependencies.pbx.mute(leg, false)
    return this.#soundChanged(agent)
  }

  #mute({ agent, agentLeg }: TalkWithAgent): OrderAnswer {
    this.#muted.set(agent, agentLeg)
    this.#context.dependencies.pbx.mute(agentLeg, true)
    return this.#soundChanged(agent)
  }

  #soundChanged(agent: AgentName): OrderAnswer {
    this.#tell(agent)
    this.#context.outbound?.sessions.soundChanged(agent)
    return OK
  }

  #press({ call, partyLeg }: TalkWithAgent, digits: string): OrderAnswer {
    if (this.#held.has(call)) return ON_HOLD
    this.#context.dependencies.pbx.sendDigits(partyLeg, digits)
    return OK
  }

  #soundOf(agent: AgentName): Extract<AgentNotification, { type: 'sound' }> {
    // Who waits for a lost phone was not put on hold by the agent.
    const isAway = this.#away.get(agent)?.isHeld === false
    const isHeld = !isAway && [...this.#held.values()].some((held) => held.agent === agent)
    return { type: 'sound', isMuted: this.#muted.has(agent), isHeld }
  }

  #tell(agent: AgentName): void {
    this.#options.notifyAgent(agent, this.#soundOf(agent))
  }
}
