-- An email that some recipients have, and others not yet (email-24): `left`, who may still get it, and `refused`, who
-- never will. Null: nobody has it, or it is settled.
alter table outgoing_emails add column progress jsonb;
