-- Whom agents asked or connected during the conversation of an attempt that goes on, by keys (calls-and-flows-90). Its
-- end moves them to its call activity.
alter table attempts add column transfers jsonb;
