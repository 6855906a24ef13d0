/** The steps of the contract's tests. */
import { expect } from 'vitest'
import type { BridgeId, LegId, PhoneNumber, RecordingId } from '../../src/kernel/ids.ts'
import type { DialOptions, PlayOptions } from '../../src/ports/pbx.ts'
import type { Callee, Caller } from '../../src/sim/person.ts'
import {
  ANNA,
  NOBODY,
  type PbxWorld,
  playbackId,
  toldAbout,
  type WorldAgent,
  type WorldCaller,
  type WorldContact,
} from './pbx-world.ts'

/** A person who waits longer than any of these tests takes. */
export const PATIENT: Caller = { waitsMaxMs: 30_000 }
export const RING = { callerId: '+4551234567', ringTimeoutMs: 20_000 }
export const CALLER_ID = '+4570001000'
export const ANSWERS: Callee = { does: 'answer', afterMs: 100 }

/** A caller and the leg that arrived for them. */
export interface Call {
  readonly caller: WorldCaller
  readonly leg: LegId
}

/** A dialed number. */
export interface Dialed {
  readonly leg: LegId
  readonly number: PhoneNumber
  readonly reference: string
}

/** Steps in the world of one suite. `world` exists once the suite has begun. */
export class Steps {
  readonly #world: () => PbxWorld
  #calls = 0
  #dials = 0

  constructor(world: () => PbxWorld) {
    this.#world = world
  }

  newNumber(): string {
    return `+457000${1000 + this.#calls++}`
  }

  async arrival(person: Caller = PATIENT): Promise<Call> {
    const called = this.newNumber()
    const caller = await this.#world().callIn({ called, caller: '+4551234567', person })
    const { leg } = await this.#world().event('leg.arrived', { called })
    return { caller, leg }
  }

  async answeredCall(person: Caller = PATIENT): Promise<Call> {
    const call = await this.arrival(person)
    this.#world().pbx.answer(call.leg)
    await this.#world().event('leg.answered', { leg: call.leg })
    await call.caller.answered()
    return call
  }

  play(
    leg: LegId,
    prompt: string,
    durationMs = 400,
    sounds = [this.#world().sound(prompt, durationMs)],
    options: PlayOptions = {},
  ) {
    const playback = playbackId(leg, prompt)
    this.#world().pbx.play(playback, leg, sounds, options)
    return { leg, playback }
  }

  async played(leg: LegId, prompt: string): Promise<string> {
    return (await this.#world().event('playback.ended', this.play(leg, prompt))).result
  }

  async ringing(person: Callee, options = RING, agent = ANNA): Promise<{ phone: WorldAgent; leg: LegId }> {
    const phone = agent === NOBODY ? undefined : await this.#world().agentPhone(agent, person)
    const leg = this.#world().ids.leg()
    this.#world().pbx.ringAgent(leg, agent, options)
    return { phone: phone!, leg }
  }

  /** An unused number; `magic` selects who is reached (src/sim/magic-numbers.ts). */
  newContact(magic: string): PhoneNumber {
    return `+4571${String(this.#dials++).padStart(4, '0')}${magic}` as PhoneNumber
  }

  dial(magic: string, options: Partial<DialOptions> = {}): Dialed {
    const leg = this.#world().ids.leg()
    const number = this.newContact(magic)
    const reference = `attempt-${leg}`
    this.#world().pbx.dial(leg, { number, callerId: CALLER_ID, ringTimeoutMs: 20_000, reference, ...options })
    return { leg, number, reference }
  }

  /** A callee who has answered. */
  async reached(magic = '01'): Promise<Dialed & { readonly contact: WorldContact }> {
    const dialed = this.dial(magic)
    await this.#world().event('leg.answered', { leg: dialed.leg })
    return { ...dialed, contact: await this.#world().contact(dialed.number) }
  }

  /** A bridge with these legs in it. */
  async bridgeWith(...legs: LegId[]): Promise<BridgeId> {
    const bridge = this.#world().ids.bridge()
    this.#world().pbx.bridge(bridge, legs)
    for (const leg of legs) await this.joined(bridge, leg)
    return bridge
  }

  /** An agent whose phone stays connected, alone in a bridge of their own. */
  async waitingAgent(): Promise<{ phone: WorldAgent; leg: LegId; bridge: BridgeId }> {
    const agent = await this.answeredAgent()
    return { ...agent, bridge: await this.bridgeWith(agent.leg) }
  }

  joined(bridge: BridgeId, leg: LegId) {
    return this.#world().event('bridge.joined', { bridge, leg })
  }

  newRecording(): RecordingId {
    return `sb-recording-${this.#world().ids.leg()}` as RecordingId
  }

  async answeredAgent(person = ANSWERS): Promise<{ phone: WorldAgent; leg: LegId }> {
    const agent = await this.ringing(person)
    await this.#world().event('leg.answered', { leg: agent.leg })
    return agent
  }

  ended(leg: LegId) {
    return this.#world().event('leg.ended', { leg })
  }

  async hungUp(...legs: LegId[]): Promise<void> {
    for (const leg of legs) this.#world().pbx.hangUp(leg)
    for (const leg of legs) await this.ended(leg)
  }

  /** A call that comes and goes after everything so far: all earlier events have come before its own. */
  async settled(): Promise<void> {
    const { leg } = await this.arrival()
    await this.hungUp(leg)
  }

  endsOf(leg: LegId): string[] {
    return toldAbout(this.#world(), leg).filter((type) => type === 'leg.ended')
  }

  /** No event follows the end, and there is one end only. */
  async hasOneEnd({ leg }: Dialed): Promise<void> {
    await this.settled()
    expect(this.endsOf(leg)).toHaveLength(1)
    expect(toldAbout(this.#world(), leg).at(-1)).toBe('leg.ended')
  }

  /** What was told of it, but for prompts and the print of a greeting. */
  callsOf({ leg }: Dialed): string[] {
    return toldAbout(this.#world(), leg).filter((type) => !type.startsWith('playback') && type !== 'leg.greeted')
  }
}
