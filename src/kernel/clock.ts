import { SteadyTime } from './steady-time.ts'

/** An instant: milliseconds since the epoch. Names of instants end in `AtMs`, of durations in `Ms`. */
export type AtMs = number

/** A scheduled action. Cancelling twice, or after it ran, is harmless. */
export interface Timer {
  cancel(): void
}

/** The only source of time below `main.ts`. */
export interface Clock {
  nowMs(): AtMs
  /** Whether it may be later than `nowMs` says: the computer may have slept. Absent: never. */
  mayBeLater?(): boolean
  /** Runs `action` once at `atMs`, or as soon as possible when that instant has passed. */
  schedule(atMs: AtMs, action: () => void): Timer
}

/** `setTimeout` counts in 32 bits; a longer wait is split. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** The wall clock as the computer has it, with its jumps: it goes on while the computer sleeps. */
export const wallMs = (): AtMs => Date.now()

/** The wall clock. It may jump, but not for a moment: measure elapsed time between two instants of the same clock. */
export class RealClock implements Clock {
  readonly #time = new SteadyTime()

  nowMs(): AtMs {
    return this.#time.read(Date.now(), performance.now())
  }

  mayBeLater(): boolean {
    this.nowMs()
    return this.#time.isOvertaken
  }

  schedule(atMs: AtMs, action: () => void): Timer {
    let handle: ReturnType<typeof setTimeout>
    const wait = () => {
      const leftMs = atMs - this.nowMs()
      handle = leftMs > LONGEST_WAIT_MS ? setTimeout(wait, LONGEST_WAIT_MS) : setTimeout(action, Math.max(0, leftMs))
    }
    wait()
    return { cancel: () => clearTimeout(handle) }
  }
}
