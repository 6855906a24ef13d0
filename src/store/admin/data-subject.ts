import type { CorporationId } from '../../kernel/ids.ts'
import type { DataSubject, NotOne, PersonNamed } from '../../ports/privacy.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'
import { personKey } from '../dialer/import-call-tasks.ts'
import { mailOf, noticesOf } from './data-subject-mail.ts'
import type { PersonalKind } from './personal-data.ts'

/** All identifiers of a person in one corporation. */
export interface KnownPerson {
  readonly outcome: 'found'
  readonly corporation: CorporationId
  readonly keys: readonly string[]
  /** Numbers of no other person. */
  readonly numbers: readonly string[]
  readonly extensions: readonly number[]
  readonly contacts: readonly number[]
  /** Email addresses; only if the request named the person by one. */
  readonly addresses: readonly string[]
}

/** Ids of all records of a person. */
export type PersonThings = Readonly<Record<PersonalKind, readonly number[]>>

/** Persons named by anything but an email address. */
type Contacted = Exclude<PersonNamed, { readonly by: 'email' }>

/** Finds the named person. A number is enough if only one person has it. */
export async function findPerson(transaction: Transaction, subject: DataSubject): Promise<KnownPerson | NotOne> {
  const { corporation, person } = subject
  if (person.by === 'email') {
    const { address } = person
    return { outcome: 'found', corporation, keys: [], numbers: [], extensions: [], contacts: [], addresses: [address] }
  }
  const named = await idsOf(transaction, CONTACTS[person.by], [corporation, ...valuesOf(person)])
  const given =
    person.by === 'customer'
      ? [personKey(person.externalSystem, person.externalCustomer)].filter((key) => key !== undefined)
      : person.by === 'number'
        ? await textsOf(transaction, KEYS_OF_NUMBER, [corporation, person.number])
        : []
  const contacts = [...new Set([...named, ...(await idsOf(transaction, CONTACTS_OF_KEYS, [corporation, given]))])]
  const owned = await textsOf(transaction, KEYS_OF_CONTACTS, [corporation, contacts])
  const others = given.filter((key) => !owned.includes(key))
  if (contacts.length + others.length > 1) return { outcome: 'several' }
  const keys = [...owned, ...others]
  const all = await textsOf(transaction, NUMBERS, [corporation, contacts, keys])
  const shared = new Set(await textsOf(transaction, SHARED, [corporation, contacts, keys, all]))
  const own = all.filter((number) => !shared.has(number))
  const numbers = [...new Set(person.by === 'number' ? [...own, person.number] : own)]
  const extensions = await idsOf(transaction, EXTENSIONS, [contacts])
  return { outcome: 'found', corporation, keys, numbers, extensions, contacts, addresses: [] }
}

/** All records of the person, without those that also belong to another contact. */
export async function thingsOf(transaction: Transaction, person: KnownPerson): Promise<PersonThings> {
  const { corporation, keys, numbers, extensions, contacts, addresses } = person
  const tasks = await idsOf(transaction, TASKS, [corporation, keys, numbers])
  const ofExtensions = await idsOf(transaction, ACTIVITIES, [corporation, extensions])
  const named = [...ofExtensions, ...(await mailOf(transaction, corporation, addresses))]
  const calls = new Set(await idsOf(transaction, CALLS, [corporation, tasks, numbers, extensions]))
  for (const call of await idsOf(transaction, PUT_CALLS, [corporation, named, keys, contacts])) calls.add(call)
  const notices = await noticesOf(transaction, corporation, named, addresses)
  return { calls: [...calls], activities: [...named, ...notices], tasks, contacts }
}

function valuesOf(person: Contacted): readonly unknown[] {
  switch (person.by) {
    case 'extension':
      return [person.extension]
    case 'contact':
      return [person.contact]
    case 'customer':
      return [person.externalSystem, person.externalCustomer]
    case 'number':
      return [person.number]
  }
}

async function idsOf(transaction: Transaction, text: string, values: readonly unknown[]): Promise<number[]> {
  return (await ask<{ id: number }>(transaction, text, values)).map(({ id }) => id)
}

async function textsOf(transaction: Transaction, text: string, values: readonly unknown[]): Promise<string[]> {
  return (await ask<{ text: string }>(transaction, text, values)).map((row) => row.text)
}

const CONTACTS: Readonly<Record<Contacted['by'], string>> = {
  extension: 'select entity_id as id from entity_extensions where corporation_id = $1 and id = $2',
  contact: 'select id from entities where corporation_id = $1 and id = $2',
  customer: `select entity_id as id from entity_extensions
    where corporation_id = $1 and external_system_id = $2 and external_customer = $3`,
  number: `select distinct e.id from entities e join entity_numbers n on n.entity_id = e.id
    where e.corporation_id = $1 and n.number = $2 order by 1`,
}

const EXTENSIONS = 'select id from entity_extensions where entity_id = any($1) order by id'

const CONTACTS_OF_KEYS = `
select entity_id as id from entity_extensions
 where corporation_id = $1 and external_system_id || ':' || external_customer = any($2)`

const KEYS_OF_CONTACTS = `
select external_system_id || ':' || external_customer as text from entity_extensions
 where corporation_id = $1 and entity_id = any($2) and external_system_id is not null`

const KEYS_OF_NUMBER = `
select distinct t.person_key as text from call_tasks t join call_task_numbers n on n.task_id = t.id
 where t.corporation_id = $1 and n.number = $2 and t.person_key is not null`

const NUMBERS = `
select n.number as text from entity_numbers n join entities e on e.id = n.entity_id
 where e.corporation_id = $1 and n.entity_id = any($2) and n.number is not null
union
select n.number from call_tasks t join call_task_numbers n on n.task_id = t.id
 where t.corporation_id = $1 and t.person_key = any($3)`

/** Those of the numbers that another contact or customer also has. */
const SHARED = `
select n.number as text from entity_numbers n join entities e on e.id = n.entity_id
 where e.corporation_id = $1 and n.number = any($4) and e.id <> all($2)
union
select n.number from call_tasks t join call_task_numbers n on n.task_id = t.id
 where t.corporation_id = $1 and n.number = any($4) and t.person_key is not null and t.person_key <> all($3)`

const TASKS = `
select t.id from call_tasks t
 where t.corporation_id = $1 and (t.person_key = any($2) or (t.person_key is null and t.erased_at_ms is null
   and t.id in (select n.task_id from call_task_numbers n where n.number = any($3)))) order by t.id`

const CALLS = `
select c.id from call_activities c
 where c.corporation_id = $1 and (c.attempt_id in (select a.id from attempts a where a.task_id = any($2))
   or c.extension_id = any($4)
   or c.direction = 'in' and c.caller = any($3) or c.direction = 'out' and c.called = any($3)) order by c.id`

/** For activities `a`: they belong to no other contact. */
const IS_ALONE = `(a.extension_id is null or a.extension_id = any($2)) and not exists (select from activity_members m
  where m.activity_id = a.id and m.role = 20 and m.extension_id <> all($2))`

/**
 * Their activities, and those that hang from them: linked ones, parts of cases, and merges both ways. Nothing is
 * followed beyond what another contact has, nor into a case that a case of another contact was merged into.
 */
const ACTIVITIES = `
with recursive collected (id) as (
  select c.merged_into_id from cases c join activities a on a.id = c.activity_id
   where c.corporation_id = $1 and c.merged_into_id is not null and not (${IS_ALONE})
  union
  select c.merged_into_id from collected join cases c on c.activity_id = collected.id
   where c.merged_into_id is not null
), theirs (id) as (
  select a.id from activities a where a.corporation_id = $1 and ${IS_ALONE} and (a.extension_id = any($2)
    or a.id in (select m.activity_id from activity_members m where m.role = 20 and m.extension_id = any($2)))
  union
  select a.id from theirs cross join lateral (
    select l.from_id as id from activity_links l where l.to_id = theirs.id
    union all
    select c.activity_id from cases c where c.merged_into_id = theirs.id
    union all
    select c.merged_into_id from cases c where c.activity_id = theirs.id
      and c.merged_into_id not in (select id from collected)
  ) next join activities a on a.id = next.id and a.corporation_id = $1
   where ${IS_ALONE}
)
select id from theirs order by id`

/** Calls that somebody put into one of the cases, unless they are of another contact or customer. */
const PUT_CALLS = `
select c.id from activity_links l join call_activities c on c.id = l.from_id
 where l.to_id = any($2) and l.type = 14 and c.corporation_id = $1 and c.extension_id is null
   and not exists (select from attempts a where a.id = c.attempt_id and a.person_key <> all($3))
   and not exists (select from entity_numbers n join entities e on e.id = n.entity_id
     where n.number = case c.direction when 'in' then c.caller else c.called end
       and e.corporation_id = $1 and e.id <> all($4))
 order by c.id`
