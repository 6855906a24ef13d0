-- Validity and priority of call tasks, and changes that wait for the end of a call.

set local statement_timeout = 0;

alter table call_tasks
  -- The task is dialed from here on, and finished as expired from there on; null: no limit.
  add column valid_from_ms bigint,
  add column valid_to_ms bigint,
  add column priority smallint not null default 0,
  -- It was changed while a line of it was up: the gate decides afresh when the line has ended.
  add column changed_in_call boolean not null default false;

-- For the sweep, which looks at nothing that stays valid.
create index call_tasks_expiry on call_tasks (valid_to_ms) where finished_at_ms is null and valid_to_ms is not null;
