import type { AtMs, Clock } from '../../kernel/clock.ts'
import { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sound } from '../../ports/speech.ts'
import { HttpCircuitBreaker } from '../http/circuit-breaker.ts'
import type { ServiceClient } from '../http/openai-client.ts'
import { askForSpeech, SERVER_TIMEOUT_MS } from './http-speech.ts'
import type { SoundStore } from './sound-store.ts'
import type { SpeechBudget } from './speech-budget.ts'
import { TELEPHONE_HZ } from './wav.ts'

export interface SpeechServer {
  readonly client: ServiceClient
  /** Of languages whose entry names none. */
  readonly voice: string
  readonly budget: SpeechBudget
}

/** What a sentence is wanted for. */
export interface Need {
  /** Nobody waits on the line. */
  readonly isAhead: boolean
  /** The words must not leave this machine. */
  readonly isPrivate: boolean
}

/** Our choice: a pause that a caller takes for a breath. */
const PATIENCE_MS = 1_000
/** Sentences of a flow that are asked for at once, while nobody waits. */
const AHEAD_MAX = 4
/** Sentences that callers wait for at once; the next one is spoken by another engine. */
const IN_CALLS_MAX = 32
/** Circuits: of a server that fails, and of one that is too slow for callers but good enough ahead of calls. */
const [ANSWERS, IN_TIME] = ['answers', 'in time']
const TELL_EVERY_MS = 10 * 60_000

/**
 * The voice of a paid server, kept on disk: a caller waits a second at most. A late answer serves the next caller.
 * The sounds of every address, model and voice are kept apart.
 */
export class ServerVoice {
  readonly #server: SpeechServer
  readonly #store: SoundStore
  readonly #clock: Clock
  readonly #breaker: HttpCircuitBreaker
  readonly #reports: FallbackReports
  readonly #underWay = new Map<string, Promise<Sound | string>>()
  readonly #ahead = new ConcurrencyLimit(AHEAD_MAX)
  readonly #inCalls = new ConcurrencyLimit(IN_CALLS_MAX, 0)

  constructor(server: SpeechServer, store: SoundStore, log: Log) {
    this.#server = server
    this.#store = store
    this.#clock = server.client.clock
    this.#breaker = new HttpCircuitBreaker(this.#clock)
    this.#reports = new FallbackReports(this.#clock, log)
  }

  /** The sound, or why another engine has to speak. Rejects only if the store cannot be written. */
  async sound(words: string, voice: string | undefined, need: Need): Promise<Sound | string> {
    const { place } = this.#server.client
    const name = voice ?? this.#server.voice
    const file = this.#store.fileFor(['http', place.url, place.model, name, String(TELEPHONE_HZ), words])
    const kept = await this.#kept(file, words)
    if (kept) return kept
    // No report: the flow means it so.
    if (need.isPrivate) return 'the words hold a secret of the caller'
    const sound = await this.#inTime(file, need, () => this.#fill(file, words, name))
    if (typeof sound === 'string') this.#reports.fellBack(sound)
    return sound
  }

  async #kept(file: string, words: string): Promise<Sound | undefined> {
    const durationMs = await this.#store.findOnDisk(file)
    return durationMs === undefined ? undefined : { file, text: words, durationMs }
  }

  async #inTime(file: string, { isAhead }: Need, fill: () => Promise<Sound | string>): Promise<Sound | string> {
    if (!isAhead && !this.#breaker.mayAsk(IN_TIME)) return 'the speech server was late several times'
    const asked = this.#underWay.get(file) ?? this.#ask(file, isAhead, fill)
    const patienceMs = isAhead ? SERVER_TIMEOUT_MS : PATIENCE_MS
    const sound = await soonerOf(this.#clock, asked, patienceMs)
    const isLate = sound === 'late'
    if (!isAhead && (isLate || typeof sound !== 'string')) this.#breaker.report(IN_TIME, isLate ? 'ill' : 'well')
    return isLate ? `the speech server did not answer within ${patienceMs} ms` : sound
  }

  /** Goes on when nobody waits any more. */
  #ask(file: string, isAhead: boolean, fill: () => Promise<Sound | string>): Promise<Sound | string> {
    const running = isAhead ? this.#ahead.run(fill) : this.#inCalls.tryRun(fill)
    const asked = running
      .then((sound) => (sound === 'full' ? `${IN_CALLS_MAX} callers wait for the speech server already` : sound))
      .finally(() => this.#underWay.delete(file))
    this.#underWay.set(file, asked)
    // Whoever waited may have gone before the disk failed.
    asked.catch(() => {})
    return asked
  }

  async #fill(file: string, words: string, voice: string): Promise<Sound | string> {
    const { client, budget } = this.#server
    if (!this.#breaker.mayAsk(ANSWERS)) return 'the speech server failed several times'
    const overBudget = await budget.spend(words.length)
    if (overBudget !== undefined) return overBudget
    const samples = await askForSpeech(client, words, voice)
    const isWell = typeof samples !== 'string'
    this.#breaker.report(ANSWERS, isWell ? 'well' : 'ill')
    if (!isWell) return samples
    this.#reports.answered()
    return { file, text: words, durationMs: await this.#store.write(file, samples) }
  }
}

/** Tells the operator that another engine speaks: at first, and then every 10 minutes, not for every sentence. */
class FallbackReports {
  readonly #clock: Clock
  readonly #log: Log
  #nextAtMs: AtMs | undefined
  #sentences = 0

  constructor(clock: Clock, log: Log) {
    this.#clock = clock
    this.#log = log
  }

  fellBack(why: string): void {
    this.#sentences++
    const nowMs = this.#clock.nowMs()
    if (this.#nextAtMs !== undefined && nowMs < this.#nextAtMs) return
    this.#log.warn({ why, sentences: this.#sentences }, 'espeak-ng speaks in place of the speech server')
    this.#nextAtMs = nowMs + TELL_EVERY_MS
    this.#sentences = 0
  }

  answered(): void {
    if (this.#nextAtMs === undefined || this.#clock.nowMs() < this.#nextAtMs) return
    this.#log.info({ sentences: this.#sentences }, 'the speech server answers again')
    this.#nextAtMs = undefined
    this.#sentences = 0
  }
}

function soonerOf<T>(clock: Clock, promise: Promise<T>, patienceMs: number): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(clock.nowMs() + patienceMs, () => resolve('late'))
    promise.then(resolve, reject).finally(() => timer.cancel())
  })
}
