-- How far an inbound call came: its answer, its agent, its text messages. The engine after a crash needs it.
alter table open_calls add column progress jsonb;
