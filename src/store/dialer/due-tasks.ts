import type { AgentName, CallTaskId } from '../../kernel/ids.ts'
import type { Claim, ClaimMoment, DueTask, EarlierAttempt, Verdict } from '../../ports/attempt.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import type { In } from '../db/port-methods.ts'
import { ask, type Prepared, query } from '../db/transaction.ts'

/** What to look for, and what to ask about each task that is found. */
type Look = Pick<Claim, 'campaign' | 'atMs' | 'dialedSinceAtMs' | 'only' | 'agent' | 'decide'> & {
  /** No more than so many may be dialed. */
  readonly tasksMax: number
}

/** A task, locked, and what the gate said. */
export interface Judged {
  readonly task: DueTask
  readonly verdict: Verdict
}

/** Our choice: the maximum for one request, so that tasks which may not be dialed yet hide no others for long. */
const LOOKED_AT_MAX = 100
/** At a time, when the first ones were not enough. */
const FURTHER_ROWS = 25

/** Longest due first, by the database's clock too, until the gate passed enough. Tasks of other claims are skipped. */
export async function judgeDueTasks(transaction: Transaction, look: Look, moment: ClaimMoment): Promise<Judged[]> {
  const judged: Judged[] = []
  let roomLeft = look.tasksMax
  for (let rowsMax = roomLeft; roomLeft > 0 && judged.length < LOOKED_AT_MAX; rowsMax = FURTHER_ROWS) {
    const seen = judged.map(({ task }) => task.id)
    const found = await lockDueTasks(transaction, look, moment, rowsMax, seen)
    for (const task of found) {
      if (roomLeft === 0) break
      const verdict = look.decide(task, moment)
      judged.push({ task, verdict })
      if (verdict.verdict === 'dial') roomLeft--
    }
    if (found.length < rowsMax || look.only !== undefined) break
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
  { campaign, atMs, dialedSinceAtMs, only, agent }: Look,
  { databaseAtMs }: ClaimMoment,
  rowsMax: number,
  seen: readonly CallTaskId[],
): Promise<DueTask[]> {
  const dueAtMs = Math.min(atMs, databaseAtMs)
  const rows =
    only === undefined
      ? ask<DueRow>(transaction, DUE, [campaign, dueAtMs, dialedSinceAtMs, rowsMax, seen])
      : ask<DueRow>(transaction, ONLY, [campaign, only, dialedSinceAtMs, agent ?? null])
  return (await rows).map(dueTaskOf)
}

/** Rows of `d`, which are call tasks, with all that the gate needs to know; $3 is where the cap's window begins. */
const FACTS = `
select d.id, d.corporation_id as corporation, d.campaign_id as campaign, d.status, d.receiver_name as "receiverName",
  d.external_system_id as "externalSystem", d.external_customer as "externalCustomer",
  d.external_case_number as "externalCaseNumber", d.person_key as person, d.attempts_max as "attemptsMax",
  d.interval_ms as "intervalMs", d.callback_at_ms as "callbackAtMs", d.callback_by as "callbackBy",
  d.callback_asked_by_contact as "isAskedByContact",
  exists (select from stopped_persons s
           where s.corporation_id = d.corporation_id and s.person_key = d.person_key offset 0) as "isPersonStopped",
  (select jsonb_agg(jsonb_build_object('number', n.number, 'position', n.position, 'stopped', s.number is not null)
           order by n.position)
     from call_task_numbers n
     left join stopped_numbers s on s.number = n.number and s.corporation_id = d.corporation_id
    where n.task_id = d.id) as numbers,
  -- What a person of flesh and blood called a machine is one, and counts (D-12).
  (select jsonb_agg(jsonb_build_object('id', a.id, 'number', a.number, 'reach', coalesce(a.reach, 'answered'),
            'claimedAtMs', a.claimed_at_ms, 'endedAtMs', a.ended_at_ms, 'result',
            case when a.result is null then 'inProgress' when c.attempt_id is not null then 'voicemail'
                 else a.result end)
           order by a.claimed_at_ms, a.id)
     from attempts a left join attempt_corrections c on c.attempt_id = a.id where a.task_id = d.id) as attempts,
  case when d.person_key is not null
    then array(select a.claimed_at_ms from attempts a
                where a.person_key = d.person_key and a.claimed_at_ms >= $3 and a.reach is distinct from 'nothing'
                order by a.claimed_at_ms desc limit 100)
    -- Where nobody told who it is, only the numbers tell people apart.
    else array(select a.claimed_at_ms from call_task_numbers n join attempts a on a.number = n.number
                where n.task_id = d.id and a.claimed_at_ms >= $3 and a.reach is distinct from 'nothing'
                order by a.claimed_at_ms desc limit 100) end as "dialedAtMs",
  greatest(
    case when d.person_key is not null
      then (select a.ended_at_ms from attempts a
             where a.person_key = d.person_key and a.result = 'answered'
               and not exists (select from attempt_corrections c where c.attempt_id = a.id)
             order by a.ended_at_ms desc limit 1)
      else (select max(a.ended_at_ms) from call_task_numbers n join attempts a on a.number = n.number
             where n.task_id = d.id and a.result = 'answered'
               and not exists (select from attempt_corrections c where c.attempt_id = a.id)) end,
    -- Whoever called in from there and talked to an agent has talked to us as well.
    (select max(i.ended_at_ms) from call_task_numbers n join call_activities i on i.caller = n.number
      where n.task_id = d.id and i.direction = 'in' and i.agent is not null)) as "lastTalkAtMs",
  jsonb_build_object(
    'ofTask', (select count(*) from attempts a where a.task_id = d.id and a.ended_at_ms is null),
    'ofNumber', (select count(*) from call_task_numbers n join attempts a on a.number = n.number
                  where n.task_id = d.id and a.ended_at_ms is null),
    'ofContact', (select count(*) from attempts a
                   where a.person_key = d.person_key and a.holds_person and a.lane = 0)) as "inFlight"`

/** A number or person being dialed blocks no other task (INV-D3). `offset 0`: a join would ask for the whole table. */
const DUE: Prepared = {
  name: 'due-tasks',
  text: `
with d as materialized (
  select t.* from call_tasks t
   where t.campaign_id = $1 and t.status in ('new', 'waiting', 'callback') and t.next_call_at_ms <= $2
     and t.id <> all($5::bigint[])
     and (select c.active from campaigns c where c.id = $1)
     and not exists (select from attempts a
                      where a.person_key = t.person_key and a.holds_person and a.lane = 0 offset 0)
     and not exists (select from call_task_numbers n join attempts a on a.number = n.number and a.ended_at_ms is null
                      where n.task_id = t.id offset 0)
   order by t.next_call_at_ms, t.id limit $4
     for no key update of t skip locked
)
${FACTS} from d order by d.next_call_at_ms, d.id`,
}

/** By hand: also what is reserved for the agent who asks, and whatever stands in the way, so that they are told why. */
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
${FACTS} from d`,
}

const DESCRIBE: Prepared = {
  name: 'describe-tasks',
  text: `${FACTS.replaceAll('$3', '$2')} from call_tasks d where d.id = any($1::bigint[]) order by d.id`,
}

function dueTaskOf(row: DueRow): DueTask {
  const { externalSystem, externalCustomer, externalCaseNumber, person, lastTalkAtMs, ...rest } = row
  const { callbackAtMs, callbackBy, isAskedByContact, numbers, attempts, ...task } = rest
  const callback = callbackAtMs === null ? undefined : { atMs: callbackAtMs, askedByContact: isAskedByContact }
  return {
    ...task,
    numbers: numbers ?? [],
    attempts: (attempts ?? []).map((attempt) => ({ ...attempt, endedAtMs: attempt.endedAtMs ?? undefined })),
    ...(externalSystem === null ? {} : { externalSystem }),
    ...(externalCustomer === null ? {} : { externalCustomer }),
    ...(externalCaseNumber === null ? {} : { externalCaseNumber }),
    ...(person === null ? {} : { person }),
    ...(callback && { callback: callbackBy === null ? callback : { ...callback, agent: callbackBy } }),
    ...(lastTalkAtMs === null ? {} : { lastTalkAtMs }),
  }
}

/** Fields that a task need not have. */
type MaybeField = 'externalSystem' | 'externalCustomer' | 'externalCaseNumber' | 'person' | 'lastTalkAtMs'

type DueRow = Omit<DueTask, MaybeField | 'numbers' | 'attempts' | 'callback'> & {
  readonly [Field in MaybeField]: NonNullable<DueTask[Field]> | null
} & {
  readonly numbers: DueTask['numbers'] | null
  readonly attempts: readonly (EarlierAttempt & { readonly endedAtMs: number | null | undefined })[] | null
  readonly callbackAtMs: number | null
  readonly callbackBy: AgentName | null
  readonly isAskedByContact: boolean
}
