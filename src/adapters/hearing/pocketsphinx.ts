/**
 * PocketSphinx 5 (BSD licence) as a child process, for single digits in English.
 *
 * Two models listen to each utterance: one of spoken digits on the telephone, one of English. Each is often wrong and
 * sure of it, but where they agree they are nearly always right (measured, calls-and-flows-66). So agreement is the
 * confidence, and everything else is read back.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { HeardWords, Hearing, HearingResult } from '../../ports/hearing.ts'
import { runProgram } from '../speech/run-program.ts'
import { readHypothesis } from './read-hypothesis.ts'

interface PocketSphinxOptions {
  /** Path of `pocketsphinx`; its models are found from there. */
  readonly program: string
}

/** At once; each uses two programs. Our choice: live audio comes first. */
const UTTERANCES_MAX = 2
/** Utterances that wait; further callers use keys. */
const WAITING_MAX = 20
/** A busy core needs 1 s for the longest utterance. */
const CHILD_LIMITS = { timeoutMs: 8_000, outputBytesMax: 256 * 1024 }

const AGREED = 0.95
/** What only one model has heard is always read back. */
const ALONE_MAX = 0.5

interface Model {
  readonly hmm: string
  readonly dict: string
  /** How often each sample of 8 kHz is repeated. */
  readonly repeated: number
}

const MODELS: readonly Model[] = [
  { hmm: 'test/data/tidigits/hmm', dict: 'digits.dict', repeated: 1 },
  { hmm: 'model/en-us/en-us', dict: 'english.dict', repeated: 2 },
]

/** `-wip`: a cost for each word, or pauses become digits. Every English word in `.jsgf` counts alike, hence `-lw`. */
const SETTINGS = ['-lw', '1', '-wip', '1e-10', '-loglevel', 'FATAL']

/** Understands single digits in English. */
export function pocketSphinx({ program }: PocketSphinxOptions): Hearing {
  const limit = new ConcurrencyLimit(UTTERANCES_MAX, WAITING_MAX)
  const models = modelsOf(program)
  return {
    async understand(samples): Promise<HearingResult> {
      const heard = await limit.tryRun(() =>
        Promise.all(MODELS.map((model) => listen(program, models, model, samples))),
      )
      if (heard === 'full') return { ok: false, why: 'too many callers speak at once' }
      const failed = heard.find((one) => typeof one === 'string')
      if (typeof failed === 'string') return { ok: false, why: `PocketSphinx failed: ${failed}` }
      return { ok: true, ...judged(heard as readonly HeardWords[]) }
    },
  }
}

async function listen(program: string, models: string, model: Model, samples: Int16Array) {
  const { hmm, dict, repeated } = model
  const args = ['-hmm', join(models, hmm), '-dict', ours(dict), '-jsgf', ours('digits.jsgf')]
  const rate = ['-samprate', String(repeated * 8_000)]
  const result = await runProgram(
    program,
    [...args, ...rate, ...SETTINGS, 'single', '-'],
    sound(samples, repeated),
    CHILD_LIMITS,
  )
  return result.ok ? (readHypothesis(result.output.toString()) ?? 'it answered no JSON') : result.why
}

function judged(heard: readonly HeardWords[]): HeardWords {
  const best = heard.toSorted((one, other) => other.confidence - one.confidence)[0]!
  const isAgreed = best.text !== '' && heard.every(({ text }) => text === best.text)
  return { text: best.text, confidence: isAgreed ? AGREED : Math.min(ALONE_MAX, best.confidence) }
}

/** Repeated samples bring images of the telephone's band above 4 kHz, which this model does not mind (measured). */
function sound(samples: Int16Array, repeated: number): Buffer {
  const longer = new Int16Array(samples.length * repeated)
  for (let at = 0; at < longer.length; at++) longer[at] = samples[Math.floor(at / repeated)]!
  return Buffer.from(longer.buffer)
}

/** In the tree of `install.sh` its own files are below `root`; Debian keeps them beside `bin`. */
function modelsOf(program: string): string {
  const above = resolve(dirname(program), '..')
  const own = join(above, 'root/usr/share/pocketsphinx')
  return existsSync(own) ? own : join(above, 'share/pocketsphinx')
}

function ours(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
