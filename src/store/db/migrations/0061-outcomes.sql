-- The catalogue of outcomes of each campaign. Outcomes are retired, never removed: answers refer to them.
create table campaign_outcomes (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references campaigns,
  position integer not null,
  name text not null,
  key text check (key ~ '^[1-9]$'),
  is_final boolean not null,
  needs_callback boolean not null,
  -- [{name, kind, isRequired, choices}]
  fields jsonb not null,
  is_active boolean not null,
  version integer not null default 1,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check (not (is_final and needs_callback))
);
create index on campaign_outcomes (campaign_id);
create unique index on campaign_outcomes (campaign_id, key) where is_active;

-- feedback_type is the name of the outcome at that time.
alter table feedback
  add column outcome_id bigint references campaign_outcomes,
  -- [{name, value}]
  add column fields jsonb,
  add column callback_at_ms bigint,
  add column is_callback_for_team boolean,
  -- The event about it; it is written when the call has ended.
  add column event_name text;
create index on feedback (outcome_id) where outcome_id is not null;

alter table events add column outcome_id bigint;
