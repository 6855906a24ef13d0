import { assert } from '../../kernel/assert.ts'
import type { AtMs } from '../../kernel/clock.ts'
import type {
  ActivityId,
  CallTaskId,
  CorporationId,
  ExternalSystemId,
  LegId,
  OutcomeId,
  TeamName,
} from '../../kernel/ids.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { SavedOutcome } from '../../ports/outcome.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, query } from '../db/transaction.ts'
import { writeEvent } from '../webhooks/write-event.ts'
import { takeBackCallback } from './callback-admin.ts'
import { promiseCallback } from './callbacks.ts'
import { followAfterMachine } from './corrections.ts'
import { endTask } from './end-call-task.ts'

export const feedback = {
  /** Feedback on a campaign and person (D-07, 204). Repeating changes nothing; an outgoing call has its task anyway. */
  async recordFeedback({ control }, feedback) {
    const { activity, task, agent, feedbackType, isFinal, note, atMs } = feedback
    await query(
      control,
      `insert into feedback (activity_id, task_id, campaign_id, person_key, agent, feedback_type, is_final, note,
         created_at_ms)
       select g.activity, t.id, t.campaign_id, t.person_key, $3, $4, $5,
           case when t.erased_at_ms is null then $6 end, $7
         from (select $1::bigint as activity,
                 coalesce($2::bigint, (select task_id from attempts where activity_id = $1)) as task) g
         left join call_tasks t on t.id = g.task
       on conflict (activity_id, agent, created_at_ms) do nothing`,
      [activity, task ?? null, agent, feedbackType, isFinal, note ?? null, atMs],
    )
  },

  /** The task is locked first, as the end of its call does: one of the two sees the other, and writes the event. */
  async recordOutcome({ control }, outcome) {
    return inTransaction(control, async (transaction) => {
      await ask(transaction, 'select from call_tasks where id = $1 for no key update', [outcome.task])
      const [kept] = await ask<{ id: number }>(transaction, KEEP, valuesOf(outcome))
      if (!kept) return 'already recorded'
      const isPromised = await promise(transaction, outcome)
      if (!isPromised) await ask(transaction, NOT_CALLED_BACK, [kept.id])
      const { task, corporation, isFinal, atMs, activity } = outcome
      if (isFinal) await endTask(transaction, { task, corporations: [corporation], status: 'answered', atMs })
      else if (!outcome.callback) await takeBackPromises(transaction, outcome)
      await tellOutcomes(transaction, activity)
      return isPromised ? 'recorded' : 'task ended'
    })
  },

  /** An open call is locked: its end, which removes it, comes before or after, and one of the two writes the event. */
  async recordCallerFeedback({ control }, feedback) {
    await inTransaction(control, async (transaction) => {
      const [open] = await ask<Named>(transaction, OPEN, [feedback.call])
      const [ended] = open ? [] : await ask<Named>(transaction, ENDED, [feedback.call])
      const activity = (open ?? ended)?.activity
      assert(activity !== undefined, `call ${feedback.call} has begun`)
      const { agent, feedbackType, isFinal, note, atMs, outcome, fields, eventName } = feedback
      const isKept = !ended?.isErased
      const said = [activity, agent, feedbackType, isFinal, isKept ? (note ?? null) : null, atMs, outcome ?? null]
      await ask(transaction, KEEP_OF_CALLER, [...said, fields && isKept ? JSON.stringify(fields) : null, eventName])
      await tellOutcomes(transaction, activity)
    })
  },

  async callOfAgent({ control }, call, agent, sinceAtMs) {
    const [found] = await query<{ leg: LegId | null; caller: string; team: TeamName | null }>(control, OF_AGENT, [
      call,
      agent,
      sinceAtMs,
    ])
    if (!found) return undefined
    const { leg, caller, team } = found
    return { caller, ...(leg !== null && { leg }), ...(team !== null && { team }) }
  },
} satisfies Partial<In<DialerRepository>>

const OF_AGENT = `
select leg, caller, team from call_activities
 where call = $1 and ended_at_ms >= $3
   and (agent = $2 or transfers @> jsonb_build_array(jsonb_build_object('by', $2::text)))
union all
select leg, caller, progress ->> 'team' from open_calls
 where call = $1 and exists (select from jsonb_each(progress -> 'transfers') t where t.value ->> 'by' = $2)`

interface Named {
  readonly activity: ActivityId
  readonly isErased?: boolean
}

const OPEN = 'select activity_id as activity from open_calls where call = $1 for update'
/** Locked: of an erased call nothing is kept of what was said, and retention would never look at it again. */
const ENDED = `select id as activity, erased_at_ms is not null as "isErased" from call_activities
  where call = $1 for no key update`

const KEEP_OF_CALLER = `
insert into feedback (activity_id, agent, feedback_type, is_final, note, created_at_ms, outcome_id, fields, event_name)
values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
on conflict (activity_id, agent, created_at_ms) do nothing`

const KEEP = `
insert into feedback (activity_id, task_id, campaign_id, person_key, agent, feedback_type, is_final, note,
  created_at_ms, outcome_id, fields, callback_at_ms, is_callback_for_team, event_name)
select $1, t.id, t.campaign_id, t.person_key, $3, $4, $5, case when t.erased_at_ms is null then $6 end, $7, $8,
  case when t.erased_at_ms is null then $9::jsonb end, $10, $11, $12
  from call_tasks t where t.id = $2
on conflict (activity_id, agent, created_at_ms) do nothing
returning id`

const NOT_CALLED_BACK = 'update feedback set callback_at_ms = null, is_callback_for_team = null where id = $1'

function valuesOf(outcome: SavedOutcome): readonly unknown[] {
  const { activity, task, agent, feedbackType, isFinal, note, atMs, fields, callback, eventName } = outcome
  const date = [callback?.atMs ?? null, callback?.isForTeam ?? null]
  const said = [activity, task, agent, feedbackType, isFinal, note ?? null, atMs]
  return [...said, outcome.outcome, JSON.stringify(fields), ...date, eventName]
}

/** False: a callback was asked for, and its task was ended. */
async function promise(transaction: Transaction, outcome: SavedOutcome): Promise<boolean> {
  const { callback, task, agent, attempt, atMs: nowMs } = outcome
  if (!callback) return true
  const carrier = await promiseCallback(transaction, { ...callback, task, agent, attempt, nowMs })
  return carrier !== 'task ended' && carrier !== 'no such call task'
}

/**
 * Open callbacks with a date that an earlier outcome of this agent about this call has said: of the task, of what
 * follows it, or of what lists the same case. One that is being called is under way, but for this very call.
 */
const PROMISES = `
select t.id as task, t.status in ('dialing', 'inCall') as "isInCall" from call_tasks t
 where (t.id = $1 or t.follows_task_id = $1
     or (t.campaign_id, t.duplicate_key) = (select campaign_id, duplicate_key from call_tasks where id = $1))
   and t.finished_at_ms is null
   and t.callback_at_ms in (select f.callback_at_ms from feedback f where f.activity_id = $2 and f.agent = $3)
   and (t.status not in ('dialing', 'inCall')
     or exists (select from attempts a where a.id = $4 and a.task_id = t.id and a.ended_at_ms is null))
   for no key update`

/** What was said last counts (campaigns-141). A machine is called again as if nothing had been promised. */
async function takeBackPromises(
  transaction: Transaction,
  { task, activity, agent, attempt, atMs }: SavedOutcome,
): Promise<void> {
  const values = [task, activity, agent, attempt]
  const promises = await ask<{ task: CallTaskId; isInCall: boolean }>(transaction, PROMISES, values)
  for (const promise of promises) await takeBackCallback(transaction, promise, atMs)
  if (promises.length > 0) await followAfterMachine(transaction, task, atMs)
}

interface Untold {
  readonly eventName: string
  readonly outcome: OutcomeId
  readonly number: number
  readonly corporation: CorporationId
  readonly externalSystem: ExternalSystemId | null
  readonly atMs: AtMs
}

/** Outcomes of a call that is over and whose events are not written yet. Receivers can look the call up. */
const UNTOLD = `
select f.event_name as "eventName", f.outcome_id as outcome, c.corporation_id as corporation,
    c.external_system_id as "externalSystem", greatest(f.created_at_ms, c.ended_at_ms) as "atMs",
    (row_number() over (order by f.created_at_ms, f.id) + (select count(*) from events e
      where e.activity_id = c.id and e.type = 'phone-call-outcome.creation'))::integer as number
  from feedback f join call_activities c on c.id = f.activity_id
 where f.activity_id = $1 and f.outcome_id is not null
   and not exists (select from events e where e.name = f.event_name)
 order by number`

/** Writes the events about the outcomes of a call, once it has ended: one for each. */
export async function tellOutcomes(transaction: Transaction, activity: ActivityId): Promise<void> {
  for (const { externalSystem, number, ...untold } of await ask<Untold>(transaction, UNTOLD, [activity])) {
    await writeEvent(transaction, {
      ...untold,
      type: 'phone-call-outcome.creation',
      activity,
      version: number,
      ...(externalSystem === null ? {} : { externalSystem }),
    })
  }
}
