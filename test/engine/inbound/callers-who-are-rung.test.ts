/** A customer who calls in while the dialer rings them: the inbound call wins (F-F5). */
import { expect, test } from 'vitest'
import type { CallId, LegId } from '../../../src/kernel/ids.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { CampaignWorld, CORPORATION, INBOUND, numberOf } from '../../worlds/campaign-world.ts'

const asGiven = [0, 1].map(numberOf).map((number) => ({ given: number, number }))

/** A phone of theirs rings, and they have another one. */
async function ringing() {
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
  const other = asGiven.find(({ number }) => number !== calls[0]!.invite.number)!.number
  return { world, calls, other }
}

test.each([
  ['answers', undefined],
  ['does not answer', () => new Promise(() => {})],
  ['is away', () => Promise.reject(new DatabaseUnavailable('for a moment'))],
] as const)('no phone of theirs rings on, whichever it is: the database %s', async (_, matchCaller) => {
  const { world, calls, other } = await ringing()
  if (matchCaller) Object.assign(world.dialerRepository, { matchCaller })
  const caller = world.pbx.callIn({ called: INBOUND, caller: other, person: { waitsMaxMs: 600_000 } })
  await world.run(2_000)
  expect([calls[0]!.endedBy, caller.result]).toEqual(['switch', undefined])
  await world.run(60_000)
  expect(calls).toHaveLength(1)
})

test('no phone of theirs rings on while another node has them', async () => {
  const { world, calls, other } = await ringing()
  const ids = { call: 'in-1' as CallId, leg: 'leg-1' as LegId, corporation: CORPORATION }
  const createdAtMs = world.clock.nowMs()
  const call = { ...ids, caller: other.slice(1), called: INBOUND, createdAtMs }
  await world.during(world.dialerRepository.callBegan('another node', call))
  await world.run(2_000)
  expect(calls[0]!.endedBy).toBe('switch')
  await world.run(60_000)
  expect(calls).toHaveLength(1)
})
