-- Emails of ours that did not arrive (RFC 3464).

-- Addresses of which a mail server reported that they did not get it, and will not.
alter table outgoing_emails add column undelivered text[] not null default '{}';
