/** Transcripts on the wire (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import type { Transcript, TranscriptPart } from '../../ports/recordings/transcripts.ts'
import { field, instant, int, intOrNull, optionalList, shape, text, textOrNull } from '../http/shape.ts'

/** The reference table of phone call recordings (contract.md §2.8). */
export const RECORDINGS_TABLE = 21_001 as const

const PART = shape<TranscriptPart & { readonly partNo: number }>({
  partNo: int(({ partNo }) => partNo, 'From 1, in the order in which the parts begin.'),
  text: text((part) => part.text, 'Plain text.'),
  endMs: int(({ endMs }) => endMs),
  channel: int(({ channel }) => channel, 'Channel of the recording, from 0.'),
  speaker: textOrNull(({ speaker }) => speaker, 'agent, customer, system; null if both sides share one channel.'),
  startMs: int(({ startMs }) => startMs, 'Milliseconds from the beginning of the recording.'),
  confidence: field(
    Type.Union([Type.Number(), Type.Null()], { description: '0 to 1; null if it is unknown.' }),
    ({ confidence }) => confidence,
  ),
})

/** The object itself. Why a transcript failed is not shown. */
export const TRANSCRIPT = shape<Transcript>({
  transcriptId: int(({ id }) => id),
  referenceId: int(({ recording }) => recording, 'The pcreId of the recording.'),
  referenceTable: field(Type.Object({ id: Type.Literal(RECORDINGS_TABLE) }), () => ({ id: RECORDINGS_TABLE })),
  status: text(({ state }) => state, 'pending, ready, failed'),
  language: textOrNull(({ language }) => language, 'BCP 47; null if it is unknown.'),
  durationMs: intOrNull(({ durationMs }) => durationMs, 'Null until it is ready, like text.'),
  creationTs: instant(({ createdAtMs }) => createdAtMs, 'When it was requested.'),
  text: textOrNull(
    (transcript) => transcript.text,
    'Plain text, one line for each part; show it as text and never as HTML.',
  ),
  parts: optionalList(
    PART,
    ({ parts }) => parts?.map((part, place) => ({ ...part, partNo: place + 1 })),
    'With getParts; empty until it is ready.',
  ),
})
