import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'

export interface SpeechBudgetOptions {
  /** Keeps what was spent over a restart, absolute. Its folder exists. */
  readonly file: string
  readonly charactersPerDay: number
  readonly clock: Pick<Clock, 'nowMs'>
  readonly log: Log
}

interface Spent {
  /** UTC, `2026-11-25`. */
  readonly day: string
  readonly characters: number
}

/**
 * The characters that a paid server may get in a day (UTC), for one node. They are written to disk before they are
 * sent, so that a crash or a restart never spends them twice.
 */
export class SpeechBudget {
  readonly #options: SpeechBudgetOptions
  #spent: Spent | undefined
  #last: Promise<unknown> = Promise.resolve()
  /** The day whose end was told to the operator. */
  #toldDay: string | undefined

  constructor(options: SpeechBudgetOptions) {
    this.#options = options
  }

  /** Takes so many characters; resolves with the reason if they cannot be had. Never rejects. */
  spend(characters: number): Promise<string | undefined> {
    const next = this.#last.then(() => this.#spend(characters))
    this.#last = next
    return next
  }

  async #spend(characters: number): Promise<string | undefined> {
    const { file, charactersPerDay, log } = this.#options
    if (!this.#spent) this.#spent = await this.#stored()
    const spent = this.#ofToday(this.#spent)
    const after = { day: spent.day, characters: spent.characters + characters }
    if (after.characters > charactersPerDay) {
      const told = { day: spent.day, spent: spent.characters, charactersPerDay }
      if (this.#toldDay !== spent.day) log.warn(told, 'the speech server gets no more of the day; espeak-ng speaks')
      this.#toldDay = spent.day
      return `${spent.characters} of ${charactersPerDay} characters are spent on ${spent.day} (UTC)`
    }
    try {
      await writeFile(`${file}.tmp`, `${JSON.stringify(after)}\n`, { mode: 0o600 })
      await rename(`${file}.tmp`, file)
    } catch (error) {
      return `the spent characters cannot be written (${(error as NodeJS.ErrnoException).code}); look at ${file}`
    }
    this.#spent = after
    return undefined
  }

  /** A clock that goes back begins no new day. */
  #ofToday(spent: Spent): Spent {
    const today = new Date(this.#options.clock.nowMs()).toISOString().slice(0, 10)
    return today > spent.day ? { day: today, characters: 0 } : spent
  }

  /** A file that is there and cannot be read counts as a spent day: nobody knows what stood in it. */
  async #stored(): Promise<Spent> {
    const { file, charactersPerDay, clock } = this.#options
    const nothing = { day: '', characters: 0 }
    try {
      const { day, characters } = JSON.parse(await readFile(file, 'utf8')) as Partial<Spent>
      if (typeof day === 'string' && Number.isSafeInteger(characters)) return { day, characters: characters! }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing
    }
    return { day: new Date(clock.nowMs()).toISOString().slice(0, 10), characters: charactersPerDay }
  }
}
