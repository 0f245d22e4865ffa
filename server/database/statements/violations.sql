-- violations.add
INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, picture, remark, points, entered_id,
  changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- violations.holdworker
SELECT FROM workers k WHERE k.tenant_id = $1 AND k.id = $2 FOR NO KEY UPDATE OF k;

-- violations.known
SELECT EXISTS (SELECT FROM violations v
WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.worker_id = $3 AND v.type = $4 AND v.at = $5
  AND v.entered_id IS NOT NULL) AS known;

-- violations.lapse
UPDATE violations
SET status = 5, judged_id = NULL, due_at = NULL, changed_by = $3, changed_at = :now,
  version = version + 1
WHERE tenant_id = $1 AND alarm_id = $2 AND status <> 5
RETURNING id, worker_id, objected_id;

-- violations.lock
SELECT v.id, v.worker_id, k.w_id, k.w_name, k.w_type, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
  v.type, floor(extract(epoch FROM v.at))::float8 AS at, v.alarm_id, v.picture, v.remark, v.points, v.status,
  floor(extract(epoch FROM v.due_at))::float8 AS "dueAt",
  coalesce(u.nickname, '') AS "enteredBy", v.entered_id, v.handled_id, v.objected_id, v.version,
    v.changed_by AS "changedBy", floor(extract(epoch FROM v.changed_at))::float8 AS "changedAt",
    w.manager_id, w.steward_id
  FROM violations v JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.entered_id
  WHERE v.tenant_id = $1::uuid AND v.id = $2::uuid
  FOR UPDATE OF v;

-- violations.log
INSERT INTO violation_logs (tenant_id, id, violation_id, actor, action, text, at)
VALUES ($1, $2, $3, $4, $5, $6, :now);

-- violations.logs
SELECT floor(extract(epoch FROM at))::float8 AS at, actor, action, text
FROM violation_logs
WHERE tenant_id = $1 AND violation_id = $2
ORDER BY violation_logs.at, id;

-- violations.missed
INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, alarm_id, picture, points, status)
SELECT a.tenant_id, gen_random_uuid(), a.bc_id, a.site_id, a.worker_id, a.type, a.at, a.id, a.picture,
  (CASE a.type WHEN 'smoking' THEN coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1
    AND s.key = 'violationPoints.smoking' AND (s.bc_id = a.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '5'::jsonb)
    ELSE coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'violationPoints.noclothes'
      AND (s.bc_id = a.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '2'::jsonb) END)::text::smallint,
  CASE a.correction_status WHEN 3 THEN 2 ELSE 1 END
FROM alarms a
WHERE a.tenant_id = $1 AND a.verdict = 'real' AND a.worker_id IS NOT NULL
  AND a.type IN ('noclothes', 'smoking') AND a.correction_status <> 4
ON CONFLICT (tenant_id, alarm_id) DO NOTHING;

-- violations.move
UPDATE violations
SET status = $3,
  handled_id = CASE WHEN $4 = 'handle' THEN $5::uuid ELSE handled_id END,
  objected_id = CASE WHEN $4 = 'object' THEN $5::uuid ELSE objected_id END,
  due_at = $7,
  judged_id = CASE WHEN $4 IN ('uphold', 'withdraw') THEN $5::uuid ELSE judged_id END,
  changed_by = $6, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- violations.one
SELECT v.id, v.worker_id, k.w_id, k.w_name, k.w_type, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
  v.type, floor(extract(epoch FROM v.at))::float8 AS at, v.alarm_id, v.picture, v.remark, v.points, v.status,
  floor(extract(epoch FROM v.due_at))::float8 AS "dueAt",
  coalesce(u.nickname, '') AS "enteredBy", v.entered_id, v.handled_id, v.objected_id,
    v.version FROM violations v JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.entered_id WHERE v.tenant_id = $1::uuid AND v.id = $2::uuid;

-- violations.page
WITH page AS MATERIALIZED (SELECT v.* FROM violations v WHERE v.tenant_id = $1::uuid ORDER BY v.at DESC,
  v.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT v.id, v.worker_id, k.w_id, k.w_name, k.w_type, v.site_id, w.ws_name AS "siteName", v.bc_id,
        c.bc_name,
  v.type, floor(extract(epoch FROM v.at))::float8 AS at, v.alarm_id, v.picture, v.remark, v.points, v.status,
  floor(extract(epoch FROM v.due_at))::float8 AS "dueAt",
  coalesce(u.nickname, '') AS "enteredBy", v.entered_id, v.handled_id, v.objected_id,
    v.version FROM page v JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.entered_id ORDER BY v.at DESC, v.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM violations v WHERE v.tenant_id = $1::uuid)::int AS total;

-- violations.place
SELECT w.id, w.bc_id, w.ws_name, w.manager_id,
  w.steward_id FROM sites w WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- violations.raise
INSERT INTO violations AS v (tenant_id, id, bc_id, site_id, worker_id, type, at, alarm_id, picture, points,
  changed_by, changed_at)
SELECT a.tenant_id, $3::uuid, a.bc_id, a.site_id, a.worker_id, a.type, a.at, a.id, a.picture, $4::smallint,
  $5::text, :now
FROM alarms a
WHERE a.tenant_id = $1 AND a.id = $2 AND a.worker_id IS NOT NULL
ON CONFLICT (tenant_id, alarm_id) DO UPDATE
SET status = 1, handled_id = NULL, objected_id = NULL, due_at = NULL, changed_by = excluded.changed_by,
  changed_at = excluded.changed_at, version = v.version + 1
WHERE v.status = 5 AND v.judged_id IS NULL
RETURNING id, worker_id, objected_id;

-- violations.remind
SELECT v.id, v.bc_id, v.site_id, w.ws_name AS "siteName", k.w_name AS name, v.type, v.entered_id, v.handled_id,
  v.objected_id, x.step, d.days
FROM violations v
JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM (:now - v.due_at)) / 86400)::float8 AS days) d
CROSS JOIN LATERAL (
  SELECT 'late' || d.days::text || ':' || floor(extract(epoch FROM v.due_at))::text AS step) x
WHERE v.tenant_id = $1 AND v.status = 3 AND v.due_at <= :now
  AND :now - v.due_at - d.days * interval '1 day' <= interval '24 hours'
  AND NOT EXISTS (
    SELECT 1 FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'violation' AND m.cause_id = v.id::text AND m.step = x.step)
ORDER BY v.id
LIMIT 500
FOR UPDATE OF v SKIP LOCKED;

-- violations.tidiness
SELECT t.id, floor(extract(epoch FROM t.at))::float8 AS at, t.picture, t.result, coalesce(d.sn, '') AS "deviceSn"
FROM tidiness_checks t
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = t.device_id
WHERE t.tenant_id = $1::uuid AND t.site_id = $2::uuid
ORDER BY t.at DESC, t.id DESC
LIMIT 60;

-- violations.tohandle
SELECT count(*)::int AS n FROM violations v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.status IN (1, 3);

-- violations.whose
SELECT k.w_name AS name, w.ws_name AS "siteName", w.manager_id, w.steward_id
FROM violations v
JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
WHERE v.tenant_id = $1 AND v.id = $2;

-- violations.worker
SELECT k.id, k.w_name, EXISTS (
    SELECT 1 FROM site_members m
    WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = $3::uuid
      AND $4::date BETWEEN m.entered_on AND coalesce(m.left_on, 'infinity')) AS there
FROM workers k
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid AND k.deleted_at IS NULL;
