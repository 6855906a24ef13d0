import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentName, CallTaskId } from '../../src/kernel/ids.ts'
import type { ClaimedAttempt, NodeLease } from '../../src/ports/attempt.ts'
import type { DialerRepository } from '../../src/ports/dialer-repository.ts'
import { makeDatabase, servers, type TestDatabase } from './db/database.ts'
import {
  answered,
  claim,
  claimOf,
  debtor,
  debtors,
  dial,
  HOUR_MS,
  importOf,
  NOON,
  noAnswer,
  openShop,
  searchCallTasks,
  searchOf,
  taskOf,
} from './shop.ts'

const ANNA = 'anna' as AgentName
const TOMORROW = NOON + 24 * HOUR_MS

describe.each(servers)('promises made in a call, on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let lease: NodeLease
  let attempt: ClaimedAttempt

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    await database.pools.jobs.query('truncate corporations, node_leases restart identity cascade')
    dialerRepository = await openShop(database.pools)
    lease = await dialerRepository.takeLease('one', HOUR_MS)
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    attempt = (await claim(dialerRepository, lease))[0]!
  })
  afterAll(() => database.drop())

  const promise = (task: CallTaskId, askedByContact = true, atMs = TOMORROW) =>
    dialerRepository.setCallback({ task, atMs, askedByContact, agent: ANNA, nowMs: NOON + 60_000 })

  const tasks = async () => (await searchCallTasks(database.pools, searchOf())).callTasks

  test('given a talk that finishes the task, another follows at the date with all its properties', async () => {
    expect(await promise(attempt.task.id)).toBe(attempt.task.id)
    expect(await dialerRepository.endAttempt(answered(attempt, lease))).toBe('written')
    expect(await tasks()).toMatchObject([
      { status: 'answered', finished: true },
      { status: 'callback', nextCallAtMs: TOMORROW, callbackAtMs: TOMORROW, externalCaseNumber: 'case 0' },
    ])
    const [follower] = await claim(dialerRepository, lease, { atMs: TOMORROW })
    expect(follower).toMatchObject({
      attemptNumber: 1,
      number: attempt.number,
      task: { callback: { atMs: TOMORROW, askedByContact: true, agent: 'anna' }, person: attempt.task.person },
    })
    const { rows } = await database.pools.api.query('select value from call_task_properties where task_id = $1', [
      follower!.task.id,
    ])
    expect(rows).toEqual([{ value: '0 kroner' }])
  })

  test('given an unanswered call, a date that the contact asked for precedes the interval', async () => {
    const soon = NOON + 2 * 60_000
    await promise(attempt.task.id, true, soon)
    await dialerRepository.endAttempt(noAnswer(attempt, lease))
    expect(await taskOf(database.pools, attempt.task.id)).toMatchObject({ status: 'callback', nextCallAtMs: soon })
  })

  test('and a date that only the agent chose waits for the interval', async () => {
    await promise(attempt.task.id, false, NOON + 2 * 60_000)
    const end = noAnswer(attempt, lease)
    await dialerRepository.endAttempt(end)
    expect(await taskOf(database.pools, attempt.task.id)).toMatchObject({
      status: 'callback',
      nextCallAtMs: end.next.nextCallAtMs,
    })
  })

  test('is kept by an attempt that was never placed, and by one that nobody answered (campaigns-48)', async () => {
    await promise(attempt.task.id)
    await dialerRepository.endAttempt(noAnswer(attempt, lease))
    const [blocked] = await claim(dialerRepository, lease, { atMs: TOMORROW })
    const later = { status: 'waiting', nextCallAtMs: TOMORROW + HOUR_MS } as const
    const end = { ...noAnswer(blocked!, lease, TOMORROW + 1), next: later }
    await dialerRepository.endAttempt({ ...end, result: 'blocked', reach: 'nothing', counts: false })
    expect(await taskOf(database.pools, attempt.task.id)).toMatchObject({ status: 'callback', callbackAtMs: TOMORROW })
    const [placed] = await claim(dialerRepository, lease, { atMs: TOMORROW + HOUR_MS })
    await dialerRepository.endAttempt(noAnswer(placed!, lease, TOMORROW + HOUR_MS + 30_000))
    expect(await taskOf(database.pools, attempt.task.id)).toMatchObject({ status: 'callback', callbackAtMs: TOMORROW })
  })

  test('given an end from outside, no task follows', async () => {
    await promise(attempt.task.id)
    const task = attempt.task.id
    const input = { task, corporations: [attempt.task.corporation], status: 'endedBySystem', atMs: NOON } as const
    await dialerRepository.endCallTask(input)
    await dialerRepository.endAttempt(answered(attempt, lease))
    expect(await tasks()).toMatchObject([{ status: 'endedBySystem', answered: true }])
  })

  test('given a conversation corrected to a machine before its end is written, a task follows it', async () => {
    expect(await dialerRepository.correctToMachine(attempt.id, ANNA, NOON + 80_000)).toBe('corrected')
    await dialerRepository.endAttempt(answered(attempt, lease))
    expect(await tasks()).toMatchObject([
      { status: 'answered', attemptsCounted: 1 },
      { status: 'new', nextCallAtMs: NOON + 90_000 + HOUR_MS },
    ])
  })

  test('tasks that may not be dialed before tomorrow do not block tasks that may be dialed now', async () => {
    await dialerRepository.endAttempt(noAnswer(attempt, lease))
    const asleep = Array.from({ length: 40 }, (_, index) => debtor(index + 1))
    await dialerRepository.importCallTasks(importOf([...asleep, debtor(99)].map((task, index) => ({ ...task, index }))))
    const seen: string[] = []
    const [awake] = await claim(dialerRepository, lease, {
      tasksMax: 1,
      decide: ({ receiverName, numbers }) => {
        seen.push(receiverName)
        if (receiverName === 'Debtor 99') return dial(numbers[0]!.number)
        return { verdict: 'later', nextCallAtMs: TOMORROW, why: 'outsideHours' }
      },
    })
    expect(awake?.task.receiverName).toBe('Debtor 99')
    expect(new Set(seen).size).toBe(41)
    expect(await claim(dialerRepository, lease)).toEqual([])
    expect(await claim(dialerRepository, lease, { atMs: TOMORROW })).toHaveLength(41)
  })

  test('given a database whose clock is behind the engine’s, no task is dialed early', async () => {
    await dialerRepository.importCallTasks(importOf([debtor(1)], { atMs: Date.UTC(2100, 0, 1) }))
    expect(await claim(dialerRepository, lease, { atMs: Date.UTC(2100, 0, 2) })).toEqual([])
  })

  test('the latest seen instant stays, whatever the clock shows later', async () => {
    const future = Date.UTC(2100, 0, 1)
    await database.pools.jobs.query('update dial_state set latest_seen_at_ms = $1', [future])
    const renewed = await dialerRepository.renewLease(lease, HOUR_MS)
    const moments: number[] = []
    const decide = (_: unknown, { latestSeenAtMs, databaseAtMs }: { latestSeenAtMs: number; databaseAtMs: number }) => {
      moments.push(latestSeenAtMs, databaseAtMs)
      return { verdict: 'leave' } as const
    }
    await dialerRepository.importCallTasks(importOf([debtor(1)]))
    await dialerRepository.claimDueTasks(claimOf(lease, { decide }))
    await database.pools.jobs.query('update dial_state set latest_seen_at_ms = 0')
    expect(moments[0]).toBe(future)
    expect(moments[1]).toBeGreaterThanOrEqual(renewed!.databaseAtMs)
  })
})
