-- How badly a call was heard in the browser of an agent: the worst of what its page has reported.
create table call_sound (
  -- As call_activities names it; reports come before that row.
  call text not null,
  agent text not null,
  loss_percent real,
  round_trip_ms integer,
  -- Nothing came from the other side, or from the agent.
  silent_in boolean not null default false,
  silent_out boolean not null default false,
  first_at_ms bigint not null,
  last_at_ms bigint not null,
  primary key (call, agent)
);
