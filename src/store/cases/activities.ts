import type { ActivityId } from '../../kernel/ids.ts'
import { type Activities, type Activity, LINKS_MAX } from '../../ports/activities.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { callSeenBy } from '../db/seen-by.ts'
import { type Prepared, query } from '../db/transaction.ts'
import { activityLinks } from './activity-links.ts'

/** Always three statements: the links, the selected ids, and the whole activities of the window. */
const activities = {
  async search({ api }, search) {
    const { corporations, boundTo, kinds, ids, extensions, links, offset, rowsMax } = search
    const filters = [corporations, JSON.stringify(links)]
    const linked = links.length === 0 ? [] : await query<{ id: ActivityId }>(api, LINKED, filters)
    const wanted = [...ids, ...linked.map(({ id }) => id)]
    const found = await query<{ found: number; ids: ActivityId[] }>(api, WINDOW, [
      ...[corporations, kinds, wanted, extensions, rowsMax, offset, boundTo ?? null],
    ])
    // A window is always one row.
    const page = found[0]!
    if (page.ids.length === 0) return { found: page.found, activities: [] }
    const { withMembers, withFiles, withTags } = search
    const activities = await query<Activity>(api, WHOLE, [page.ids, withMembers, withFiles, withTags])
    return { found: page.found, activities }
  },
} satisfies Partial<In<Activities>>

/**
 * Finds each given activity, once, by the index of its end: lateral, because the planner cannot know how few there are.
 */
const LINKED: Prepared = {
  name: 'linked-activities',
  text: `
with wish as materialized (
  select given.id, kind.type, bool_or(f.wanted = 'far ends') as "wantsBoth"
    from jsonb_to_recordset($2::jsonb) as f(activities bigint[], types smallint[], wanted text)
    cross join unnest(f.activities) as given(id) cross join unnest(f.types) as kind(type)
   group by 1, 2
)
select s.id from wish w cross join lateral (
  select l.from_id as id from activity_links l
   where l.to_id = w.id and l.type = w.type and l.corporation_id = any($1) offset 0) s
union
select t.id from wish w cross join lateral (
  select l.to_id as id from activity_links l
   where l.from_id = w.id and l.type = w.type and l.corporation_id = any($1) offset 0) t
 where w."wantsBoth"`,
}

/** Each condition uses its own index; a row that fits several appears once. */
const WINDOW: Prepared = {
  name: 'window-of-activities',
  text: `
with fitting as (
  select id, created_at_ms from activities
   where id = any($3) and corporation_id = any($1) and kind = any($2)
  union
  select id, created_at_ms from activities
   where extension_id = any($4) and corporation_id = any($1) and kind = any($2)
  union
  select c.id, c.created_at_ms from call_activities c
   where c.id = any($3) and c.corporation_id = any($1) and 'call' = any($2) and ${callSeenBy('$7')}
  union
  select c.id, c.created_at_ms from call_activities c
   where c.extension_id = any($4) and c.corporation_id = any($1) and 'call' = any($2) and ${callSeenBy('$7')}
), page as (
  select id, row_number() over (order by created_at_ms desc, id desc) as place from fitting
   order by created_at_ms desc, id desc limit $5 offset $6
)
select (select count(*) from fitting) as found,
  (select coalesce(array_agg(id order by place), '{}') from page) as ids`,
}

/** The public fields of a user. */
const USER = `case when u.id is not null then
  json_build_object('id', u.id, 'userName', u.user_name, 'name', u.name) end`
const listOf = (object: string, from: string, order: string) =>
  `(select coalesce(json_agg(json_build_object(${object}) order by ${order}), '[]'::json) from ${from})`

const LINKS = listOf(
  `'type', l.type, 'from', l.from_id, 'to', l.to_id`,
  `(select * from (select * from activity_links where to_id = b.id union all
      select * from activity_links where from_id = b.id) ends
     order by created_at_ms, from_id, type limit ${LINKS_MAX}) l`,
  'l.type, l.from_id, l.to_id',
)
const RECORDINGS = listOf(
  `'id', r.id, 'file', r.file_id, 'startedAtMs', r.started_at_ms, 'endedAtMs', r.ended_at_ms, 'state', r.state,
   'isMessage', r.is_message`,
  'recordings r where r.activity_id = b.id',
  'r.id',
)
const MEMBERS = listOf(
  `'role', m.role, 'user', m.user_id, 'extension', m.extension_id, 'startedAtMs', m.started_at_ms, 'endedAtMs',
   m.ended_at_ms, 'who', ${USER}`,
  'activity_members m left join users u on u.id = m.user_id where m.activity_id = b.id',
  'm.id',
)
const FILES = listOf(
  `'id', f.id, 'kind', f.kind, 'fileName', f.file_name, 'mimeType', f.mime_type, 'sizeBytes', f.size_bytes,
   'createdAtMs', f.created_at_ms`,
  'files f where f.activity_id = b.id',
  'f.id',
)
const TAGS = listOf(
  `'id', t.id, 'name', t.name`,
  'activity_tags g join tags t on t.id = g.tag_id where g.activity_id = b.id',
  't.name',
)

/** The activities with the ids `$1`, in that order. */
const WHOLE: Prepared = {
  name: 'whole-activities',
  text: `
with base as (
  select a.id, a.corporation_id, a.kind, a.subject, c.status, a.direction, a.created_at_ms, a.updated_at_ms,
    a.started_at_ms, a.ended_at_ms, a.creator_id, a.extension_id
    from activities a left join cases c on c.activity_id = a.id where a.id = any($1)
  union all
  select id, corporation_id, 'call', null, null, direction, created_at_ms, ended_at_ms, answered_at_ms, ended_at_ms,
    null, extension_id
    from call_activities where id = any($1)
)
select b.id, b.corporation_id as corporation, b.kind, b.subject, b.status, b.direction,
  b.created_at_ms as "createdAtMs", b.updated_at_ms as "updatedAtMs", b.started_at_ms as "startedAtMs",
  b.ended_at_ms as "endedAtMs", ${USER} as creator, b.extension_id as extension, ${LINKS} as links,
  case when b.kind = 'call' then ${RECORDINGS} else '[]'::json end as recordings,
  case when $2::boolean then ${MEMBERS} end as members, case when $3::boolean then ${FILES} end as files,
  case when $4::boolean then ${TAGS} end as tags
  from base b left join users u on u.id = b.creator_id
 order by b.created_at_ms desc, b.id desc`,
}

/** Activities of every kind in PostgreSQL. */
export function postgresActivities(pools: Pools): Activities {
  return portOf<Activities>(pools, { ...activities, ...activityLinks })
}
