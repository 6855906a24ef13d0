/** What the database alone needs for the same rows: the measure of an import and of a long page. */
import { join } from 'node:path'
import { STATUS_CODES } from '../src/rest/dialer/call-task-schema.ts'
import type { Database } from '../src/store/db/open-database.ts'

type Pool = Database['pools']['jobs']

const COPIED = { call_tasks: 'bench_tasks', call_task_numbers: 'bench_numbers' } as const

/**
 * Empties the tables of call tasks, lets `fill` fill them, and copies what is there then into empty tables of the same
 * columns, checks and indexes, but without foreign keys. Files are the server's own. Returns milliseconds.
 */
export async function besideCopy(pool: Pool, fill: () => Promise<void>): Promise<{ fillMs: number; copyMs: number }> {
  await pool.query('truncate call_tasks, import_jobs, imports cascade')
  const fillMs = await timeOf(fill)
  const { rows } = await pool.query<{ directory: string }>(`select current_setting('data_directory') as directory`)
  const fileOf = (table: string) => `'${join(rows[0]!.directory, `${table}.copied`)}'`
  for (const [table, copy] of Object.entries(COPIED)) {
    await pool.query(`copy ${table} to ${fileOf(table)}`)
    await pool.query(`drop table if exists ${copy}; create table ${copy} (like ${table} including all)`)
  }
  const copyMs = await timeOf(async () => {
    for (const [table, copy] of Object.entries(COPIED)) await pool.query(`copy ${copy} from ${fileOf(table)}`)
  })
  await pool.query(`drop table ${Object.values(COPIED).join(', ')}`)
  return { fillMs, copyMs }
}

const instant = (column: string) =>
  `to_char(to_timestamp(t.${column} / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

const SHOWN = `
select t.id, t.campaign_id, t.receiver_name, t.external_customer, t.external_case_number,
  $2::jsonb -> (case when t.status in ('new', 'waiting', 'callback') and not c.active then 'paused'
    when t.status = 'waiting' and t.next_call_at_ms <= $3 then 'ready' else t.status end) as status,
  t.finished_at_ms is not null as finished, t.answered, t.attempts_counted,
  ${['next_call_at_ms', 'callback_at_ms', 'created_at_ms', 'updated_at_ms'].map(instant).join(', ')}
  from call_tasks t join campaigns c on c.id = t.campaign_id
 where t.corporation_id = 1 order by t.id limit $1`

const STORED = `
select id, campaign_id, receiver_name, external_customer, external_case_number, status, finished_at_ms, answered,
  attempts_counted, next_call_at_ms, callback_at_ms, created_at_ms, updated_at_ms
  from call_tasks where corporation_id = 1 order by id limit $1`

const COUNT = 'select count(*) from call_tasks where corporation_id = 1'

/** The first page as an answer shows it, and the number of all matches, one after the other. Milliseconds. */
export async function shownPageMs(pool: Pool, rowsMax: number): Promise<number> {
  return timeOf(async () => {
    await pool.query(SHOWN, [rowsMax, JSON.stringify(STATUS_CODES), Date.now()])
    await pool.query(COUNT)
  })
}

/** The same rows as they are stored, without the number of all. Milliseconds. */
export async function storedPageMs(pool: Pool, rowsMax: number): Promise<number> {
  return timeOf(() => pool.query(STORED, [rowsMax]))
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganAtMs = performance.now()
  await work()
  return performance.now() - beganAtMs
}
