-- What waited at an earlier moment is found by when it ended.
CREATE INDEX examine_requests_ended ON examine_requests
  (tenant_id, (coalesce(judged_at, withdrawn_at, 'infinity'::timestamptz)));
