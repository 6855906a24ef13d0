import type { Clock } from '../kernel/clock.ts'
import type { BridgeId, LegId, PlaybackId } from '../kernel/ids.ts'
import type { PbxEvent } from '../ports/pbx.ts'
import type { Sound } from '../ports/speech.ts'
import { SimBridge } from './sim-bridge.ts'
import type { SimLeg } from './sim-leg.ts'
import { SimOverhearing } from './sim-overhearing.ts'
import type { PlaybackResult } from './sim-player.ts'

interface SimBridgesOptions {
  readonly clock: Clock
  readonly isPlayable: (sound: Sound) => boolean
  readonly refuses: (leg: SimLeg) => boolean
  readonly emit: (event: PbxEvent) => void
  readonly joined: (bridge: SimBridge) => void
  readonly played: (playback: PlaybackId, leg: LegId, result: PlaybackResult) => void
}

/** The bridges of the simulated switch, and which leg is in which. */
export class SimBridges {
  readonly all = new Map<BridgeId, SimBridge>()
  readonly overhearing: SimOverhearing
  readonly #options: SimBridgesOptions

  constructor(options: SimBridgesOptions) {
    this.#options = options
    this.overhearing = new SimOverhearing(this.all, options.emit)
  }

  /**
   * All legs or none: Asterisk refuses the whole list when one leg is gone or still rings (asterisk.md 7). False: it
   * refused.
   */
  bridge(id: BridgeId, legs: readonly (SimLeg | undefined)[]): boolean {
    if (!this.all.has(id)) this.all.set(id, this.#newBridge(id))
    const isLetIn = (leg: SimLeg | undefined) => leg !== undefined && canJoin(leg) && !this.#options.refuses(leg)
    if (!legs.every(isLetIn)) return false
    for (const leg of legs as SimLeg[]) leg.player.afterPrompts(() => this.#join(id, leg))
    return true
  }

  close(id: BridgeId): void {
    const bridge = this.all.get(id)
    if (!bridge) return
    for (const leg of bridge.members) bridge.leave(leg)
    this.all.delete(id)
    bridge.close()
    this.overhearing.changed()
  }

  /** False: the switch refused. What is gone is asked for in vain, and its end is told. */
  join(id: BridgeId, leg: SimLeg | undefined): boolean {
    if (!leg || !this.all.has(id)) return true
    if (!canJoin(leg) || this.#options.refuses(leg)) return false
    leg.player.afterPrompts(() => this.#join(id, leg))
    return true
  }

  leave(leg: SimLeg): void {
    if (leg.bridge !== undefined) this.all.get(leg.bridge)?.leave(leg)
    this.overhearing.changed()
  }

  gone(leg: SimLeg): void {
    this.leave(leg)
    this.overhearing.gone(leg)
  }

  /** A leg that joins a bridge leaves any other. */
  #join(id: BridgeId, leg: SimLeg): void {
    const bridge = this.all.get(id)
    if (!bridge || bridge.members.has(leg)) return
    this.leave(leg)
    this.overhearing.end(leg)
    bridge.join(leg)
    this.overhearing.changed()
    this.#options.joined(bridge)
    this.#options.emit({ type: 'bridge.joined', bridge: id, leg: leg.id })
  }

  #newBridge(id: BridgeId): SimBridge {
    const { clock, isPlayable, emit, played } = this.#options
    return new SimBridge(clock, id, {
      isPlayable,
      started: (playback, leg) => emit({ type: 'playback.started', leg, playback }),
      ended: (playback, leg, result) => played(playback, leg, result),
    })
  }
}

/** Asterisk adds callers and answered legs. */
function canJoin({ isUp, kind }: SimLeg): boolean {
  return isUp || kind === 'arrived'
}

/** Nobody hears the leg, or all in its bridge hear it again. */
export function mute(leg: SimLeg | undefined, isMuted: boolean, bridges: ReadonlyMap<BridgeId, SimBridge>): void {
  if (!leg || isMuted === (leg.isMuted ?? false)) return
  leg.isMuted = isMuted
  const bridge = leg.bridge === undefined ? undefined : bridges.get(leg.bridge)
  if (isMuted) bridge?.hush(leg)
  else if (!leg.holder.isSilent) bridge?.unhush(leg)
}
