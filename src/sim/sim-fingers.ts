import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import { type Cue, checkKeys, KEY_DOWN_MS, KEY_MS, type Press } from './person.ts'
import type { SimEar } from './sim-ear.ts'

/** Actions of a person on the phone. All are harmless after the end of the call. */
export interface SimHandset {
  /** A key, at the instant it is released, and for how long it was down. */
  digit(key: string, heldMs: number): void
  hangUp(): void
}

interface Doings {
  readonly presses?: readonly Press[]
  readonly hangsUpOn?: Cue
}

/** Waits for the cues of a script, presses keys and hangs up. */
export class SimFingers {
  readonly #clock: Clock
  readonly #ear: SimEar
  readonly #handset: SimHandset
  readonly #cues: readonly (Cue | Press)[]
  #position = 0
  #heardFrom = 0
  #isOver = false
  #acting: Timer | undefined

  /** Throws for keys that no telephone has. */
  constructor(clock: Clock, ear: SimEar, { presses = [], hangsUpOn }: Doings, handset: SimHandset) {
    for (const { keys } of presses) checkKeys(keys)
    this.#clock = clock
    this.#ear = ear
    this.#handset = handset
    this.#cues = [...presses, ...(hangsUpOn ? [hangsUpOn] : [])]
  }

  lookForCue(): void {
    const cue = this.#cues[this.#position]
    if (this.#acting || this.#isOver || !cue) return
    if (cue.hears !== undefined) {
      const at = this.#ear.find(cue.hears, cue.until ?? 'ended', this.#heardFrom)
      if (at < 0) return
      this.#heardFrom = at + 1
    }
    this.#acting = this.#clock.schedule(this.#clock.nowMs() + cue.afterMs, () => this.#act(cue))
  }

  press(keys: string): void {
    checkKeys(keys)
    this.#press(keys, this.#clock.nowMs(), () => undefined)
  }

  stop(): void {
    this.#isOver = true
    this.#acting?.cancel()
  }

  #act(cue: Cue | Press): void {
    if (!('keys' in cue)) this.#handset.hangUp()
    else
      this.#press(cue.keys, this.#clock.nowMs(), () => {
        this.#acting = undefined
        this.#position++
        this.lookForCue()
      })
  }

  #press(keys: string, fromMs: AtMs, done: () => void): void {
    const key = keys[0]
    if (key === undefined || this.#isOver) {
      done()
      return
    }
    this.#clock.schedule(fromMs + KEY_DOWN_MS, () => this.#handset.digit(key, KEY_DOWN_MS))
    this.#clock.schedule(fromMs + KEY_MS, () => this.#press(keys.slice(1), fromMs + KEY_MS, done))
  }
}
