-- A person who asks not to be called is stopped with the evidence: the call in which they said it.

alter table stopped_numbers add column call_id text, add column activity_id bigint;
alter table stopped_persons add column call_id text, add column activity_id bigint;
