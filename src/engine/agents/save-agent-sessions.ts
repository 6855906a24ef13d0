/** What of the agents' seats must outlive the engine: which leg is theirs on the switch, whether they are away. */
import type { AgentName } from '../../kernel/ids.ts'
import type { AgentStatus } from '../../ports/agent-desktop.ts'
import type { NodeLease } from '../../ports/attempt.ts'
import type { Records } from '../../ports/dialer-repository.ts'
import type { Rooms } from '../context.ts'

/** Mutable state with a lifetime, hence a class. */
export class SeatKeeper {
  readonly #rooms: Rooms
  readonly #records: Records
  readonly #lease: () => NodeLease | undefined
  readonly #kept = new Map<AgentName, string>()

  constructor(rooms: Rooms, records: Records, lease: () => NodeLease | undefined) {
    this.#rooms = rooms
    this.#records = records
    this.#lease = lease
  }

  /** The lease is there again: what could not be written meanwhile is written now. */
  again(): void {
    this.#kept.clear()
    for (const status of this.#rooms.desk.statuses()) this.changed(status)
  }

  /** An agent's state has changed; it is written where a restart would need it. */
  changed({ agent, state, reason }: AgentStatus): void {
    const lease = this.#lease()
    if (!lease) return
    const seat = this.#rooms.desk.savedSeat(agent)
    const kept = seat && `${seat.leg} ${seat.bridge} ${state === 'reserved' ? 'ready' : state} ${reason}`
    if (kept === this.#kept.get(agent)) return
    if (kept === undefined) this.#kept.delete(agent)
    else this.#kept.set(agent, kept)
    const asked = seat ? this.#records.saveSeat(lease, seat) : this.#records.removeSeat(lease, agent)
    // Written again at the next change; a restart before that calls the agent's phone once more.
    asked.catch(() => this.#kept.delete(agent))
  }
}
