/** A node that dies for good: another one takes its calls over, and knows that they were made (INV-D1). */
import { expect, test } from 'vitest'
import type { EngineDependencies } from '../../../src/engine/context.ts'
import { Engine } from '../../../src/engine/loop/engine.ts'
import { seededRandom } from '../../../src/kernel/random.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import { SimPbx } from '../../../src/sim/sim-pbx.ts'
import { CampaignWorld, numberOf } from '../../worlds/campaign-world.ts'
import { staffOf } from '../../worlds/set-up.ts'

const SECOND_MS = 1_000
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }
const RINGS: Contact = { does: 'ignore', ringsAfterMs: 500, afterMs: 0 }

/** Anna and Ben are on the first node. Both nodes share the database alone. */
async function twoNodes(first: Contact, cutOff = { untilAtMs: 0 }): Promise<CampaignWorld> {
  let usual: EngineDependencies | undefined
  const world: CampaignWorld = new CampaignWorld({
    teams: { collections: ['anna', 'ben'] },
    contactOf: (number) => (number === numberOf(0) ? first : RINGS),
    parts: (all) => {
      usual = all
      const dialerRepository = reached(all.dialer!.dialerRepository, () => world.clock.nowMs() >= cutOff.untilAtMs)
      return { dialer: { ...all.dialer!, dialerRepository } }
    },
  })
  await world.campaign()
  await world.start()
  await secondNode(world, usual!)
  await world.logIn('anna', 'ben')
  return world
}

/** The database as a node reaches it, or does not. */
function reached<T extends object>(database: T, isReached: () => boolean): T {
  return new Proxy(database, {
    get(_, name) {
      const value = database[name as keyof T]
      if (typeof value !== 'function' || name === 'onNotification') return value
      const cut = () => Promise.reject(new DatabaseUnavailable('this node is cut off'))
      return (...asked: unknown[]) => (isReached() ? value.apply(database, asked) : cut())
    },
  })
}

async function secondNode(world: CampaignWorld, usual: EngineDependencies): Promise<void> {
  const { clock, dialerRepository, flowEvents } = world
  const contactOf = () => RINGS
  const pbx = new SimPbx({ clock, random: seededRandom(2), carrier: { trunks: { main: {} }, contactOf } })
  const spool = { append: () => {}, read: () => [], clear: () => {}, setAside: () => {} }
  const dialer = { ...usual.dialer!, dialerRepository, flowEvents, spool, node: 'two' }
  const staff = staffOf({ collections: ['carl'] })
  const engine = new Engine({ ...usual, clock, pbx, dialer }, { numbers: new Map(), staff })
  await world.during(engine.prepare())
  await pbx.start()
  engine.begin()
}

test.each(['at once', 'at the second try'])('its calls count, and who talked has talked: settled %s', async (when) => {
  const world = await twoNodes(ANSWERS)
  const { dialerRepository, clock } = world
  await world.import(2)
  await world.run(8 * SECOND_MS)
  expect([...dialerRepository.view.attempts.values()]).toMatchObject([{ agent: 'anna' }, { agent: null }])
  await world.crash()
  const { describeTasks } = dialerRepository
  let failures = when === 'at once' ? 0 : 1
  dialerRepository.describeTasks = (...asked) => {
    if (failures-- > 0) return Promise.reject(new DatabaseUnavailable('once'))
    return describeTasks.apply(dialerRepository, asked)
  }
  const { view } = dialerRepository
  const ended = () => [...view.attempts.values()].every(({ result }) => result !== null)
  expect(await world.until(ended, 150 * SECOND_MS)).toBe(true)
  expect([...view.attempts.values()]).toMatchObject([
    { result: 'answered', agent: 'anna' },
    { result: 'unknown', counts: true },
  ])
  expect([...view.calls.values()].map(({ result }) => result)).toEqual(['answered', 'unknown'])
  const [talked, rang] = [...view.tasks.values()]
  expect([talked!.status, rang!.status]).toEqual(['answered', 'waiting'])
  expect(rang!.nextCallAtMs).toBeGreaterThan(clock.nowMs() + 3_000 * SECOND_MS)
})

test('a node that was cut off brings what it knows: who talked meanwhile is not called again', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await twoNodes({ ...ANSWERS, hangsUpAfterMs: 20 * SECOND_MS }, cutOff)
  const { view } = world.dialerRepository
  await world.import(1)
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 10 * SECOND_MS)).toBe(true)
  cutOff.untilAtMs = world.clock.nowMs() + 180 * SECOND_MS
  const ended = () => [...view.attempts.values()].every(({ result }) => result !== null)
  expect(await world.until(ended, 150 * SECOND_MS)).toBe(true)
  expect([...view.attempts.values()]).toMatchObject([{ result: 'unknown' }])
  await world.run(2 * 3_600 * SECOND_MS)
  expect([...view.tasks.values()]).toMatchObject([{ status: 'answered', answered: true }])
  expect([view.attempts.size, view.calls.size]).toEqual([1, 1])
})

test('after an outage of the database the calls of a node that comes back later are still its own', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await twoNodes({ ...ANSWERS, hangsUpAfterMs: 600 * SECOND_MS }, cutOff)
  const { dialerRepository, clock } = world
  await world.import(1)
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 10 * SECOND_MS)).toBe(true)
  const nowMs = clock.nowMs()
  dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 120 * SECOND_MS }]
  // Longer than from one look at other nodes to the next.
  cutOff.untilAtMs = nowMs + 155 * SECOND_MS
  await world.run(1_200 * SECOND_MS)
  const talked = { result: 'answered', agent: 'anna' }
  expect([...dialerRepository.view.attempts.values()]).toMatchObject([talked])
  expect([...dialerRepository.view.calls.values()]).toMatchObject([talked])
})
