import type { TrunkUse } from '../../dialer/may-dial-now.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type { TrunkLimits } from '../context.ts'

/** The trunk's load as the dialing rules see it, and the pace of the last tenth of a second. */
export interface PacedUse extends TrunkUse {
  readonly placedLastTenth: number
}

interface Trunk {
  placed: AtMs[]
  /** Calls that the trunk did not even try, in the last ten seconds. */
  failures: AtMs[]
  /** The latest call over a failing trunk; undefined while it works. */
  probedAtMs: AtMs | undefined
}

const SECOND_MS = 1_000
/** A second's calls are spread over its tenths: twenty at once make carriers refuse, and keep callees waiting. */
const TENTH_MS = 100
/** F-A11: after so many failures within so long, only a probe now and then goes over the trunk. */
const FAILURES_MAX = 5
const FAILURES_WITHIN_MS = 10_000
const PROBE_EVERY_MS = 5_000

/** How fast the engine calls over each trunk, and whether the trunk works. */
export class TrunkPace {
  readonly #trunks = new Map<string, Trunk>()

  placed(name: string, atMs: AtMs): void {
    const trunk = this.#of(name)
    trunk.placed = [...trunk.placed.filter((one) => one > atMs - SECOND_MS), atMs]
    if (trunk.probedAtMs !== undefined) trunk.probedAtMs = atMs
  }

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

  isFailing(name: string): boolean {
    return this.#of(name).probedAtMs !== undefined
  }

  /** A failing trunk has room for one probe now and then. */
  useOf({ name, linesMax, callsPerSecondMax }: TrunkLimits, linesInUse: number, nowMs: AtMs): PacedUse {
    const { placed, probedAtMs } = this.#of(name)
    const isProbeDue = probedAtMs === undefined || nowMs >= probedAtMs + PROBE_EVERY_MS
    const bears = probedAtMs === undefined ? linesMax : isProbeDue ? 1 : 0
    const placedWithin = (ms: number) => placed.filter((atMs) => atMs > nowMs - ms).length
    return {
      linesInUse,
      linesMax: Math.min(bears, linesMax),
      perSecondMax: callsPerSecondMax,
      placedLastSecond: placedWithin(SECOND_MS),
      placedLastTenth: placedWithin(TENTH_MS),
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

/** Free lines of the trunk now, within its lines and its calls per second and per tenth. */
export function linesLeft(use: PacedUse): number {
  const { linesInUse, linesMax, placedLastSecond, placedLastTenth, perSecondMax } = use
  const perTenthMax = Math.ceil(perSecondMax / 10)
  const left = [linesMax - linesInUse, perSecondMax - placedLastSecond, perTenthMax - placedLastTenth]
  return Math.max(0, Math.min(...left))
}

/** Whether only the pace delays the next line: the trunk has room again in a moment. */
export function isPaced(use: PacedUse): boolean {
  return use.linesInUse < use.linesMax && linesLeft(use) === 0
}
