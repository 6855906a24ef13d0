/** A computer that slept while a claim was on its way: its own clock does not tell (campaigns-144). */
import { expect, test } from 'vitest'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND_MS = 1_000

test('what was claimed before a sleep is not dialed after it, until the time is known', async () => {
  let mayBeLater = false
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    parts: ({ clock }) => ({ clock: { ...clock, mayBeLater: () => mayBeLater } }),
  })
  await world.campaign()
  await world.start()
  await world.import(1)
  const { view } = world.dialerRepository
  await world.logIn('anna')
  expect(await world.until(() => view.attempts.size === 1, 20 * SECOND_MS)).toBe(true)
  expect(world.pbx.carrier.calls).toHaveLength(0)
  mayBeLater = true
  await world.run(60 * SECOND_MS)
  expect([world.pbx.carrier.calls.length, view.attempts.size]).toEqual([0, 1])
  mayBeLater = false
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 120 * SECOND_MS)).toBe(true)
  const [unsent] = view.attempts.values()
  expect(unsent).toMatchObject({ result: 'blocked', counts: false })
})
