import type { Clock, Timer } from '../kernel/clock.ts'
import type { BridgeId, LegId } from '../kernel/ids.ts'
import { JOIN_AGAIN_MS, type PbxEvent } from '../ports/pbx.ts'
import type { SimSwitch } from './sim-switch.ts'

/** The connection to the switch. */
interface Connection {
  /** Sends a command, also after a gap. It returns false where the switch says no; `refused` runs then. */
  readonly send: (command: (pbx: SimSwitch) => boolean, refused: () => void) => void
  /** Stops what plays to the leg. */
  readonly hush: (leg: LegId) => void
  readonly emit: (event: PbxEvent) => void
}

/** Where a leg is to be. A later command about it is another wish. */
interface Wish {
  readonly bridge: BridgeId
  /** It was refused, and is asked for again then. */
  again?: Timer
}

/** Brings legs into bridges. One that the switch refuses is added again a few times, as the ARI adapter does. */
export class SimJoins {
  readonly #clock: Clock
  readonly #connection: Connection
  readonly #wishes = new Map<LegId, Wish>()

  constructor(clock: Clock, connection: Connection) {
    this.#clock = clock
    this.#connection = connection
  }

  /** The switch refuses all or none; then each is asked for by itself. */
  bridge(id: BridgeId, legs: readonly LegId[]): void {
    const { send, hush } = this.#connection
    const wishes = legs.map((leg) => [leg, this.#wish(id, leg)] as const)
    for (const leg of legs) hush(leg)
    send(
      (pbx) => pbx.bridge(id, legs),
      () => {
        for (const [leg, wish] of wishes) this.#refused(leg, wish, 0)
      },
    )
  }

  join(id: BridgeId, leg: LegId): void {
    this.#ask(leg, this.#wish(id, leg), 0)
  }

  leave(id: BridgeId, leg: LegId): void {
    if (this.#wishes.get(leg)?.bridge === id) this.ended(leg)
  }

  close(id: BridgeId): void {
    for (const leg of [...this.#wishes.keys()]) this.leave(id, leg)
  }

  /** The switch loses a bridge. It is made anew with those who were in it, as by the ARI adapter. */
  lose(id: BridgeId): void {
    let inside: readonly LegId[] = []
    const closes = (pbx: SimSwitch) => {
      inside = [...(pbx.bridges.get(id)?.members ?? [])].map((leg) => leg.id)
      pbx.closeBridge(id)
      return false
    }
    const isWished = (leg: LegId) => this.#wishes.get(leg)?.bridge === id
    this.#connection.send(closes, () => this.bridge(id, inside.filter(isWished)))
  }

  /** Nothing is wished of the leg any more. */
  ended(leg: LegId): void {
    this.#wishes.get(leg)?.again?.cancel()
    this.#wishes.delete(leg)
  }

  stop(): void {
    for (const leg of [...this.#wishes.keys()]) this.ended(leg)
  }

  #wish(bridge: BridgeId, leg: LegId): Wish {
    this.ended(leg)
    const wish = { bridge }
    this.#wishes.set(leg, wish)
    return wish
  }

  #ask(leg: LegId, wish: Wish, tries: number): void {
    const { send, hush } = this.#connection
    hush(leg)
    send(
      (pbx) => pbx.join(wish.bridge, leg),
      () => this.#refused(leg, wish, tries),
    )
  }

  /** `tries`: how often it was refused before. */
  #refused(leg: LegId, wish: Wish, tries: number): void {
    if (this.#wishes.get(leg) !== wish) return
    const waitMs = JOIN_AGAIN_MS[tries]
    if (waitMs === undefined) return this.#connection.emit({ type: 'bridge.refused', bridge: wish.bridge, leg })
    const again = () => this.#ask(leg, wish, tries + 1)
    wish.again = this.#clock.schedule(this.#clock.nowMs() + waitMs, again)
  }
}
