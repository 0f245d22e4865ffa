-- A picture proves one alarm: what it proves, when its camera says that it was taken, and a digest that knows it again
-- when it is uploaded a second time. And an alarm that nobody has judged has a clock too (due_at at status 1).
ALTER TABLE files ADD COLUMN proves uuid;
ALTER TABLE files ADD COLUMN taken_at timestamptz;
ALTER TABLE files ADD COLUMN digest bytea;
CREATE INDEX files_digest ON files (tenant_id, digest) WHERE proves IS NOT NULL;

SET LOCAL app.tenant = '*';
UPDATE alarms SET due_at = at + interval '24 hours' WHERE correction_status = 1 AND due_at IS NULL;
UPDATE files f SET proves = p.alarm_id
FROM (SELECT tenant_id, alarm_id, unnest(pictures) AS key FROM alarm_logs) p
WHERE f.tenant_id = p.tenant_id AND f.key = p.key;
