-- What somebody took and cannot do any more waits for those whose turn it is: the site is weighed again when its people
-- change or an account is closed.
ALTER TABLE warning_events
  DROP CONSTRAINT warning_events_act_check,
  ADD CONSTRAINT warning_events_act_check CHECK (act IN ('open', 'rise', 'ease', 'take', 'back', 'close'));

DROP TRIGGER sites_weigh ON sites;
CREATE TRIGGER sites_weigh AFTER UPDATE ON sites FOR EACH ROW
  WHEN ((OLD.bc_id, OLD.status, OLD.stop_reason, OLD.stop_until, OLD.deleted_at, OLD.manager_id, OLD.steward_id)
    IS DISTINCT FROM
    (NEW.bc_id, NEW.status, NEW.stop_reason, NEW.stop_until, NEW.deleted_at, NEW.manager_id, NEW.steward_id))
  EXECUTE FUNCTION weigh_this_site();

CREATE FUNCTION weigh_taken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sites_to_weigh (tenant_id, of_site)
  SELECT DISTINCT v.tenant_id, v.site_id FROM warnings v
  WHERE v.tenant_id = NEW.tenant_id AND v.taken_by = NEW.id AND v.state = 'handling';
  RETURN NULL;
END $$;
CREATE TRIGGER users_weigh AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.status, OLD.deleted_at) IS DISTINCT FROM (NEW.status, NEW.deleted_at))
  EXECUTE FUNCTION weigh_taken();

-- Where there is no first plan there is nothing to compare with.
SET LOCAL app.tenant = '*';
UPDATE warnings v SET baseline_deviation = NULL
FROM site_stages g
WHERE g.tenant_id = v.tenant_id AND g.site_id = v.site_id AND g.stage = v.stage AND v.baseline_deviation = 0
  AND (CASE v.rule WHEN 'lateStart' THEN g.baseline_start ELSE g.baseline_finish END) IS NULL;
UPDATE warnings SET baseline_deviation = NULL WHERE baseline_deviation = 0 AND stage IS NULL;
