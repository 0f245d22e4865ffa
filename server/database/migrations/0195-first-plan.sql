-- The plan that a site began with: what was promised, kept beside the plan that moves with the work. Of sites that had
-- begun before, the plan of today is the first that is known.
ALTER TABLE site_stages ADD COLUMN baseline_start date, ADD COLUMN baseline_finish date;
SET LOCAL app.tenant = '*';
UPDATE site_stages g SET baseline_start = g.planned_start, baseline_finish = g.planned_finish
FROM sites w
WHERE w.tenant_id = g.tenant_id AND w.id = g.site_id AND w.status <> 2
  AND g.planned_start IS NOT NULL AND g.planned_finish IS NOT NULL;
