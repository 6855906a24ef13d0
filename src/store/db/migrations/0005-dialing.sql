-- State of a dialing campaign besides its call tasks and attempts.

-- A repeated import request gets the same answer, byte for byte: `json` keeps the text, `jsonb` does not.
alter table imports alter column result type json using result::json;

alter table campaigns add column team_name text;

alter table call_tasks
  -- The agent who previews it before dialing, and the fence of the node's lease.
  add column reserved_by text,
  add column reserved_fence bigint,
  add column callback_by text,
  add column callback_asked_by_contact boolean not null default false,
  -- The finished task that this one continues (INV-O3).
  add column follows_task_id bigint references call_tasks,
  add constraint call_tasks_reserved check ((status = 'reserved') = (reserved_by is not null and
    reserved_fence is not null));

alter table attempts
  add column reach text check (reach in ('nothing', 'sent', 'rang', 'answered')),
  -- What allowed the call, and by which rules.
  add column permit jsonb,
  -- The agent for whom the call was placed; "agent" is the one who talked.
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

-- One row for all engines.
create table dial_state (
  is_the_only_row boolean primary key default true check (is_the_only_row),
  kill_switch boolean not null default false,
  kill_switch_by text,
  kill_switch_at_ms bigint,
  -- Time never runs backwards here (F-G2).
  latest_seen_at_ms bigint not null default 0
);
insert into dial_state default values;

-- Agents who are logged in at a node. Their rows outlive its leases; an older lease never overwrites a newer one.
create table seats (
  node text not null,
  agent text not null,
  leg text not null,
  bridge text not null,
  saved jsonb not null,
  fence bigint not null,
  primary key (node, agent)
);

-- Inbound calls in progress. After a crash, the next engine reports the calls that are left here (INV-O5).
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

-- An agent may give feedback during the call, before the activity exists.
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
  -- Feedback that a client repeats after a lost answer is stored once.
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
-- When a number was dialed; for tasks without a person key.
create index on attempts (number, claimed_at_ms);
-- When a person last talked to us.
create index on attempts (person_key, ended_at_ms) where result = 'answered';
-- For the ledgers, which count answered calls.
create index on attempts (campaign_id, answered_at_ms) where answered_at_ms is not null;
-- An inbound call with an agent counts as a conversation too.
create index on call_activities (caller, ended_at_ms) where direction = 'in' and agent is not null;
