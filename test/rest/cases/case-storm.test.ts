/** `npm run bench -- cases` in small: measured in requests, not in time. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lostUpdates, shownFaults, storedFaults } from '../../../bench/cases/case-faults.ts'
import { caseStorm } from '../../../bench/cases/case-storm.ts'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let world: CaseWorld

beforeAll(async () => {
  world = await openCaseWorld()
})
afterAll(() => world.close())

test('many clients on the same cases, some disconnect: INV-C holds, numbers have no gap', async () => {
  const { pools, rest } = world
  const headers = { ...world.values }
  const goesOn = (made: number) => made < 150
  const door = { url: rest.url, headers, clients: 10, seed: 7, goesOn }
  const diary = await caseStorm({ ...door, mayBeUnavailable: false })
  const { created, merged, changed, commented, refused } = diary.counts
  for (const count of [created, merged, changed, commented, refused]) expect(count).toBeGreaterThan(2)
  const lost = await lostUpdates(pools, diary)
  const shown = await shownFaults(rest.url, headers, diary)
  expect([...diary.faults, ...(await storedFaults(pools)), ...lost, ...shown]).toEqual([])
})
