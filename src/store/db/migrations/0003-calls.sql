-- Calls that are over, and what was recorded of them.

create table call_activities (
  id bigint primary key default nextval('activity_ids'),
  -- Our own name of the call, chosen before it began: writing it twice is noticed.
  call text not null unique,
  corporation_id bigint not null references corporations,
  direction text not null check (direction in ('in', 'out')),
  caller text not null,
  called text not null,
  created_at_ms bigint not null,
  ringing_at_ms bigint,
  answered_at_ms bigint,
  ended_at_ms bigint not null,
  talk_ms bigint not null,
  wait_ms bigint not null,
  result text,
  agent text,
  external_system_id bigint references external_systems,
  external_case_number text,
  attempt_id bigint unique references attempts,
  hangup_cause integer
);
create index on call_activities (external_case_number);
create index on call_activities (corporation_id, id);

create table recordings (
  id bigint generated always as identity primary key,
  activity_id bigint not null references call_activities,
  file text not null,
  started_at_ms bigint not null,
  ended_at_ms bigint not null
);
create index on recordings (activity_id);
