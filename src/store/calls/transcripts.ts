import type { RecordingNumber } from '../../ports/call-activity.ts'
import { TRANSCRIPTS_LETTERS_MAX, type Transcript, type Transcripts } from '../../ports/recordings/transcripts.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { callSeenBy } from '../db/seen-by.ts'
import { type Prepared, query } from '../db/transaction.ts'

/** Transcripts read at a time: together a few megabytes at most above the limit. */
const READ_AT_ONCE = 20
/** The fields of a part besides its words. */
const PART_LETTERS = 120

const transcripts = {
  async search({ api }, recordings, { corporations, boundTo }, withParts) {
    const seen = [recordings, corporations, boundTo ?? null]
    const there = await query<{ recording: RecordingNumber }>(api, THERE, seen)
    const ids = there.map(({ recording }) => recording)
    const transcripts: Transcript[] = []
    let letters = 0
    for (let first = 0; first < ids.length && letters < TRANSCRIPTS_LETTERS_MAX; first += READ_AT_ONCE) {
      const next = ids.slice(first, first + READ_AT_ONCE)
      for (const transcript of await query<Transcript>(api, READ, [next, corporations, withParts])) {
        if (letters < TRANSCRIPTS_LETTERS_MAX) transcripts.push(transcript)
        letters += lettersOf(transcript)
      }
    }
    return { found: there.length, transcripts }
  },
} satisfies Partial<In<Transcripts>>

function lettersOf({ text, parts }: Transcript): number {
  const ofParts = (parts ?? []).reduce((sum, part) => sum + part.text.length + PART_LETTERS, 0)
  return (text?.length ?? 0) + ofParts
}

const THERE: Prepared = {
  name: 'transcripts-of-recordings',
  text: `select recording_id as recording from transcripts
          where recording_id = any($1) and corporation_id = any($2)
            and exists (select from call_activities c where c.id = transcripts.activity_id and ${callSeenBy('$3')})
          order by recording_id`,
}

const READ: Prepared = {
  name: 'transcripts',
  text: `
select id, recording_id as recording, activity_id as activity, state, language, duration_ms as "durationMs", text,
  case when $3::boolean then parts end as parts, created_at_ms as "createdAtMs"
  from transcripts where recording_id = any($1) and corporation_id = any($2) order by recording_id`,
}

/** Transcripts in PostgreSQL. */
export function postgresTranscripts(pools: Pools): Transcripts {
  return portOf<Transcripts>(pools, transcripts)
}
