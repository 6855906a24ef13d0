/** Parses answers of `POST /audio/transcriptions` (OpenAI protocol, `verbose_json`), which are not trusted. */
import type { Speaker, TranscriptPart } from '../../ports/recordings/transcripts.ts'
import { languageCode } from './language-code.ts'
import { plainText } from './plain-text.ts'

interface AskedPiece {
  readonly channel: number
  readonly speaker: Speaker | null
  readonly startMs: number
  readonly durationMs: number
}

export interface HeardPiece {
  readonly language: string | null
  readonly parts: readonly TranscriptPart[]
}

const PARTS_MAX = 2_000
const PART_LETTERS_MAX = 5_000

interface Segment {
  readonly start?: unknown
  readonly end?: unknown
  readonly text?: unknown
  readonly avg_logprob?: unknown
  readonly no_speech_prob?: unknown
}

/** Undefined if the answer is malformed. Services without segments return plain text, which becomes one part. */
export function readTranscription(json: unknown, piece: AskedPiece): HeardPiece | undefined {
  const { text, language, segments } = (json ?? {}) as Readonly<Record<string, unknown>>
  if (typeof text !== 'string') return undefined
  const listed: unknown = segments ?? []
  if (!Array.isArray(listed)) return undefined
  const whole: Segment = { text, start: 0, end: piece.durationMs / 1_000 }
  const given: readonly Segment[] = listed.length > 0 ? listed : [whole]
  const parts = given.slice(0, PARTS_MAX).flatMap((segment) => partOf(segment, piece))
  return { language: languageCode(language), parts }
}

/** Nothing for an empty text, or if Whisper's own rule says silence. */
function partOf(segment: Segment, { channel, speaker, startMs, durationMs }: AskedPiece): TranscriptPart[] {
  const { start, end, text, avg_logprob: logProbability, no_speech_prob: silence } = segment ?? {}
  if (typeof text !== 'string' || typeof start !== 'number' || typeof end !== 'number') return []
  if (typeof silence === 'number' && silence > 0.6 && typeof logProbability === 'number' && logProbability < -1)
    return []
  const words = plainText(text.replaceAll(/\s+/g, ' '), PART_LETTERS_MAX)
  if (words === '') return []
  const within = (seconds: number) => startMs + Math.round(Math.min(Math.max(0, seconds * 1_000), durationMs))
  const confidence = typeof logProbability === 'number' ? rounded(Math.exp(Math.min(0, logProbability))) : null
  const from = within(start)
  return [{ channel, speaker, startMs: from, endMs: Math.max(from, within(end)), text: words, confidence }]
}

function rounded(share: number): number {
  return Math.round(share * 1_000) / 1_000
}
