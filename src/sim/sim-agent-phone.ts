import type { Clock, Timer } from '../kernel/clock.ts'
import type { Callee } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import type { Heard } from './sim-ear.ts'
import { SimEar } from './sim-ear.ts'

/** What happens at a ringing phone, told to the switch. All harmless once the line is gone. */
interface SimRinging {
  answer(): void
  refuse(how: 'busy' | 'rejected'): void
  hangUp(): void
}

/** What the person at a phone does: always the same, or drawn anew for every ring (counted from 1). */
export type AgentScript = Callee | ((ring: number) => Callee)

/** An agent's phone on the simulated switch. One line: while somebody is on it, the next caller finds it busy. */
export class SimAgentPhone {
  /** What the person at it does from the next ring on. */
  script: AgentScript
  readonly ear: SimEar
  readonly #clock: Clock
  #line: SimRinging | undefined
  #timer: Timer | undefined
  #rings = 0
  /** What is done about the present call. */
  #callee: Callee | undefined

  constructor(clock: Clock, script: AgentScript) {
    this.#clock = clock
    this.ear = new SimEar(clock)
    this.script = script
  }

  get heard(): readonly Heard[] {
    return this.ear.heard
  }

  /** How often it has rung. */
  get rings(): number {
    return this.#rings
  }

  get isBusy(): boolean {
    return this.#line !== undefined
  }

  hangUp(): void {
    this.#line?.hangUp()
  }

  /** The switch: somebody calls. */
  ring(line: SimRinging): void {
    this.#line = line
    this.#rings++
    this.#callee = typeof this.script === 'function' ? this.script(this.#rings) : this.script
    const { does, afterMs } = this.#callee
    if (does === 'ignore') return
    this.#after(afterMs, () => {
      if (does === 'answer') line.answer()
      else line.refuse(does === 'busy' ? 'busy' : 'rejected')
    })
  }

  /** The switch: we are connected. */
  lineUp(): void {
    const hangsUpAfterMs = this.#callee?.hangsUpAfterMs
    if (hangsUpAfterMs !== undefined) this.#after(hangsUpAfterMs, () => this.hangUp())
  }

  /** Agents need no words to act. */
  heardWords(): void {}

  /** The switch: it is over. */
  lineEnded(_end: LineEnd): void {
    this.#timer?.cancel()
    this.#line = undefined
    this.ear.ends()
  }

  #after(ms: number, act: () => void): void {
    this.#timer = this.#clock.schedule(this.#clock.nowMs() + ms, act)
  }
}
