-- Whom the caller of a call was transferred to, in order: target, mode, instants and end of each (calls-and-flows-63).
alter table call_activities add column transfers jsonb not null default '[]';
