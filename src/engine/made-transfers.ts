import type { AtMs } from '../kernel/clock.ts'
import type { TransferMade, TransferProgress } from '../ports/transfer.ts'

/** How the keys of entries begin that agents cause; those of flows are keys of visits. */
export const AGENT_KEY = 'agent '

/** The transfers of a call that is over: whatever went on ended with it. */
export function madeTransfers(transfers: Iterable<TransferProgress>, callEndedAtMs: AtMs): readonly TransferMade[] {
  return [...transfers].map(({ leg: _, bridge: __, trunk: ___, ...made }) => {
    const over = made.connectedAtMs === undefined ? 'failed' : 'done'
    return made.end === undefined ? { ...made, endedAtMs: callEndedAtMs, end: over } : made
  })
}

/** Whether the caller was brought to somebody. */
export function hasTransferred(transfers: Iterable<TransferProgress>): boolean {
  return [...transfers].some(({ connectedAtMs }) => connectedAtMs !== undefined)
}
