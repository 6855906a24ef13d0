import type { LegId } from '../../kernel/ids.ts'
import type { RecordingMade } from '../../ports/call-recordings.ts'
import type { OpenCall } from '../../ports/open-call.ts'
import { type LegRecordings, type RecordedLeg, recordedSoFar, recordingOf } from '../leg-recordings.ts'
import type { PastAttempt } from './past-attempts.ts'

/** Ends the recordings of calls that ended while no engine was there, for the calls' records (INV-O6). By leg. */
export async function endPastRecordings(
  recordings: LegRecordings,
  attempts: readonly PastAttempt[],
  calls: readonly OpenCall[],
): Promise<ReadonlyMap<LegId, readonly RecordingMade[]>> {
  const recorded = [...attempts.map(recordedOf), ...calls.map(recordedSoFar)]
  const ended = recorded.map((of) => {
    recordings.adopt(of)
    return new Promise<readonly [LegId, readonly RecordingMade[]]>((resolve) =>
      recordings.finish(of, () => resolve([of.leg, of.recordings])),
    )
  })
  return new Map(await Promise.all(ended))
}

/** Only attempts with an agent in campaigns that always record have one for certain. */
function recordedOf({ attempt: { leg, connectedAtMs }, campaign }: PastAttempt): RecordedLeg {
  const isRecorded = connectedAtMs !== null && campaign.campaign.recording.mode === 'always'
  const openRecordings = isRecorded ? [{ id: recordingOf(leg, 0), startedAtMs: connectedAtMs }] : []
  return { leg, openRecordings, recordings: [] }
}
