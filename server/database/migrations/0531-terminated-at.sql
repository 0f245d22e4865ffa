-- When a contract was terminated: what the home's people may still read is counted from that moment, once.
ALTER TABLE sites ADD COLUMN terminated_at timestamptz;
UPDATE sites w
SET terminated_at = coalesce(
  (SELECT max(l.at) FROM user_logs l
   WHERE l.tenant_id = w.tenant_id AND l.object = 'site' AND l.object_id = w.id::text AND l.action = '终止合同'),
  (SELECT max(e.at) FROM site_events e
   WHERE e.tenant_id = w.tenant_id AND e.site_id = w.id AND e.kind = 'site' AND e.title LIKE '%终止%'),
  now())
WHERE w.status = 3;
