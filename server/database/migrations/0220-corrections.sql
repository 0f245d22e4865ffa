-- One table owns status, step, round and due of every correction, whatever it was found by (docs/decisions/0220).
-- An alarm and its correction have one number.
CREATE TABLE corrections (
  tenant_id         uuid NOT NULL REFERENCES tenants(id),
  id                uuid NOT NULL,
  bc_id             uuid NOT NULL,
  site_id           uuid NOT NULL,
  source            text NOT NULL CHECK (source IN ('alarm', 'patrol', 'tidiness')),
  -- The alarm, the item of a patrol, the check.
  source_id         uuid NOT NULL,
  -- Empty for an alarm: its type says it.
  problem           text NOT NULL DEFAULT '',
  pictures          text[] NOT NULL DEFAULT '{}',
  at                timestamptz NOT NULL,
  correction_status smallint NOT NULL DEFAULT 1 CHECK (correction_status IN (1, 2, 3, 4)),
  step              text CHECK (step IN ('assigned', 'doing', 'submitted')),
  round             int NOT NULL DEFAULT 1,
  disputed          boolean NOT NULL DEFAULT false,
  assignee_id       uuid,
  corrector_id      uuid,
  verified_by       text NOT NULL DEFAULT '',
  due_at            timestamptz,
  closed_at         timestamptz,
  -- When somebody last urged whoever holds it.
  urged_at          timestamptz,
  version           int NOT NULL DEFAULT 0,
  changed_by        text NOT NULL DEFAULT '',
  changed_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users,
  CHECK ((source = 'alarm') = (source_id = id)),
  CHECK ((source = 'alarm') = (problem = '')));
CREATE INDEX corrections_worst ON corrections
  (tenant_id, (CASE WHEN correction_status IN (1, 2) THEN due_at END), at DESC, id DESC);
CREATE INDEX corrections_branch_worst ON corrections
  (tenant_id, bc_id, (CASE WHEN correction_status IN (1, 2) THEN due_at END), at DESC, id DESC);
CREATE INDEX corrections_site ON corrections (tenant_id, site_id, at DESC);
CREATE INDEX corrections_unclosed ON corrections (tenant_id, bc_id, due_at) WHERE correction_status IN (1, 2);
CREATE INDEX corrections_assignee ON corrections (tenant_id, assignee_id) WHERE correction_status = 2;
CREATE INDEX corrections_found ON corrections (tenant_id, bc_id) WHERE source <> 'alarm';
CREATE UNIQUE INDEX corrections_source ON corrections (tenant_id, source, source_id) WHERE source <> 'alarm';
SELECT protect('corrections');

SET LOCAL app.tenant = '*';
INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, at, correction_status, step, round,
  disputed, assignee_id, corrector_id, verified_by, due_at, closed_at, version, changed_by, changed_at)
SELECT tenant_id, id, bc_id, site_id, 'alarm', id, at, correction_status, step, round,
  disputed, assignee_id, corrector_id, CASE correction_status WHEN 3 THEN changed_by ELSE '' END, due_at, closed_at,
  version, changed_by, changed_at
FROM alarms;
ALTER TABLE alarms ADD FOREIGN KEY (tenant_id, id) REFERENCES corrections DEFERRABLE INITIALLY DEFERRED;

-- An alarm begins its correction.
CREATE FUNCTION begin_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, at, correction_status, step, round,
    disputed, assignee_id, corrector_id, verified_by, due_at, closed_at, version, changed_by, changed_at)
  SELECT tenant_id, id, bc_id, site_id, 'alarm', id, at, correction_status, step, round,
    disputed, assignee_id, corrector_id, CASE correction_status WHEN 3 THEN changed_by ELSE '' END, due_at, closed_at,
    version, changed_by, changed_at
  FROM added
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_begin AFTER INSERT ON alarms
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION begin_corrections();

-- The alarms' list is filtered and ordered by the state of the correction, and one open alarm of a camera, site and
-- type is an index: alarms carry a copy, which nothing but this writes.
CREATE FUNCTION copy_to_alarms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alarms a
  SET correction_status = k.correction_status, step = k.step, round = k.round, disputed = k.disputed,
    assignee_id = k.assignee_id, corrector_id = k.corrector_id, due_at = k.due_at, closed_at = k.closed_at,
    version = k.version, changed_by = k.changed_by, changed_at = k.changed_at
  FROM added k
  WHERE k.source = 'alarm' AND a.tenant_id = k.tenant_id AND a.id = k.id AND a.version <> k.version;
  RETURN NULL;
END $$;
CREATE TRIGGER corrections_copy AFTER UPDATE ON corrections
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION copy_to_alarms();

-- The release before writes alarms only; so does whoever moves a site with its alarms.
CREATE FUNCTION copy_to_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE corrections k
  SET bc_id = a.bc_id, correction_status = a.correction_status, step = a.step, round = a.round,
    disputed = a.disputed, assignee_id = a.assignee_id, corrector_id = a.corrector_id, due_at = a.due_at,
    closed_at = a.closed_at, version = a.version, changed_by = a.changed_by, changed_at = a.changed_at,
    verified_by = CASE a.correction_status WHEN 3 THEN a.changed_by ELSE '' END
  FROM added a
  WHERE k.tenant_id = a.tenant_id AND k.id = a.id
    AND (k.version, k.correction_status, k.step, k.round, k.disputed, k.bc_id, k.due_at, k.closed_at, k.assignee_id,
        k.corrector_id)
      IS DISTINCT FROM (a.version, a.correction_status, a.step, a.round, a.disputed, a.bc_id, a.due_at, a.closed_at,
        a.assignee_id, a.corrector_id);
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_copy AFTER UPDATE ON alarms
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION copy_to_corrections();

-- And goes with it.
CREATE FUNCTION drop_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM corrections k USING removed a WHERE k.tenant_id = a.tenant_id AND k.id = a.id;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_drop AFTER DELETE ON alarms
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION drop_corrections();

-- What was said and done about a correction. The release before knows the table by the name it had.
ALTER TABLE alarm_logs RENAME TO correction_logs;
ALTER TABLE correction_logs RENAME COLUMN alarm_id TO correction_id;
ALTER INDEX alarm_logs_alarm RENAME TO correction_logs_of;
ALTER TABLE correction_logs DROP CONSTRAINT alarm_logs_tenant_id_alarm_id_fkey;
ALTER TABLE correction_logs ADD FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections ON DELETE CASCADE;
CREATE VIEW alarm_logs WITH (security_invoker = true) AS
SELECT tenant_id, id, correction_id AS alarm_id, at, actor, action, text, pictures
FROM correction_logs;
GRANT SELECT, INSERT ON alarm_logs TO :app_role, :system_role;

ALTER TABLE tidiness_checks ADD COLUMN correction_id uuid;
ALTER TABLE tidiness_checks ADD FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections;
