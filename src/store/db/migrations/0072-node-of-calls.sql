-- The node that served a call: its journal and its recordings are in the DATA_DIR of that node (console-33). Null: a
-- call of before, one that no engine served, or a dialed one whose node was started anew before its end.
alter table call_activities add column node text;
