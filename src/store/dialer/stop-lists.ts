import type { DialerRepository } from '../../ports/dialer-repository.ts'
import type { In } from '../db/port-methods.ts'
import { query } from '../db/transaction.ts'
import { personKey } from './import-call-tasks.ts'

/** The stop of a person protects the numbers that their tasks have (campaigns-33). */
export const isNumberStopped = (number: string, corporation: string) => `(
  exists (select from stopped_numbers s where s.number = ${number} and s.corporation_id = ${corporation} offset 0)
  or exists (select from call_task_numbers theirs join call_tasks of on of.id = theirs.task_id
               join stopped_persons s on s.corporation_id = of.corporation_id and s.person_key = of.person_key
              where theirs.number = ${number} and of.corporation_id = ${corporation} offset 0))`

const IS_NUMBER_STOPPED = `select ${isNumberStopped('$2', '$1')} as is`
const IS_PERSON_STOPPED = `select exists (
  select from stopped_persons where corporation_id = $1 and person_key = $2) as is`

export const stopLists = {
  /** Whether the number or person is on the stop list. The claim asks for itself. */
  async isStopped({ api }, corporation, stop) {
    const [text, key] =
      stop.kind === 'number'
        ? [IS_NUMBER_STOPPED, stop.number]
        : [IS_PERSON_STOPPED, personKey(stop.externalSystem, stop.externalCustomer)]
    return (await query<{ is: boolean }>(api, text, [corporation, key]))[0]!.is
  },
} satisfies Partial<In<DialerRepository>>
