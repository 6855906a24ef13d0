/** The lines of one campaign, in flight or waiting for an agent, in reusable slots. */
import type { WaitingCaller } from '../acd/assign-rung-agents.ts'
import type { CallId } from '../kernel/ids.ts'
import { TEAM } from './floor.ts'
import { Members } from './state-members.ts'

/** The next event of a line in flight. `FAILS`: it ends without an answer. */
export const FAILS = 1
/** A person answers, or a machine that passes as one. */
export const ANSWERS = 2
/** An answered line under detection; detection will let it pass. */
export const PASSES = 3
/** An answered line under detection; the dialer will hang up. */
export const IS_MACHINE = 4

interface Caller extends WaitingCaller {
  ticket: number
}

/** The state of all lines. Instants count from the begin of the day. */
export class Lines {
  /** By slot: number of the dial in the day, instants of dial and pick-up, next event. */
  dial = new Int32Array(64)
  dialedAtMs = new Float64Array(64)
  answeredAtMs = new Float64Array(64)
  next = new Uint8Array(64)
  /** Whether a person answered, whatever detection says. */
  isPerson = new Uint8Array(64)
  /** The key of the one event that the line waits for. */
  dueKey = new Float64Array(64)
  readonly inFlight = new Members()
  /** Callees who wait for an agent, in the order of their answers. */
  readonly waiting: Caller[] = []
  readonly #callers: Caller[] = []
  readonly #free: number[] = []
  #slots = 0
  readonly #campaign: number

  constructor(campaign: number) {
    this.#campaign = campaign
  }

  open(dial: number, nowMs: number): number {
    const slot = this.#free.pop() ?? this.#newSlot()
    this.dial[slot] = dial
    this.dialedAtMs[slot] = nowMs
    this.answeredAtMs[slot] = 0
    this.inFlight.add(slot)
    return slot
  }

  /** The line ends before a callee waits. */
  end(slot: number): void {
    this.inFlight.remove(slot)
    this.#release(slot)
  }

  /** A person answered and waits. `ticket` grows with each answer. */
  wait(slot: number, ticket: number): void {
    this.inFlight.remove(slot)
    const caller = this.#callers[slot]!
    caller.ticket = ticket
    this.waiting.push(caller)
  }

  isWaiting(slot: number): boolean {
    return this.waiting.includes(this.#callers[slot]!)
  }

  leave(slot: number): void {
    this.waiting.splice(this.waiting.indexOf(this.#callers[slot]!), 1)
    this.#release(slot)
  }

  #release(slot: number): void {
    this.dueKey[slot] = 0
    this.#free.push(slot)
  }

  #newSlot(): number {
    const slot = this.#slots++
    const call = `${this.#campaign}:${slot}` as CallId
    this.#callers.push({ call, team: TEAM, priority: 0, sinceAtMs: 0, ticket: 0 })
    if (slot === this.dial.length) this.#grow()
    return slot
  }

  #grow(): void {
    const doubled = <A extends Int32Array | Float64Array | Uint8Array>(old: A, wider: A): A => {
      wider.set(old)
      return wider
    }
    const size = 2 * this.dial.length
    this.dial = doubled(this.dial, new Int32Array(size))
    this.dialedAtMs = doubled(this.dialedAtMs, new Float64Array(size))
    this.answeredAtMs = doubled(this.answeredAtMs, new Float64Array(size))
    this.next = doubled(this.next, new Uint8Array(size))
    this.isPerson = doubled(this.isPerson, new Uint8Array(size))
    this.dueKey = doubled(this.dueKey, new Float64Array(size))
  }
}

/** Campaign and slot of a call. */
export function lineOf(call: string): { campaign: number; slot: number } {
  const [campaign = '', slot = ''] = call.split(':')
  return { campaign: Number(campaign), slot: Number(slot) }
}
