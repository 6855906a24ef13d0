-- What the receiving server says about the sender of an email (email-17).
alter table emails add column authentication jsonb;
