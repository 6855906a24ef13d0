import type { AtMs, Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { AnswerOf, ArgsOf, AriAnswer, Ask, Operation } from './operation.ts'

/** Wishes kept for later. Beyond it the oldest is dropped: it is the likeliest to be pointless by now. */
const KEPT_MAX = 10_000

/**
 * A silently dead socket is noticed after 6 s and a request given up after 3 s: what was asked this long before
 * a loss may have gone nowhere.
 */
const DOUBTFUL_MS = 10_000

interface Kept {
  readonly atMs: AtMs
  readonly isWorthwhile: () => boolean
  readonly ask: () => void
}

/**
 * Wishes on their way to Asterisk. One that did not arrive, or may not have, is kept and made again when the line
 * is back, in the old order: nobody stays in silence, or on the line, because a request fell into a gap. So a
 * wish must be one that does no harm when it arrives twice.
 */
export class CommandQueue {
  readonly #ask: Ask
  readonly #clock: Clock
  readonly #log: Log
  #kept: Kept[] = []

  constructor(options: { readonly ask: Ask; readonly clock: Clock; readonly log: Log }) {
    this.#ask = options.ask
    this.#clock = options.clock
    this.#log = options.log
  }

  /** Asks now, and again later where needed and still `isWorthwhile`. `then` hears every answer, also a missing one. */
  make<O extends Operation>(
    isWorthwhile: () => boolean,
    operation: O,
    args: ArgsOf<O>,
    then?: (answer: AriAnswer<AnswerOf<O>>) => void,
  ): void {
    const ask = async () => {
      const atMs = this.#clock.nowMs()
      const answer = await this.#ask(operation, args)
      if (answer.status === 0) this.#keep({ atMs, isWorthwhile, ask })
      then?.(answer)
    }
    void ask()
  }

  /** The line was lost: a wish whose answer went missing long before did arrive, as others after it were answered. */
  lineLost(): void {
    const sinceMs = this.#clock.nowMs() - DOUBTFUL_MS
    this.#kept = this.#kept.filter(({ atMs }) => atMs >= sinceMs)
  }

  /** The line is back, and it is known which legs still live. */
  makeAgain(): void {
    const kept = this.#kept
    this.#kept = []
    const again = kept.filter(({ isWorthwhile }) => isWorthwhile())
    if (again.length > 0) this.#log.info({ wishes: again.length }, 'making again what fell into the gap')
    for (const { ask } of again) ask()
  }

  #keep(command: Kept): void {
    this.#kept.push(command)
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()
  }
}
