import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import { runProgram } from './run-program.ts'
import { telephoneSound } from './telephone-audio.ts'
import { readWav } from './wav.ts'

/** Flite with typed results. A failure is returned as a sentence. Never rejects. */
export interface FliteProgram {
  /** Telephone audio of English words. `scratch` is a path of our own that nobody else uses. */
  speak(words: string, voice: string, scratch: string): Promise<Int16Array | string>
}

/** The clearest of its voices on a telephone line. Our choice, by ear and by their bandwidth (16 kHz). */
export const FLITE_VOICE = 'slt'

const CHILD_LIMITS = { timeoutMs: 10_000, outputBytesMax: 100_000 }
const CHILDREN_MAX = 2

/**
 * Flite (Carnegie Mellon University) as a child process, which speaks English. It reads and writes files: its output
 * to a pipe ends after the header, and it cannot open the socket that Node gives a child as standard input.
 */
export function fliteProgram(program: string): FliteProgram {
  const limit = new ConcurrencyLimit(CHILDREN_MAX)
  return {
    speak: (words, voice, scratch) => limit.run(() => speakInto(program, words, voice, scratch)),
  }
}

async function speakInto(program: string, words: string, voice: string, scratch: string) {
  const [text, wav] = [`${scratch}.txt`, `${scratch}.wav`]
  try {
    await mkdir(dirname(scratch), { recursive: true })
    await writeFile(text, words, { mode: 0o600 })
    const result = await runProgram(program, ['-voice', voice, '-f', text, '-o', wav], '', CHILD_LIMITS)
    if (!result.ok) {
      const remedy = 'install it (Debian: apt-get install flite) or run "switchboard asterisk install"'
      return result.missing ? `${result.why}; ${remedy}` : `Flite failed: ${result.why}`
    }
    const sound = await readWav(await readFile(wav))
    return sound?.samples.length ? telephoneSound(sound.samples, sound.rateHz) : 'Flite did not write a 16-bit mono wav'
  } catch (error) {
    return `Flite failed: ${(error as Error).message}`
  } finally {
    await rm(text, { force: true })
    await rm(wav, { force: true })
  }
}
