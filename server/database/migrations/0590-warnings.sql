-- What is wrong with the schedule or the quality of a site (docs/decisions/0570). One unclosed of a site, a rule and a
-- cause.
CREATE TABLE warnings (
  tenant_id          uuid NOT NULL REFERENCES tenants(id),
  id                 uuid NOT NULL,
  bc_id              uuid NOT NULL,
  site_id            uuid NOT NULL,
  rule               text NOT NULL CHECK (rule IN
    ('lateStart', 'lateFinish', 'nobody', 'unaccepted', 'failed', 'overdue', 'untidy')),
  kind               text NOT NULL GENERATED ALWAYS AS
    (CASE WHEN rule IN ('failed', 'overdue', 'untidy') THEN 'quality' ELSE 'schedule' END) STORED,
  -- The stage, the correction, the item of the patrols; empty where the site itself is the cause.
  cause              text NOT NULL,
  stage              text,
  correction_id      uuid,
  about              text NOT NULL DEFAULT '',
  planned            date,
  -- Working days, or how often.
  deviation          int NOT NULL CHECK (deviation > 0),
  baseline_deviation int,
  level              smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
  -- The highest level that people were told of.
  told_level         smallint NOT NULL CHECK (told_level BETWEEN 1 AND 3),
  ball               text NOT NULL CHECK (ball IN ('manager', 'owner', 'goods', 'assignee')),
  ball_about         text NOT NULL DEFAULT '',
  state              text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'handling', 'closed')),
  until              date,
  taken_by           uuid,
  opened_at          timestamptz NOT NULL,
  closed_at          timestamptz,
  -- How it was closed ("end" is a word of SQL).
  ended              text CHECK (ended IN ('done', 'replanned', 'lifted', 'over', 'hand')),
  -- Closed by a person while its cause goes on: no new one until the level rises or the cause was gone once.
  silent             boolean NOT NULL DEFAULT false,
  -- Who led the site when it was closed.
  closed_manager_id  uuid,
  changed_by         text NOT NULL,
  changed_at         timestamptz NOT NULL,
  version            int NOT NULL DEFAULT 0,
  -- The order of the list: what is not closed, the worst first.
  place              smallint NOT NULL GENERATED ALWAYS AS
    (CASE WHEN state = 'closed' THEN 9 ELSE 3 - level END) STORED,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, correction_id) REFERENCES corrections ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, taken_by) REFERENCES users,
  CHECK ((state = 'closed') = (closed_at IS NOT NULL) AND (closed_at IS NULL) = (ended IS NULL)),
  CHECK (state <> 'handling' OR until IS NOT NULL AND taken_by IS NOT NULL),
  CHECK (NOT silent OR ended = 'hand'));
CREATE UNIQUE INDEX warnings_unclosed ON warnings (tenant_id, site_id, rule, cause) WHERE state <> 'closed';
CREATE INDEX warnings_silent ON warnings (tenant_id, site_id, rule, cause) WHERE silent;
CREATE INDEX warnings_placed ON warnings (tenant_id, place, opened_at DESC, id);
CREATE INDEX warnings_branch ON warnings (tenant_id, bc_id, place, opened_at DESC, id);
CREATE INDEX warnings_site ON warnings (tenant_id, site_id, place, opened_at DESC, id);
CREATE INDEX warnings_correction ON warnings (tenant_id, correction_id) WHERE correction_id IS NOT NULL;
CREATE INDEX warnings_closed ON warnings (tenant_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX warnings_until ON warnings (tenant_id, until) WHERE state = 'handling';
SELECT protect('warnings');

-- The ledger: each opening, change of level, command and closing is a line.
CREATE TABLE warning_events (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  warning_id uuid NOT NULL,
  act        text NOT NULL CHECK (act IN ('open', 'rise', 'ease', 'take', 'close')),
  level      smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
  deviation  int NOT NULL,
  actor      text NOT NULL,
  text       text NOT NULL DEFAULT '',
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, warning_id) REFERENCES warnings ON DELETE CASCADE);
CREATE INDEX warning_events_of ON warning_events (tenant_id, warning_id, at, id);
SELECT protect('warning_events');

-- Sites of which something has changed that warnings are made of. Lines are only ever added and taken away: whoever
-- changes a site waits for nobody, and what is not committed yet stays for the next look.
CREATE TABLE sites_to_weigh (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  of_site   uuid NOT NULL,
  PRIMARY KEY (tenant_id, id));
SELECT protect('sites_to_weigh');

CREATE FUNCTION weigh_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sites_to_weigh (tenant_id, of_site) VALUES (NEW.tenant_id, NEW.site_id);
  RETURN NULL;
END $$;
CREATE FUNCTION weigh_this_site() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sites_to_weigh (tenant_id, of_site) VALUES (NEW.tenant_id, NEW.id);
  RETURN NULL;
END $$;
-- Thresholds and the calendar are a branch's, or the whole group's.
CREATE FUNCTION weigh_branch() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said settings := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO sites_to_weigh (tenant_id, of_site)
  SELECT w.tenant_id, w.id FROM sites w
  WHERE w.tenant_id = said.tenant_id AND (said.bc_id IS NULL OR w.bc_id = said.bc_id) AND w.status IN (1, 2);
  RETURN NULL;
END $$;
CREATE TRIGGER settings_weigh AFTER INSERT OR UPDATE ON settings FOR EACH ROW
  WHEN (NEW.key LIKE 'warn%' OR NEW.key IN ('calendar', 'restDays'))
  EXECUTE FUNCTION weigh_branch();
CREATE TRIGGER settings_gone_weigh AFTER DELETE ON settings FOR EACH ROW
  WHEN (OLD.key LIKE 'warn%' OR OLD.key IN ('calendar', 'restDays'))
  EXECUTE FUNCTION weigh_branch();
CREATE TRIGGER stages_weigh AFTER UPDATE ON site_stages FOR EACH ROW
  WHEN ((OLD.planned_start, OLD.planned_finish, OLD.actual_start, OLD.actual_finish)
    IS DISTINCT FROM (NEW.planned_start, NEW.planned_finish, NEW.actual_start, NEW.actual_finish))
  EXECUTE FUNCTION weigh_site();
CREATE TRIGGER sites_weigh AFTER UPDATE ON sites FOR EACH ROW
  WHEN ((OLD.bc_id, OLD.status, OLD.stop_reason, OLD.deleted_at)
    IS DISTINCT FROM (NEW.bc_id, NEW.status, NEW.stop_reason, NEW.deleted_at))
  EXECUTE FUNCTION weigh_this_site();
CREATE TRIGGER days_weigh AFTER UPDATE ON site_days FOR EACH ROW
  WHEN (OLD.no_work <> NEW.no_work OR (OLD.present = 0) <> (NEW.present = 0))
  EXECUTE FUNCTION weigh_site();
CREATE TRIGGER corrections_weigh AFTER UPDATE ON corrections FOR EACH ROW
  WHEN ((OLD.correction_status, OLD.due_at, OLD.assignee_id)
    IS DISTINCT FROM (NEW.correction_status, NEW.due_at, NEW.assignee_id))
  EXECUTE FUNCTION weigh_site();
CREATE TRIGGER tidiness_found AFTER INSERT ON tidiness_checks FOR EACH ROW EXECUTE FUNCTION weigh_site();
CREATE TRIGGER tidiness_judged AFTER UPDATE ON tidiness_checks FOR EACH ROW
  WHEN ((OLD.result, OLD.replaced) IS DISTINCT FROM (NEW.result, NEW.replaced))
  EXECUTE FUNCTION weigh_site();
CREATE TRIGGER patrols_weigh AFTER UPDATE ON patrols FOR EACH ROW
  WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION weigh_site();
