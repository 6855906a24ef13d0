-- Webhooks name external systems by their ids: a system that gets another code is the same one (rest-25).
alter table events add column external_system_id bigint references external_systems;
update events e set external_system_id = x.id from external_systems x
 where x.corporation_id = e.corporation_id and x.code = e.system_code;

-- "system_codes" stays for nodes of the version before, which read it.
alter table webhook_subscriptions add column external_system_ids bigint[] not null default '{}';
-- One whose systems all have other codes by now got nothing, and must not get everything: nothing has the id 0.
update webhook_subscriptions s set external_system_ids = coalesce(
  (select array_agg(x.id order by array_position(s.system_codes, x.code)) from external_systems x
    where x.corporation_id = s.corporation_id and x.code = any(s.system_codes)), '{0}')
 where s.system_codes <> '{}';
