import { join } from 'node:path'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { NoPeaks, Peaks, RecordedPeaks } from '../../ports/recordings/peaks.ts'
import { openSound, type RecordedSound } from './recorded-audio.ts'

/** Shorter stretches would hold the sound itself: whoever sees the waveform could listen to it. */
const STRETCH_MS_MIN = 20
/** A millisecond of work: calls run in the same thread. */
const PIECE_MS = 4_000
const TO_8_BIT = 8
/** A recording of four hours takes two seconds (files-and-activities-17). */
const WAITING_MAX = 20
const BUSY: NoPeaks = { why: 'too many others are being read', isMissing: false, isBusy: true }

/** Recordings of a folder, one at a time: it needs the memory of one piece, however many clients ask. */
export function peaksInFolder(directory: string): RecordedPeaks {
  const limit = new ConcurrencyLimit(1, WAITING_MAX)
  return async (file, count) => {
    const peaks = await limit.tryRun(() => peaksOf(join(directory, file), count))
    return peaks === 'full' ? BUSY : peaks
  }
}

async function peaksOf(path: string, count: number): ReturnType<RecordedPeaks> {
  const sound = await openSound(path)
  if ('why' in sound) return sound
  try {
    return await readPeaks(sound, count)
  } catch {
    return { why: 'its file can be read no further', isMissing: false }
  } finally {
    await sound.close().catch(() => {})
  }
}

async function readPeaks(sound: RecordedSound, count: number): Promise<Peaks> {
  const { channels, durationMs, frames } = sound
  const stretches = Math.max(1, Math.min(count, Math.floor(durationMs / STRETCH_MS_MIN)))
  const found = Array.from({ length: channels }, () => ({
    min: new Int8Array(stretches),
    max: new Int8Array(stretches),
    at: 0,
  }))
  for await (const { channel, samples } of sound.pieces(PIECE_MS)) {
    const one = found[channel]!
    for (let from = 0; from < samples.length; ) {
      const stretch = Math.min(stretches - 1, Math.floor(((one.at + from) * stretches) / frames))
      // The first frame of the next stretch.
      const end = Math.ceil(((stretch + 1) * frames) / stretches) - one.at
      const until = Math.max(from + 1, Math.min(samples.length, end))
      const { low, high } = extremes(samples, from, until)
      one.min[stretch] = Math.min(one.min[stretch]!, low >> TO_8_BIT)
      one.max[stretch] = Math.max(one.max[stretch]!, high >> TO_8_BIT)
      from = until
    }
    one.at += samples.length
  }
  return { durationMs, channels: found.map(({ min, max }) => ({ min: [...min], max: [...max] })) }
}

/** Silence counts as 0: a stretch goes from below it to above it. */
function extremes(samples: Int16Array, from: number, until: number) {
  let [low, high] = [0, 0]
  for (let at = from; at < until; at++) {
    const sample = samples[at]!
    if (sample < low) low = sample
    else if (sample > high) high = sample
  }
  return { low, high }
}
