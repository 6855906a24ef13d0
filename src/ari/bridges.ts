import type { BridgeId, LegId } from '../kernel/ids.ts'
import type { AriContext } from './ari-context.ts'
import type { Bridge, Leg } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import type { Playing } from './playbacks.ts'

/**
 * Who hears whom. What still plays to a leg is stopped before it goes into a bridge: Asterisk lets it in only when
 * its playbacks are over, and answers no other request of ours until then (measured, 22.10.1: 2.5 s of standstill).
 * A leg that is on its way into the bridge, or in it, is not put into it again: it would go out first (measured).
 */
export class Bridging {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #playing: Playing

  constructor(context: AriContext, legs: Legs, playing: Playing) {
    this.#context = context
    this.#legs = legs
    this.#playing = playing
  }

  /** Opens the bridge where it is not open (409 is no news), and puts the living of `legs` into it. */
  bridge(id: BridgeId, legs: readonly LegId[]): void {
    const { registry, commands } = this.#context
    const living = legs.flatMap((leg) => registry.legs.get(leg) ?? [])
    if (living.length === 0) return
    const bridge = registry.openBridge(id)
    commands.make(() => registry.bridges.has(id), 'POST /bridges', { type: 'mixing', bridgeId: id })
    this.#putInto(bridge, living)
  }

  /** After a gap: the bridge is gone from under its legs. */
  mend(id: BridgeId): void {
    const { registry } = this.#context
    const legs = [...(registry.bridges.get(id)?.legs ?? [])]
    registry.closeBridge(id)
    this.bridge(id, legs)
  }

  join(id: BridgeId, leg: LegId): void {
    const { registry } = this.#context
    const bridge = registry.bridges.get(id)
    const known = registry.legs.get(leg)
    if (bridge && known) this.#putInto(bridge, [known])
  }

  /** 422: it was not in it. */
  leave(id: BridgeId, leg: LegId): void {
    const { registry, commands } = this.#context
    const known = registry.legs.get(leg)
    if (!known || known.bridge !== id) return
    registry.takeOut(known)
    const isOut = () => registry.legs.has(leg) && known.bridge === undefined
    commands.make(isOut, 'POST /bridges/{bridgeId}/removeChannel', { bridgeId: id, channel: [leg] })
  }

  close(id: BridgeId): void {
    const { registry, commands } = this.#context
    registry.closeBridge(id)
    commands.make(always, 'DELETE /bridges/{bridgeId}', { bridgeId: id })
  }

  #putInto(bridge: Bridge, legs: readonly Leg[]): void {
    const { registry, commands, log } = this.#context
    const entering = legs.filter((leg) => leg.bridge !== bridge.id)
    if (entering.length === 0) return
    for (const leg of entering) {
      this.#playing.stopAllTo(leg)
      registry.putInto(bridge, leg)
    }
    const isWished = () => entering.some((leg) => registry.legs.has(leg.id) && leg.bridge === bridge.id)
    const args = { bridgeId: bridge.id, channel: entering.map(({ id }) => id) }
    commands.make(isWished, 'POST /bridges/{bridgeId}/addChannel', args, (answer) => {
      if (answer.ok || answer.status === 0) return
      for (const leg of entering) this.#notLetIn(bridge, leg, answer.status)
      log.warn({ bridge: bridge.id, status: answer.status, why: answer.why }, 'legs were not let into a bridge')
    })
  }

  /** Asterisk lets in all or none, and says 400 when one of them is gone: its end should be on its way. */
  #notLetIn(bridge: Bridge, leg: Leg, status: number): void {
    const { ask, registry } = this.#context
    if (leg.bridge === bridge.id) registry.takeOut(leg)
    if (status !== 400 || !registry.legs.has(leg.id)) return
    void ask('GET /channels/{channelId}', { channelId: leg.id }).then((answer) => {
      if (answer.status === 404) this.#legs.missing(leg.id)
    })
  }
}

const always = () => true
