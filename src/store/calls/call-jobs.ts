import type { ActivityId } from '../../kernel/ids.ts'
import type { CallJob, CallJobs, Settling } from '../../ports/recordings/call-jobs.ts'
import { type Transcription, textOfParts } from '../../ports/recordings/transcripts.ts'
import type { Transaction } from '../db/connection.ts'
import type { Pools } from '../db/pools.ts'
import { type In, portOf } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'

/** Whether this worker still holds the claim. */
const MINE = `id = $1 and claim = $2 and state = 'waiting'`

/** Two workers at once skip each other's rows. Recordings that the campaign excludes are marked as decided too. */
const BEGIN = `
with looked_at as (
  select r.id, r.activity_id, c.corporation_id,
    p.settings->'recording'->>'transcribe' is distinct from 'false' as is_wanted
    from recordings r join call_activities c on c.id = r.activity_id
    left join attempts a on a.id = c.attempt_id left join campaigns p on p.id = a.campaign_id
   where r.state = 'ready' and not r.transcription_decided and r.ended_at_ms >= $1
   order by r.ended_at_ms limit $2 for no key update of r skip locked
), decided as (
  update recordings r set transcription_decided = true from looked_at l where r.id = l.id
), fresh as (
  select * from looked_at where is_wanted
), pending as (
  insert into transcripts (recording_id, activity_id, corporation_id, state, created_at_ms, updated_at_ms)
  select id, activity_id, corporation_id, 'pending', $3, $3 from fresh
)
insert into call_jobs (kind, corporation_id, activity_id, recording_id, next_at_ms, created_at_ms)
select 'transcribe', corporation_id, activity_id, id, $3, $3 from fresh
returning id`

const SKIP = `
update recordings set transcription_decided = true
 where id in (select id from recordings where state = 'ready' and not transcription_decided and ended_at_ms < $1
               order by ended_at_ms limit $2 for update skip locked)
returning activity_id as activity`

const callJobs = {
  extend(pools, job, untilAtMs) {
    return change(pools, job, 'next_at_ms = $3', [untilAtMs])
  },

  giveBack(pools, job, atMs) {
    return change(pools, job, 'next_at_ms = $3, tries = tries - 1, claim = claim + 1', [atMs])
  },

  putOff(pools, job, why, nextAtMs) {
    return change(pools, job, 'next_at_ms = $3, why = $4, claim = claim + 1', [nextAtMs, why])
  },

  finish({ jobs }, job) {
    return inTransaction(jobs, (transaction) => remove(transaction, job))
  },

  async begin({ jobs }, { sinceAtMs, countMax, atMs }) {
    return (await query(jobs, BEGIN, [sinceAtMs, countMax, atMs])).length
  },

  async skip({ jobs }, beforeAtMs, countMax) {
    const skipped = await query<{ activity: ActivityId }>(jobs, SKIP, [beforeAtMs, countMax])
    return skipped.map(({ activity }) => activity)
  },

  async claim({ jobs }, atMs, untilAtMs) {
    return (await query<CallJob>(jobs, CLAIM, [atMs, untilAtMs]))[0]
  },

  async bury({ jobs }, job, why, settling) {
    return inTransaction(jobs, async (transaction) => {
      const [dead] = await ask<{ recording: number | null }>(
        transaction,
        `update call_jobs set state = 'dead', why = $3 where ${MINE} returning recording_id as recording`,
        [job.id, job.claim, why],
      )
      if (!dead) return false
      if (dead.recording === null) return true
      const text = `update transcripts set state = 'failed', why = $2, updated_at_ms = $3 where recording_id = $1`
      await ask(transaction, text, [dead.recording, why, settling.atMs])
      await summariseNext(transaction, job.activity, settling)
      return true
    })
  },

  async keepTranscript({ jobs }, job, { language, durationMs, parts }, settling) {
    return inTransaction(jobs, async (transaction) => {
      const [kept] = await ask(
        transaction,
        `update transcripts t set state = 'ready', why = null, language = $3, duration_ms = $4, text = $5, parts = $6,
           updated_at_ms = $7
          from (select recording_id from call_jobs where ${MINE}) j where t.recording_id = j.recording_id
         returning t.id`,
        [job.id, job.claim, language, durationMs, textOfParts(parts), JSON.stringify(parts), settling.atMs],
      )
      if (!kept || !(await remove(transaction, job))) return false
      await summariseNext(transaction, job.activity, settling)
      return true
    })
  },

  async heardIn({ jobs }, activity) {
    const text = `
      select t.language, t.duration_ms as "durationMs", t.parts
        from transcripts t join recordings r on r.id = t.recording_id
       where t.activity_id = $1 and t.state = 'ready' order by r.started_at_ms, r.id`
    return query<Transcription>(jobs, text, [activity])
  },
} satisfies Partial<In<CallJobs>>

const CLAIM = `
with chosen as (
  select id from call_jobs where state = 'waiting' and next_at_ms <= $1
   order by next_at_ms, id limit 1 for update skip locked
)
update call_jobs j set tries = j.tries + 1, claim = j.claim + 1, next_at_ms = $2 from chosen c where j.id = c.id
returning j.id, j.kind, j.activity_id as activity, j.event_name as "eventName", j.tries, j.claim,
  (select r.file from recordings r where r.id = j.recording_id) as file`

async function change({ jobs }: Pools, { id, claim }: CallJob, what: string, values: readonly unknown[]) {
  const text = `update call_jobs set ${what} where ${MINE} returning id`
  return (await query(jobs, text, [id, claim, ...values])).length > 0
}

async function remove(transaction: Transaction, { id, claim }: CallJob): Promise<boolean> {
  return (await ask(transaction, `delete from call_jobs where ${MINE} returning id`, [id, claim])).length > 0
}

/** Locks the call: of two jobs that settle at once, the later one sees the earlier result and starts the summary. */
async function summariseNext(transaction: Transaction, activity: ActivityId, { eventName, atMs }: Settling) {
  await ask(transaction, 'select 1 from call_activities where id = $1 for no key update', [activity])
  await ask(
    transaction,
    `insert into call_jobs (kind, corporation_id, activity_id, event_name, next_at_ms, created_at_ms)
     select 'summarise', c.corporation_id, c.id, $2, $3, $3 from call_activities c
      where c.id = $1 and not exists (select from transcripts t where t.activity_id = c.id and t.state = 'pending')
     on conflict do nothing`,
    [activity, eventName, atMs],
  )
}

/** Jobs about calls in PostgreSQL. */
export function postgresCallJobs(pools: Pools): CallJobs {
  return portOf<CallJobs>(pools, callJobs)
}
