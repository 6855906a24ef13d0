import type { CorporationId } from '../ports/call-task.ts'
import type { RecordingNumber } from '../ports/office.ts'
import type { Transcript, Transcripts } from '../ports/transcripts.ts'
import type { Pools } from './pools.ts'
import { query } from './transaction.ts'

/** Transcripts in PostgreSQL, as they are read. What each method does is said at the port. */
export function postgresTranscripts(pools: Pools): Transcripts {
  return { search: (recordings, corporations, withParts) => search(pools, recordings, corporations, withParts) }
}

function search(
  { api }: Pools,
  recordings: readonly RecordingNumber[],
  corporations: readonly CorporationId[],
  withParts: boolean,
): Promise<readonly Transcript[]> {
  const text = `
    select id, recording_id as recording, activity_id as activity, state, language, duration_ms as "durationMs", text,
      case when $3 then parts end as parts, created_at_ms as "createdAtMs"
      from transcripts where recording_id = any($1) and corporation_id = any($2) order by recording_id`
  return query<Transcript>(api, text, [recordings, corporations, withParts])
}
