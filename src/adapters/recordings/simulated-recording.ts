/** Recordings of simulated phones: files as the real switch writes them, with tones instead of words. */
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { TELEPHONE_HZ, wavHeader } from '../speech/wav.ts'

interface RecordedSound {
  /** The name of the file, without its ending. */
  readonly recording: string
  readonly channels: 1 | 2
  readonly lengthMs: number
}

/** Whoever speaks is heard in their own half of each second, and in their own channel: the callee first. */
const VOICES_HZ = [440, 620] as const
const LOUDNESS = 6_000
const SAMPLE_BYTES = 2

/** Writes `<recording>.wav` into a folder, which it creates. Resolves with why it could not. */
export function tonesInFolder(directory: string): (sound: RecordedSound) => Promise<string | undefined> {
  return async ({ recording, channels, lengthMs }) => {
    const path = join(directory, `${recording}.wav`)
    try {
      await mkdir(directory, { recursive: true })
      // A file of this name is complete, or does not exist.
      await write(`${path}.unfinished`, channels, Math.round((lengthMs * TELEPHONE_HZ) / 1_000))
      await rename(`${path}.unfinished`, path)
      return undefined
    } catch (error) {
      return `its file cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`
    }
  }
}

async function write(path: string, channels: 1 | 2, frames: number): Promise<void> {
  const second = oneSecond(channels)
  const frameBytes = channels * SAMPLE_BYTES
  const file = await open(path, 'w')
  try {
    await file.writeFile(wavHeader({ channels, rateHz: TELEPHONE_HZ, dataBytes: frames * frameBytes }))
    for (let at = 0; at < frames; at += TELEPHONE_HZ) {
      await file.writeFile(second.subarray(0, Math.min(TELEPHONE_HZ, frames - at) * frameBytes))
    }
  } finally {
    await file.close()
  }
}

/** WAV files and the machines Node runs on are little endian alike. */
function oneSecond(channels: 1 | 2): Uint8Array {
  const samples = new Int16Array(TELEPHONE_HZ * channels)
  for (let frame = 0; frame < TELEPHONE_HZ; frame++) {
    const voice = frame < TELEPHONE_HZ / 2 ? 0 : 1
    if (voice >= channels) continue
    const angle = (2 * Math.PI * VOICES_HZ[voice] * frame) / TELEPHONE_HZ
    samples[frame * channels + voice] = Math.round(LOUDNESS * Math.sin(angle))
  }
  return new Uint8Array(samples.buffer)
}
