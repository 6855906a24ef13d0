-- The node that keeps the bytes of an outgoing email in its DATA_DIR: it sends the email (email-29). Null: an email of
-- before, or one of plain text alone, which every node can send.
alter table outgoing_emails add column node text;
