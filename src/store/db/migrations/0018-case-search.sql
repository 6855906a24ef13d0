-- Parts of titles and comments of cases are found without reading all of them.

-- Comments that are there already take their time.
set local statement_timeout = 0;

-- A server that does not offer trigrams, or not to us, finds the same and takes longer.
do $$ begin
  create extension if not exists pg_trgm;
  create index case_titles_by_parts on activities using gin (lower(subject) gin_trgm_ops) where kind = 'case';
  create index case_texts_by_parts on case_texts using gin (lower(text) gin_trgm_ops);
exception when undefined_file or feature_not_supported or insufficient_privilege or undefined_object then
  raise notice 'pg_trgm is not to be had: texts of cases are searched one by one';
end $$;
