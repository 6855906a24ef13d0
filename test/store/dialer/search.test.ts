import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentName, CallTaskId, CampaignId, CorporationId } from '../../../src/kernel/ids.ts'
import type { NodeLease } from '../../../src/ports/attempt.ts'
import type { DialerRepository } from '../../../src/ports/dialer-repository.ts'
import { callTaskStream } from '../../../src/store/dialer/call-task-stream.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'
import {
  CAMPAIGN,
  CORPORATION,
  campaign,
  claim,
  debtors,
  HOUR_MS,
  importOf,
  NOON,
  noAnswer,
  number,
  openShop,
  SYSTEM,
  searchCallTasks,
  searchOf,
} from '../shop.ts'

describe.each(servers)('call tasks on $name', (server) => {
  let database: TestDatabase
  let dialerRepository: DialerRepository
  let lease: NodeLease

  beforeAll(async () => {
    database = await makeDatabase(server)
    dialerRepository = await openShop(database.pools)
    lease = await dialerRepository.takeLease('one', HOUR_MS)
    await dialerRepository.importCallTasks(importOf(debtors(10)))
    const [attempt] = await claim(dialerRepository, lease, { tasksMax: 1 })
    await dialerRepository.endAttempt(noAnswer(attempt!, lease))
  })
  afterAll(() => database.drop())

  const names = async (...search: Parameters<typeof searchOf>) =>
    (await searchCallTasks(database.pools, searchOf(...search))).callTasks.map(({ receiverName }) =>
      receiverName.slice(7),
    )

  test.each([
    ['case numbers', { externalCaseNumbers: ['case 3', 'case 4', 'case 99'] }, ['3', '4']],
    ['customers', { externalCustomers: ['c5'] }, ['5']],
    ['numbers', { numbers: [number(6)] }, ['6']],
    ['campaigns', { campaigns: [CAMPAIGN], externalSystems: [SYSTEM], externalCustomers: ['c7'] }, ['7']],
    ['status', { statuses: ['waiting' as const] }, ['0']],
    ['last call', { lastCallAtMs: { from: NOON, to: NOON + 1 } }, ['0']],
    ['next call', { nextCallAtMs: { from: NOON + 1 } }, ['0']],
    ['no answer yet, callback', { answered: [true, false], finished: [false], hasCallback: true }, []],
    ['another corporation', { corporations: [2 as CorporationId] }, []],
  ])('are found by %s', async (_, filter, expected) => {
    expect(await names(filter)).toEqual(expected)
  })

  test('a waiting task is ready when its hour has come', async () => {
    const search = searchOf({ statuses: ['ready'] }, { atMs: NOON + 2 * HOUR_MS })
    expect(await searchCallTasks(database.pools, search)).toMatchObject({
      foundRows: 1,
      callTasks: [{ status: 'ready' }],
    })
  })

  test('pages follow each other in the requested order', async () => {
    const sort = { by: 'createdAtMs', descending: true } as const
    const pages = [0, 1, 2, 3].map((page) => names({}, { sort, page, rowsMax: 4 }))
    expect(await Promise.all(pages)).toEqual([['9', '8', '7', '6'], ['5', '4', '3', '2'], ['1', '0'], []])
  })

  test('an ended task is dialed no more; ringing attempts are named, ending it twice is harmless', async () => {
    const id = 20 as CampaignId
    await dialerRepository.saveCampaign(campaign(id), NOON)
    const others = debtors(2).map((task) => ({ ...task, numbers: [{ given: '', number: number(20 + task.index) }] }))
    const strangers = others.map((task) => ({ ...task, externalCustomer: `s${task.index}` }))
    await dialerRepository.importCallTasks(importOf(strangers, { campaign: id }))
    const [ringing] = await claim(dialerRepository, lease, { campaign: id, tasksMax: 1 })
    const command = { corporations: [CORPORATION], status: 'endedBySystem', reason: 'PAID', atMs: NOON + 1 } as const
    const task = ringing!.task.id
    expect(await dialerRepository.endCallTask({ ...command, task })).toEqual({
      outcome: 'ended',
      status: 'endedBySystem',
      answered: false,
      finishedAtMs: NOON + 1,
      activeCall: null,
      cancel: [ringing!.id],
      followers: [],
    })
    const talking = { attempt: ringing!.id, fence: lease.fence, atMs: NOON + 2, agent: 'anna' as AgentName }
    expect(await dialerRepository.attemptConnected(talking)).toBe('written')
    expect(await dialerRepository.endCallTask({ ...command, task, atMs: NOON + 9 })).toMatchObject({
      outcome: 'already finished',
      finishedAtMs: NOON + 1,
      activeCall: ringing!.activity,
      cancel: [],
    })
    await dialerRepository.endAttempt(noAnswer(ringing!, lease))
    const later = { campaign: id, atMs: NOON + 9 * HOUR_MS }
    expect(await claim(dialerRepository, lease, later)).toMatchObject([{ number: number(21) }])
    const elsewhere = { ...command, task, corporations: [2 as CorporationId] }
    expect(await dialerRepository.endCallTask(elsewhere)).toEqual({ outcome: 'no such call task' })
    expect(await dialerRepository.endCallTask({ ...command, task: 999 as CallTaskId })).toEqual({
      outcome: 'no such call task',
    })
  })

  test('given an end and a claim at once, no attempt begins after the answer', async () => {
    const id = 21 as CampaignId
    await dialerRepository.saveCampaign(campaign(id), NOON)
    const list = debtors(40).map((task) => ({ ...task, externalCustomer: `r${task.index}` }))
    const moved = list.map((task) => ({ ...task, numbers: [{ given: '', number: number(100 + task.index) }] }))
    const result = await dialerRepository.importCallTasks(importOf(moved, { campaign: id }))
    const tasks = result.outcome === 'imported' ? result.imported.map((one) => one.id) : []
    const end = async (task: CallTaskId) => {
      const command = { task, corporations: [CORPORATION], status: 'endedBySystem', atMs: NOON } as const
      const ended = await dialerRepository.endCallTask(command)
      return { task, cancel: ended.outcome === 'no such call task' ? [] : ended.cancel }
    }
    const claims = Array.from({ length: 8 }, () => claim(dialerRepository, lease, { campaign: id, tasksMax: 5 }))
    const ends = await Promise.all(tasks.map(end))
    await Promise.all(claims)
    const attempts = await dialerRepository.findAttempts({ corporations: [CORPORATION], tasks })
    // Every attempt that began is in the answer to the end of the task.
    expect(attempts.map(({ id }) => id)).toEqual(ends.flatMap(({ cancel }) => cancel).sort((a, b) => a - b))
  })

  test('a stream contains the client’s names, codes and instants, and values that look like SQL', async () => {
    const { count, rows } = await callTaskStream.streamCallTasks(
      database.pools,
      searchOf({ campaigns: [CAMPAIGN], externalCaseNumbers: ['case 0'] }),
      {
        itcaId: { of: 'id' },
        statusId: { of: 'status', as: { waiting: 6 } },
        'created"; drop table call_tasks; --': { of: 'createdAtMs', as: 'instant' },
        callBackTs: { of: 'callbackAtMs', as: 'instant' },
        finished: { of: 'finished' },
      },
    )
    const texts = (await allOf(rows)).flat()
    expect(await count()).toBe(1)
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      {
        itcaId: 1,
        statusId: 6,
        'created"; drop table call_tasks; --': '2026-01-02T12:00:00.000Z',
        callBackTs: null,
        finished: false,
      },
    ])
  })

  test('a page of 50,000 comes piece by piece, and one that is left early returns its connection', async () => {
    const id = 22 as CampaignId
    await dialerRepository.saveCampaign(campaign(id), NOON)
    await database.pools.jobs.query(
      `insert into call_tasks (corporation_id, campaign_id, receiver_name, duplicate_key, attempts_max, interval_ms,
         created_at_ms, updated_at_ms)
       select 1, $1, 'Debtor ' || n, 'many ' || n, 3, 0, 0, 0 from generate_series(1, 50000) n`,
      [id],
    )
    const search = searchOf({ campaigns: [id] }, { rowsMax: 50_000 })
    const fields = { itcaId: { of: 'id' }, name: { of: 'receiverName' } } as const
    const { count, rows } = await callTaskStream.streamCallTasks(database.pools, search, fields)
    const pieces = (await allOf(rows)).map(({ length }) => length)
    expect(await count()).toBe(50_000)
    expect(pieces.reduce((sum, length) => sum + length)).toBe(50_000)
    expect(Math.max(...pieces)).toBeLessThanOrEqual(500)

    const { api } = database.pools
    for (let reader = 0; reader <= api.options.max; reader++) {
      for await (const _ of (await callTaskStream.streamCallTasks(database.pools, search, fields)).rows) break
    }
    expect(api.idleCount).toBe(api.totalCount)
  })
})

async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}
