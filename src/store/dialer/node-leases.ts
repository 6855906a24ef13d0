import type { Attempt, Claim, ClaimMoment, NodeLease } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import { LeaseHeldElsewhere } from '../../ports/nodes.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
import { USED_ABROAD } from '../limits/used-abroad.ts'
import { ATTEMPT_COLUMNS } from './attempts.ts'
import { UNRESERVED } from './waiting-task.ts'

/** The database's own clock, in milliseconds since the epoch. */
const NOW_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
/** Every lease is timed by the database's clock, which all engines share. */
const LEASE = `node, fence, ${NOW_MS} as "databaseAtMs"`

const BEFORE = 'select fence from node_leases where node = $1 for update'
const TAKE = `
insert into node_leases (node, fence, expires_at, instance)
values ($1, nextval('fences'), clock_timestamp() + $2 * interval '1 ms', $3)
on conflict (node) do update set fence = excluded.fence, expires_at = excluded.expires_at, instance = excluded.instance
  where node_leases.instance = excluded.instance or node_leases.expires_at <= clock_timestamp()
returning ${LEASE}`
const MOVE = 'update attempts set fence = $2 where fence = $1 and ended_at_ms is null'

export const nodeLeases = {
  /**
   * A new lease with a larger fence. It waits for a running claim under the old lease; later ones are refused. The open
   * attempts go with it at once: without a lease that lives they would be any node's to adopt (storage-21).
   */
  async takeLease({ control }, node, lifeMs, instance = '') {
    const taken = await inTransaction(control, async (transaction) => {
      const [before] = await ask<Pick<NodeLease, 'fence'>>(transaction, BEFORE, [node])
      const [lease] = await ask<NodeLease>(transaction, TAKE, [node, lifeMs, instance])
      if (lease && before) await transaction.query(MOVE, [before.fence, lease.fence])
      return lease
    })
    if (!taken) throw new LeaseHeldElsewhere(node)
    return taken
  },

  /** A lease that ran out may be renewed. Time never runs backwards from the instant that is stored (F-G2). */
  async renewLease({ control }, { node, fence }, lifeMs, seenMaxMs = Number.MAX_SAFE_INTEGER) {
    const rows = await query<NodeLease>(
      control,
      `with renewed as (
         update node_leases set expires_at = clock_timestamp() + $3 * interval '1 ms' where node = $1 and fence = $2
         returning ${LEASE}
       ), seen as (
         update dial_state set latest_seen_at_ms = greatest(latest_seen_at_ms, r."databaseAtMs") from renewed r
          where r."databaseAtMs" <= $4
       )
       select * from renewed`,
      [node, fence, lifeMs, seenMaxMs],
    )
    return rows[0]
  },

  /** The node's open attempts can be adopted at once, and its reserved tasks are free at the next adoption. */
  async dropLease({ control }, { node, fence }) {
    await query(control, 'delete from node_leases where node = $1 and fence = $2', [node, fence])
  },

  /** Expired leases go first: an engine that only slept loses its lease, and our fence refuses its late writes. */
  async adoptAttempts({ control }, lease, graceMs = 0) {
    return inTransaction(control, async (transaction) => {
      if ((await holdLease(transaction, lease)) === undefined) return undefined
      await transaction.query("delete from node_leases where expires_at <= clock_timestamp() - $1 * interval '1 ms'", [
        graceMs,
      ])
      await transaction.query(
        `update call_tasks set ${UNRESERVED}
          where status = 'reserved' and not exists (select from node_leases l where l.fence = reserved_fence)`,
      )
      return ask<Attempt>(
        transaction,
        `update attempts a set fence = $1
          where a.ended_at_ms is null and not exists (select from node_leases l where l.fence = a.fence)
         returning ${ATTEMPT_COLUMNS}`,
        [lease.fence],
      )
    })
  },

  /** Only tasks reserved under this lease: adoption frees those of other leases. */
  async releaseForgotten({ control }, { fence }, beforeAtMs) {
    const text = `update call_tasks set ${UNRESERVED}
                   where status = 'reserved' and reserved_fence = $1 and updated_at_ms < $2`
    await query(control, text, [fence, beforeAtMs])
  },

  async openAttempts({ control }, { fence }) {
    const text = `select ${ATTEMPT_COLUMNS} from attempts a where a.fence = $1 and a.ended_at_ms is null order by a.id`
    return query<Attempt>(control, text, [fence])
  },
} satisfies Partial<In<DialerRepository>>

/** A weak lock: renewal goes on; an engine that takes the lease away waits for us and finds our attempts (INV-D12). */
export async function holdLease(
  transaction: Transaction,
  { node, fence }: Pick<NodeLease, 'node' | 'fence'>,
  earlier: Claim['earlier'] = [],
): Promise<(ClaimMoment & { readonly isBehind: boolean }) | undefined> {
  return (await ask<ClaimMoment & { isBehind: boolean }>(transaction, HOLD, [node, fence, JSON.stringify(earlier)]))[0]
}

const HOLD: Prepared = {
  name: 'hold-lease',
  text: `select ${NOW_MS} as "databaseAtMs", s.latest_seen_at_ms as "latestSeenAtMs",
                  s.kill_switch or s.to_confirm is not null as "isKillSwitchOn",
                  ${USED_ABROAD} as abroad,
                  exists (select from jsonb_to_recordset($3::jsonb) as c(attempt bigint, task bigint)
                           where not exists (select from attempts a where a.id = c.attempt and a.task_id = c.task
                                              offset 0)) as "isBehind"
           from node_leases l cross join dial_state s
          where l.node = $1 and l.fence = $2 and l.expires_at > clock_timestamp() for key share of l`,
}
