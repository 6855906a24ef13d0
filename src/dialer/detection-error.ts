/** Whether machine detection may act on its verdict, or only listens (campaigns-81). */

import type { AttemptId } from '../kernel/ids.ts'
import { shareInterval } from '../kernel/share-interval.ts'
import type { DetectionCounts } from '../ports/attempt.ts'
import type { Campaign } from './campaign.ts'

/** One answer in ten is only listened to, whatever the detector may do: otherwise nobody would see its errors again. */
const MEASURED_EVERY = 10
/** The bound of an operator who knows the detector: no errors are counted for it. */
const ANY_ERROR = 1

/** Calls that were only listened to, and whose agent said, or did not say, that it was a machine: nothing yet. */
export const NOTHING_MEASURED: DetectionCounts = { persons: 0, personsTaken: 0, machines: 0, machinesMissed: 0 }

/**
 * Whether the verdict about this attempt may end the call, or leave a message. Without a bound it never may: a person
 * would be hung up on by the detector alone. The number of an attempt is no property of the callee.
 */
export function decidesOn(
  campaign: Pick<Campaign, 'machineErrorMax'>,
  counts: DetectionCounts,
  attempt: AttemptId,
): boolean {
  const isMeasured = Number(attempt) % MEASURED_EVERY === 0 && campaign.machineErrorMax !== ANY_ERROR
  return mayAct(campaign, counts) && !isMeasured
}

/** Whether its error is proved to be within the bound; without a bound nothing proves it. */
export function mayAct({ machineErrorMax }: Pick<Campaign, 'machineErrorMax'>, counts: DetectionCounts): boolean {
  return machineErrorMax !== undefined && shareInterval(counts.personsTaken, counts.persons).to <= machineErrorMax
}
