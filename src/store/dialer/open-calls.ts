import type { LegId } from '../../kernel/ids.ts'
import type { FileId } from '../../ports/call-activity.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CallProgress, OpenCall } from '../../ports/open-call.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { query } from '../db/transaction.ts'

export const openCalls = {
  /** Stores an inbound call until its end is written. After its end it changes nothing. */
  async callBegan({ control }, node, call) {
    await query(
      control,
      `insert into open_calls as o (call, node, leg, corporation_id, caller, called, created_at_ms, progress)
       select $1::text, $2, $3, $4, $5, $6, $7, $8::jsonb where not exists (select from call_activities where call = $1)
       on conflict (call) do update set progress = coalesce(excluded.progress, o.progress)`,
      [
        call.call,
        node,
        call.leg,
        call.corporation,
        call.caller,
        call.called,
        call.createdAtMs,
        call.progress ? storableJson(call.progress) : null,
      ],
    )
  },

  /** Inbound calls of a node without a stored end, oldest first. */
  async openCalls({ control }, node) {
    const text = `select call, leg, corporation_id as corporation, caller, called, created_at_ms as "createdAtMs",
                    progress from open_calls where node = $1 order by created_at_ms, call`
    const rows = await query<OpenCall & { readonly progress: CallProgress | null }>(control, text, [node])
    return rows.map(({ progress, ...call }) => ({ ...call, ...(progress && { progress }) }))
  },

  async fileNumber({ control }) {
    return (await query<{ file: FileId }>(control, `select nextval('file_ids') as file`, []))[0]!.file
  },

  async unknownLegs({ control }, legs) {
    const text = `select leg from unnest($1::text[]) as given (leg)
                   where not exists (select from call_activities a where a.leg = given.leg)
                     and not exists (select from open_calls o where o.leg = given.leg)`
    return (await query<{ leg: LegId }>(control, text, [legs])).map(({ leg }) => leg)
  },
} satisfies Partial<In<DialerRepository>>
