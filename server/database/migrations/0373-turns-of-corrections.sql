-- Who had a correction and from when until when, kept when it happens (docs/decisions/0373): lateness is of who had it
-- when its time ran out. While photos wait for the reviewer nobody's turn to correct runs.
CREATE TABLE correction_turns (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  correction_id uuid NOT NULL,
  from_at       timestamptz NOT NULL,
  user_id       uuid NOT NULL,
  due_at        timestamptz,
  to_at         timestamptz,
  ended         text CHECK (ended IN ('submitted', 'handed', 'closed')),
  PRIMARY KEY (tenant_id, correction_id, from_at),
  FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  CHECK (to_at >= from_at),
  CHECK ((to_at IS NULL) = (ended IS NULL)));
CREATE INDEX correction_turns_user ON correction_turns (tenant_id, user_id, to_at);
CREATE UNIQUE INDEX correction_turns_open ON correction_turns (tenant_id, correction_id) WHERE to_at IS NULL;
SELECT protect('correction_turns');

CREATE FUNCTION keep_correction_turns() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_mine uuid := CASE WHEN NEW.correction_status = 2 AND NEW.step IN ('assigned', 'doing') THEN NEW.assignee_id END;
  was_mine uuid;
  -- What was written down afterwards was theirs since it was found.
  since timestamptz := CASE WHEN NEW.due_at <= NEW.changed_at THEN NEW.at ELSE NEW.changed_at END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    was_mine := CASE WHEN OLD.correction_status = 2 AND OLD.step IN ('assigned', 'doing') THEN OLD.assignee_id END;
    IF OLD.assignee_id IS NOT NULL THEN since := NEW.changed_at; END IF;
  END IF;
  IF is_mine IS NOT DISTINCT FROM was_mine THEN
    UPDATE correction_turns t SET due_at = NEW.due_at
    WHERE is_mine IS NOT NULL AND t.tenant_id = NEW.tenant_id AND t.correction_id = NEW.id AND t.to_at IS NULL
      AND t.due_at IS DISTINCT FROM NEW.due_at;
  ELSE
    UPDATE correction_turns t
    SET to_at = greatest(NEW.changed_at, t.from_at),
      ended = CASE WHEN NEW.step = 'submitted' OR NEW.correction_status = 3 THEN 'submitted'
        WHEN NEW.correction_status = 4 THEN 'closed' ELSE 'handed' END
    WHERE t.tenant_id = NEW.tenant_id AND t.correction_id = NEW.id AND t.to_at IS NULL;
    INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at)
    SELECT NEW.tenant_id, NEW.id, since, is_mine, NEW.due_at WHERE is_mine IS NOT NULL
    ON CONFLICT DO NOTHING;
  END IF;
  -- Closed at once, as days of before are written down.
  IF was_mine IS NULL AND NEW.correction_status = 3 AND NEW.assignee_id IS NOT NULL THEN
    INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at, to_at, ended)
    SELECT NEW.tenant_id, NEW.id, NEW.at, NEW.assignee_id, NEW.due_at,
      greatest(coalesce(NEW.closed_at, NEW.changed_at), NEW.at), 'submitted'
    WHERE NOT EXISTS (SELECT 1 FROM correction_turns t WHERE t.tenant_id = NEW.tenant_id AND t.correction_id = NEW.id)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER corrections_turned AFTER INSERT OR UPDATE ON corrections
  FOR EACH ROW EXECUTE FUNCTION keep_correction_turns();

-- Of before only the present holder is known; photos were handed in when the thread says so.
SET LOCAL app.tenant = '*';
INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at, to_at, ended)
SELECT k.tenant_id, k.id, k.at, k.assignee_id, k.due_at, d.to_at,
  CASE WHEN d.to_at IS NULL THEN NULL WHEN k.correction_status = 4 THEN 'closed' ELSE 'submitted' END
FROM corrections k
LEFT JOIN LATERAL (SELECT max(l.at) AS at FROM correction_logs l
  WHERE l.tenant_id = k.tenant_id AND l.correction_id = k.id AND l.action = '提交整改照片') s ON true
CROSS JOIN LATERAL (SELECT CASE
  WHEN k.correction_status = 2 AND k.step IN ('assigned', 'doing') THEN NULL
  ELSE greatest(coalesce(s.at, k.closed_at, k.changed_at), k.at) END AS to_at) d
WHERE k.assignee_id IS NOT NULL AND k.correction_status IN (2, 3, 4);
