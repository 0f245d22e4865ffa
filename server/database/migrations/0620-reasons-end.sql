-- A reason why a site stands holds until its day, and no longer than the order or the question that it names is open.
-- Neither is a foreign key: both refer to their site, and who restores a backup writes parents first.
ALTER TABLE sites
  ADD COLUMN stop_until date,
  ADD COLUMN stop_order_id uuid,
  ADD COLUMN stop_question_id uuid;

-- What was said before had no end: it gets a week from today, as if it had been said again.
SET LOCAL app.tenant = '*';
UPDATE sites SET stop_until = (now() AT TIME ZONE 'Asia/Shanghai')::date + 7 WHERE stop_reason IS NOT NULL;

-- Warnings are weighed again when a reason is given another end.
DROP TRIGGER sites_weigh ON sites;
CREATE TRIGGER sites_weigh AFTER UPDATE ON sites FOR EACH ROW
  WHEN ((OLD.bc_id, OLD.status, OLD.stop_reason, OLD.stop_until, OLD.deleted_at)
    IS DISTINCT FROM (NEW.bc_id, NEW.status, NEW.stop_reason, NEW.stop_until, NEW.deleted_at))
  EXECUTE FUNCTION weigh_this_site();
