-- Cases, and the records of activities: links, members, tags, files, comments.

-- Every activity but calls, which have their own table; both take their ids from one sequence.
create table activities (
  id bigint primary key default nextval('activity_ids'),
  corporation_id bigint not null references corporations,
  kind text not null check (kind in ('email', 'case', 'conversation')),
  subject text not null,
  direction text check (direction in ('in', 'out')),
  extension_id bigint references entity_extensions,
  creator_id bigint references users on delete set null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  started_at_ms bigint,
  ended_at_ms bigint
);
create index on activities (corporation_id, id);
create index on activities (corporation_id, updated_at_ms) where kind = 'case';
create index on activities (extension_id, created_at_ms) where extension_id is not null;

alter table call_activities add column extension_id bigint references entity_extensions;
create index on call_activities (extension_id, created_at_ms) where extension_id is not null;

-- 13: email to its conversation. 14: conversation, or any other activity, to its case. 16: case to its parent case.
-- No foreign keys: an end may be a call.
create table activity_links (
  type smallint not null check (type in (13, 14, 16)),
  from_id bigint not null,
  to_id bigint not null,
  corporation_id bigint not null references corporations,
  created_at_ms bigint not null,
  primary key (from_id, type, to_id),
  check (from_id <> to_id)
);
create index on activity_links (to_id, type, from_id);
-- An email has one conversation, an activity one case, a case one parent.
create unique index on activity_links (from_id, type);

create table activity_members (
  id bigint generated always as identity primary key,
  activity_id bigint not null references activities,
  -- 1 assigned user, 2 follower, 20 contact.
  role smallint not null check (role in (1, 2, 20)),
  user_id bigint references users,
  extension_id bigint references entity_extensions,
  started_at_ms bigint not null,
  ended_at_ms bigint,
  check (case when role = 20 then user_id is null and extension_id is not null
              else user_id is not null and extension_id is null end),
  check (ended_at_ms >= started_at_ms)
);
create index on activity_members (activity_id);
create index on activity_members (user_id) where ended_at_ms is null;
create unique index on activity_members (activity_id, role) where ended_at_ms is null and role in (1, 20);
create unique index on activity_members (activity_id, user_id) where ended_at_ms is null and role = 2;

create table tags (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  name text not null,
  unique (corporation_id, name)
);
create table activity_tags (
  activity_id bigint not null references activities,
  tag_id bigint not null references tags,
  primary key (activity_id, tag_id)
);

-- Files of activities, in the number space of recordings. "storage" is the random name of the file with the bytes.
create table files (
  id bigint primary key default nextval('file_ids'),
  corporation_id bigint not null references corporations,
  activity_id bigint not null references activities,
  -- 1 inline image, 2 attachment, 3 upload to a case, 17 content of an email.
  kind smallint not null check (kind in (1, 2, 3, 17)),
  file_name text not null,
  mime_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  storage text not null unique,
  -- Content-ID of an inline image, without the brackets.
  content_id text,
  creator_id bigint references users on delete set null,
  created_at_ms bigint not null
);
create index on files (activity_id);

create table ems_statuses (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  name text not null,
  -- The contract's status whose rules apply (contract.md §3.1).
  status smallint not null check (status between 1 and 8),
  is_default boolean not null default false,
  active boolean not null default true,
  color text,
  sort_order integer not null default 0,
  unique (corporation_id, name),
  check (active or not is_default)
);
create unique index on ems_statuses (corporation_id, status) where is_default;

create table priorities (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  name text not null,
  level integer not null,
  is_default boolean not null default false,
  active boolean not null default true,
  color text,
  sort_order integer not null default 0,
  unique (corporation_id, name),
  check (active or not is_default)
);
create unique index on priorities (corporation_id) where is_default;

create table categories (
  id bigint generated always as identity primary key,
  corporation_id bigint not null references corporations,
  name text not null,
  parent_id bigint references categories,
  active boolean not null default true,
  sort_order integer not null default 0,
  unique nulls not distinct (corporation_id, parent_id, name)
);

create table cases (
  activity_id bigint primary key references activities,
  corporation_id bigint not null references corporations,
  -- Counts the cases of the corporation, without gaps.
  seq_no bigint not null,
  status smallint not null check (status between 1 and 8),
  ems_status_id bigint not null references ems_statuses,
  ems_status_changed_at_ms bigint not null,
  -- The latest one while the case was open.
  last_open_ems_status_id bigint not null references ems_statuses,
  category_id bigint references categories,
  priority_id bigint not null references priorities,
  team_id bigint references teams,
  deadline_at_ms bigint,
  hold_until_ms bigint,
  hold_comment text,
  merged_into_id bigint references cases,
  merged_at_ms bigint,
  -- The status before the merge, for undoing it.
  merged_status_id bigint references ems_statuses,
  internal_updated_at_ms bigint,
  external_updated_at_ms bigint,
  -- The ETag: every change increases it.
  version integer not null default 1,
  unique (corporation_id, seq_no),
  check ((status = 5) = (merged_into_id is not null)),
  check (status <> 8 or hold_until_ms is not null),
  check (merged_into_id <> activity_id)
);
create index on cases (corporation_id, status);
create index on cases (team_id, status);
create index on cases (merged_into_id) where merged_into_id is not null;
create index cases_on_hold on cases (hold_until_ms) where status = 8;

create table case_texts (
  id bigint generated always as identity primary key,
  case_id bigint not null references cases,
  -- Sanitized; "original" is the text as written and is never shown.
  text text not null,
  original text not null,
  is_internal boolean not null,
  is_external_update boolean not null,
  creator_id bigint references users on delete set null,
  created_at_ms bigint not null
);
create index on case_texts (case_id, id);

create table case_logs (
  id bigint generated always as identity primary key,
  case_id bigint not null references cases,
  at_ms bigint not null,
  -- Null for an automatic change.
  user_id bigint references users on delete set null,
  what text not null,
  was jsonb,
  becomes jsonb,
  why text
);
create index on case_logs (case_id, id);

create table case_values (
  case_id bigint not null references cases,
  field_id bigint not null references property_fields,
  value text not null,
  primary key (case_id, field_id)
);

-- Each status always has one default ems status: a new corporation gets them at once.
create function furnish_corporation(corporation bigint) returns void language sql as $$
  insert into ems_statuses (corporation_id, name, status, is_default, sort_order)
  select corporation, name, status, true, status
    from (values ('Open', 1), ('Closed', 2), ('Awaiting external action', 3), ('Deleted', 4), ('Merged', 5),
      ('Spam', 6), ('Awaiting internal action', 7), ('On hold', 8)) as standard (name, status);
  insert into priorities (corporation_id, name, level, is_default, sort_order)
  values (corporation, 'Low', 1, false, 3), (corporation, 'Normal', 2, true, 2), (corporation, 'High', 3, false, 1);
$$;
select furnish_corporation(id) from corporations;
create function furnish_new_corporation() returns trigger language plpgsql as $$
begin
  perform furnish_corporation(new.id);
  return new;
end $$;
create trigger furnish after insert on corporations for each row execute function furnish_new_corporation();
