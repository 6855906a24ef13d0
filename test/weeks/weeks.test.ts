import { expect, test } from 'vitest'
import { brokenIn, PENDING, PROMISES } from './promises.ts'
import { liveWeek } from './week.ts'

/** Without a night, which takes long. */
const SEEDS = [1, 2, 3, 4, 5, 7, 9, 10, 12, 13]

test.each(SEEDS)('the promises are kept in week %i', async (seed) => {
  const broken = brokenIn(await liveWeek(seed))
  expect(broken.filter(({ isPending }) => !isPending)).toEqual([])
})

test('each pending promise is one that is checked, and says why it is pending', () => {
  for (const [promise, why] of Object.entries(PENDING)) {
    expect(Object.keys(PROMISES)).toContain(promise)
    expect(why.length).toBeGreaterThan(20)
  }
})

test('a week is the same for the same seed', async () => {
  const [one, again] = [await liveWeek(11), await liveWeek(11)]
  const callsOf = ({ world }: typeof one) => world.pbx.carrier.calls.map(({ invite, endedAtMs }) => [invite, endedAtMs])
  expect(callsOf(one)).toEqual(callsOf(again))
})
