/** A change of hours, days or caps makes the tasks due at once that the former settings had put off. */
import { expect, test } from 'vitest'
import type { Contact } from '../../../src/sim/person.ts'
import { CAMPAIGN, CampaignWorld, numberOf } from '../../worlds/campaign-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const BUSY: Contact = { does: 'busy', afterMs: 800 }
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7]

async function open(settings: Readonly<Record<string, unknown>>, tasks: number): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: ['anna', 'ben'] }, contactOf: () => BUSY })
  await world.campaign(settings)
  await world.import(tasks, (index) => ({ numbers: [{ given: numberOf(index), number: numberOf(index) }] }), {
    intervalMs: 0,
  })
  await world.start()
  await world.logIn('anna', 'ben')
  return world
}

const dials = ({ pbx }: CampaignWorld) => pbx.carrier.invites.length

test('hours that are widened let all tasks be dialed at once, not at their former opening', async () => {
  // The world begins at noon in Denmark.
  const world = await open({ callWindows: [{ days: ALL_DAYS, from: '08:00', to: '09:00' }] }, 60)
  await world.run(10 * MINUTE_MS)
  expect(dials(world)).toBe(0)
  expect([...world.dialerRepository.view.tasks.values()].map(({ waitsFor }) => waitsFor)).toContain('outsideHours')
  await world.campaign({ callWindows: [{ days: ALL_DAYS, from: '08:00', to: '20:00' }] })
  await world.run(5 * MINUTE_MS)
  expect(new Set(world.pbx.carrier.invites.map(({ number }) => number)).size).toBe(60)
})

test('a cap that is raised lets its people be called again', async () => {
  const world = await open({ frequencyCap: { calls: 1, days: 7 } }, 3)
  await world.run(HOUR_MS)
  expect(dials(world)).toBe(3)
  await world.campaign({ frequencyCap: { calls: 2, days: 7 } })
  await world.run(5 * MINUTE_MS)
  expect(dials(world)).toBe(6)
})

test('the board says until when nothing is due, and that no task waits', async () => {
  const world = await open({ callWindows: [{ days: ALL_DAYS, from: '11:00', to: '20:00' }] }, 3)
  const nothingDue = () => world.boards.get(CAMPAIGN)!.nothingDue
  await world.run(MINUTE_MS)
  // The world begins at 10:00 in Denmark.
  const [first] = world.dialerRepository.view.tasks.values()
  expect(nothingDue()).toEqual({ untilAtMs: first!.nextCallAtMs })
  expect(new Date(nothingDue()!.untilAtMs!).toISOString()).toContain('T10:00:00')
  await world.campaign({
    callWindows: [{ days: ALL_DAYS, from: '09:00', to: '20:00' }],
    frequencyCap: { calls: 9, days: 7 },
  })
  await world.run(10 * MINUTE_MS)
  expect(nothingDue()).toEqual({ untilAtMs: null })
})
