import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type IdleAgent, spareAgents } from '../../src/acd/spare-agents.ts'
import type { AgentName, TeamName } from '../../src/kernel/ids.ts'

const TEAMS = ['a', 'b', 'c'] as TeamName[]

/** The most lines that these agents can cover, found by trying everything. */
function covered(idle: readonly IdleAgent[], lines: ReadonlyMap<TeamName, number>): number {
  const [first, ...others] = idle
  if (!first) return 0
  const choices = first.teams
    .filter((team) => (lines.get(team) ?? 0) > 0)
    .map((team) => 1 + covered(others, new Map(lines).set(team, lines.get(team)! - 1)))
  return Math.max(covered(others, lines), ...choices)
}

const agents = fc
  .array(fc.subarray(TEAMS), { maxLength: 6 })
  .map((all) => all.map((teams, index): IdleAgent => ({ agent: `agent-${index}` as AgentName, teams })))
const lines = fc.tuple(...TEAMS.map(() => fc.integer({ min: 0, max: 4 })))

test('an agent is spare exactly when as many lines are covered without them as with them', () => {
  fc.assert(
    fc.property(agents, lines, (idle, counts) => {
      const linesOut = new Map(TEAMS.map((team, index) => [team, counts[index]!]))
      const expected = idle
        .filter(
          (one) =>
            covered(idle, linesOut) ===
            covered(
              idle.filter((other) => other !== one),
              linesOut,
            ),
        )
        .map(({ agent }) => agent)
      expect([...spareAgents(idle, linesOut)].sort()).toEqual(expected)
    }),
    { numRuns: 2_000 },
  )
})

test('without lines all agents are spare; with more lines than agents none is', () => {
  const idle = [
    { agent: 'anna' as AgentName, teams: TEAMS },
    { agent: 'ben' as AgentName, teams: TEAMS },
  ]
  expect(spareAgents(idle, new Map()).size).toBe(2)
  expect(spareAgents(idle, new Map([['a' as TeamName, 3]])).size).toBe(0)
})
