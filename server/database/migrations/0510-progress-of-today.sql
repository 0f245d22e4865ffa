-- 今日进度 is a line of its own kind: it tells, and answers nothing. `act` is the page's number of it, sent once.
ALTER TABLE thread_messages DROP CONSTRAINT thread_messages_kind_check;
ALTER TABLE thread_messages DROP CONSTRAINT thread_messages_check;
ALTER TABLE thread_messages
  ADD COLUMN act uuid,
  ADD CONSTRAINT thread_messages_kind_check CHECK (kind IN ('words', 'silence', 'progress')),
  ADD CONSTRAINT thread_messages_staff_check
    CHECK (kind = 'words' OR side = 'staff' AND (words <> '' OR kind = 'progress')),
  ADD CONSTRAINT thread_messages_act_check CHECK ((kind = 'progress') = (act IS NOT NULL));
CREATE UNIQUE INDEX thread_messages_act ON thread_messages (tenant_id, site_id, act) WHERE act IS NOT NULL;
CREATE INDEX thread_messages_progress ON thread_messages (tenant_id, site_id, at) WHERE kind = 'progress';
