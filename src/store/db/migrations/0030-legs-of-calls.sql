-- The caller's leg: the engine recognises in the switch's own log which calls it has recorded.

set local statement_timeout = 0;

alter table call_activities add column leg text;
create index on call_activities (leg) where leg is not null;
