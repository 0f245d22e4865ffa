-- The queue as it is read: what waits by when its time is over, then what was judged, the newest first.
DROP INDEX examine_requests_newest;
DROP INDEX examine_requests_branch;
CREATE INDEX examine_requests_worst ON examine_requests
  (tenant_id, (CASE WHEN state = 0 THEN due_at END), submitted_at DESC, id DESC) WHERE withdrawn_at IS NULL;
CREATE INDEX examine_requests_branch_worst ON examine_requests
  (tenant_id, bc_id, (CASE WHEN state = 0 THEN due_at END), submitted_at DESC, id DESC) WHERE withdrawn_at IS NULL;
CREATE INDEX examine_requests_store ON examine_requests (tenant_id, store_id, submitted_at DESC)
  WHERE withdrawn_at IS NULL AND store_id IS NOT NULL;
