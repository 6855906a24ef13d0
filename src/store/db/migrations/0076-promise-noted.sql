-- When the last promise of a callback that was noted for this task was made: an entry that is written again after an
-- outage must not undo what became of it since (campaigns-135).
alter table call_tasks add column promise_noted_at_ms bigint;
