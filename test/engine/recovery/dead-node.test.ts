/** A node that dies for good: another one takes its calls over, and knows that they were made (INV-D1). */
import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import type { Contact } from '../../../src/sim/person.ts'
import type { CampaignWorld } from '../../worlds/campaign-world.ts'
import { firstNode, twoNodes } from './two-nodes.ts'

const SECOND_MS = 1_000
const ANSWERS: Contact = { does: 'answer', ringsAfterMs: 500, afterMs: 3_000 }

/** The first node is cut off in a call, and back when the other one has adopted it, and settles it when it is let. */
async function comeBackTo(world: CampaignWorld, cutOff: { untilAtMs: number }): Promise<() => void> {
  const { dialerRepository, clock } = world
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 10 * SECOND_MS)).toBe(true)
  cutOff.untilAtMs = clock.nowMs() + 3_600 * SECOND_MS
  const { describeTasks } = dialerRepository
  let isHeldUp = true
  dialerRepository.describeTasks = async (...asked) => {
    if (isHeldUp) throw new DatabaseUnavailable('it is slow')
    return describeTasks.apply(dialerRepository, asked)
  }
  const [attempt] = dialerRepository.view.attempts.values()
  const { fence } = attempt!
  expect(await world.until(() => attempt!.fence !== fence, 150 * SECOND_MS)).toBe(true)
  cutOff.untilAtMs = 0
  await world.run(5 * SECOND_MS)
  return () => {
    isHeldUp = false
  }
}

async function comeBackEarly(world: CampaignWorld, cutOff: { untilAtMs: number }): Promise<void> {
  const letSettle = await comeBackTo(world, cutOff)
  letSettle()
  await world.run(30 * SECOND_MS)
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
  expect([...view.calls.values()].map(({ result }) => result).toSorted()).toEqual(['answered', 'unknown'])
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
  expect([view.attempts.size, view.calls.size, view.events.length]).toEqual([1, 1, 1])
  const talked = { result: 'answered', agent: 'anna' }
  expect([[...view.attempts.values()], [...view.calls.values()]]).toMatchObject([[talked], [talked]])
  expect([...view.calls.values()][0]!.talkMs).toBeGreaterThan(15 * SECOND_MS)
})

test.each([
  ['has ended', 20],
  ['goes on', 400],
])('a node comes back while another one is about to settle its talk, which %s: it was a talk', async (_, talkS) => {
  const cutOff = { untilAtMs: 0 }
  const world = await twoNodes({ ...ANSWERS, hangsUpAfterMs: talkS * SECOND_MS }, cutOff)
  const { view } = world.dialerRepository
  await world.import(1, () => ({}), { intervalMs: 60 * SECOND_MS })
  await comeBackEarly(world, cutOff)
  await world.run(200 * SECOND_MS)
  expect(view.attempts.size).toBe(1)
  await world.run(2 * 3_600 * SECOND_MS)
  const talked = { result: 'answered', agent: 'anna' }
  expect([[...view.attempts.values()], [...view.calls.values()]]).toMatchObject([[talked], [talked]])
  const [call] = view.calls.values()
  expect(call!.talkMs).toBeGreaterThan((talkS - 5) * SECOND_MS)
  expect([[...view.tasks.values()].map(({ status }) => status), view.events.length]).toEqual([['answered'], 1])
})

test('an outcome that comes while another node is about to settle the attempt is not lost', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await twoNodes({ does: 'busy', afterMs: 20 * SECOND_MS }, cutOff)
  const { view } = world.dialerRepository
  await world.import(1)
  await comeBackEarly(world, cutOff)
  expect(view.calls.size).toBe(1)
  await world.run(120 * SECOND_MS)
  expect([[...view.attempts.values()], [...view.calls.values()]]).toMatchObject([
    [{ result: 'busy', counts: true }],
    [{ result: 'busy' }],
  ])
  expect(view.events).toHaveLength(1)
})

test('a node that dies before its outcome is told again has not lost it', async () => {
  const cutOff = { untilAtMs: 0 }
  const world = await twoNodes({ does: 'busy', afterMs: 20 * SECOND_MS }, cutOff)
  const { view } = world.dialerRepository
  await world.import(1)
  const letSettle = await comeBackTo(world, cutOff)
  expect([view.calls.size, world.spool.length], 'it was refused').toEqual([0, 1])
  await world.crash()
  letSettle()
  await world.run(30 * SECOND_MS)
  expect([...view.calls.values()]).toMatchObject([{ result: 'unknown' }])
  await world.start()
  await world.run(90 * SECOND_MS)
  const busy = { result: 'busy' }
  expect([[...view.attempts.values()], [...view.calls.values()]]).toMatchObject([[busy], [busy]])
  expect([view.events.length, world.spool]).toEqual([1, []])
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

test('nor does a node take them over that is started when the database is back', async () => {
  const cutOff = { untilAtMs: 0 }
  const { world, startSecond } = await firstNode({ ...ANSWERS, hangsUpAfterMs: 600 * SECOND_MS }, cutOff)
  const { dialerRepository, clock } = world
  await world.logIn('anna', 'ben')
  await world.import(1)
  expect(await world.until(() => world.pbx.carrier.calls.length === 1, 10 * SECOND_MS)).toBe(true)
  const nowMs = clock.nowMs()
  dialerRepository.away = [{ fromAtMs: nowMs, untilAtMs: nowMs + 120 * SECOND_MS }]
  cutOff.untilAtMs = nowMs + 130 * SECOND_MS
  await world.run(121 * SECOND_MS)
  await startSecond()
  const [attempt] = dialerRepository.view.attempts.values()
  const { fence } = attempt!
  await world.run(300 * SECOND_MS)
  expect([...dialerRepository.view.attempts.values()]).toMatchObject([{ fence, result: null }])
  await world.run(600 * SECOND_MS)
  const talked = { result: 'answered', agent: 'anna' }
  expect([...dialerRepository.view.attempts.values()]).toMatchObject([talked])
  expect([...dialerRepository.view.calls.values()]).toMatchObject([talked])
})
