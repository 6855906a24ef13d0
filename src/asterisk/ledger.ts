import type { AtMs, Timer } from '../kernel/clock.ts'
import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'

/** A leg that we know and that has not ended. */
export interface Leg {
  readonly id: LegId
  /** `arrived`: somebody called in. `dialed`: we rang. They end by different events (asterisk.md 7). */
  readonly kind: 'arrived' | 'dialed'
  rang: boolean
  answered: boolean
  /** Whether we wished its end. */
  hangUpAsked: boolean
  /** Q.850 cause of the hang-up that is under way; 0 when it has none. The end follows within moments. */
  hangUpCause: number | undefined
  /** When everything asked so far will have been played: playbacks of one leg queue up behind each other. */
  playsUntilMs: AtMs
  readonly playbacks: Set<PlaybackId>
  /** The latest bridge it was put into. */
  bridge: BridgeId | undefined
  /** Looks after the leg when an event that should come does not. */
  watch: Timer | undefined
}

/** A playback whose end was not told yet. */
export interface Playback {
  readonly id: PlaybackId
  readonly leg: LegId
  readonly durationMs: number
  /** When it should be over, given what plays before it on this leg. */
  readonly endsAtMs: AtMs
  /** Whether Asterisk has got the request, or may have. */
  sent: boolean
  started: boolean
  stopAsked: boolean
  watch: Timer | undefined
}

/** Legs that hear each other, as we wished it. */
export interface Bridge {
  readonly id: BridgeId
  readonly legs: readonly LegId[]
  readonly joined: Set<LegId>
}

/** Ended legs that are remembered, so that an event that comes twice or late does not raise one from the dead. */
const ENDED_MAX = 1_000

/**
 * What we know of Asterisk: legs, playbacks and bridges that have begun and not ended. A leg leaves with all that
 * belongs to it, so the ledger is as large as the calls that are on.
 */
export class Ledger {
  readonly legs = new Map<LegId, Leg>()
  readonly playbacks = new Map<PlaybackId, Playback>()
  readonly bridges = new Map<BridgeId, Bridge>()
  readonly #ended = new Set<LegId>()

  addLeg(id: LegId, kind: Leg['kind'], answered = false): Leg {
    const leg: Leg = {
      id,
      kind,
      rang: false,
      answered,
      hangUpAsked: false,
      hangUpCause: undefined,
      playsUntilMs: 0,
      playbacks: new Set(),
      bridge: undefined,
      watch: undefined,
    }
    this.legs.set(id, leg)
    return leg
  }

  /** Forgets a leg and what belongs to it. The end of a leg we never met is remembered as well. */
  endLeg(id: LegId): void {
    this.#ended.add(id)
    if (this.#ended.size > ENDED_MAX) this.#ended.delete(this.#ended.values().next().value!)
    const leg = this.legs.get(id)
    if (!leg) return
    this.legs.delete(id)
    leg.watch?.cancel()
    for (const playback of leg.playbacks) this.endPlayback(playback)
    const bridge = leg.bridge && this.bridges.get(leg.bridge)
    if (bridge && !bridge.legs.some((other) => this.legs.has(other))) this.bridges.delete(bridge.id)
  }

  hasEnded(id: LegId): boolean {
    return this.#ended.has(id)
  }

  addPlayback(playback: Playback, leg: Leg): void {
    this.playbacks.set(playback.id, playback)
    leg.playbacks.add(playback.id)
  }

  endPlayback(id: PlaybackId): void {
    const playback = this.playbacks.get(id)
    if (!playback) return
    this.playbacks.delete(id)
    playback.watch?.cancel()
    this.legs.get(playback.leg)?.playbacks.delete(id)
  }

  addBridge(id: BridgeId, legs: readonly LegId[]): Bridge {
    const bridge: Bridge = { id, legs, joined: new Set() }
    this.bridges.set(id, bridge)
    for (const leg of legs) {
      const known = this.legs.get(leg)
      if (known) known.bridge = id
    }
    return bridge
  }

  /** Forgets everything and stops looking after it. */
  clear(): void {
    for (const id of [...this.legs.keys()]) this.endLeg(id)
    this.bridges.clear()
  }
}
