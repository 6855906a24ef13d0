/**
 * Greetings of persons and machines as a telephone line brings them: spoken by espeak-ng in several languages and
 * voices, 300 to 3,400 Hz, µ-law, with the noise of a line. An operator's own clips can be added.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromUlaw, toUlaw } from '../../demo/sip/audio.ts'
import type { EspeakProgram } from '../../src/adapters/speech/espeak-program.ts'
import { telephoneSound } from '../../src/adapters/speech/telephone-audio.ts'
import { readWav } from '../../src/adapters/speech/wav.ts'
import { type Random, randomInt, seededRandom } from '../../src/kernel/random.ts'
import { SAMPLE_RATE_HZ } from '../../src/listening/tone.ts'
import { MACHINES, PERSONS, type Spoken } from './greeting-texts.ts'

/** Who answered, and what was heard from the answer on. */
export interface Clip {
  readonly name: string
  readonly kind: 'person' | 'machine'
  readonly samples: Int16Array
  /** The end of the beep; absent: there is none, or it is not known. */
  readonly beepEndMs?: number
}

const KINDS = ['person', 'machine'] as const
/** How long a clip goes on in silence after the last word: a person waits for an answer. */
const SILENCE_AFTER_MS = 6_000
/** RMS of the noise; speech is at about 4,000. The loudest is a street. */
const NOISES = [15, 60, 150, 400]
const BEEP_HZ = [440, 750, 1_000, 1_400, 2_000]
const BEEP_AMPLITUDE = 6_000

/** The project's own corpus: the same for the same seed. Throws when espeak-ng fails. */
export async function madeCorpus(espeak: EspeakProgram, seed: number): Promise<Clip[]> {
  const clips: Clip[] = []
  for (const [kind, all] of [
    ['person', PERSONS],
    ['machine', MACHINES],
  ] as const) {
    for (const [at, spoken] of all.entries()) {
      clips.push(await made(espeak, { kind, at, spoken }, seededRandom(seed * 1_000 + clips.length)))
    }
  }
  return clips
}

/** Clips of a directory: WAV files, 16 bit, mono, in its folders `person` and `machine`. Throws for any other file. */
export async function clipsOf(directory: string): Promise<Clip[]> {
  const clips: Clip[] = []
  for (const kind of KINDS) {
    for (const file of readdirSync(join(directory, kind)).sort()) {
      const wav = await readWav(readFileSync(join(directory, kind, file)))
      if (!wav) throw new Error(`${join(directory, kind, file)} is no 16-bit mono WAV file; convert it, or remove it`)
      clips.push({ name: file, kind, samples: await telephoneSound(wav.samples, wav.rateHz) })
    }
  }
  return clips
}

interface Wanted {
  readonly kind: Clip['kind']
  readonly at: number
  readonly spoken: Spoken
}

async function made(espeak: EspeakProgram, { kind, at, spoken }: Wanted, random: Random): Promise<Clip> {
  const parts: Int16Array[] = [silence(randomInt(random, 150, 1_200))]
  for (const [place, text] of spoken.text.split(' | ').entries()) {
    if (place > 0) parts.push(silence(randomInt(random, 250, 600)))
    const said = await espeak.speak(text, spoken.voice)
    if (typeof said === 'string') throw new Error(`"${text}" was not spoken: ${said}`)
    parts.push(said)
  }
  const isBeeping = kind === 'machine' && spoken.beep !== false
  if (isBeeping) parts.push(silence(randomInt(random, 200, 900)), beep(random))
  const heardMs = parts.reduce((sum, { length }) => sum + length, 0) / (SAMPLE_RATE_HZ / 1_000)
  parts.push(silence(SILENCE_AFTER_MS))
  const samples = overTheLine(joined(parts), NOISES[at % NOISES.length]!, random)
  const name = `${kind} ${at + 1}: ${spoken.text.slice(0, 60)} (${spoken.voice})`
  return { name, kind, samples, ...(isBeeping && { beepEndMs: heardMs }) }
}

const silence = (ms: number) => new Int16Array((ms * SAMPLE_RATE_HZ) / 1_000)

function beep(random: Random): Int16Array {
  const hz = BEEP_HZ[randomInt(random, 0, BEEP_HZ.length - 1)]!
  const length = (randomInt(random, 180, 1_000) * SAMPLE_RATE_HZ) / 1_000
  return Int16Array.from({ length }, (_, at) => BEEP_AMPLITUDE * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ))
}

function joined(parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Adds noise, keeps the telephone band (a pole at each end: about 6 dB per octave), and codes as G.711 does. */
function overTheLine(samples: Int16Array, noise: number, random: Random): Int16Array {
  const [low, high] = [poleAt(3_400), poleAt(300)]
  let [smooth, slow] = [0, 0]
  return Int16Array.from(samples, (sample) => {
    const loud = sample + noise * Math.sqrt(3) * (2 * random.next() - 1)
    smooth += low * (loud - smooth)
    slow += high * (smooth - slow)
    return fromUlaw(toUlaw(Math.round(smooth - slow)))
  })
}

const poleAt = (hz: number) => 1 - Math.exp((-2 * Math.PI * hz) / SAMPLE_RATE_HZ)
