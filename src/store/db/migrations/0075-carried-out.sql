-- The change of the request is committed (rest-46): it is not made again, also if nobody knows what was answered.
alter table idempotency_keys add column is_carried_out boolean not null default false;
