import type { AtMs } from '../../kernel/clock.ts'
import type { AgentName, CallTaskId, PhoneNumber } from '../../kernel/ids.ts'
import {
  type Claim,
  type ClaimMoment,
  type DueTask,
  type EarlierAttempt,
  TOUCHES_MAX,
  type Touch,
  type Verdict,
} from '../../ports/attempt.ts'
import { ChosenCallees } from '../../ports/chosen-callees.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, type Prepared, query } from '../db/transaction.ts'
import { isNumberStopped } from './stop-lists.ts'

/** What to look for, and what to ask about each task that is found. */
type Look = Pick<Claim, 'campaign' | 'atMs' | 'dialedSinceAtMs' | 'only' | 'agent' | 'kept' | 'decide'> & {
  readonly first?: Claim['first'] | undefined
  /** No more than so many may be dialed. */
  readonly tasksMax: number
}

/** A locked task and the gate's verdict. */
export interface DecidedTask {
  readonly task: DueTask
  readonly verdict: Verdict
}

/** Our choice: the maximum for one request. Tasks that may not be dialed yet do not hide others for long. */
const LOOKED_AT_MAX = 100
/** Rows of each further read, if the first one was not enough. */
const FURTHER_ROWS = 25

/** Callbacks first, then by priority, then the longest due by both clocks. Tasks of other claims are skipped. */
export async function judgeDueTasks(transaction: Transaction, look: Look, moment: ClaimMoment): Promise<DecidedTask[]> {
  const judged: DecidedTask[] = []
  const chosen = new ChosenCallees()
  let roomLeft = look.tasksMax
  let { first } = look
  for (let rowsMax = roomLeft; roomLeft > 0 && judged.length < LOOKED_AT_MAX; rowsMax = FURTHER_ROWS) {
    const seen = judged.map(({ task }) => task.id)
    const found = await lockDueTasks(transaction, { ...look, first }, moment, rowsMax, seen)
    for (const task of found) {
      if (roomLeft === 0) break
      const verdict = chosen.has(task) ? ({ verdict: 'leave' } as const) : look.decide(task, moment)
      judged.push({ task, verdict })
      chosen.add(task, verdict)
      if (verdict.verdict === 'leaveAll') return judged
      if (verdict.verdict === 'dial') roomLeft--
    }
    if (found.length === rowsMax) continue
    if (first === undefined || look.only !== undefined) break
    // No more of the kind that comes first: any of the others.
    first = undefined
  }
  return judged
}

/** Tasks as a claim would see them, whatever their status, and not locked: for attempts that another engine began. */
export const dueTasks = {
  async describeTasks({ control }, ids, dialedSinceAtMs) {
    return (await query<DueRow>(control, DESCRIBE, [ids, dialedSinceAtMs])).map(dueTaskOf)
  },
} satisfies Partial<In<DialerRepository>>

async function lockDueTasks(
  transaction: Transaction,
  { campaign, atMs, dialedSinceAtMs, first, only, agent, kept }: Look,
  { databaseAtMs }: ClaimMoment,
  rowsMax: number,
  seen: readonly CallTaskId[],
): Promise<DueTask[]> {
  const dueAtMs = Math.min(atMs, databaseAtMs)
  const rows =
    only === undefined
      ? ask<DueRow>(transaction, DUE[first ?? 'any'], [
          campaign,
          dueAtMs,
          dialedSinceAtMs,
          rowsMax,
          seen,
          agent ?? null,
          kept?.agents ?? [],
          kept?.sinceAtMs ?? 0,
        ])
      : ask<DueRow>(transaction, ONLY, [campaign, only, dialedSinceAtMs, agent ?? null])
  return (await rows).map(dueTaskOf)
}

/** The carrier was down and no phone rang (campaigns-43): every other attempt with this end counts. */
const IS_SPARED = `(a.reach = 'sent' and a.result in ('failed', 'noAnswer') and not a.counts)`
/** Of `attempts a`: it counts for the gate. */
export const WAS_PLACED = `a.reach is distinct from 'nothing' and ${IS_SPARED} is not true`

/** What the gate needs of a placed call, from `attempts a`; $3 is where the window begins (INV-D11). */
const TOUCH = `a.id, a.task_id, a.campaign_id, a.number, a.claimed_at_ms, a.ended_at_ms, a.reach, a.result,
  a.permit->>'callerId' as caller_id`
const IN_WINDOW = `a.corporation_id = d.corporation_id and a.claimed_at_ms >= $3 - d.interval_ms
                and ${WAS_PLACED} order by a.claimed_at_ms desc limit ${TOUCHES_MAX}`

/** What a person called a machine is a machine, and counts (D-12). */
const SEEN_RESULT = `case when a.result is null then 'inProgress' when c.attempt_id is not null then 'voicemail'
                 else a.result end`

/** When the network last said that number `n` does not exist, unless a phone rang there since (campaigns-36). */
export const deadSince = (task: 'd' | 't') => `(
  select a.ended_at_ms from attempts a
   where a.number = n.number and a.corporation_id = ${task}.corporation_id and a.result = 'invalidNumber'
     and not exists (select from attempts b
       where b.number = n.number and b.corporation_id = ${task}.corporation_id
         and b.id > a.id and b.reach in ('rang', 'answered'))
   order by a.ended_at_ms desc limit 1)`

const NOT_CORRECTED = (of: 'a' | 'b') => `not exists (select from attempt_corrections c where c.attempt_id = ${of}.id)`

/** When an attempt at the person, or at a number of the task, last ended with this result. */
const lastEnd = (result: 'answered' | 'dropped', also = '') => `greatest(
    (select a.ended_at_ms from attempts a
      where a.person_key = d.person_key and a.corporation_id = d.corporation_id and a.result = '${result}'
        and ${NOT_CORRECTED('a')} ${also}
      order by a.ended_at_ms desc limit 1),
    (select max(e.ended_at_ms) from unnest(own.listed) as m(number) cross join lateral (
       select a.ended_at_ms from attempts a
        where a.number = m.number and a.corporation_id = d.corporation_id and a.result = '${result}'
          and ${NOT_CORRECTED('a')} ${also}
        order by a.ended_at_ms desc limit 1) e))`

const talkAfterDrop = (whose: string) => `select from attempts b
   where ${whose} and b.corporation_id = a.corporation_id and b.result = 'answered'
     and b.ended_at_ms > a.ended_at_ms and ${NOT_CORRECTED('b')}`

/** Nobody talked to whom attempt \`a\` dropped: neither this person nor somebody at this number (campaigns-84). */
const STILL_DROPPED = `and not exists (${talkAfterDrop('b.number = a.number')})
        and not exists (${talkAfterDrop('b.person_key = a.person_key')})
        and not exists (select from call_activities i
          where i.caller = any(case when a.person_key = d.person_key then own.callers
                                    else array[a.number, substr(a.number, 2), '00' || substr(a.number, 2)] end)
            and i.direction = 'in' and i.agent is not null and i.corporation_id = a.corporation_id
            and i.ended_at_ms > a.ended_at_ms)`

/** When a call in from a number of the person last ended: our lines serve every corporation (campaigns-72). */
const lastCallIn = (also: string) => `(select max(e.ended_at_ms) from unnest(own.callers) as m(number)
    cross join lateral (select i.ended_at_ms from call_activities i
      where i.caller = m.number and i.direction = 'in' ${also}
      order by i.ended_at_ms desc limit 1) e)`

/** Rows of `d`, which are call tasks, with all that the gate needs to know. */
const FACTS = `
select d.id, d.corporation_id as corporation, d.campaign_id as campaign, d.status, d.receiver_name as "receiverName",
  d.external_system_id as "externalSystem", d.external_customer as "externalCustomer",
  d.external_case_number as "externalCaseNumber", d.person_key as person, d.attempts_max as "attemptsMax",
  d.valid_from_ms as "validFromAtMs", d.valid_to_ms as "validToAtMs",
  d.interval_ms as "intervalMs", d.callback_at_ms as "callbackAtMs", d.callback_by as "callbackBy",
  d.callback_asked_by_contact as "isAskedByContact", d.callback_number as "callbackNumber",
  d.callback_promised_at_ms as "promisedAtMs", d.closed_at_ms is not null as "isClosed",
  exists (select from stopped_persons s
           where s.corporation_id = d.corporation_id and s.person_key = d.person_key offset 0) as "isPersonStopped",
  (select jsonb_agg(jsonb_build_object('number', n.number, 'position', n.position,
            'stopped', ${isNumberStopped('n.number', 'd.corporation_id')},
            'deadSinceAtMs', ${deadSince('d')})
           order by n.position)
     from call_task_numbers n where n.task_id = d.id) as numbers,
  (select jsonb_agg(jsonb_build_object('id', a.id, 'number', a.number, 'reach', coalesce(a.reach, 'answered'),
            'claimedAtMs', a.claimed_at_ms, 'endedAtMs', a.ended_at_ms, 'isSpared', ${IS_SPARED},
            'result', ${SEEN_RESULT})
           order by a.claimed_at_ms, a.id)
     from attempts a left join attempt_corrections c on c.attempt_id = a.id where a.task_id = d.id) as attempts,
  (select jsonb_agg(jsonb_build_object('id', a.id, 'task', a.task_id, 'campaign', a.campaign_id, 'number', a.number,
            'reach', coalesce(a.reach, 'answered'), 'claimedAtMs', a.claimed_at_ms, 'endedAtMs', a.ended_at_ms,
            'result', ${SEEN_RESULT}, 'externalCaseNumber', t.external_case_number, 'callerId', a.caller_id)
           order by a.claimed_at_ms desc, a.id desc)
     from (
       (select ${TOUCH} from attempts a where a.person_key = d.person_key and ${IN_WINDOW})
       union
       -- A number may have been corrected since, and not every person has a customer number (campaigns-114).
       (select ${TOUCH} from attempts a where a.task_id = d.id and ${IN_WINDOW})
       union
       select m.* from unnest(own.listed) as l(number)
         cross join lateral (select ${TOUCH} from attempts a where a.number = l.number and ${IN_WINDOW}) m
       order by claimed_at_ms desc, id desc limit ${TOUCHES_MAX}
     ) a
     join call_tasks t on t.id = a.task_id
     left join attempt_corrections c on c.attempt_id = a.id) as touches,
  -- A caller who talked to an agent has talked to us as well.
  greatest(${lastEnd('answered')},
    ${lastCallIn('and i.agent is not null and i.corporation_id = d.corporation_id')}) as "lastTalkAtMs",
  ${lastEnd('dropped', STILL_DROPPED)} as "lastDropAtMs",
  exists (select from open_calls o where o.caller = any(own.callers) offset 0) as "isOnOurLine",
  -- The call in which a place in the queue was kept asks for a callback, not for quiet.
  ${lastCallIn('and not exists (select from queue_places p where p.task_id = d.id and p.call = i.call)')}
    as "lastCalledInAtMs",
  jsonb_build_object(
    'ofTask', (select count(*) from attempts a where a.task_id = d.id and a.ended_at_ms is null),
    'ofNumber', (select count(*) from call_task_numbers n join attempts a on a.number = n.number
                  where n.task_id = d.id and a.ended_at_ms is null),
    'ofContact', (select count(*) from attempts a
                   where a.person_key = d.person_key and a.holds_person and a.lane = 0)) as "inFlight"`

/** The numbers of a task, and of all tasks of its person, as networks send them. */
export const callersOf = (task: 'd' | 't') => `
  select f.form as number
    from (select n.number from call_task_numbers n where n.task_id = ${task}.id
          union
          select n.number from call_tasks o join call_task_numbers n on n.task_id = o.id
           where o.person_key = ${task}.person_key and o.corporation_id = ${task}.corporation_id) n
    cross join lateral (values (n.number), (substr(n.number, 2)), ('00' || substr(n.number, 2))) f(form)`

/** `listed`: the numbers of task `d`. `callers`: those from which its person may call. */
const OWN = `
cross join lateral (
  select array(select n.number from call_task_numbers n where n.task_id = d.id) as listed,
    array(${callersOf('d')}) as callers
) own`

/** A number or person being dialed blocks no other task (INV-D3). `offset 0`: a join would ask for the whole table. */
const FREE = `
  t.campaign_id = $1 and t.id <> all($5::bigint[])
     and (select c.active from campaigns c where c.id = $1)
     and not exists (select from attempts a
                      where a.person_key = t.person_key and a.holds_person and a.lane = 0 offset 0)
     and not exists (select from call_task_numbers n join attempts a on a.number = n.number and a.ended_at_ms is null
                      where n.task_id = t.id offset 0)`

/** A waiting task of campaign $1: the next lower priority after this one, or the highest. */
const nextPriority = (kind: string, below: string) => `(
  select t.priority from call_tasks t where t.campaign_id = $1 and ${kind} ${below}
   order by t.priority desc limit 1)`

/** A callback that is for everybody, for the agent who asks, or for an agent who is away or had their minutes. */
const NOT_KEPT = `(t.callback_by is null or t.callback_by = $6::text or t.callback_by <> all($7::text[])
  or t.callback_at_ms <= $8::bigint)`

/** Nobody but the agent who typed a number has it dialed; a callback was promised (campaigns-113). */
export const NOT_TYPED = 'not t.is_typed'

/**
 * Callbacks come first, by their own index, without those that are kept for another agent (campaigns-47). The others
 * are asked for one priority after the other (campaigns-64), so tasks that are not due cost nothing.
 */
const dueTasksOf = (name: string, kind: string): Prepared => ({
  name,
  text: `
with recursive priorities (priority) as (
  select ${nextPriority(kind, '')}
  union all
  select ${nextPriority(kind, 'and t.priority < p.priority')} from priorities p where p.priority is not null
), promised as materialized (
  select t.* from call_tasks t
   where ${FREE} and t.next_call_at_ms <= $2 and t.status = 'callback' and ${NOT_KEPT}
   order by t.next_call_at_ms, t.id limit $4
     for no key update of t skip locked
), others as materialized (
  -- A limit that is reached asks, and locks, no lower priority.
  select one.* from (select priority from priorities where priority is not null order by priority desc) p
    cross join lateral (
      select t.* from call_tasks t
       where ${FREE} and t.priority = p.priority and t.next_call_at_ms <= $2 and ${kind}
       order by t.next_call_at_ms, t.id limit $4
         for no key update of t skip locked
    ) one
   limit greatest($4 - (select count(*) from promised), 0)
), put_off as materialized (
  -- The campaign has changed since the gate put these tasks off (campaigns-39).
  select t.* from call_tasks t
   where ${FREE} and t.waits_for is not null and t.status in ('new', 'waiting', 'callback')
     and t.put_off_version < (select c.settings_version from campaigns c where c.id = $1)
     and t.next_call_at_ms > $2 and (case t.status when 'callback' then ${NOT_KEPT} else ${NOT_TYPED} end)
   order by t.put_off_version, t.id limit ${FURTHER_ROWS}
     for no key update of t skip locked
), d as (
  select 0 as turn, * from promised union all select 1, * from others union all select 2, * from put_off
)
${FACTS} from d ${OWN} order by d.turn, case d.turn when 1 then -d.priority end, d.next_call_at_ms, d.id`,
})

/** All due tasks, or the callbacks and those of one kind (campaigns-69), each by its own index. */
const DUE = {
  any: dueTasksOf('due-tasks', `t.status in ('new', 'waiting') and ${NOT_TYPED}`),
  new: dueTasksOf('due-new-tasks', `t.status = 'new' and ${NOT_TYPED}`),
  waiting: dueTasksOf('due-waiting-tasks', `t.status = 'waiting' and ${NOT_TYPED}`),
} as const

/** By hand: any open task, also if it is not due or is reserved for the agent. The gate gives reasons for refusals. */
const ONLY: Prepared = {
  name: 'only-task',
  text: `
with d as materialized (
  select t.* from call_tasks t
   where t.campaign_id = $1 and t.id = $2 and (select c.active from campaigns c where c.id = $1)
     and (t.status in ('new', 'waiting', 'callback')
          or t.status = 'reserved' and t.reserved_by = coalesce($4::text, t.reserved_by))
     for no key update of t skip locked
)
${FACTS} from d ${OWN}`,
}

const DESCRIBE: Prepared = {
  name: 'describe-tasks',
  text: `${FACTS.replaceAll('$3', '$2')} from call_tasks d ${OWN} where d.id = any($1::bigint[]) order by d.id`,
}

function dueTaskOf(row: DueRow): DueTask {
  const { callbackAtMs, callbackBy, isAskedByContact, callbackNumber, promisedAtMs, ...others } = row
  const { numbers, attempts, touches, ...rest } = others
  const task = withoutNulls(rest) as Omit<DueTask, 'numbers' | 'attempts' | 'touches' | 'callback'>
  return {
    ...task,
    numbers: (numbers ?? []).map((number) => withoutNulls(number) as DueTask['numbers'][number]),
    attempts: (attempts ?? []).map(({ isSpared, ...attempt }) => {
      return { ...attempt, endedAtMs: attempt.endedAtMs ?? undefined, ...(isSpared && { isSpared }) }
    }),
    touches: (touches ?? []).map((touch) => {
      return { ...(withoutNulls(touch) as Touch), endedAtMs: touch.endedAtMs ?? undefined }
    }),
    ...(callbackAtMs !== null && {
      callback: {
        atMs: callbackAtMs,
        askedByContact: isAskedByContact,
        ...(callbackBy === null ? {} : { agent: callbackBy }),
        ...(callbackNumber === null ? {} : { number: callbackNumber }),
        ...(promisedAtMs === null ? {} : { promisedAtMs }),
      },
    }),
  }
}

/** What the database does not know is absent. */
function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

type Nulls<Row> = { readonly [Field in keyof Row]: Row[Field] | null }

type DueRow = Nulls<Omit<DueTask, 'numbers' | 'attempts' | 'touches' | 'callback'>> & {
  readonly numbers: readonly Nulls<DueTask['numbers'][number]>[] | null
  readonly attempts: readonly (EarlierAttempt & { readonly endedAtMs: number | null | undefined })[] | null
  readonly touches: readonly Nulls<Touch>[] | null
  readonly callbackAtMs: number | null
  readonly callbackBy: AgentName | null
  readonly isAskedByContact: boolean
  readonly callbackNumber: PhoneNumber | null
  readonly promisedAtMs: AtMs | null
}
