/** The audit trail in PostgreSQL: chains without gaps under load, and every tampering is found. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditAnchors } from '../../../src/adapters/files/audit-anchors.ts'
import type { CorporationId } from '../../../src/kernel/ids.ts'
import type { AuditAnchor, AuditEntry } from '../../../src/ports/audit.ts'
import { DatabaseUnavailable } from '../../../src/ports/dialer-repository.ts'
import { postgresAudit } from '../../../src/store/admin/audit.ts'
import { verifyAudit } from '../../../src/store/admin/audit-verify.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

const [OURS, THEIRS] = [1, 2] as CorporationId[] as [CorporationId, CorporationId]
const DAY_MS = 24 * 3_600_000

const entry = (atMs: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
  atMs,
  credential: 'rc_one',
  user: null,
  action: 'read',
  object: 'file',
  ids: ['5'],
  count: 1,
  operation: 'GET /core/corefile',
  reason: 'æ "quoted" \n',
  address: '::1',
  traceId: `t${atMs}`,
  ...change,
})

let database: TestDatabase
beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  await database.pools.jobs.query(`insert into corporations (id, name, created_at_ms) values (1, 'a', 0), (2, 'b', 0)`)
})
afterAll(() => database.drop())

const verify = (anchors: readonly AuditAnchor[] = []) =>
  verifyAudit(database.pools, { anchors, removableUntilAtMs: 0, onProgress: () => {} })

/** Tampers with the table without its trigger, verifies, and undoes the change. */
async function tampered(statement: string, anchors: readonly AuditAnchor[] = []) {
  const { jobs } = database.pools
  await jobs.query('create table kept_records as table audit_records; create table kept_heads as table audit_heads')
  await jobs.query(`alter table audit_records disable trigger user; ${statement}`)
  const verified = await verify(anchors)
  await jobs.query(`
    truncate audit_records; insert into audit_records table kept_records; drop table kept_records;
    truncate audit_heads; insert into audit_heads table kept_heads; drop table kept_heads;
    alter table audit_records enable trigger user`)
  return verified.breaks
}

describe('the audit trail', () => {
  test('two nodes that write at once leave one chain without gaps for each corporation', async () => {
    const other = database.open()
    const nodes = [postgresAudit(database.pools), postgresAudit(other)]
    const chains = [[OURS], [THEIRS], [THEIRS, OURS]]
    const writes = Array.from({ length: 120 }, (_, index) => nodes[index % 2]!.append(chains[index % 3]!, entry(index)))
    await Promise.all(writes)
    await other.close()
    const { found, records } = await nodes[0]!.search({ corporations: [OURS], offset: 0, rowsMax: 100 })
    expect(found).toBe(80)
    expect(records.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, index) => index + 1),
    )
    expect(await verify()).toEqual({ records: 160, chains: 2, breaks: [] })
  })

  test('is searched by its fields, newest first, and never in another corporation’s', async () => {
    const audit = postgresAudit(database.pools)
    await audit.append([OURS], entry(1_000, { action: 'change', object: 'token', ids: ['rc_x'], user: 7 }))
    await audit.append([THEIRS], entry(1_001, { action: 'change', object: 'token', ids: ['rc_x'] }))
    const page = { corporations: [OURS], offset: 0, rowsMax: 10 }
    for (const input of [{ action: 'change' }, { object: 'token' }, { id: 'rc_x' }, { user: 7 }, { sinceAtMs: 900 }]) {
      const { found, records } = await audit.search({ ...page, ...input })
      expect([found, records.map(({ atMs }) => atMs)]).toEqual([1, [1_000]])
    }
    const { records } = await audit.search({ ...page, untilAtMs: 1_000 })
    expect(records[0]!.atMs).toBe(119)
  })

  test('cannot be changed by a statement of ours', async () => {
    const { jobs } = database.pools
    for (const statement of [
      'update audit_records set user_id = 1',
      'delete from audit_records',
      'truncate audit_records',
    ]) {
      await expect(jobs.query(statement)).rejects.toThrow('append only')
    }
  })

  test('reports that it cannot be written', async () => {
    const gone = database.open()
    await gone.close()
    await expect(postgresAudit(gone).append([OURS], entry(1))).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test.each([
    ['changed', 'update audit_records set ids = array[$$6$$] where corporation_id = 1 and number = 9', 9],
    [
      'changed, hash and all',
      `update audit_records set user_id = 3, hash = repeat('a', 64) where corporation_id = 1
      and number = 9`,
      9,
    ],
    ['deleted', 'delete from audit_records where corporation_id = 1 and number = 9', 9],
    [
      'moved to another corporation',
      'update audit_records set corporation_id = 2, number = 999 where corporation_id = 1 and number = 81',
      81,
    ],
    [
      'put in behind the end',
      `insert into audit_records select corporation_id, 999, at_ms, credential, user_id, action,
      object, ids, count, operation, reason, address, trace_id, previous_hash, hash from audit_records
      where corporation_id = 1 and number = 3`,
      82,
    ],
    ['cut at its end', 'delete from audit_records where corporation_id = 1 and number > 70', 71],
    [
      'said to begin later',
      `update audit_heads set base_number = 5,
      base_hash = (select hash from audit_records where corporation_id = 1 and number = 5) where corporation_id = 1`,
      6,
    ],
    ['without its head', 'delete from audit_heads where corporation_id = 1', 82],
  ])('one %s is found (F-K5, INV-P8)', async (_what, statement, number) => {
    const [broken] = await tampered(statement)
    expect(broken).toMatchObject({ corporation: OURS, number })
  })

  test('a tail that was cut together with its head is found by the anchor of the day', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'switchboard-audit-'))
    const file = join(directory, 'audit', 'anchors.jsonl')
    const kept = auditAnchors(file)
    const heads = await postgresAudit(database.pools).heads()
    expect(kept.keep(heads, DAY_MS)).toBe(2)
    expect(kept.keep(heads, DAY_MS + 5), 'once a day').toBe(0)
    expect(kept.keep(heads, 2 * DAY_MS)).toBe(2)
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"atMs":5,"corp`)
    const anchors = kept.read()
    expect(anchors).toHaveLength(4)
    expect((await verify(anchors)).breaks).toEqual([])
    const cut = `delete from audit_records where corporation_id = 1 and number > 70;
      update audit_heads set number = 70, hash = (
        select hash from audit_records where corporation_id = 1 and number = 70)
       where corporation_id = 1`
    expect(await tampered(cut)).toEqual([])
    expect(await tampered(cut, anchors)).toMatchObject([{ corporation: OURS, number: 71 }])
    rmSync(directory, { recursive: true })
  })
})
