/** Members, tags and values of a locked case: read for the rules, written if changed. */
import type { CaseState } from '../../cases/case-state.ts'
import type { ActivityId } from '../../kernel/ids.ts'
import type { CaseLog, CaseRecord, Member } from '../../ports/cases.ts'
import type { Transaction } from '../db/connection.ts'
import { ask, type Prepared } from '../db/transaction.ts'
import { writeCase } from './case-rows.ts'

const LISTS: Prepared = {
  name: 'lists-of-case',
  text: `
select
  (select coalesce(json_agg(json_build_object('role', role, 'user', user_id, 'extension', extension_id,
     'startedAtMs', started_at_ms, 'endedAtMs', ended_at_ms) order by id), '[]'::json)
     from activity_members where activity_id = $1) as members,
  (select coalesce(json_agg(t.name order by t.name collate "C"), '[]'::json)
     from activity_tags a join tags t on t.id = a.tag_id where a.activity_id = $1) as tags,
  (select coalesce(json_agg(json_build_object('field', field_id, 'value', value) order by field_id), '[]'::json)
     from case_values where case_id = $1) as values`,
}

/** The parts of a case besides its record that the rules need. */
export async function stateOf(transaction: Transaction, record: CaseRecord): Promise<CaseState> {
  const [lists] = await ask<Omit<CaseState, 'record'>>(transaction, LISTS, [record.id])
  return { record, ...lists! }
}

/** Writes a changed case and its log entries. */
export async function writeState(
  transaction: Transaction,
  before: CaseState,
  after: CaseState,
  logs: readonly CaseLog[],
): Promise<void> {
  if (logs.length === 0) return
  const { record } = after
  await writeCase(transaction, record, logs)
  await writeLists(transaction, record, before, after)
}

/** Writes the differences of members, tags and values. */
export async function writeLists(
  transaction: Transaction,
  record: CaseRecord,
  before: Omit<CaseState, 'record'>,
  after: Omit<CaseState, 'record'>,
): Promise<void> {
  const isSame = (name: 'members' | 'tags' | 'values') => JSON.stringify(before[name]) === JSON.stringify(after[name])
  if (!isSame('members')) await writeMembers(transaction, record.id, before.members, after.members)
  if (!isSame('tags')) await writeTags(transaction, record, after.tags)
  if (!isSame('values')) await writeValues(transaction, record.id, after.values)
}

/** The rules end members and append new ones. A member ends before the next begins: only one is active. */
async function writeMembers(
  transaction: Transaction,
  id: ActivityId,
  before: readonly Member[],
  after: readonly Member[],
): Promise<void> {
  const ended = after.filter(({ endedAtMs }, place) => endedAtMs !== null && before[place]?.endedAtMs === null)
  const columns = `jsonb_to_recordset($2::jsonb) as m(role smallint, "user" bigint, extension bigint,
    "startedAtMs" bigint, "endedAtMs" bigint)`
  await transaction.query(
    `update activity_members a set ended_at_ms = m."endedAtMs" from ${columns}
      where a.activity_id = $1 and a.ended_at_ms is null and a.role = m.role
        and a.user_id is not distinct from m."user" and a.extension_id is not distinct from m.extension`,
    [id, JSON.stringify(ended)],
  )
  await transaction.query(
    `insert into activity_members (activity_id, role, user_id, extension_id, started_at_ms, ended_at_ms)
     select $1, m.role, m."user", m.extension, m."startedAtMs", m."endedAtMs" from ${columns}`,
    [id, JSON.stringify(after.slice(before.length))],
  )
}

/** Sorted names: two cases with the same new tags never wait for each other. */
async function writeTags(transaction: Transaction, record: CaseRecord, names: readonly string[]): Promise<void> {
  const { id, corporation } = record
  await transaction.query('delete from activity_tags where activity_id = $1', [id])
  await transaction.query(
    // Locks those that are there: an erasure removes unused ones.
    `insert into tags (corporation_id, name)
     select $1::bigint, name from (select distinct unnest($2::text[]) as name) given order by name
      on conflict (corporation_id, name) do update set name = excluded.name`,
    [corporation, names],
  )
  await transaction.query(
    `insert into activity_tags (activity_id, tag_id)
     select $1, t.id from tags t where t.corporation_id = $2 and t.name = any($3)`,
    [id, corporation, names],
  )
}

async function writeValues(transaction: Transaction, id: ActivityId, values: CaseState['values']): Promise<void> {
  await transaction.query('delete from case_values where case_id = $1', [id])
  await transaction.query(
    `insert into case_values (case_id, field_id, value)
     select $1, v.field, v.value from jsonb_to_recordset($2::jsonb) as v(field bigint, value text)`,
    [id, JSON.stringify(values)],
  )
}
