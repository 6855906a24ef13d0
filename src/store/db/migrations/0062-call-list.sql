-- The list of calls, the newest first, with an index for each of its filters (files-and-activities-09).

set local statement_timeout = 0;

alter table call_activities
  add column campaign_id bigint references campaigns,
  -- A recording that can be played: false again when its time is over.
  add column has_recording boolean not null default false;

update call_activities c
   set campaign_id = (select a.campaign_id from attempts a where a.id = c.attempt_id),
       has_recording = exists (select from recordings r where r.activity_id = c.id and r.state = 'ready')
 where c.attempt_id is not null or exists (select from recordings r where r.activity_id = c.id and r.state = 'ready');

create index call_list on call_activities (corporation_id, created_at_ms, id);
create index call_list_agent on call_activities (corporation_id, agent, created_at_ms, id) where agent is not null;
create index call_list_team on call_activities (corporation_id, team, created_at_ms, id) where team is not null;
create index call_list_campaign on call_activities (corporation_id, campaign_id, created_at_ms, id)
  where campaign_id is not null;
create index call_list_caller on call_activities (corporation_id, caller, created_at_ms, id);
create index call_list_called on call_activities (corporation_id, called, created_at_ms, id);
create index call_list_direction on call_activities (corporation_id, direction, created_at_ms, id);
create index call_list_result on call_activities (corporation_id, result, created_at_ms, id) where result is not null;
create index call_list_recorded on call_activities (corporation_id, has_recording, created_at_ms, id);
create index call_list_talk on call_activities (corporation_id, talk_ms);
create index call_list_transferred on call_activities (corporation_id, created_at_ms, id) where transfers <> '[]';
create index feedback_type on feedback (feedback_type, activity_id);
