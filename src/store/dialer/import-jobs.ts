/** Large imports: stored at the request, imported piece by piece, resumed after a crash (D-08). */

import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type {
  DialerAdminRepository,
  ImportJob,
  NewImportJob,
  PieceResult,
  TaskFault,
} from '../../ports/dialer-admin-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { countOf } from '../db/criteria.ts'
import type { Pools } from '../db/pools.ts'
import type { In } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

/** Imports removed by one statement. */
const FORGET_MAX = 20

export const importJobs = {
  /** Stores the import with its list, all or nothing. */
  async queueImport({ jobs }, job, pieces) {
    await inTransaction(jobs, async (transaction) => {
      await insertJob(transaction, job)
      for (const { firstIndex, callTasks } of pieces) {
        const text = 'insert into import_pieces (import_id, first_index, call_tasks) values ($1, $2, $3)'
        await transaction.query(text, [job.importId, firstIndex, JSON.stringify(callTasks)])
      }
    })
  },

  async keepImport({ jobs }, job, made) {
    await inTransaction(jobs, async (transaction) => {
      await insertJob(transaction, job)
      const { importId, createdAtMs } = job
      await transaction.query('insert into import_pieces (import_id, first_index) values ($1, 0)', [importId])
      await settle(transaction, importId, 0, made, createdAtMs)
    })
  },

  /** Pieces of an import run in order, one at a time: of a case listed twice the earlier place wins (D-07, 201). */
  async claimImportPiece({ jobs }, atMs, untilAtMs) {
    return inTransaction(jobs, async (transaction) => {
      const { rows } = await transaction.query(CLAIM, [atMs, untilAtMs])
      const claimed = rows[0] as { importId: string; firstIndex: number; callTasks: string } | undefined
      if (!claimed) return undefined
      const text = `update import_jobs set status = 'running', started_at_ms = coalesce(started_at_ms, $2)
                     where id = $1`
      await transaction.query(text, [claimed.importId, atMs])
      const found = await transaction.query(`${SELECT} where j.id = $1`, [claimed.importId])
      const piece = { firstIndex: claimed.firstIndex, callTasks: JSON.parse(claimed.callTasks) as unknown[] }
      return { job: found.rows[0] as ImportJob, piece }
    })
  },

  async settleImportPiece({ jobs }, importId, firstIndex, result, atMs) {
    await inTransaction(jobs, (transaction) => settle(transaction, importId, firstIndex, result, atMs))
  },

  /** Ends an import that cannot go on; imported call tasks stay. */
  async failImport({ jobs }, importId, why, atMs) {
    await end(jobs, [importId, atMs, 'failed', why, null])
  },

  async cancelImport(pools, corporations, importId, atMs) {
    await end(pools.jobs, [importId, atMs, 'cancelled', null, corporations])
    return findJob(pools, corporations, importId)
  },

  findImport(pools, corporations, importId) {
    return findJob(pools, corporations, importId)
  },

  async *importFaults({ api }, importId) {
    for (let after = -1; ; ) {
      const text = `select first_index as "firstIndex", faults from import_pieces
                     where import_id = $1 and first_index > $2 and settled_at_ms is not null
                     order by first_index limit 1`
      const rows = await query<{ firstIndex: number; faults: TaskFault[] }>(api, text, [importId, after])
      const [piece] = rows
      if (!piece) return
      if (piece.faults.length > 0) yield piece.faults
      after = piece.firstIndex
    }
  },

  async listImports({ api }, { corporations, teams, status, page, rowsMax }) {
    const where = `where j.corporation_id = any($1) and ($2::text is null or j.status = $2)
      and ($3::text[] is null or exists (
        select from campaigns c where c.id = j.campaign_id and c.team_name = any($3)))`
    const values = [corporations, status ?? null, teams ?? null]
    const text = `${SELECT} ${where} order by j.created_at_ms desc, j.id desc limit $4 offset $5`
    const imports = await query<ImportJob>(api, text, [...values, rowsMax, page * rowsMax])
    const foundRows = await countOf(api, `from import_jobs j ${where}`, values)
    return { foundRows, imports }
  },

  async forgetImports({ jobs }, beforeAtMs) {
    const text = `delete from import_jobs where id in (
      select id from import_jobs where finished_at_ms < $1 order by finished_at_ms limit ${FORGET_MAX})`
    await query(jobs, text, [beforeAtMs])
  },

  async withFinalFeedback({ api }, { campaign, externalSystem, customers, sinceAtMs }) {
    const keys = customers.map((customer) => personKey(externalSystem, customer))
    const text = `select distinct customer from unnest($3::text[], $4::text[]) as asked(customer, person_key)
      where exists (select from feedback f where f.campaign_id = $1 and f.is_final and f.created_at_ms >= $2
                      and f.person_key = asked.person_key)`
    const rows = await query<{ customer: string }>(api, text, [campaign, sinceAtMs, customers, keys])
    return new Set(rows.map(({ customer }) => customer))
  },
} satisfies Partial<In<DialerAdminRepository>>

async function findJob(
  { api }: Pools,
  corporations: readonly CorporationId[],
  importId: string,
): Promise<ImportJob | undefined> {
  const text = `${SELECT} where j.id = $1 and j.corporation_id = any($2)`
  return (await query<ImportJob>(api, text, [importId, corporations]))[0]
}

const SELECT = `
select j.id as "importId", j.corporation_id as corporation, j.campaign_id as campaign,
  j.external_system_id as "externalSystem", s.code as "externalSystemCode", j.attempts_max as "attemptsMax",
  j.interval_ms as "intervalMs", j.submitted, j.status, j.imported, j.failed, j.why, j.created_at_ms as "createdAtMs",
  j.started_at_ms as "startedAtMs", j.finished_at_ms as "finishedAtMs"
  from import_jobs j join external_systems s on s.id = j.external_system_id`

const CLAIM = `
with chosen as (
  select p.import_id, p.first_index from import_jobs j
    cross join lateral (
      select * from import_pieces p where p.import_id = j.id and p.settled_at_ms is null
       order by p.first_index limit 1) p
   where j.finished_at_ms is null and coalesce(p.claimed_until_ms, 0) <= $1
   order by j.created_at_ms, j.id limit 1
     for no key update of j skip locked
)
update import_pieces p set claimed_until_ms = $2 from chosen c
 where p.import_id = c.import_id and p.first_index = c.first_index and coalesce(p.claimed_until_ms, 0) <= $1
returning p.import_id as "importId", p.first_index as "firstIndex", p.call_tasks as "callTasks"`

async function insertJob(transaction: Transaction, job: NewImportJob): Promise<void> {
  const { importId, corporation, campaign, externalSystem, attemptsMax, intervalMs, submitted, createdAtMs } = job
  await transaction.query(
    `insert into import_jobs (id, corporation_id, campaign_id, external_system_id, attempts_max, interval_ms, submitted,
       status, created_at_ms) values ($1, $2, $3, $4, $5, $6, $7, 'queued', $8)`,
    [importId, corporation, campaign, externalSystem, attemptsMax, intervalMs, submitted, createdAtMs],
  )
}

/** Of two results the first stands. A piece that a cancelled import had begun still counts. */
async function settle(
  transaction: Transaction,
  importId: string,
  firstIndex: number,
  { imported, faults }: PieceResult,
  atMs: AtMs,
): Promise<void> {
  await transaction.query('select 1 from import_jobs where id = $1 for no key update', [importId])
  const { rowCount } = await transaction.query(
    `update import_pieces set settled_at_ms = $3, faults = $4, call_tasks = null
      where import_id = $1 and first_index = $2 and settled_at_ms is null`,
    [importId, firstIndex, atMs, JSON.stringify(faults)],
  )
  if (rowCount === 0) return
  await transaction.query(
    `update import_jobs j set imported = imported + $2, failed = failed + $3,
       status = case when ended then 'completed' else status end,
       started_at_ms = coalesce(started_at_ms, $4),
       finished_at_ms = case when ended then $4 else finished_at_ms end
      from (select j.finished_at_ms is null and not exists (
              select from import_pieces where import_id = $1 and settled_at_ms is null) as ended
              from import_jobs j where j.id = $1) e
     where j.id = $1`,
    [importId, imported, faults.length, atMs],
  )
}

/** What was not imported goes: nobody would find the people in it again. */
async function end(jobs: Pools['jobs'], values: readonly unknown[]): Promise<void> {
  const text = `
    with ended as (
      update import_jobs set status = $3, why = $4, finished_at_ms = $2
       where id = $1 and finished_at_ms is null and ($5::bigint[] is null or corporation_id = any($5)) returning id
    )
    update import_pieces p set call_tasks = null from ended where p.import_id = ended.id and p.settled_at_ms is null`
  await query(jobs, text, values)
}
