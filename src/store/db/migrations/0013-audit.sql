-- The audit trail: an append-only chain of hashes for each corporation.

create table audit_records (
  corporation_id bigint not null references corporations,
  number bigint not null,
  at_ms bigint not null,
  credential text not null,
  -- No foreign key: the trail outlives its users.
  user_id bigint,
  action text not null,
  object text not null,
  ids text[] not null,
  count integer not null,
  operation text not null,
  reason text,
  address text not null,
  trace_id text not null,
  previous_hash text not null,
  hash text not null,
  primary key (corporation_id, number)
);
create index on audit_records (corporation_id, at_ms);
create index on audit_records using gin (ids);

-- A writer locks the row to add to the chain. Records before "base" have expired and were removed.
create table audit_heads (
  corporation_id bigint primary key references corporations,
  number bigint not null,
  hash text not null,
  base_number bigint not null default 0,
  base_hash text not null
);

-- Protects against our own mistakes. An owner of the database can drop it; the hashes then show a change.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('switchboard.audit_retention', true) = 'on' then
    return null;
  end if;
  -- Where nothing is written nothing is lost.
  if tg_op = 'TRUNCATE' and not exists (select from audit_records) then
    return null;
  end if;
  raise exception 'audit_records is append only';
end $$;
create trigger append_only after update or delete on audit_records
  for each row execute function audit_is_append_only();
create trigger append_only_at_once before truncate on audit_records
  for each statement execute function audit_is_append_only();
