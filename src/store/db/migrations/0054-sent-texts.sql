-- Texts of the last 24 hours: what one number, case or country gets is bounded, over restarts and nodes (campaigns-102).
create table sent_texts (
  key text primary key,
  call text not null,
  number text not null,
  abroad text,
  case_number text,
  sent_at_ms bigint not null
);
create index on sent_texts (sent_at_ms);
