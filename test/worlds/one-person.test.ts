/** What protects a callee holds for the person and the number, over all tasks, campaigns and ways in. */
import { expect, test } from 'vitest'
import type { CampaignId, PhoneNumber } from '../../src/kernel/ids.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CampaignWorld, type CampaignWorldOptions, INBOUND, numberOf } from './campaign-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const OTHER = 8 as CampaignId

const BUSY: Contact = { does: 'busy', afterMs: 800 }
const TALKS: Contact = { does: 'answer', afterMs: 2_000, ringsAfterMs: 500, hangsUpAfterMs: 30_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }
const DEAD: Contact = { does: 'fail', code: 404, afterMs: 300 }

const nameless = { externalCustomer: undefined } as object
const listed = (...numbers: readonly PhoneNumber[]) => ({
  numbers: numbers.map((number) => ({ given: number, number })),
})

function open(contactOf: NonNullable<CampaignWorldOptions['contactOf']>) {
  return new CampaignWorld({ teams: { collections: ['anna', 'ben'] }, contactOf, hasCallEventLog: true })
}

async function begin(world: CampaignWorld): Promise<CampaignWorld> {
  await world.start()
  await world.logIn('anna', 'ben')
  return world
}

const dialsOf = ({ pbx }: CampaignWorld, number?: PhoneNumber) =>
  pbx.carrier.invites.filter((invite) => number === undefined || invite.number === number).map(({ atMs }) => atMs)

const statusesOf = ({ dialerRepository }: CampaignWorld) =>
  [...dialerRepository.view.tasks.values()].map(({ status }) => status)

test('a cap of 2 in 7 days holds for a number under three customer numbers', async () => {
  const world = open(() => BUSY)
  await world.campaign({ frequencyCap: { calls: 2, days: 7 } })
  await world.import(3, () => listed(numberOf(0)), { intervalMs: 0 })
  await begin(world)
  await world.run(8 * HOUR_MS)
  expect(dialsOf(world)).toHaveLength(2)
  const waiting = [...world.dialerRepository.view.tasks.values()].filter(
    ({ finishedAtMs }) => finishedAtMs === undefined,
  )
  const freeAtMs = dialsOf(world)[0]! + 7 * 24 * HOUR_MS
  for (const { waitsFor, nextCallAtMs } of waiting) {
    expect(waitsFor).toBe('frequencyCap')
    // The claim of the first call came before its INVITE; the cap counts from the latest instant of the INVITE.
    expect(nextCallAtMs!).toBeGreaterThanOrEqual(freeAtMs)
    expect(nextCallAtMs!).toBeLessThanOrEqual(freeAtMs + 5_000)
  }
})

test('a cap per case holds for a case under two tasks, and leaves tasks without a case to themselves', async () => {
  const world = open(() => BUSY)
  await world.campaign({ frequencyCaps: [{ calls: 1, days: 7, per: 'case' }] })
  const cases = ['A', 'A', undefined, undefined]
  const change = (index: number) => ({ ...listed(numberOf(0)), externalCaseNumber: cases[index] }) as object
  await world.import(cases.length, change, { intervalMs: 0 })
  await begin(world)
  await world.run(8 * HOUR_MS)
  const { attempts, tasks } = world.dialerRepository.view
  const called = [...attempts.values()].map(({ task }) => tasks.get(task)!.externalCaseNumber ?? 'none')
  expect(called.sort()).toEqual(['A', 'none', 'none'])
})

test('the quiet after a talk holds for the number in another campaign, under another customer number', async () => {
  const world = open(() => TALKS)
  await world.campaign({ frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 7 } })
  await world.campaign({ frequencyCap: { calls: 7, days: 7, quietDaysAfterTalk: 7 } }, OTHER)
  await world.import(1)
  await world.import(1, () => ({ ...listed(numberOf(0)), externalCustomer: 'someone else' }), { campaign: OTHER })
  await begin(world)
  await world.run(8 * HOUR_MS)
  expect(dialsOf(world)).toHaveLength(1)
  expect(statusesOf(world).sort()).toEqual(['answered', 'new'])
})

test('without such a quiet a talk puts off the person’s other task by its interval', async () => {
  const world = open(() => TALKS)
  await world.campaign()
  await world.campaign({}, OTHER)
  await world.import(1)
  await world.import(1, () => listed(numberOf(1)), { campaign: OTHER, intervalMs: 2 * HOUR_MS })
  await begin(world)
  await world.run(3 * HOUR_MS)
  const [first, second] = dialsOf(world)
  expect(second! - first!).toBeGreaterThan(2 * HOUR_MS + 30_000)
})

test('four cases of one debtor are called one interval after another', async () => {
  const world = open(() => RINGS)
  await world.campaign({ frequencyCap: { calls: 50, days: 7 } })
  const cases = (index: number) => ({
    ...listed(numberOf(0)),
    externalCustomer: 'c',
    externalCaseNumber: `case ${index}`,
  })
  await world.import(4, cases, { intervalMs: 4 * HOUR_MS, attemptsMax: 1 })
  await begin(world)
  await world.run(9 * HOUR_MS)
  const dials = dialsOf(world)
  expect(dials).toHaveLength(3)
  for (const [place, atMs] of dials.slice(1).entries()) expect(atMs - dials[place]!).toBeGreaterThanOrEqual(4 * HOUR_MS)
})

test('a person who was dropped is left in peace for 72 hours by their second task, in another campaign', async () => {
  const world = open(() => ({ ...TALKS, hangsUpAfterMs: 5_000 }))
  await world.campaign()
  await world.campaign({}, OTHER)
  await world.import(2, () => ({}), { intervalMs: 0 })
  await world.import(2, (index) => listed(numberOf(index)), { campaign: OTHER, intervalMs: 0 })
  await begin(world)
  // They answer and hang up while no engine is there.
  await world.until(() => dialsOf(world).length === 2)
  await world.crash()
  await world.run(15_000)
  await begin(world)
  await world.run(9 * HOUR_MS)
  const dropped = [...world.dialerRepository.view.attempts.values()].filter(({ result }) => result === 'dropped')
  expect(dropped).toHaveLength(2)
  for (const { number, endedAtMs } of dropped) {
    expect(dialsOf(world, number).filter((atMs) => atMs > endedAtMs!)).toEqual([])
  }
})

test('nobody is rung who is on our line, or was within the last five minutes; nothing counts', async () => {
  const world = open(() => BUSY)
  await world.campaign()
  await world.start()
  world.pbx.callIn({ called: INBOUND, caller: numberOf(0), person: { hangsUpAfterMs: 20_000 } })
  await world.run(1_000)
  await world.import(2)
  await world.logIn('anna', 'ben')
  await world.until(() => dialsOf(world, numberOf(0)).length > 0)
  const [call] = [...world.dialerRepository.view.calls.values()].filter(({ direction }) => direction === 'in')
  const [first] = dialsOf(world, numberOf(0))
  expect(dialsOf(world, numberOf(1))[0]!).toBeLessThan(call!.endedAtMs)
  expect(first! - call!.endedAtMs).toBeGreaterThanOrEqual(5 * MINUTE_MS)
  expect(first! - call!.endedAtMs).toBeLessThan(6 * MINUTE_MS)
  const blocked = [...world.dialerRepository.view.attempts.values()].filter(({ result }) => result === 'blocked')
  expect(blocked).toEqual([])
})

test('a caller whose call the database does not know yet is not rung either', async () => {
  const world = open(() => BUSY)
  await world.campaign({ quietMinutesAfterInbound: 0 })
  await world.start()
  const began = Promise.withResolvers<void>()
  world.clock.schedule(world.clock.nowMs() + 30_000, () => began.resolve())
  world.dialerRepository.callBegan = () => began.promise
  world.pbx.callIn({ called: INBOUND, caller: numberOf(0).replace('+', '00'), person: { hangsUpAfterMs: 20_000 } })
  await world.run(1_000)
  await world.import(1)
  await world.logIn('anna', 'ben')
  await world.until(() => dialsOf(world).length > 0)
  const [call] = [...world.dialerRepository.view.calls.values()].filter(({ direction }) => direction === 'in')
  expect(dialsOf(world)[0]!).toBeGreaterThan(call!.endedAtMs)
})

test('a dead number leaves the rotation of every task at once', async () => {
  const [dead, lives] = [numberOf(0), numberOf(1)]
  const world = open((number) => (number === dead ? DEAD : BUSY))
  await world.campaign({ frequencyCap: { calls: 50, days: 1 } })
  const numbers = (index: number) => ({ ...listed(...[[dead, lives], [dead]][index]!), ...nameless })
  await world.import(2, numbers, { intervalMs: 0, attemptsMax: 6 })
  await begin(world)
  await world.run(2 * HOUR_MS)
  expect(dialsOf(world, dead)).toHaveLength(1)
  expect(dialsOf(world, lives)).toHaveLength(5)
  expect(statusesOf(world)).toEqual(['maxAttempts', 'noCallableNumber'])
})
