import type { AtMs, Timer } from '../kernel/clock.ts'
import {
  type BridgeId,
  type LegId,
  OUR_PREFIX,
  type PlaybackId,
  type RecordingId,
  type SideName,
} from '../kernel/ids.ts'
import type { Volume } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import { LegKeys } from './keys/leg-keys.ts'

export interface Leg {
  readonly id: LegId
  /** `arrived`: a caller. `dialed`: the engine rang it. They end by different events (asterisk.md 7). */
  readonly kind: 'arrived' | 'dialed'
  /** Of its SIP messages; known from its first event on. */
  callId: string | undefined
  rang: boolean
  answered: boolean
  codec: string | undefined
  /** The dial request to send once the channel exists, until then. While it is set, nothing has left the switch. */
  unsent: { readonly ringTimeoutMs: number; readonly untilAtMs: AtMs } | undefined
  hangUpAsked: boolean
  /** When it was answered without a codec in common: nobody will be heard. */
  soundlessAtMs: AtMs | undefined
  /** Q.850 cause of a hang-up that is under way; 0 when it has none. The end follows within moments. */
  hangUpCause: number | undefined
  /** When all playbacks so far will have ended: playbacks of one leg queue up behind each other. */
  playsUntilMs: AtMs
  readonly playbacks: Set<PlaybackId>
  /** Of an earlier engine: its prompt may still play, until one of ours begins. */
  mayPlayEarlier: boolean
  /** A moment of silence behind that prompt, and what is done when its turn has come. */
  turn: { readonly playback: string; came: () => void } | undefined
  /** Asterisk tells when the leg makes a sound. */
  detectsTalk: boolean
  readonly keys: LegKeys
  /** How many ears it had so far (`Ears`). */
  ears: number
  /** The latest bridge it was added to. */
  bridge: BridgeId | undefined
  /** How often it was put into a bridge: what was asked for before the last time is obsolete. */
  wishes: number
  /** How often it was taken out of a bridge, and not by us. */
  timesOut: number
  /** Asterisk refused to add it to this bridge: it is added again when the timer fires. */
  refused: { readonly by: BridgeId; readonly timer: Timer } | undefined
  /** Handles an end event that does not come. */
  watch: Timer | undefined
}

export interface Playback {
  readonly id: PlaybackId
  readonly leg: LegId
  /** All legs in this bridge hear it; absent: the leg alone. */
  readonly bridge?: BridgeId
  readonly sounds: readonly Sound[]
  readonly hearsVoice: boolean
  readonly durationMs: number
  /** Its name in Asterisk, where it becomes another playback with every change of its volume. */
  part: PlaybackId
  volume: Volume
  /** The sound that plays, and where in it the part began; `sinceMs` is absent until it has begun. */
  at: { readonly sound: number; readonly offsetMs: number; readonly sinceMs?: AtMs }
  /** When it should end, given what plays before it on this leg. */
  endsAtMs: AtMs
  /** Whether Asterisk has the request, or may have it. */
  sent: boolean
  started: boolean
  stopAsked: boolean
  watch: Timer | undefined
}

/** Legs that should hear each other. The bridge stays until it is closed, even when it is empty. */
export interface Bridge {
  readonly id: BridgeId
  readonly legs: Set<LegId>
  /** Those of `legs` that Asterisk reported to be in the bridge. */
  readonly joined: Set<LegId>
}

/** One direction of a recording: the snooping channel and its file. */
export interface Side {
  readonly name: SideName
  readonly spy: 'in' | 'out'
  /** Channel: `requested`, `made` (Asterisk answered), `here` (in our application); file: `asked`, `on` (answered). */
  step: 'requested' | 'made' | 'here' | 'asked' | 'on'
  /** `why` is set if it failed. */
  end: { readonly why: string | undefined } | undefined
}

export interface Recording {
  readonly id: RecordingId
  readonly sides: readonly [left: Side, right: Side]
  watch: Timer | undefined
}

/** Between the id of a playback and the number of a part of it. */
export const PART_MARK = '~'

/** Ended ids that are remembered, to ignore doubled and late events. */
const ENDED_MAX = 5_000

/** What began and has not ended. A leg is removed with all that belongs to it: current calls bound the size. */
export class ChannelRegistry {
  readonly legs = new Map<LegId, Leg>()
  readonly playbacks = new Map<PlaybackId, Playback>()
  readonly bridges = new Map<BridgeId, Bridge>()
  readonly recordings = new Map<RecordingId, Recording>()
  /** Legs that wait for the end of an earlier engine's prompt, by the name of the silence behind it. */
  readonly turns = new Map<string, Leg>()
  readonly #ended = new Set<LegId | RecordingId>()

  addLeg(id: LegId, kind: Leg['kind'], answered = false): Leg {
    const leg: Leg = {
      id,
      kind,
      callId: undefined,
      rang: false,
      answered,
      ears: 0,
      codec: undefined,
      unsent: undefined,
      hangUpAsked: false,
      soundlessAtMs: undefined,
      hangUpCause: undefined,
      playsUntilMs: 0,
      playbacks: new Set(),
      mayPlayEarlier: answered,
      turn: undefined,
      detectsTalk: false,
      keys: new LegKeys(),
      bridge: undefined,
      wishes: 0,
      timesOut: 0,
      refused: undefined,
      watch: undefined,
    }
    this.legs.set(id, leg)
    return leg
  }

  /** Removes a leg and what belongs to it. The end of an unknown leg is remembered as well. */
  endLeg(id: LegId): void {
    this.#remember(id)
    const leg = this.legs.get(id)
    if (!leg) return
    this.takeOut(leg)
    this.legs.delete(id)
    leg.watch?.cancel()
    if (leg.turn) this.turns.delete(leg.turn.playback)
    for (const playback of leg.playbacks) this.endPlayback(playback)
  }

  hasEnded(id: LegId | RecordingId): boolean {
    return this.#ended.has(id)
  }

  addPlayback(playback: Playback, leg: Leg): void {
    this.playbacks.set(playback.id, playback)
    leg.playbacks.add(playback.id)
  }

  /** The playback of which Asterisk plays this part now. */
  playing(part: string): Playback | undefined {
    const playback = this.playbacks.get(part.split(PART_MARK)[0] as PlaybackId)
    return playback?.part === part ? playback : undefined
  }

  /** The silence of this name begins, or cannot be played: nothing plays to its leg any more. */
  turnCame(playback: string): void {
    const leg = this.turns.get(playback)
    this.turns.delete(playback)
    if (!leg?.turn) return
    const { came } = leg.turn
    Object.assign(leg, { turn: undefined, mayPlayEarlier: false })
    came()
  }

  endPlayback(id: PlaybackId): void {
    const playback = this.playbacks.get(id)
    if (!playback) return
    this.playbacks.delete(id)
    playback.watch?.cancel()
    this.legs.get(playback.leg)?.playbacks.delete(id)
  }

  /** The bridge with this id, created if needed. */
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
    leg.wishes++
  }

  /** Of an earlier engine: the leg is in the bridge already. */
  moveInto(id: BridgeId, legId: LegId): void {
    const leg = this.legs.get(legId)
    const bridge = this.openBridge(id)
    if (leg) this.putInto(bridge, leg)
    bridge.joined.add(legId)
  }

  takeOut(leg: Leg): void {
    leg.refused?.timer.cancel()
    leg.refused = undefined
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

  /** Empties the registry and cancels its timers. */
  clear(): void {
    for (const id of [...this.legs.keys()]) this.endLeg(id)
    for (const id of [...this.recordings.keys()]) this.endRecording(id)
    this.bridges.clear()
  }

  #remember(id: LegId | RecordingId): void {
    this.#ended.add(id)
    // The oldest entry of a set that is not empty.
    if (this.#ended.size > ENDED_MAX) this.#ended.delete(this.#ended.values().next().value!)
  }
}

/** Asterisk names the channels of callers; the engine names those that it rings. */
export function kindOf(leg: LegId): Leg['kind'] {
  return leg.startsWith(OUR_PREFIX) ? 'dialed' : 'arrived'
}
