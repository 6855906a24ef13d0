-- Numbers that agents type are dialed once, by hand (campaigns-113).

alter table call_tasks
  -- Made for such a number: it ends with its call, and no claim takes it but that of the agent.
  add column is_typed boolean not null default false;

-- What a service that died has left open.
create index call_tasks_typed on call_tasks (updated_at_ms)
  where is_typed and status in ('new', 'waiting');
