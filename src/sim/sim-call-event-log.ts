import type { AtMs, Clock } from '../kernel/clock.ts'
import type { LegId } from '../kernel/ids.ts'
import type { CallEventLog, LegEnd, LoggedCallEnd, LoggedLeg } from '../ports/pbx.ts'

interface Entry {
  readonly answeredAtMs?: AtMs
  readonly end?: Pick<LoggedCallEnd, 'endedAtMs' | 'reason' | 'code'>
}

/** As many as in the carrier's log. */
const ENTRIES_MAX = 100_000

/** The switch's own log of dialed legs: kept also while no engine is connected (R4). */
export class SimCallEvents {
  readonly #clock: Clock
  readonly #entries = new Map<LegId, Entry>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  began(leg: LegId): void {
    this.#entries.set(leg, {})
    if (this.#entries.size > ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value as LegId)
  }

  answered(leg: LegId): void {
    if (this.#entries.has(leg)) this.#entries.set(leg, { answeredAtMs: this.#clock.nowMs() })
  }

  ended(leg: LegId, reason: LegEnd, code: number | undefined): void {
    const entry = this.#entries.get(leg)
    if (!entry) return
    const end = { endedAtMs: this.#clock.nowMs(), reason, ...(code !== undefined && { code }) }
    this.#entries.set(leg, { ...entry, end })
  }

  /** Undefined: nothing is logged. */
  readEnds(leg: LegId): LoggedLeg | undefined {
    const entry = this.#entries.get(leg)
    if (!entry) return undefined
    const { answeredAtMs, end } = entry
    const answer = answeredAtMs !== undefined && { answeredAtMs }
    return end ? { ...end, ...answer } : { ...answer }
  }
}

interface SimCallEventLogOptions {
  readonly clock: Clock
  readonly callEvents: SimCallEvents
  /** Time to an answer. Default 5 ms. */
  readonly latencyMs?: number
  readonly isAway?: () => boolean
}

/** The call event log of the simulated switch. It answers in a callback of the clock. */
export function simCallEventLog({
  clock,
  callEvents,
  latencyMs = 5,
  isAway = () => false,
}: SimCallEventLogOptions): CallEventLog {
  return {
    readEnds: (legs) =>
      new Promise((tell) => {
        clock.schedule(clock.nowMs() + latencyMs, () => tell(isAway() ? undefined : readAll(callEvents, legs)))
      }),
    // It logs dialed legs alone.
    readArrivals: async () => [],
  }
}

function readAll(callEvents: SimCallEvents, legs: readonly LegId[]): ReadonlyMap<LegId, LoggedLeg> {
  return new Map(
    legs.flatMap((leg): [LegId, LoggedLeg][] => {
      const loggedEnd = callEvents.readEnds(leg)
      return loggedEnd === undefined ? [] : [[leg, loggedEnd]]
    }),
  )
}
