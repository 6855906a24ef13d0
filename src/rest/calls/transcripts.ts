/** `POST /core/transcript/search`: transcripts of recordings (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import { TRANSCRIPTS_LETTERS_MAX } from '../../ports/recordings/transcripts.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { type Route, route } from '../http/route.ts'
import { RECORDINGS_TABLE, TRANSCRIPT } from './transcript-schema.ts'

const closed = { additionalProperties: false } as const
const Search = Type.Object(
  {
    referenceIds: Type.Array(Id('A recording: a pcreId of a call'), {
      // D-30.
      maxItems: 1_000,
      description: 'Recordings without a transcript are left out.',
    }),
    referenceTables: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer() }, closed), {
        maxItems: 100,
        description: `${RECORDINGS_TABLE} (default): phone call recordings; other tables have no transcripts.`,
      }),
    ),
    getParts: Type.Optional(Type.Boolean({ description: 'With the parts: who said what, and when. Default false.' })),
  },
  closed,
)

/** The operation. A search by call is not needed: a call lists its recordings (195). */
export function transcriptRoutes({ transcripts }: RestDependencies): Route[] {
  const searchTranscripts = route({
    method: 'POST',
    path: '/core/transcript/search',
    scope: 'transcripts:read',
    audit: { action: 'read', object: 'transcript', by: 'referenceId' },
    summary: 'Look up the transcripts of recordings',
    description:
      'Read the call first and collect every pcreId of its recordings. Sorted by referenceId. The answer is cut ' +
      `after about ${TRANSCRIPTS_LETTERS_MAX / 2 ** 20} million characters; the total headers give the number of ` +
      'transcripts. Ask again for the missing ones.',
    body: Search,
    answers: { 200: Type.Array(TRANSCRIPT.schema) },
    example: { body: { referenceIds: [812], referenceTables: [{ id: RECORDINGS_TABLE }], getParts: true } },
    async handle({ body, asker }) {
      const { referenceIds, referenceTables = [{ id: RECORDINGS_TABLE }], getParts = false } = body
      const isOfRecordings = referenceTables.some(({ id }) => id === RECORDINGS_TABLE)
      const ids = isOfRecordings ? [...new Set(referenceIds)] : []
      const { found, transcripts: first } = await transcripts.search(ids, asker, getParts)
      const shown = first.map((one) => TRANSCRIPT.show({ ...one, parts: getParts ? (one.parts ?? []) : null }))
      return { body: shown, headers: totals(found) }
    },
  })
  return [searchTranscripts]
}
