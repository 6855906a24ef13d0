-- Users and teams of the installation, use of credentials, and stored answers to repeated requests.

alter table teams
  add column title text,
  add column active boolean not null default true;
update teams set title = name;
alter table teams alter column title set not null;

-- Mirrors an agent of the installation: a user who is removed there is removed here.
alter table users add column is_of_setup boolean not null default false;
create index on users (corporation_id, user_name);

alter table credentials
  add column last_used_ip text,
  -- For users' sessions: every use moves the end, up to this instant.
  add column idle_ms bigint,
  add column ends_at_ms bigint,
  add constraint credentials_slide check ((idle_ms is null) = (ends_at_ms is null));
create index on credentials (expires_at_ms);

alter table external_systems
  add column lookup jsonb,
  add column allowed_hosts text[] not null default '{}';

create unique index on property_fields (corporation_id, name);

-- Our choice: in the database and not in a folder, because all nodes need the same key. It authenticates no client: it
-- only refuses junk without a query.
create table service_keys (
  name text primary key,
  value bytea not null
);

create table idempotency_keys (
  realm_control text not null,
  route text not null,
  key text not null,
  print bytea not null,
  -- Null while the request is in progress.
  answer bytea,
  runs_until_at_ms bigint not null,
  kept_until_at_ms bigint not null,
  primary key (realm_control, route, key)
);
create index on idempotency_keys (kept_until_at_ms);
