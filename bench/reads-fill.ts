/** A million activities, a hundred thousand of them cases, and a million contacts: by set-wise SQL, in minutes. */
import type { Database } from '../src/store/db/open-database.ts'
import { figure } from './report.ts'

/** How much of each; ids of activities follow on each other in this order, from 1. */
const COUNTS = { calls: 500_000, emails: 300_000, conversations: 100_000, cases: 100_000, entities: 1_000_000 }
const { calls, emails, conversations, cases, entities } = COUNTS
const FIRST = { email: calls, conversation: calls + emails, case: calls + emails + conversations }

/** The range of ids of a kind. */
export const IDS = {
  call: { from: 1, to: calls },
  activity: { from: 1, to: calls + emails + conversations },
  case: { from: FIRST.case + 1, to: FIRST.case + cases },
  entity: { from: 1, to: entities },
} as const

const CALLS = `
insert into call_activities (id, call, corporation_id, direction, caller, called, created_at_ms, answered_at_ms,
  ended_at_ms, talk_ms, wait_ms, result, external_system_id)
select n, 'call-' || n, 1, 'out', '+4570001000', '+4526' || lpad(n::text, 6, '0'), n, n + 5, n + 90, 85, 5,
  'answered', 3 from generate_series(1, ${calls}) n;
insert into recordings (activity_id, file, started_at_ms, ended_at_ms)
select n, 'call-' || n || '.wav', n, n + 90 from generate_series(1, ${calls}) n`

const ENTITIES = `
insert into entities (corporation_id, kind, name, created_at_ms, updated_at_ms)
select 1, 'private', 'Jane Doe ' || n, n, n from generate_series(1, ${entities}) n;
insert into entity_extensions (corporation_id, entity_id, kind, sequence_number, external_system_id, external_customer)
select 1, id, 'customer', id, 3, 'customer-' || id from entities;
insert into entity_numbers (entity_id, position, given, number, kind, is_primary)
select id, 0, '+4526' || id, '+4526' || lpad((id % 1000000)::text, 6, '0'), 'mobile', true from entities`

const ACTIVITIES = `
insert into activities (id, corporation_id, kind, subject, direction, extension_id, created_at_ms, updated_at_ms)
select ${FIRST.email} + n, 1, 'email', 'Invoice ' || n, 'in', x.id, n, n
  from generate_series(1, ${emails}) n join entity_extensions x on x.entity_id = n;
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
select ${FIRST.conversation} + n, 1, 'conversation', 'Invoice ' || n, n, n from generate_series(1, ${conversations}) n;
insert into activities (id, corporation_id, kind, subject, created_at_ms, updated_at_ms)
select ${FIRST.case} + n, 1, 'case', 'Invoice ' || n, n, n from generate_series(1, ${cases}) n;
insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
select 13, ${FIRST.email} + n, ${FIRST.conversation} + 1 + (n - 1) % ${conversations}, 1, n
  from generate_series(1, ${emails}) n;
insert into activity_links (type, from_id, to_id, corporation_id, created_at_ms)
select 14, ${FIRST.conversation} + n, ${FIRST.case} + n, 1, n from generate_series(1, ${conversations}) n`

const CASES = `
insert into cases (activity_id, corporation_id, seq_no, status, ems_status_id, ems_status_changed_at_ms,
  last_open_ems_status_id, priority_id, team_id)
select ${FIRST.case} + n, 1, n, 1, s.id, n, s.id, p.id, 12
  from generate_series(1, ${cases}) n,
    (select id from ems_statuses where corporation_id = 1 and status = 1 and is_default) s,
    (select id from priorities where corporation_id = 1 and is_default) p;
insert into case_texts (case_id, text, original, is_internal, is_external_update, created_at_ms)
select ${FIRST.case} + n, '<p>Called.</p>', '<p>Called.</p>', true, false, n from generate_series(1, ${cases}) n;
insert into case_logs (case_id, at_ms, what) select ${FIRST.case} + n, n, 'created' from generate_series(1, ${cases}) n`

/** Once: the directory of the benchmark keeps them. */
export async function fillReads({ pools }: Database, onLine: (line: string) => void): Promise<void> {
  const ask = async (text: string) => (await pools.jobs.query<{ count: number }>(text)).rows[0]?.count
  const done = await ask('select count(*)::int as count from case_logs')
  if (done === cases) return
  await pools.jobs.query('truncate activities, call_activities, entities, activity_links restart identity cascade')
  const steps = { 'calls with recordings': CALLS, contacts: ENTITIES, 'emails and conversations': ACTIVITIES, CASES }
  for (const [what, text] of Object.entries(steps)) {
    onLine(`reads: ${what.toLowerCase()} are made`)
    await pools.jobs.query(text)
  }
  await pools.jobs.query(`select setval('activity_ids', ${FIRST.case + cases + 1})`)
  await pools.jobs.query('vacuum analyze')
  onLine(`reads: ${figure(FIRST.case + cases)} activities and ${figure(entities)} contacts are there`)
}
