/**
 * The feed of events, in pages that miss nothing.
 *
 * Ids cannot be cursors: they are drawn before the commit, so an event with a smaller id may become visible after one
 * with a larger id was read, and a reader that continues from there would miss it. The feed is therefore ordered by
 * the transactions that wrote the events (`tx`), and shows only those below the oldest running transaction
 * (`pg_snapshot_xmin`): everything below is committed or rolled back, and everything later is above. A long
 * transaction delays the feed, but no event is lost.
 *
 * Transaction numbers belong to one cluster. A database that was dumped and restored into another cluster may hold
 * events "of the future". The first page after the start moves these to the beginning and starts a new generation,
 * which refuses older cursors: a client with such a cursor starts from the beginning and deduplicates by event id.
 */
import type { FeedPage, FeedQuery } from '../../ports/outbox.ts'
import type { WebhookEvent } from '../../ports/webhook.ts'
import { LOCKS } from '../db/advisory-locks.ts'
import type { Pools } from '../db/pools.ts'
import { inTransaction, query } from '../db/transaction.ts'
import { EVENT_COLUMNS, type EventRecord, eventOf } from './outbox-rows.ts'

/** Reads pages of the feed. Checks once, before the first page, whether the database comes from another cluster. */
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

/** `generation.tx.id`: 64-bit numbers of PostgreSQL, kept as text because JavaScript numbers are too small. */
const CURSOR = /^(\d{1,18})\.(\d{1,18})\.(\d{1,18})$/

/** One snapshot gives horizon and rows, otherwise a row could slip in between. The extra row shows that more exist. */
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
  // No new event of any type can appear below the horizon, so the next page begins there.
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
