import type { BridgeId, LegId, PlaybackId, RecordingId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { SimBridge } from './sim-bridge.ts'
import type { SimLeg } from './sim-leg.ts'
import type { SimSwitch } from './sim-switch.ts'

/** Recordings whose end was told are remembered, so that none has two. */
const TAPED_MAX = 1_000

/** What our side believes of one leg. */
interface Believed {
  /** Of an earlier engine: whether it is still there is not known yet. */
  isExpected: boolean
  isAnswered: boolean
  /** A machine is listened for, and no verdict was told. */
  isDetecting: boolean
  bridge: BridgeId | undefined
  /** Asked for, and not told to have ended. */
  readonly playbacks: Set<PlaybackId>
}

/**
 * What our side of the connection was told so far. After a gap it is compared with the truth, and the difference
 * is told as facts, like the ARI adapter does from the lists of channels and bridges (asterisk.md 10).
 */
export class SimView {
  readonly #legs = new Map<LegId, Believed>()
  readonly #bridges = new Set<BridgeId>()
  /** Asked for, and not told to have ended. */
  readonly #recordings = new Set<RecordingId>()
  readonly #taped = new Set<RecordingId>()

  knows(leg: LegId): boolean {
    return this.#legs.has(leg)
  }

  /** We asked for a leg under this name: it will have exactly one end, even if nobody saw it begin. */
  asked(leg: LegId): void {
    if (this.#legs.has(leg)) return
    const nothing = { isExpected: false, isAnswered: false, isDetecting: false, bridge: undefined }
    this.#legs.set(leg, { ...nothing, playbacks: new Set() })
  }

  /** An earlier engine asked for it. */
  expected(leg: LegId): void {
    this.asked(leg)
    const believed = this.#legs.get(leg)
    if (believed) believed.isExpected = true
  }

  askedToPlay(playback: PlaybackId, leg: LegId): void {
    this.#legs.get(leg)?.playbacks.add(playback)
  }

  askedToDetect(leg: LegId): void {
    const believed = this.#legs.get(leg)
    if (believed) believed.isDetecting = true
  }

  /** False: its end was told already. */
  awaitsRecording(recording: RecordingId): boolean {
    if (this.#taped.has(recording)) return false
    this.#recordings.add(recording)
    return true
  }

  /** A bridge is ours from now on, also while it is empty. */
  opened(bridge: BridgeId): void {
    this.#bridges.add(bridge)
  }

  closed(bridge: BridgeId): void {
    this.#bridges.delete(bridge)
  }

  /** We took a leg out: should it come in again unseen, that is news. */
  left(bridge: BridgeId, leg: LegId): void {
    const believed = this.#legs.get(leg)
    if (believed?.bridge === bridge) believed.bridge = undefined
  }

  /** What was asked to be played to a leg and is not known to have ended. */
  playbacksOf(leg: LegId): readonly PlaybackId[] {
    return [...(this.#legs.get(leg)?.playbacks ?? [])]
  }

  /** Takes note of a fact. False: the port forbids to tell it (a second end, or anything after the end). */
  takes(event: PbxEvent): boolean {
    if (event.type === 'recording.ended') return this.#takesTape(event.recording)
    if (event.type === 'bridge.found') {
      this.#bridges.add(event.bridge)
      for (const leg of event.legs) this.asked(leg)
    }
    if (!('leg' in event)) return true
    if (event.type === 'leg.arrived') this.asked(event.leg)
    const believed = this.#legs.get(event.leg)
    return believed !== undefined && this.#takesOf(believed, event)
  }

  /** The facts that make our view true again, in the order to be told. Of `doubtful` legs nothing is known yet. */
  missed(pbx: SimSwitch, doubtful: ReadonlySet<LegId>): PbxEvent[] {
    const known = [...this.#legs].filter(([id]) => pbx.legs.has(id) || !doubtful.has(id))
    return [
      ...known.flatMap(([id, believed]) => missedOfKnown(id, believed, pbx)),
      ...[...this.#recordings].flatMap((id) => endOfRecording(id, pbx)),
      ...this.#strangers(pbx),
    ]
  }

  /** Also one that an earlier engine began. */
  #takesTape(recording: RecordingId): boolean {
    if (this.#taped.has(recording)) return false
    this.#recordings.delete(recording)
    this.#taped.add(recording)
    if (this.#taped.size > TAPED_MAX) this.#taped.delete(this.#taped.values().next().value as RecordingId)
    return true
  }

  #takesOf(believed: Believed, event: PbxEvent & { readonly leg: LegId }): boolean {
    switch (event.type) {
      case 'leg.answered':
        believed.isAnswered = true
        return true
      case 'leg.found':
        believed.isExpected = false
        believed.isAnswered = event.isUp
        believed.bridge = event.bridge
        return true
      case 'leg.judged':
        if (!believed.isDetecting) return false
        believed.isDetecting = false
        return true
      case 'bridge.joined':
        believed.bridge = event.bridge
        return true
      case 'playback.ended':
        return believed.playbacks.delete(event.playback)
      case 'leg.ended':
        return this.#legs.delete(event.leg)
      default:
        return true
    }
  }

  /** Legs nobody here knows: they wait in silence, talk to each other, or belong to nobody and are closed. */
  #strangers(pbx: SimSwitch): PbxEvent[] {
    const unknown = new Set([...pbx.legs.values()].filter((leg) => !this.#legs.has(leg.id)))
    const isTalk = ({ members }: SimBridge) => members.size > 1 && [...members].every((leg) => unknown.has(leg))
    const foreign = [...pbx.bridges.values()].filter(({ id }) => !this.#bridges.has(id))
    const talks = foreign.filter(isTalk)
    const alone = [...unknown].filter((leg) => !talks.some(({ members }) => members.has(leg)))
    for (const { id, members } of foreign) if (members.size < 2) pbx.closeBridge(id)
    for (const leg of alone) if (leg.kind === 'dialed') pbx.hangUp(leg.id)
    const found = talks.map(({ id, members }): PbxEvent => {
      return { type: 'bridge.found', bridge: id, legs: [...members].map((leg) => leg.id) }
    })
    return [...found, ...alone.filter((leg) => leg.kind === 'arrived').map(arrival)]
  }
}

function missedOfKnown(id: LegId, believed: Believed, pbx: SimSwitch): PbxEvent[] {
  const leg = pbx.legs.get(id)
  if (!leg) return [{ type: 'leg.ended', leg: id, reason: 'lost' }]
  const { isUp, bridge } = leg
  if (believed.isExpected) return [{ type: 'leg.found', leg: id, isUp, ...(bridge !== undefined && { bridge }) }]
  const missed: PbxEvent[] = []
  for (const playback of believed.playbacks) {
    if (!pbx.playbacks.has(playback)) missed.push({ type: 'playback.ended', leg: id, playback, result: 'failed' })
  }
  if (isUp && !believed.isAnswered) missed.push({ type: 'leg.answered', leg: id })
  if (bridge !== undefined && bridge !== believed.bridge) missed.push({ type: 'bridge.joined', bridge, leg: id })
  return missed
}

/** How a recording ended, if it did. One that the switch knows nothing of was never begun. */
export function endOfRecording(recording: RecordingId, pbx: SimSwitch): PbxEvent[] {
  const known = pbx.recordings.get(recording)
  if (known && !known.end) return []
  const { result, why } = known?.end ?? { result: 'failed', why: 'the switch has no such recording' }
  return [{ type: 'recording.ended', recording, result, ...(why !== undefined && { why }) }]
}

function arrival({ id, called, caller }: SimLeg): PbxEvent {
  return { type: 'leg.arrived', leg: id, called, ...(caller === undefined ? {} : { caller }) }
}
