import type { LegId } from '../kernel/ids.ts'
import type { Hearing } from '../ports/hearing.ts'
import type { AriContext } from './ari-context.ts'
import { Ears, type OpenMedia } from './ears.ts'
import { Listening } from './listening.ts'
import { Overhearing } from './overhearing.ts'
import { Utterances } from './utterances.ts'

/** All that listens to legs: who answered, what callers say, and supervisors. A leg has one ear at a time. */
export class LegEars {
  readonly answers: Listening
  readonly utterances: Utterances
  readonly overhearing: Overhearing
  readonly #ears: Ears

  constructor(context: AriContext, openMedia: OpenMedia, hearing: Hearing | undefined) {
    this.#ears = new Ears(context, openMedia)
    this.answers = new Listening(context, this.#ears)
    this.utterances = new Utterances(context, this.#ears, hearing)
    this.overhearing = new Overhearing(context)
  }

  /** A channel of an ear is in our application. */
  here(channel: string, leg: LegId): void {
    if (!this.overhearing.here(channel, leg)) this.#ears.here(channel, leg)
  }

  /** The leg is gone. Silent. */
  gone(leg: LegId): void {
    this.answers.stop(leg)
    this.utterances.gone(leg)
    this.overhearing.gone(leg)
  }

  stopAll(): void {
    this.answers.stopAll()
    this.utterances.stopAll()
  }
}
