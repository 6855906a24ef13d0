-- One-time codes of people (RFC 6238), as a second factor of their sign-in. Without confirmed_at_ms it is not on yet.
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret text not null,
  confirmed_at_ms bigint,
  -- The step of the last code that was used: no code serves twice.
  last_step bigint not null default 0,
  -- SHA-256 of the recovery codes that are left.
  recovery_hashes text[] not null default '{}'
);
