-- What machine detection heard while it only listened: `person`, `machine` or `unsure`. The agent's word is the truth.

set local statement_timeout = 0;

alter table attempts add column heard text;

create index attempts_heard on attempts (campaign_id, answered_at_ms) where heard is not null;
