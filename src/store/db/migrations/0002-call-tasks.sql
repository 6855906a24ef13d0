-- Call tasks, attempts and the right to dial. The partial unique indexes are the last line of defence: even with a bug
-- in the engine, no person is dialed twice at once (INV-D3) and no case is listed twice (D-07, 201).

create table imports (
  id text primary key,
  campaign_id bigint not null references campaigns,
  result jsonb,
  created_at_ms bigint not null
);

create table call_tasks (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  campaign_id bigint not null references campaigns,
  external_system_id bigint references external_systems,
  import_id text references imports,
  import_index integer,
  receiver_name text not null,
  external_customer text,
  external_case_number text,
  -- Two unfinished tasks of one campaign never share it.
  duplicate_key text not null,
  -- The person across campaigns; null if the customer has no customer number.
  person_key text,
  attempts_max integer not null check (attempts_max between 1 and 100),
  interval_ms bigint not null check (interval_ms >= 0),
  attempts_counted integer not null default 0,
  attempts_made integer not null default 0,
  status text not null default 'new' check (status in (
    'new', 'reserved', 'dialing', 'inCall', 'waiting', 'callback', 'answered', 'maxAttempts', 'endedBySystem',
    'endedByUser', 'stopped', 'expired', 'noCallableNumber')),
  answered boolean not null default false,
  assigned_user_id bigint references users,
  next_call_at_ms bigint,
  callback_at_ms bigint,
  last_call_at_ms bigint,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  finished_at_ms bigint,
  finish_reason text,
  unique (import_id, import_index),
  check ((finished_at_ms is null) = (status in ('new', 'reserved', 'dialing', 'inCall', 'waiting', 'callback')))
);
create unique index call_tasks_no_duplicate on call_tasks (campaign_id, duplicate_key) where finished_at_ms is null;
create index call_tasks_due on call_tasks (campaign_id, next_call_at_ms, id)
  where status in ('new', 'waiting', 'callback');
create index on call_tasks (external_case_number);
create index on call_tasks (external_customer);
create index on call_tasks (corporation_id, id);
create index on call_tasks (campaign_id, id);

create table call_task_numbers (
  task_id bigint not null references call_tasks on delete cascade,
  position integer not null,
  given text not null,
  number text not null,
  primary key (task_id, position)
);
create index on call_task_numbers (number);

create table call_task_properties (
  task_id bigint not null references call_tasks on delete cascade,
  position integer not null,
  field_id bigint not null references property_fields,
  value text not null,
  primary key (task_id, position)
);

create table stopped_numbers (
  corporation_id bigint not null references corporations,
  number text not null,
  created_at_ms bigint not null,
  primary key (corporation_id, number)
);

create table stopped_persons (
  corporation_id bigint not null references corporations,
  person_key text not null,
  created_at_ms bigint not null,
  primary key (corporation_id, person_key)
);

-- Always grows, even if the transaction is rolled back: the newest lease has the largest number.
create sequence fences;

create table node_leases (
  node text primary key,
  fence bigint not null unique,
  expires_at timestamptz not null
);

-- Calls and cases are activities: one number space.
create sequence activity_ids;

create table attempts (
  id bigint generated always as identity primary key,
  task_id bigint not null references call_tasks,
  campaign_id bigint not null references campaigns,
  corporation_id bigint not null references corporations,
  activity_id bigint not null unique default nextval('activity_ids'),
  attempt_number integer not null,
  number text not null,
  person_key text,
  -- 0, or more for further numbers of the same task that are dialed at the same time.
  lane integer not null default 0,
  leg text generated always as ('sb-att-' || id::text) stored,
  fence bigint not null,
  claimed_at_ms bigint not null,
  dialed_at_ms bigint,
  ringing_at_ms bigint,
  answered_at_ms bigint,
  connected_at_ms bigint,
  ended_at_ms bigint,
  -- Until the last of the numbers dialed together has ended.
  holds_person boolean not null default true,
  result text check (result in ('answered', 'noAnswer', 'busy', 'rejected', 'voicemail', 'dropped', 'lost', 'failed',
    'invalidNumber', 'cancelled', 'blocked', 'unknown')),
  counts boolean,
  agent text,
  sip_status integer,
  hangup_cause integer,
  check ((ended_at_ms is null) = (result is null))
);
create unique index attempts_one_per_number on attempts (number) where ended_at_ms is null;
create unique index attempts_one_per_task on attempts (task_id) where holds_person and lane = 0;
create unique index attempts_one_per_person on attempts (person_key) where holds_person and lane = 0;
create index attempts_open on attempts (fence) where ended_at_ms is null;
create index on attempts (task_id);
create index on attempts (person_key, claimed_at_ms);
