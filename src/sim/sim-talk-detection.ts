import type { Clock, Timer } from '../kernel/clock.ts'
import type { PlaybackId } from '../kernel/ids.ts'
import { type PbxEvent, QUIET_AFTER_MS } from '../ports/pbx.ts'
import type { Stretch } from './person.ts'
import type { SimLeg } from './sim-leg.ts'

/** Hears whether somebody speaks over a playback, as Asterisk's talk detection does. */
export class SimTalkDetection {
  readonly #clock: Clock
  readonly #emit: (event: PbxEvent) => void
  readonly #listening = new Map<PlaybackId, Timer[]>()

  constructor(clock: Clock, emit: (event: PbxEvent) => void) {
    this.#clock = clock
    this.#emit = emit
  }

  /** The playback will want to know. */
  want(playback: PlaybackId): void {
    this.#listening.set(playback, [])
  }

  /** Whoever speaks already is heard at once. */
  began(playback: PlaybackId, { id: leg, holder }: Pick<SimLeg, 'id' | 'holder'>): void {
    const timers = this.#listening.get(playback)
    if (!timers) return
    const at = (atMs: number, type: 'leg.talking' | 'leg.quiet') => {
      if (Number.isFinite(atMs)) timers.push(this.#clock.schedule(atMs, () => this.#emit({ type, leg })))
    }
    const nowMs = this.#clock.nowMs()
    for (const { fromMs, untilMs } of sounds(holder.talks ?? [])) {
      if (untilMs <= nowMs) continue
      at(Math.max(nowMs, fromMs), 'leg.talking')
      at(untilMs + QUIET_AFTER_MS, 'leg.quiet')
    }
  }

  ended(playback: PlaybackId): void {
    for (const timer of this.#listening.get(playback) ?? []) timer.cancel()
    this.#listening.delete(playback)
  }
}

/** A short pause belongs to the sound. */
function sounds(talks: readonly Stretch[]): readonly Stretch[] {
  const joined: Stretch[] = []
  for (const talk of talks) {
    const last = joined.at(-1)
    if (last && talk.fromMs - last.untilMs < QUIET_AFTER_MS)
      joined[joined.length - 1] = { ...last, untilMs: talk.untilMs }
    else joined.push(talk)
  }
  return joined
}
