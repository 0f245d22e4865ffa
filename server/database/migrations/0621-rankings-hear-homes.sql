-- Promises and complaints speak for a site on the morning's list as well.
ALTER TABLE rank_weights DROP CONSTRAINT rank_weights_reason_check;
ALTER TABLE rank_weights ADD CONSTRAINT rank_weights_reason_check
  CHECK (reason IN ('alarms', 'untidy', 'silence', 'unvisited', 'covering', 'promises', 'complaints'));
-- Of corrections that no alarm brought: what was open at the end of a day.
CREATE INDEX corrections_found_until ON corrections (tenant_id, bc_id, closed_at) WHERE source <> 'alarm';
