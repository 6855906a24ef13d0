/** Whether this page slept: with its computer, or because the browser froze it. */

/** `nowMs` goes on while the computer sleeps. */
interface SleepClock {
  nowMs(): number
  schedule(atMs: number, action: () => void): { cancel(): void }
}

const LOOK_EVERY_MS = 1_000
/** Timers of a hidden page may run once a minute; frames of the stream come every 5 s, and look too. */
const SLEPT_MS = 5_000

/** Tells `woke` once after each sleep, at the first look after it or at `look`. */
export class SleepWatch {
  readonly #clock: SleepClock
  readonly #woke: () => void
  #lookedAtMs: number
  #timer: { cancel(): void } | undefined

  constructor(clock: SleepClock, woke: () => void) {
    this.#clock = clock
    this.#woke = woke
    this.#lookedAtMs = clock.nowMs()
    this.#again()
  }

  /** Also at a frame of the stream, and when the page is shown again. */
  look(): void {
    const nowMs = this.#clock.nowMs()
    const hasSlept = nowMs - this.#lookedAtMs > LOOK_EVERY_MS + SLEPT_MS
    this.#lookedAtMs = nowMs
    if (hasSlept) this.#woke()
  }

  close(): void {
    this.#timer?.cancel()
  }

  #again(): void {
    this.#timer = this.#clock.schedule(this.#clock.nowMs() + LOOK_EVERY_MS, () => {
      this.look()
      this.#again()
    })
  }
}
