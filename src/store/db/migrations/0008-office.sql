-- What REST needs of the dialer's tables and engines do not: large imports, notes on stop lists, files of recordings.

-- A piece of a large import is an import of its own; its id begins with the id of the whole.
alter table imports add column whole_id text generated always as (split_part(id, '#', 1)) stored;
create index on imports (whole_id);

create table import_jobs (
  id text primary key,
  corporation_id bigint not null references corporations,
  campaign_id bigint not null references campaigns,
  external_system_id bigint not null references external_systems,
  attempts_max integer not null,
  interval_ms bigint not null,
  submitted integer not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  imported integer not null default 0,
  failed integer not null default 0,
  why text,
  created_at_ms bigint not null,
  started_at_ms bigint,
  finished_at_ms bigint,
  check ((finished_at_ms is null) = (status in ('queued', 'running')))
);
create index on import_jobs (corporation_id, created_at_ms);
create index import_jobs_open on import_jobs (created_at_ms, id) where finished_at_ms is null;
create index import_jobs_age on import_jobs (finished_at_ms);

create table import_pieces (
  import_id text not null references import_jobs on delete cascade,
  first_index integer not null,
  -- As submitted; removed when the piece is settled.
  call_tasks text,
  -- A worker has claimed it; the other workers ignore it until then.
  claimed_until_ms bigint,
  faults jsonb,
  settled_at_ms bigint,
  primary key (import_id, first_index)
);
create index import_pieces_open on import_pieces (import_id, first_index) where settled_at_ms is null;

alter table stopped_numbers add column added_by text, add column reason text;
alter table stopped_persons add column added_by text, add column reason text;

-- One number space for all stored files; recordings are the first.
create sequence file_ids;
alter table recordings add column file_id bigint not null unique default nextval('file_ids');

-- The confirmation that lifts the kill switch; only the newest is valid.
alter table dial_state
  add column lift_credential text,
  add column lift_token_sha256 bytea,
  add column lift_until_ms bigint;

create index on call_tasks (assigned_user_id) where assigned_user_id is not null;
create index on feedback (feedback_type);
