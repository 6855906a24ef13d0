-- A campaign with a mix claims one kind of its tasks first: its index does not pass through those of the other kind.

set local statement_timeout = 0;

create index call_tasks_new on call_tasks (campaign_id, priority desc, next_call_at_ms, id) where status = 'new';
create index call_tasks_retries on call_tasks (campaign_id, priority desc, next_call_at_ms, id)
  where status = 'waiting';
