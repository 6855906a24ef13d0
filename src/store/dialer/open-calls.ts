import type { LegId } from '../../kernel/ids.ts'
import type { FileId } from '../../ports/call-activity.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { CallProgress, LeftCall, OpenCall } from '../../ports/open-call.ts'
import type { In } from '../db/port-methods.ts'
import { storableJson } from '../db/storable-json.ts'
import { query } from '../db/transaction.ts'
import { settledBefore } from './finished-call-text.ts'

/** The others come with the next look. */
const LEFT_MAX = 1000

const COLUMNS = `o.call, o.leg, o.corporation_id as corporation, o.caller, o.called, o.created_at_ms as "createdAtMs",
  o.progress`

type Row<Call extends OpenCall> = Omit<Call, 'progress'> & { readonly progress: CallProgress | null }

function callOf<Call extends OpenCall>({ progress, ...call }: Row<Call>): Call {
  return { ...call, ...(progress && { progress }) } as unknown as Call
}

export const openCalls = {
  /** Stores an inbound call until its end is written. After its end it changes nothing. */
  async callBegan({ control }, node, call) {
    await query(
      control,
      `insert into open_calls as o (call, node, leg, corporation_id, caller, called, created_at_ms, progress,
         activity_id)
       select $1::text, $2, $3::text, $4, $5::text, $6::text, $7, $8::jsonb, coalesce(
           (select s.id from call_activities s where ${settledBefore('$3', '$5', '$6', 'null')} limit 1),
           nextval('activity_ids'))
        where not exists (select from call_activities where call = $1)
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
    const text = `select ${COLUMNS} from open_calls o where o.node = $1 order by o.created_at_ms, o.call`
    return (await query<Row<OpenCall>>(control, text, [node])).map(callOf)
  },

  async leftCalls({ control }, { node, fence }) {
    const text = `
      select o.node, ${COLUMNS} from open_calls o
       where not exists (select from node_leases l where l.node = o.node)
         and exists (select from node_leases l where l.node = $1 and l.fence = $2 and l.expires_at > clock_timestamp())
       order by o.created_at_ms, o.call limit ${LEFT_MAX}`
    return (await query<Row<LeftCall>>(control, text, [node, fence])).map(callOf)
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
