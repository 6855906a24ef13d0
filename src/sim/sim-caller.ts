import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import { type Caller, type CallResult, patienceMs } from './person.ts'
import type { Heard } from './sim-ear.ts'
import { SimEar } from './sim-ear.ts'
import { SimFingers, type SimHandset } from './sim-fingers.ts'

/** How a line ended for the person who held the phone. `code` is a SIP status, when it was never answered. */
export interface LineEnd {
  readonly by: 'person' | 'switch' | 'nobody'
  readonly code?: number
}

/** Somebody phoning in on the simulated switch, who follows a script and can also be led by hand. */
export class SimCaller {
  /** The name the switch gave to this call's leg. */
  readonly leg: LegId
  readonly ear: SimEar
  readonly #clock: Clock
  readonly #script: Caller
  readonly #handset: SimHandset
  readonly #dialedAtMs: AtMs
  readonly #fingers: SimFingers
  #isUp = false
  #leaving: Timer
  #result: CallResult | undefined
  #tellEnd: (result: CallResult) => void = () => undefined

  constructor(leg: LegId, clock: Clock, script: Caller, handset: SimHandset) {
    this.leg = leg
    this.ear = new SimEar(clock)
    this.#clock = clock
    this.#script = script
    this.#handset = handset
    this.#dialedAtMs = clock.nowMs()
    this.#fingers = new SimFingers(clock, this.ear, script, handset)
    this.#leaving = clock.schedule(this.#dialedAtMs + patienceMs(script), () => handset.hangUp())
  }

  get heard(): readonly Heard[] {
    return this.ear.heard
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** How the call went; undefined while it lasts. */
  get result(): CallResult | undefined {
    return this.#result
  }

  /** Calls `tell` once, when it is over. One listener; a later one takes the place of the former. */
  onEnd(tell: (result: CallResult) => void): void {
    if (this.#result) tell(this.#result)
    else this.#tellEnd = tell
  }

  /** Presses keys now, outside the script. */
  press(keys: string): void {
    this.#fingers.press(keys)
  }

  hangUp(): void {
    this.#handset.hangUp()
  }

  /** The switch: somebody answered. */
  lineUp(): void {
    this.#isUp = true
    const { hangsUpAfterMs } = this.#script
    const nowMs = this.#clock.nowMs()
    if (hangsUpAfterMs !== undefined && nowMs + hangsUpAfterMs < this.#dialedAtMs + patienceMs(this.#script)) {
      this.#leaving.cancel()
      this.#leaving = this.#clock.schedule(nowMs + hangsUpAfterMs, () => this.#handset.hangUp())
    }
    this.#fingers.lookForCue()
  }

  /** The switch: words began or ended. */
  heardWords(): void {
    if (this.#isUp) this.#fingers.lookForCue()
  }

  /** The switch: it is over. */
  lineEnded({ by, code }: LineEnd): void {
    if (this.#result) return
    this.#leaving.cancel()
    this.#fingers.stop()
    this.ear.ends()
    this.#result = this.#resultOf(by, code)
    this.#isUp = false
    this.#tellEnd(this.#result)
  }

  #resultOf(by: LineEnd['by'], code = 603): CallResult {
    const ms = this.#clock.nowMs() - this.#dialedAtMs
    if (by === 'nobody') return { outcome: this.#isUp ? 'connected' : 'failed', why: 'the switch vanished', ms }
    if (this.#isUp) return { outcome: 'connected', hungUpBy: by === 'person' ? 'caller' : 'switch', ms }
    if (by === 'person') return { outcome: 'gaveUp', ms }
    return { outcome: 'refused', code, ms }
  }
}
