import type { LegId } from '../kernel/ids.ts'
import type { AriContext } from './ari-context.ts'
import type { Legs } from './channels.ts'
import { reportAnswered } from './translate-events.ts'

const REJECTIONS = { notFound: 'unallocated', busy: 'busy', congestion: 'congestion' } as const
/** Our choice: menus of the network and of machines understand keys of this length, so far apart. */
const DIGIT_MS = 120
const BETWEEN_DIGITS_MS = 100

/** What is done to one leg alone, and is harmless when it comes twice. */
export class LegActs {
  readonly #context: AriContext
  readonly #legs: Legs

  constructor(context: AriContext, legs: Legs) {
    this.#context = context
    this.#legs = legs
  }

  answer(leg: LegId): void {
    const { registry, commands, emit } = this.#context
    const known = registry.legs.get(leg)
    if (!known) return
    // Taken over from an earlier engine. Asterisk would answer the request only after the prompt that the caller hears,
    // and leave all requests behind it waiting as long (measured, 22.10.1).
    if (known.answered) return emit({ type: 'leg.answered', leg })
    commands.send(this.#lives(leg), 'POST /channels/{channelId}/answer', { channelId: leg }, (answer) => {
      // The event may have been lost in a gap.
      if (answer.ok && registry.legs.has(leg)) reportAnswered(known, this.#context)
      if (answer.status === 404) this.#legs.missing(leg)
    })
  }

  reject(leg: LegId, reason: keyof typeof REJECTIONS): void {
    const known = this.#context.registry.legs.get(leg)
    if (!known) return
    known.hangUpAsked = true
    this.#legs.hangUp(leg, REJECTIONS[reason])
  }

  startMusic(leg: LegId, music: string): void {
    if (!this.#lives(leg)()) return
    this.#context.commands.send(this.#lives(leg), 'POST /channels/{channelId}/moh', { channelId: leg, mohClass: music })
  }

  stopMusic(leg: LegId): void {
    if (!this.#lives(leg)()) return
    this.#context.commands.send(this.#lives(leg), 'DELETE /channels/{channelId}/moh', { channelId: leg })
  }

  /** `in`: what comes from the phone. */
  mute(leg: LegId, isMuted: boolean): void {
    if (!this.#lives(leg)()) return
    const operation = isMuted ? 'POST /channels/{channelId}/mute' : 'DELETE /channels/{channelId}/mute'
    this.#context.commands.send(this.#lives(leg), operation, { channelId: leg, direction: 'in' })
  }

  /** Sent once: a command that is repeated after a gap would press the keys twice. */
  sendDigits(leg: LegId, digits: string): void {
    if (!this.#lives(leg)()) return
    const keys = { channelId: leg, dtmf: digits, duration: DIGIT_MS, between: BETWEEN_DIGITS_MS }
    void this.#context.ask('POST /channels/{channelId}/dtmf', keys)
  }

  #lives(leg: LegId): () => boolean {
    return () => this.#context.registry.legs.has(leg)
  }
}
