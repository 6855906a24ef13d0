import type { AtMs, Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { AnswerOf, ArgsOf, AriAnswer, Ask, Operation } from './operation.ts'

/** Commands kept for later. Beyond it the oldest is dropped: it is the most likely to be obsolete. */
const KEPT_MAX = 10_000

/** A dead socket is noticed after 6 s, a request times out after 3 s: a command this old at a loss may be lost. */
const DOUBTFUL_MS = 10_000

interface Kept {
  readonly atMs: AtMs
  readonly isWorthwhile: () => boolean
  readonly ask: () => void
}

/** Commands that perhaps did not arrive are sent again in order after a reconnect: all must be harmless twice. */
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

  /** Sends now, and again later if needed and still `isWorthwhile`. `then` gets every answer, also a missing one. */
  send<O extends Operation>(
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

  /** The connection is lost. Commands whose answer went missing long before did arrive: later ones were answered. */
  lineLost(): void {
    const sinceMs = this.#clock.nowMs() - DOUBTFUL_MS
    this.#kept = this.#kept.filter(({ atMs }) => atMs >= sinceMs)
  }

  /** The connection is back, and the registry knows which legs still live. */
  resend(): void {
    const kept = this.#kept
    this.#kept = []
    const again = kept.filter(({ isWorthwhile }) => isWorthwhile())
    if (again.length > 0)
      this.#log.info({ commands: again.length }, 'resending commands that were lost while disconnected')
    for (const { ask } of again) ask()
  }

  #keep(command: Kept): void {
    this.#kept.push(command)
    if (this.#kept.length > KEPT_MAX) this.#kept.shift()
  }
}
