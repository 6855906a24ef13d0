/**
 * Which teams each agent serves. A change of teams waits for lines, as breaks do (campaigns-51): a logged-in agent
 * serves the former teams until every line that was placed for them before the change is resolved. Nothing new is
 * placed for the agent until then. Therefore no line loses an agent on whom it was counted, and no line of the new
 * teams takes an agent on whom a line of the former ones counts.
 */
import type { AgentName, TeamName } from '../kernel/ids.ts'
import type { Staff } from './team.ts'

/** Lines of one team. `staffing`: the count of changes of staff when the oldest of them was placed. */
export interface TeamLines {
  readonly lines: number
  /** With so many idle agents every ledger holds, whatever the lines do: callers may take the others (pacing-13). */
  readonly toCover: number
  readonly staffing: number
}

interface Move {
  readonly formerTeams: readonly TeamName[]
  readonly staffing: number
}

/** The teams of all logged-in agents. */
export class TeamMembership {
  #assigned: ReadonlyMap<AgentName, readonly TeamName[]> = new Map()
  readonly #moves = new Map<AgentName, Move>()
  #lines: ReadonlyMap<TeamName, TeamLines> = new Map()
  #staffing = 0

  /** Lines that are placed from now on rely on the staff of this count. */
  get staffing(): number {
    return this.#staffing
  }

  /** Follows a new configuration. Agents without a session change their teams at once. */
  employ(staff: Staff, loggedIn: readonly AgentName[]): void {
    const former = new Map(loggedIn.map((agent) => [agent, this.teamsOf(agent)]))
    this.#assigned = teamsOfAgents(staff)
    this.#staffing++
    for (const agent of [...this.#moves.keys()]) if (!former.has(agent)) this.#moves.delete(agent)
    for (const [agent, formerTeams] of former) {
      if (isSame(formerTeams, this.#assigned.get(agent) ?? [])) this.#moves.delete(agent)
      // Lines that were placed since an earlier change do not rely on this agent.
      else if (!this.#moves.has(agent)) this.#moves.set(agent, { formerTeams, staffing: this.#staffing })
    }
    this.#finishMoves()
  }

  linesOut(lines: ReadonlyMap<TeamName, TeamLines>): void {
    this.#lines = lines
    this.#finishMoves()
  }

  /** The teams whose callees and callers the agent serves now. */
  teamsOf(agent: AgentName): readonly TeamName[] {
    return this.#moves.get(agent)?.formerTeams ?? this.#assigned.get(agent) ?? []
  }

  isMoving(agent: AgentName): boolean {
    return this.#moves.has(agent)
  }

  /** Whether the agent serves the team, or will when the change is done. */
  belongs(agent: AgentName, team: TeamName): boolean {
    return this.teamsOf(agent).includes(team) || (this.#assigned.get(agent) ?? []).includes(team)
  }

  #finishMoves(): void {
    for (const [agent, { formerTeams, staffing }] of this.#moves) {
      const isAwaited = formerTeams.some((team) => (this.#lines.get(team)?.staffing ?? staffing) < staffing)
      if (!isAwaited) this.#moves.delete(agent)
    }
  }
}

function isSame(teams: readonly TeamName[], others: readonly TeamName[]): boolean {
  return teams.length === others.length && teams.every((team) => others.includes(team))
}

function teamsOfAgents({ teams }: Staff): ReadonlyMap<AgentName, readonly TeamName[]> {
  const teamsOf = new Map<AgentName, TeamName[]>()
  for (const { name, agents } of teams.values()) {
    for (const agent of agents) teamsOf.set(agent, [...(teamsOf.get(agent) ?? []), name])
  }
  return teamsOf
}
