/** Claims whose answer is lost in a time without a lease: what they wrote is found and ended. */
import { expect, test } from 'vitest'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND_MS = 1_000

test('a claim whose answer was lost with the lease is taken back, and the person is called then', async () => {
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    contactOf: () => ({ does: 'answer', ringsAfterMs: 500, afterMs: 1_000 }),
  })
  await world.campaign()
  await world.start()
  await world.import(1)
  const { faults, view } = world.dialerRepository
  Object.assign(faults, { after: 1 })
  await world.logIn('anna')
  expect(await world.until(() => view.attempts.size > 0, 20 * SECOND_MS)).toBe(true)
  await world.run(60 * SECOND_MS)
  expect([world.engine.dialer!.callPlacer.isWell, world.pbx.carrier.calls.length]).toEqual([false, 0])
  Object.assign(faults, { after: 0 })
  expect(await world.until(() => world.pbx.carrier.calls.length > 0, 150 * SECOND_MS)).toBe(true)
  await world.run(10 * SECOND_MS)
  const [lost, ...dialed] = [...view.attempts.values()]
  expect(lost).toMatchObject({ dialedAtMs: null, ended: {} })
  expect(dialed).toMatchObject([{ connectedAtMs: expect.any(Number) }])
})
