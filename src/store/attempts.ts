import { isFinished } from '../ports/call-task.ts'
import type { Attempt, AttemptEnd, AttemptEvent, AttemptQuery, AttemptWrite } from '../ports/records.ts'
import type { Pools } from './pools.ts'
import { inTransaction, query, type Transaction } from './transaction.ts'

/** Milestone → its column. */
const COLUMNS: Readonly<Record<AttemptEvent['what'], string>> = {
  dialed: 'dialed_at_ms',
  ringing: 'ringing_at_ms',
  answered: 'answered_at_ms',
  connected: 'connected_at_ms',
}

/** More attempts than an integrator may ask for in one search (D-11). */
const ATTEMPTS_MAX = 1000

/** Every column of an attempt under its name in the house. */
export const ATTEMPT_COLUMNS = `a.id, a.task_id as task, a.campaign_id as campaign, a.activity_id as activity,
  a.attempt_number as "attemptNumber", a.number, a.leg, a.fence, a.claimed_at_ms as "claimedAtMs",
  a.dialed_at_ms as "dialedAtMs", a.ringing_at_ms as "ringingAtMs", a.answered_at_ms as "answeredAtMs",
  a.connected_at_ms as "connectedAtMs", a.ended_at_ms as "endedAtMs", a.result, a.agent, a.sip_status as "sipStatus",
  a.hangup_cause as "hangupCause"`

/** Writes a milestone of an attempt. Told twice, the first instant stands. */
export async function recordAttemptEvent({ control }: Pools, event: AttemptEvent): Promise<AttemptWrite> {
  return inTransaction(control, async (transaction) => {
    const before = await lockAttempt(transaction, event.attempt, event.fence)
    if (before !== 'open') return before
    const column = COLUMNS[event.what]
    await transaction.query(
      `update attempts set ${column} = coalesce(${column}, $2), agent = coalesce($3, agent) where id = $1`,
      [event.attempt, event.atMs, event.agent ?? null],
    )
    if (event.what === 'connected') {
      const text = `update call_tasks t set status = 'inCall', updated_at_ms = $2 from attempts a
                     where a.id = $1 and t.id = a.task_id and t.finished_at_ms is null`
      await transaction.query(text, [event.attempt, event.atMs])
    }
    return 'written'
  })
}

/** Ends an attempt, and says what follows for its task. */
export async function endAttempt({ control }: Pools, end: AttemptEnd): Promise<AttemptWrite> {
  return inTransaction(control, (transaction) => endAttemptIn(transaction, end))
}

/** The same as part of a larger transaction, such as the end of a call. */
export async function endAttemptIn(transaction: Transaction, end: AttemptEnd): Promise<AttemptWrite> {
  const before = await lockAttempt(transaction, end.attempt, end.fence)
  if (before !== 'open') return before
  await transaction.query(
    `update attempts set ended_at_ms = $2, result = $3, counts = $4, sip_status = $5, hangup_cause = $6 where id = $1`,
    [end.attempt, end.atMs, end.result, end.counts, end.sipStatus ?? null, end.hangupCause ?? null],
  )
  // The person is free when the last of the numbers dialed together has ended.
  await transaction.query(
    `update attempts set holds_person = false
      where task_id = (select task_id from attempts where id = $1) and holds_person
        and not exists (select from attempts o where o.task_id = attempts.task_id and o.ended_at_ms is null)`,
    [end.attempt],
  )
  await moveTaskOn(transaction, end)
  return 'written'
}

/** A finished task stays as it is, except that it may have been answered after all. */
const MOVE_ON = `
update call_tasks t
   set attempts_counted = attempts_counted + $2::int,
       answered = answered or $3,
       updated_at_ms = $4,
       status = case when settles then $5 else status end,
       finished_at_ms = case when settles and $6 then $4 else finished_at_ms end,
       next_call_at_ms = case when settles then $7::bigint else next_call_at_ms end,
       callback_at_ms = case when settles and $5 = 'callback' then $7 else callback_at_ms end
  from (select a.task_id,
          -- While other numbers of the task still ring, only an end that finishes it says where it goes on.
          c.finished_at_ms is null and ($6 or not exists (
            select from attempts o where o.task_id = a.task_id and o.ended_at_ms is null)) as settles
          from attempts a join call_tasks c on c.id = a.task_id where a.id = $1) s
 where t.id = s.task_id`

async function moveTaskOn(transaction: Transaction, end: AttemptEnd): Promise<void> {
  const { next } = end
  const nextCallAtMs = 'nextCallAtMs' in next ? next.nextCallAtMs : null
  const isAnswered = end.result === 'answered'
  const counted = end.counts ? 1 : 0
  const values = [end.attempt, counted, isAnswered, end.atMs, next.status, isFinished(next.status), nextCallAtMs]
  await transaction.query(MOVE_ON, values)
}

/** Finds attempts by their ids, tasks or activities, within corporations. */
export async function findAttempts({ api }: Pools, by: AttemptQuery): Promise<readonly Attempt[]> {
  return query<Attempt>(
    api,
    `select ${ATTEMPT_COLUMNS} from attempts a
      where a.corporation_id = any($1) and ($2::bigint[] is null or a.id = any($2))
        and ($3::bigint[] is null or a.task_id = any($3)) and ($4::bigint[] is null or a.activity_id = any($4))
        and num_nonnulls($2, $3, $4) > 0
      order by a.id limit ${ATTEMPTS_MAX}`,
    [by.corporations, by.ids ?? null, by.tasks ?? null, by.activities ?? null],
  )
}

/** Locks the task before its attempt, as every writer does, so that none waits for another in a circle. */
async function lockAttempt(transaction: Transaction, attempt: number, fence: number): Promise<AttemptWrite | 'open'> {
  await transaction.query(
    'select 1 from call_tasks where id = (select task_id from attempts where id = $1) for no key update',
    [attempt],
  )
  const { rows } = await transaction.query('select fence, result from attempts where id = $1 for update', [attempt])
  const row = rows[0] as { fence: number; result: string | null } | undefined
  if (!row) return 'no such attempt'
  if (row.fence !== fence) return 'fenced off'
  return row.result === null ? 'open' : 'already ended'
}
