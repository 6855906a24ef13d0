-- What protects a person holds for the person and for every number: indexes for its questions.

set local statement_timeout = 0;

-- The gate's reason while a task waits; null when the gate did not put it off.
alter table call_tasks add column waits_for text;

-- When a number was last talked on, dropped, or found not to exist.
create index on attempts (number, result, ended_at_ms) where result in ('answered', 'dropped', 'invalidNumber');
create index on attempts (person_key, ended_at_ms) where result = 'dropped';
-- The numbers of a person.
create index on call_tasks (person_key) where person_key is not null;
-- Who is on our line, or was lately.
create index on open_calls (caller);
create index on call_activities (caller, ended_at_ms) where direction = 'in';
