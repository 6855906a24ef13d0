/** The share of calls to people who were never called (campaigns-69). */
import { expect, test } from 'vitest'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const BUSY: Contact = { does: 'busy', afterMs: 800 }

/** For each call, whether it was the first to that person. */
async function firstCalls(tasks: number, settings: object): Promise<boolean[]> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => BUSY })
  await world.campaign({ frequencyCap: { calls: 100, days: 7 }, ...settings })
  await world.import(tasks, () => ({}), { intervalMs: 2 * MINUTE_MS, attemptsMax: 60 })
  await world.start()
  await world.logIn('anna')
  await world.run(6 * MINUTE_MS)
  const called = new Set<string>()
  return world.pbx.carrier.invites.map(({ number }) => !called.has(number) && Boolean(called.add(number)))
}

const shareOf = (calls: readonly boolean[]) => calls.filter(Boolean).length / calls.length

test('a third of the calls go to new people, although older tasks wait to be called again', async () => {
  const calls = await firstCalls(500, { newPercent: 33 })
  // At first only new tasks are due: the others then get the ten calls that they are behind.
  const later = calls.slice(calls.indexOf(false) + 10)
  expect(later.length).toBeGreaterThan(100)
  expect(shareOf(later)).toBeGreaterThan(0.3)
  expect(shareOf(later)).toBeLessThan(0.37)
})

test('where no new task is left, the others get all calls', async () => {
  const calls = await firstCalls(10, { newPercent: 90 })
  expect(calls.length).toBeGreaterThan(20)
})
