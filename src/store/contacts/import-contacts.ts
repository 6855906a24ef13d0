import type { CorporationId, PhoneNumber } from '../../kernel/ids.ts'
import type { Import, NewCallTask } from '../../ports/dialer-repository.ts'
import type { Transaction } from '../db/connection.ts'
import { ask, type Prepared } from '../db/transaction.ts'
import { CALLS_OF_CUSTOMER } from './call-owner.ts'

/** Law of the house: everything has a limit. Further numbers are dialed, and stay off the contact. */
const NUMBERS_MAX = 100

/**
 * Makes or adopts the contacts of call tasks that were imported (cases-13): two statements, however many tasks. Locks
 * the corporation, as saving a contact and erasing a person do; runs last, so that others wait for it alone.
 */
export async function importContacts(
  transaction: Transaction,
  { campaign, externalSystem, atMs }: Import,
  imported: readonly NewCallTask[],
): Promise<void> {
  const contacts = contactsOf(imported)
  if (contacts.length === 0) return
  const [locked] = await ask<{ corporation: CorporationId }>(transaction, LOCK, [campaign, externalSystem])
  if (!locked) return
  await ask(transaction, SAVE, [JSON.stringify(contacts), locked.corporation, externalSystem, atMs])
}

interface ImportedContact {
  readonly place: number
  readonly customer: string
  readonly name: string
  readonly language: string | undefined
  readonly numbers: { readonly given: string; readonly number: PhoneNumber }[]
}

/** One of each customer, by the first of their call tasks, with the numbers of all. */
function contactsOf(tasks: readonly NewCallTask[]): readonly ImportedContact[] {
  const contacts = new Map<string, ImportedContact>()
  for (const task of tasks) {
    const {
      index,
      externalCustomer: customer,
      receiverName,
      contactName: name = receiverName,
      language,
      numbers,
    } = task
    if (customer === undefined) continue
    const known = contacts.get(customer)
    if (known) known.numbers.push(...numbers)
    else contacts.set(customer, { place: index, customer, name, language, numbers: [...numbers] })
  }
  return [...contacts.values()]
}

/** No row where the external system belongs to another corporation. */
const LOCK: Prepared = {
  name: 'lock-contacts-of-campaign',
  text: `select k.id as corporation from campaigns c join corporations k on k.id = c.corporation_id
     join external_systems s on s.id = $2 and s.corporation_id = k.id
    where c.id = $1 for no key update of k`,
}

/** The stop list is read again under the lock: a person who was erased meanwhile does not come back. */
const SAVE: Prepared = {
  name: 'import-contacts',
  text: `
with given as materialized (
  select g.* from jsonb_to_recordset($1::jsonb)
    as g(place integer, customer text, name text, language text, numbers jsonb)
   where not exists (select from stopped_persons p
     where p.corporation_id = $2 and p.person_key = $3::bigint || ':' || g.customer)
), known as materialized (
  select x.entity_id, g.place, g.numbers, g.language from given g
    join entity_extensions x on x.external_system_id = $3 and x.external_customer = g.customer
), fresh as materialized (
  select nextval('entities_id_seq') as entity_id, f.* from (
    select g.*, row_number() over (order by g.place) as nth from given g
     where not exists (select from known k where k.place = g.place) order by g.place) f
), made as (
  insert into entities (id, corporation_id, kind, name, language, created_at_ms, updated_at_ms)
  overriding system value
  select entity_id, $2, 'private', name, language, $4, $4 from fresh
), counted as (
  insert into counters (corporation_id, name, value)
  select $2, 'customer', count(*) from fresh having count(*) > 0
  on conflict (corporation_id, name) do update set value = counters.value + excluded.value
  returning value - (select count(*) from fresh) as last_given
), extended as (
  insert into entity_extensions (corporation_id, entity_id, kind, sequence_number, external_system_id,
    external_customer)
  select $2, f.entity_id, 'customer', c.last_given + f.nth, $3, f.customer from fresh f cross join counted c
  returning id, external_customer
), adopted as (
  update call_activities c set extension_id = x.id
    from extended x cross join lateral (${CALLS_OF_CUSTOMER('$3', 'x.external_customer')} offset 0) a
   where c.attempt_id = a.id and c.extension_id is null
), held as materialized (
  select n.entity_id, max(n.position) as last from entity_numbers n
   where n.entity_id in (select k.entity_id from known k) group by n.entity_id
), wanted as (
  select distinct on (t.entity_id, n.value->>'number') t.entity_id, t.place, n.nth,
    n.value->>'given' as given, n.value->>'number' as number
    from (select entity_id, place, numbers from known union all select entity_id, place, numbers from fresh) t
    cross join jsonb_array_elements(t.numbers) with ordinality as n(value, nth)
   order by t.entity_id, n.value->>'number', t.place, n.nth
), added as materialized (
  select w.entity_id, w.given, w.number, coalesce(h.last, -1) + row_number() over (
    partition by w.entity_id order by w.place, w.nth) as position, h.last is null as is_first
    from wanted w left join held h using (entity_id)
   where not exists (select from entity_numbers o where o.entity_id = w.entity_id and o.number = w.number)
     and not exists (select from entity_removed_numbers r where r.entity_id = w.entity_id and r.number = w.number)
), changed as (
  update entities e set language = coalesce(e.language, k.language), updated_at_ms = greatest($4, e.updated_at_ms + 1)
    from (select entity_id, min(language) as language from known group by entity_id) k
   where e.id = k.entity_id and (e.language is null and k.language is not null
     or e.id in (select a.entity_id from added a where a.position < ${NUMBERS_MAX}))
)
insert into entity_numbers (entity_id, position, given, number, kind, is_primary)
select entity_id, position, given, number, 'other', is_first and position = 0 from added
 where position < ${NUMBERS_MAX}`,
}
