-- Emails we sent that did not arrive (RFC 3464).

-- Addresses for which a mail server reported a permanent failure.
alter table outgoing_emails add column undelivered text[] not null default '{}';
