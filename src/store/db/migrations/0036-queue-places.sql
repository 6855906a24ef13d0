-- The places that callers keep in the queue of a campaign's team: the call task calls them back in their turn.
create table queue_places (
  task_id bigint primary key references call_tasks on delete cascade,
  -- The call in which the caller asked for it: no quiet time begins with its end.
  call text not null,
  priority integer not null,
  -- Since when the caller waits: the order of service.
  since_ms bigint not null
);
create index on queue_places (call);
