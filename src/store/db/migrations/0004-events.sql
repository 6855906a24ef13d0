-- The outbox: an event is committed together with its fact, and each delivery of an event has a row.

create table events (
  id bigint generated always as identity primary key,
  type text not null,
  corporation_id bigint not null references corporations,
  activity_id bigint not null,
  -- For records that change more than once, such as a summary.
  version integer not null default 1,
  created_at_ms bigint not null,
  unique (activity_id, type, version)
);

create table webhook_subscriptions (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  url text not null,
  secret text not null,
  event_types text[] not null,
  active boolean not null default true,
  created_at_ms bigint not null
);
create index on webhook_subscriptions (corporation_id) where active;

create table deliveries (
  id bigint generated always as identity primary key,
  event_id bigint not null references events,
  subscription_id bigint not null references webhook_subscriptions,
  tries integer not null default 0,
  due_at_ms bigint not null,
  -- A worker tries to deliver it; the other workers ignore it until then.
  claimed_until_ms bigint,
  outcome text check (outcome in ('delivered', 'given up')),
  settled_at_ms bigint,
  last_status integer,
  unique (event_id, subscription_id)
);
create index deliveries_due on deliveries (subscription_id, due_at_ms) where outcome is null;
