-- Indexes for searching parts of titles and comments of cases.

-- Indexing the existing comments may take long.
set local statement_timeout = 0;

-- Without the trigram extension, or the right to create it, searches find the same but take longer.
do $$ begin
  create extension if not exists pg_trgm;
  create index case_titles_by_parts on activities using gin (lower(subject) gin_trgm_ops) where kind = 'case';
  create index case_texts_by_parts on case_texts using gin (lower(text) gin_trgm_ops);
exception when undefined_file or feature_not_supported or insufficient_privilege or undefined_object then
  raise notice 'pg_trgm is not to be had: texts of cases are searched one by one';
end $$;
