-- Which version of the model saw it, and whether it came without a notice: its camera is known to be wrong too often.
ALTER TABLE alarms
  ADD COLUMN model text NOT NULL DEFAULT '',
  ADD COLUMN quiet boolean NOT NULL DEFAULT false;
-- The last verdicts of a camera, type and version.
CREATE INDEX alarms_verdicts ON alarms (tenant_id, device_id, site_id, type, model, at DESC, id DESC)
  WHERE verdict IN ('real', 'wrong');
CREATE INDEX alarms_quiet ON alarms (tenant_id, at DESC, id DESC) WHERE quiet;

-- How the alarms of a camera on a site were judged, by their type and the version of the model.
CREATE TABLE alarm_trusts (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  bc_id     uuid NOT NULL,
  site_id   uuid NOT NULL,
  device_id uuid NOT NULL,
  type      text NOT NULL,
  model     text NOT NULL,
  "real"    int NOT NULL,
  wrong     int NOT NULL,
  undecided int NOT NULL,
  PRIMARY KEY (tenant_id, device_id, site_id, type, model));
COMMENT ON TABLE alarm_trusts IS 'derived';
SELECT protect('alarm_trusts');

-- Whatever changes a verdict, a person, a batch or a release before, the counts follow in the same transaction.
CREATE FUNCTION keep_alarm_trusts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE alarm_trusts t SET
      "real" = t."real" - (OLD.verdict = 'real')::int,
      wrong = t.wrong - (OLD.verdict = 'wrong')::int,
      undecided = t.undecided - (OLD.verdict = 'none')::int
    WHERE t.tenant_id = OLD.tenant_id AND t.device_id = OLD.device_id AND t.site_id = OLD.site_id
      AND t.type = OLD.type AND t.model = OLD.model;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO alarm_trusts AS t (tenant_id, bc_id, site_id, device_id, type, model, "real", wrong, undecided)
    VALUES (NEW.tenant_id, NEW.bc_id, NEW.site_id, NEW.device_id, NEW.type, NEW.model,
      (NEW.verdict = 'real')::int, (NEW.verdict = 'wrong')::int, (NEW.verdict = 'none')::int)
    ON CONFLICT (tenant_id, device_id, site_id, type, model) DO UPDATE SET
      "real" = t."real" + excluded."real",
      wrong = t.wrong + excluded.wrong,
      undecided = t.undecided + excluded.undecided;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_trusted AFTER INSERT OR DELETE ON alarms
  FOR EACH ROW EXECUTE FUNCTION keep_alarm_trusts();
-- What is seen again changes nothing here and costs nothing.
CREATE TRIGGER alarms_judged AFTER UPDATE ON alarms
  FOR EACH ROW
  WHEN ((OLD.verdict, OLD.model, OLD.type, OLD.device_id, OLD.site_id)
    IS DISTINCT FROM (NEW.verdict, NEW.model, NEW.type, NEW.device_id, NEW.site_id))
  EXECUTE FUNCTION keep_alarm_trusts();
CREATE FUNCTION empty_alarm_trusts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE alarm_trusts;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_untrusted AFTER TRUNCATE ON alarms
  FOR EACH STATEMENT EXECUTE FUNCTION empty_alarm_trusts();

-- A camera on a site and a type of alarm: whether they are worth a notice. Its version is that of the newest alarm.
CREATE TABLE alarm_pairs (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  site_id    uuid NOT NULL,
  device_id  uuid NOT NULL,
  type       text NOT NULL CHECK (type IN ('cameraproblem', 'noclothes', 'smoking')),
  model      text NOT NULL,
  model_at   timestamptz NOT NULL,
  -- The version before.
  was_model  text,
  state      text NOT NULL DEFAULT 'notify' CHECK (state IN ('notify', 'review', 'alwaysNotify', 'alwaysReview')),
  why        text NOT NULL DEFAULT '',
  changed_by text NOT NULL DEFAULT '',
  changed_at timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, device_id, site_id, type),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
CREATE INDEX alarm_pairs_branch ON alarm_pairs (tenant_id, bc_id);
CREATE INDEX alarm_pairs_site ON alarm_pairs (tenant_id, site_id);
SELECT protect('alarm_pairs');

CREATE TABLE alarm_pair_logs (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  pair_id   uuid NOT NULL,
  at        timestamptz NOT NULL,
  actor     text NOT NULL,
  event     text NOT NULL CHECK (event IN ('demoted', 'promoted', 'pinNotify', 'pinReview', 'unpin', 'model', 'shift')),
  text      text NOT NULL,
  model     text NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, pair_id) REFERENCES alarm_pairs ON DELETE CASCADE);
CREATE INDEX alarm_pair_logs_of ON alarm_pair_logs (tenant_id, pair_id, at);
SELECT protect('alarm_pair_logs');

SET LOCAL app.tenant = '*';
INSERT INTO alarm_trusts (tenant_id, bc_id, site_id, device_id, type, model, "real", wrong, undecided)
SELECT a.tenant_id, w.bc_id, a.site_id, a.device_id, a.type, a.model, count(*) FILTER (WHERE a.verdict = 'real'),
  count(*) FILTER (WHERE a.verdict = 'wrong'), count(*) FILTER (WHERE a.verdict = 'none')
FROM alarms a
JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO alarm_pairs (tenant_id, id, bc_id, site_id, device_id, type, model, model_at)
SELECT a.tenant_id, gen_random_uuid(), w.bc_id, a.site_id, a.device_id, a.type, '', max(a.at)
FROM alarms a
JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
GROUP BY 1, 3, 4, 5, 6;
