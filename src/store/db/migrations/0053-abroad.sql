-- Calls to other countries than our own, of 24 hours (campaigns-101): few, so the indexes are small.
create index attempts_abroad on attempts (claimed_at_ms) where permit ? 'abroad';
create index call_activities_abroad on call_activities (ended_at_ms)
  where jsonb_path_exists(transfers, '$[*].abroad');
