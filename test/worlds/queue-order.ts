/** First come, first served, checked from the outside: by the order of the journal, and by idle agents. */
import type { AgentName, CallId, TeamName } from '../../src/kernel/ids.ts'
import type { JournalLine } from '../../src/ports/journal.ts'
import type { World } from './world.ts'

interface Waiting {
  readonly team: TeamName
  readonly priority: number
  readonly ticket: number
}

/** A second look at the queue, from nothing but what was written down. */
export class QueueOrder {
  readonly faults: string[] = []
  readonly #world: World
  readonly #waiting = new Map<CallId, Waiting>()
  readonly #offered = new Map<CallId, Waiting>()
  /** The legs on which an agent is rung or talked to. */
  readonly #legs = new Map<string, Set<unknown>>()
  /** The places of callers who are with an agent. */
  readonly #met = new Map<CallId, Waiting>()
  #tickets = 0
  #read = 0

  constructor(world: World) {
    this.#world = world
  }

  /** Reads on to the end of what is written by now. */
  read(): this {
    const { lines } = this.#world
    for (; this.#read < lines.length; this.#read++) this.#hear(lines[this.#read]!)
    return this
  }

  /** No caller waits for a team while one of its agents is free. Valid only between facts. */
  checkIdle(): void {
    const { engine, staff, clock } = this.#world
    const states = engine.agentStates()
    for (const [call, { team }] of this.read().#waiting) {
      const idle = staff.teams.get(team)!.agents.find((agent) => states.get(agent) === 'free')
      if (idle) this.faults.push(`${call} waits for ${team} while ${idle} is free, at ${clock.nowMs()}`)
    }
  }

  #hear({ call, by, what }: JournalLine): void {
    switch (what.type) {
      case 'joinQueue':
        if (!this.#isRefused(call)) this.#waiting.set(call, this.#ticket(what))
        return
      case 'ringAgent':
        this.#rung(call, what['agent'] as AgentName)
        this.#legsOf(what['agent']).add(what['leg'])
        return
      case 'leg.ended':
        if (by === 'desk') this.#legsOf(what['agent']).delete(what['leg'])
        return
      case 'offerRefused':
        if (this.#offered.has(call)) this.#waiting.set(call, this.#offered.get(call)!)
        return
      case 'agent.connected':
        if (this.#offered.has(call)) this.#met.set(call, this.#offered.get(call)!)
        this.#waiting.delete(call)
        this.#offered.delete(call)
        return
      case 'agent.lost':
        // The agent's phone was lost: the caller has their old place again (campaigns-87).
        this.#waiting.set(call, this.#met.get(call)!)
        return
      case 'leaveQueue':
      case 'endCall':
        this.#waiting.delete(call)
        this.#offered.delete(call)
    }
  }

  /**
   * Whenever a phone rings for a caller, nobody of the same team waits who came before (within equal priority) or
   * has a higher one. A caller whose agent did not come to the phone keeps their place.
   */
  #rung(call: CallId, agent: AgentName): void {
    const served = this.#waiting.get(call)
    if (!served) {
      this.faults.push(`${agent} was rung for ${call}, who does not wait`)
      return
    }
    const { agents } = this.#world.staff.teams.get(served.team)!
    if (!agents.includes(agent)) this.faults.push(`${agent} was rung for ${served.team}`)
    if (this.#legsOf(agent).size > 0) this.faults.push(`${agent} was rung for ${call} while on the phone`)
    const passedOver = [...this.#waiting].find(([, other]) => other.team === served.team && isBefore(other, served))
    if (passedOver) this.faults.push(`${call} was served before ${passedOver[0]}`)
    this.#waiting.delete(call)
    this.#offered.set(call, served)
  }

  #ticket(what: JournalLine['what']): Waiting {
    return { team: what['team'] as TeamName, priority: Number(what['priority']), ticket: this.#tickets++ }
  }

  /** `full` and `closed` are told a moment after joining; until then such a caller seems to wait, and does not. */
  #isRefused(call: CallId): boolean {
    const settles = ['queue.refused', 'ringAgent', 'leaveQueue', 'endCall', 'joinQueue']
    const later = this.#world.lines.slice(this.#read + 1)
    return later.find((line) => line.call === call && settles.includes(line.what.type))?.what.type === 'queue.refused'
  }

  #legsOf(agent: unknown): Set<unknown> {
    const legs = this.#legs.get(String(agent)) ?? new Set()
    this.#legs.set(String(agent), legs)
    return legs
  }
}

function isBefore(a: Waiting, b: Waiting): boolean {
  return a.priority > b.priority || (a.priority === b.priority && a.ticket < b.ticket)
}
