/** Years pass: expired data is erased, other data is not, and data under a hold stays (F-K3). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditAnchors } from '../../../src/adapters/files/audit-anchors.ts'
import {
  eraseExpired,
  type RetentionDependencies,
  retentionWorker,
  sweepOrphans,
} from '../../../src/core/workers/retention-worker.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { ActivityId, CorporationId, ExternalSystemId } from '../../../src/kernel/ids.ts'
import { makeLog, silentLog } from '../../../src/kernel/log.ts'
import type { LeftBytes } from '../../../src/ports/privacy.ts'
import { postgresAudit } from '../../../src/store/admin/audit.ts'
import { verifyAudit } from '../../../src/store/admin/audit-verify.ts'
import { postgresPrivacy } from '../../../src/store/admin/privacy.ts'
import { postgresFlowEvents } from '../../../src/store/calls/flow-events.ts'
import { VirtualClock } from '../../support/virtual-clock.ts'
import { makeDatabase, servers, type TestDatabase } from '../db/database.ts'

const DAY_MS = 24 * 3_600_000
const MONTH_MS = 30 * DAY_MS
const START = Date.UTC(2026, 0, 1)
const DAYS = { recordings: 90, transcripts: 180, tasks: 730, calls: 730, activities: 730, contacts: 30, audit: 1_825 }
const [OURS, HELD, OTHERS] = [1 as CorporationId, 2 as CorporationId, 3 as CorporationId]

let database: TestDatabase
let directory: string
const clock = new VirtualClock(START)
const removed: string[] = []
const putAside: string[] = []
/** Files on the disk without a record. */
let lost: LeftBytes = { recordings: [], files: [] }

beforeAll(async () => {
  database = await makeDatabase(servers[0]!)
  directory = mkdtempSync(join(tmpdir(), 'switchboard-retention-'))
  await database.pools.jobs.query(`
    insert into corporations (id, name, created_at_ms) values (1, 'ours', 0), (2, 'held', 0), (3, 'others', 0);
    insert into external_systems (id, corporation_id, code, name)
    values (1, 1, 'S', 's'), (2, 2, 'T', 't'), (3, 3, 'U', 'u');
    insert into campaigns (id, corporation_id, name, created_at_ms, updated_at_ms)
    values (1, 1, 'c', 0, 0), (2, 2, 'd', 0, 0), (3, 3, 'e', 0, 0)`)
})
afterAll(async () => {
  await database.drop()
  rmSync(directory, { recursive: true })
})

const parts = (): RetentionDependencies => ({
  privacy: postgresPrivacy(database.pools),
  audit: postgresAudit(database.pools),
  flowEvents: postgresFlowEvents(database.pools),
  days: DAYS,
  clock,
  log: silentLog,
  anchors: auditAnchors(join(directory, 'anchors.jsonl')),
  bytes: {
    remove: async ({ recordings, files }) => void removed.push(...recordings, ...files),
    olderThan: async () => lost,
    quarantine: {
      take: async ({ recordings, files }) => void putAside.push(...recordings, ...files),
      list: async () => [],
      forget: async () => 0,
    },
  },
})

/** One task with a call, its recording and transcript, and a case with a file: all of them end now. */
async function happen(corporation: CorporationId, customer: string): Promise<{ ofCase: ActivityId }> {
  const { rows } = await database.pools.jobs.query<{ ofCase: ActivityId }>(
    `with task as (
      insert into call_tasks (corporation_id, campaign_id, external_system_id, receiver_name, external_customer,
        duplicate_key, person_key, attempts_max, interval_ms, status, created_at_ms, updated_at_ms, finished_at_ms)
      values ($1, $1, $1, 'Debtor', $2, $2, $4, 3, 0, 'answered', $3, $3, $3) returning id
    ), number as (
      insert into call_task_numbers (task_id, position, given, number) select id, 0, '26', '+45' || id from task
    ), attempt as (
      insert into attempts (task_id, campaign_id, corporation_id, attempt_number, number, person_key, fence,
        claimed_at_ms, ended_at_ms, result, holds_person)
      select id, $1, $1, 1, '+45' || id, $4, 1, $3, $3, 'answered', false from task
      returning id, activity_id, number
    ), called as (
      insert into call_activities (id, call, corporation_id, direction, caller, called, created_at_ms, ended_at_ms,
        talk_ms, wait_ms, attempt_id)
      select activity_id, 'call-' || id, $1, 'out', '+4570', number, $3, $3, 0, 0, id from attempt returning id
    ), recording as (
      insert into recordings (activity_id, file, started_at_ms, ended_at_ms)
      select id, id || '.wav', $3, $3 from called returning id, activity_id
    ), transcript as (
      insert into transcripts (recording_id, activity_id, corporation_id, state, text, parts, created_at_ms,
        updated_at_ms)
      select id, activity_id, $1, 'ready', 'said', '[]', $3, $3 from recording
    ), activity as (
      insert into activities (corporation_id, kind, subject, created_at_ms, updated_at_ms)
      values ($1, 'case', 'subject', $3, $3) returning id
    ), contact as (
      insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
      values ($1, 'private', 'Contact', $3, $3) returning id
    ), extension as (
      insert into entity_extensions (corporation_id, entity_id, kind, sequence_number, external_system_id,
        external_customer) select $1, id, 'customer', id, $1, $2 from contact
    ), file as (
      insert into files (corporation_id, activity_id, kind, file_name, mime_type, size_bytes, sha256, storage,
        created_at_ms)
      select $1, id, 3, 'a.pdf', 'a/b', 1, '', 'stored-' || id, $3 from activity
    ) select id as "ofCase" from activity`,
    [corporation, customer, clock.nowMs(), `${corporation}:${customer}`],
  )
  await database.pools.jobs.query(
    `insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
       last_open_ems_status_id, priority_id)
     select $2, $1, $2, 2, s.id, 0, s.id, (select id from priorities where corporation_id = $1 limit 1)
       from ems_statuses s where s.corporation_id = $1 and s.status = 2`,
    [corporation, rows[0]!.ofCase],
  )
  return rows[0]!
}

/** The number of rows of each kind, and the oldest of them. */
async function left(corporation: CorporationId) {
  const { rows } = await database.pools.jobs.query<Record<string, number>>(
    `select
      (select count(*)::int from recordings r join call_activities c on c.id = r.activity_id
        where r.file <> '' and c.corporation_id = $1) as recordings,
      (select count(*)::int from transcripts where corporation_id = $1) as transcripts,
      (select count(*)::int from call_tasks where receiver_name <> '' and corporation_id = $1) as tasks,
      (select count(*)::int from call_activities where called like '+%' and corporation_id = $1) as calls,
      (select count(*)::int from activities where subject <> '' and corporation_id = $1) as activities,
      (select count(*)::int from entities where name <> '' and corporation_id = $1) as contacts,
      (select count(*)::int from files where corporation_id = $1) as files`,
    [corporation],
  )
  return rows[0]!
}

describe('over five years and a half', () => {
  test('each kind is kept for its days, and proved by count in the audit trail (F-K3)', async () => {
    const privacy = postgresPrivacy(database.pools)
    await privacy.addHold({ corporation: HELD, reason: 'a lawsuit', atMs: START })
    const none = { recordings: 0, transcripts: 0, calls: 0, tasks: 0, activities: 0, contacts: 0 }
    const sums = { ...none, audit: 0, orphans: 0, quarantined: 0 }
    const months = 67
    const busyMonths = 30
    for (let month = 1; month <= months; month++) {
      if (month <= busyMonths) {
        await happen(OURS, `cust-${month}`)
        if (month === 1) {
          await happen(HELD, 'cust-held')
          await happen(OTHERS, 'cust-others')
          // Nothing but the hold keeps this one.
          await database.pools.jobs.query(
            `insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
             values (2, 'private', 'Alone', 0, 0)`,
          )
        }
      }
      const done = await eraseExpired(parts())
      for (const [kind, count] of Object.entries(done)) sums[kind as keyof typeof sums] += count
      // Of those that happened every 30 days, the ones within their days.
      const young = (days: number) => {
        const first = Math.max(1, month - Math.floor((days * DAY_MS) / MONTH_MS))
        return Math.max(0, Math.min(month, busyMonths) - first + 1)
      }
      expect(await left(OURS), `month ${month}`).toEqual({
        recordings: young(90),
        transcripts: young(180),
        tasks: young(730),
        calls: young(730),
        activities: young(730),
        // Longer than its own days: as long as a call task of it is there.
        contacts: young(730),
        files: young(730),
      })
      clock.run(MONTH_MS)
    }
    // One of each is of the others.
    expect(sums).toMatchObject({ recordings: 31, transcripts: 31, calls: 31, tasks: 31, activities: 31, contacts: 31 })
    expect(sums.audit).toBeGreaterThan(0)
    expect(removed.filter((name) => name.endsWith('.wav'))).toHaveLength(31)
    expect(removed.filter((name) => name.startsWith('stored-'))).toHaveLength(31)
    const one = { recordings: 1, transcripts: 1, tasks: 1, calls: 1, activities: 1, contacts: 2, files: 1 }
    expect(await left(HELD)).toEqual(one)
    const proved = async (corporation: CorporationId) => {
      const search = { corporations: [corporation], object: 'activities', offset: 0, rowsMax: 99 }
      const { records } = await parts().audit.search(search)
      return records.reduce((sum, { count }) => sum + count, 0)
    }
    expect([await proved(OURS), await proved(OTHERS)]).toEqual([30, 1])
  })

  test('the remaining rows prove the limits: a number has the same pseudonym each time', async () => {
    const { rows } = await database.pools.jobs.query<{ number: string; called: string; text: string }>(
      `select a.number, c.called, row_to_json(t)::text || row_to_json(a)::text || row_to_json(c)::text as text
         from attempts a join call_activities c on c.attempt_id = a.id join call_tasks t on t.id = a.task_id
        where t.corporation_id = 1`,
    )
    expect(rows).toHaveLength(30)
    for (const { number, called, text } of rows) {
      expect(number).toMatch(/^erased:[0-9a-f]{24}$/)
      expect(called).toBe(number)
      expect(text).not.toMatch(/Debtor|cust-|\+45(?!70")/)
    }
  })

  test('the audit trail loses its old beginning, and still verifies', async () => {
    const anchors = parts().anchors.read()
    const removableUntilAtMs = clock.nowMs() - DAYS.audit * DAY_MS
    const verified = await verifyAudit(database.pools, { anchors, removableUntilAtMs, onProgress: () => {} })
    expect(verified.breaks).toEqual([])
    const young = await verifyAudit(database.pools, { anchors, removableUntilAtMs: START, onProgress: () => {} })
    expect(young.breaks).toMatchObject([
      { corporation: OURS, number: 1 },
      { corporation: OTHERS, number: 1 },
    ])
  })

  test('a hold on a person or a case keeps their data only, until it is lifted', async () => {
    const privacy = postgresPrivacy(database.pools)
    const base = { corporation: OURS, reason: 'r', atMs: clock.nowMs() }
    await happen(OURS, 'held-person')
    const { ofCase } = await happen(OURS, 'somebody')
    const person = { by: 'customer', externalSystem: 1 as ExternalSystemId, externalCustomer: 'held-person' } as const
    const ofPerson = await privacy.addHold({ ...base, person })
    const held = await privacy.addHold({ ...base, case: ofCase })
    expect([ofPerson.outcome, held.outcome]).toEqual(['held', 'held'])
    expect(await privacy.addHold({ ...base, corporation: HELD, case: ofCase })).toEqual({ outcome: 'nobody' })
    // The latest call belongs to the case: the hold keeps it, and its call task.
    await database.pools.jobs.query(
      `insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
       select 14, max(id), $1, 1, 0 from call_activities where corporation_id = 1`,
      [ofCase],
    )
    clock.run(731 * DAY_MS)
    await eraseExpired(parts())
    expect(await left(OURS)).toMatchObject({
      recordings: 2,
      transcripts: 2,
      tasks: 2,
      calls: 2,
      activities: 1,
      contacts: 2,
      files: 1,
    })
    for (const { id } of await privacy.holds([OURS])) expect(await privacy.liftHold([OURS], id)).toBe(true)
    await eraseExpired(parts())
    expect(await left(OURS)).toMatchObject({
      recordings: 0,
      transcripts: 0,
      tasks: 0,
      calls: 0,
      activities: 0,
      contacts: 0,
      files: 0,
    })
  })

  test('a kind that fails keeps no other from its erasure, and is told', async () => {
    await happen(OURS, 'expired')
    clock.run(731 * DAY_MS)
    const logged: string[] = []
    const privacy = postgresPrivacy(database.pools)
    const broken: RetentionDependencies['privacy'] = {
      ...privacy,
      expire: (kind, ...rest) => (kind === 'tasks' ? Promise.reject(new Error('no')) : privacy.expire(kind, ...rest)),
    }
    const done = await eraseExpired({
      ...parts(),
      privacy: broken,
      log: makeLog('error', { write: (line) => void logged.push(line) }),
    })
    expect(done).toMatchObject({ recordings: 1, transcripts: 1, tasks: 0, activities: 1 })
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ what: 'tasks', err: { message: 'no' } }])
    expect((await eraseExpired(parts())).tasks).toBe(1)
  })

  test('files without a record are put aside, and those with one stay', async () => {
    // What was erased before is not looked for any more.
    clock.run(31 * DAY_MS)
    const { ofCase } = await happen(OURS, 'young')
    lost = { recordings: ['nobodys.wav'], files: ['stored-nobodys', `stored-${ofCase}`] }
    removed.length = 0
    expect((await eraseExpired(parts())).quarantined).toBe(2)
    expect([putAside, removed]).toEqual([['nobodys.wav', 'stored-nobodys'], []])
  })

  test('many files without a record are left alone, and the log says so', async () => {
    const logged: string[] = []
    const log = makeLog('error', { write: (line) => void logged.push(line) })
    lost = { recordings: Array.from({ length: 6 }, (_, number) => `nobodys-${number}.wav`), files: [] }
    putAside.length = 0
    expect((await eraseExpired({ ...parts(), log })).quarantined).toBe(0)
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ files: 6, of: 6 }])
    expect(await sweepOrphans(parts(), clock.nowMs(), true)).toBe(6)
    expect(putAside.sort()).toEqual(lost.recordings)
    lost = { recordings: [], files: [] }
  })

  test('a clock that is ahead of the database erases nothing', async () => {
    const erasable = async () => (await database.pools.jobs.query("select 1 from recordings where file <> ''")).rowCount
    const before = await erasable()
    expect(before).toBeGreaterThan(0)
    const ahead = new VirtualClock(new RealClock().nowMs() + 1_000 * DAY_MS)
    const logged: string[] = []
    const log = makeLog('error', { write: (line) => void logged.push(line) })
    const worker = retentionWorker({ ...parts(), clock: ahead, log })
    worker.start(0)
    ahead.run(0)
    await expect.poll(() => logged.join()).toContain('nothing is erased')
    await worker.stop()
    expect(await erasable()).toBe(before)
  })
})
