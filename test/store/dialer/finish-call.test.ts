import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ActivityId, AgentName, AttemptId, CallId, Fence, TeamName } from '../../../src/kernel/ids.ts'
import type { NodeLease } from '../../../src/ports/attempt.ts'
import type { DialerRepository, FinishedCall } from '../../../src/ports/dialer-repository.ts'
import { nextNumber } from '../../../src/store/db/counters.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import {
  CORPORATION,
  claim,
  debtors,
  importOf,
  NOON,
  noAnswer,
  number,
  openShop,
  SYSTEM,
  searchCallTasks,
  searchOf,
} from '../shop.ts'

const MINUTE_MS = 60_000

describe.each(servers)('the end of a call on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let lease: NodeLease

  beforeAll(async () => {
    database = await makeDatabase(server)
  })
  beforeEach(async () => {
    await database.pools.jobs.query('truncate corporations, node_leases restart identity cascade')
    dialerRepository = await openShop(database.pools)
    lease = await dialerRepository.takeLease('one', MINUTE_MS)
    await subscribe('https://integrator.example/hook')
  })
  afterAll(() => database.drop())

  const subscribe = (url: string) =>
    database.pools.jobs.query(
      `insert into webhook_subscriptions (corporation_id, url, secrets, event_types, created_at_ms, updated_at_ms)
       values (1, $1, '[]', '{phone-call.ended}', 0, 0)`,
      [url],
    )

  const call = (change: Partial<FinishedCall> = {}): FinishedCall => ({
    call: 'sb-call-1' as CallId,
    corporation: CORPORATION,
    direction: 'in',
    caller: number(0),
    called: '+4570000000',
    createdAtMs: NOON,
    answeredAtMs: NOON + 5_000,
    endedAtMs: NOON + MINUTE_MS,
    talkMs: 55_000,
    waitMs: 0,
    agent: 'anna' as AgentName,
    externalSystem: SYSTEM,
    externalCaseNumber: 'case 0',
    recordings: [{ file: 'one.wav', startedAtMs: NOON + 5_000, endedAtMs: NOON + MINUTE_MS, state: 'ready' }],
    eventName: 'evt_1',
    ...change,
  })

  const count = async (table: string) => {
    const { rows } = await database.pools.api.query(`select count(*) as count from ${table}`)
    return (rows[0] as { count: number }).count
  }

  const counts = async () =>
    Promise.all(['call_activities', 'recordings', 'events', 'deliveries'].map((table) => count(table)))

  test('the activity, its recording, the event and its delivery are written together', async () => {
    const result = await dialerRepository.finishCall(call())
    expect(result.outcome).toBe('recorded')
    expect(await counts()).toEqual([1, 1, 1, 1])
  })

  test.each(['47\u000011', '47\ud80011'])(
    'no case number of another system keeps it from being recorded: %j',
    async (of) => {
      const result = await dialerRepository.finishCall(call({ externalCaseNumber: of }))
      expect(result.outcome).toBe('recorded')
      const { rows } = await database.pools.api.query('select external_case_number as of from call_activities')
      expect(rows).toEqual([{ of: '47\ufffd11' }])
      const stop = { corporation: CORPORATION, number: number(0), call: null, by: 'flow line', atMs: NOON }
      await dialerRepository.doNotCall({ ...stop, reason: `asked about ${of}` } as never)
      expect(await dialerRepository.isStopped(CORPORATION, { kind: 'number', number: number(0) })).toBe(true)
    },
  )

  test('who ended it, its team, and a failed recording with its reason are stored', async () => {
    const recordings = [
      { file: 'two.wav', startedAtMs: NOON, endedAtMs: NOON, state: 'failed', why: 'disk full' },
    ] as const
    await dialerRepository.finishCall(call({ hungUpBy: 'agent', team: 'collectors' as TeamName, recordings }))
    const { rows } = await database.pools.api.query(
      'select c.hung_up_by, c.team, r.state, r.why from call_activities c join recordings r on r.activity_id = c.id',
    )
    expect(rows).toEqual([{ hung_up_by: 'agent', team: 'collectors', state: 'failed', why: 'disk full' }])
  })

  test('given a write that fails at its last part, nothing is stored, not even the end of the attempt', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease)
    await database.pools.jobs.query('alter table events rename to hidden_events')
    const broken = call({ activity: attempt!.activity, attempt: noAnswer(attempt!, lease) })
    await expect(dialerRepository.finishCall(broken)).rejects.toThrow('events')
    await database.pools.jobs.query('alter table hidden_events rename to events')
    expect(await counts()).toEqual([0, 0, 0, 0])
    expect(await dialerRepository.findAttempts({ corporations: [CORPORATION], ids: [attempt!.id] })).toMatchObject([
      { result: null },
    ])
    expect(await dialerRepository.finishCall(broken)).toEqual({ outcome: 'recorded', activity: attempt!.activity })
    expect((await searchCallTasks(database.pools, searchOf())).callTasks).toMatchObject([
      { status: 'waiting', attemptsCounted: 1 },
    ])
  })

  test('given concurrent reports of one call, it is written once', async () => {
    const results = await Promise.all([call(), call(), call(), call()].map((one) => dialerRepository.finishCall(one)))
    expect(results.map(({ outcome }) => outcome).sort()).toEqual([...Array(3).fill('already recorded'), 'recorded'])
    expect(new Set(results.map((result) => 'activity' in result && result.activity)).size).toBe(1)
    expect(await counts()).toEqual([1, 1, 1, 1])
  })

  test('a replaced engine writes no call', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease)
    await dialerRepository.adoptAttempts(await dialerRepository.takeLease('one', MINUTE_MS))
    const late = call({ activity: attempt!.activity, attempt: noAnswer(attempt!, lease) })
    expect(await dialerRepository.finishCall(late)).toEqual({ outcome: 'refused', why: 'fenced off' })
    const unknown = { ...noAnswer(attempt!, lease), attempt: 999 as AttemptId, fence: 1 as Fence }
    expect(await dialerRepository.finishCall(call({ attempt: unknown }))).toEqual({
      outcome: 'refused',
      why: 'no such attempt',
    })
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  test('calls and attempts share one id sequence', async () => {
    await dialerRepository.importCallTasks(importOf(debtors(1)))
    const [attempt] = await claim(dialerRepository, lease)
    const incoming = await dialerRepository.finishCall(call())
    expect(incoming).toMatchObject({ activity: (attempt!.activity + 1) as ActivityId })
  })

  test('sequences without gaps have none under concurrency and rollbacks', async () => {
    const taken: number[] = []
    const take = async (index: number) => {
      const work = inTransaction(database.pools.jobs, async (transaction) => {
        const value = await nextNumber(transaction, CORPORATION, 'case')
        if (index % 3 === 0) throw new Error('rolled back on purpose')
        return value
      })
      await work.then((value) => taken.push(value)).catch(() => {})
    }
    await Promise.all(Array.from({ length: 60 }, (_, index) => take(index)))
    expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
  })
})
