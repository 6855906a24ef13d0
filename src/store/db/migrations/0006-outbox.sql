-- The outbox as couriers and owners of subscriptions use it. The tables of 0004 are made anew: no version that wrote
-- into them was ever released, so there is nothing in them to be carried over.

drop table deliveries, webhook_subscriptions, events;

create table events (
  id bigint generated always as identity primary key,
  -- What receivers know it by.
  name text not null unique,
  type text not null,
  corporation_id bigint not null references corporations,
  -- Absent for what is about no call.
  activity_id bigint,
  -- Of what changes more than once, such as a summary.
  version integer,
  system_code text,
  at_ms bigint not null,
  -- The transaction that wrote it: what the feed is in the order of.
  tx xid8 not null default pg_current_xact_id()
);
-- INV-E1: one event of each kind of each fact.
create unique index events_once on events (activity_id, type, version) nulls not distinct
  where activity_id is not null;
create index events_feed on events (corporation_id, tx, id);
create index events_age on events (at_ms, id);

-- One row. A new number makes every cursor that was handed out before worthless.
create table feed_generation (generation bigint not null);
insert into feed_generation values (1);

create table courier_leases (
  courier text primary key,
  fence bigint not null unique,
  expires_at timestamptz not null
);

create table webhook_subscriptions (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  url text not null,
  description text not null default '',
  event_types text[] not null,
  system_codes text[] not null default '{}',
  -- [{secret, untilAtMs?}], the newest first.
  secrets jsonb not null,
  disabled_because text check (disabled_because in ('owner', 'gone', 'silent')),
  disabled_at_ms bigint,
  health jsonb,
  version bigint not null default 1,
  -- Who serves it; nobody when no lease has this fence any more.
  courier_fence bigint,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check ((disabled_because is null) = (disabled_at_ms is null))
);
create index on webhook_subscriptions (corporation_id);
create index on webhook_subscriptions (courier_fence);

create table deliveries (
  id bigint generated always as identity primary key,
  event_id bigint not null references events on delete cascade,
  subscription_id bigint not null references webhook_subscriptions on delete cascade,
  state text not null check (state in ('pending', 'waiting', 'delivered', 'dead', 'parked')),
  -- When it wants its turn; null when it is over.
  next_at_ms bigint,
  why text not null,
  saved jsonb not null,
  -- Of the event, to list by.
  at_ms bigint not null,
  unique (event_id, subscription_id),
  check ((next_at_ms is null) = (state in ('delivered', 'dead', 'parked')))
);
create index deliveries_due on deliveries (subscription_id, next_at_ms, id) where next_at_ms is not null;
create index deliveries_list on deliveries (subscription_id, at_ms, id);

create table delivery_attempts (
  delivery_id bigint not null references deliveries on delete cascade,
  at_ms bigint not null,
  took_ms bigint not null,
  outcome text not null,
  status integer,
  excerpt text not null,
  primary key (delivery_id, at_ms)
);
