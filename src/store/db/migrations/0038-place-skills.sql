-- What the agent must be able to do who serves the place.
alter table queue_places add column skills text[] not null default '{}';
