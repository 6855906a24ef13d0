import type { AtMs, Timer } from '../kernel/clock.ts'
import type { BridgeId, LegId, PlaybackId, RecordingId, SideName } from '../kernel/ids.ts'

/** A leg that we know and that has not ended. */
export interface Leg {
  readonly id: LegId
  /** `arrived`: somebody called in. `dialed`: we rang. They end by different events (asterisk.md 7). */
  readonly kind: 'arrived' | 'dialed'
  rang: boolean
  answered: boolean
  /** While its channel is being made and nothing has left the switch: what will be asked when it is there. */
  unsent: { readonly ringTimeoutMs: number } | undefined
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
  /** Whether it is being judged, or may be because an earlier engine wished it. */
  awaitsVerdict: boolean
  /** Gives up when no verdict comes. */
  machineDetection: Timer | undefined
}

/** A playback whose end was not told yet. */
export interface Playback {
  readonly id: PlaybackId
  readonly leg: LegId
  /** Everybody in this bridge hears it; absent: the leg alone. */
  readonly bridge?: BridgeId
  readonly durationMs: number
  /** When it should be over, given what plays before it on this leg. */
  readonly endsAtMs: AtMs
  /** Whether Asterisk has got the request, or may have. */
  sent: boolean
  started: boolean
  stopAsked: boolean
  watch: Timer | undefined
}

/** Legs that hear each other, as we wished it. Open until it is closed, also with nobody in it. */
export interface Bridge {
  readonly id: BridgeId
  readonly legs: Set<LegId>
  /** Those of `legs` of whom Asterisk said that they are in it. */
  readonly joined: Set<LegId>
}

/** One channel of a recording: what listens to the leg, and the file that it fills. */
export interface Side {
  readonly name: SideName
  readonly spy: 'in' | 'out'
  /**
   * How far it is: its listener was `wished`, `made` as Asterisk answered, is `here` in our application; its file was
   * `asked` for, and is `on` when that was answered.
   */
  step: 'wished' | 'made' | 'here' | 'asked' | 'on'
  /** `why`: it failed. */
  end: { readonly why: string | undefined } | undefined
}

/** A recording whose end was not told yet. */
export interface Recording {
  readonly id: RecordingId
  readonly sides: readonly [left: Side, right: Side]
  watch: Timer | undefined
}

/** Ended things that are remembered, so that an event that comes twice or late does not raise one from the dead. */
const ENDED_MAX = 5_000

/**
 * What we know of Asterisk: legs, playbacks, recordings and bridges that have begun and not ended. A leg leaves with
 * all that belongs to it, so the ledger is as large as the calls that are on.
 */
export class ChannelRegistry {
  readonly legs = new Map<LegId, Leg>()
  readonly playbacks = new Map<PlaybackId, Playback>()
  readonly bridges = new Map<BridgeId, Bridge>()
  readonly recordings = new Map<RecordingId, Recording>()
  readonly #ended = new Set<LegId | RecordingId>()

  addLeg(id: LegId, kind: Leg['kind'], answered = false): Leg {
    const leg: Leg = {
      id,
      kind,
      rang: false,
      answered,
      unsent: undefined,
      hangUpAsked: false,
      hangUpCause: undefined,
      playsUntilMs: 0,
      playbacks: new Set(),
      bridge: undefined,
      watch: undefined,
      awaitsVerdict: false,
      machineDetection: undefined,
    }
    this.legs.set(id, leg)
    return leg
  }

  /** Forgets a leg and what belongs to it. The end of a leg we never met is remembered as well. */
  endLeg(id: LegId): void {
    this.#remember(id)
    const leg = this.legs.get(id)
    if (!leg) return
    this.takeOut(leg)
    this.legs.delete(id)
    leg.watch?.cancel()
    leg.machineDetection?.cancel()
    for (const playback of leg.playbacks) this.endPlayback(playback)
  }

  hasEnded(id: LegId | RecordingId): boolean {
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

  /** The bridge of this name, opened when it was not. */
  openBridge(id: BridgeId): Bridge {
    const bridge = this.bridges.get(id) ?? { id, legs: new Set(), joined: new Set() }
    this.bridges.set(id, bridge)
    return bridge
  }

  /** A leg is in one bridge at a time. */
  putInto({ id, legs }: Bridge, leg: Leg): void {
    if (leg.bridge === id) return
    this.takeOut(leg)
    legs.add(leg.id)
    leg.bridge = id
  }

  takeOut(leg: Leg): void {
    const bridge = leg.bridge && this.bridges.get(leg.bridge)
    leg.bridge = undefined
    bridge?.legs.delete(leg.id)
    bridge?.joined.delete(leg.id)
  }

  closeBridge(id: BridgeId): void {
    for (const leg of this.bridges.get(id)?.legs ?? []) {
      const known = this.legs.get(leg)
      if (known) known.bridge = undefined
    }
    this.bridges.delete(id)
  }

  addRecording(recording: Recording): void {
    this.recordings.set(recording.id, recording)
  }

  endRecording(id: RecordingId): void {
    this.#remember(id)
    this.recordings.get(id)?.watch?.cancel()
    this.recordings.delete(id)
  }

  /** Forgets everything and stops looking after it. */
  clear(): void {
    for (const id of [...this.legs.keys()]) this.endLeg(id)
    for (const id of [...this.recordings.keys()]) this.endRecording(id)
    this.bridges.clear()
  }

  #remember(id: LegId | RecordingId): void {
    this.#ended.add(id)
    // The oldest of a set that is not empty.
    if (this.#ended.size > ENDED_MAX) this.#ended.delete(this.#ended.values().next().value!)
  }
}
