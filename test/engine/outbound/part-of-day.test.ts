/** People who were not reached are called in another part of their day (campaigns-68). */
import { expect, test } from 'vitest'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const HOUR_MS = 3_600_000
const NOBODY: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const MACHINE: Contact = { does: 'answer', voice: 'machine', afterMs: 5_000, ringsAfterMs: 500 }

/** Hours since the world began, which is at 10:00 in Denmark, of each call to the one person. */
async function callsTo(contact: Contact, settings: object): Promise<number[]> {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => contact })
  const detected = { machineDetection: { enabled: true, action: 'hangup', maxErrorPercent: 100 } }
  const days = [1, 2, 3, 4, 5, 6, 7]
  await world.campaign({ ...detected, callWindows: [{ days, from: '08:00', to: '20:00' }], ...settings })
  await world.import(1, () => ({}), { intervalMs: HOUR_MS })
  const beganAtMs = world.clock.nowMs()
  await world.start()
  await world.logIn('anna')
  await world.run(3 * HOUR_MS)
  return world.pbx.carrier.invites.map(({ atMs }) => Math.floor((atMs - beganAtMs) / HOUR_MS))
}

test('the next call comes in the next part of the day', async () => {
  const settings = { retryPartOfDay: { noAnswer: 'next' } }
  expect(await callsTo(NOBODY, settings)).toEqual([0, 2])
})

test('each result has its own setting', async () => {
  expect(await callsTo(MACHINE, { retryPartOfDay: { noAnswer: 'next' } })).toEqual([0, 1, 2])
  expect(await callsTo(MACHINE, { retryPartOfDay: { voicemail: 'next' } })).toEqual([0, 2])
})
