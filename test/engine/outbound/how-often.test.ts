/** How often, and how soon again, a person is called: whichever task, number or campaign the earlier calls were of. */
import { expect, test } from 'vitest'
import type { AgentName, CallTaskId, CampaignId, PhoneNumber } from '../../../src/kernel/ids.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld, CORPORATION, numberOf } from '../../worlds/campaign-world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOBODY: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const OTHER = 8 as CampaignId
const everyDay = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]

const open = () => new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => NOBODY, logLevel: 'warn' })

const asGiven = (number: PhoneNumber) => ({ given: number, number })

async function ready(world: CampaignWorld) {
  await world.start()
  await world.logIn('anna')
}

test('a number that is corrected in the course of a list brings no calls beyond the cap of the task', async () => {
  const world = open()
  await world.campaign({ frequencyCaps: [{ calls: 2, days: 7, per: 'task', window: 'calendarWeek' }] })
  const nameless = { index: 0, receiverName: 'Debtor', numbers: [numberOf(0)].map(asGiven), properties: [] }
  await world.import(0, undefined, { callTasks: [nameless], attemptsMax: 9 })
  await ready(world)
  await world.run(4 * HOUR_MS)
  expect(world.pbx.carrier.invites).toHaveLength(2)
  const [task] = [...world.dialerRepository.view.tasks.keys()]
  const change = { numbers: [numberOf(1)].map(asGiven) }
  const asked = { corporations: [CORPORATION], stoppedNumbers: 'reject', atMs: world.clock.nowMs() } as const
  const changed = world.dialerRepository.changeCallTask({ task: task as CallTaskId, change, ...asked })
  expect(await world.during(changed)).toMatchObject({ outcome: 'changed' })
  await world.run(4 * HOUR_MS)
  expect(world.pbx.carrier.invites).toHaveLength(2)
})

test('the time to the next call by result counts a call of another campaign from before the caps', async () => {
  const world = open()
  await world.campaign({ callWindows: everyDay }, OTHER)
  await world.import(1, () => ({}), { campaign: OTHER, attemptsMax: 1 })
  await ready(world)
  await world.run(HOUR_MS)
  const calls = () => [...world.dialerRepository.view.attempts.values()]
  expect(calls()).toHaveLength(1)
  await world.order('anna', { type: 'logOut' })
  await world.crash()
  await world.run(10 * DAY_MS - 2 * HOUR_MS)
  await world.campaign({ callWindows: everyDay, retryMinutes: { noAnswer: 14_400 } })
  await world.import(1)
  await ready(world)
  await world.until(() => calls().length > 1)
  expect(calls()).toHaveLength(1)
  await world.until(() => calls().length > 1)
  expect(calls()).toMatchObject([{ campaign: OTHER, result: 'noAnswer' }, {}])
  expect(calls()[1]!.claimedAtMs).toBeGreaterThanOrEqual(calls()[0]!.endedAtMs! + 10 * DAY_MS)
})

test('a callback that an agent dials at its date, by a clock that is behind, is kept by this call', async () => {
  // The database is 1.5 s ahead; the engine's clock has not reached the date.
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, logLevel: 'warn' })
  world.dialerRepository.skewMs = 1_500
  await world.campaign()
  await world.import(1)
  await world.start()
  const [task] = [...world.dialerRepository.view.tasks.values()]
  const nowMs = world.clock.nowMs()
  const asked = { task: task!.id, atMs: nowMs + HOUR_MS, askedByContact: true, agent: 'anna' as AgentName, nowMs }
  await world.during(world.dialerRepository.setCallback(asked))
  await world.run(HOUR_MS - 10_000)
  await world.logIn('anna')
  await world.run(9_000)
  await world.order('anna', { type: 'dial', task: task!.id })
  await world.run(HOUR_MS)
  expect(world.pbx.carrier.invites).toHaveLength(1)
})

test('no call is placed after the hours by the clock of the database, also where the other one is behind', async () => {
  const busy: Contact = { does: 'busy', afterMs: 200 }
  const agents = Array.from({ length: 8 }, (_, index) => `a${index}`)
  const world = new CampaignWorld({
    teams: { collections: agents },
    contactOf: () => busy,
    logLevel: 'warn',
    records: { latencyMs: [300, 700] },
  })
  world.dialerRepository.skewMs = 1_900
  const beginsAtMs = world.clock.nowMs()
  await world.campaign({ callWindows: [{ days: [1], from: '08:00', to: '10:01', timeZone: 'Europe/Copenhagen' }] })
  await world.import(900)
  await world.start()
  await world.logIn(...agents)
  await world.run(2 * 60_000)
  const placed = world.pbx.carrier.invites.map(({ atMs }) => atMs + world.dialerRepository.skewMs - beginsAtMs)
  expect(placed.length).toBeGreaterThan(50)
  expect(placed.filter((atMs) => atMs >= 60_000)).toEqual([])
})
