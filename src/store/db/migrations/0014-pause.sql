-- Campaigns that pause themselves (F-F7).

alter table campaigns
  -- When the campaign was last activated: its earlier results no longer count.
  add column active_since_ms bigint not null default 0,
  -- Why the dialer paused it; only the dialer sets it.
  add column paused_reason text;

-- Activating a campaign ends its pause, whatever client does it.
create function begin_campaign_again() returns trigger language plpgsql as $$
begin
  if new.active and not old.active then
    new.active_since_ms := greatest(new.updated_at_ms, old.active_since_ms + 1);
    new.paused_reason := null;
  end if;
  return new;
end $$;
create trigger begin_again before update on campaigns for each row execute function begin_campaign_again();

-- For the recent attempts of each campaign, which a starting engine reads once.
create index on attempts (campaign_id, claimed_at_ms);
