/** First answer wins: several lines for each free agent, and the surplus is hung up (dialing-rules.md 3.4c). */
import type { PolicyFactory, PolicyView } from '../../src/pacing-sim/policy.ts'

const EVERY_MS = 500
/** 16 CFR 310.4(b)(4)(ii). */
const MIN_RING_MS = 15_000

/**
 * - `atOnce`: whatever is too much is hung up at once;
 * - `lawfully`: only what does not ring yet, or has rung for 15 s; what rings goes on, and may be lost.
 */
type Cancelling = 'atOnce' | 'lawfully'

/** `lines` for each free agent. Unanswered lines are surplus once their agent is taken. */
export function firstAnswer(name: string, lines: number, cancelling: Cancelling): PolicyFactory {
  return () => ({
    name,
    everyMs: EVERY_MS,
    decidesOnEvents: true,
    decide: ({ live: { idleAgents, inFlight, waiting } }) => Math.max(0, lines * idleAgents - inFlight - waiting),
    learn: () => undefined,
    withdraw: (view) => {
      const { idleAgents, inFlight, waiting } = view.live
      const surplus = Math.max(0, inFlight + waiting - lines * idleAgents)
      return cancelling === 'atOnce' ? Math.min(surplus, inFlight) : Math.min(surplus, lawful(view))
    },
  })
}

/** Lines that may be hung up: those that do not ring yet, and the oldest of those that ring, as far as it is sure. */
function lawful({ live, ringing, ages }: PolicyView): number {
  if (live.inFlight === 0) return 0
  const agesMs = Array.from(ages.linesMs).sort((one, other) => other - one)
  // The youngest line that rings shows how long a line is silent at the most; without one nothing rings.
  const silentMaxMs = ringing === 0 ? Number.POSITIVE_INFINITY : agesMs[ringing - 1]!
  const rungLong = agesMs.filter((ageMs) => ageMs - silentMaxMs >= MIN_RING_MS).length
  return live.inFlight - ringing + rungLong
}
