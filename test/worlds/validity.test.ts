/** Call tasks with a validity, with the engine and the sweep on virtual time (campaigns-58). */
import { expect, test } from 'vitest'
import { taskExpiryWorker } from '../../src/core/workers/task-expiry-worker.ts'
import { makeLog } from '../../src/kernel/log.ts'
import type { Contact } from '../../src/sim/person.ts'
import { CampaignWorld, numberOf } from './campaign-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const PATIENT: Contact = { does: 'answer', afterMs: 20_000, ringsAfterMs: 500, hangsUpAfterMs: 30_000 }

async function open(contactOf: () => Contact, validities: readonly object[], settings: object = {}) {
  const world = new CampaignWorld({ teams: { collections: ['anna'] }, contactOf })
  await world.campaign({ ...settings })
  await world.import(validities.length, (index) => validities[index]!, { intervalMs: HOUR_MS })
  const { clock, dialerRepository } = world
  taskExpiryWorker({ clock, dialerRepository, log: makeLog('error') }).start(0)
  await world.start()
  await world.logIn('anna')
  return world
}

const statusOf = ({ dialerRepository }: CampaignWorld, index: number) =>
  [...dialerRepository.view.tasks.values()][index]!.status
const dialsOf = ({ pbx }: CampaignWorld, index: number) =>
  pbx.carrier.invites.filter(({ number }) => number === numberOf(index)).map(({ atMs }) => atMs)

test('a task is dialed within its validity alone, and expires when it is over', async () => {
  const nowMs = new CampaignWorld().clock.nowMs()
  const world = await open(
    () => ({ does: 'ignore', ringsAfterMs: 500, afterMs: 0 }),
    [
      { validFromAtMs: nowMs + HOUR_MS, validToAtMs: nowMs + 24 * HOUR_MS },
      { validToAtMs: nowMs + 70 * MINUTE_MS },
      { validFromAtMs: nowMs + 60 * HOUR_MS },
    ],
  )
  await world.run(80 * MINUTE_MS)
  expect(dialsOf(world, 0)).toHaveLength(1)
  expect(Math.min(...dialsOf(world, 0))).toBeGreaterThanOrEqual(nowMs + HOUR_MS)
  expect(dialsOf(world, 1)).toHaveLength(2)
  expect(statusOf(world, 1)).toBe('expired')
  expect(statusOf(world, 2)).toBe('new')
})

test('call tasks of a higher priority are dialed first, retries included', async () => {
  const priorities = [0, -10, 50, 0]
  const busy = (): Contact => ({ does: 'busy', afterMs: 800 })
  const world = await open(
    busy,
    priorities.map((priority) => ({ priority })),
  )
  await world.run(90 * MINUTE_MS)
  const dialed = world.pbx.carrier.invites.map(({ number }) =>
    priorities.findIndex((_, index) => numberOf(index) === number),
  )
  expect(dialed).toEqual([2, 0, 3, 1, 2, 0, 3, 1])
})

test('a phone that rings when the validity ends rings out, and its call is a conversation', async () => {
  const nowMs = new CampaignWorld().clock.nowMs()
  const world = await open(() => PATIENT, [{ validToAtMs: nowMs + 10_000 }])
  await world.run(5 * MINUTE_MS)
  expect(dialsOf(world, 0)).toHaveLength(1)
  const [attempt] = [...world.dialerRepository.view.attempts.values()]
  expect(attempt).toMatchObject({ result: 'answered', agent: 'anna' })
  expect(statusOf(world, 0)).toBe('answered')
})

test.each(['callback', 'outcome'] as const)(
  'nobody is promised a callback for when the call task is over: %s',
  async (type) => {
    const nowMs = new CampaignWorld().clock.nowMs()
    const world = await open(() => PATIENT, [{ validToAtMs: nowMs + 24 * HOUR_MS }])
    const outcome = { id: 1, name: 'Later', needsCallback: true, isFinal: false, isActive: true, fields: [] }
    Object.assign(world.dialerRepository, { outcomesOf: () => Promise.resolve([outcome]) })
    const isTalking = () => world.engine.agentDesktop!.statuses()[0]?.state === 'talking'
    expect(await world.until(isTalking, 5 * MINUTE_MS)).toBe(true)
    const promise = (atMs: number) =>
      world.order(
        'anna',
        type === 'callback'
          ? { type, atMs, askedByContact: true }
          : { type, outcome: 1 as never, fields: [], callback: { atMs, askedByContact: true, isForTeam: false } },
      )
    const last = 24 * HOUR_MS
    expect(await promise(nowMs + last)).toMatchObject({ ok: false, why: expect.stringContaining('is over by then') })
    expect(await promise(nowMs + last - 1)).toEqual({ ok: true })
  },
)

test('a promise that only the database finds too late is told to its agent', async () => {
  const nowMs = new CampaignWorld().clock.nowMs()
  const world = await open(() => PATIENT, [{ validToAtMs: nowMs + 24 * HOUR_MS }])
  const isTalking = () => world.engine.agentDesktop!.statuses()[0]?.state === 'talking'
  expect(await world.until(isTalking, 5 * MINUTE_MS)).toBe(true)
  // The question before is answered by nobody.
  world.dialerRepository.describeTasks = () => Promise.reject(new Error('away'))
  await world.order('anna', { type: 'callback', atMs: nowMs + 25 * HOUR_MS, askedByContact: true })
  await world.run(2 * MINUTE_MS)
  expect(world.news.map(({ news }) => news.type)).toContain('callbackRefused')
  const [task] = world.dialerRepository.view.tasks.values()
  expect([task!.callback, task!.status]).toEqual([undefined, 'answered'])
})

test('a campaign is dialed from its start on and up to its end', async () => {
  const nowMs = new CampaignWorld().clock.nowMs()
  const [startsAt, endsAt] = [10, 20].map((minutes) => new Date(nowMs + minutes * MINUTE_MS).toISOString())
  const tasks = Array.from({ length: 100 }, () => ({}))
  const world = await open(() => ({ does: 'busy', afterMs: 20_000 }), tasks, { startsAt, endsAt })
  await world.run(30 * MINUTE_MS)
  const dials = world.pbx.carrier.invites.map(({ atMs }) => atMs)
  expect(dials.length).toBeGreaterThan(10)
  expect(dials.length).toBeLessThan(tasks.length)
  expect(Math.min(...dials)).toBeGreaterThanOrEqual(nowMs + 10 * MINUTE_MS)
  expect(Math.max(...dials)).toBeLessThan(nowMs + 20 * MINUTE_MS)
})
