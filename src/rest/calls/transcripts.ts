/** `POST /core/transcript/search`: what was said in recordings (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import { TRANSCRIPTS_LETTERS_MAX } from '../../ports/transcripts.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { Id, totals } from '../http/list-params.ts'
import { type Route, route } from '../http/route.ts'
import { CallTranscript, RECORDINGS_TABLE, transcriptOut } from './transcript-schema.ts'

/** What the operation works with. */
export type TranscriptDependencies = Pick<RestDependencies, 'transcripts'>

const closed = { additionalProperties: false } as const
const Search = Type.Object(
  {
    referenceIds: Type.Array(Id('A recording: a pcreId of a call'), {
      // D-30.
      maxItems: 1_000,
      description: 'Recordings without a transcript are left out of the answer.',
    }),
    referenceTables: Type.Optional(
      Type.Array(Type.Object({ id: Type.Integer() }, closed), {
        maxItems: 100,
        description: `${RECORDINGS_TABLE} is phone call recordings, also when absent; nothing else has transcripts.`,
      }),
    ),
    getParts: Type.Optional(Type.Boolean({ description: 'Who said what when; false when absent.' })),
  },
  closed,
)

/** The operation. There is none by call: a call names its recordings (195). */
export function transcriptRoutes({ transcripts }: TranscriptDependencies): Route[] {
  const searchTranscripts = route({
    method: 'POST',
    path: '/core/transcript/search',
    scope: 'transcripts:read',
    audit: { action: 'read', object: 'transcript', by: 'referenceId' },
    summary: 'Look up the transcripts of recordings',
    description:
      'Read the call first and collect every pcreId of its recordings. By referenceId; the answer ends after ' +
      `about ${TRANSCRIPTS_LETTERS_MAX / 2 ** 20} million letters, and the total headers say how many there are: ` +
      'ask again for those that did not come.',
    body: Search,
    answers: { 200: Type.Array(CallTranscript) },
    example: { body: { referenceIds: [812], referenceTables: [{ id: RECORDINGS_TABLE }], getParts: true } },
    async handle({ body, asker }) {
      const { referenceIds, referenceTables = [{ id: RECORDINGS_TABLE }], getParts = false } = body
      const isOfRecordings = referenceTables.some(({ id }) => id === RECORDINGS_TABLE)
      const ids = isOfRecordings ? [...new Set(referenceIds)] : []
      const { found, transcripts: first } = await transcripts.search(ids, asker.corporations, getParts)
      return { body: first.map((one) => transcriptOut(one, getParts)), headers: totals(found) }
    },
  })
  return [searchTranscripts]
}
