-- tidiness.alone
UPDATE tidiness_checks t SET replaced = t.id <> $2
FROM tidiness_checks k
WHERE k.tenant_id = $1 AND k.id = $2 AND t.tenant_id = $1 AND t.site_id = k.site_id AND t.picture = k.picture
  AND t.at BETWEEN k.at - interval '1 day' AND k.at + interval '1 day' AND t.replaced <> (t.id <> $2);

-- tidiness.before
SELECT p.id, floor(extract(epoch FROM p.at))::float8 AS at, p.result, p.picture
FROM tidiness_checks t
JOIN tidiness_checks p ON p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
WHERE t.tenant_id = $1 AND t.id = $2 AND p.picture <> coalesce(t.picture, '')
  AND NOT p.replaced AND (p.at, p.id) < (t.at, t.id)
ORDER BY p.at DESC, p.id DESC
LIMIT 1;

-- tidiness.checks
INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, confidence, replaced)
SELECT t, i, b, s, d, to_timestamp(a), p, r, c, EXISTS (
  SELECT 1
  FROM tidiness_checks k
  WHERE k.tenant_id = t AND k.site_id = s AND k.picture = p AND k.source = 'patrol'
    AND k.at BETWEEN to_timestamp(a) - interval '1 day' AND to_timestamp(a) + interval '1 day')
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::text[],
    $8::smallint[], $9::real[]) AS x(t, i, b, s, d, a, p, r, c);

-- tidiness.correct
UPDATE tidiness_checks SET correction_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- tidiness.days
SELECT (t.at AT TIME ZONE 'Asia/Shanghai')::date::text AS day,
     count(*) FILTER (WHERE t.result = 4)::int AS skewed, count(*) FILTER (WHERE t.result <> 4)::int AS n,
count(*) FILTER (WHERE t.result = 1)::int AS excellent,
count(*) FILTER (WHERE t.result = 2)::int AS good,
count(*) FILTER (WHERE t.result = 3)::int AS poor
   FROM tidiness_checks t
   WHERE t.tenant_id = $1::uuid AND t.at >= to_timestamp($2) AND t.at < to_timestamp($3) AND NOT t.replaced
   GROUP BY 1;

-- tidiness.groups
SELECT c.bc_id AS id, c.bc_name AS name, min('') AS beside, count(*) FILTER (WHERE t.result <> 4)::int AS n,
count(*) FILTER (WHERE t.result = 1)::int AS excellent,
count(*) FILTER (WHERE t.result = 2)::int AS good,
count(*) FILTER (WHERE t.result = 3)::int AS poor,
     count(*) FILTER (WHERE t.at < to_timestamp($4))::int AS "earlyN",
     count(*) FILTER (WHERE t.at < to_timestamp($4) AND t.result = 1)::int AS "earlyExcellent",
     count(*) FILTER (WHERE t.at >= to_timestamp($4))::int AS "lateN",
     count(*) FILTER (WHERE t.at >= to_timestamp($4) AND t.result = 1)::int AS "lateExcellent",
     (count(*) OVER ())::int AS all
   FROM tidiness_checks t
   JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
   WHERE t.tenant_id = $1::uuid AND t.at >= to_timestamp($2) AND t.at < to_timestamp($3) AND t.result <> 4
     AND NOT t.replaced
   GROUP BY 1, 2
   ORDER BY avg((t.result = 3)::int) DESC, avg((t.result = 1)::int), 1
   LIMIT 50;

-- tidiness.history
SELECT floor(extract(epoch FROM j.at))::float8 AS at, j.actor, j.was, j.result, j.reason
FROM tidiness_judgings j
WHERE j.tenant_id = $1 AND j.check_id = $2
ORDER BY j.at DESC, j.id DESC;

-- tidiness.judge
UPDATE tidiness_checks
SET result = $3, given = coalesce(given, result), judged_by = $4, judged_at = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- tidiness.judging
INSERT INTO tidiness_judgings (tenant_id, id, check_id, at, actor, was, result, reason)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- tidiness.lock
SELECT t.id, t.picture, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, t.device_id,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM t.at))::float8 AS at, t.result, t.source,
  round(t.confidence::numeric, 4)::float8 AS confidence,
  CASE WHEN t.result = 4 OR t.device_id IS NULL OR t.replaced THEN NULL WHEN l.result IS NULL THEN 'first'
  WHEN t.result < l.result THEN 'better' WHEN t.result > l.result THEN 'worse' ELSE 'same' END AS change,
  l.result AS "lastResult", t.given, coalesce(t.judged_by, '') AS "judgedBy",
  floor(extract(epoch FROM t.judged_at))::float8 AS "judgedAt", t.correction_id,
    k.correction_status AS "correctionStatus", t.replaced,
  t.version FROM tidiness_checks t JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id
LEFT JOIN LATERAL (
  SELECT p.result
  FROM tidiness_checks p
  WHERE p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
    AND p.result <> 4 AND NOT p.replaced AND p.picture IS DISTINCT FROM coalesce(t.picture, '')
    AND (p.at, p.id) < (t.at, t.id)
  ORDER BY p.at DESC, p.id DESC
  LIMIT 1) l ON true WHERE t.tenant_id = $1::uuid AND t.id = $2::uuid FOR UPDATE OF t;

-- tidiness.look
INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, source)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'patrol');

-- tidiness.missed
SELECT x.time, w.id AS site_id, w.ws_name AS "siteName", w.bc_id, c.bc_name, d.cameras, d.online,
  (SELECT floor(extract(epoch FROM max(l.at)))::float8 FROM tidiness_checks l WHERE l.tenant_id = $1
    AND l.site_id = w.id) AS "lastAt"
FROM sites w
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
CROSS JOIN LATERAL (
  SELECT count(*)::int AS cameras,
    (count(*) FILTER (WHERE v.device_status = 1))::int AS online
  FROM devices v
  WHERE v.tenant_id = $1 AND v.site_id = w.id AND v.type = 'camera'
    AND v.deleted_at IS NULL) d
CROSS JOIN LATERAL jsonb_array_elements_text(coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1
  AND s.key = 'tidinessTimes' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
    '[]'::jsonb)) x(time)
CROSS JOIN LATERAL (
  SELECT ((:now AT TIME ZONE 'Asia/Shanghai')::date + x.time::time) AT TIME ZONE 'Asia/Shanghai' AS due) m
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1 AND d.cameras > 0
  AND m.due + interval '30 minutes' <= :now
  AND NOT rest_day($1, w.bc_id, (:now AT TIME ZONE 'Asia/Shanghai')::date)
  AND NOT EXISTS (SELECT 1 FROM tidiness_checks t
    WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.at >= m.due - interval '30 minutes'
      AND t.at <= m.due + interval '30 minutes')
ORDER BY x.time DESC, c.bc_name, w.ws_name, w.id
LIMIT 1000;

-- tidiness.one
SELECT t.id, t.picture, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, t.device_id,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM t.at))::float8 AS at, t.result, t.source,
  round(t.confidence::numeric, 4)::float8 AS confidence,
  CASE WHEN t.result = 4 OR t.device_id IS NULL OR t.replaced THEN NULL WHEN l.result IS NULL THEN 'first'
  WHEN t.result < l.result THEN 'better' WHEN t.result > l.result THEN 'worse' ELSE 'same' END AS change,
  l.result AS "lastResult", t.given, coalesce(t.judged_by, '') AS "judgedBy",
  floor(extract(epoch FROM t.judged_at))::float8 AS "judgedAt", t.correction_id,
    k.correction_status AS "correctionStatus", t.replaced,
  t.version, coalesce(m.nickname, '') AS "managerName", coalesce(s.nickname, '') AS "stewardName"
  FROM tidiness_checks t
  JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id
LEFT JOIN LATERAL (
  SELECT p.result
  FROM tidiness_checks p
  WHERE p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
    AND p.result <> 4 AND NOT p.replaced AND p.picture IS DISTINCT FROM coalesce(t.picture, '')
    AND (p.at, p.id) < (t.at, t.id)
  ORDER BY p.at DESC, p.id DESC
  LIMIT 1) l ON true
  LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
  LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
  WHERE t.tenant_id = $1::uuid AND t.id = $2::uuid;

-- tidiness.page
WITH page AS MATERIALIZED (SELECT t.* FROM tidiness_checks t WHERE t.tenant_id = $1::uuid ORDER BY t.at DESC,
  t.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT t.id, t.picture, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, t.device_id,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM t.at))::float8 AS at, t.result, t.source,
  round(t.confidence::numeric, 4)::float8 AS confidence,
  CASE WHEN t.result = 4 OR t.device_id IS NULL OR t.replaced THEN NULL WHEN l.result IS NULL THEN 'first'
  WHEN t.result < l.result THEN 'better' WHEN t.result > l.result THEN 'worse' ELSE 'same' END AS change,
  l.result AS "lastResult", t.given, coalesce(t.judged_by, '') AS "judgedBy",
  floor(extract(epoch FROM t.judged_at))::float8 AS "judgedAt", t.correction_id,
    k.correction_status AS "correctionStatus", t.replaced,
  t.version FROM page t JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id
LEFT JOIN LATERAL (
  SELECT p.result
  FROM tidiness_checks p
  WHERE p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
    AND p.result <> 4 AND NOT p.replaced AND p.picture IS DISTINCT FROM coalesce(t.picture, '')
    AND (p.at, p.id) < (t.at, t.id)
  ORDER BY p.at DESC, p.id DESC
  LIMIT 1) l ON true ORDER BY t.at DESC, t.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM tidiness_checks t WHERE t.tenant_id = $1::uuid)::int AS total;

-- tidiness.places
SELECT 1
FROM sites w
JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
ORDER BY w.id FOR NO KEY UPDATE OF w;

-- tidiness.shots
SELECT t.id, t.picture, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name, t.device_id,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM t.at))::float8 AS at, t.result, t.source,
  round(t.confidence::numeric, 4)::float8 AS confidence,
  CASE WHEN t.result = 4 OR t.device_id IS NULL OR t.replaced THEN NULL WHEN l.result IS NULL THEN 'first'
  WHEN t.result < l.result THEN 'better' WHEN t.result > l.result THEN 'worse' ELSE 'same' END AS change,
  l.result AS "lastResult", t.given, coalesce(t.judged_by, '') AS "judgedBy",
  floor(extract(epoch FROM t.judged_at))::float8 AS "judgedAt", t.correction_id,
    k.correction_status AS "correctionStatus", t.replaced,
  t.version
  FROM (SELECT t.*, row_number() OVER (PARTITION BY t.site_id, t.device_id,
      date_trunc('day', t.at AT TIME ZONE 'Asia/Shanghai') ORDER BY t.at DESC, t.id DESC) AS nth
    FROM tidiness_checks t
    WHERE t.tenant_id = $1::uuid AND t.site_id IN (SELECT o.id FROM sites o WHERE o.tenant_id = $1
      AND (SELECT k.user_id FROM workers k WHERE k.tenant_id = $1 AND k.id = $2::uuid AND k.w_type IN (1,
        2)) IN (o.manager_id,
          o.steward_id)) AND t.at >= to_timestamp($3) AND t.at < to_timestamp($4) AND t.picture IS NOT NULL
            AND NOT t.replaced) t
  JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id
LEFT JOIN LATERAL (
  SELECT p.result
  FROM tidiness_checks p
  WHERE p.tenant_id = $1 AND p.site_id = t.site_id AND p.device_id = t.device_id
    AND p.result <> 4 AND NOT p.replaced AND p.picture IS DISTINCT FROM coalesce(t.picture, '')
    AND (p.at, p.id) < (t.at, t.id)
  ORDER BY p.at DESC, p.id DESC
  LIMIT 1) l ON true
  WHERE t.nth = 1
  ORDER BY t.at DESC, t.id DESC
  LIMIT 2000;

-- tidiness.sites
UPDATE sites w SET tidiness = n.result FROM unnest($1::uuid[], $2::uuid[]) AS k(tenant, site)
LEFT JOIN LATERAL (
  SELECT t.result
  FROM tidiness_checks t
  WHERE t.tenant_id = k.tenant AND t.site_id = k.site AND t.result <> 4 AND NOT t.replaced
  ORDER BY t.at DESC, t.id DESC
  LIMIT 1) n ON true
WHERE w.tenant_id = k.tenant AND w.id = k.site AND w.tidiness IS DISTINCT FROM n.result;
