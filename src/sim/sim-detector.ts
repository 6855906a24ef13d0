import type { Clock } from '../kernel/clock.ts'
import { type Random, randomInt, randomOf } from '../kernel/random.ts'
import type { Greeting, PbxEvent, WhoAnswered } from '../ports/pbx.ts'
import type { Voice } from './person.ts'
import type { SimLeg } from './sim-leg.ts'
import type { LatencyMs } from './sim-line.ts'

/** Errors and times of machine detection. */
export interface SimDetection {
  /** Probability of a wrong verdict. Default 0. */
  readonly errorRate?: number
  /** From the command to the verdict; default: by the voice. */
  readonly afterMs?: LatencyMs
}

/** As `src/listening` judges, and when: at the pause of a person, or when a machine has spoken on for long. */
const VERDICTS: Readonly<Record<Voice, WhoAnswered>> = { person: 'person', machine: 'machine', silent: 'unsure' }
const DETECTION_MS: Readonly<Record<Voice, LatencyMs>> = {
  person: [1_000, 5_000],
  machine: [7_000, 8_500],
  silent: [2_500, 2_700],
}
/** From the end of the greeting to the event: after a beep, or after the silence of somebody who is no machine. */
const GREETING_END_MS = { beep: 200, silence: 2_500 } as const
/** From the answer to the print: all machines greet alike, as those of the SIP carrier (demo/sip). */
const GREETED_AFTER_MS = 2_400
const MACHINE_PRINT = 'the greeting of every machine'

/** Listens to legs as `src/listening` does. */
export class SimDetector {
  readonly #clock: Clock
  readonly #random: Random
  readonly #detection: SimDetection
  readonly #emit: (event: PbxEvent) => void

  constructor(clock: Clock, random: Random, detection: SimDetection, emit: (event: PbxEvent) => void) {
    this.#clock = clock
    this.#random = random
    this.#detection = detection
    this.#emit = emit
  }

  /** Only for legs that are up, once at a time. */
  begin(leg: SimLeg, greetings: readonly Greeting[]): void {
    if (!leg.isUp || leg.listening.size > 0) return
    const voice = leg.holder.voice ?? 'person'
    const afterMs = randomInt(this.#random, ...(this.#detection.afterMs ?? DETECTION_MS[voice]))
    const same = voice === 'machine' ? greetings.find(({ print }) => print === MACHINE_PRINT) : undefined
    this.#after(leg, afterMs, () => {
      const verdict = this.#verdictOn(voice)
      if (verdict === 'machine' || same?.isKnown) this.#hearGreeting(leg)
      this.#emit({ type: 'leg.judged', leg: leg.id, verdict })
    })
    if (voice !== 'machine') return
    this.#after(leg, GREETED_AFTER_MS, () => {
      const greeting = same && { greeting: same.id }
      this.#emit({ type: 'leg.greeted', leg: leg.id, print: MACHINE_PRINT, ...greeting })
    })
  }

  /** Nothing more is heard of the leg. */
  end(leg: SimLeg): void {
    for (const timer of leg.listening) timer.cancel()
    leg.listening.clear()
  }

  #hearGreeting(leg: SimLeg): void {
    const nowMs = this.#clock.nowMs()
    const { greetingEndsAtMs } = leg.holder
    const by = greetingEndsAtMs === undefined ? 'silence' : 'beep'
    this.#after(leg, Math.max(nowMs, greetingEndsAtMs ?? nowMs) - nowMs + GREETING_END_MS[by], () =>
      this.#emit({ type: 'leg.greetingEnded', leg: leg.id, by }),
    )
  }

  #after(leg: SimLeg, afterMs: number, happens: () => void): void {
    const timer = this.#clock.schedule(this.#clock.nowMs() + afterMs, () => {
      leg.listening.delete(timer)
      happens()
    })
    leg.listening.add(timer)
  }

  #verdictOn(voice: Voice): WhoAnswered {
    const truth = VERDICTS[voice]
    const isWrong = this.#random.next() < (this.#detection.errorRate ?? 0)
    const others = (['person', 'machine', 'unsure'] as const).filter((verdict) => verdict !== truth)
    return isWrong ? randomOf(this.#random, others) : truth
  }
}
