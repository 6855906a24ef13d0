import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import { chooseVoice, readVoices, type Voices } from './espeak-voices.ts'
import { type ProgramResult, runProgram } from './run-program.ts'
import { telephoneSound } from './telephone-audio.ts'
import { readWav } from './wav.ts'

interface EspeakProgramOptions {
  /** Path or name of `espeak-ng`. */
  readonly program: string
  /** The directory of `espeak-ng-data`, unless it is the compiled-in one. */
  readonly dataPath?: string
  /** Default 2: a prompt takes about 20 ms of a core, and live audio comes first. */
  readonly childrenMax?: number
  readonly log: Log
}

/** espeak-ng with typed results. A failure is returned as a sentence. Never rejects. */
export interface EspeakProgram {
  /** espeak-ng's name of the voice, or of the nearest one. */
  voiceFor(asked: string): Promise<{ readonly voice: string } | string>
  /** Telephone audio of `words`, which are passed on standard input. */
  speak(words: string, voice: string): Promise<Int16Array | string>
}

/** Words per minute. Our choice: a little slower than espeak's 175, because callers write numbers down. */
export const SPEED = '155'

const CHILD_LIMITS = { timeoutMs: 10_000, outputBytesMax: 20 * 1024 * 1024 }
/** Missing voices that were logged. */
const WARNED_MAX = 100

/** espeak-ng as a child process: it is under the GPL and never linked. The voices are listed at first use. */
export function espeakProgram({ program, dataPath, childrenMax = 2, log }: EspeakProgramOptions): EspeakProgram {
  const limit = new ConcurrencyLimit(childrenMax)
  const warned = new Set<string>()
  let voices: Promise<Voices | string> | undefined

  function run(args: readonly string[], input: string): Promise<ProgramResult> {
    const where = dataPath === undefined ? [] : [`--path=${dataPath}`]
    return limit.run(() => runProgram(program, [...where, ...args], input, CHILD_LIMITS))
  }

  /** The installed voices, or why they are unknown; cached, and listed again after a failure. */
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
      // -z: no pause at the end, because prompts combine several sounds. After a comma the text goes on, with a pause.
      const ending = words.endsWith(',') ? [] : ['-z']
      // -b 1: UTF-8.
      const result = await run(['-v', voice, '-s', SPEED, '-b', '1', ...ending, '--stdin', '--stdout'], words)
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
