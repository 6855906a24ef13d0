-- A change of the campaign makes the tasks due again that its rules had put off.

set local statement_timeout = 0;

-- Grows with each change of what the gate reads.
alter table campaigns add column settings_version bigint not null default 1;

create function count_settings_change() returns trigger language plpgsql as $$
begin
  if (new.settings, new.active, new.team_name, new.external_system_id)
      is distinct from (old.settings, old.active, old.team_name, old.external_system_id) then
    new.settings_version := old.settings_version + 1;
  end if;
  return new;
end
$$;

create trigger settings_changed before update on campaigns for each row execute function count_settings_change();

-- The version by which the gate put the task off; null where `waits_for` is null.
alter table call_tasks add column put_off_version bigint;

create index call_tasks_put_off on call_tasks (campaign_id, put_off_version, id)
  where waits_for is not null and status in ('new', 'waiting', 'callback');
