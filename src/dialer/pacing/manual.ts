import type { Placing } from '../placing.ts'
import { FORGETFUL, type Pacer } from './pacer-interface.ts'

/** Manual and preview: each agent is reserved for the line they asked for, so only the trunks can be full. */
export const manualPacer: Pacer<undefined> = {
  ...FORGETFUL,
  place({ wantedByHand, linesFree, linesFreeWhy = 'trunkFull' }): Placing {
    if (!Number.isFinite(wantedByHand) || !Number.isFinite(linesFree)) return { lines: 0, why: 'notKnown' }
    if (wantedByHand <= 0) return { lines: 0, why: 'enoughOut' }
    if (linesFree < wantedByHand) return { lines: Math.max(0, Math.floor(linesFree)), why: linesFreeWhy }
    return { lines: Math.floor(wantedByHand), why: 'byHand' }
  },
}
