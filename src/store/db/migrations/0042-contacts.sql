-- Contacts that imports and people make (cases-13, cases-14), and their end (cases-15).

alter table entities add column language text;

-- Numbers that a person took off a contact: imports do not add them again.
create table entity_removed_numbers (
  entity_id bigint not null references entities on delete cascade,
  number text not null,
  primary key (entity_id, number)
);

create index entities_to_erase on entities (updated_at_ms) where erased_at_ms is null;
