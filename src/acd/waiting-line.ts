/** Who waits for an agent: callers on the line, and kept places of those who are called back. */
import type { AtMs } from '../kernel/clock.ts'
import type { AgentName, CallId, TeamName } from '../kernel/ids.ts'
import { inOrder, positionOf, type WaitingCaller } from './assign-rung-agents.ts'
import type { Joining, KeptPlace } from './distributor-messages.ts'
import { TalkLengths } from './talk-lengths.ts'

interface Caller extends WaitingCaller {
  readonly joining: Joining
  offeredTo: AgentName | undefined
  isServed: boolean
}

/** How long a caller waited for an agent, or until the caller left. */
export interface CallerWait {
  readonly team: TeamName
  readonly waitedMs: number
  readonly isServed: boolean
}

/** No campaign asks for them: the oldest are forgotten. */
const WAITS_MAX = 1_000

/** The callers of one engine from the queue to the end of their conversation, and the places. */
export class WaitingLine {
  #tickets = 0
  #waits: readonly CallerWait[] = []
  /** Those that may be called now. */
  places: readonly KeptPlace[] = []
  readonly talks = new TalkLengths()
  readonly #callers = new Map<CallId, Caller>()

  add(joining: Joining, nowMs: AtMs, offeredTo?: AgentName): void {
    const { call, team, priority, skills, sinceAtMs = nowMs } = joining
    const place = { call, team, priority, skills, sinceAtMs, ticket: this.#tickets++ }
    this.#callers.set(call, { ...place, joining, offeredTo, isServed: offeredTo !== undefined })
  }

  of(call: CallId): Caller | undefined {
    return this.#callers.get(call)
  }

  /** The caller, who is there no more. */
  remove(call: CallId, nowMs: AtMs): Caller | undefined {
    const caller = this.#callers.get(call)
    this.#callers.delete(call)
    this.talks.ended(call, nowMs)
    return caller
  }

  /** An agent is being rung, or given, for the caller, who waits. */
  offered(call: CallId, agent: AgentName): Caller {
    const caller = this.#callers.get(call)!
    caller.offeredTo = agent
    return caller
  }

  /** Nobody serves the caller, who has their old place. Silent for a caller who left. */
  waitsAgain(call: CallId, nowMs: AtMs): void {
    const caller = this.#callers.get(call)
    this.talks.ended(call, nowMs)
    // One whom an earlier engine connected waits for no team.
    if (caller?.team === '') this.#callers.delete(call)
    else if (caller) caller.offeredTo = undefined
  }

  /** The caller talks to an agent. */
  served(call: CallId, nowMs: AtMs): void {
    const caller = this.#callers.get(call)
    if (!caller) return
    this.talks.began(call, caller.team, nowMs)
    this.noteWait(caller, true, nowMs)
  }

  /** Once for each caller. */
  noteWait(caller: Caller, isServed: boolean, nowMs: AtMs): void {
    const { team, sinceAtMs } = caller
    if (caller.isServed) return
    caller.isServed = true
    this.#waits = [...this.#waits, { team, waitedMs: nowMs - sinceAtMs, isServed }].slice(-WAITS_MAX)
  }

  takeWaits(): readonly CallerWait[] {
    const waits = this.#waits
    this.#waits = []
    return waits
  }

  callers(): Caller[] {
    return [...this.#callers.values()].filter((caller) => caller.offeredTo === undefined)
  }

  /** Callers and places, in the order of service. */
  all() {
    const places = this.places.map((place) => ({ ...place, ticket: place.task, joining: place }))
    const inLine: (Caller | (typeof places)[number])[] = [...this.callers(), ...places]
    return inOrder(inLine)
  }

  /** 1 for the next of the team; 0 for who does not wait. */
  position(call: CallId): number {
    return positionOf(call, this.all())
  }
}
