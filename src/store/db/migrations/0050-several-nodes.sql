-- What keeps two nodes from doing the same (storage-07): whose a lease is, and where an agent is logged in.

-- Empty: of an engine that did not say.
alter table node_leases add column instance text not null default '';

create table agent_nodes (
  agent text primary key,
  node text not null
);
