/** A change and its entry in the audit trail: both exist or neither, wherever the process dies (F-K5). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { AuditEntry } from '../../../src/ports/audit.ts'
import { postgresAudit } from '../../../src/store/admin/audit.ts'
import { verifyAudit } from '../../../src/store/admin/audit-verify.ts'
import type { Pools } from '../../../src/store/db/pools.ts'
import { ask, inTransaction, query } from '../../../src/store/db/transaction.ts'
import { makeDatabase, servers, type TestDatabase } from './database.ts'
import { type Fault, faultsOf, plantFault } from './plant-fault.ts'

const [OURS, THEIRS] = [1, 2] as CorporationId[] as [CorporationId, CorporationId]
const MINUTE_MS = 60_000

const entry = (traceId: string, change: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs: 1_000,
  credential: 'rc_one',
  user: null,
  action: 'create',
  object: 'thing',
  ids: [],
  count: 0,
  traceId,
  operation: 'POST /things',
  reason: 'æ "quoted" \n',
  address: '::1',
  ...change,
})

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  await database.pools.jobs.query(`
    insert into corporations (id, name, created_at_ms) values (1, 'a', 0), (2, 'b', 0);
    create table things (word text primary key)`)
})
afterAll(() => database.drop())
beforeEach(() => database.pools.jobs.query('truncate things; truncate audit_intents'))

const audit = () => postgresAudit(database.pools)
const rows = async (text: string) => (await database.pools.jobs.query(text)).rows
const things = async () => (await rows('select word from things order by word')).map(({ word }) => word)
const onRecord = async (traceId: string) =>
  await rows(`select ids, corporation_id as corporation from audit_records where trace_id = '${traceId}' order by 2`)
const waiting = async () => Number((await rows('select count(*) as count from audit_intents'))[0].count)
const add = (pools: Pools, word: string) => query(pools.api, 'insert into things values ($1)', [word])
const verify = async () =>
  (await verifyAudit(database.pools, { anchors: [], removableUntilAtMs: 0, onProgress: () => {} })).breaks

/** The next process, with the remains of this one. */
const nextProcess = () => audit().takeIntents(1_000 + 10 * MINUTE_MS)

describe('a change', () => {
  test('has one entry in each chain, with the id of what was made, and no intent remains', async () => {
    const change = audit().change([THEIRS, OURS], entry('made'))
    await change.run(() => add(database.pools, 'made'))
    expect(await waiting()).toBe(1)
    await change.done(entry('made', { ids: ['7'], count: 1 }))
    expect(await onRecord('made')).toEqual([OURS, THEIRS].map((corporation) => ({ ids: ['7'], corporation })))
    expect([await waiting(), await nextProcess(), await verify()]).toEqual([0, 0, []])
  })

  test('without a further report is recorded by its intent, ten minutes later and once', async () => {
    await audit()
      .change([OURS], entry('died'))
      .run(() => add(database.pools, 'died'))
    expect(await audit().takeIntents(10 * MINUTE_MS), 'it may still be under way').toBe(0)
    expect(await Promise.all([nextProcess(), nextProcess()]).then(([a, b]) => a + b)).toBe(1)
    expect([await things(), await onRecord('died'), await waiting()]).toEqual([
      ['died'],
      [{ ids: [], corporation: OURS }],
      0,
    ])
    expect(await verify()).toEqual([])
  })

  test('of several transactions leaves one intent, with the first of them', async () => {
    const change = audit().change([OURS], entry('pieces'))
    const broken = change.run(async () => {
      for (const word of ['p1', 'p2', 'p2']) await add(database.pools, word)
    })
    await expect(broken).rejects.toThrow('duplicate key')
    expect([await things(), await waiting(), await nextProcess()]).toEqual([['p1', 'p2'], 1, 1])
  })

  test('that only read, or was refused, leaves none', async () => {
    const change = audit().change([OURS], entry('looked'))
    await change.run(async () => {
      const begin = 'begin isolation level repeatable read read only'
      await inTransaction(database.pools.api, (transaction) => ask(transaction, 'table things', []), begin)
      await query(database.pools.api, 'with seen as (table things) select * from seen', [])
    })
    expect([change.hasCommitted, await waiting()]).toEqual([false, 0])
    const refused = audit().change([OURS], entry('refused'))
    await refused.run(() => add(database.pools, 'lock'))
    await refused.refused()
    expect([refused.hasCommitted, await waiting()]).toEqual([true, 0])
  })

  test('excludes work that it started and did not await, and that of parallel operations', async () => {
    const gate = Promise.withResolvers<void>()
    const late: Promise<unknown>[] = []
    const change = audit().change([OURS], entry('late'))
    await change.run(async () => {
      late.push(gate.promise.then(() => add(database.pools, 'late')))
    })
    gate.resolve()
    await Promise.all([...late, add(database.pools, 'beside')])
    expect([await things(), await waiting()]).toEqual([['beside', 'late'], 0])
  })
})

describe('an interrupted change', () => {
  const STATEMENTS = 4
  const FAULTS = faultsOf(() => database.pools)

  /** Begin, the change itself, the intent, the commit. */
  async function cutAt(statement: number, fault: Fault, traceId: string) {
    const { pools, hasStruck } = plantFault(database.pools, statement, fault, 'api')
    const change = postgresAudit(pools).change([OURS], entry(traceId))
    const ended = await change
      .run(() => add(pools, traceId))
      .then(
        () => 'done',
        () => 'failed',
      )
    return { ended, hasStruck: hasStruck() }
  }

  test.each(['cut', 'deadlock'] as const)('by a %s at any of its statements is complete or absent', async (name) => {
    for (let statement = 0; statement < STATEMENTS; statement++) {
      const traceId = `${name}-${statement}`
      const { ended, hasStruck } = await cutAt(statement, FAULTS[name]!, traceId)
      expect(hasStruck, 'the fault must strike').toBe(true)
      expect(ended).toBe(name === 'deadlock' ? 'done' : 'failed')
      await nextProcess()
      const isThere = (await things()).includes(traceId)
      expect([await onRecord(traceId), isThere]).toEqual(
        isThere ? [[{ ids: [], corporation: OURS }], true] : [[], false],
      )
    }
    expect(await verify()).toEqual([])
  })

  test('after its commit, before its entry is in the chain, is recorded all the same', async () => {
    const gone = database.open()
    const change = postgresAudit(gone).change([OURS], entry('between'))
    await change.run(() => add(gone, 'between'))
    await gone.close()
    await expect(change.done(entry('between'))).rejects.toThrow()
    expect(await nextProcess()).toBe(1)
    expect(await onRecord('between')).toHaveLength(1)
  })

  test('recorded by the next process while it continues is recorded, and no chain breaks', async () => {
    const change = audit().change([OURS], entry('slow'))
    await change.run(() => add(database.pools, 'slow'))
    await nextProcess()
    await change.done(entry('slow', { ids: ['9'], count: 1 }))
    expect((await onRecord('slow')).length).toBeGreaterThan(0)
    expect(await verify()).toEqual([])
  })
})
