-- How greetings begin that agents called machines. A greeting bears the number of the attempt in which it was new, and
-- attempts may name one that is forgotten: no foreign key.

set local statement_timeout = 0;

create table greetings (
  id bigint primary key,
  corporation_id bigint not null,
  print text not null,
  told_at_ms bigint not null
);

create index greetings_told on greetings (corporation_id, told_at_ms);

-- The greeting of the callee, and whether it was known to be a machine's during the call.
alter table attempts add column greeting_id bigint, add column is_greeting_known boolean;

create index attempts_greeting on attempts (greeting_id, answered_at_ms) where greeting_id is not null;
