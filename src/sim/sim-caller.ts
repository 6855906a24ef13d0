import type { AtMs, Clock, Timer } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { HandOverTo } from '../ports/pbx.ts'
import { type Caller, type CallResult, type HandOverAnswer, patienceMs, type Stretch } from './person.ts'
import type { Heard } from './sim-ear.ts'
import { SimEar } from './sim-ear.ts'
import { SimFingers, type SimHandset } from './sim-fingers.ts'

interface CallerHandset extends SimHandset {
  /** Words, and how sure the engine for speech is of them. */
  say(text: string, confidence: number): void
}

/** The end of a call for the person at the phone. `code` is a SIP status of a call that was never answered. */
export interface LineEnd {
  readonly by: 'person' | 'switch' | 'nobody'
  readonly code?: number
}

/** A caller on the simulated switch, who follows a script and can also be controlled directly. */
export class SimCaller {
  readonly leg: LegId
  readonly ear: SimEar
  readonly #clock: Clock
  readonly #script: Caller
  readonly #handset: CallerHandset
  readonly #dialedAtMs: AtMs
  readonly #fingers: SimFingers
  #isUp = false
  #upAtMs: AtMs = 0
  #leaving: Timer
  #result: CallResult | undefined
  #endListener: (result: CallResult) => void = () => undefined

  constructor(leg: LegId, clock: Clock, script: Caller, handset: CallerHandset) {
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

  get talks(): readonly Stretch[] {
    const always = [{ afterMs: 0, forMs: Number.POSITIVE_INFINITY }]
    return (this.#script.speaks ?? always).map(({ afterMs, forMs }) => {
      const fromMs = this.#upAtMs + afterMs
      return { fromMs, untilMs: fromMs + forMs }
    })
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get result(): CallResult | undefined {
    return this.#result
  }

  /** Calls `listener` once at the end. A later listener replaces the former. */
  onEnd(listener: (result: CallResult) => void): void {
    if (this.#result) listener(this.#result)
    else this.#endListener = listener
  }

  /** Whom its network was asked to call. */
  readonly handedOverTo: HandOverTo[] = []

  get onHandOver(): HandOverAnswer {
    return this.#script.onHandOver ?? 'refuses'
  }

  press(keys: string): void {
    this.#fingers.press(keys)
  }

  /** Says words; nobody hears them unless the switch listens. */
  say(text: string, confidence = 1): void {
    this.#handset.say(text, confidence)
  }

  hangUp(): void {
    this.#handset.hangUp()
  }

  lineUp(): void {
    this.#isUp = true
    this.#upAtMs = this.#clock.nowMs()
    const { hangsUpAfterMs } = this.#script
    const nowMs = this.#clock.nowMs()
    if (hangsUpAfterMs !== undefined && nowMs + hangsUpAfterMs < this.#dialedAtMs + patienceMs(this.#script)) {
      this.#leaving.cancel()
      this.#leaving = this.#clock.schedule(nowMs + hangsUpAfterMs, () => this.#handset.hangUp())
    }
    this.#fingers.lookForCue()
  }

  heardWords(): void {
    if (this.#isUp) this.#fingers.lookForCue()
  }

  lineEnded({ by, code }: LineEnd): void {
    if (this.#result) return
    this.#leaving.cancel()
    this.#fingers.stop()
    this.ear.ends()
    this.#result = this.#resultOf(by, code)
    this.#isUp = false
    this.#endListener(this.#result)
  }

  #resultOf(by: LineEnd['by'], code = 603): CallResult {
    const ms = this.#clock.nowMs() - this.#dialedAtMs
    if (by === 'nobody') return { outcome: this.#isUp ? 'connected' : 'failed', why: 'the switch vanished', ms }
    if (this.#isUp) return { outcome: 'connected', hungUpBy: by === 'person' ? 'caller' : 'switch', ms }
    if (by === 'person') return { outcome: 'gaveUp', ms }
    return { outcome: 'refused', code, ms }
  }
}
