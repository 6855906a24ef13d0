import type { AtMs } from '../../kernel/clock.ts'
import type { CorporationId } from '../../kernel/ids.ts'
import type { DeadLetter, DeadLetterName, DeadLetters } from '../../ports/dead-letters.ts'
import { countOf } from '../db/criteria.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** An erased email has no recipient; the reason of a bounce would show the address. */
const DEAD = `
select case kind when 'transcribe' then 'transcript' else 'summary' end as kind, id as number,
  corporation_id as corporation, activity_id as activity, why, tries, created_at_ms as "createdAtMs"
  from call_jobs where state = 'dead' and corporation_id = any($1)
union all
select 'email', o.activity_id, o.corporation_id, o.activity_id,
  case o.state when 'unknown' then 'nobody knows whether it left' else 'it was refused or given up' end, o.tries,
  a.created_at_ms
  from outgoing_emails o join activities a on a.id = o.activity_id
 where o.state in ('failed', 'unknown') and a.erased_at_ms is null and o.corporation_id = any($1)`

const deadLetters = {
  retry(pools, corporations, name, atMs) {
    return name.kind === 'email'
      ? retryEmail(pools, corporations, name.number, atMs)
      : retryJob(pools, corporations, name, atMs)
  },

  async search({ api }, { corporations, kind, offset, rowsMax }) {
    const where = '$2::text is null or kind = $2'
    const text = `select * from (${DEAD}) d where ${where} order by "createdAtMs" desc, kind, number desc
      limit $3 offset $4`
    const letters = await query<DeadLetter>(api, text, [corporations, kind ?? null, rowsMax, offset])
    return { found: await countOf(api, `from (${DEAD}) d where ${where}`, [corporations, kind ?? null]), letters }
  },
} satisfies Partial<In<DeadLetters>>

/** Requeues the job with a new set of tries. Its transcript is pending again. */
function retryJob({ api }: Pools, corporations: readonly CorporationId[], name: DeadLetterName, atMs: AtMs) {
  const kind = name.kind === 'transcript' ? 'transcribe' : 'summarise'
  return inTransaction(api, async (transaction) => {
    const [job] = await ask<{ recording: number | null }>(
      transaction,
      `update call_jobs set state = 'waiting', why = null, tries = 0, claim = claim + 1, next_at_ms = $4
        where id = $1 and kind = $2 and state = 'dead' and corporation_id = any($3)
       returning recording_id as recording`,
      [name.number, kind, corporations, atMs],
    )
    const text = `update transcripts set state = 'pending', why = null, updated_at_ms = $2
      where recording_id = $1 and state = 'failed'`
    if (job && job.recording !== null) await ask(transaction, text, [job.recording, atMs])
    return job !== undefined
  })
}

/** The count of tries goes on for an email of unknown fate: a worker that still sends it can no longer settle it. */
async function retryEmail({ api }: Pools, corporations: readonly CorporationId[], activity: number, atMs: AtMs) {
  const text = `
    update outgoing_emails o set state = 'queued', why = null, next_at_ms = $3, undelivered = '{}',
      tries = case o.state when 'failed' then 0 else o.tries end
      from activities a
     where o.activity_id = $1 and o.corporation_id = any($2) and o.state in ('failed', 'unknown')
       and a.id = o.activity_id and a.erased_at_ms is null
    returning o.activity_id`
  return (await query(api, text, [activity, corporations, atMs])).length > 0
}

/** Dead letters in PostgreSQL. */
export function postgresDeadLetters(pools: Pools): DeadLetters {
  return portOf<DeadLetters>(pools, deadLetters)
}
