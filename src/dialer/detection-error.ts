/** Whether machine detection may act on its verdict, or only listens (campaigns-81, campaigns-89). */

import type { AttemptId } from '../kernel/ids.ts'
import { shareInterval } from '../kernel/share-interval.ts'
import type { DetectionCounts, Detector } from '../ports/attempt.ts'
import type { Campaign } from './campaign.ts'

/** One answer in ten is only listened to, whatever the detectors may do: otherwise nobody would see their errors. */
const MEASURED_EVERY = 10
/** The bound of an operator who knows the detectors: no errors are counted for them. */
const ANY_ERROR = 1
const DETECTORS: readonly Detector[] = ['pauses', 'greeting']
const NO_ERRORS = { personsTaken: 0, machinesMissed: 0 }

/** Calls that were only listened to, and whose agent said, or did not say, that it was a machine: nothing yet. */
export const NOTHING_MEASURED: DetectionCounts = { persons: 0, machines: 0, pauses: NO_ERRORS, greeting: NO_ERRORS }

/**
 * The detectors whose verdict about this attempt may end the call, or leave a message. Without a bound it is none: a
 * person would be hung up on by a detector alone. The number of an attempt is no property of the callee.
 */
export function decidingOn(
  campaign: Pick<Campaign, 'machineErrorMax'>,
  counts: DetectionCounts,
  attempt: AttemptId,
): readonly Detector[] {
  const isMeasured = Number(attempt) % MEASURED_EVERY === 0 && campaign.machineErrorMax !== ANY_ERROR
  return isMeasured ? [] : DETECTORS.filter((detector) => mayAct(campaign, counts, detector))
}

/** Whether the error of the detector is proved to be within the bound; without a bound nothing proves it. */
export function mayAct(
  { machineErrorMax }: Pick<Campaign, 'machineErrorMax'>,
  counts: DetectionCounts,
  detector: Detector,
): boolean {
  const { personsTaken } = counts[detector]
  return machineErrorMax !== undefined && shareInterval(personsTaken, counts.persons).to <= machineErrorMax
}
