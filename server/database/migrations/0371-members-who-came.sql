-- A rate of attendance is of members: those who came of those who were expected; guests stand beside (0005).
-- Who stands on several sites is expected at one of them a day. What was decided for a day stays decided: later plans
-- do not change it, a late punch of the day does.
CREATE TABLE day_posts (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  day       date NOT NULL,
  worker_id uuid NOT NULL,
  -- Nullable by its type alone, so that a reach of single sites sees where else somebody is expected.
  site_id   uuid,
  PRIMARY KEY (tenant_id, day, worker_id),
  FOREIGN KEY (tenant_id, worker_id) REFERENCES workers,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
CREATE INDEX day_posts_worker ON day_posts (tenant_id, worker_id, day);
SELECT protect('day_posts');

-- Where people of several sites are expected on these days: where the plan has their trade's stage, else where they
-- came, else where they were sent last. `missing`: only what nobody has decided yet. Answers whose people changed.
-- Whoever sends, recalls or makes up may see less than all sites of a person: the owner decides.
CREATE FUNCTION decide_posts(tenant uuid, days date[], who uuid[], missing boolean)
RETURNS TABLE (day date, site uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
  WITH stands AS (
    SELECT d.day, m.worker_id, m.site_id, m.entered_on, CASE k.w_type WHEN 3 THEN 'tiling' WHEN 4 THEN 'carpentry'
      WHEN 5 THEN 'painting' WHEN 6 THEN 'plumbing' END AS stage
    FROM unnest(days) AS d(day)
    JOIN site_members m ON m.tenant_id = tenant AND m.entered_on <= d.day
      AND (m.left_on IS NULL OR m.left_on >= d.day) AND (who IS NULL OR m.worker_id = ANY (who))
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
REVOKE EXECUTE ON FUNCTION decide_posts(uuid, date[], uuid[], boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_posts(uuid, date[], uuid[], boolean) TO :app_role, :system_role;

ALTER TABLE branch_attend ADD COLUMN guests int NOT NULL DEFAULT 0;
-- `e` are members who came, `f` everybody else who came.
CREATE OR REPLACE FUNCTION add_branch_attend(changes jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO branch_attend AS k (tenant_id, day, bc_id, sites, worked, no_work, present, absent, due, attended, guests)
  SELECT (c->>'t')::uuid, (c->>'d')::date, (c->>'b')::uuid, (c->>'s')::int, (c->>'w')::int, (c->>'n')::int,
    (c->>'p')::int, (c->>'a')::int, (c->>'u')::int, (c->>'e')::int, (c->>'f')::int
  FROM jsonb_array_elements(changes) c ORDER BY 1, 2, 3
  ON CONFLICT (tenant_id, bc_id, day) DO UPDATE SET sites = k.sites + excluded.sites,
    worked = k.worked + excluded.worked, no_work = k.no_work + excluded.no_work, present = k.present + excluded.present,
    absent = k.absent + excluded.absent, due = k.due + excluded.due,
    attended = k.attended + excluded.attended, guests = k.guests + excluded.guests
$$;
CREATE OR REPLACE FUNCTION keep_branch_attend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sums constant text := 'SELECT jsonb_agg(x) FROM (SELECT tenant_id AS t, day AS d, bc_id AS b, sum(g) AS s,
    sum(g * (present > 0)::int) AS w, sum(g * no_work::int) AS n, sum(g * present) AS p, sum(g * absent) AS a,
    sum(CASE WHEN rest OR (blind AND present = 0) THEN 0 ELSE g * expected END) AS u,
    sum(CASE WHEN rest THEN 0 ELSE g * (expected - absent) END) AS e,
    sum(g * (present - expected + absent)) AS f FROM (%s) r GROUP BY 1, 2, 3) x
    WHERE (s, w, n, p, a, u, e, f) <> (0, 0, 0, 0, 0, 0, 0, 0)';
  plus constant text :=
    'SELECT 1 AS g, tenant_id, day, bc_id, present, absent, expected, no_work, rest, blind FROM added';
  minus constant text :=
    'SELECT -1 AS g, tenant_id, day, bc_id, present, absent, expected, no_work, rest, blind FROM removed';
  changes jsonb;
BEGIN
  EXECUTE format(sums, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus
    ELSE plus || ' UNION ALL ' || minus END) INTO changes;
  IF changes IS NOT NULL THEN PERFORM add_branch_attend(changes); END IF;
  RETURN NULL;
END $$;

-- The days that are kept are recounted: where people of several sites were expected, and who of the members came.
SET LOCAL app.tenant = '*';
CREATE TEMP TABLE recounted AS
SELECT t.id AS tenant, p.day, p.site
FROM tenants t
CROSS JOIN LATERAL decide_posts(t.id,
  (SELECT array_agg(DISTINCT d.day) FROM site_days d WHERE d.tenant_id = t.id),
  (SELECT array_agg(x.worker_id) FROM (SELECT m.worker_id FROM site_members m WHERE m.tenant_id = t.id
     GROUP BY 1 HAVING count(DISTINCT m.site_id) > 1) x), false) AS p
WHERE EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = t.id GROUP BY m.worker_id
  HAVING count(DISTINCT m.site_id) > 1);
UPDATE site_days k
SET expected = n.expected, absent = n.absent
FROM recounted r
CROSS JOIN LATERAL (
  SELECT count(*)::int AS expected, (count(*) FILTER (WHERE NOT came))::int AS absent
  FROM (
    SELECT DISTINCT m.worker_id, EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = r.tenant
      AND a.day = r.day AND a.site_id = r.site AND a.worker_id = m.worker_id) AS came
    FROM site_members m
    WHERE m.tenant_id = r.tenant AND m.site_id = r.site AND m.entered_on <= r.day
      AND (m.left_on IS NULL OR m.left_on >= r.day)
      AND NOT EXISTS (SELECT 1 FROM day_posts p WHERE p.tenant_id = r.tenant AND p.day = r.day
        AND p.worker_id = m.worker_id AND p.site_id <> r.site)) one) n
WHERE k.tenant_id = r.tenant AND k.day = r.day AND k.site_id = r.site;
DROP TABLE recounted;
UPDATE branch_attend k
SET attended = n.attended, guests = n.guests
FROM (
  SELECT d.tenant_id, d.bc_id, d.day,
    coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
    sum(d.present - d.expected + d.absent)::int AS guests
  FROM site_days d
  GROUP BY 1, 2, 3) n
WHERE k.tenant_id = n.tenant_id AND k.bc_id = n.bc_id AND k.day = n.day;
