-- What a campaign that dials has to remember beside its tasks and attempts.

-- An import that is asked for again is answered as it was, to the letter.
alter table imports alter column result type json using result::json;

alter table campaigns add column team_name text;

alter table call_tasks
  -- An agent looks at it before they dial; who, and by which lease.
  add column reserved_by text,
  add column reserved_fence bigint,
  add column callback_by text,
  add column callback_asked_by_contact boolean not null default false,
  -- The finished task that this one goes on with (INV-O3).
  add column follows_task_id bigint references call_tasks,
  add constraint call_tasks_reserved check ((status = 'reserved') = (reserved_by is not null and
    reserved_fence is not null));

alter table attempts
  add column reach text check (reach in ('nothing', 'sent', 'rang', 'answered')),
  -- What allowed the call, and by which rules.
  add column permit jsonb,
  -- For whom it was made; "agent" is who talked.
  add column made_for text,
  add column is_ring_cut_short boolean not null default false,
  add column wait_ms bigint,
  drop constraint attempts_result_check,
  add constraint attempts_result_check check (result in ('answered', 'noAnswer', 'busy', 'rejected', 'voicemail',
    'dropped', 'lost', 'failed', 'invalidNumber', 'cancelled', 'blocked', 'unknown', 'withdrawn'));

alter table call_activities
  add column hung_up_by text check (hung_up_by in ('caller', 'callee', 'agent', 'us')),
  add column team text;

alter table recordings
  add column state text not null default 'ready' check (state in ('ready', 'failed')),
  add column why text;

-- One row, for all engines together.
create table dial_state (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  kill_switch boolean not null default false,
  kill_switch_by text,
  kill_switch_at_ms bigint,
  -- Time never runs backwards here (F-G2).
  latest_seen_at_ms bigint not null default 0
);
insert into dial_state default values;

-- Agents who are logged in at a node. They outlive its leases; an older lease never overwrites a newer one's word.
create table seats (
  node text not null,
  agent text not null,
  leg text not null,
  bridge text not null,
  saved jsonb not null,
  fence bigint not null,
  primary key (node, agent)
);

-- Calls that came in and go on; what is left of an engine that crashed is told by the next one (INV-O5).
create table open_calls (
  call text primary key,
  node text not null,
  leg text not null,
  corporation_id bigint not null references corporations,
  caller text not null,
  called text not null,
  created_at_ms bigint not null
);
create index on open_calls (node);

-- May be given while the call goes on, so that there is no activity yet.
create table feedback (
  id bigint generated always as identity primary key,
  activity_id bigint not null,
  task_id bigint references call_tasks,
  campaign_id bigint references campaigns,
  person_key text,
  agent text not null,
  feedback_type text not null,
  is_final boolean not null,
  note text,
  created_at_ms bigint not null,
  -- The same words told twice, as after an answer that got lost, are kept once.
  unique (activity_id, agent, created_at_ms)
);
create index on feedback (campaign_id, person_key, created_at_ms) where is_final;
create index on feedback (task_id);

-- The attempt's own result stays (INV-O2).
create table attempt_corrections (
  attempt_id bigint primary key references attempts,
  result_before text,
  agent text not null,
  created_at_ms bigint not null
);

create index on call_tasks (reserved_fence) where status = 'reserved';
create index on call_tasks (follows_task_id) where follows_task_id is not null;
-- When a number was dialed: of tasks whose person has no name.
create index on attempts (number, claimed_at_ms);
-- When a person last talked to us.
create index on attempts (person_key, ended_at_ms) where result = 'answered';
-- The ledgers' question.
create index on attempts (campaign_id, answered_at_ms) where answered_at_ms is not null;
-- Whoever called in and talked to an agent has talked to us as well.
create index on call_activities (caller, ended_at_ms) where direction = 'in' and agent is not null;
