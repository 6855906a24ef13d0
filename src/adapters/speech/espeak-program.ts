import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import { chooseVoice, readVoices, type Voices } from './espeak-voices.ts'
import { type ProgramResult, runProgram } from './run-program.ts'
import { telephoneSound } from './telephone-audio.ts'
import { readWav } from './wav.ts'

/** How espeak-ng is found and how much of the machine it gets. */
interface EspeakProgramOptions {
  /** Path or name of `espeak-ng`. */
  readonly program: string
  /** The directory that holds `espeak-ng-data`, where that is not the one compiled in. */
  readonly dataPath?: string
  /** Default 2: one prompt takes some 20 ms of a core, and callers' sound comes first. */
  readonly childrenMax?: number
  readonly log: Log
}

/** The program espeak-ng, asked in our terms. What goes wrong is a sentence instead of the answer. Never rejects. */
export interface EspeakProgram {
  /** The name under which the program knows the voice, or the nearest one. */
  voiceFor(asked: string): Promise<{ readonly voice: string } | string>
  /** Telephone sound of `words`, which go to the program on its standard input. */
  speak(words: string, voice: string): Promise<Int16Array | string>
}

/** Words per minute. Our choice: a little slower than espeak's 175, as numbers are written down while listening. */
export const SPEED = '155'

const CHILD_LIMITS = { timeoutMs: 10_000, outputBytesMax: 20 * 1024 * 1024 }
/** Voices already complained about. */
const WARNED_MAX = 100

/** espeak-ng as a child process: it is under the GPL and never linked. The voices are asked for at first use. */
export function espeakProgram({ program, dataPath, childrenMax = 2, log }: EspeakProgramOptions): EspeakProgram {
  const limit = new ConcurrencyLimit(childrenMax)
  const warned = new Set<string>()
  let voices: Promise<Voices | string> | undefined

  function run(args: readonly string[], input: string): Promise<ProgramResult> {
    const where = dataPath === undefined ? [] : [`--path=${dataPath}`]
    return limit.run(() => runProgram(program, [...where, ...args], input, CHILD_LIMITS))
  }

  /** The voices there are, or why that is not known; asked once, and again after a failure. */
  function knownVoices(): Promise<Voices | string> {
    voices ??= run(['--voices'], '').then((result) => {
      if (result.ok) return readVoices(result.output.toString())
      voices = undefined
      return whyOf(result)
    })
    return voices
  }

  function warnOnce(asked: string, voice: string): void {
    if (warned.has(asked) || warned.size >= WARNED_MAX) return
    warned.add(asked)
    log.warn({ asked, voice }, 'espeak-ng has no such voice; another one speaks')
  }

  return {
    async voiceFor(asked) {
      const known = await knownVoices()
      if (typeof known === 'string') return known
      const choice = chooseVoice(known, asked)
      if (!choice) return 'espeak-ng has no voices; look at its data directory'
      if (!choice.isExact) warnOnce(asked, choice.voice)
      return { voice: choice.voice }
    },
    async speak(words, voice) {
      // -b 1: UTF-8; -z: no pause after the last sentence, as prompts are put together of several sounds.
      const result = await run(['-v', voice, '-s', SPEED, '-b', '1', '-z', '--stdin', '--stdout'], words)
      if (!result.ok) return whyOf(result)
      const wav = await readWav(result.output)
      return wav ? telephoneSound(wav.samples, wav.rateHz) : 'espeak-ng did not answer with a 16-bit mono wav'
    },
  }
}

function whyOf({ why, missing }: ProgramResult & { ok: false }): string {
  if (!missing) return `espeak-ng failed: ${why}`
  const remedy = 'install espeak-ng (Debian: apt-get install espeak-ng) or run "switchboard asterisk install"'
  return `no speech: ${why}; ${remedy}`
}
