/** A customer who calls in while the dialer rings them: the inbound call wins (F-F5). */
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { CampaignWorld, INBOUND, numberOf } from '../../worlds/campaign-world.ts'

const asGiven = [0, 1].map(numberOf).map((number) => ({ given: number, number }))

test.each([
  ['answers', undefined],
  ['does not answer', () => new Promise(() => {})],
  ['is away', () => Promise.reject(new DatabaseUnavailable('for a moment'))],
] as const)('no phone of theirs rings on, whichever it is: the database %s', async (_, matchCaller) => {
  const world = new CampaignWorld({
    teams: { collections: ['anna'] },
    contactOf: () => ({ does: 'ignore', ringsAfterMs: 500, afterMs: 0 }),
  })
  await world.campaign()
  await world.import(1, () => ({ numbers: asGiven }))
  await world.start()
  await world.logIn('anna')
  const { calls } = world.pbx.carrier
  expect(await world.until(() => calls[0]?.rangAtMs !== undefined, 60_000)).toBe(true)
  if (matchCaller) Object.assign(world.dialerRepository, { matchCaller })
  const other = asGiven.find(({ number }) => number !== calls[0]!.invite.number)!.number
  const caller = world.pbx.callIn({ called: INBOUND, caller: other, person: { waitsMaxMs: 600_000 } })
  await world.run(2_000)
  expect([calls[0]!.endedBy, caller.result]).toEqual(['switch', undefined])
  await world.run(60_000)
  expect(calls).toHaveLength(1)
})
