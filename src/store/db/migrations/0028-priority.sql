-- Tasks of a higher priority are claimed first: a claim asks for each priority, which this index finds at once.

set local statement_timeout = 0;

create index call_tasks_priority on call_tasks (campaign_id, priority desc, next_call_at_ms, id)
  where status in ('new', 'waiting');
