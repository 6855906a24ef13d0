-- When an activity is over, for retention (audit-and-privacy-19).

-- It and everything above it (its conversation, case, the case merged with, the whole of a part) is in a final status,
-- and neither they nor what is linked to them changed since.
create function activity_is_over(activity bigint, before_ms bigint) returns boolean
language sql stable set jit = off as $$
with recursive above (id) as (
  select activity
  union
  select next.id from above cross join lateral (
    select to_id as id from activity_links where from_id = above.id
    union all
    select merged_into_id from cases where activity_id = above.id and merged_into_id is not null
  ) next
)
select not exists (
  select from above join activities a on a.id = above.id left join cases c on c.activity_id = above.id
   where a.updated_at_ms >= before_ms
      or c.status not in (2, 4, 5, 6)
      or greatest(c.internal_updated_at_ms, c.external_updated_at_ms, c.ems_status_changed_at_ms, c.merged_at_ms)
         >= before_ms
      or exists (select from activity_links l join activities d on d.id = l.from_id
                  where l.to_id = above.id and d.updated_at_ms >= before_ms)
      or exists (select from activity_links l join call_activities d on d.id = l.from_id
                  where l.to_id = above.id and d.ended_at_ms >= before_ms))
$$;

-- What changed after its erasure is erased again.
drop index activities_to_erase;
create index activities_to_erase on activities (updated_at_ms)
 where erased_at_ms is null or updated_at_ms >= erased_at_ms;
