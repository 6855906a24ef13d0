import type { Attempt, AttemptToCancel } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared, query } from '../db/transaction.ts'
import { noteTalk } from './amend-call.ts'
import { callersOf } from './due-tasks.ts'
import { lockAttempt } from './end-attempt.ts'
import { isNumberStopped } from './stop-lists.ts'

/** The maximum number of attempts in one search (D-11). */
const ATTEMPTS_MAX = 1000

/** Every column of an attempt under its name in the port. */
export const ATTEMPT_COLUMNS = `a.id, a.task_id as task, a.campaign_id as campaign, a.activity_id as activity,
  a.attempt_number as "attemptNumber", a.number, a.leg, a.fence, a.claimed_at_ms as "claimedAtMs",
  a.dialed_at_ms as "dialedAtMs", a.ringing_at_ms as "ringingAtMs", a.answered_at_ms as "answeredAtMs",
  a.connected_at_ms as "connectedAtMs", a.ended_at_ms as "endedAtMs", a.result, a.reach, a.agent,
  a.sip_status as "sipStatus", a.hangup_cause as "hangupCause", a.permit, a.transfers,
  exists (select from attempt_corrections c where c.attempt_id = a.id) as "isMarkedMachine"`

/** Locks the task before the attempt, as every writer does. No row: another lease has the attempt, or it is over. */
const CONNECT: Prepared = {
  name: 'connect-attempt',
  text: `
with task as materialized (
  select id from call_tasks where id = (select task_id from attempts where id = $1) for no key update
), talking as (
  update attempts a set connected_at_ms = coalesce(a.connected_at_ms, $3), agent = $4
    from task where a.id = $1 and a.task_id = task.id and a.fence = $2 and a.ended_at_ms is null
  returning a.task_id
)
update call_tasks t
   set status = case when t.finished_at_ms is null then 'inCall' else t.status end, updated_at_ms = $3
  from talking where t.id = talking.task_id
returning t.id`,
}

export const attempts = {
  /**
   * An agent talks to the callee. Of two reports the first instant stands; a finished task stays finished. That of a
   * node that lost the attempt moves nothing, and is noted.
   */
  async attemptConnected({ control }, event) {
    const { attempt, fence, atMs, agent } = event
    const values = [attempt, fence, atMs, agent]
    if ((await query(control, CONNECT, values)).length > 0) return 'written'
    return inTransaction(control, async (transaction) => {
      const standing = await lockAttempt(transaction, attempt, fence)
      if (standing === 'fenced off') await noteTalk(transaction, event)
      if (standing !== 'open') return standing
      await ask(transaction, CONNECT, values)
      return 'written'
    })
  },

  async attemptTransfers({ control }, { attempt, fence, transfers }) {
    return inTransaction(control, async (transaction) => {
      const standing = await lockAttempt(transaction, attempt, fence)
      if (standing !== 'open') return standing
      const values = [attempt, JSON.stringify(transfers)]
      await ask(transaction, 'update attempts set transfers = $2::jsonb where id = $1', values)
      return 'written'
    })
  },

  async findAttempts({ api }, by) {
    return query<Attempt>(
      api,
      `select ${ATTEMPT_COLUMNS} from attempts a
        where a.corporation_id = any($1) and ($2::bigint[] is null or a.id = any($2))
          and ($3::bigint[] is null or a.task_id = any($3)) and ($4::bigint[] is null or a.activity_id = any($4))
          and num_nonnulls($2, $3, $4) > 0
        order by a.id limit ${ATTEMPTS_MAX}`,
      [by.corporations, by.ids ?? null, by.tasks ?? null, by.activities ?? null],
    )
  },

  /**
   * Attempts without a conversation to be cancelled, with the reason that lasts longest. Who calls in at any node is
   * not rung on (campaigns-138). The phones of a paused campaign ring out (campaigns-51).
   */
  async attemptsToCancel({ control }, { fence }) {
    return query<AttemptToCancel>(control, TO_CANCEL, [fence])
  },
} satisfies Partial<In<DialerRepository>>

const TO_CANCEL: Prepared = {
  name: 'attempts-to-cancel',
  text: `
select * from (
  select a.id as attempt,
    case when t.finished_at_ms is not null then 'taskEnded'
         when ${isNumberStopped('a.number', 'a.corporation_id')}
           or exists (select from stopped_persons s
                       where s.corporation_id = a.corporation_id and s.person_key = a.person_key) then 'stopped'
         when d.kill_switch then 'killSwitch'
         when exists (select from (${callersOf('t')}) c join open_calls o on o.caller = c.number)
           then 'isOnOurLine' end as why
    from attempts a join call_tasks t on t.id = a.task_id cross join dial_state d
   where a.fence = $1 and a.ended_at_ms is null and a.connected_at_ms is null
) open where why is not null order by attempt`,
}
