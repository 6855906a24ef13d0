import type { FlowEvents, KeptFlowEvent, PostedFlowEvent } from '../../ports/flows/flow-events.ts'
import { notify } from '../db/notifications.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

const EXPIRED_MAX = 1_000

const FORGET = `delete from flow_events where id in (
  select id from flow_events where kept_until_ms <= $1 order by id limit ${EXPIRED_MAX} for update skip locked)
returning id`

/** The same event may come again after its time. */
const FORGET_ALIKE = `
delete from flow_events where corporation_id = $1 and event = $2 and key = $3 and kept_until_ms <= $4`

const COUNT = `
select (select count(*)::int from flow_events where corporation_id = $1 and kept_until_ms > $4) as "all",
       (select count(*)::int from flow_events
         where corporation_id = $1 and event = $2 and key = $3 and kept_until_ms > $4) as alike`

const FIND = `
select id, created_at_ms as "atMs", kept_until_ms as "keptUntilAtMs" from flow_events
 where corporation_id = $1 and event = $2 and key = $3 and md5(data) = md5($4) and data = $4`

const ADD = `
insert into flow_events (corporation_id, event, key, data, created_at_ms, kept_until_ms)
values ($1, $2, $3, $4, $5, $6) on conflict do nothing
returning id, created_at_ms as "atMs", kept_until_ms as "keptUntilAtMs"`

/** The table has only the calls that are up. */
const WAITING = `
select count(*)::int as waiting from open_calls
 where corporation_id = $1 and progress -> 'awaits' ->> 'event' = $2 and progress -> 'awaits' ->> 'of' = $3`

type Kept = Pick<PostedFlowEvent, 'id' | 'atMs' | 'keptUntilAtMs'>

const flowEvents = {
  post({ api }, { corporation, event, of, data, atMs, keptUntilAtMs }, limits) {
    const text = JSON.stringify(data)
    const name = [corporation, event, of]
    return inTransaction(api, async (transaction) => {
      await transaction.query(FORGET, [atMs])
      await transaction.query(FORGET_ALIKE, [...name, atMs])
      const find = async () => (await ask<Kept>(transaction, FIND, [...name, text]))[0]
      const known = await find()
      if (!known) {
        const [counted] = await ask<{ all: number; alike: number }>(transaction, COUNT, [...name, atMs])
        if (counted!.all >= limits.all || counted!.alike >= limits.alike) return 'too many'
      }
      const added = known ? [] : await ask<Kept>(transaction, ADD, [...name, text, atMs, keptUntilAtMs])
      // Another request posts the same event at this moment: it is committed now.
      const kept = known ?? added[0] ?? (await find())!
      const [calls] = await ask<{ waiting: number }>(transaction, WAITING, name)
      await notify(transaction, 'flowEvents')
      return { ...kept, isNew: added.length > 0, waitingCalls: calls!.waiting }
    })
  },

  async forget({ jobs }, atMs) {
    while ((await query(jobs, FORGET, [atMs])).length === EXPIRED_MAX);
  },

  async find({ control }, corporation, names, atMs) {
    const text = `
      select id, event, key as of, data from flow_events
       where corporation_id = $1 and kept_until_ms > $4
         and (event, key) in (select * from unnest($2::text[], $3::text[]))
       order by id`
    const values = [corporation, names.map(({ event }) => event), names.map(({ of }) => of), atMs]
    const rows = await query<Omit<KeptFlowEvent, 'data'> & { readonly data: string }>(control, text, values)
    return rows.map(({ data, ...kept }) => ({ ...kept, data: JSON.parse(data) }))
  },
} satisfies Partial<In<FlowEvents>>

/** Outside events in PostgreSQL. */
export function postgresFlowEvents(pools: Pools): FlowEvents {
  return portOf<FlowEvents>(pools, flowEvents)
}
