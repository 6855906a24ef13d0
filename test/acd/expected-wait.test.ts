import { expect, test } from 'vitest'
import type { CallDistributor } from '../../src/acd/distributor.ts'
import { expectedWaitMs, waitOf } from '../../src/acd/expected-wait.ts'
import type { Staff, Team } from '../../src/acd/team.ts'
import type { CallId, TeamName } from '../../src/kernel/ids.ts'

const MINUTE_MS = 60_000
const FIVE = [1, 2, 3, 4, 5].map((minutes) => minutes * MINUTE_MS)
const ahead = { position: 2, agentsAtWork: 3, talksMs: FIVE, wrapUpMs: MINUTE_MS }

test('with three agents, talks of 3 minutes and one of wrap-up, the second is served after 2/3 of 4 minutes', () => {
  expect(expectedWaitMs(ahead)).toBe((2 * 4 * MINUTE_MS) / 3)
})

test.each([
  ['nobody is at work', { agentsAtWork: 0 }],
  ['too few talks have ended', { talksMs: FIVE.slice(1) }],
  ['a phone rings for the caller', { position: 0 }],
])('it is not known where %s', (_, different) => {
  expect(expectedWaitMs({ ...ahead, ...different })).toBeUndefined()
})

test.each([
  ['timed wrap-up', { kind: 'timed', lengthMs: MINUTE_MS } as const, 4 * MINUTE_MS],
  ['wrap-up by hand, whose length nobody knows', { kind: 'byHand' } as const, 3 * MINUTE_MS],
])('with %s, agents who have the skills of the caller count', (_, wrapUp, waitMs) => {
  const name = 'help' as TeamName
  const team = { name, agents: ['anna', 'ben'], wrapUp } as unknown as Team
  const staff: Staff = { teams: new Map([[name, team]]), agents: new Map() }
  const distributor = {
    waiter: () => ({ team: name, skills: ['sv'] }),
    position: () => 1,
    readyIn: (_team: TeamName, skills?: readonly string[]) => (skills?.includes('sv') ? 1 : 2),
    talksOf: () => FIVE,
  } as unknown as CallDistributor
  expect(waitOf(distributor, staff, 'call' as CallId)).toBe(waitMs)
})
