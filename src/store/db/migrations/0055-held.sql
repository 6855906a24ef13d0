-- What legal holds keep besides what they name (audit-and-privacy-18).

-- From a held case or person down: linked activities, emails of conversations, parts of cases, and merges both ways.
-- Ended memberships count too. Holds of whole corporations are not listed.
-- A function: the estimated cost of the recursion would have the server compile each statement, for seconds.
create function held_activities() returns table (hold_id bigint, activity_id bigint)
language sql stable rows 1000 set jit = off as $$
with recursive held (hold_id, activity_id) as (
  select hold_id, activity_id from (
    select id as hold_id, case_id as activity_id from legal_holds where case_id is not null
    union all
    select h.id, a.id from legal_holds h join activities a on a.extension_id = any(h.extension_ids)
    union all
    select h.id, m.activity_id from legal_holds h join activity_members m on m.extension_id = any(h.extension_ids)
  ) named
  union
  select held.hold_id, next.id from held cross join lateral (
    select from_id as id from activity_links where to_id = held.activity_id
    union all
    select merged_into_id from cases where activity_id = held.activity_id and merged_into_id is not null
    union all
    select activity_id from cases where merged_into_id = held.activity_id
  ) next
)
select hold_id, activity_id from held
$$;

create index on activity_members (extension_id) where extension_id is not null;
