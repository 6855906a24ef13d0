-- When records were anonymized, and the legal holds that forbid it.

-- Anonymized rows stay: limits and reports still count them.
alter table call_tasks add column erased_at_ms bigint;
alter table call_activities add column erased_at_ms bigint;
alter table activities add column erased_at_ms bigint;
alter table entities add column erased_at_ms bigint;

create index call_tasks_to_erase on call_tasks (finished_at_ms)
  where finished_at_ms is not null and erased_at_ms is null;
create index call_activities_to_erase on call_activities (ended_at_ms) where erased_at_ms is null;
create index activities_to_erase on activities (updated_at_ms) where erased_at_ms is null;
create index recordings_to_erase on recordings (ended_at_ms) where file <> '';
create index transcripts_to_erase on transcripts (created_at_ms);

-- Held records are never erased, neither on request nor by retention. All three empty: the whole corporation.
create table legal_holds (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  person_keys text[] not null default '{}',
  numbers text[] not null default '{}',
  extension_ids bigint[] not null default '{}',
  case_id bigint references cases,
  reason text not null,
  created_at_ms bigint not null
);
create index on legal_holds (corporation_id);
