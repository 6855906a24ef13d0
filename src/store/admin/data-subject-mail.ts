/** The records of a person named by an email address: contacts have no addresses. */

import type { CorporationId } from '../../kernel/ids.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/**
 * Emails from them or to them alone, conversations of only such emails, and cases of only these without a contact; a
 * case that was merged is one where the other case is, or where it passed on nothing but these.
 */
export async function mailOf(
  transaction: Transaction,
  corporation: CorporationId,
  addresses: readonly string[],
): Promise<number[]> {
  if (addresses.length === 0) return []
  return (await ask<{ id: number }>(transaction, OF_ADDRESSES, [corporation, addresses])).map(({ id }) => id)
}

/** Machines' reports about the emails of a person, and the conversations that consist of nothing else. */
export async function noticesOf(
  transaction: Transaction,
  corporation: CorporationId,
  activities: readonly number[],
  addresses: readonly string[],
): Promise<number[]> {
  return (await ask<{ id: number }>(transaction, NOTICES, [corporation, activities, addresses])).map(({ id }) => id)
}

const NOTICES = `
with notices as (
  select e.activity_id as id from emails e where e.corporation_id = $1 and e.automatic is not null
   and e.activity_id <> all($2) and (
     e.refs && array(select m.message_id from emails m
       where m.activity_id = any($2) and m.message_id not like 'erased:%')
     or exists (select from unnest($3::text[]) a where e.folded like folded_part(a)))
)
select id from notices
union
select l.to_id from notices join activity_links l on l.from_id = notices.id and l.type = 13
 where not exists (select from activity_links o where o.to_id = l.to_id and o.type = 13
   and o.from_id not in (select id from notices) and o.from_id <> all($2))
   and not exists (select from activity_links k where k.from_id = l.to_id and k.type = 14)
 order by 1`

const OF_ADDRESSES = `
with recursive mails as (
  select e.activity_id as id from emails e where e.corporation_id = $1
   and (e.sender = any($2::text[]) or e.parties && $2::text[] and e.parties <@ ($2::text[] || e.mailbox))
), talks as (
  select distinct l.to_id as id from mails join activity_links l on l.from_id = mails.id and l.type = 13
   where not exists (select from activity_links o where o.to_id = l.to_id and o.type = 13
     and o.from_id not in (select id from mails))
), theirs as (
  select distinct l.to_id as id from talks join activity_links l on l.from_id = talks.id and l.type = 14
   where not exists (select from activity_links o where o.to_id = l.to_id and o.type = 14
     and o.from_id not in (select id from talks))
), passed as (
  select distinct on (g.case_id) g.case_id as id, g.becomes->'links' as links
    from cases c join case_logs g on g.case_id = c.activity_id and g.what = 'moved'
   where c.corporation_id = $1 and c.merged_into_id is not null order by g.case_id, g.id desc
), merged (id) as (
  select c.activity_id from theirs join cases c on c.merged_into_id = theirs.id
  union
  select id from passed where links <> '[]'
   and not exists (select from jsonb_array_elements_text(links) l where l::bigint not in (select id from talks))
  union
  select c.activity_id from merged join cases c on c.merged_into_id = merged.id
)
select a.id from activities a
 where a.id in (select id from mails union select id from talks union select id from theirs
     union select id from merged)
   and a.extension_id is null
   and not exists (select from activity_members m where m.activity_id = a.id and m.role = 20)
 order by a.id`
