import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, BridgeId, LegId } from '../kernel/ids.ts'
import type { Seat, SeatDeskWish } from './agent-session.ts'
import type { SeatEvent } from './agent-session-state.ts'

/** Every seat under every name by which facts come: its agent, the leg of their phone, its bridge, its party's leg. */
export class SeatBook {
  readonly #seats = new Map<AgentName, Seat>()
  readonly #byLeg = new Map<LegId, Seat>()
  readonly #byBridge = new Map<BridgeId, Seat>()
  readonly #byParty = new Map<LegId, Seat>()
  readonly #changed = new Set<Seat>()

  add(seat: Seat): void {
    this.#seats.set(seat.agent, seat)
    this.#byBridge.set(seat.bridge, seat)
    this.#changed.add(seat)
    this.#enter(seat)
  }

  all(): Seat[] {
    return [...this.#seats.values()]
  }

  of(agent: AgentName): Seat | undefined {
    return this.#seats.get(agent)
  }

  ofLeg(leg: LegId): Seat | undefined {
    return this.#byLeg.get(leg)
  }

  ofBridge(bridge: BridgeId): Seat | undefined {
    return this.#byBridge.get(bridge)
  }

  ofParty(leg: LegId): Seat | undefined {
    return this.#byParty.get(leg)
  }

  /** Legs that an agent is given or talks to. */
  parties(): LegId[] {
    return [...this.#byParty.keys()]
  }

  tell(seat: Seat, event: SeatEvent, nowMs: AtMs): SeatDeskWish[] {
    return this.turn(seat, () => seat.tell(event, nowMs))
  }

  /** Lets a seat do something, and finds it under its new names afterwards. One that is done is forgotten. */
  turn(seat: Seat, act: () => SeatDeskWish[]): SeatDeskWish[] {
    const { leg, party } = seat
    const wishes = act()
    this.#changed.add(seat)
    this.#byLeg.delete(leg)
    if (party) this.#byParty.delete(party.leg)
    if (!seat.isDone) this.#enter(seat)
    else {
      this.#seats.delete(seat.agent)
      this.#byBridge.delete(seat.bridge)
    }
    return wishes
  }

  /** What has changed of whom since it was last asked. */
  news(): SeatDeskWish[] {
    const changed = [...this.#changed]
    this.#changed.clear()
    return changed.flatMap((seat) => seat.news())
  }

  #enter(seat: Seat): void {
    this.#byLeg.set(seat.leg, seat)
    if (seat.party) this.#byParty.set(seat.party.leg, seat)
  }
}
