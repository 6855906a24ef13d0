-- Campaigns that pause themselves (F-F7).

alter table campaigns
  -- Grows each time it is made active again: what it did before does not count any more.
  add column active_since_ms bigint not null default 0,
  -- Why it paused itself; nobody's word but the dialer's.
  add column paused_reason text;

-- Whoever makes it active again, by whichever way, lifts its pause.
create function begin_campaign_again() returns trigger language plpgsql as $$
begin
  if new.active and not old.active then
    new.active_since_ms := greatest(new.updated_at_ms, old.active_since_ms + 1);
    new.paused_reason := null;
  end if;
  return new;
end $$;
create trigger begin_again before update on campaigns for each row execute function begin_campaign_again();

-- What was tried of late: asked once for each campaign when an engine begins.
create index on attempts (campaign_id, claimed_at_ms);
