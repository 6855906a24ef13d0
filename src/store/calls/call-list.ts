import { FIRST_CORPORATION, type UserId } from '../../kernel/ids.ts'
import type { CallFacts, CallFilter, CallList, CallListSearch, CallPlace } from '../../ports/calls/call-list.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { seenBy } from '../db/seen-by.ts'
import { joined, type Sql, sql, written } from '../db/sql.ts'
import { type Prepared, query } from '../db/transaction.ts'

const callList = {
  async page({ api }, search) {
    const wanted = search.rowsMax + 1
    const places = await query<CallPlace>(api, ...written(pageOf(search, wanted)))
    return { places: places.slice(0, search.rowsMax), isMore: places.length === wanted }
  },

  async facts({ api }, activity) {
    return (await query<CallFacts>(api, FACTS, [activity]))[0]
  },

  async heardBadly({ api }, call, { agent, lossPercent, roundTripMs, isSilentIn, isSilentOut }, atMs) {
    await query(api, HEARD_BADLY, [call, agent, lossPercent, roundTripMs, isSilentIn, isSilentOut, atMs])
  },
} satisfies Partial<In<CallList>>

/** Values of a condition, one row for each: an index gives the calls of each in the order of the list. */
interface Source {
  readonly from: Sql
  readonly where: readonly Sql[]
}

/** The newest of each source, then the newest of all: the list stays as fast however many corporations a client has. */
function pageOf(search: CallListSearch, rowsMax: number): Sql {
  const { filter, after, corporations, boundTo } = search
  const common = [...conditions(filter), ...olderThan(after), ...seenBy(boundTo, 'call')]
  const order = sql`order by c.created_at_ms desc, c.id desc limit ${rowsMax}`
  const parts = sourcesOf(filter, corporations, boundTo).map(
    ({ from, where }) => sql`(
      select f.id, f.at_ms from ${from} cross join lateral (
        select c.id, c.created_at_ms as at_ms from call_activities c
         where ${joined([...where, ...common], ' and ')} ${order}) f)`,
  )
  // A call may be in several sources.
  return sql`select id, at_ms as "atMs" from (${joined(parts, ' union ')}) found
    order by at_ms desc, id desc limit ${rowsMax}`
}

function sourcesOf(
  { numbers, results }: CallFilter,
  corporations: readonly number[],
  user: UserId | undefined,
): Source[] {
  const ours = sql`unnest(${[...corporations]}::bigint[]) o(corporation_id)`
  const within = sql`c.corporation_id = o.corporation_id`
  if (numbers !== undefined) {
    const from = sql`${ours} cross join unnest(${[...numbers]}::text[]) n(number)`
    return [sql`c.caller = n.number`, sql`c.called = n.number`].map((is) => ({ from, where: [within, is] }))
  }
  if (user !== undefined) return sourcesOfAgent(ours, within, user)
  if (results === undefined) return [{ from: ours, where: [within] }]
  const from = sql`${ours} cross join unnest(${[...results]}::text[]) r(result)`
  return [{ from, where: [within, sql`c.result = r.result`] }]
}

/** Where the calls that an agent sees are found; the condition of `seenBy` decides which of them are seen. */
function sourcesOfAgent(ours: Sql, within: Sql, user: UserId): Source[] {
  const teams = sql`select g.corporation_id, g.name from team_members m join teams g on g.id = m.team_id
    where m.user_id = ${user} and g.active`
  const own = sql`c.agent = ${nameOf(user)}`
  const campaigns = sql`(select k.id, k.corporation_id from campaigns k
    where (k.corporation_id, k.team_name) in (${teams})) o`
  const assigned = sql`c.attempt_id in (select a.id from attempts a join call_tasks t on t.id = a.task_id
    where t.assigned_user_id = ${user})`
  return [
    { from: ours, where: [within, own] },
    { from: sql`(${teams}) o`, where: [within, sql`c.team = o.name`] },
    { from: campaigns, where: [within, sql`c.campaign_id = o.id`] },
    { from: ours, where: [within, assigned] },
  ]
}

function nameOf(user: UserId): Sql {
  return sql`(select u.user_name from users u where u.id = ${user} and u.corporation_id = ${FIRST_CORPORATION})`
}

/** An agent who only asks somebody transfers nobody (calls-and-flows-90). */
const MADE = sql`jsonb_path_exists(c.transfers, '$[*] ? (@.mode == "attended" || @.mode == "blind")')`

function conditions(filter: CallFilter): Sql[] {
  const { fromAtMs, untilAtMs, direction, agent, team, campaign, results, feedbackType } = filter
  const { isRecorded, isTransferred, talkMsMin, talkMsMax } = filter
  const given = <T>(value: T | undefined, condition: (value: T) => Sql) =>
    value === undefined ? [] : [condition(value)]
  return [
    ...given(fromAtMs, (from) => sql`c.created_at_ms >= ${from}`),
    ...given(untilAtMs, (until) => sql`c.created_at_ms < ${until}`),
    ...given(direction, (way) => sql`c.direction = ${way}`),
    ...given(agent, (user) => sql`c.agent = ${nameOf(user)}`),
    ...(team === undefined
      ? []
      : [
          // Two conditions: an index answers them.
          sql`c.team = (select g.name from teams g where g.id = ${team})`,
          sql`c.corporation_id = (select g.corporation_id from teams g where g.id = ${team})`,
        ]),
    ...given(campaign, (id) => sql`c.campaign_id = ${id}`),
    ...given(results, (some) => sql`c.result = any(${[...some]})`),
    ...given(
      feedbackType,
      (type) => sql`exists (select from feedback f where f.activity_id = c.id and f.feedback_type = ${type})`,
    ),
    ...given(isRecorded, (is) => sql`c.has_recording = ${is}`),
    ...given(isTransferred, (is) => (is ? sql`c.transfers <> '[]' and ${MADE}` : sql`not ${MADE}`)),
    ...given(talkMsMin, (least) => sql`c.talk_ms >= ${least}`),
    ...given(talkMsMax, (most) => sql`c.talk_ms <= ${most}`),
  ]
}

function olderThan(after: CallPlace | undefined): Sql[] {
  return after === undefined ? [] : [sql`(c.created_at_ms, c.id) < (${after.atMs}, ${after.id})`]
}

const FACTS: Prepared = {
  name: 'call-facts',
  text: `
select c.call, c.node, c.erased_at_ms is not null as "isErased",
  case when a.id is not null then json_build_object(
    'campaignName', k.name, 'attemptNumber', a.attempt_number, 'claimedAtMs', a.claimed_at_ms,
    'dialedAtMs', a.dialed_at_ms, 'trunk', a.permit ->> 'trunk', 'rules', a.permit ->> 'rules',
    'why', a.permit -> 'placing' ->> 'why', 'madeFor', a.made_for) end as dialed,
  (select coalesce(json_agg(json_build_object(
    'agent', s.agent, 'lossPercent', s.loss_percent, 'roundTripMs', s.round_trip_ms, 'isSilentIn', s.silent_in,
    'isSilentOut', s.silent_out, 'firstAtMs', s.first_at_ms, 'lastAtMs', s.last_at_ms) order by s.first_at_ms), '[]')
     from call_sound s where s.call = c.call) as sound
  from call_activities c
  left join attempts a on a.id = c.attempt_id
  left join campaigns k on k.id = a.campaign_id
 where c.id = $1`,
}

const HEARD_BADLY: Prepared = {
  name: 'call-heard-badly',
  text: `
insert into call_sound as s (call, agent, loss_percent, round_trip_ms, silent_in, silent_out, first_at_ms, last_at_ms)
values ($1, $2, $3, $4, $5, $6, $7, $7)
on conflict (call, agent) do update set
  loss_percent = greatest(s.loss_percent, excluded.loss_percent),
  round_trip_ms = greatest(s.round_trip_ms, excluded.round_trip_ms),
  silent_in = s.silent_in or excluded.silent_in, silent_out = s.silent_out or excluded.silent_out,
  first_at_ms = least(s.first_at_ms, excluded.first_at_ms), last_at_ms = greatest(s.last_at_ms, excluded.last_at_ms)`,
}

/** The list of calls in PostgreSQL. */
export function postgresCallList(pools: Pools): CallList {
  return portOf<CallList>(pools, callList)
}
