import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { Sound } from '../ports/speech.ts'
import type { AriContext } from './ari-context.ts'
import type { Leg, Playback } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import type { AriAnswer } from './operation.ts'

/** How much longer than its sounds a playback may take. Some never finish (asterisk.md 8, unknown schemes). */
const GRACE_MS = 10_000

/** A playback that came this close to its end during a gap counts as heard. */
const NEARLY_MS = 500

/** Playbacks to legs and bridges: each ends exactly once, even if Asterisk reports no end. */
export class Playbacks {
  readonly #context: AriContext
  readonly #legs: Legs

  constructor(context: AriContext, legs: Legs) {
    this.#context = context
    this.#legs = legs
  }

  /** To one leg, also while it is in a bridge: the others do not hear it (measured). With `bridge`, to all in it. */
  play(id: PlaybackId, leg: LegId, sounds: readonly Sound[], bridge?: BridgeId): void {
    const { clock, registry } = this.#context
    const known = registry.legs.get(leg)
    if (!known || registry.playbacks.has(id)) return
    const durationMs = sounds.reduce((sum, sound) => sum + sound.durationMs, 0)
    known.playsUntilMs = Math.max(clock.nowMs(), known.playsUntilMs) + durationMs
    const playback: Playback = {
      id,
      leg,
      ...(bridge && { bridge }),
      durationMs,
      endsAtMs: known.playsUntilMs,
      sent: false,
      started: false,
      stopAsked: false,
      watch: undefined,
    }
    registry.addPlayback(playback, known)
    this.#watch(playback)
    this.#send(playback, sounds)
  }

  stop(id: PlaybackId): void {
    const playback = this.#context.registry.playbacks.get(id)
    if (!playback || playback.stopAsked) return
    playback.stopAsked = true
    this.#askToStop(id)
  }

  /** Playbacks that only the leg hears. */
  stopAllTo({ playbacks }: Leg): void {
    for (const id of playbacks) if (!this.#context.registry.playbacks.get(id)?.bridge) this.stop(id)
  }

  /** After a gap: `gone` are those that Asterisk no longer has. */
  settle(gone: ReadonlySet<PlaybackId>): void {
    const { clock, registry } = this.#context
    const nowMs = clock.nowMs()
    for (const playback of [...registry.playbacks.values()]) {
      if (!gone.has(playback.id)) this.#watch(playback)
      else this.#end(playback, nowMs >= playback.endsAtMs - NEARLY_MS ? 'finished' : 'failed')
    }
  }

  #send(playback: Playback, sounds: readonly Sound[]): void {
    const { registry, commands } = this.#context
    const { id: playbackId, leg: channelId, bridge: bridgeId } = playback
    const media = sounds.map(({ file }) => `sound:${file}`)
    const isUnsent = () => registry.playbacks.has(playbackId) && !playback.sent && !playback.stopAsked
    const then = (answer: AriAnswer) => {
      // A caller must not hear a sentence twice: only requests that certainly did not arrive are sent again.
      playback.sent = !('heard' in answer && answer.heard === 'no')
      if (answer.ok || answer.status === 0) return
      if (answer.status === 404 && !bridgeId) this.#legs.missing(channelId)
      else this.#end(playback, 'failed')
    }
    if (bridgeId)
      commands.send(isUnsent, 'POST /bridges/{bridgeId}/play/{playbackId}', { bridgeId, playbackId, media }, then)
    else commands.send(isUnsent, 'POST /channels/{channelId}/play/{playbackId}', { channelId, playbackId, media }, then)
  }

  #askToStop(playbackId: PlaybackId): void {
    const isOn = () => this.#context.registry.playbacks.has(playbackId)
    this.#context.commands.send(isOn, 'DELETE /playbacks/{playbackId}', { playbackId })
  }

  #watch(playback: Playback): void {
    const { clock, isUp } = this.#context
    const nowMs = clock.nowMs()
    const endsAtMs = Math.max(playback.endsAtMs, nowMs + playback.durationMs)
    playback.watch?.cancel()
    playback.watch = clock.schedule(endsAtMs + GRACE_MS, () => {
      // Without a connection the state is unknown: `settle` decides.
      if (!isUp()) return
      this.#askToStop(playback.id)
      this.#end(playback, 'failed')
    })
  }

  #end({ id, leg, stopAsked }: Playback, result: 'finished' | 'failed'): void {
    const { registry, emit } = this.#context
    if (!registry.playbacks.has(id)) return
    registry.endPlayback(id)
    emit({ type: 'playback.ended', leg, playback: id, result: stopAsked ? 'stopped' : result })
  }
}
