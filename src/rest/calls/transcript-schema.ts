/** Transcripts on the wire (contract.md §4.2, D-16). */
import { Type } from 'typebox'
import type { Transcript } from '../../ports/transcripts.ts'
import { InstantOut, instantText } from '../http/list-params.ts'

/** The reference table of phone call recordings (contract.md §2.8). */
export const RECORDINGS_TABLE = 21_001

const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Part = Type.Object({
  partNo: Type.Integer({ description: 'From 1, by the beginning.' }),
  channel: Type.Integer({ description: 'Of the recording, from 0.' }),
  speaker: TextOrNull('agent, customer, system; null where both sides are on one channel.'),
  startMs: Type.Integer({ description: 'From the beginning of the recording.' }),
  endMs: Type.Integer(),
  text: Type.String({ description: 'Plain text.' }),
  confidence: NumberOrNull('0 to 1; null where it is not known.'),
})

/** The object as it is described in the reference. */
export const CallTranscript = Type.Object({
  transcriptId: Type.Integer(),
  referenceId: Type.Integer({ description: 'The recording: its pcreId.' }),
  referenceTable: Type.Object({ id: Type.Literal(RECORDINGS_TABLE) }),
  status: Type.String({ description: 'pending, ready, failed' }),
  language: TextOrNull('BCP 47; null where it is not known.'),
  durationMs: Type.Union([Type.Integer(), Type.Null()], { description: 'Null until it is ready, like text.' }),
  creationTs: InstantOut('When it was begun.'),
  text: TextOrNull('Plain text, a line for each part; show it as text and never as HTML.'),
  parts: Type.Optional(Type.Array(Part, { description: 'With getParts; none until it is ready.' })),
})

/** The object itself; `parts` where they were asked for. Why one could not be made is ours to know. */
export function transcriptOut(transcript: Transcript, withParts: boolean) {
  const { id, recording, state, language, durationMs, createdAtMs, text, parts } = transcript
  return {
    ...{ transcriptId: id, referenceId: recording, referenceTable: { id: RECORDINGS_TABLE }, status: state },
    ...{ language, durationMs, creationTs: instantText(createdAtMs), text },
    ...(withParts && { parts: (parts ?? []).map((part, place) => ({ partNo: place + 1, ...part })) }),
  }
}
