import { assert } from '../kernel/assert.ts'
import type { AtMs } from '../kernel/clock.ts'
import type { CorporationId } from '../ports/call-task.ts'
import type { ActivityId, EventType, FinishCallResult, FinishedCall } from '../ports/records.ts'
import { endAttemptIn } from './attempts.ts'
import type { Pools } from './pools.ts'
import { inTransaction, type Transaction } from './transaction.ts'

/**
 * Writes a call that is over: the end of its attempt, its activity, its recordings, the event and one delivery for
 * each subscriber; all of it or nothing (R7). A call that was written already changes nothing (F-D7).
 */
export async function finishCall({ control }: Pools, call: FinishedCall): Promise<FinishCallResult> {
  return inTransaction(control, async (transaction) => {
    const earlier = await findByName(transaction, call)
    if (earlier !== undefined) return { outcome: 'already recorded', activity: earlier }
    const ended = call.attempt ? await endAttemptIn(transaction, call.attempt) : 'written'
    // An attempt may have been ended by itself before; the call that it was is still to be told.
    if (ended !== 'written' && ended !== 'already ended') return { outcome: 'refused', why: ended }
    const activity = await insertActivity(transaction, call)
    // The other of two writers of one call waited for the first at the name, and made nothing.
    if (activity === undefined) return { outcome: 'already recorded', activity: (await findByName(transaction, call))! }
    for (const { file, startedAtMs, endedAtMs } of call.recordings) {
      const text = 'insert into recordings (activity_id, file, started_at_ms, ended_at_ms) values ($1, $2, $3, $4)'
      await transaction.query(text, [activity, file, startedAtMs, endedAtMs])
    }
    await writeEvent(transaction, 'call.ended', call.corporation, activity, call.endedAtMs)
    return { outcome: 'recorded', activity }
  })
}

/** Puts an event and its deliveries into the outbox, within the transaction of the fact it is about. */
export async function writeEvent(
  transaction: Transaction,
  type: EventType,
  corporation: CorporationId,
  activity: ActivityId,
  atMs: AtMs,
): Promise<void> {
  await transaction.query(
    `with event as (
       insert into events (type, corporation_id, activity_id, created_at_ms) values ($1, $2, $3, $4) returning id
     )
     insert into deliveries (event_id, subscription_id, due_at_ms)
     select event.id, s.id, $4 from event cross join webhook_subscriptions s
      where s.corporation_id = $2 and s.active and $1 = any(s.event_types)`,
    [type, corporation, activity, atMs],
  )
}

const INSERT = `
insert into call_activities (id, call, corporation_id, direction, caller, called, created_at_ms, ringing_at_ms,
  answered_at_ms, ended_at_ms, talk_ms, wait_ms, result, agent, external_system_id, external_case_number, attempt_id,
  hangup_cause)
values (coalesce($1, nextval('activity_ids')), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
  $18)
on conflict (call) do nothing
returning id`

async function insertActivity(transaction: Transaction, call: FinishedCall): Promise<ActivityId | undefined> {
  assert(call.endedAtMs >= call.createdAtMs, 'a call does not end before it begins')
  const { rows } = await transaction.query(INSERT, [
    call.activity ?? null,
    call.call,
    call.corporation,
    call.direction,
    call.caller,
    call.called,
    call.createdAtMs,
    call.ringingAtMs ?? null,
    call.answeredAtMs ?? null,
    call.endedAtMs,
    call.talkMs,
    call.waitMs,
    call.result ?? null,
    call.agent ?? null,
    call.externalSystem ?? null,
    call.externalCaseNumber ?? null,
    call.attempt?.attempt ?? null,
    call.hangupCause ?? null,
  ])
  return (rows[0] as { id: ActivityId } | undefined)?.id
}

async function findByName(transaction: Transaction, { call }: FinishedCall): Promise<ActivityId | undefined> {
  const { rows } = await transaction.query('select id from call_activities where call = $1', [call])
  return (rows[0] as { id: ActivityId } | undefined)?.id
}
