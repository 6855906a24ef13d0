-- A recording that a caller left as a message, alone on the line (calls-and-flows-51).
alter table recordings add column is_message boolean not null default false;
