import type { AtMs } from '../kernel/clock.ts'
import type { CallId, TeamName } from '../kernel/ids.ts'

/** Our choice: the latest talks of a team. More would tell of another hour of the day. */
const TALKS_MAX = 20

/** How long the latest talks of each team with its callers took. */
export class TalkLengths {
  readonly #talking = new Map<CallId, { readonly team: TeamName; readonly sinceAtMs: AtMs }>()
  readonly #lengthsMs = new Map<TeamName, readonly number[]>()

  /** Silent for a call that talks already. */
  began(call: CallId, team: TeamName, nowMs: AtMs): void {
    if (!this.#talking.has(call)) this.#talking.set(call, { team, sinceAtMs: nowMs })
  }

  /** Silent for a call that did not talk. */
  ended(call: CallId, nowMs: AtMs): void {
    const talk = this.#talking.get(call)
    if (!talk || !this.#talking.delete(call)) return
    const lengths = [...this.of(talk.team), Math.max(0, nowMs - talk.sinceAtMs)]
    this.#lengthsMs.set(talk.team, lengths.slice(-TALKS_MAX))
  }

  /** In milliseconds, the oldest first. */
  of(team: TeamName): readonly number[] {
    return this.#lengthsMs.get(team) ?? []
  }
}
