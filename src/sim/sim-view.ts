import type { BridgeId, LegId, PlaybackId, RecordingId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { SimBridge } from './sim-bridge.ts'
import { arrivalOf } from './sim-leg.ts'
import type { SimSwitch } from './sim-switch.ts'

/** Recordings with a reported end, to report none twice. */
const TAPED_MAX = 1_000

interface Believed {
  /** Of an earlier engine: it is unknown whether it still exists. */
  isExpected: boolean
  isAnswered: boolean
  /** Machine detection runs, without a verdict so far. */
  isDetecting: boolean
  bridge: BridgeId | undefined
  /** Requested, without a reported end. */
  readonly playbacks: Set<PlaybackId>
}

/** What the client was told. After a gap the difference to the truth is reported, as the ARI adapter does. */
export class SimView {
  readonly #legs = new Map<LegId, Believed>()
  readonly #bridges = new Set<BridgeId>()
  readonly #recordings = new Set<RecordingId>()
  readonly #taped = new Set<RecordingId>()
  /** Within how many milliseconds a packet is to come; nothing was told so far. */
  readonly soundChecks = new Map<LegId, number | undefined>()

  knows(leg: LegId): boolean {
    return this.#legs.has(leg)
  }

  /** A leg with this id was requested: it will have exactly one end, even if its beginning was not seen. */
  asked(leg: LegId): void {
    if (this.#legs.has(leg)) return
    const nothing = { isExpected: false, isAnswered: false, isDetecting: false, bridge: undefined }
    this.#legs.set(leg, { ...nothing, playbacks: new Set() })
  }

  /** An earlier engine requested it. */
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

  /** False if its end was reported. */
  awaitsRecording(recording: RecordingId): boolean {
    if (this.#taped.has(recording)) return false
    this.#recordings.add(recording)
    return true
  }

  /** The bridge is ours from now on, also while it is empty. */
  opened(bridge: BridgeId): void {
    this.#bridges.add(bridge)
  }

  closed(bridge: BridgeId): void {
    this.#bridges.delete(bridge)
  }

  /** The leg was removed: if it joins again unseen, that is reported. */
  left(bridge: BridgeId, leg: LegId): void {
    const believed = this.#legs.get(leg)
    if (believed?.bridge === bridge) believed.bridge = undefined
  }

  playbacksOf(leg: LegId): readonly PlaybackId[] {
    return [...(this.#legs.get(leg)?.playbacks ?? [])]
  }

  /** Records an event. False: the port forbids to report it (a second end, or anything after the end). */
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

  /** The events that correct the view, in the order to report. Nothing is known yet of `doubtful` legs. */
  missed(pbx: SimSwitch, doubtful: ReadonlySet<LegId>): PbxEvent[] {
    const known = [...this.#legs].filter(([id]) => pbx.legs.has(id) || !doubtful.has(id))
    return [
      ...known.flatMap(([id, believed]) => missedOfKnown(id, believed, pbx)),
      ...[...this.#recordings].flatMap((id) => endOfRecording(id, pbx)),
      ...this.#strangers(pbx),
    ]
  }

  /** Also for a recording of an earlier engine. */
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
      case 'leg.heard':
      case 'leg.silent':
        return this.soundChecks.delete(event.leg)
      case 'leg.ended':
        this.soundChecks.delete(event.leg)
        return this.#legs.delete(event.leg)
      default:
        return true
    }
  }

  /** Unknown legs: callers who wait in silence, conversations, and orphans to close. */
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
    return [...found, ...alone.filter((leg) => leg.kind === 'arrived').map(arrivalOf)]
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

/** How a recording ended, if it did. A recording that the switch does not know never began. */
export function endOfRecording(recording: RecordingId, pbx: SimSwitch): PbxEvent[] {
  const known = pbx.recordings.get(recording)
  if (known && !known.end) return []
  const { atMs: _, ...how } = known?.end ?? {
    atMs: 0,
    result: 'failed' as const,
    why: 'the switch has no such recording',
  }
  return [{ type: 'recording.ended', recording, ...how }]
}
