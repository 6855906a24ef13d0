-- Entries of the audit trail that are committed with the change they are about, before the chain takes them.

create table audit_intents (
  id bigint generated always as identity primary key,
  -- The chains that it belongs into.
  corporation_ids bigint[] not null,
  entry json not null,
  -- From then on nobody is at work on it any more, and it is an entry as it is.
  due_at_ms bigint not null
);
create index on audit_intents (due_at_ms);

-- Answers null, and writes nothing, in a transaction that has written nothing itself; that one may be read only.
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
