import type { TrunkUse } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { TrunkLimits } from '../context.ts'

/** What the gate asks, and how much of it was a moment ago. */
export interface PacedUse extends TrunkUse {
  readonly placedLastTenth: number
}

interface Trunk {
  /** Of the last second. */
  placed: AtMs[]
  /** Calls that the carrier did not even try, of the last ten seconds. */
  failures: AtMs[]
  /** The latest call over a carrier that fails; undefined while it works. */
  probedAtMs: AtMs | undefined
}

const SECOND_MS = 1_000
/** A second's calls are spread over its tenths: twenty at once make carriers refuse, and hold up whoever answers. */
const TENTH_MS = 100
/** F-A11: so many failures within so long, and the carrier is left alone but for a probe now and then. */
const FAILURES_MAX = 5
const FAILURES_WITHIN_MS = 10_000
const PROBE_EVERY_MS = 5_000

/** Keeps account of carriers: how fast we call, and whether they work. Mutable state with a lifetime, hence a class. */
export class TrunkPace {
  readonly #trunks = new Map<string, Trunk>()

  placed(name: string, atMs: AtMs): void {
    const trunk = this.#of(name)
    trunk.placed = [...trunk.placed.filter((one) => one > atMs - SECOND_MS), atMs]
    if (trunk.probedAtMs !== undefined) trunk.probedAtMs = atMs
  }

  /** A call is over. `isFailure`: it rang nowhere because the carrier or the way to it failed. */
  attemptEnded(name: string, isFailure: boolean, atMs: AtMs): void {
    const trunk = this.#of(name)
    if (!isFailure) {
      trunk.failures = []
      trunk.probedAtMs = undefined
      return
    }
    trunk.failures = [...trunk.failures.filter((one) => one > atMs - FAILURES_WITHIN_MS), atMs]
    if (trunk.failures.length >= FAILURES_MAX) trunk.probedAtMs ??= atMs
  }

  /** Whether it fails for everybody, as far as we know. */
  isFailing(name: string): boolean {
    return this.#of(name).probedAtMs !== undefined
  }

  /** What the gate asks. Of a carrier that fails one line is given now and then, and no other beside it. */
  useOf({ name, linesMax, callsPerSecondMax }: TrunkLimits, linesInUse: number, nowMs: AtMs): PacedUse {
    const { placed, probedAtMs } = this.#of(name)
    const isProbeDue = probedAtMs === undefined || nowMs >= probedAtMs + PROBE_EVERY_MS
    const bears = probedAtMs === undefined ? linesMax : isProbeDue ? 1 : 0
    const placedWithin = (ms: number) => placed.filter((atMs) => atMs > nowMs - ms).length
    return {
      ...{ linesInUse, linesMax: Math.min(bears, linesMax), perSecondMax: callsPerSecondMax },
      ...{ placedLastSecond: placedWithin(SECOND_MS), placedLastTenth: placedWithin(TENTH_MS) },
    }
  }

  #of(name: string): Trunk {
    const known = this.#trunks.get(name)
    if (known) return known
    const trunk: Trunk = { placed: [], failures: [], probedAtMs: undefined }
    this.#trunks.set(name, trunk)
    return trunk
  }
}

/** What the carrier bears now: of its lines, of its calls in a second, and of those in a tenth of it. */
export function linesLeft(use: PacedUse): number {
  const { linesInUse, linesMax, placedLastSecond, placedLastTenth, perSecondMax } = use
  const perTenthMax = Math.ceil(perSecondMax / 10)
  const left = [linesMax - linesInUse, perSecondMax - placedLastSecond, perTenthMax - placedLastTenth]
  return Math.max(0, Math.min(...left))
}

/** Whether nothing but the pace holds up the next line: more are to be had in a moment. */
export function isPaced(use: PacedUse): boolean {
  return use.linesInUse < use.linesMax && linesLeft(use) === 0
}
