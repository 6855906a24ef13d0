-- What campaigns have learned about answer rates and agents.

create table campaign_learning (
  campaign_id bigint not null references campaigns on delete cascade,
  -- Each node learns on its own; a new node begins with the data of another one.
  node text not null,
  fence bigint not null,
  -- Read and written by the dialer alone; the data names its own format.
  data jsonb not null,
  updated_at_ms bigint not null,
  primary key (campaign_id, node)
);
