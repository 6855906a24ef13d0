import { basename, join } from 'node:path'
import type { NotDone, Transcribe, Transcribed } from '../../ports/recordings/transcribe.ts'
import { type Speaker, TRANSCRIPT_LETTERS_MAX, type TranscriptPart } from '../../ports/recordings/transcripts.ts'
import { audioForm } from '../http/audio-form.ts'
import { askService, NONSENSE, type ServiceClient } from '../http/openai-client.ts'
import { writeWav } from '../speech/wav.ts'
import { type HeardPiece, readTranscription } from './parse-transcription.ts'
import { isSilent, openSound, type RecordedSound, type SoundPiece } from './recorded-audio.ts'

interface HttpTranscribeOptions extends ServiceClient {
  readonly directory: string
}

/** A slow machine takes this long for three minutes of audio. */
const TIMEOUT_MS = 240_000

/** Our choice, like other telephony providers: the customer's channel first, the agent's second. */
const SPEAKERS: readonly Speaker[] = ['customer', 'agent']

/** Any `POST /audio/transcriptions`. Channels go separately, to know speakers; long ones in pieces; silence not. */
export function httpTranscribe(options: HttpTranscribeOptions): Transcribe {
  return {
    async transcribe(file, signal): Promise<Transcribed> {
      // Names come from the database; no file outside the folder may be sent.
      if (basename(file) !== file) return { outcome: 'never', why: 'its name is no plain file name' }
      const sound = await openSound(join(options.directory, file))
      // Another node may have the file, now or soon.
      if ('why' in sound) return { outcome: sound.isMissing ? 'later' : 'never', why: sound.why }
      try {
        return await listen(options, sound, signal)
      } finally {
        await sound.close()
      }
    },
  }
}

async function listen(options: HttpTranscribeOptions, sound: RecordedSound, signal: AbortSignal): Promise<Transcribed> {
  const heard: HeardPiece[] = []
  let lettersLeft = TRANSCRIPT_LETTERS_MAX
  for await (const piece of sound.pieces()) {
    if (isSilent(piece.samples)) continue
    const answer = await ask(options, sound, piece, signal)
    if ('outcome' in answer) return answer
    lettersLeft -= lettersOf(answer)
    if (lettersLeft < 0) break
    heard.push(answer)
  }
  const parts = heard.flatMap(({ parts }) => parts).sort((a, b) => a.startMs - b.startMs || a.channel - b.channel)
  return { outcome: 'done', transcription: { language: languageOf(heard), durationMs: sound.durationMs, parts } }
}

async function ask(
  { place, web, clock }: HttpTranscribeOptions,
  { channels, rateHz }: RecordedSound,
  { channel, startMs, durationMs, samples }: SoundPiece,
  signal: AbortSignal,
): Promise<HeardPiece | NotDone> {
  const fields = { model: place.model, response_format: 'verbose_json' }
  const form = audioForm(fields, writeWav(samples, rateHz))
  const answer = await askService(
    { place, web, clock },
    '/audio/transcriptions',
    { ...form, timeoutMs: TIMEOUT_MS },
    signal,
  )
  if (answer.outcome !== 'answered') return answer
  const speaker = channels === 1 ? null : (SPEAKERS[channel] ?? null)
  return (
    readTranscription(answer.json, { channel, speaker, startMs, durationMs }) ?? { outcome: 'later', why: NONSENSE }
  )
}

/** The language with the most text. */
function languageOf(heard: readonly HeardPiece[]): string | null {
  const letters = new Map<string, number>()
  for (const piece of heard) {
    if (piece.language !== null) letters.set(piece.language, (letters.get(piece.language) ?? 0) + lettersOf(piece))
  }
  return [...letters].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

function lettersOf({ parts }: { readonly parts: readonly TranscriptPart[] }): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0)
}
