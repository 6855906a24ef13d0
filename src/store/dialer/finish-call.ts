import { assert } from '../../kernel/assert.ts'
import type { ActivityId, ExternalSystemId } from '../../kernel/ids.ts'
import type { DialerRepository, FinishCallResult, FinishedCall } from '../../ports/dialer-repository.ts'
import { CALL_OWNER } from '../contacts/call-owner.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction, type Prepared } from '../db/transaction.ts'
import { writeEvent } from '../webhooks/write-event.ts'
import { amendCall } from './amend-call.ts'
import { END, type EndedAttempt, endText, goOn, type LockedAttempt, lockedAttempt } from './end-attempt.ts'
import { tellOutcomes } from './feedback.ts'
import { callText, givenCall, HAS_RECORDING, recordingsOf, settledBefore } from './finished-call-text.ts'

/** End of the attempt, activity, recordings, event, deliveries: all or nothing (R7). Again changes nothing (F-D7). */
export const finishCall = {
  async finishCall({ control }, call) {
    assert(call.endedAtMs >= call.createdAtMs, 'a call does not end before it begins')
    return inTransaction(control, async (transaction) => {
      const row = call.attempt && (await lockedAttempt(transaction, call.attempt.attempt))
      const refused = refusalOf(call, row)
      if (refused !== undefined) {
        const earlier = await findEarlier(transaction, call)
        return earlier === undefined ? { outcome: 'refused', why: refused } : recorded(earlier)
      }
      const told = asTalk(call, row)
      // The attempt may have ended before; its call is still to be recorded.
      const written = await write(transaction, told, row?.isOver === false)
      // Another transaction wrote the call before, or while this one waited for its name.
      const activity = written.activity ?? (await findEarlier(transaction, call))
      assert(activity !== undefined, `call ${call.call} is in nobody's way`)
      if (wasSettledWithout(call, row, written)) await amendCall(transaction, activity, call)
      if (written.activity === null) return recorded(activity)
      await tellEnd(transaction, told, written)
      return { outcome: 'recorded', activity }
    })
  },
} satisfies Partial<In<DialerRepository>>

/**
 * A lost attempt is nobody's business any more, but for what its node saw (campaigns-123): that somebody answered, or
 * how the call ended that another node has settled.
 */
function refusalOf({ attempt }: FinishedCall, row: LockedAttempt | undefined) {
  if (!attempt) return undefined
  if (!row) return 'no such attempt'
  return row.fence === attempt.fence || row.isOver || attempt.reach === 'answered' ? undefined : 'fenced off'
}

/** By another node. A call that came in has no fence: who saw its end had it. */
function wasSettledWithout({ attempt, hungUpBy }: FinishedCall, row: LockedAttempt | undefined, { activity }: Written) {
  if (!attempt) return activity === null && hungUpBy !== undefined
  return row?.isOver === true && row.fence !== attempt.fence
}

/** Who settles an attempt may have read it before the node that lost it told of a talk (`noteTalk`). */
function asTalk(call: FinishedCall, row: LockedAttempt | undefined): FinishedCall {
  const { attempt, endedAtMs } = call
  if (attempt?.result !== 'unknown' || row?.isOver !== false || row.connectedAtMs === null) return call
  const { connectedAtMs: answeredAtMs, agent } = row
  const talked = { result: 'answered', answeredAtMs, ...(agent !== null && { agent }) } as const
  const end = { ...attempt, ...talked, reach: 'answered', next: { status: 'answered' } } as const
  return { ...call, ...talked, talkMs: Math.max(0, endedAtMs - answeredAtMs), attempt: end }
}

async function tellEnd(transaction: Transaction, call: FinishedCall, written: Recorded): Promise<void> {
  const { externalSystem, activity } = written
  await goOn(transaction, written.task === null ? undefined : written, call.endedAtMs)
  await writeEvent(transaction, {
    eventName: call.eventName,
    type: 'phone-call.ended',
    corporation: call.corporation,
    activity,
    atMs: call.endedAtMs,
    ...(externalSystem === null ? {} : { externalSystem }),
  })
  if (call.agent !== undefined) await tellOutcomes(transaction, activity)
}

/**
 * The node whose journal has the call: where the caller came in, or whose lease dialed it. The lease is gone where the
 * node was started anew meanwhile, or another one took its calls over: then it is not known.
 */
const SERVED_BY = `coalesce((select o.node from open_calls o where o.call = g.call),
    (select l.node from attempts t join node_leases l on l.fence = (t.permit ->> 'fence')::bigint
      where t.id = g.attempt))`

/** The parts of a statement that write the call of a JSON text. If a call of its name exists, nothing is written. */
const activityOf = (text: '$1' | '$2') => `
${givenCall(text)}, activity as (
  insert into call_activities (id, call, leg, corporation_id, direction, caller, called, created_at_ms, ringing_at_ms,
    answered_at_ms, ended_at_ms, talk_ms, wait_ms, result, agent, external_system_id, external_case_number,
    attempt_id, hangup_cause, hung_up_by, team, transfers, extension_id, campaign_id, has_recording, node)
  select coalesce(g.activity, (select o.activity_id from open_calls o where o.call = g.call), nextval('activity_ids')),
    g.call, g.leg, g.corporation, g.direction, g.caller, g.called,
    g.created_at_ms, g.ringing_at_ms, g.answered_at_ms, g.ended_at_ms, g.talk_ms, g.wait_ms, g.result, g.agent,
    g.external_system, g.external_case_number, g.attempt, g.hangup_cause, g.hung_up_by, g.team,
    coalesce(g.transfers, '[]'), ${CALL_OWNER}, (select t.campaign_id from attempts t where t.id = g.attempt),
    ${HAS_RECORDING}, ${SERVED_BY}
    from given_call g
   where not exists (select from call_activities s
     where ${settledBefore('g.leg', 'g.caller', 'g.called', 'g.ended_at_ms')} and s.call <> g.call)
  on conflict (call) do nothing
  returning id, external_system_id
), recorded as (
  ${recordingsOf('activity')}
), counted as (
  insert into flow_ended_calls (traffic)
  select g.traffic from activity cross join given_call g where g.traffic is not null
), is_open_no_more as (
  delete from open_calls o using given_call g where o.call = g.call
)`

const ACTIVITY = `select (select id from activity) as activity,
  (select external_system_id from activity) as "externalSystem"`

const ALONE: Prepared = {
  name: 'finish-call',
  text: `with ${activityOf('$1')} ${ACTIVITY}, null as task`,
}

const WITH_ATTEMPT: Prepared = {
  name: 'finish-call-and-attempt',
  text: `with ${END}, ${activityOf('$2')} ${ACTIVITY}, e.* from ended_attempt e`,
}

type Recorded = { readonly activity: ActivityId; readonly externalSystem: ExternalSystemId | null } & (
  | EndedAttempt
  | { readonly task: null }
)
type Written = Recorded | { readonly activity: null }

async function write(transaction: Transaction, call: FinishedCall, endsAttempt: boolean): Promise<Written> {
  const end = endsAttempt && call.attempt ? endText(call.attempt) : undefined
  const values = end === undefined ? [callText(call)] : [end, callText(call)]
  const [written] = await ask<Written>(transaction, end === undefined ? ALONE : WITH_ATTEMPT, values)
  // Both statements return one row, whatever they found.
  return written!
}

const EARLIER = `
select s.id from call_activities s where s.call = $1 or ${settledBefore('$2::text', '$3', '$4', '$5::bigint')}
 order by s.call = $1 desc limit 1`

function recorded(activity: ActivityId): FinishCallResult {
  return { outcome: 'already recorded', activity }
}

async function findEarlier(transaction: Transaction, given: FinishedCall): Promise<ActivityId | undefined> {
  const { call, leg, caller, called, endedAtMs } = given
  const [row] = await ask<{ id: ActivityId }>(transaction, EARLIER, [call, leg ?? null, caller, called, endedAtMs])
  return row?.id
}
