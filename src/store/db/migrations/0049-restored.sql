-- Which installation a database belongs to, and whether it must be confirmed before it dials (storage-06, storage-07).

alter table dial_state
  add column installation text not null default gen_random_uuid()::text,
  -- Why nothing is dialed until an operator confirms; null: nothing is to be confirmed.
  add column to_confirm text,
  -- When the backup was taken from which it was restored; null: it was not restored by our command.
  add column backup_at_ms bigint,
  -- What the files witness from before was imported, or given up.
  add column confirmed_at_ms bigint not null default 0;
