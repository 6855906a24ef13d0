-- Audit entries that are committed with their change, before they are added to the chain.

create table audit_intents (
  id bigint generated always as identity primary key,
  -- The chains that get the entry.
  corporation_ids bigint[] not null,
  entry json not null,
  -- After this instant the process has died, and the entry is added as it is.
  due_at_ms bigint not null
);
create index on audit_intents (due_at_ms);

-- Returns null and writes nothing if the transaction has written nothing: it may be read only.
create function audit_intend(corporations bigint[], entry json, due_at_ms bigint) returns bigint
language plpgsql as $$
declare made bigint;
begin
  if pg_current_xact_id_if_assigned() is null then
    return null;
  end if;
  insert into audit_intents (corporation_ids, entry, due_at_ms) values (corporations, entry, due_at_ms)
  returning id into made;
  return made;
end $$;
