import type { Clock } from '../kernel/clock.ts'
import type { LegId, PlaybackId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { Ledger, Playback } from './ledger.ts'
import type { Wishes } from './wishes.ts'

/** How much longer than its sounds a playback may take. Some never finish (asterisk.md 8, unknown schemes). */
const GRACE_MS = 10_000

/** A playback that went this close to its end while nobody looked has been heard. */
const NEARLY_MS = 500

/** What playing needs of the rest of the door. */
export interface PlayingOptions {
  readonly clock: Clock
  readonly ledger: Ledger
  readonly wishes: Wishes
  readonly isUp: () => boolean
  tell(event: PbxEvent): void
  /** Asterisk says that it has no such leg. */
  onMissing(leg: LegId): void
}

/** Sounds spoken to legs: from the wish to exactly one end, even where Asterisk never tells one. */
export class Playing {
  readonly #options: PlayingOptions

  constructor(options: PlayingOptions) {
    this.#options = options
  }

  play(id: PlaybackId, leg: LegId, sounds: readonly Sound[]): void {
    const { clock, ledger } = this.#options
    const known = ledger.legs.get(leg)
    if (!known || ledger.playbacks.has(id)) return
    const durationMs = sounds.reduce((sum, sound) => sum + sound.durationMs, 0)
    known.playsUntilMs = Math.max(clock.nowMs(), known.playsUntilMs) + durationMs
    const endsAtMs = known.playsUntilMs
    const playback: Playback = {
      id,
      leg,
      durationMs,
      endsAtMs,
      sent: false,
      started: false,
      stopAsked: false,
      watch: undefined,
    }
    ledger.addPlayback(playback, known)
    this.#watch(playback)
    this.#send(playback, sounds)
  }

  stop(id: PlaybackId): void {
    const playback = this.#options.ledger.playbacks.get(id)
    if (!playback || playback.stopAsked) return
    playback.stopAsked = true
    this.#askToStop(id)
  }

  /** After a gap: `gone` are those that Asterisk has no more, whose end nobody told. */
  settle(gone: ReadonlySet<PlaybackId>): void {
    const { clock, ledger } = this.#options
    const nowMs = clock.nowMs()
    for (const playback of [...ledger.playbacks.values()]) {
      if (!gone.has(playback.id)) this.#watch(playback)
      else this.#end(playback, nowMs >= playback.endsAtMs - NEARLY_MS ? 'finished' : 'failed')
    }
  }

  #send(playback: Playback, sounds: readonly Sound[]): void {
    const { ledger, wishes, onMissing } = this.#options
    const { id: playbackId, leg: channelId } = playback
    const media = sounds.map(({ file }) => `sound:${file}`)
    const isUnsent = () => ledger.playbacks.has(playbackId) && !playback.sent && !playback.stopAsked
    const args = { channelId, playbackId, media }
    wishes.make(isUnsent, 'POST /channels/{channelId}/play/{playbackId}', args, (answer) => {
      // Nobody wants to hear a sentence twice: only what certainly did not arrive is sent again.
      playback.sent = !('heard' in answer && answer.heard === 'no')
      if (answer.ok || answer.status === 0) return
      if (answer.status === 404) onMissing(channelId)
      else this.#end(playback, 'failed')
    })
  }

  #askToStop(playbackId: PlaybackId): void {
    const isOn = () => this.#options.ledger.playbacks.has(playbackId)
    this.#options.wishes.make(isOn, 'DELETE /playbacks/{playbackId}', { playbackId })
  }

  #watch(playback: Playback): void {
    const { clock, isUp } = this.#options
    const nowMs = clock.nowMs()
    const endsAtMs = Math.max(playback.endsAtMs, nowMs + playback.durationMs)
    playback.watch?.cancel()
    playback.watch = clock.schedule(endsAtMs + GRACE_MS, () => {
      // While nobody can look, nobody can know: `settle` decides.
      if (!isUp()) return
      this.#askToStop(playback.id)
      this.#end(playback, 'failed')
    })
  }

  #end({ id, leg, stopAsked }: Playback, result: 'finished' | 'failed'): void {
    const { ledger, tell } = this.#options
    if (!ledger.playbacks.has(id)) return
    ledger.endPlayback(id)
    tell({ type: 'playback.ended', leg, playback: id, result: stopAsked ? 'stopped' : result })
  }
}
