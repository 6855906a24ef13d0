-- Which agents and teams were in force, the newest last: an older file of another node takes nobody away (storage-12).

create table setup_revisions (
  id bigint generated always as identity primary key,
  node text not null,
  staff jsonb not null,
  sha256 text not null,
  begun_at_ms bigint not null
);
