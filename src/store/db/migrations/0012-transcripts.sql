-- Transcripts of recordings, and jobs for ended calls.

-- Whether a worker has decided if it is transcribed. The index holds the undecided recordings.
alter table recordings add column transcription_decided boolean not null default false;
create index recordings_undecided on recordings (ended_at_ms) where state = 'ready' and not transcription_decided;

-- Removed with its recording and its call: code that erases a call need not know this table.
create table transcripts (
  id bigint generated always as identity primary key,
  recording_id bigint not null unique references recordings on delete cascade,
  activity_id bigint not null references call_activities on delete cascade,
  corporation_id bigint not null references corporations,
  state text not null check (state in ('pending', 'ready', 'failed')),
  language text,
  duration_ms bigint,
  text text,
  -- Read, written and erased as a whole.
  parts jsonb,
  why text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check ((state = 'ready') = (text is not null)),
  check ((text is null) = (parts is null))
);
create index on transcripts (activity_id);

-- A finished job is removed; a dead one stays for the operator, with its reason.
create table call_jobs (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('transcribe', 'summarise')),
  corporation_id bigint not null references corporations,
  activity_id bigint not null references call_activities on delete cascade,
  recording_id bigint references recordings on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'dead')),
  tries integer not null default 0,
  -- Every claim increases it.
  claim integer not null default 0,
  -- When it is due; while a worker has claimed it, the end of the claim.
  next_at_ms bigint not null,
  -- For a summary: the id of its event.
  event_name text,
  why text,
  created_at_ms bigint not null,
  unique nulls not distinct (kind, activity_id, recording_id),
  check ((kind = 'transcribe') = (recording_id is not null)),
  check ((kind = 'summarise') = (event_name is not null))
);
create index on call_jobs (next_at_ms) where state = 'waiting';
create index on call_jobs (recording_id);
