-- The pictures of a message belong to what was made of it as well: taken back they leave the thread and stay there.
ALTER TABLE thread_outcomes ADD COLUMN pictures text[] NOT NULL DEFAULT '{}';
CREATE INDEX thread_outcomes_record ON thread_outcomes (tenant_id, record_id);
CREATE INDEX thread_outcomes_pictures ON thread_outcomes USING gin (pictures) WHERE pictures <> '{}';

SET LOCAL app.tenant = '*';
UPDATE thread_outcomes x
SET pictures = m.pictures
FROM thread_messages m
WHERE m.tenant_id = x.tenant_id AND m.id = x.message_id AND m.pictures <> '{}';
