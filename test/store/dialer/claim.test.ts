import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentName, CampaignId } from '../../../src/kernel/ids.ts'
import type { ClaimedAttempt, DueTask, NodeLease } from '../../../src/ports/attempt.ts'
import { postgresDialerRepository } from '../../../src/store/dialer/dialer-repository.ts'
import type { DialerRepositoryWithStops } from '../../support/stop-control.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import { plantFault } from '../db/plant-fault.ts'
import {
  answered,
  CORPORATION,
  campaign,
  claim,
  claimOf,
  debtor,
  debtors,
  dial,
  HOUR_MS,
  importOf,
  NOON,
  noAnswer,
  number,
  openShop,
  SYSTEM,
  searchCallTasks,
  searchOf,
  taskOf,
} from '../shop.ts'

const MINUTE_MS = 60_000

describe.each(servers)('claiming due tasks on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepositoryWithStops
  let lease: NodeLease

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    dialerRepository = await openShop(database.pools)
    await database.pools.jobs.query('truncate corporations, node_leases restart identity cascade')
    dialerRepository = await openShop(database.pools)
    lease = await dialerRepository.takeLease('one', MINUTE_MS)
  })
  afterAll(() => database.drop())

  test('an attempt has its leg, its activity and its id before the engine dials', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(2)))
    const attempts = await claim(dialerRepository, lease)
    expect(attempts).toHaveLength(2)
    expect(attempts[0]).toMatchObject({ number: number(0), attemptNumber: 1, task: { attemptsMax: 3, status: 'new' } })
    expect(attempts[0]!.leg).toBe(`sb-att-${attempts[0]!.id}`)
    const kept = await dialerRepository.findAttempts({ corporations: [CORPORATION], ids: attempts.map(({ id }) => id) })
    expect(kept).toMatchObject([{ leg: attempts[0]!.leg, fence: lease.fence, result: null }, { result: null }])
    expect(await claim(dialerRepository, lease)).toEqual([])
  })

  test('the permit of the call, and its agent, are stored beside the attempt', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease, { agent: 'anna' as AgentName })
    expect(attempt!.permit).toEqual({ rules: 'none', number: number(0) })
    const { rows } = await database.pools.api.query('select permit, made_for, agent from attempts')
    expect(rows).toEqual([{ permit: attempt!.permit, made_for: 'anna', agent: null }])
  })

  test('given eight clients at once, no task is claimed twice and no number has two live attempts', async () => {
    // Every third debtor shares a telephone with the previous one, every fifth is the same person as the previous one.
    const list = debtors(300).map((task) => ({
      ...task,
      numbers: task.index % 3 === 2 ? debtor(task.index - 1).numbers : task.numbers,
      externalCustomer: task.index % 5 === 4 ? `c${task.index - 1}` : task.externalCustomer!,
    }))
    await dialerRepository.importCallTasks(importOf(list))
    const clients = Array.from({ length: 8 }, async () => {
      const mine: ClaimedAttempt[] = []
      for (let round = 0; round < 12; round++) mine.push(...(await claim(dialerRepository, lease, { tasksMax: 10 })))
      return mine
    })
    const attempts = (await Promise.all(clients)).flat()
    const distinct = (of: (attempt: ClaimedAttempt) => unknown) => new Set(attempts.map(of)).size
    expect(distinct(({ task }) => task.id)).toBe(attempts.length)
    expect(distinct(({ number }) => number)).toBe(attempts.length)
    expect(distinct(({ task }) => task.externalCustomer)).toBe(attempts.length)
    expect(attempts.length).toBeGreaterThan(100)
  })

  test('a task whose person is being dialed for another campaign waits until that is over', async () => {
    const other = 8 as CampaignId
    await dialerRepository.saveCampaign(campaign(other), NOON)
    await dialerRepository.importCallTasks(importOf([debtor(0)]))
    const elsewhere = [{ given: '50', number: number(50) }]
    await dialerRepository.importCallTasks(importOf([debtor(0, { numbers: elsewhere })], { campaign: other }))
    const [attempt] = await claim(dialerRepository, lease)
    expect(await claim(dialerRepository, lease, { campaign: other })).toEqual([])
    await dialerRepository.endAttempt(noAnswer(attempt!, lease))
    expect(await claim(dialerRepository, lease, { campaign: other })).toMatchObject([
      { number: number(50), task: { touches: [{ claimedAtMs: NOON, task: attempt!.task.id }] } },
    ])
  })

  test.each(['person', 'number'])(
    'given a call to the %s that begins and ends since the look, nothing is dialed',
    async (same) => {
      const other = 8 as CampaignId
      await dialerRepository.saveCampaign(campaign(other), NOON)
      const here =
        same === 'person' ? debtor(0, { numbers: debtor(50).numbers }) : debtor(50, { numbers: debtor(0).numbers })
      await dialerRepository.importCallTasks(importOf([here]))
      await dialerRepository.importCallTasks(importOf([debtor(0)], { campaign: other }))
      const busy = async () => {
        const [attempt] = await claim(dialerRepository, lease, { campaign: other })
        const next = { status: 'waiting', nextCallAtMs: NOON } as const
        await dialerRepository.endAttempt({ ...noAnswer(attempt!, lease), result: 'busy', next })
      }
      // Before the fourth statement of the claim, which writes its attempts. The gate knows no call, and then one of
      // the same instant.
      for (const touches of [[{ result: 'busy' }], [{ result: 'busy' }, { result: 'busy' }]]) {
        const late = plantFault(database.pools, 3, busy)
        expect(await claim(postgresDialerRepository(late.pools), lease, { tasksMax: 1 })).toEqual([])
        expect(late.hasStruck()).toBe(true)
        const seen: unknown[] = []
        const decide = (task: DueTask) => {
          seen.push(task)
          return { verdict: 'leave' } as const
        }
        await claim(dialerRepository, lease, { decide })
        expect(seen).toMatchObject([{ touches }])
      }
      expect(await claim(dialerRepository, lease)).toHaveLength(1)
    },
  )

  test('a task that the gate postpones is found when it is due, and one that it finishes is not', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(2)))
    const attempts = await claim(dialerRepository, lease, {
      decide: ({ receiverName }) =>
        receiverName === 'Debtor 0'
          ? { verdict: 'later', nextCallAtMs: NOON + HOUR_MS, why: 'notYet' }
          : { verdict: 'finish', status: 'expired' },
    })
    expect(attempts).toEqual([])
    const { callTasks } = await searchCallTasks(database.pools, searchOf())
    expect(callTasks).toMatchObject([{ status: 'new', nextCallAtMs: NOON + HOUR_MS }, { status: 'expired' }])
    expect(await claim(dialerRepository, lease)).toEqual([])
    expect(await claim(dialerRepository, lease, { atMs: NOON + HOUR_MS })).toMatchObject([{ number: number(0) }])
  })

  test('the next claim sees stops', async () => {
    const two = [number(0), number(50)].map((one) => ({ given: one, number: one }))
    await dialerRepository.importCallTasks(importOf([debtor(0, { numbers: two }), debtor(1)]))
    await dialerRepository.addStop(CORPORATION, { kind: 'number', number: number(0) }, NOON)
    await dialerRepository.addStop(
      CORPORATION,
      { kind: 'person', externalSystem: SYSTEM, externalCustomer: 'c1' },
      NOON,
    )
    const seen: DueTask[] = []
    const decide = (task: DueTask) => {
      seen.push(task)
      return { verdict: 'leave' } as const
    }
    expect(await claim(dialerRepository, lease, { decide })).toEqual([])
    const numbers = [
      { number: number(0), position: 0, stopped: true },
      { number: number(50), position: 1, stopped: false },
    ]
    expect(seen).toMatchObject([{ numbers, isPersonStopped: false }, { isPersonStopped: true }])
  })

  test('no task of an inactive campaign is claimed', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    await dialerRepository.saveCampaign(campaign(claimOf(lease).campaign, false), NOON)
    expect(await claim(dialerRepository, lease)).toEqual([])
    expect((await searchCallTasks(database.pools, searchOf())).callTasks).toMatchObject([{ status: 'paused' }])
  })

  test('given several numbers dialed together, the person is free only when the last has ended', async () => {
    const numbers = [number(0), number(50)].map((one) => ({ given: one, number: one }))
    await dialerRepository.importCallTasks(importOf([debtor(0, { numbers })]))
    const decide = () => dial(number(0), number(50))
    const [first, second] = await claim(dialerRepository, lease, { decide })
    expect([first?.attemptNumber, second?.attemptNumber]).toEqual([1, 2])
    expect(await dialerRepository.endAttempt(noAnswer(first!, lease))).toBe('written')
    const later = { atMs: NOON + 3 * HOUR_MS }
    expect(await claim(dialerRepository, lease, later)).toEqual([])
    expect(await dialerRepository.endAttempt(noAnswer(second!, lease))).toBe('written')
    expect(await claim(dialerRepository, lease, later)).toMatchObject([
      { attemptNumber: 3, task: { attempts: [{ result: 'noAnswer' }, { result: 'noAnswer' }] } },
    ])
  })

  test('milestones and the end are written once; a finished task never reopens', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease)
    const event = { attempt: attempt!.id, fence: lease.fence, agent: 'anna' as AgentName }
    expect(await dialerRepository.attemptConnected({ ...event, atMs: NOON + 1 })).toBe('written')
    expect(await dialerRepository.attemptConnected({ ...event, atMs: NOON + 9 })).toBe('written')
    expect((await taskOf(database.pools, attempt!.task.id)).status).toBe('inCall')
    expect(await dialerRepository.endAttempt(answered(attempt!, lease))).toBe('written')
    expect(await dialerRepository.endAttempt(noAnswer(attempt!, lease))).toBe('already ended')
    const kept = await dialerRepository.findAttempts({ corporations: [CORPORATION], tasks: [attempt!.task.id] })
    expect(kept).toMatchObject([
      { connectedAtMs: NOON + 1, ringingAtMs: NOON + 15_000, result: 'answered', reach: 'answered', agent: 'anna' },
    ])
    expect(await dialerRepository.attemptConnected({ ...event, atMs: NOON + 9 })).toBe('already ended')
    expect((await searchCallTasks(database.pools, searchOf())).callTasks).toMatchObject([
      { status: 'answered', finished: true, answered: true, attemptsCounted: 0 },
    ])
    expect(await claim(dialerRepository, lease, { atMs: NOON + 9 * HOUR_MS })).toEqual([])
  })

  test('given a lease that another took, the old engine claims nothing and writes nothing', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(2)))
    const [attempt] = await claim(dialerRepository, lease, { tasksMax: 1 })
    const newer = await dialerRepository.takeLease('one', MINUTE_MS)
    expect(newer.fence).toBeGreaterThan(lease.fence)
    expect(await dialerRepository.claimDueTasks(claimOf(lease))).toEqual({ outcome: 'no lease' })
    expect(await dialerRepository.renewLease(lease, MINUTE_MS)).toBeUndefined()
    expect(await dialerRepository.adoptAttempts(lease)).toBeUndefined()
    expect(await dialerRepository.openAttempts(newer)).toMatchObject([{ id: attempt!.id, fence: newer.fence }])
    const event = { attempt: attempt!.id, fence: lease.fence, atMs: NOON, agent: 'anna' as AgentName }
    expect(await dialerRepository.attemptConnected(event)).toBe('fenced off')
    expect(await dialerRepository.endAttempt(noAnswer(attempt!, lease))).toBe('fenced off')
    expect(await dialerRepository.openAttempts(lease)).toEqual([])
    expect(await dialerRepository.endAttempt(noAnswer(attempt!, newer))).toBe('written')
    expect(await dialerRepository.openAttempts(newer)).toEqual([])
  })

  test('given an expired lease, another node adopts its attempts and the old engine is refused', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease)
    const other = await dialerRepository.takeLease('two', MINUTE_MS)
    expect(await dialerRepository.adoptAttempts(other)).toEqual([])
    await database.pools.jobs.query(`update node_leases set expires_at = now() - interval '1 s' where node = 'one'`)
    expect(await dialerRepository.claimDueTasks(claimOf(lease))).toEqual({ outcome: 'no lease' })
    expect(await dialerRepository.adoptAttempts(other)).toMatchObject([{ id: attempt!.id }])
    expect(await dialerRepository.renewLease(lease, MINUTE_MS)).toBeUndefined()
    expect(await dialerRepository.renewLease(other, MINUTE_MS)).toMatchObject({ fence: other.fence })
  })
})
