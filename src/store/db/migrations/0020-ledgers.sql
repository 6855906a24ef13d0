-- For ledgers of a whole corporation, which count the answered calls of all its campaigns.

set local statement_timeout = 0;

create index on attempts (corporation_id, answered_at_ms) where answered_at_ms is not null;
