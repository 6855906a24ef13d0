import type { Attempt, NodeLease } from '../ports/records.ts'
import { ATTEMPT_COLUMNS } from './attempts.ts'
import type { Pools } from './pools.ts'
import { inTransaction, query } from './transaction.ts'

/** Every lease is timed by the database's clock, which all engines share. */
const DATABASE_AT_MS = '(extract(epoch from clock_timestamp()) * 1000)::bigint as "databaseAtMs"'

/** A new lease with a larger fence. A claim that is under way under the old one is waited for, later ones refused. */
export async function takeLease({ control }: Pools, node: string, lifeMs: number): Promise<NodeLease> {
  const rows = await query<NodeLease>(
    control,
    `insert into node_leases (node, fence, expires_at)
     values ($1, nextval('fences'), clock_timestamp() + $2 * interval '1 ms')
     on conflict (node) do update set fence = excluded.fence, expires_at = excluded.expires_at
     returning node, fence, ${DATABASE_AT_MS}`,
    [node, lifeMs],
  )
  return rows[0]!
}

/** Undefined once another engine took over, or this node took a newer lease. A lease that ran out may be renewed. */
export async function renewLease(
  { control }: Pools,
  { node, fence }: NodeLease,
  lifeMs: number,
): Promise<NodeLease | undefined> {
  const rows = await query<NodeLease>(
    control,
    `update node_leases set expires_at = clock_timestamp() + $3 * interval '1 ms' where node = $1 and fence = $2
     returning node, fence, ${DATABASE_AT_MS}`,
    [node, fence, lifeMs],
  )
  return rows[0]
}

/**
 * Takes the open attempts that no living lease covers. Leases that ran out are removed first: an engine that only
 * slept finds its lease gone, and its late writes are refused, for the attempts bear our fence now.
 */
export async function adoptAttempts({ control }: Pools, lease: NodeLease): Promise<readonly Attempt[] | undefined> {
  return inTransaction(control, async (transaction) => {
    const { rowCount } = await transaction.query(
      'select 1 from node_leases where node = $1 and fence = $2 and expires_at > clock_timestamp() for share',
      [lease.node, lease.fence],
    )
    if (rowCount === 0) return undefined
    await transaction.query('delete from node_leases where expires_at <= clock_timestamp()')
    const { rows } = await transaction.query(
      `update attempts a set fence = $1
        where a.ended_at_ms is null and not exists (select from node_leases l where l.fence = a.fence)
       returning ${ATTEMPT_COLUMNS}`,
      [lease.fence],
    )
    return rows as Attempt[]
  })
}

/** What these hands have to bring to an end, oldest first. */
export async function openAttempts({ control }: Pools, { fence }: NodeLease): Promise<readonly Attempt[]> {
  const text = `select ${ATTEMPT_COLUMNS} from attempts a where a.fence = $1 and a.ended_at_ms is null order by a.id`
  return query<Attempt>(control, text, [fence])
}
