-- Promised callbacks come first, and a task that was ended from outside is followed by nothing.

set local statement_timeout = 0;

alter table call_tasks
  -- Ended from outside, also after it was finished: from then on no task may follow it.
  add column closed_at_ms bigint,
  -- The number that was talked on, and the end of the talk in which the callback was promised.
  add column callback_number text,
  add column callback_promised_at_ms bigint;

-- The claim looks here before it looks at anything else that is due.
create index call_tasks_due_callbacks on call_tasks (campaign_id, next_call_at_ms, id) where status = 'callback';
create index call_tasks_callbacks on call_tasks (campaign_id, callback_at_ms, id)
  where callback_at_ms is not null and finished_at_ms is null;
