/** The records of a person named by an email address: contacts have no addresses. */

import type { CorporationId } from '../../kernel/ids.ts'
import type { Transaction } from '../db/connection.ts'
import { ask } from '../db/transaction.ts'

/**
 * Emails from them or to them alone, conversations of only such emails, and cases of only these without a contact; a
 * case that was merged is one where the other case is, or where it passed on nothing but these. Parts of such cases are
 * theirs unless something else is in them: the notice of an email to a dead case has its subject (email-28).
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

/**
 * Email `e` has the address `a`, and not as a part of a longer one (audit-and-privacy-33). The words are those that
 * search folds (cases-17), but accents count: `ånn` is not `ann`.
 */
const HAS_ADDRESS = String.raw`
  normalize(lower((coalesce(e.sender, '') || ' ' || e.sender_name || ' ' || e.body_text) collate "und-x-icu"))
    ~ ('(?<![[:alnum:]._%+-])' || regexp_replace(normalize(a), '([][\\.^$*+?(){}|])', '\\\1', 'g')
      || '(?![[:alnum:]-]|\.[[:alnum:]])')`

// Only folded words have an index.
const NOTICES = `
with notices as (
  select e.activity_id as id from emails e where e.corporation_id = $1 and e.automatic is not null
   and e.activity_id <> all($2) and (
     e.refs && array(select m.message_id from emails m
       where m.activity_id = any($2) and m.message_id not like 'erased:%')
     or exists (select from unnest($3::text[]) a where e.folded like folded_part(a) and ${HAS_ADDRESS}))
)
select id from notices
union
select l.to_id from notices join activity_links l on l.from_id = notices.id and l.type = 13
 where not exists (select from activity_links o where o.to_id = l.to_id and o.type = 13
   and o.from_id not in (select id from notices) and o.from_id <> all($2))
   and not exists (select from activity_links k where k.from_id = l.to_id and k.type = 14)
 order by 1`

/** For activities `a`. */
const IS_NOBODYS = `a.extension_id is null
   and not exists (select from activity_members m where m.activity_id = a.id and m.role = 20)`

/** That nothing but theirs is in a case; emails can be put into one by themselves (cases-30). */
const hasOnlyTheirs = (id: string) => `not exists (select from activity_links o where o.to_id = ${id} and o.type = 14
     and o.from_id not in (select id from put))`

const OF_ADDRESSES = `
with recursive mails as (
  select e.activity_id as id from emails e where e.corporation_id = $1
   and (e.sender = any($2::text[]) or e.parties && $2::text[] and e.parties <@ ($2::text[] || e.mailbox))
), talks as (
  select distinct l.to_id as id from mails join activity_links l on l.from_id = mails.id and l.type = 13
   where not exists (select from activity_links o where o.to_id = l.to_id and o.type = 13
     and o.from_id not in (select id from mails))
), put as (
  select id from mails union all select id from talks
), theirs as (
  select distinct l.to_id as id from put join activity_links l on l.from_id = put.id and l.type = 14
   where ${hasOnlyTheirs('l.to_id')}
), passed as (
  select distinct on (g.case_id) g.case_id as id, g.becomes->'links' as links
    from cases c join case_logs g on g.case_id = c.activity_id and g.what = 'moved'
   where c.corporation_id = $1 and c.merged_into_id is not null order by g.case_id, g.id desc
), taken (id) as (
  select id from theirs
  union
  select id from passed where links <> '[]'
   and not exists (select from jsonb_array_elements_text(links) l where l::bigint not in (select id from put))
  union
  select next.id from taken join activities a on a.id = taken.id cross join lateral (
    select c.activity_id as id from cases c where c.merged_into_id = a.id
    union all
    select l.from_id from activity_links l where l.to_id = a.id and l.type = 16 and ${IS_NOBODYS}
       and ${hasOnlyTheirs('l.from_id')}
  ) next
)
select a.id from activities a
 where a.id in (select id from put union select id from taken) and ${IS_NOBODYS}
 order by a.id`
