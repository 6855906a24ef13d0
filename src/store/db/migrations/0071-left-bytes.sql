-- Names of bytes whose rows were erased: those of a recording or file may lie on the disk of another node than the one
-- that erased the row (files-and-activities-14).
create table left_bytes (
  kind text not null check (kind in ('recordings', 'files')),
  name text not null,
  left_at_ms bigint not null,
  primary key (kind, name)
);
create index left_bytes_by_time on left_bytes (left_at_ms);
