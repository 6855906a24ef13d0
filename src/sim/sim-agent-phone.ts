import type { Clock, Timer } from '../kernel/clock.ts'
import type { Callee } from './person.ts'
import type { LineEnd } from './sim-caller.ts'
import type { Heard } from './sim-ear.ts'
import { SimEar } from './sim-ear.ts'

/** What happens at a ringing phone, told to the switch. All harmless once the line is gone. */
export interface SimRinging {
  answer(): void
  refuse(how: 'busy' | 'rejected'): void
  hangUp(): void
}

/** An agent's phone on the simulated switch. One line: while somebody is on it, the next caller finds it busy. */
export class SimAgentPhone {
  /** What the person at it does from the next ring on. */
  script: Callee
  readonly ear: SimEar
  readonly #clock: Clock
  #line: SimRinging | undefined
  #timer: Timer | undefined
  #rings = 0

  constructor(clock: Clock, script: Callee) {
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
    const { does, afterMs } = this.script
    if (does === 'ignore') return
    this.#after(afterMs, () => {
      if (does === 'answer') line.answer()
      else line.refuse(does === 'busy' ? 'busy' : 'rejected')
    })
  }

  /** The switch: we are connected. */
  lineUp(): void {
    const { hangsUpAfterMs } = this.script
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
