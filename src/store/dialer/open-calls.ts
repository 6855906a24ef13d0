import type { LegId } from '../../kernel/ids.ts'
import type { DialerRepository, OpenCall } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'

export const openCalls = {
  /** Stores an incoming call until its end is written. Repeated, or after its end, it changes nothing. */
  async callBegan({ control }, node, call) {
    await query(
      control,
      `insert into open_calls (call, node, leg, corporation_id, caller, called, created_at_ms)
       select $1::text, $2, $3, $4, $5, $6, $7 where not exists (select from call_activities where call = $1)
       on conflict do nothing`,
      [call.call, node, call.leg, call.corporation, call.caller, call.called, call.createdAtMs],
    )
  },

  /** Inbound calls of a node without a stored end, oldest first. */
  async openCalls({ control }, node) {
    const text = `select call, leg, corporation_id as corporation, caller, called, created_at_ms as "createdAtMs"
                    from open_calls where node = $1 order by created_at_ms, call`
    return query<OpenCall>(control, text, [node])
  },

  async unknownLegs({ control }, legs) {
    const text = `select leg from unnest($1::text[]) as given (leg)
                   where not exists (select from call_activities a where a.leg = given.leg)
                     and not exists (select from open_calls o where o.leg = given.leg)`
    return (await query<{ leg: LegId }>(control, text, [legs])).map(({ leg }) => leg)
  },
} satisfies Partial<In<DialerRepository>>
