import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { SimLeg, SimSwitch } from './sim-switch.ts'

/** What our side believes of one leg. */
interface Believed {
  isAnswered: boolean
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

  /** We asked for a leg under this name: it will have exactly one end, even if nobody saw it begin. */
  asked(leg: LegId): void {
    if (!this.#legs.has(leg)) this.#legs.set(leg, { isAnswered: false, bridge: undefined, playbacks: new Set() })
  }

  askedToPlay(playback: PlaybackId, leg: LegId): void {
    this.#legs.get(leg)?.playbacks.add(playback)
  }

  /** What was asked to be played to a leg and is not known to have ended. */
  playbacksOf(leg: LegId): readonly PlaybackId[] {
    return [...(this.#legs.get(leg)?.playbacks ?? [])]
  }

  /** Takes note of a fact. False: the port forbids to tell it (a second end, or anything after the end). */
  takes(event: PbxEvent): boolean {
    if (event.type === 'bridge.found') for (const leg of event.legs) this.asked(leg)
    if (!('leg' in event)) return true
    if (event.type === 'leg.arrived') this.asked(event.leg)
    const believed = this.#legs.get(event.leg)
    if (!believed) return false
    if (event.type === 'leg.answered') believed.isAnswered = true
    if (event.type === 'bridge.joined') believed.bridge = event.bridge
    if (event.type === 'playback.ended') return believed.playbacks.delete(event.playback)
    if (event.type === 'leg.ended') this.#legs.delete(event.leg)
    return true
  }

  /** The facts that make our view true again, in the order in which they are to be told. */
  missed(pbx: SimSwitch): PbxEvent[] {
    const known = [...this.#legs].flatMap(([id, believed]) => missedOfKnown(id, believed, pbx))
    return [...known, ...this.#strangers(pbx)]
  }

  /** Legs nobody here knows: they wait in silence, talk to each other, or belong to nobody and are closed. */
  #strangers(pbx: SimSwitch): PbxEvent[] {
    const unknown = new Set([...pbx.legs.values()].filter((leg) => !this.#legs.has(leg.id)))
    const talking = [...pbx.bridges].filter(
      ([, members]) => members.size > 1 && [...members].every((leg) => unknown.has(leg)),
    )
    const found = talking.map(([bridge, members]): PbxEvent => {
      return { type: 'bridge.found', bridge, legs: [...members].map((leg) => leg.id) }
    })
    const alone = [...unknown].filter((leg) => !talking.some(([, members]) => members.has(leg)))
    for (const leg of alone) if (leg.kind === 'dialed') pbx.hangUp(leg.id)
    return [...found, ...alone.filter((leg) => leg.kind === 'arrived').map(arrival)]
  }
}

function missedOfKnown(id: LegId, believed: Believed, pbx: SimSwitch): PbxEvent[] {
  const leg = pbx.legs.get(id)
  if (!leg) return [{ type: 'leg.ended', leg: id, reason: 'lost' }]
  const missed: PbxEvent[] = []
  for (const playback of believed.playbacks) {
    if (!pbx.playbacks.has(playback)) missed.push({ type: 'playback.ended', leg: id, playback, result: 'failed' })
  }
  if (leg.isUp && !believed.isAnswered) missed.push({ type: 'leg.answered', leg: id })
  if (leg.bridge !== undefined && leg.bridge !== believed.bridge) {
    missed.push({ type: 'bridge.joined', bridge: leg.bridge, leg: id })
  }
  return missed
}

function arrival({ id, called, caller }: SimLeg): PbxEvent {
  return { type: 'leg.arrived', leg: id, called, ...(caller === undefined ? {} : { caller }) }
}
