-- What campaigns learn of their lines and agents.

create table campaign_learning (
  campaign_id bigint not null references campaigns on delete cascade,
  -- Each node learns for itself; whoever is new begins with what another one knows.
  node text not null,
  fence bigint not null,
  -- The dialer's own; it says its shape.
  data jsonb not null,
  updated_at_ms bigint not null,
  primary key (campaign_id, node)
);
