-- Summaries of calls, and searchable contacts. The tables of contacts of 0001 are created anew: no version ever wrote
-- to them, so there are no rows to keep.

create table summaries (
  activity_id bigint primary key references call_activities,
  corporation_id bigint not null references corporations,
  state text not null check (state in ('pending', 'ready', 'failed')),
  -- 0 until the first text exists.
  version integer not null check (version >= 0),
  text text,
  language text,
  source text not null check (source in ('generated', 'edited')),
  edited_by bigint references users on delete set null,
  why text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- A summary that was ready once stays ready.
  check ((state = 'ready') = (version > 0)),
  check ((text is null) = (version = 0))
);

drop table entity_numbers, entity_extensions, entities;

create table entities (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  kind text not null check (kind in ('private', 'company')),
  name text not null,
  second_name text not null default '',
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);
create index on entities (corporation_id, id);

create table entity_extensions (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  entity_id bigint not null references entities on delete cascade,
  kind text not null check (kind in ('customer')),
  sequence_number bigint not null,
  external_system_id bigint references external_systems,
  external_customer text,
  unique (corporation_id, kind, sequence_number),
  -- A customer of an external system is one contact.
  unique (external_system_id, external_customer),
  check ((external_system_id is null) = (external_customer is null))
);
create index on entity_extensions (entity_id);

create table entity_numbers (
  entity_id bigint not null references entities on delete cascade,
  position integer not null,
  given text not null,
  -- E.164; null if the given text is not a phone number.
  number text,
  kind text not null check (kind in ('mobile', 'home', 'work', 'other')),
  is_primary boolean not null,
  primary key (entity_id, position)
);
create index on entity_numbers (number);
