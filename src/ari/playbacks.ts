import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import { type PlayOptions, QUIET_AFTER_MS, type Volume } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import type { AriContext } from './ari-context.ts'
import { type Leg, PART_MARK, type Playback } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import type { AriAnswer } from './operation.ts'

/** How much longer than its sounds a playback may take. Some never finish (asterisk.md 8, unknown schemes). */
const GRACE_MS = 10_000
/** Our choice: no prompt is longer. Ours waits behind that of an earlier engine, whose length is not known. */
const EARLIER_MAX_MS = 5 * 60_000

/** A playback that came this close to its end during a gap counts as heard. */
const NEARLY_MS = 500

/** Playbacks to legs and bridges: each ends exactly once, even if Asterisk reports no end. */
export class Playbacks {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #talk: TalkDetection

  constructor(context: AriContext, legs: Legs) {
    this.#context = context
    this.#legs = legs
    this.#talk = new TalkDetection(context)
  }

  /** To one leg, also while it is in a bridge: the others do not hear it (measured). With `bridge`, to all in it. */
  play(
    id: PlaybackId,
    leg: LegId,
    sounds: readonly Sound[],
    { bridge, hearsVoice = false }: PlayOptions & { readonly bridge?: BridgeId },
  ): void {
    const { clock, registry } = this.#context
    const known = registry.legs.get(leg)
    if (!known || registry.playbacks.has(id)) return
    const durationMs = sounds.reduce((sum, sound) => sum + sound.durationMs, 0)
    known.playsUntilMs = Math.max(clock.nowMs(), known.playsUntilMs) + durationMs
    const playback: Playback = {
      id,
      leg,
      ...(bridge && { bridge }),
      sounds,
      hearsVoice,
      durationMs,
      part: id,
      volume: 'full',
      at: { sound: 0, offsetMs: 0 },
      endsAtMs: known.playsUntilMs,
      sent: false,
      started: false,
      stopAsked: false,
      watch: undefined,
    }
    if (hearsVoice) this.#talk.begin(known, playback)
    registry.addPlayback(playback, known)
    this.#watch(playback)
    this.#send(playback)
  }

  stop(id: PlaybackId): void {
    const playback = this.#context.registry.playbacks.get(id)
    if (!playback || playback.stopAsked) return
    playback.stopAsked = true
    this.#askToStop(playback)
  }

  /**
   * Another playback goes on where this one is. `VOLUME` cannot do it: Asterisk sets no variable of a channel while it
   * plays, and all requests behind wait as long (measured, 22.10.1). Pausing would leave a caller in silence if the
   * engine died meanwhile.
   */
  setVolume(id: PlaybackId, volume: Volume): void {
    const playback = this.#context.registry.playbacks.get(id)
    if (!playback?.started || playback.stopAsked || playback.volume === volume) return
    if (playback.sounds.some(({ quietFile }) => quietFile === undefined)) return
    const { sound, offsetMs, sinceMs } = playback.at
    const playedMs = sinceMs === undefined ? 0 : this.#context.clock.nowMs() - sinceMs
    this.#askToStop(playback)
    const count = Number(playback.part.split(PART_MARK)[1] ?? 0) + 1
    playback.part = `${id}${PART_MARK}${count}` as PlaybackId
    playback.volume = volume
    playback.at = { sound, offsetMs: Math.min(offsetMs + playedMs, playback.sounds[sound]!.durationMs) }
    playback.sent = false
    this.#send(playback)
  }

  /** Asterisk begins with a sound: the first of a part, or the next one. */
  sounding(playback: Playback): void {
    const { sound, offsetMs, sinceMs } = playback.at
    const nowMs = this.#context.clock.nowMs()
    const next = Math.min(sound + 1, playback.sounds.length - 1)
    playback.at =
      sinceMs === undefined ? { sound, offsetMs, sinceMs: nowMs } : { sound: next, offsetMs: 0, sinceMs: nowMs }
    const leg = this.#context.registry.legs.get(playback.leg)
    if (leg?.mayPlayEarlier) this.#earlierIsOver(leg)
  }

  /** What an earlier engine played has ended: ours begin now, one behind the other. */
  #earlierIsOver(leg: Leg): void {
    const { clock, registry } = this.#context
    leg.mayPlayEarlier = false
    leg.playsUntilMs = clock.nowMs()
    for (const id of leg.playbacks) {
      const playback = registry.playbacks.get(id)!
      leg.playsUntilMs += playback.durationMs
      playback.endsAtMs = leg.playsUntilMs
      this.#watch(playback)
    }
  }

  /** A playback has ended. */
  played({ leg }: Playback): void {
    const known = this.#context.registry.legs.get(leg)
    if (known) this.#talk.end(known)
  }

  /** Playbacks that only the leg hears. */
  stopAllTo({ playbacks }: Leg): void {
    for (const id of playbacks) if (!this.#context.registry.playbacks.get(id)?.bridge) this.stop(id)
  }

  /** After a gap: `gone` are the parts that Asterisk no longer has. */
  settle(gone: ReadonlySet<PlaybackId>): void {
    const { clock, registry } = this.#context
    const nowMs = clock.nowMs()
    for (const playback of [...registry.playbacks.values()]) {
      if (!gone.has(playback.part)) this.#watch(playback)
      else this.#end(playback, nowMs >= playback.endsAtMs - NEARLY_MS ? 'finished' : 'failed')
    }
  }

  #send(playback: Playback): void {
    const { registry, commands } = this.#context
    const { part: playbackId, leg: channelId, bridge: bridgeId, at, volume } = playback
    const media = playback.sounds
      .slice(at.sound)
      .map(({ file, quietFile }) => `sound:${volume === 'quiet' ? quietFile : file}`)
    const args = { playbackId, media, ...(at.offsetMs > 0 && { offsetms: Math.round(at.offsetMs) }) }
    const isUnsent = () => registry.playing(playbackId) !== undefined && !playback.sent && !playback.stopAsked
    const then = (answer: AriAnswer) => {
      if (playback.part !== playbackId) return
      // A caller must not hear a sentence twice: only requests that certainly did not arrive are sent again.
      playback.sent = !('heard' in answer && answer.heard === 'no')
      if (answer.ok || answer.status === 0) return
      if (answer.status === 404 && !bridgeId) this.#legs.missing(channelId)
      else this.#end(playback, 'failed')
    }
    if (bridgeId) commands.send(isUnsent, 'POST /bridges/{bridgeId}/play/{playbackId}', { bridgeId, ...args }, then)
    else commands.send(isUnsent, 'POST /channels/{channelId}/play/{playbackId}', { channelId, ...args }, then)
  }

  #askToStop({ part: playbackId, id }: Playback): void {
    const isOn = () => this.#context.registry.playbacks.has(id)
    this.#context.commands.send(isOn, 'DELETE /playbacks/{playbackId}', { playbackId })
  }

  #watch(playback: Playback): void {
    const { clock, isUp, registry } = this.#context
    const nowMs = clock.nowMs()
    const endsAtMs = Math.max(playback.endsAtMs, nowMs + playback.durationMs)
    const graceMs = registry.legs.get(playback.leg)?.mayPlayEarlier ? EARLIER_MAX_MS : GRACE_MS
    playback.watch?.cancel()
    playback.watch = clock.schedule(endsAtMs + graceMs, () => {
      // Without a connection the state is unknown: `settle` decides.
      if (!isUp()) return
      this.#askToStop(playback)
      this.#end(playback, 'failed')
    })
  }

  #end(playback: Playback, result: 'finished' | 'failed'): void {
    const { registry, emit } = this.#context
    const { id, leg, stopAsked } = playback
    if (!registry.playbacks.has(id)) return
    registry.endPlayback(id)
    this.played(playback)
    emit({ type: 'playback.ended', leg, playback: id, result: stopAsked ? 'stopped' : result })
  }
}

/**
 * The mean of the samples of 20 ms from which Asterisk hears a sound: its default, -42 dB of full scale. Measured with
 * 22.10.1: speech of -40 dBm0 is heard, the noise of a line below -45 dBm0 is not, nor is our own prompt, 26 dB below.
 */
const LOUD_ENOUGH = 256

/**
 * Asterisk's talk detection, on while a playback wants it. It is set only while nothing plays: Asterisk carries out no
 * request to a channel that plays, and all requests behind it wait as long (measured, 22.10.1).
 */
class TalkDetection {
  readonly #context: AriContext

  constructor(context: AriContext) {
    this.#context = context
  }

  /** For a playback that is about to be asked for. */
  begin(leg: Leg, playback: Playback): void {
    const { registry } = this.#context
    const plays = [...leg.playbacks].some((id) => !registry.playbacks.get(id)?.stopAsked)
    if (leg.detectsTalk || leg.mayPlayEarlier || plays) return
    leg.detectsTalk = true
    const isBefore = () => registry.playbacks.has(playback.id) && !playback.sent && !playback.stopAsked
    this.#ask(leg, isBefore, 'set', `${QUIET_AFTER_MS},${LOUD_ENOUGH}`)
  }

  /** A playback of the leg has ended. The last one takes detection with it. */
  end(leg: Leg): void {
    if (!leg.detectsTalk || leg.playbacks.size > 0) return
    leg.detectsTalk = false
    this.#ask(leg, () => this.#context.registry.legs.has(leg.id) && leg.playbacks.size === 0, 'remove', '')
  }

  #ask({ id: channelId }: Leg, isWorthwhile: () => boolean, act: 'set' | 'remove', value: string): void {
    const args = { channelId, variable: `TALK_DETECT(${act})`, value }
    this.#context.commands.send(isWorthwhile, 'POST /channels/{channelId}/variable', args)
  }
}
