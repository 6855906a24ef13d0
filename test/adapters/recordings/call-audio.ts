/** Recordings of calls, made by arithmetic. */
import { writeFileSync } from 'node:fs'
import { writeWav } from '../../../src/adapters/speech/wav.ts'

/** A sound of so many milliseconds; `hz` 0 is silence. */
export function tone(durationMs: number, hz: number, rateHz = 8_000): Int16Array {
  const samples = new Int16Array(Math.round((durationMs * rateHz) / 1_000))
  return hz === 0
    ? samples
    : samples.map((_, place) => Math.round(8_000 * Math.sin((2 * Math.PI * hz * place) / rateHz)))
}

/** One after the other. */
export function joined(...sounds: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(sounds.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const sound of sounds) {
    all.set(sound, at)
    at += sound.length
  }
  return all
}

/** A wav file of the channels, all equally long. */
export function wavOf(channels: readonly Int16Array[], rateHz = 8_000): Buffer {
  const [first = new Int16Array(0)] = channels
  const frames = new Int16Array(first.length * channels.length)
  channels.forEach((samples, channel) => {
    for (let frame = 0; frame < samples.length; frame++) frames[frame * channels.length + channel] = samples[frame]!
  })
  const wav = writeWav(frames, rateHz)
  wav.writeUInt16LE(channels.length, 22)
  wav.writeUInt32LE(rateHz * 2 * channels.length, 28)
  wav.writeUInt16LE(2 * channels.length, 32)
  return wav
}

/** Puts it there. */
export function writeRecording(path: string, ...channels: readonly Int16Array[]): void {
  writeFileSync(path, wavOf(channels))
}
