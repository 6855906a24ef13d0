/**
 * The feed of events, in pages that miss nothing.
 *
 * Ids do not do as places in it: they are drawn before the commit, so a transaction with a smaller id may become
 * visible after one with a larger id was read, and a reader who went on from there would never see it. So the feed is
 * in the order of the transactions that wrote the events (`tx`), and shows only those below the oldest transaction
 * that still runs (`pg_snapshot_xmin`): whatever is below is committed or gone for good, and whatever comes later is
 * above. A transaction that runs long delays the feed, and loses nothing.
 *
 * Numbers of transactions belong to one cluster. A database that was dumped and restored into another one may hold
 * events "of the future"; the first page after the start puts these at the beginning and makes a new generation, with
 * which older cursors are refused: who holds one starts from the beginning, and knows doubles by their ids.
 */
import type { FeedPage, FeedQuery } from '../../ports/outbox.ts'
import type { WebhookEvent } from '../../ports/webhook.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Pools } from '../db/pools.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { EVENT_COLUMNS, type EventRecord, eventOf } from './outbox-rows.ts'

/** Answers pages of the feed. Looks once, before its first page, whether the database comes from another cluster. */
export function feedReader(pools: Pools, environment: WebhookEvent['environment']) {
  let looked: Promise<void> | undefined
  return async (command: FeedQuery): Promise<FeedPage | 'unknown cursor'> => {
    looked ??= settleForeignEvents(pools).catch((error) => {
      looked = undefined
      throw error
    })
    await looked
    return page(pools, environment, command)
  }
}

/** `generation.tx.id`: numbers of PostgreSQL, which may be larger than ours, and are passed through as text. */
const CURSOR = /^(\d{1,18})\.(\d{1,18})\.(\d{1,18})$/

/** The horizon and the rows come from one snapshot, or a row could slip in between. The extra row says: more. */
const PAGE = `
select h.horizon, h.generation, f.* from (
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, generation::text from feed_generation
) h left join lateral (
  select ${EVENT_COLUMNS}, e.tx::text, e.id::text
    from unnest($1::bigint[]) as c(corporation_id)
   cross join lateral (
     select * from events o
      where o.corporation_id = c.corporation_id and o.type <> 'webhook.test'
        and ($2::text[] is null or o.type = any($2))
        and (o.tx, o.id) > ($3::xid8, $4::bigint) and o.tx < h.horizon::xid8
      order by o.tx, o.id limit $5) e
   order by e.tx, e.id limit $5
) f on true
 order by f.tx::xid8, f.id::bigint`

type PageRow = EventRecord & { horizon: string; generation: string; tx: string | null; id: string }

async function page(
  { api }: Pools,
  environment: WebhookEvent['environment'],
  { corporations, types, after, rowsMax }: FeedQuery,
): Promise<FeedPage | 'unknown cursor'> {
  const [, generation, tx, id] = after === undefined ? [] : (CURSOR.exec(after) ?? ['', '0'])
  const rows = await query<PageRow>(api, PAGE, [corporations, types ?? null, tx ?? '0', id ?? '0', rowsMax + 1])
  const { horizon, generation: current } = rows[0]!
  if (generation !== undefined && generation !== current) return 'unknown cursor'
  const found = rows.filter((row) => row.tx !== null)
  const events = found.slice(0, rowsMax).map((row) => eventOf(row, environment))
  const isMore = found.length > rowsMax
  const last = found[rowsMax - 1]
  // Below the horizon nothing new can come, whether it was of the wanted types or not: the next look begins there.
  const next = isMore && last ? `${current}.${last.tx}.${last.id}` : `${current}.${horizon}.0`
  return { events, next, isMore }
}

async function settleForeignEvents({ jobs }: Pools): Promise<void> {
  await inTransaction(jobs, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [LOCKS.feed])
    const { rowCount } = await transaction.query(
      "update events set tx = '0' where tx >= pg_snapshot_xmax(pg_current_snapshot())",
    )
    if (rowCount) await transaction.query('update feed_generation set generation = generation + 1')
  })
}
