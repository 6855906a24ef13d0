-- When a session of an agent was last written (storage-17): those of a node that never comes back are taken away.
alter table seats add column saved_at timestamptz not null default clock_timestamp();
