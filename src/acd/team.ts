import type { AgentName, TeamName } from '../kernel/ids.ts'
import type { RecordingRule } from '../ports/call-recordings.ts'
import type { WrapUp } from './agent-session-messages.ts'

export interface Agent {
  readonly name: AgentName
  readonly title: string
  /** What callers may need of an agent, such as a language; absent: nothing. */
  readonly skills?: readonly string[]
  /** So long the other side waits for a lost phone, with music; absent: the next agent goes on. */
  readonly phoneGraceMs?: number
}

export interface Team {
  readonly name: TeamName
  readonly title: string
  readonly agents: readonly AgentName[]
  readonly music: string
  /** Callers who may wait at the same time; the next one is refused with `full`. */
  readonly waitingMax: number
  /** How long one agent's phone rings before the next one is tried. */
  readonly ringTimeoutMs: number
  /** How long an agent who did not answer is not rung again. */
  readonly pauseAfterMissMs: number
  /** After a conversation with a caller, for logged-in agents; none when absent. */
  readonly wrapUp?: WrapUp
  /** Of its talks with callers; that of the number when absent. */
  readonly recording?: RecordingRule
}

export interface Staff {
  readonly teams: ReadonlyMap<TeamName, Team>
  readonly agents: ReadonlyMap<AgentName, Agent>
}

/** Whether the agent has every one of these skills. */
export function hasSkills({ agents }: Staff, agent: AgentName, skills: readonly string[] = []): boolean {
  return skills.every((skill) => agents.get(agent)?.skills?.includes(skill))
}

/** The grace of an agent's phone, as a session takes it. */
export function graceOf({ agents }: Staff, agent: AgentName): { readonly graceMs?: number } {
  const graceMs = agents.get(agent)?.phoneGraceMs
  return graceMs === undefined ? {} : { graceMs }
}
