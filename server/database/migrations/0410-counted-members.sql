-- The past stays: who is sent or taken off in name for days that are over is counted from the day it was written, so
-- that those days keep whom they expected. NULL: as entered, as left.
ALTER TABLE site_members
  ADD COLUMN counted_from date,
  ADD COLUMN counted_to   date;

-- As in 0371, of the members whom the days count.
CREATE OR REPLACE FUNCTION decide_posts(tenant uuid, days date[], who uuid[], missing boolean)
RETURNS TABLE (day date, site uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
  WITH stands AS (
    SELECT d.day, m.worker_id, m.site_id, m.entered_on, CASE k.w_type WHEN 3 THEN 'tiling' WHEN 4 THEN 'carpentry'
      WHEN 5 THEN 'painting' WHEN 6 THEN 'plumbing' END AS stage
    FROM unnest(days) AS d(day)
    JOIN site_members m ON m.tenant_id = tenant AND coalesce(m.counted_from, m.entered_on) <= d.day
      AND (m.left_on IS NULL OR coalesce(m.counted_to, m.left_on) >= d.day)
      AND (who IS NULL OR m.worker_id = ANY (who))
    JOIN sites w ON w.tenant_id = tenant AND w.id = m.site_id AND w.start_date <= d.day AND w.status <> 2
      AND w.deleted_at IS NULL
    JOIN workers k ON k.tenant_id = tenant AND k.id = m.worker_id),
  several AS (
    SELECT s.day, s.worker_id FROM stands s
    GROUP BY 1, 2 HAVING count(DISTINCT s.site_id) > 1),
  best AS (
    SELECT DISTINCT ON (s.day, s.worker_id) s.day, s.worker_id, s.site_id
    FROM stands s
    JOIN several v USING (day, worker_id)
    ORDER BY s.day, s.worker_id,
      EXISTS (SELECT 1 FROM site_stages g WHERE g.tenant_id = tenant AND g.site_id = s.site_id AND g.stage = s.stage
        AND coalesce(g.actual_start, g.planned_start) <= s.day
        AND coalesce(g.actual_finish, g.planned_finish) >= s.day) DESC,
      EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = tenant AND a.day = s.day AND a.site_id = s.site_id
        AND a.worker_id = s.worker_id) DESC,
      s.entered_on DESC, s.site_id DESC),
  gone AS (
    DELETE FROM day_posts p
    WHERE NOT missing AND p.tenant_id = tenant AND p.day = ANY (days) AND (who IS NULL OR p.worker_id = ANY (who))
      AND NOT EXISTS (SELECT 1 FROM best b WHERE b.day = p.day AND b.worker_id = p.worker_id)
    RETURNING p.day, p.worker_id),
  put AS (
    INSERT INTO day_posts AS p (tenant_id, day, worker_id, site_id)
    SELECT tenant, b.day, b.worker_id, b.site_id FROM best b ORDER BY 2, 3
    ON CONFLICT (tenant_id, day, worker_id) DO UPDATE SET site_id = excluded.site_id
      WHERE NOT missing AND p.site_id <> excluded.site_id
    RETURNING p.day, p.worker_id)
  SELECT DISTINCT s.day, s.site_id
  FROM (SELECT * FROM gone UNION SELECT * FROM put) c
  JOIN stands s ON s.day = c.day AND s.worker_id = c.worker_id
$$;
