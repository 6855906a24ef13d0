-- A code is a word of its corporation: that another one uses it is nobody's business (rest-22).

alter table external_systems drop constraint external_systems_code_key;
alter table external_systems add constraint external_systems_code_key unique (corporation_id, code);
