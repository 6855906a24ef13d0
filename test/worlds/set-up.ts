/** What worlds are made of: flows, teams, cases, and the ordinary ways of people. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CaseInfo, EXAMPLE_CASES } from '../../demo/servers/integrator.ts'
import type { Agent, Staff, Team } from '../../src/acd/team.ts'
import type { Flow } from '../../src/flow/model/flow.ts'
import { readFlow } from '../../src/flow/read/read-flow.ts'
import { formatProblem } from '../../src/kernel/file-problem.ts'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'
import type { Callee, Press } from '../../src/sim/person.ts'

/** The flow that we ship, told to text whoever types a case number, as its operator may. */
export function talkative(flow: string): string {
  return flow.replace('else: team                    # pay-text', 'else: pay-text                # pay-text')
}

/** The same flow. */
export const DEBTOR_FLOW = talkative(
  readFileSync(join(import.meta.dirname, '../../flows/debtor-self-service.yaml'), 'utf8'),
)

/** Team → its agents, or a team that differs in more from an ordinary one. */
export type Teams = Readonly<Record<string, readonly string[] | TeamDifference>>
type TeamDifference = Partial<Omit<Team, 'agents'>> & { readonly agents: readonly string[] }

/** The teams of the shipped flow, one agent each. */
export const TEAMS: Teams = {
  collections: ['cleo'],
  'collections-consumer': ['anna'],
  'collections-business': ['ben'],
}

/** Comes to the phone after a second and puts it down after ten. */
export const ORDINARY: Callee = { does: 'answer', afterMs: 1_000, hangsUpAfterMs: 10_000 }

/** Reads a flow that must be right. */
export function flowOf(text: string): Flow {
  const { flow, problems } = readFlow('flow.yaml', text)
  if (!flow) throw new Error(problems.map(formatProblem).join('\n'))
  return flow
}

/** Teams and everybody who is in one of them. */
export function staffOf(described: Teams, phoneGraceMs?: number | ((agent: string) => number | undefined)): Staff {
  const teams = Object.entries(described).map(([name, team]): Team => {
    const { agents, ...rest } = 'agents' in team ? team : { agents: team }
    const usual = { title: name, music: 'default', waitingMax: 100, ringTimeoutMs: 15_000, pauseAfterMissMs: 30_000 }
    return { ...usual, ...rest, name: name as TeamName, agents: agents as AgentName[] }
  })
  const agents = teams
    .flatMap(({ agents }) => agents)
    .map((name): [AgentName, Agent] => {
      const graceMs = typeof phoneGraceMs === 'function' ? phoneGraceMs(name) : phoneGraceMs
      return [name, { name, title: name, ...(graceMs !== undefined && { phoneGraceMs: graceMs }) }]
    })
  return { teams: new Map(teams.map((team) => [team.name, team])), agents: new Map(agents) }
}

/** A case of the example integrator (4711 open, 4712 closed, 4713 business), with differences. */
export function caseInfo(
  number = '4711',
  differences: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const known: CaseInfo = EXAMPLE_CASES.find(({ caseNumber }) => caseNumber === number) ?? EXAMPLE_CASES[0]!
  return { ...known, caseNumber: number, ...differences }
}

/** Types after these words were heard to their end; `into`: while they are still being said (barge-in). */
export function types(keys: string, hears: string, how: { into?: boolean; afterMs?: number } = {}): Press {
  return { keys, hears, until: how.into ? 'started' : 'ended', afterMs: how.afterMs ?? 400 }
}

/** What most callers do: type the number when asked, and say that it is right. */
export function typesCase(number: string): Press[] {
  return [types(`${number}#`, 'then press hash'), types('1', 'try again, press 2')]
}
