/** What an engine could not write before it died, and the next one writes before it settles the calls. */
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { CampaignWorld } from '../../worlds/campaign-world.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const AGENTS = Array.from({ length: 12 }, (_, index) => `agent-${index + 1}`)
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

/** Everybody is being called when the database fails for ten minutes. */
async function awayWhileRinging(contact: Contact, agents: readonly string[]): Promise<CampaignWorld> {
  const world = new CampaignWorld({ teams: { collections: agents }, contactOf: () => contact })
  await world.campaign()
  await world.start()
  await world.logIn(...agents)
  await world.import(agents.length)
  const { carrier } = world.pbx
  expect(await world.until(() => carrier.calls.length === agents.length, 60 * SECOND_MS)).toBe(true)
  const nowMs = world.clock.nowMs()
  world.dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 600 * SECOND_MS }]
  await world.run(15 * SECOND_MS)
  return world
}

/** Engine and switch die together; the database is back before they are. */
async function allDie(world: CampaignWorld): Promise<void> {
  await world.crash()
  world.pbx.restart(SECOND_MS)
  await world.run(600 * SECOND_MS)
  await world.start()
  await world.run(5 * SECOND_MS)
}

test('a talk that began and ended while the database was away is written by the next engine', async () => {
  const world = await awayWhileRinging({ ...ANSWERS, hangsUpAfterMs: 5 * SECOND_MS }, ['anna'])
  const { view } = world.dialerRepository
  expect([world.spool.length > 0, view.calls.size]).toEqual([true, 0])
  await allDie(world)
  expect([...view.calls.values()]).toMatchObject([{ result: 'answered', agent: 'anna' }])
  const talkMs = [...view.calls.values()].map((call) => call.talkMs)
  expect(talkMs[0]).toBeGreaterThan(4 * SECOND_MS)
  expect([...view.attempts.values()]).toMatchObject([{ result: 'answered', agent: 'anna' }])
  expect([...view.tasks.values()]).toMatchObject([{ status: 'answered' }])
  expect([world.spool, world.logged.filter((line) => line.includes('refused'))]).toEqual([[], []])
})

test('callees who talked when engine and switch died have talked, and are not called again', async () => {
  const world = await awayWhileRinging(ANSWERS, AGENTS)
  await allDie(world)
  const { view } = world.dialerRepository
  const results = [...view.attempts.values()].map(({ result, agent }) => [result, agent !== null])
  expect(results).toEqual(AGENTS.map(() => ['answered', true]))
  expect([...view.calls.values()].map(({ result }) => result)).toEqual(AGENTS.map(() => 'answered'))
  const { length } = world.pbx.carrier.calls
  await world.logIn(...AGENTS)
  await world.run(2 * HOUR_MS)
  expect(world.pbx.carrier.calls).toHaveLength(length)
})

test('an entry that the database never takes does not keep callers from being served', async () => {
  const world = await awayWhileRinging(ANSWERS, ['anna'])
  await world.crash()
  world.dialerRepository.away = []
  const beganAtMs = world.clock.nowMs()
  const never = () => Promise.reject(new DatabaseUnavailable('a statement took too long'))
  Object.assign(world.dialerRepository, { attemptConnected: never })
  await world.start()
  expect(world.clock.nowMs() - beganAtMs).toBeLessThan(70 * SECOND_MS)
  expect(world.engine.dialer!.callPlacer.isWell).toBe(false)
})

test('a lease that runs out while the past is read is waited for: nobody who talks is hung up on', async () => {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf: () => ANSWERS })
  await world.campaign()
  await world.start()
  await world.logIn('anna')
  await world.import(1)
  await world.run(15 * SECOND_MS)
  const [callee] = world.pbx.carrier.calls
  await world.crash()
  const { dialerRepository, clock } = world
  const [take, renew] = [dialerRepository.takeLease, dialerRepository.renewLease]
  let untilAtMs = 0
  dialerRepository.takeLease = async (...asked) => {
    const lease = await take.apply(dialerRepository, asked)
    untilAtMs = clock.nowMs() + 12 * SECOND_MS
    dialerRepository.away = [{ fromAtMs: clock.nowMs(), untilAtMs }]
    return lease
  }
  // The renewal comes second.
  dialerRepository.renewLease = async (...asked) => {
    if (clock.nowMs() < untilAtMs + 2 * SECOND_MS) throw new DatabaseUnavailable('it is slow to come back')
    return renew.apply(dialerRepository, asked)
  }
  await world.start()
  await world.run(5 * SECOND_MS)
  expect(callee!.heard.filter(({ untilMs }) => untilMs === undefined)).toMatchObject([{ text: 'anna' }])
  expect([...dialerRepository.view.attempts.values()]).toMatchObject([{ result: null, agent: 'anna' }])
})
