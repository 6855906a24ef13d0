import type { AtMs, Clock } from '../kernel/clock.ts'

/** One sound that a person heard, from when to when. */
export interface Heard {
  /** `person`: the other party of a bridge, by name. */
  readonly what: 'words' | 'music' | 'person'
  readonly text: string
  readonly fromMs: AtMs
  /** Absent while the sound lasts. */
  readonly untilMs?: AtMs
  /** Words of which some were quieter, because the person began to speak. */
  readonly wasQuiet?: true
}

/** A caller in a loop of prompts for an hour hears about this much; further sounds are not kept. */
const HEARD_MAX = 2_000

/** Remembers what one person hears, in order. A sound without an end ends with the call. */
export class SimEar {
  readonly #clock: Clock
  readonly #heard: Heard[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get heard(): readonly Heard[] {
    return this.#heard
  }

  get words(): string {
    return this.#heard
      .filter(({ what, text }) => what === 'words' && text !== '')
      .map(({ text }) => text)
      .join(' | ')
  }

  begins(what: Heard['what'], text: string): void {
    if (this.#heard.length < HEARD_MAX) this.#heard.push({ what, text, fromMs: this.#clock.nowMs() })
  }

  /** Ends current sounds: one text, all of a kind, or all. */
  ends(what?: Heard['what'], text?: string): void {
    for (const [at, heard] of this.#heard.entries()) {
      if (heard.untilMs !== undefined) continue
      if (what !== undefined && heard.what !== what) continue
      if (text !== undefined && heard.text !== text) continue
      this.#heard[at] = { ...heard, untilMs: this.#clock.nowMs() }
    }
  }

  /** The words that last are quieter now. */
  quietens(): void {
    for (const [at, heard] of this.#heard.entries())
      if (heard.untilMs === undefined && heard.what === 'words') this.#heard[at] = { ...heard, wasQuiet: true }
  }

  /** The first position from `from` on where words contain `words` (and have ended, if required); -1 for none. */
  find(words: string, until: 'started' | 'ended', from: number): number {
    const wanted = words.toLowerCase()
    return this.#heard.findIndex(
      (heard, at) =>
        at >= from &&
        heard.what === 'words' &&
        heard.text.toLowerCase().includes(wanted) &&
        (until === 'started' || heard.untilMs !== undefined),
    )
  }
}
