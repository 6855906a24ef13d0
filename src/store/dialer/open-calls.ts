import type { NodeLease } from '../../ports/attempt.ts'
import type { OpenCall } from '../../ports/dialer-repository.ts'
import type { Pools } from '../db/pools.ts'
import { query } from '../db/transaction.ts'

/** Keeps a call that came in until its end is written. Told twice, or after its end, it changes nothing. */
export async function callBegan({ control }: Pools, { node }: Pick<NodeLease, 'node'>, call: OpenCall): Promise<void> {
  await query(
    control,
    `insert into open_calls (call, node, leg, corporation_id, caller, called, created_at_ms)
     select $1::text, $2, $3, $4, $5, $6, $7 where not exists (select from call_activities where call = $1)
     on conflict do nothing`,
    [call.call, node, call.leg, call.corporation, call.caller, call.called, call.createdAtMs],
  )
}

/** Calls that came in at a node and were not written as ended, oldest first. */
export async function openCalls({ control }: Pools, node: string): Promise<readonly OpenCall[]> {
  const text = `select call, leg, corporation_id as corporation, caller, called, created_at_ms as "createdAtMs"
                  from open_calls where node = $1 order by created_at_ms, call`
  return query<OpenCall>(control, text, [node])
}
