import { type ServiceClient, sendTo } from '../http/openai-client.ts'
import { mixDown, telephoneSound } from './telephone-audio.ts'
import { readWav, TELEPHONE_HZ } from './wav.ts'

/** Beyond it the sound of a sentence that nobody waits for any more is given up. */
export const SERVER_TIMEOUT_MS = 10_000
/** A minute of 48 kHz: more than the longest text takes. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024
const RATE_HZ_MAX = 48_000
/** Raw samples without a rate: what the OpenAI protocol calls `pcm`. */
const PCM_RATE_HZ = 24_000
const NEVER = new AbortController().signal

/** Any `POST /audio/speech`: telephone audio of `words`, or why there is none. Never rejects. */
export async function askForSpeech(client: ServiceClient, words: string, voice: string): Promise<Int16Array | string> {
  const body = { model: client.place.model, voice, input: words, response_format: 'wav' }
  const headers = { accept: 'audio/wav, audio/pcm' }
  const request = { body, headers, timeoutMs: SERVER_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX }
  const answer = await sendTo(client, '/audio/speech', request, NEVER)
  if (answer.outcome !== 'answered') return answer.why
  const audio = await readAudio(Buffer.from(answer.bytes ?? []), answer.contentType)
  if (!audio) return 'the service answered with something else than 16-bit wav or pcm'
  const { rateHz, channels, samples } = audio
  if (rateHz < TELEPHONE_HZ || rateHz > RATE_HZ_MAX) return `the service answered with ${rateHz} samples per second`
  if (!samples.some((sample) => sample !== 0)) return 'the service answered with silence'
  return telephoneSound(await mixDown(samples, channels), rateHz)
}

/** Some services answer with bare samples, whatever they are asked for. */
async function readAudio(bytes: Buffer, contentType: string) {
  const isPcm = /^audio\/(x-)?pcm\b/i.test(contentType) && bytes.toString('latin1', 0, 4) !== 'RIFF'
  if (!isPcm) return readWav(bytes)
  const rateHz = Number(/;\s*rate=(\d{4,6})\b/i.exec(contentType)?.[1] ?? PCM_RATE_HZ)
  const data = Uint8Array.from(bytes.subarray(0, bytes.length & ~1))
  return { rateHz, channels: 1, samples: new Int16Array(data.buffer) }
}
