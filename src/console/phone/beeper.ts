/** The beep that tells the agent of a call, played by the browser itself: no file, and no word of the switch. */
import type { Clock, Timer } from '../../kernel/clock.ts'
import type { Beep } from './beep-choice.ts'

/** Of full scale. */
const LOUDNESS: Readonly<Record<Beep, number>> = { off: 0, soft: 0.06, normal: 0.2, loud: 0.5 }
const BEEP_SECONDS = 0.15
const BEEP_HZ = 880
/** A step of the loudness would crack. */
const RAMP_SECONDS = 0.01
/** A browser without sound holds back no call: longer than a beep takes on a busy computer. */
const PATIENCE_MS = 1_000

/** One beep at a time. A page that has the microphone may play without a click. */
export class Beeper {
  readonly #clock: Clock
  #context: AudioContext | undefined
  #timer: Timer | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Opens the browser's sound: later it would take part of a second, at the beginning of a call. */
  prepare(): AudioContext {
    this.#context ??= new AudioContext()
    void this.#context.resume().catch(() => {})
    return this.#context
  }

  /** `over`: called once, when it was heard, or could not be; not of a beep that another one follows. */
  beep(choice: Beep, over: () => void): void {
    this.#timer?.cancel()
    if (choice === 'off') return over()
    const mine = this.#clock.schedule(this.#clock.nowMs() + PATIENCE_MS, over)
    this.#timer = mine
    const end = () => {
      if (this.#timer !== mine) return
      this.#timer = undefined
      mine.cancel()
      over()
    }
    const context = this.prepare()
    context.resume().then(() => this.#timer === mine && play(context, LOUDNESS[choice], end), end)
  }

  close(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    void this.#context?.close()
    this.#context = undefined
  }
}

function play(context: AudioContext, loudness: number, ended: () => void): void {
  const oscillator = new OscillatorNode(context, { frequency: BEEP_HZ })
  const gain = new GainNode(context, { gain: 0 })
  const beginS = context.currentTime
  const endS = beginS + BEEP_SECONDS
  gain.gain.setValueAtTime(0, beginS).linearRampToValueAtTime(loudness, beginS + RAMP_SECONDS)
  gain.gain.setValueAtTime(loudness, endS - RAMP_SECONDS).linearRampToValueAtTime(0, endS)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(beginS)
  oscillator.stop(endS)
  oscillator.addEventListener('ended', ended)
}
