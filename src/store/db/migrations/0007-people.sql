-- People and teams of the set-up, credentials as they are used, and answers kept for requests that come twice.

alter table teams
  add column title text,
  add column active boolean not null default true;
update teams set title = name;
alter table teams alter column title set not null;

-- Mirrored from the set-up: goes with it.
alter table users add column is_of_setup boolean not null default false;
create index on users (corporation_id, user_name);

alter table credentials
  add column last_used_ip text,
  -- People's: every use moves the end, up to the last instant.
  add column idle_ms bigint,
  add column ends_at_ms bigint,
  add constraint credentials_slide check ((idle_ms is null) = (ends_at_ms is null));
create index on credentials (expires_at_ms);

alter table external_systems
  add column lookup jsonb,
  add column allowed_hosts text[] not null default '{}';

create unique index on property_fields (corporation_id, name);

-- Our choice: in the database and not in a folder, because all nodes need the same. It proves nothing by itself: it
-- only lets junk be refused without a look-up.
create table service_keys (
  name text primary key,
  value bytea not null
);

create table idempotency_keys (
  realm_control text not null,
  route text not null,
  key text not null,
  print bytea not null,
  -- Null while it is being carried out.
  answer bytea,
  runs_until_at_ms bigint not null,
  kept_until_at_ms bigint not null,
  primary key (realm_control, route, key)
);
create index on idempotency_keys (kept_until_at_ms);
