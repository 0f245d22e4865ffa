-- rankings.history
SELECT floor(extract(epoch FROM l.at))::float8 AS at, l.actor, l.reason, l.was::float8 AS was,
  l.weight::float8 AS weight, l.text
FROM rank_weight_logs l
WHERE l.tenant_id = $1 AND l.bc_id = $2
ORDER BY l.at DESC, l.id DESC
LIMIT 30;

-- rankings.learn
INSERT INTO rank_weights AS k (tenant_id, bc_id, reason, weight, learned_on, changed_by, changed_at, version)
SELECT $1::uuid, x.bc, x.reason, x.weight, $3::date, '系统', $4, 1
FROM json_to_recordset($2::json) AS x(bc uuid, reason text, weight numeric)
ON CONFLICT (tenant_id, bc_id, reason) DO UPDATE SET weight = excluded.weight, learned_on = excluded.learned_on,
  changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = k.version + 1
WHERE NOT k.pinned AND (k.learned_on IS NULL OR k.learned_on < excluded.learned_on)
RETURNING k.bc_id AS bc, k.reason;

-- rankings.log
INSERT INTO rank_weight_logs (tenant_id, id, bc_id, reason, at, actor, was, weight, text)
SELECT $1::uuid, x.id, x.bc, x.reason, $3, x.actor, x.was, x.weight, x.text
FROM json_to_recordset($2::json)
  AS x(id uuid, bc uuid, reason text, actor text, was numeric, weight numeric, text text);

-- rankings.page
WITH page AS MATERIALIZED (SELECT k.* FROM site_ranks k WHERE k.tenant_id = $1::uuid AND k.day = $2::date
  ORDER BY k.rank ASC, k.site_id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT k.site_id AS id, w.ws_name AS "siteName", k.bc_id, c.bc_name, w.stage,
coalesce(m.nickname, '') AS "managerName", k.rank, round(k.score::numeric, 2)::float8 AS score, k.reasons,
floor(extract(epoch FROM v.last))::float8 AS "lastAt",
  floor(extract(epoch FROM v.done))::float8 AS "doneAt" FROM page k JOIN sites w ON w.tenant_id = $1
    AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
CROSS JOIN LATERAL (
  SELECT max(p.submitted_at) AS last,
    min(p.submitted_at) FILTER (WHERE p.submitted_at >= (k.day::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND p.submitted_at < ((k.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS done
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.site_id = k.site_id AND p.status = 2) v ORDER BY k.rank ASC, k.site_id) r),
    '[]'::json)::text AS list,
  (SELECT count(*) FROM site_ranks k WHERE k.tenant_id = $1::uuid AND k.day = $2::date)::int AS total;

-- rankings.set
INSERT INTO rank_weights AS k (tenant_id, bc_id, reason, weight, pinned, learned_on, changed_by, changed_at,
  version)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now, 1)
ON CONFLICT (tenant_id, bc_id, reason) DO UPDATE SET weight = excluded.weight, pinned = excluded.pinned,
  changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = k.version + 1
WHERE k.version = $8;

-- rankings.weights
SELECT c.bc_id AS bc, r.reason, coalesce(k.weight::float8, r.first) AS weight, coalesce(k.pinned, false) AS pinned,
  k.learned_on AS "learnedOn", coalesce(k.changed_by, '') AS by, floor(extract(epoch FROM k.changed_at))::float8 AS at,
  coalesce(k.version, 0) AS version
FROM companies c
CROSS JOIN json_to_recordset($2::json) AS r(reason text, first float8)
LEFT JOIN rank_weights k ON k.tenant_id = $1 AND k.bc_id = c.bc_id AND k.reason = r.reason
WHERE c.tenant_id = $1 AND ($3::uuid IS NULL OR c.bc_id = $3)
ORDER BY c.bc_id, r.reason;

-- rankings.write
WITH s AS (
  SELECT w.id, w.bc_id, w.open_alarms, w.no_work_run, w.start_date, b.size,
    greatest(1, round(b.size * 0.1))::int AS chance
  FROM (SELECT c.bc_id,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'rankSize' AND (s.bc_id = c.bc_id
      OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '10'::jsonb)::text::int AS size
    FROM companies c
    WHERE c.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM site_ranks x
      WHERE x.tenant_id = $1 AND x.bc_id = c.bc_id AND x.day = $2::date)) b
  JOIN sites w ON w.tenant_id = $1 AND w.bc_id = b.bc_id AND w.status = 1
    AND w.deleted_at IS NULL),
untidy AS (
  SELECT t.site_id, count(*)::int AS n
  FROM tidiness_checks t
  WHERE t.tenant_id = $1 AND t.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai') - interval '7 days'
    AND t.at < ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.result = 3 AND NOT t.replaced
  GROUP BY 1),
covering AS (
  SELECT DISTINCT ON (g.site_id) g.site_id, g.stage, g.planned_finish - $2::date AS n
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.stage = ANY ($3) AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL
    AND g.planned_finish BETWEEN $2::date - 3 AND $2::date + 3
  ORDER BY g.site_id, g.planned_finish),
promised AS (
  SELECT p.site_id, count(*)::int AS n
  FROM promises p
  WHERE p.tenant_id = $1 AND (p.state IN ('open', 'extended') AND p.due <= $2::date
    OR p.state = 'broken' AND p.changed_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai') - interval '14 days')
  GROUP BY 1),
-- What is kept from anybody speaks to nobody: the list says the same to all who read it.
complained AS (
  SELECT f.site_id, count(*)::int AS n
  FROM feedback f
  WHERE f.tenant_id = $1 AND f.kind = 'complaint' AND f.status IN (1, 2) AND f.hidden_from IS NULL
  GROUP BY 1),
given AS (
  SELECT s.id, r.code, r.n, r.stage, round(r.strength * coalesce(k.weight, r.first), 2) AS points
  FROM s
  CROSS JOIN LATERAL (
    SELECT max((p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date) AS day
    FROM patrols p
    WHERE p.tenant_id = $1 AND p.site_id = s.id AND p.kind IN ('scene', 'plan')
      AND p.status = 2 AND p.submitted_at < ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')) v
  LEFT JOIN untidy u ON u.site_id = s.id
  LEFT JOIN covering g ON g.site_id = s.id
  LEFT JOIN promised o ON o.site_id = s.id
  LEFT JOIN complained f ON f.site_id = s.id
  CROSS JOIN LATERAL (SELECT $2::date - coalesce(v.day, s.start_date) AS days) d
  CROSS JOIN LATERAL (VALUES
    ('alarms', s.open_alarms, NULL, least(s.open_alarms::numeric / 5, 1), 1),
    ('untidy', u.n, NULL, least(coalesce(u.n, 0)::numeric / 3, 1), 0.8),
    ('silence', s.no_work_run, NULL, CASE WHEN s.no_work_run >= 2
      THEN least(s.no_work_run::numeric / 7, 1) END, 0.8),
    ('unvisited', d.days, NULL, CASE WHEN d.days >= 3
      THEN least(d.days::numeric / 14, 1) END, 1),
    ('covering', g.n, g.stage, CASE WHEN g.n IS NOT NULL
      THEN 1 - greatest(g.n, 0)::numeric / 4 END, 1.2),
    ('promises', o.n, NULL, least(coalesce(o.n, 0)::numeric / 3, 1), 0.8),
    ('complaints', f.n, NULL, least(coalesce(f.n, 0)::numeric / 2, 1),
      1)
  ) r(code, n, stage, strength, first)
  LEFT JOIN rank_weights k ON k.tenant_id = $1 AND k.bc_id = s.bc_id AND k.reason = r.code
  WHERE r.strength > 0),
scored AS (
  SELECT s.id, s.bc_id, s.size - s.chance AS best, s.chance, coalesce(sum(g.points), 0) AS score,
    coalesce(jsonb_agg(jsonb_build_object('code', g.code, 'n', g.n, 'stage', g.stage, 'points', g.points)
      ORDER BY g.points DESC, g.code) FILTER (WHERE g.code IS NOT NULL), '[]') AS reasons
  FROM s
  LEFT JOIN given g ON g.id = s.id
  GROUP BY 1, 2, 3, 4),
placed AS (
  SELECT o.*, row_number() OVER (PARTITION BY o.bc_id ORDER BY o.score DESC, o.id) <= o.best
    AND o.score > 0 AS chosen
  FROM scored o),
drawn AS (
  SELECT o.*, row_number() OVER (PARTITION BY o.bc_id, o.chosen ORDER BY md5(o.id::text || $2)) AS lot
  FROM placed o)
INSERT INTO site_ranks (tenant_id, bc_id, site_id, day, rank, score, reasons)
SELECT $1::uuid, o.bc_id, o.id, $2::date,
  row_number() OVER (PARTITION BY o.bc_id ORDER BY o.chosen DESC, o.score DESC, o.id), o.score,
  CASE WHEN o.chosen THEN o.reasons
  ELSE '[{"code": "random", "n": null, "stage": null, "points": 0}]'::jsonb || o.reasons END
FROM drawn o
WHERE o.chosen OR o.lot <= o.chance
ON CONFLICT (tenant_id, site_id, day) DO NOTHING;

-- rankings.yields
WITH made AS (
  SELECT p.id, p.bc_id, p.site_id, (p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date AS day,
    p.problems > 0 OR coalesce(p.tidiness, 4) = 3 AS found
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.status = 2 AND ($4::uuid IS NULL OR p.bc_id = $4)
    AND p.submitted_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND p.submitted_at < ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
SELECT m.bc_id AS bc, '' AS code, count(*)::int AS n, (count(*) FILTER (WHERE m.found))::int AS found
FROM made m
GROUP BY 1
UNION ALL
SELECT m.bc_id, m.code, count(*)::int, (count(*) FILTER (WHERE m.found))::int
FROM (SELECT DISTINCT d.id, d.bc_id, e.code, d.found
  FROM site_ranks k
  JOIN made d ON d.site_id = k.site_id AND d.day BETWEEN k.day AND k.day + 2
  CROSS JOIN LATERAL jsonb_to_recordset(k.reasons) AS e(code text)
  WHERE k.tenant_id = $1 AND k.day BETWEEN $2::date - 2 AND $3::date) m
GROUP BY 1, 2;
