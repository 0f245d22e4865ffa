-- Who corrected in any round does not verify: all of them are remembered, beside the last one.
SET LOCAL app.tenant = '*';
ALTER TABLE corrections ADD COLUMN corrector_ids uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE alarms ADD COLUMN corrector_ids uuid[] NOT NULL DEFAULT '{}';
CREATE FUNCTION remember_corrector() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.corrector_ids := coalesce(NEW.corrector_ids, '{}');
  IF NEW.corrector_id IS NOT NULL AND NEW.corrector_id <> ALL (NEW.corrector_ids) THEN
    NEW.corrector_ids := NEW.corrector_ids || NEW.corrector_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER remember_corrector BEFORE INSERT OR UPDATE OF corrector_id ON corrections
  FOR EACH ROW EXECUTE FUNCTION remember_corrector();
CREATE TRIGGER remember_corrector BEFORE INSERT OR UPDATE OF corrector_id ON alarms
  FOR EACH ROW EXECUTE FUNCTION remember_corrector();
-- Of what is open now the thread says who handed photos in; it knows them by their names.
UPDATE corrections k
SET corrector_ids = ARRAY(
  SELECT DISTINCT u.id
  FROM users u
  WHERE u.tenant_id = k.tenant_id AND (u.id = k.corrector_id OR EXISTS (
    SELECT 1 FROM correction_logs l
    WHERE l.tenant_id = k.tenant_id AND l.correction_id = k.id AND l.action = '提交整改照片' AND l.actor = u.nickname)))
WHERE k.correction_status = 2;
UPDATE alarms a
SET corrector_ids = k.corrector_ids
FROM corrections k
WHERE k.tenant_id = a.tenant_id AND k.id = a.id AND k.correction_status = 2 AND k.corrector_ids <> '{}';

-- An objection waits for its decision no longer than the branch says.
ALTER TABLE violations ADD COLUMN due_at timestamptz;
UPDATE violations SET due_at = changed_at + interval '72 hours' WHERE status = 3;
CREATE INDEX violations_objected ON violations (tenant_id, due_at) WHERE status = 3;
