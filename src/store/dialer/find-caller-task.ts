import type { ExternalSystemId } from '../../kernel/ids.ts'
import type { MatchedTask } from '../../ports/call-task.ts'
import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { type Prepared, query } from '../db/transaction.ts'

/** Active tasks come first; among equals the task that was dialed or created most recently. */
const MATCH: Prepared = {
  name: 'match-caller',
  text: `
select t.id as task, t.campaign_id as campaign, t.corporation_id as corporation, t.receiver_name as "receiverName",
  t.finished_at_ms is not null as "isFinished", t.external_system_id as "externalSystem",
  t.external_customer as "externalCustomer", t.external_case_number as "externalCaseNumber",
  array(select a.id from attempts a
         where a.ended_at_ms is null and a.connected_at_ms is null and (a.task_id = t.id or a.number = $1)
         order by a.id) as ringing
  from call_task_numbers n join call_tasks t on t.id = n.task_id
 where n.number = $1 and t.corporation_id = $2
 order by t.finished_at_ms is not null, coalesce(t.last_call_at_ms, t.created_at_ms) desc, t.id desc limit 1`,
}

/** The corporation's call task with the caller's number. A caller can fake it: it proves nothing (F-F14). */
export const matchCaller = {
  async matchCaller({ control }, corporation, number) {
    const [row] = await query<MatchedRow>(control, MATCH, [number, corporation])
    if (!row) return undefined
    const { externalSystem, externalCustomer, externalCaseNumber, ...matched } = row
    return {
      ...matched,
      ...(externalSystem === null ? {} : { externalSystem }),
      ...(externalCustomer === null ? {} : { externalCustomer }),
      ...(externalCaseNumber === null ? {} : { externalCaseNumber }),
    }
  },
} satisfies Partial<In<DialerRepository>>

interface MatchedRow extends Omit<MatchedTask, 'externalSystem' | 'externalCustomer' | 'externalCaseNumber'> {
  readonly externalSystem: ExternalSystemId | null
  readonly externalCustomer: string | null
  readonly externalCaseNumber: string | null
}
