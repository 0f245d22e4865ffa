-- attendance.building
SELECT w.id AS site
FROM sites w
WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= $2 AND w.deleted_at IS NULL;

-- attendance.calendar
UPDATE site_days k SET rest = NOT k.rest
WHERE k.tenant_id = $1 AND k.day >= (:now AT TIME ZONE 'Asia/Shanghai')::date AND k.bc_id = ANY ($2::uuid[])
  AND k.rest <> rest_day(k.tenant_id, k.bc_id, k.day);

-- attendance.count
SELECT k.day::text AS day, sum(k.present)::int AS present, sum(k.absent)::int AS absent
FROM branch_attend k
WHERE k.tenant_id = $1::uuid AND k.day = $2::date
GROUP BY 1 ORDER BY 1;

-- attendance.count.explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT k.day::text AS day, sum(k.present)::int AS present,
  sum(k.absent)::int AS absent
FROM branch_attend k
WHERE k.tenant_id = $1::uuid AND k.bc_id = $2::uuid AND k.day >= $3::date AND k.day <= $4::date
GROUP BY 1 ORDER BY 1;

-- attendance.days
INSERT INTO attendance_days AS k
  (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count, makeups)
SELECT tenant, day, site, worker, bc, to_timestamp(first), to_timestamp(last), count, makeups
FROM json_to_recordset($1::json)
  AS x(tenant uuid, day date, site uuid, worker uuid, bc uuid, first float8, last float8, count int, makeups int)
ON CONFLICT (tenant_id, day, site_id, worker_id) DO UPDATE SET
  first_at = least(k.first_at, excluded.first_at),
  last_at = greatest(k.last_at, excluded.last_at),
  count = k.count + excluded.count,
  makeups = k.makeups + excluded.makeups
RETURNING k.tenant_id AS tenant, k.day, k.site_id AS site, k.worker_id AS worker, k.count;

-- attendance.emptied
SELECT 1 FROM site_days d
WHERE d.tenant_id = $1 AND d.day = $2 AND d.site_id = $3 AND d.present = 0 AND NOT d.no_work AND NOT d.rest;

-- attendance.events
INSERT INTO attendance_events
  (tenant_id, id, bc_id, site_id, worker_id, device_id, event_id, at, day, direction, picture, similarity)
SELECT d.tenant, x.id, d.bc, d.site, x.worker, d.device, x.event, to_timestamp(x.at), x.day, x.direction,
  x.picture, x.similarity
FROM json_to_recordset($1::json)
  AS x(d int, id uuid, worker uuid, event text, at float8, day date, direction text, picture text, similarity real)
JOIN json_to_recordset($2::json) AS d(d int, tenant uuid, bc uuid, site uuid, device uuid) USING (d);

-- attendance.exits
UPDATE attendance_events e SET day = (e.at AT TIME ZONE 'Asia/Shanghai')::date - (e.direction = 'out'
  AND (e.at AT TIME ZONE 'Asia/Shanghai')::time <= '06:00' AND NOT EXISTS (
  SELECT 1 FROM attendance_events i
  WHERE i.tenant_id = $1 AND i.site_id = e.site_id AND i.worker_id = e.worker_id
    AND i.direction = 'in' AND i.at <= e.at
    AND i.at >= (e.at AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai'
      AND (i.source <> 'makeup'
  OR (i.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = i.id AND r.at = i.at)))))::int
WHERE e.tenant_id = $1 AND e.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND e.at < ($3::date + 1 + time '06:00' + interval '1 second') AT TIME ZONE 'Asia/Shanghai' AND e.direction = 'out'
    AND (e.at AT TIME ZONE 'Asia/Shanghai')::time <= '06:00'
  AND ($4::uuid IS NULL OR e.site_id = $4) AND ($5::uuid IS NULL OR e.worker_id = $5)
  AND e.reverses IS NULL AND e.day <> (e.at AT TIME ZONE 'Asia/Shanghai')::date - (e.direction = 'out'
    AND (e.at AT TIME ZONE 'Asia/Shanghai')::time <= '06:00' AND NOT EXISTS (
  SELECT 1 FROM attendance_events i
  WHERE i.tenant_id = $1 AND i.site_id = e.site_id AND i.worker_id = e.worker_id
    AND i.direction = 'in' AND i.at <= e.at
    AND i.at >= (e.at AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai'
      AND (i.source <> 'makeup'
  OR (i.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = i.id AND r.at = i.at)))))::int;

-- attendance.first
WITH days AS MATERIALIZED (
    SELECT k.day, sum(k.present)::int AS present
    FROM branch_attend k
    WHERE k.tenant_id = $1::uuid AND k.day = $2::date
    GROUP BY 1
    HAVING sum(k.present) > 0
  ), span AS MATERIALIZED (
    SELECT min(day) AS first, max(day) AS last
    FROM (SELECT day, sum(present) OVER (ORDER BY day DESC) - present AS before FROM days) d
    WHERE before < 20
  ), page AS MATERIALIZED (
    SELECT k.tenant_id, k.day, k.site_id, k.worker_id, k.bc_id, k.first_at, k.last_at, k.count, k.makeups
    FROM attendance_days k
    WHERE k.tenant_id = $1::uuid AND k.day = $2::date AND k.day >= (SELECT first FROM span) AND k.day <= (SELECT last
      FROM span)
    ORDER BY k.day DESC, k.first_at DESC, k.site_id, k.worker_id
    LIMIT 20
  )
  SELECT coalesce((
      SELECT json_agg(r)
      FROM (SELECT k.day || ':' || k.site_id || ':' || k.worker_id AS id,
k.worker_id, p.w_id, p.w_name, p.w_type, k.bc_id, c.bc_name, k.site_id, w.ws_name AS "siteName",
k.day::text AS day, floor(extract(epoch FROM k.first_at))::float8 AS "firstAt",
  floor(extract(epoch FROM k.last_at))::float8 AS "lastAt",
CASE
   WHEN k.last_at > k.first_at THEN round(extract(epoch FROM k.last_at - k.first_at) / 3600, 1)::float8 END AS hours,
     k.count, k.makeups, (SELECT e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = k.worker_id
     AND e.at >= $3::timestamptz AND e.at < $4::timestamptz AND e.at BETWEEN k.first_at AND k.last_at
     AND e.site_id = k.site_id AND e.picture IS NOT NULL ORDER BY e.at LIMIT 1) AS picture,
       1 AS status FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
 JOIN workers p ON p.tenant_id = $1 AND p.id = k.worker_id ORDER BY k.day DESC, k.first_at DESC, k.site_id,
   k.worker_id) r
    ), '[]'::json)::text AS list,
    (SELECT coalesce(sum(present), 0)::int FROM days) AS total;

-- attendance.first.explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) WITH days AS MATERIALIZED (
    SELECT k.day, sum(k.present)::int AS present
    FROM branch_attend k
    WHERE k.tenant_id = $1::uuid AND k.bc_id = $2::uuid AND k.day = $3::date
    GROUP BY 1
    HAVING sum(k.present) > 0
  ), span AS MATERIALIZED (
    SELECT min(day) AS first, max(day) AS last
    FROM (SELECT day, sum(present) OVER (ORDER BY day DESC) - present AS before FROM days) d
    WHERE before < 20
  ), page AS MATERIALIZED (
    SELECT k.tenant_id, k.day, k.site_id, k.worker_id, k.bc_id, k.first_at, k.last_at, k.count, k.makeups
    FROM attendance_days k
    WHERE k.tenant_id = $1::uuid AND k.bc_id = $2::uuid AND k.day = $3::date AND k.day >= (SELECT first FROM span)
      AND k.day <= (SELECT last FROM span)
    ORDER BY k.day DESC, k.first_at DESC, k.site_id, k.worker_id
    LIMIT 20
  )
  SELECT coalesce((
      SELECT json_agg(r)
      FROM (SELECT k.day || ':' || k.site_id || ':' || k.worker_id AS id,
k.worker_id, p.w_id, p.w_name, p.w_type, k.bc_id, c.bc_name, k.site_id, w.ws_name AS "siteName",
k.day::text AS day, floor(extract(epoch FROM k.first_at))::float8 AS "firstAt",
  floor(extract(epoch FROM k.last_at))::float8 AS "lastAt",
CASE
   WHEN k.last_at > k.first_at THEN round(extract(epoch FROM k.last_at - k.first_at) / 3600, 1)::float8 END AS hours,
     k.count, k.makeups, (SELECT e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = k.worker_id
     AND e.at >= $4::timestamptz AND e.at < $5::timestamptz AND e.at BETWEEN k.first_at AND k.last_at
     AND e.site_id = k.site_id AND e.picture IS NOT NULL ORDER BY e.at LIMIT 1) AS picture,
       1 AS status FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
 JOIN workers p ON p.tenant_id = $1 AND p.id = k.worker_id ORDER BY k.day DESC, k.first_at DESC, k.site_id,
   k.worker_id) r
    ), '[]'::json)::text AS list,
    (SELECT coalesce(sum(present), 0)::int FROM days) AS total;

-- attendance.forget
UPDATE attendance_events k
     SET picture = NULL
     FROM (SELECT e.id, e.worker_id, e.at,
       e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.bc_id = $2 AND e.at < $3
         AND e.picture IS NOT NULL AND NOT ((EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = e.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = e.site_id AND g.state = 'open'))
   OR EXISTS (SELECT 1 FROM recording_holds h
     WHERE h.tenant_id = $1 AND h.device_id = e.device_id AND h.released_at IS NULL AND h.until_at > :now
       AND h.from_at <= e.at AND h.to_at >= e.at)
   OR EXISTS (SELECT 1 FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id = e.site_id AND a.correction_status IN (1, 2)
       AND a.at BETWEEN e.at - interval '1 day' AND e.at + interval '1 day'))
AND NOT EXISTS (SELECT 1 FROM violations o
  WHERE o.tenant_id = $1 AND o.worker_id = e.worker_id AND o.status = 3)
       ORDER BY e.at LIMIT 500 FOR UPDATE OF e) x
     WHERE k.tenant_id = $1 AND k.worker_id = x.worker_id AND k.at = x.at AND k.id = x.id
     RETURNING x.picture;

-- attendance.hold
INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id, rest, tidiness)
SELECT x.tenant, x.day, x.site, w.bc_id, rest_day(w.tenant_id, w.bc_id, x.day),
  CASE WHEN x.day = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN w.tidiness END
FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid)
JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site
ORDER BY 1, 2, 3
ON CONFLICT (tenant_id, day, site_id)
DO UPDATE SET bc_id = k.bc_id
RETURNING k.tenant_id AS tenant, k.day, k.site_id AS site, k.no_work;

-- attendance.holdworkers
SELECT FROM workers k WHERE k.tenant_id = $1 AND k.id = ANY ($2) ORDER BY k.id FOR NO KEY UPDATE OF k;

-- attendance.known
SELECT $1::uuid AS tenant, day, site_id AS site
FROM site_days
WHERE tenant_id = $1 AND day BETWEEN $2 AND $3
UNION
SELECT $1, day, site_id
FROM attendance_days
WHERE tenant_id = $1 AND day BETWEEN $2 AND $3;

-- attendance.lock
SELECT count(*)
FROM (SELECT 1 FROM attendance_days k WHERE k.tenant_id = $1 AND k.day BETWEEN $2 AND $3 AND ($4::uuid IS NULL
  OR k.site_id = $4) AND ($5::uuid IS NULL OR k.worker_id = $5)
    ORDER BY k.day, k.site_id, k.worker_id FOR UPDATE) held;

-- attendance.moving
SELECT count(*)::int AS days FROM site_days WHERE tenant_id = $1 AND site_id = $2;

-- attendance.page
WITH page AS MATERIALIZED (SELECT k.tenant_id, k.day, k.site_id, k.worker_id, k.bc_id, k.first_at, k.last_at, k.count,
  k.makeups FROM attendance_days k  WHERE k.tenant_id = $1::uuid AND k.day = $2::date ORDER BY k.day DESC,
    k.first_at DESC, k.site_id, k.worker_id LIMIT 5)
   SELECT k.day || ':' || k.site_id || ':' || k.worker_id AS id,
k.worker_id, p.w_id, p.w_name, p.w_type, k.bc_id, c.bc_name, k.site_id, w.ws_name AS "siteName",
k.day::text AS day, floor(extract(epoch FROM k.first_at))::float8 AS "firstAt",
  floor(extract(epoch FROM k.last_at))::float8 AS "lastAt",
CASE
   WHEN k.last_at > k.first_at THEN round(extract(epoch FROM k.last_at - k.first_at) / 3600, 1)::float8 END AS hours,
     k.count, k.makeups, (SELECT e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = k.worker_id
     AND e.at >= $3::timestamptz AND e.at < $4::timestamptz AND e.at BETWEEN k.first_at AND k.last_at
     AND e.site_id = k.site_id AND e.picture IS NOT NULL ORDER BY e.at LIMIT 1) AS picture, 1 AS status
   FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
 JOIN workers p ON p.tenant_id = $1 AND p.id = k.worker_id
   ORDER BY k.day DESC, k.first_at DESC, k.site_id, k.worker_id;

-- attendance.page.explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) WITH page AS MATERIALIZED (SELECT k.tenant_id, k.day, k.site_id, k.worker_id,
  k.bc_id, k.first_at, k.last_at, k.count,
    k.makeups FROM attendance_days k  WHERE k.tenant_id = $1::uuid AND k.bc_id = $2::uuid AND k.day = $3::date
      ORDER BY k.day DESC, k.first_at DESC, k.site_id, k.worker_id LIMIT 20 OFFSET $4::int)
   SELECT k.day || ':' || k.site_id || ':' || k.worker_id AS id,
k.worker_id, p.w_id, p.w_name, p.w_type, k.bc_id, c.bc_name, k.site_id, w.ws_name AS "siteName",
k.day::text AS day, floor(extract(epoch FROM k.first_at))::float8 AS "firstAt",
  floor(extract(epoch FROM k.last_at))::float8 AS "lastAt",
CASE
   WHEN k.last_at > k.first_at THEN round(extract(epoch FROM k.last_at - k.first_at) / 3600, 1)::float8 END AS hours,
     k.count, k.makeups, (SELECT e.picture FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = k.worker_id
     AND e.at >= $5::timestamptz AND e.at < $6::timestamptz AND e.at BETWEEN k.first_at AND k.last_at
     AND e.site_id = k.site_id AND e.picture IS NOT NULL ORDER BY e.at LIMIT 1) AS picture, 1 AS status
   FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
 JOIN workers p ON p.tenant_id = $1 AND p.id = k.worker_id
   ORDER BY k.day DESC, k.first_at DESC, k.site_id, k.worker_id;

-- attendance.pictures
SELECT count(*)::int AS n FROM (SELECT 1 FROM attendance_events e WHERE e.tenant_id = $1 AND e.bc_id = $2 AND e.at < $3
  AND e.picture IS NOT NULL AND NOT ((EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = e.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = e.site_id AND g.state = 'open'))
   OR EXISTS (SELECT 1 FROM recording_holds h
     WHERE h.tenant_id = $1 AND h.device_id = e.device_id AND h.released_at IS NULL AND h.until_at > :now
       AND h.from_at <= e.at AND h.to_at >= e.at)
   OR EXISTS (SELECT 1 FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id = e.site_id AND a.correction_status IN (1, 2)
       AND a.at BETWEEN e.at - interval '1 day' AND e.at + interval '1 day'))
AND NOT EXISTS (SELECT 1 FROM violations o
  WHERE o.tenant_id = $1 AND o.worker_id = e.worker_id AND o.status = 3) LIMIT $4) k;

-- attendance.posts
SELECT p.day, p.site FROM decide_posts($1, $2::date[], $3::uuid[], $4) p;

-- attendance.present
SELECT k.id, k.w_name, k.w_type, masked_phone(k.w_contact) AS w_contact,
  floor(extract(epoch FROM p.at))::float8 AS since
FROM (SELECT DISTINCT ON (e.worker_id) e.tenant_id, e.worker_id, e.direction, e.at
  FROM attendance_events e
  WHERE e.tenant_id = $1::uuid AND e.site_id = $2::uuid AND e.at <= to_timestamp($3::float8)
    AND e.at >= date_trunc('day', to_timestamp($3::float8)
      AT TIME ZONE 'Asia/Shanghai' - time '06:00') AT TIME ZONE 'Asia/Shanghai' AND (e.source <> 'makeup'
  OR (e.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = e.id AND r.at = e.at)))
  ORDER BY e.worker_id, e.at DESC) p
JOIN workers k ON k.tenant_id = $1 AND k.id = p.worker_id
WHERE p.direction = 'in'
ORDER BY p.at, k.id;

-- attendance.punches
SELECT e.id, floor(extract(epoch FROM e.at))::float8 AS at, e.direction, e.source, e.picture,
  e.similarity::float8 AS similarity, coalesce(d.sn, '') AS "deviceSn",
    CASE WHEN e.similarity IS NOT NULL THEN (SELECT r.why FROM face_removals r
    WHERE r.tenant_id = e.tenant_id AND r.worker_id = e.worker_id AND r.opened_at <= e.at
      AND (r.ended_at IS NULL OR e.at < r.ended_at)
    ORDER BY r.opened_at DESC LIMIT 1) END AS "faceWhy",
  e.reason, e.actor,
  floor(extract(epoch FROM e.made_at))::float8 AS "madeAt",
  CASE
  WHEN r.id IS NOT NULL THEN json_build_object('actor', r.actor, 'at', floor(extract(epoch FROM r.made_at))::float8,
    'reason',
    r.reason) END AS withdrawn
FROM attendance_events e
LEFT JOIN devices d ON d.tenant_id = e.tenant_id AND d.id = e.device_id
LEFT JOIN attendance_events r ON r.tenant_id = e.tenant_id AND r.reverses = e.id AND r.at = e.at
WHERE e.tenant_id = $1::uuid AND e.site_id = $2::uuid AND e.worker_id = $3::uuid AND e.day = $4::date
  AND e.at >= $4::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND e.at < ($4::date + 1 + time '06:00' + interval '1 second') AT TIME ZONE 'Asia/Shanghai' AND e.reverses IS NULL
ORDER BY e.at, e.id;

-- attendance.recount
WITH n AS (SELECT k.day, k.site_id, k.worker_id, (array_agg(k.bc_id ORDER BY k.at))[1] AS bc_id, min(k.at) AS first_at,
  max(k.at) AS last_at, count(*)::int AS count, count(*) FILTER (WHERE k.source = 'makeup')::int AS makeups
  FROM attendance_events k WHERE k.tenant_id = $1 AND k.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
    AND k.at < ($3::date + 1 + time '06:00' + interval '1 second') AT TIME ZONE 'Asia/Shanghai' AND k.day BETWEEN $2
      AND $3 AND ($4::uuid IS NULL OR k.site_id = $4) AND ($5::uuid IS NULL OR k.worker_id = $5)
        AND (k.source <> 'makeup'
  OR (k.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = k.id AND r.at = k.at))) GROUP BY 1, 2, 3),
gone AS (DELETE FROM attendance_days k WHERE k.tenant_id = $1 AND k.day BETWEEN $2 AND $3 AND ($4::uuid IS NULL
  OR k.site_id = $4) AND ($5::uuid IS NULL OR k.worker_id = $5) AND NOT EXISTS (SELECT 1 FROM n WHERE n.day = k.day
    AND n.site_id = k.site_id AND n.worker_id = k.worker_id) RETURNING 1),
changed AS (UPDATE attendance_days k SET first_at = n.first_at, last_at = n.last_at, count = n.count,
  makeups = n.makeups FROM n
  WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id AND k.worker_id = n.worker_id AND (k.first_at,
    k.last_at, k.count, k.makeups) IS DISTINCT FROM (n.first_at, n.last_at, n.count, n.makeups) RETURNING 1),
added AS (INSERT INTO attendance_days (tenant_id, day, site_id, worker_id, bc_id, first_at, last_at, count, makeups)
  SELECT $1, n.day, n.site_id, n.worker_id, n.bc_id, n.first_at, n.last_at, n.count, n.makeups FROM n
  WHERE NOT EXISTS (SELECT 1 FROM attendance_days k WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id
    AND k.worker_id = n.worker_id) ON CONFLICT DO NOTHING RETURNING 1)
SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM changed) + (SELECT count(*) FROM added))::int AS n;

-- attendance.sitedays
UPDATE site_days k
 SET expected = n.expected, absent = n.absent, present = n.present, no_work = k.no_work AND n.present = 0
 FROM json_to_recordset($1::json) AS x(tenant uuid, day date, site uuid)
 CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE member))::int AS expected,
   (count(*) FILTER (WHERE member AND NOT came))::int AS absent, (count(*) FILTER (WHERE came))::int AS present
FROM (SELECT bool_or(member) AS member, bool_or(came) AS came FROM (
  SELECT m.worker_id, true AS member,
    false AS came FROM site_members m WHERE m.tenant_id = x.tenant AND m.site_id = x.site AND coalesce(m.counted_from,
      m.entered_on) <= x.day
   AND (m.left_on IS NULL OR coalesce(m.counted_to,
     m.left_on) >= x.day) AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = x.tenant
   AND o.day = x.day AND o.worker_id = m.worker_id AND o.site_id <> m.site_id)
  UNION ALL SELECT a.worker_id, false,
    true FROM attendance_days a WHERE a.tenant_id = x.tenant AND a.day = x.day
      AND a.site_id = x.site) one GROUP BY worker_id) people) n
 WHERE k.tenant_id = x.tenant AND k.day = x.day AND k.site_id = x.site
   AND (k.expected, k.absent, k.present, k.no_work) IS DISTINCT FROM (n.expected, n.absent, n.present,
     k.no_work AND n.present = 0);

-- attendance.still
SELECT w.tenant_id AS tenant, w.id AS site
FROM sites w
JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
WHERE w.no_work_run > 0;

-- attendance.tidiness
UPDATE site_days k SET tidiness = w.tidiness
FROM unnest($1::uuid[], $2::uuid[]) AS x(tenant, site)
JOIN sites w ON w.tenant_id = x.tenant AND w.id = x.site
WHERE k.tenant_id = x.tenant
  AND k.day = (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND k.site_id = x.site
  AND k.tidiness IS DISTINCT FROM w.tidiness;

-- makeup.entered
SELECT 1 FROM attendance_events e
WHERE e.tenant_id = $1 AND e.site_id = $2 AND e.worker_id = $3 AND e.direction = 'in' AND (e.source <> 'makeup'
  OR (e.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = e.id AND r.at = e.at)))
  AND e.at >= $4 AND e.at <= $5
LIMIT 1;

-- makeup.event
INSERT INTO attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source,
    reason, actor_id, actor, made_at, reverses)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'makeup', $9, $10, $11, $12, $13);

-- makeup.month
SELECT ensure_months($1::date, $1::date + 1);

-- makeup.one
SELECT e.bc_id, e.site_id, e.worker_id, k.w_name, e.at, e.day, e.direction
FROM attendance_events e
JOIN workers k ON k.tenant_id = e.tenant_id AND k.id = e.worker_id
WHERE e.tenant_id = $1::uuid AND e.id = $2::uuid AND e.source = 'makeup' AND e.reverses IS NULL;

-- makeup.overlap
SELECT w.ws_name, to_char(s.begun AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS from,
  to_char(s.ended AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS to
FROM (
  SELECT e.site_id, e.made_at, min(e.at) AS begun, max(e.at) AS ended
  FROM attendance_events e
  WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.source = 'makeup' AND (e.source <> 'makeup'
  OR (e.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = $1
  AND r.reverses = e.id AND r.at = e.at)))
    AND e.at > $4::timestamptz - interval '1 day' AND e.at < $5::timestamptz + interval '1 day'
    AND e.id <> ALL ($3::uuid[])
  GROUP BY e.site_id, e.made_at) s
JOIN sites w ON w.tenant_id = $1 AND w.id = s.site_id
WHERE s.begun < $5 AND s.ended > $4
LIMIT 1;

-- makeup.person
SELECT k.w_name FROM workers k WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid;

-- makeup.place
SELECT w.bc_id, w.ws_name, min(m.entered_on)::text AS entered,
  coalesce(bool_or(m.entered_on <= $4::date AND (m.left_on IS NULL OR m.left_on >= $4::date)), false) AS member
FROM sites w
LEFT JOIN site_members m ON m.tenant_id = $1 AND m.site_id = w.id AND m.worker_id = $3::uuid
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL
GROUP BY w.bc_id, w.ws_name;

-- makeup.reversed
SELECT 1 FROM attendance_events WHERE tenant_id = $1 AND reverses = $2 AND at = $3;

-- makeup.twice
SELECT e.at FROM attendance_events e WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.site_id = $3
  AND e.at = ANY ($4::timestamptz[]) AND e.source = 'makeup' AND e.reverses IS NULL
AND NOT EXISTS (SELECT 1 FROM attendance_events r WHERE r.tenant_id = e.tenant_id AND r.reverses = e.id
  AND r.at = e.at) GROUP BY e.at HAVING count(*) > 1;

-- nowork.days
UPDATE site_days k SET expected = p.expected, absent = p.absent, present = p.present,
  no_work = p.present = 0 AND NOT k.rest AND n.known, blind = NOT n.known FROM sites w
 CROSS JOIN generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d
 CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE member))::int AS expected,
   (count(*) FILTER (WHERE member AND NOT came))::int AS absent, (count(*) FILTER (WHERE came))::int AS present
FROM (SELECT bool_or(member) AS member, bool_or(came) AS came FROM (
  SELECT m.worker_id, true AS member,
    false AS came FROM site_members m WHERE m.tenant_id = w.tenant_id AND m.site_id = w.id AND coalesce(m.counted_from,
      m.entered_on) <= d::date
   AND (m.left_on IS NULL OR coalesce(m.counted_to,
     m.left_on) >= d::date) AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = w.tenant_id
   AND o.day = d::date AND o.worker_id = m.worker_id AND o.site_id <> m.site_id)
  UNION ALL SELECT a.worker_id, false,
    true FROM attendance_days a WHERE a.tenant_id = w.tenant_id AND a.day = d::date
      AND a.site_id = w.id) one GROUP BY worker_id) people) p
 CROSS JOIN LATERAL (SELECT
   (NOT EXISTS (SELECT 1 FROM devices v WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id AND v.type IN ('camera',
     'faceTerminal'))
     OR EXISTS (SELECT 1 FROM devices v JOIN device_spans s ON s.tenant_id = v.tenant_id AND s.device_id = v.id
       AND s.state = 1
       WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id AND v.type IN ('camera', 'faceTerminal')
         AND s.from_at < ((d + interval '1 day') AT TIME ZONE 'Asia/Shanghai') AND coalesce(s.to_at,
           :now) > (d AT TIME ZONE 'Asia/Shanghai'))) AS known) n
 WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= d AND w.deleted_at IS NULL AND ($4::uuid[] IS NULL
   OR w.id = ANY ($4)) AND k.tenant_id = $1 AND k.day = d::date AND k.site_id = w.id;

-- nowork.hold
INSERT INTO site_days AS k (tenant_id, day, site_id, bc_id, rest)
SELECT w.tenant_id, d::date, w.id, w.bc_id, rest_day(w.tenant_id, w.bc_id, d::date)
FROM sites w
CROSS JOIN generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d
WHERE w.tenant_id = $1 AND w.status = 1 AND w.start_date <= d AND w.deleted_at IS NULL
  AND ($4::uuid[] IS NULL OR w.id = ANY ($4))
ORDER BY 1, 2, 3
ON CONFLICT (tenant_id, day, site_id)
DO UPDATE SET bc_id = k.bc_id;

-- nowork.runs
SELECT w.id, count(*) FILTER (WHERE d.no_work)::int AS sum,
  count(*) FILTER (WHERE d.no_work AND d.day > coalesce(p.last, '-infinity'))::int AS run
FROM sites w LEFT JOIN site_days d ON d.tenant_id = w.tenant_id AND d.site_id = w.id
LEFT JOIN LATERAL (SELECT max(l.day) AS last FROM site_days l WHERE l.tenant_id = w.tenant_id AND l.site_id = w.id
  AND l.present > 0) p ON true
WHERE w.tenant_id = $1 AND w.status = 1 AND w.deleted_at IS NULL AND ($2::uuid[] IS NULL
  OR w.id = ANY ($2)) GROUP BY w.id ORDER BY w.id;

-- nowork.stopped
UPDATE site_days k SET stopped = w.no_work <> '{}'
FROM sites w
WHERE k.tenant_id = $1 AND k.day = $2
  AND w.tenant_id = k.tenant_id AND w.id = k.site_id AND ($3::uuid[] IS NULL OR w.id = ANY ($3))
  AND k.stopped IS DISTINCT FROM (w.no_work <> '{}');

-- nowork.tidiness
UPDATE site_days k SET tidiness = n.result
FROM (
  SELECT d.day, d.site_id, (
    SELECT t.result
    FROM tidiness_checks t
    WHERE t.tenant_id = d.tenant_id
      AND t.site_id = d.site_id
      AND t.result IN (1, 2, 3)
      AND NOT t.replaced
      AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
    ORDER BY t.at DESC, t.id DESC
    LIMIT 1) AS result
  FROM site_days d
  WHERE d.tenant_id = $1 AND d.day BETWEEN $2 AND $3 AND ($4::uuid[] IS NULL OR d.site_id = ANY ($4))) n
WHERE k.tenant_id = $1 AND k.day = n.day AND k.site_id = n.site_id
  AND k.tidiness IS DISTINCT FROM n.result;

-- nowork.write
UPDATE sites w SET no_work_run = x.run, no_work_sum = x.sum,
  no_work = ARRAY(SELECT json_array_elements_text(x.codes)::smallint),
  stop_reason = CASE WHEN x.run > 0 THEN w.stop_reason END,
  stop_remark = CASE WHEN x.run > 0 THEN w.stop_remark ELSE '' END,
  stop_until = CASE WHEN x.run > 0 THEN w.stop_until END,
  stop_order_id = CASE WHEN x.run > 0 THEN w.stop_order_id END,
  stop_question_id = CASE WHEN x.run > 0 THEN w.stop_question_id END,
  stop_told_at = CASE WHEN x.run > 0 THEN w.stop_told_at END,
  stop_noticed_at = CASE WHEN x.run > 0 THEN w.stop_noticed_at END
FROM json_to_recordset($2::json) AS x(id uuid, run int, sum int, codes json)
WHERE w.tenant_id = $1 AND w.id = x.id AND (w.no_work_run, w.no_work_sum) IS DISTINCT FROM (x.run, x.sum)
RETURNING w.id, w.no_work_run AS run;
