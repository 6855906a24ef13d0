-- Email: received emails, emails to send, and positions in remote mailboxes.

create table emails (
  activity_id bigint primary key references activities,
  corporation_id bigint not null references corporations,
  -- As the sender wrote it; made from the fingerprint if the email has none or repeats the id of another email.
  message_id text not null,
  -- All Message-IDs that it answers or refers to: emails that share one belong to one thread.
  refs text[] not null default '{}',
  in_reply_to text,
  -- SHA-256 of the content; null for emails we send.
  fingerprint bytea,
  sender text,
  sender_name text not null default '',
  -- [{address, name}]
  recipients jsonb not null,
  copies jsonb not null,
  -- All addresses of the three columns above.
  parties text[] not null,
  sent_at_ms bigint not null,
  body_text text not null,
  -- Why it counts as written by a machine.
  automatic text,
  -- Why it is in its conversation.
  threaded text not null,
  mailbox text not null,
  raw_bytes bigint not null,
  unique (corporation_id, message_id)
);
create index on emails using gin (refs);
create index on emails (corporation_id, sender);

-- Outgoing emails. An email is 'sending' before the first byte leaves. If it still is after claimed_until_ms, the
-- sender has died and its fate is unknown.
create table outgoing_emails (
  activity_id bigint primary key references emails,
  corporation_id bigint not null references corporations,
  state text not null check (state in ('queued', 'sending', 'sent', 'failed', 'unknown')),
  tries integer not null default 0,
  next_at_ms bigint,
  claimed_until_ms bigint,
  why text,
  sent_at_ms bigint,
  check ((state = 'queued') = (next_at_ms is not null)),
  check ((state = 'sending') = (claimed_until_ms is not null))
);
create index on outgoing_emails (next_at_ms) where state = 'queued';
create index on outgoing_emails (claimed_until_ms) where state = 'sending';

create table mailboxes (
  corporation_id bigint not null references corporations,
  address text not null,
  uid_validity bigint not null default 0,
  last_uid bigint not null default 0,
  claimed_until_ms bigint not null default 0,
  primary key (corporation_id, address)
);
