/** Voices of callers: digits that espeak-ng says, as samples at 8 kHz. */
import { execFileSync } from 'node:child_process'
import { telephoneSound } from '../../src/adapters/speech/telephone-audio.ts'
import { readWav, TELEPHONE_HZ } from '../../src/adapters/speech/wav.ts'
import { type Random, randomInt } from '../../src/kernel/random.ts'

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/** How somebody speaks: a voice of espeak-ng, at so many words a minute. */
interface Voice {
  readonly espeakNg: string
  readonly voice: string
  readonly wordsAMinute: number
}

/** The digits one after another. */
export async function spoken(digits: string, { espeakNg, voice, wordsAMinute }: Voice): Promise<Int16Array> {
  const words = [...digits].map((digit) => WORDS[Number(digit)]).join(' ')
  const wav = await readWav(execFileSync(espeakNg, ['-v', voice, '-s', String(wordsAMinute), '--stdout', words]))
  if (!wav) throw new Error('espeak-ng gave no wav')
  return telephoneSound(wav.samples, wav.rateHz)
}

/** So much silence, and then these sounds one after another. */
export function later(silenceMs: number, ...sounds: readonly Int16Array[]): Int16Array {
  const before = (silenceMs * TELEPHONE_HZ) / 1_000
  const whole = new Int16Array(sounds.reduce((sum, { length }) => sum + length, before))
  let at = before
  for (const sound of sounds) {
    whole.set(sound, at)
    at += sound.length
  }
  return whole
}

/** White noise of this level all over a sound. */
export function withNoise(samples: Int16Array, level: number, random: Random): Int16Array {
  return samples.map((sample) => Math.max(-32_768, Math.min(32_767, sample + randomInt(random, -level, level))))
}
