-- The outbox for webhook dispatchers and owners of subscriptions. The tables of 0004 are created anew: no released
-- version wrote to them, so there are no rows to keep.

drop table deliveries, webhook_subscriptions, events;

create table events (
  id bigint generated always as identity primary key,
  -- The id that receivers get.
  name text not null unique,
  type text not null,
  corporation_id bigint not null references corporations,
  -- Null if the event concerns no call.
  activity_id bigint,
  -- For records that change more than once, such as a summary.
  version integer,
  system_code text,
  at_ms bigint not null,
  -- The transaction that wrote it; it gives the order of the feed.
  tx xid8 not null default pg_current_xact_id()
);
-- INV-E1: one event of each kind of each fact.
create unique index events_once on events (activity_id, type, version) nulls not distinct
  where activity_id is not null;
create index events_feed on events (corporation_id, tx, id);
create index events_age on events (at_ms, id);

-- One row. A new number invalidates every earlier cursor.
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
  -- [{secret, untilAtMs?}], newest first.
  secrets jsonb not null,
  disabled_because text check (disabled_because in ('owner', 'gone', 'silent')),
  disabled_at_ms bigint,
  health jsonb,
  version bigint not null default 1,
  -- The lease of the dispatcher that serves it; without such a lease the subscription is free.
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
  -- When it is due; null after its end.
  next_at_ms bigint,
  why text not null,
  saved jsonb not null,
  -- The event's instant, for lists.
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
