import type { BridgeId, LegId } from '../kernel/ids.ts'
import { JOIN_AGAIN_MS } from '../ports/pbx.ts'
import type { AriContext } from './ari-context.ts'
import type { Bridge, Leg } from './channel-registry.ts'
import type { Legs } from './channels.ts'
import type { Playbacks } from './playbacks.ts'

/**
 * A bridge that always mixes (`bridge_softmix`); ARI has no other name for it, and no video comes. Debian's Asterisk
 * throws away what is translated to a leg when the sequence numbers of RTP go back, up to 32,768 packets: with another
 * agent's phone, after music, with a third party. Half of the recordings lost the agent's voice there, for up to
 * 11 minutes (measured, 22.10.1+dfsg). What is mixed has no such numbers (calls-and-flows-94).
 */
const MIXED = 'mixing,video_sfu'
/** A second of it, which every Asterisk has; one that has not says so at the same moment. */
const SILENCE = 'sound:silence/1'
/** Our choice: whatever takes a leg out so often goes on. */
const PUT_BACK_MAX = 10
/** To `addChannel`; where a leg is gone, Asterisk answers 400. */
const NO_SUCH_BRIDGE = 404

/**
 * Bridges and the legs in them. Playbacks to a leg are stopped before it enters a bridge: Asterisk lets it in only when
 * its playbacks have ended, and answers no other request until then (measured, 22.10.1: 2.5 s). A leg that is in the
 * bridge, or on its way into it, is not added again: Asterisk would remove it first (measured).
 */
export class Bridges {
  readonly #context: AriContext
  readonly #legs: Legs
  readonly #playing: Playbacks

  constructor(context: AriContext, legs: Legs, playing: Playbacks) {
    this.#context = context
    this.#legs = legs
    this.#playing = playing
  }

  /** Creates the bridge unless it exists (409 is ignored), and adds those of `legs` that still live. */
  bridge(id: BridgeId, legs: readonly LegId[]): void {
    const { registry } = this.#context
    const living = legs.flatMap((leg) => registry.legs.get(leg) ?? [])
    if (living.length === 0) return
    const bridge = registry.openBridge(id)
    this.#create(id)
    this.#putInto(bridge, living)
  }

  #create(id: BridgeId): void {
    const { registry, commands } = this.#context
    commands.send(() => registry.bridges.has(id), 'POST /bridges', { type: MIXED, bridgeId: id })
  }

  /** After a gap: the bridge is gone while its legs live. */
  mend(id: BridgeId): void {
    const { registry } = this.#context
    const legs = [...(registry.bridges.get(id)?.legs ?? [])]
    registry.closeBridge(id)
    this.bridge(id, legs)
  }

  /** A leg left its bridge. Unless it or we wanted that, it is put back; a bridge that is deleted is made anew. */
  putBack(id: BridgeId, legId: LegId): void {
    const { registry, log, emit } = this.#context
    const [bridge, leg] = [registry.bridges.get(id), registry.legs.get(legId)]
    if (!leg || !bridge?.joined.has(legId) || leg.hangUpAsked || leg.hangUpCause !== undefined) return
    log.warn({ leg: leg.id, bridge: id }, 'a leg was taken out of its bridge at the switch; it is put back')
    registry.takeOut(leg)
    leg.timesOut++
    if (leg.timesOut > PUT_BACK_MAX) return emit({ type: 'bridge.refused', bridge: id, leg: leg.id })
    this.#create(id)
    this.#putInto(bridge, [leg])
  }

  join(id: BridgeId, leg: LegId): void {
    const { registry } = this.#context
    const bridge = registry.bridges.get(id)
    const known = registry.legs.get(leg)
    if (bridge && known) this.#putInto(bridge, [known])
  }

  /** 422 (the leg was not in the bridge) is ignored. */
  leave(id: BridgeId, leg: LegId): void {
    const { registry, commands } = this.#context
    const known = registry.legs.get(leg)
    const isOnItsWay = known?.refused?.by === id
    if (!known || (known.bridge !== id && !isOnItsWay)) return
    registry.takeOut(known)
    if (isOnItsWay) return
    const isOut = () => registry.legs.has(leg) && known.bridge === undefined
    commands.send(isOut, 'POST /bridges/{bridgeId}/removeChannel', { bridgeId: id, channel: [leg] })
  }

  /**
   * Its legs leave before it is deleted. Asterisk lets a leg of a deleted bridge go by and by, and about once in 800
   * times takes it out of the next bridge instead, having said yes to that (measured, 22.10.1: calls-and-flows-96).
   */
  close(id: BridgeId): void {
    const { registry, commands } = this.#context
    const inside = [...(registry.bridges.get(id)?.legs ?? [])]
    registry.closeBridge(id)
    // One by one: a leg that is gone would have the request for all refused.
    for (const leg of inside.filter((one) => registry.legs.get(one)?.hangUpAsked === false))
      commands.send(always, 'POST /bridges/{bridgeId}/removeChannel', { bridgeId: id, channel: [leg] })
    commands.send(always, 'DELETE /bridges/{bridgeId}', { bridgeId: id })
  }

  /** `tries`: how often Asterisk has refused it so far. */
  #putInto(bridge: Bridge, legs: readonly Leg[], tries = 0): void {
    const entering = legs.filter((leg) => leg.bridge !== bridge.id)
    if (entering.length === 0) return
    const fromOutside = entering.filter((leg) => leg.bridge === undefined || leg.turn)
    for (const leg of entering) {
      this.#playing.stopAllTo(leg)
      this.#context.registry.putInto(bridge, leg)
    }
    const wishes = new Map(entering.map((leg) => [leg, leg.wishes]))
    this.#afterEarlier(fromOutside, () => this.#add(bridge, wishes, tries))
  }

  /**
   * Asterisk adds a leg when the prompt that plays to it has ended, and answers no request of anybody until then. That
   * of an earlier engine cannot be stopped, as its name is not known: a moment of silence behind it tells its end.
   */
  #afterEarlier(legs: readonly Leg[], then: () => void): void {
    const { registry, commands, clock } = this.#context
    const leg = legs.find(({ mayPlayEarlier }) => mayPlayEarlier)
    if (!leg) return then()
    const goOn = () => this.#afterEarlier(legs, then)
    if (leg.turn) {
      // It is to be somewhere else than a moment ago; others may be there.
      const { came: before } = leg.turn
      leg.turn.came = () => {
        before()
        goOn()
      }
      return
    }
    const playbackId = `${leg.id}.turn-${clock.nowMs()}`
    const stop = () => commands.send(always, 'DELETE /playbacks/{playbackId}', { playbackId })
    leg.turn = {
      playback: playbackId,
      came: () => {
        stop()
        goOn()
      },
    }
    registry.turns.set(playbackId, leg)
    const isAwaited = () => registry.turns.has(playbackId)
    const args = { channelId: leg.id, playbackId, media: [SILENCE] }
    commands.send(isAwaited, 'POST /channels/{channelId}/play/{playbackId}', args, (answer) => {
      if (!answer.ok && answer.status !== 0) registry.turnCame(playbackId)
    })
  }

  /** After a gap: the turns of some legs may have come. */
  settle(): void {
    const { ask, registry } = this.#context
    for (const playbackId of registry.turns.keys())
      void ask('GET /playbacks/{playbackId}', { playbackId }).then((answer) => {
        if (answer.status === 404 || (answer.ok && answer.body.state !== 'queued')) registry.turnCame(playbackId)
      })
  }

  /** `wishes`: of each leg that enters, which of its wishes this is. A later one asks and is answered for itself. */
  #add(bridge: Bridge, wishes: ReadonlyMap<Leg, number>, tries: number): void {
    const { registry, commands, log } = this.#context
    const entering = [...wishes.keys()]
    const isLatest = (leg: Leg) => leg.bridge === bridge.id && leg.wishes === wishes.get(leg)
    const isWithin = (leg: Leg) => registry.legs.has(leg.id) && isLatest(leg) && !bridge.joined.has(leg.id)
    const isWanted = () => entering.some(isWithin)
    if (!isWanted()) return
    const args = { bridgeId: bridge.id, channel: entering.filter(isWithin).map(({ id }) => id) }
    commands.send(isWanted, 'POST /bridges/{bridgeId}/addChannel', args, (answer) => {
      if (answer.ok || answer.status === 0) return
      log.warn(
        { bridge: bridge.id, status: answer.status, why: answer.why, tries },
        'Asterisk refused to add legs to a bridge',
      )
      const isGone = answer.status === NO_SUCH_BRIDGE
      // Made anew meanwhile.
      if (isGone && registry.bridges.get(bridge.id) !== bridge) return
      const refused = entering.filter((leg) => leg.bridge !== bridge.id || isLatest(leg))
      const outside = isGone ? [...bridge.legs].flatMap((leg) => registry.legs.get(leg) ?? []) : refused
      for (const leg of outside) this.#notLetIn(bridge.id, leg, answer.status, tries)
    })
  }

  /** Asterisk adds all or none, and answers 400 when one of them is gone: its end event should follow. */
  #notLetIn(id: BridgeId, leg: Leg, status: number, tries: number): void {
    const { ask, registry } = this.#context
    if (leg.bridge === id) this.#refused(id, leg, status, tries)
    if (status !== 400 || !registry.legs.has(leg.id)) return
    void ask('GET /channels/{channelId}', { channelId: leg.id }).then((answer) => {
      if (answer.status === 404) this.#missing(leg)
    })
  }

  #missing(leg: Leg): void {
    this.#legs.missing(leg.id)
    leg.refused?.timer.cancel()
  }

  /** Each by itself from now on, a few times: the people would wait for each other in silence. */
  #refused(id: BridgeId, leg: Leg, status: number, tries: number): void {
    const { registry, clock, emit } = this.#context
    registry.takeOut(leg)
    if (leg.hangUpAsked || !registry.legs.has(leg.id)) return
    const waitMs = JOIN_AGAIN_MS[tries]
    if (waitMs === undefined) return emit({ type: 'bridge.refused', bridge: id, leg: leg.id })
    const again = () => {
      const bridge = registry.bridges.get(id)
      leg.refused = undefined
      if (!bridge || !registry.legs.has(leg.id)) return
      if (status === NO_SUCH_BRIDGE) this.#create(id)
      this.#putInto(bridge, [leg], tries + 1)
    }
    leg.refused = { by: id, timer: clock.schedule(clock.nowMs() + waitMs, again) }
  }
}

const always = () => true
