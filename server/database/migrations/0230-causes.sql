-- What a message is about: one unread message a person and cause, which counts how often it was told.
ALTER TABLE notifications
  ADD COLUMN cause_kind text,
  ADD COLUMN cause_id text,
  ADD COLUMN times int NOT NULL DEFAULT 1,
  ADD CHECK ((cause_kind IS NULL) = (cause_id IS NULL));

-- Unread messages of the release before about an alarm or a visit: the newest of a person is the one about its cause.
SET LOCAL app.tenant = '*';
UPDATE notifications n
SET cause_kind = x.kind, cause_id = split_part(x.link, '?id=', 2), times = x.times
FROM (
  SELECT tenant_id, user_id, link, max(id::text)::uuid AS id, count(*)::int AS times,
    CASE WHEN link LIKE '/image/AlarmEvent?id=%' THEN 'alarm' ELSE 'visit' END AS kind
  FROM notifications
  WHERE read_at IS NULL AND (link LIKE '/image/AlarmEvent?id=%' OR link LIKE '/image/VisitorList?id=%')
  GROUP BY tenant_id, user_id, link) x
WHERE n.tenant_id = x.tenant_id AND n.id = x.id;
UPDATE notifications n SET read_at = now()
WHERE read_at IS NULL AND cause_kind IS NULL
  AND (link LIKE '/image/AlarmEvent?id=%' OR link LIKE '/image/VisitorList?id=%');

CREATE UNIQUE INDEX notifications_cause ON notifications (tenant_id, cause_kind, cause_id, user_id)
  WHERE read_at IS NULL AND cause_kind IS NOT NULL;

-- Which step of a cause has been reminded of: once, whichever server comes first.
CREATE TABLE reminders (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  cause_kind text NOT NULL,
  cause_id   text NOT NULL,
  step       text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, cause_kind, cause_id, step));
SELECT protect('reminders');
