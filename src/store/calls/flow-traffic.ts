import type { FlowTraffic, TrafficCount } from '../../ports/flows/flow-traffic.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { inTransaction, query } from '../db/transaction.ts'

const HOUR_MS = 3_600_000
/** Our choice: last year's Christmas can be compared with this one. */
const KEPT_MS = 400 * 24 * HOUR_MS
/** Of one fold; the next one is seconds away. */
const CALLS_MAX = 5_000
const OLD_ROWS_MAX = 1_000

/** One node at a time: two would wait for each other's rows. */
const BEGIN = `begin; select pg_advisory_xact_lock(${LOCKS.traffic})`

const FOLD = `
with taken as (
  delete from flow_ended_calls where id in (select id from flow_ended_calls order by id limit ${CALLS_MAX})
  returning traffic
), call as (
  select row.*, at_ms - at_ms % ${HOUR_MS} as hour_ms
    from taken, jsonb_to_record(traffic) as row (flow text, revision text, at_ms bigint, counts jsonb, canary jsonb)
), hours as (
  insert into flow_traffic as sum (flow, revision, hour_ms, what, name, ended, calls, times)
  select c.flow, c.revision, c.hour_ms, r.what, r.name, r.ended, count(*), sum(r.times)
    from call c, jsonb_to_recordset(c.counts) as r (what text, name text, ended text, times bigint)
   group by 1, 2, 3, 4, 5, 6
  on conflict (flow, hour_ms, revision, what, name, ended) do update
     set calls = sum.calls + excluded.calls, times = sum.times + excluded.times
)
insert into flow_canary_counts as sum (canary_id, is_new, step, what, calls)
select w.id, w.is_new, r.step, r.what, count(*)
  from call c, jsonb_to_record(c.canary) as w (id bigint, is_new boolean, counts jsonb),
       jsonb_to_recordset(w.counts) as r (step text, what text)
  where exists (select from flow_canaries f where f.id = w.id)
 group by 1, 2, 3, 4
on conflict (canary_id, step, what, is_new) do update set calls = sum.calls + excluded.calls`

const FORGET = `
delete from flow_traffic where ctid in (select ctid from flow_traffic where hour_ms < $1 limit ${OLD_ROWS_MAX})`

const READ = `
select revision, what, name, ended, sum(calls)::bigint as calls, sum(times)::bigint as times
  from flow_traffic
 where flow = $1 and hour_ms between $2 and $3 and ($4::text is null or revision = $4)
 group by 1, 2, 3, 4 order by 1, 2, 3, 4`

const flowTraffic = {
  fold: ({ jobs }, atMs) =>
    inTransaction(
      jobs,
      async (transaction) => {
        await transaction.query(FOLD)
        await transaction.query(FORGET, [atMs - KEPT_MS])
      },
      BEGIN,
    ),

  read: ({ api }, { flow, fromAtMs, toAtMs, revision }) =>
    query<TrafficCount>(api, READ, [flow, fromAtMs - (fromAtMs % HOUR_MS), toAtMs, revision ?? null]),
} satisfies In<FlowTraffic>

/** Traffic in PostgreSQL. */
export function postgresFlowTraffic(pools: Pools): FlowTraffic {
  return portOf<FlowTraffic>(pools, flowTraffic)
}
