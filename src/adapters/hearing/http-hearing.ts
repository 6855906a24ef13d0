import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Hearing, HearingResult } from '../../ports/hearing.ts'
import { audioForm } from '../http/audio-form.ts'
import { askService, NONSENSE, type ServiceClient } from '../http/openai-client.ts'
import { readTranscription } from '../recordings/parse-transcription.ts'
import { durationMsOf, writeWav } from '../speech/wav.ts'

/** A caller waits for the answer. */
const TIMEOUT_MS = 8_000
/** Requests at once, and utterances that wait; further callers use keys. */
const LIMITS = { running: 8, waiting: 20 }
/** What the model is told to expect: services write digits that they expect as figures. */
const PROMPT = '0 1 2 3 4 5 6 7 8 9'

/** Any `POST /audio/transcriptions`. A service that does not say how sure it is counts as unsure. */
export function httpHearing(client: ServiceClient): Hearing {
  const limit = new ConcurrencyLimit(LIMITS.running, LIMITS.waiting)
  return {
    async understand(samples, language): Promise<HearingResult> {
      const heard = await limit.tryRun(() => ask(client, samples, language))
      return heard === 'full' ? { ok: false, why: 'too many callers speak at once' } : heard
    },
  }
}

async function ask(client: ServiceClient, samples: Int16Array, language: string): Promise<HearingResult> {
  const { model } = client.place
  const fields = { model, response_format: 'verbose_json', language: language.slice(0, 2), prompt: PROMPT }
  const request = { ...audioForm(fields, writeWav(samples)), timeoutMs: TIMEOUT_MS }
  const answer = await askService(client, '/audio/transcriptions', request, new AbortController().signal)
  if (answer.outcome !== 'answered') return { ok: false, why: answer.why }
  const piece = { channel: 0, speaker: null, startMs: 0, durationMs: durationMsOf(samples.length) }
  const heard = readTranscription(answer.json, piece)
  if (!heard) return { ok: false, why: NONSENSE }
  const { parts } = heard
  const confidence = Math.min(...parts.map((part) => part.confidence ?? 0))
  return { ok: true, text: parts.map(({ text }) => text).join(' '), confidence: parts.length === 0 ? 0 : confidence }
}
