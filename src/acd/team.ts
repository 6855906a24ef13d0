import type { AgentName, TeamName } from '../kernel/ids.ts'
import type { WrapUp } from './agent-session-messages.ts'

/** A person who talks, and the phone that rings for them. */
export interface Agent {
  readonly name: AgentName
  /** How the person is called on screens and in the journal. */
  readonly title: string
}

/** People who serve the same callers. */
export interface Team {
  readonly name: TeamName
  readonly title: string
  readonly agents: readonly AgentName[]
  /** Class of music on hold. */
  readonly music: string
  /** Callers who may wait at once; the next one is told that the queue is full. */
  readonly waitingMax: number
  /** How long one agent's phone rings before the next one is tried. */
  readonly ringTimeoutMs: number
  /** How long an agent who did not come to the phone is left in peace. */
  readonly pauseAfterMissMs: number
  /** After a conversation with a caller, for agents who are logged in; none when absent. */
  readonly wrapUp?: WrapUp
}

/** Who works where: the part of the set-up that the queue needs. */
export interface Staff {
  readonly teams: ReadonlyMap<TeamName, Team>
  readonly agents: ReadonlyMap<AgentName, Agent>
}
