import type { Audit, AuditHead, AuditRecord } from '../../ports/audit.ts'
import { carryOut } from '../db/audit-intent.ts'
import { countOf } from '../db/criteria.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { AuditWriter, takeIntents } from './audit-writer.ts'

/** Longer than a request may take: an older intent belongs to a process that died. */
const UNDER_WAY_MS = 10 * 60_000

const audit = {
  append({ writer }, corporations, entry) {
    return writer.append(corporations, entry)
  },

  change({ api, writer }, corporations, intent) {
    const committed: number[] = []
    const dueAtMs = intent.atMs + UNDER_WAY_MS
    return {
      run: (work) => carryOut({ corporations, intent, dueAtMs, committed, isOver: false }, work),
      get hasCommitted() {
        return committed.length > 0
      },
      done: (entry) => writer.append(corporations, entry, committed),
      async refused() {
        if (committed.length > 0) await query(api, 'delete from audit_intents where id = any($1)', [committed])
      },
    }
  },

  takeIntents(pools, nowMs) {
    return takeIntents(pools, nowMs)
  },

  heads({ api }) {
    return query<AuditHead>(api, HEADS, [])
  },

  async search({ api }, search) {
    const { corporations, sinceAtMs, untilAtMs, action, object, id, credential, user, offset, rowsMax } = search
    const criteria = [corporations, sinceAtMs, untilAtMs, action, object, id, credential, user].map(
      (value) => value ?? null,
    )
    const text = `select ${RECORD_FIELDS} from audit_records ${WHERE}
      order by at_ms desc, corporation_id, number desc limit $9 offset $10`
    const records = await query<AuditRecord>(api, text, [...criteria, rowsMax, offset])
    return { found: await countOf(api, `from audit_records ${WHERE}`, criteria), records }
  },
} satisfies In<Audit, Pools & { readonly writer: AuditWriter }>

/** The fields of a record that its hash covers. */
export const RECORD_FIELDS = `corporation_id as corporation, number, at_ms as "atMs", credential, user_id as "user",
  action, object, ids, count, operation, reason, address, trace_id as "traceId", previous_hash as "previousHash", hash`

const HEADS = `
select corporation_id as corporation, number, hash from audit_heads where number > 0 order by corporation_id`

const WHERE = `
 where corporation_id = any($1)
   and ($2::bigint is null or at_ms >= $2)
   and ($3::bigint is null or at_ms < $3)
   and ($4::text is null or action = $4)
   and ($5::text is null or object = $5)
   and ($6::text is null or ids @> array[$6])
   and ($7::text is null or credential = $7)
   and ($8::bigint is null or user_id = $8)`

/** The audit trail in PostgreSQL. */
export function postgresAudit(pools: Pools): Audit {
  return portOf<Audit, Pools & { readonly writer: AuditWriter }>({ ...pools, writer: new AuditWriter(pools) }, audit)
}
