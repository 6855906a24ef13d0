import type { AtMs } from '../kernel/clock.ts'
import { closesTodayAtMs } from './call-window.ts'
import type { Campaign } from './campaign.ts'
import { windowEndAtMs } from './ledger.ts'

/**
 * How long a pacer can still use the credit of its ledgers: until the last call window of the day closes in the
 * campaign's own zone, or until a daily or monthly ledger restarts. 0 outside the windows. Our choice: zones of callees
 * close at other times, but a reserve released some minutes early costs next to nothing.
 */
export function shiftLeftMs({ hours, timeZone, ledgers }: Campaign, nowAtMs: AtMs): number {
  const closesAtMs = closesTodayAtMs(hours, timeZone, nowAtMs) ?? nowAtMs
  return Math.min(closesAtMs, ...ledgers.map(({ window }) => windowEndAtMs(window, nowAtMs))) - nowAtMs
}
