import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { SpeechResult } from '../../ports/speech.ts'
import { whyNoRecording } from './recording-file.ts'
import { runProgram } from './run-program.ts'
import type { SoundStore } from './sound-store.ts'
import { mixDown, telephoneSound } from './telephone-audio.ts'
import { readWav, readWavHeader, TELEPHONE_HZ } from './wav.ts'

export interface FlowRecordingOptions {
  /** The folder of the flows, absolute. Flows name their recordings relative to it. */
  readonly directory: string
  /** Path or name of `sndfile-convert` (libsndfile), which reads MP3, Ogg and every kind of WAV. */
  readonly program: string
}

/** Longer ones are music, which `queue` plays. Our choice: it bounds the memory of a conversion to about 60 MB. */
const SECONDS_MAX = 300
const RATE_HZ_MAX = 48_000
const CHILD_LIMITS = { timeoutMs: 30_000, outputBytesMax: 100_000 }
/** Conversions at once. */
const CONVERSIONS_MAX = 2

type Audio = { readonly rateHz: number; readonly channels: number; readonly samples: Int16Array }

/**
 * Operators' recordings for the telephone: converted once for each state of the file, and found on disk afterwards.
 * The returned function rejects only if the store cannot be written.
 */
export function flowRecordings({ directory, program }: FlowRecordingOptions, store: SoundStore) {
  const limit = new ConcurrencyLimit(CONVERSIONS_MAX)

  return async (name: string): Promise<SpeechResult> => {
    const why = whyNoRecording(directory, name)
    if (why !== undefined) return { ok: false, why }
    const path = join(directory, name)
    const { mtimeMs, size } = await stat(path)
    // A replaced file has another size or time, and so becomes another sound.
    const file = store.fileFor(['recording', path, String(mtimeMs), String(size), String(TELEPHONE_HZ)])
    const foundMs = await store.findOnDisk(file)
    if (foundMs !== undefined) return { ok: true, sound: { file, text: name, durationMs: foundMs } }
    const samples = await limit.run(() => forTelephone(program, path, `${file}.${process.pid}.wav`))
    if (typeof samples === 'string') return { ok: false, why: `${path} cannot be played: ${samples}` }
    return { ok: true, sound: { file, text: name, durationMs: await store.write(file, samples) } }
  }
}

/** The samples, or why there are none. `scratch` is a path of our own, for the program's answer. */
async function forTelephone(program: string, path: string, scratch: string): Promise<Int16Array | string> {
  const audio = (await readAudio(path)) ?? (await converted(program, path, scratch))
  if (typeof audio === 'string') return audio
  const { rateHz, channels, samples } = audio
  if (samples.length === 0) return 'it holds no sound'
  if (rateHz < TELEPHONE_HZ || rateHz > RATE_HZ_MAX) {
    return `it has ${rateHz} samples per second; export it with ${TELEPHONE_HZ} to ${RATE_HZ_MAX}`
  }
  return telephoneSound(await mixDown(samples, channels), rateHz)
}

/** A PCM file as it is; undefined for every other one, and the reason for one that is too long. */
async function readAudio(path: string): Promise<Audio | string | undefined> {
  const header = await readWavHeader(path)
  if (!header) return undefined
  const seconds = header.dataBytes / (header.channels * (header.bitsPerSample / 8) * header.rateHz)
  if (seconds > SECONDS_MAX) return `it lasts ${Math.round(seconds)} s; shorten it to at most ${SECONDS_MAX} s`
  return readWav(await readFile(path))
}

async function converted(program: string, path: string, scratch: string): Promise<Audio | string> {
  try {
    const result = await runProgram(program, ['-pcm16', path, scratch], '', CHILD_LIMITS)
    if (result.ok) return (await readAudio(scratch)) ?? 'the converter gave no sound; export it again as 16-bit WAV'
    if (!result.missing) return `${result.why}; export it again as 16-bit WAV`
    const remedy = 'install it (Debian: apt-get install sndfile-programs) or run "switchboard asterisk install"'
    return `${result.why}; ${remedy}`
  } finally {
    await rm(scratch, { force: true })
  }
}
