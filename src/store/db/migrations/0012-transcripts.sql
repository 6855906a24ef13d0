-- Transcripts of recordings, and what is to be done about calls after their end.

-- Whether somebody decided if this recording is written down. The index holds what nobody looked at yet.
alter table recordings add column transcription_decided boolean not null default false;
create index recordings_undecided on recordings (ended_at_ms) where state = 'ready' and not transcription_decided;

-- Goes with its recording and its call: whoever erases a call must not have to know of it.
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

-- What is done is removed; what is dead stays until somebody has read why.
create table call_jobs (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('transcribe', 'summarise')),
  corporation_id bigint not null references corporations,
  activity_id bigint not null references call_activities on delete cascade,
  recording_id bigint references recordings on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'dead')),
  tries integer not null default 0,
  -- Grows with every claim.
  claim integer not null default 0,
  -- Due from then on; while somebody is at work, until when he has it.
  next_at_ms bigint not null,
  -- Of a summary: the name of its event.
  event_name text,
  why text,
  created_at_ms bigint not null,
  unique nulls not distinct (kind, activity_id, recording_id),
  check ((kind = 'transcribe') = (recording_id is not null)),
  check ((kind = 'summarise') = (event_name is not null))
);
create index on call_jobs (next_at_ms) where state = 'waiting';
create index on call_jobs (recording_id);
