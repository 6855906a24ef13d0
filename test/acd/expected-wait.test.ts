import { expect, test } from 'vitest'
import { expectedWaitMs } from '../../src/acd/expected-wait.ts'

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
