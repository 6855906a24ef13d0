import type { Pacer } from './pacer-interface.ts'
import { placeByRatio } from './power.ts'

/** dialing-rules.md 3.3; measured there, section 3.5. */
const LEVEL_AT_FIRST = 1.5
const LEVEL_MAX = 8
const STEP = 0.02

/** Algorithm A (dialing-rules.md 3.3): every answer moves the ratio towards the cap; `withinLimits` keeps ledgers. */
export function predictivePacer(capBasisPoints: number): Pacer<{ readonly level: number }> {
  const cap = capBasisPoints / 10_000
  return {
    begin: () => ({ level: LEVEL_AT_FIRST }),
    place: (snapshot, { level }) => placeByRatio(level, snapshot),
    learn: (memory, fact) => {
      if (fact.type !== 'answer.resolved') return memory
      const moved = memory.level * Math.exp(STEP * (cap - (fact.isAbandoned ? 1 : 0)))
      return { level: Math.min(LEVEL_MAX, Math.max(1, moved)) }
    },
  }
}
