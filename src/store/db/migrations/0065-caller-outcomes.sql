-- Catalogues of teams, for calls that come in, beside those of campaigns (campaigns-110).
alter table campaign_outcomes
  alter column campaign_id drop not null,
  add column team_id bigint references teams,
  add check (num_nonnulls(campaign_id, team_id) = 1);
create index on campaign_outcomes (team_id) where team_id is not null;
create unique index on campaign_outcomes (team_id, key) where is_active and team_id is not null;

-- The id that the call will have: what its agent says during the call refers to it.
alter table open_calls add column activity_id bigint not null default nextval('activity_ids');
