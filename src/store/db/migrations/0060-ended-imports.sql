-- Lists of imports that were cancelled or failed: nothing takes them away any more (audit-and-privacy-20).
set local statement_timeout = 0;
update import_pieces p set call_tasks = null from import_jobs j
 where j.id = p.import_id and j.finished_at_ms is not null and p.call_tasks is not null;
