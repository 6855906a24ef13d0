import type { CallTaskId, CampaignId, CorporationId, ExternalSystemId } from '../../kernel/ids.ts'
import { type FinishedStatus, isFinished } from '../../ports/call-task.ts'
import type {
  ChangeCallTask,
  ChangeCallTaskResult,
  DialerRepository,
  NewCallTask,
} from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { notify } from '../db/notifications.ts'
import type { In } from '../db/port-methods.ts'
import { ask, inTransaction } from '../db/transaction.ts'
import { duplicateKey } from './import-call-tasks.ts'

/** Changes an open task under its lock. What rings or talks goes on with the permit of its attempt. */
export const changeCallTask = {
  async changeCallTask({ api }, command) {
    try {
      return await inTransaction(api, (transaction) => change(transaction, command))
    } catch (error) {
      if (isDuplicate(error)) return { outcome: 'refused', why: 'duplicate' }
      throw error
    }
  },
} satisfies Partial<In<DialerRepository>>

interface TaskRow {
  readonly id: CallTaskId
  readonly campaign: CampaignId
  readonly corporation: CorporationId
  readonly status: string
  readonly externalSystem: ExternalSystemId
  readonly externalCustomer: string | null
  readonly externalCaseNumber: string | null
  readonly validFromAtMs: number | null
  readonly validToAtMs: number | null
}

const LOCK = `
select id, campaign_id as campaign, corporation_id as corporation, status, external_system_id as "externalSystem",
  external_customer as "externalCustomer", external_case_number as "externalCaseNumber",
  valid_from_ms as "validFromAtMs", valid_to_ms as "validToAtMs"
  from call_tasks where id = $1 and corporation_id = any($2) for no key update`

async function change(transaction: Transaction, command: ChangeCallTask): Promise<ChangeCallTaskResult> {
  const { task: id, corporations, atMs } = command
  const { numbers, attemptsMax, intervalMs, priority, ...validity } = command.change
  const [task] = await ask<TaskRow>(transaction, LOCK, [id, corporations])
  if (!task) return { outcome: 'no such call task' }
  const status = task.status as FinishedStatus
  if (isFinished(status)) return { outcome: 'finished', status }
  const { validFromAtMs, validToAtMs } = { ...task, ...validity }
  if (validFromAtMs !== null && validToAtMs !== null && validToAtMs <= validFromAtMs) {
    return { outcome: 'validity is empty' }
  }
  const callable = numbers && (await withoutStopped(transaction, task, numbers))
  const isWhole = callable?.length === numbers?.length
  if (callable && !isWhole && (command.stoppedNumbers === 'reject' || callable.length === 0)) {
    return { outcome: 'refused', why: 'numberStopped' }
  }
  if (callable) await replaceNumbers(transaction, id, callable)
  const isInCall = task.status === 'dialing' || task.status === 'inCall'
  const values = [id, attemptsMax ?? null, intervalMs ?? null, priority ?? null, validFromAtMs, validToAtMs]
  const isDueAnew = [numbers, attemptsMax, intervalMs, ...Object.values(validity)].some((value) => value !== undefined)
  await transaction.query(CHANGE, [...values, callable ? keyOf(task, callable) : null, atMs, isInCall, isDueAnew])
  await notify(transaction, 'tasks')
  return { outcome: 'changed', isInCall }
}

/** The gate looks at the task at once and puts it off by its rules. A follower waits for the interval of the first. */
const CHANGE = `
update call_tasks
   set attempts_max = coalesce($2, attempts_max), interval_ms = coalesce($3, interval_ms),
       priority = coalesce($4, priority), valid_from_ms = $5, valid_to_ms = $6,
       duplicate_key = coalesce($7, duplicate_key), updated_at_ms = $8,
       changed_in_call = changed_in_call or $9 and $10,
       waits_for = case when not $10 then waits_for end,
       next_call_at_ms = case when next_call_at_ms is null or not $10 then next_call_at_ms
         when follows_task_id is not null and attempts_made = 0 then greatest(next_call_at_ms, $5)
         else greatest($8::bigint, $5, callback_at_ms) end
 where id = $1`

const REPLACE = `
with gone as (delete from call_task_numbers where task_id = $1 and position >= jsonb_array_length($2::jsonb))
insert into call_task_numbers (task_id, position, given, number)
select $1, n.place - 1, n.value->>'given', n.value->>'number'
  from jsonb_array_elements($2::jsonb) with ordinality as n(value, place)
on conflict (task_id, position) do update set given = excluded.given, number = excluded.number`

async function replaceNumbers(transaction: Transaction, task: CallTaskId, numbers: NewCallTask['numbers']) {
  await transaction.query(REPLACE, [task, JSON.stringify(numbers)])
}

async function withoutStopped(
  transaction: Transaction,
  { corporation }: TaskRow,
  numbers: NewCallTask['numbers'],
): Promise<NewCallTask['numbers']> {
  const text = 'select number from stopped_numbers where corporation_id = $1 and number = any($2)'
  const stopped = await ask<{ number: string }>(transaction, text, [corporation, numbers.map(({ number }) => number)])
  return numbers.filter(({ number }) => !stopped.some((one) => one.number === number))
}

/** Without a customer and a case the numbers tell tasks apart. */
function keyOf(
  { externalSystem, externalCustomer, externalCaseNumber }: TaskRow,
  numbers: NewCallTask['numbers'],
): string | null {
  if (externalCustomer !== null || externalCaseNumber !== null) return null
  return duplicateKey({ numbers }, externalSystem)
}

function isDuplicate(error: unknown): boolean {
  return (error as { readonly constraint?: unknown } | undefined)?.constraint === 'call_tasks_no_duplicate'
}
