-- Search as people type (cases-17): the same on every server, whatever its locale.

-- Existing texts are folded and indexed; that may take long.
set local statement_timeout = 0;

-- What search compares: without case, accents, and the ways to write an apostrophe, a dash or a space.
-- NFKD takes accents apart; ICU has the lower case of all alphabets, which a server with the locale C has not.
create function folded(text text) returns text language sql immutable strict parallel safe
return regexp_replace(replace(replace(replace(replace(translate(
  lower(regexp_replace(
    normalize(translate(text, U&'\2019\2018\02BC\00B4\0060\2013\2014\2010\2011\201C\201D\201E\00AD\200B\200C\200D\FEFF',
      '''''''''''----"""'), NFKD),
    U&'[\0300-\036F]', '', 'g') collate "und-x-icu"),
  U&'\00F8\0142\0111\0131\03C2', U&'oldi\03C3'),
  U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00DF', 'ss'), U&'\00FE', 'th'),
  '\s+', ' ', 'g');

-- The words of safe HTML (mail-format/safe-html.ts), which has no letter < or > but in its tags.
create function folded_html(html text) returns text language sql immutable strict parallel safe
return folded(replace(replace(replace(replace(replace(regexp_replace(regexp_replace(html,
  '</?(p|br|div|tr|td|th|li|ul|ol|table|caption|blockquote|pre|h[1-6]|hr|dl|dt|dd|center|address)\y[^>]*>', ' ', 'g'),
  '<[^>]*>', '', 'g'),
  '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&#39;', ''''), '&amp;', '&'));

-- What `like` takes for a part of a folded text. Null, which matches nothing, where no letter is left.
create function folded_part(part text) returns text language sql immutable strict parallel safe
return '%' || regexp_replace(nullif(btrim(folded(part)), ''), '([\\%_])', '\\\1', 'g') || '%';

alter table activities add column folded text generated always as (folded(subject)) stored;
alter table case_texts add column folded text generated always as (folded_html(text)) stored;
alter table emails add column folded text
  generated always as (folded(coalesce(sender, '') || ' ' || sender_name || ' ' || body_text)) stored;
alter table entities add column folded text generated always as (folded(name || ' ' || second_name)) stored;

drop index if exists case_titles_by_parts, case_texts_by_parts;
-- Without the trigram extension, or the right to create it, searches find the same but take longer.
do $$ begin
  create extension if not exists pg_trgm;
  create index on activities using gin (folded gin_trgm_ops) where kind <> 'conversation';
  create index on case_texts using gin (folded gin_trgm_ops);
  create index on emails using gin (folded gin_trgm_ops);
  create index on entities using gin (folded gin_trgm_ops);
exception when undefined_file or feature_not_supported or insufficient_privilege or undefined_object then
  raise notice 'pg_trgm is not to be had: texts are searched one by one';
end $$;
