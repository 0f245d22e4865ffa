-- patrols.abandon
UPDATE patrols
SET status = 3, task_id = NULL, reason = $3, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- patrols.add
INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, task_id, template_id, template, inspector_id,
  begun_at, lng, lat, accuracy, distance, place)
VALUES ($1, $2, 'XJ' || lpad(nextval('patrol_numbers')::text, 6, '0'), $3, $4, $5, $6, $7, $8, $9,
  :now, $10, $11, $12, $13, $14)
RETURNING number;

-- patrols.additems
INSERT INTO patrol_items (tenant_id, id, patrol_id, sort, title, hint, weight, photo)
SELECT $1, x.id, $2, x.sort, x.title, x.hint, x.weight, x.photo
FROM json_to_recordset($3::json)
  AS x(id uuid, sort smallint, title text, hint text, weight smallint, photo boolean);

-- patrols.addplan
INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, template_id, site_ids, every, weekdays, stage, share,
  user_ids, from_time, to_time, days, starts_on, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
  (:now AT TIME ZONE 'Asia/Shanghai')::date, $16, :now);

-- patrols.addtemplate
INSERT INTO patrol_templates (tenant_id, id, bc_id, name, items, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5::jsonb, $6, :now);

-- patrols.before
SELECT p.id, p.number, floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt",
  u.nickname AS "inspectorName", p.score,
  p.problems, p.tidiness, p.picture, coalesce((
    SELECT json_agg(json_build_object('title', i.title, 'verdict', i.verdict) ORDER BY i.sort, i.id)
    FROM patrol_items i
    WHERE i.tenant_id = $1 AND i.patrol_id = p.id), '[]'::json) AS items
FROM patrols p
JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.kind = $3 AND p.status = 2 AND p.id <> $4
  AND p.submitted_at <= coalesce(
    (SELECT o.submitted_at FROM patrols o WHERE o.tenant_id = $1 AND o.id = $4), 'infinity')
ORDER BY p.submitted_at DESC, p.id DESC
LIMIT 3;

-- patrols.begun
SELECT p.id
FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.template_id = $3 AND p.inspector_id = $4 AND p.status = 1
  AND p.task_id IS NULL;

-- patrols.branch
SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.status = 1;

-- patrols.days
SELECT d.day::text AS day, count(t.id)::int AS all,
  count(t.id) FILTER (WHERE t.outcome IN (3, 4))::int AS done,
  count(t.id) FILTER (WHERE coalesce(p.submitted_at, a.submitted_at)
    <= :now - interval '1 day' * ($3::date - d.day))::int AS "byNow",
  count(t.id) FILTER (WHERE t.outcome IS NULL AND t.lapses_at <= :now)::int AS missed
FROM unnest($2::date[]) AS d(day)
LEFT JOIN patrol_tasks t ON t.tenant_id = $1::uuid AND t.outcome IS DISTINCT FROM 6
  AND t.opens_at < ((d.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.closes_at >= (d.day::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  AND t.opens_at > ((d.day - 14)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
LEFT JOIN patrols p ON p.tenant_id = $1 AND p.task_id = t.id AND p.status = 2
LEFT JOIN patrols a ON a.tenant_id = $1 AND a.id = t.done_in
GROUP BY d.day
ORDER BY d.day;

-- patrols.demo
INSERT INTO patrols (tenant_id, id, number, bc_id, site_id, kind, task_id, template_id, template, inspector_id,
  begun_at, submitted_at, status, lng, lat, accuracy, distance, place, score, problems, remark, device_id,
  picture_at, tidiness, reason, version)
SELECT p.tenant_id, p.id, 'XJ' || lpad(nextval('patrol_numbers')::text, 6, '0'), p.bc_id, p.site_id, p.kind,
  p.task_id, p.template_id, p.template, p.inspector_id, p.begun_at, p.submitted_at, p.status, p.lng, p.lat,
  p.accuracy, p.distance, p.place, p.score, p.problems, p.remark, p.device_id, p.picture_at, p.tidiness,
  p.reason, p.version
FROM json_populate_recordset(NULL::patrols, $1::json) p
ORDER BY p.submitted_at;

-- patrols.demobranches
SELECT c.bc_id, ro.code AS role, array_agg(u.id ORDER BY u.id) AS people
FROM companies c
JOIN users u ON u.tenant_id = $1 AND u.bc_id = c.bc_id AND u.status = 1
JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id
WHERE c.tenant_id = $1 AND NOT EXISTS (
  SELECT 1 FROM patrol_plans p WHERE p.tenant_id = $1 AND p.bc_id = c.bc_id)
GROUP BY c.bc_id, ro.code;

-- patrols.demostills
UPDATE patrols p
SET picture = x.picture
FROM (SELECT DISTINCT ON (o.picture) o.id, o.picture, o.inspector
  FROM json_to_recordset($2::json) AS o(id uuid, picture text, inspector uuid)
  ORDER BY o.picture, o.id) x
WHERE p.tenant_id = $1 AND p.id = x.id AND NOT EXISTS (
  SELECT 1 FROM patrols q
  WHERE q.tenant_id = $1 AND q.inspector_id = x.inspector AND q.picture = x.picture);

-- patrols.demotaskdone
UPDATE patrol_tasks t
SET outcome = x.outcome, version = t.version + 1
FROM json_to_recordset($2::json) AS x(id uuid, outcome smallint)
WHERE t.tenant_id = $1 AND t.id = x.id;

-- patrols.demotasks
SELECT t.id, abs(hashtext(t.id::text)) AS hash, t.bc_id, t.site_id, w.ws_name, w.lng, w.lat, l.kind,
  l.template_id, coalesce(m.name, '') AS template, m.items, u.id AS inspector_id, u.nickname AS inspector,
  w.manager_id, g.nickname AS manager, s.nickname AS steward,
    floor(extract(epoch FROM t.opens_at))::float8 AS "opensAt",
  floor(extract(epoch FROM t.closes_at))::float8 AS "closesAt", coalesce(y.picture, z.picture) AS picture,
  floor(extract(epoch FROM y.at))::float8 AS "pictureAt", y.device_id, y.result
FROM patrol_tasks t
JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN users u ON u.tenant_id = $1 AND u.id = t.user_ids[1]
LEFT JOIN users g ON g.tenant_id = $1 AND g.id = w.manager_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN patrol_templates m ON m.tenant_id = $1 AND m.id = l.template_id
LEFT JOIN LATERAL (
  SELECT k.picture, k.at, k.device_id, k.result
  FROM tidiness_checks k
  WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.at < t.closes_at
  ORDER BY k.at DESC LIMIT 1) y ON l.kind = 'remote'
LEFT JOIN LATERAL (
  SELECT k.picture
  FROM tidiness_checks k
  WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.picture IS NOT NULL
    AND k.at < t.closes_at + interval '6 hours'
  ORDER BY k.at DESC LIMIT 1) z ON l.kind <> 'remote'
WHERE t.tenant_id = $1 AND t.outcome IS NULL
  AND (t.opens_at AT TIME ZONE 'Asia/Shanghai')::date = $2::date
  AND NOT EXISTS (SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id)
ORDER BY t.id;

-- patrols.demotemplates
SELECT m.id, m.name FROM patrol_templates m WHERE m.tenant_id = $1 AND m.bc_id IS NULL;

-- patrols.drop.plan_id
DELETE FROM patrol_tasks t WHERE t.tenant_id = $1 AND t.plan_id = $2 AND t.outcome IS NULL AND t.closes_at > :now
  AND NOT EXISTS (
SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id) RETURNING t.user_ids;

-- patrols.drop.site_id
DELETE FROM patrol_tasks t WHERE t.tenant_id = $1 AND t.site_id = $2 AND t.outcome IS NULL AND t.closes_at > :now
  AND NOT EXISTS (
SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id) RETURNING t.user_ids;

-- patrols.droprest
DELETE FROM patrol_tasks t USING patrol_plans l
WHERE t.tenant_id = $1 AND t.bc_id = ANY ($2::uuid[]) AND l.tenant_id = $1 AND l.id = t.plan_id
  AND l.every <> 'stage' AND t.outcome IS NULL AND t.closes_at > :now AND NOT EXISTS (
  SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id) AND t.opens_at > :now AND NOT EXISTS (SELECT 1
    FROM generate_series(0, l.days - 1) n WHERE NOT rest_day($1, t.bc_id, t.day + n))
RETURNING t.user_ids;

-- patrols.fillplace
UPDATE patrols SET lng = $3, lat = $4, accuracy = $5, distance = $6, place = $7
WHERE tenant_id = $1 AND id = $2 AND status = 1 AND lng IS NULL;

-- patrols.finish
UPDATE patrols
SET status = 2, submitted_at = :now, score = $3, problems = $4, remark = $5, digest = $6,
  version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- patrols.forgetplaces
UPDATE patrols p SET lng = NULL, lat = NULL, accuracy = NULL
WHERE p.tenant_id = $1 AND p.id IN (SELECT o.id FROM patrols o
  WHERE o.tenant_id = $1 AND o.lng IS NOT NULL
    AND o.begun_at < (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  LIMIT 10000);

-- patrols.items
SELECT i.id, i.title, i.hint, i.weight, i.photo, i.verdict, i.remark, i.pictures, i.problem,
  CASE WHEN k.id IS NOT NULL THEN
    json_build_object('id', k.id, 'status', k.correction_status, 'assigneeName', coalesce(u.nickname, ''),
      'dueAt', floor(extract(epoch FROM k.due_at))::float8)
  END AS correction
FROM patrol_items i
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
WHERE i.tenant_id = $1 AND i.patrol_id = $2
ORDER BY i.sort, i.id;

-- patrols.judge
UPDATE patrol_items i
SET verdict = x.verdict, remark = x.remark, pictures = x.pictures, problem = x.problem,
  correction_id = x.correction
FROM json_to_recordset($3::json)
  AS x(id uuid, verdict text, remark text, pictures text[], problem text, correction uuid)
WHERE i.tenant_id = $1 AND i.patrol_id = $2 AND i.id = x.id;

-- patrols.judged
SELECT p.id, p.number, p.problems, p.digest
FROM patrols p
WHERE p.tenant_id = $1 AND p.inspector_id = $2 AND p.picture = $3;

-- patrols.keepstill
UPDATE patrols SET device_id = $3, picture = $4, picture_at = $5, tidiness = $6 WHERE tenant_id = $1 AND id = $2;

-- patrols.livingsites
SELECT count(*)::int AS n FROM sites w
WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND w.status NOT IN (3, 4);

-- patrols.lock
SELECT p.id, p.number, p.kind, p.site_id, w.ws_name AS "siteName", p.bc_id, c.bc_name, p.inspector_id,
  u.nickname AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
    floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt",
  p.place, p.distance, p.score, p.problems, coalesce(x.unfixed, 0) AS unfixed, p.status,
  p.template AS "templateName", p.task_id, t.plan_id, coalesce(l.name, '') AS "planName",
  coalesce(l.status = 2, false) AS "planStopped", p.device_id, coalesce(d.sn, '') AS "deviceSn", p.tidiness,
  p.version, p.digest FROM patrols p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
LEFT JOIN patrol_tasks t ON t.tenant_id = $1 AND t.id = p.task_id
LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
LEFT JOIN LATERAL (
  SELECT count(*)::int AS unfixed
  FROM patrol_items i
  JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
    AND k.correction_status IN (1, 2)
  WHERE i.tenant_id = $1 AND i.patrol_id = p.id) x ON p.problems > 0 WHERE p.tenant_id = $1::uuid
    AND p.id = $2::uuid FOR UPDATE OF p;

-- patrols.make
WITH wanted AS (
     SELECT p.id AS plan_id, p.kind, p.share, p.user_ids AS people, p.bc_id, w.id AS site_id, d.day,
       (d.day + p.from_time::time) AT TIME ZONE 'Asia/Shanghai' AS opens_at,
       (d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai' AS closes_at
     FROM unnest($2::date[]) AS d(day)
     CROSS JOIN patrol_plans p
  JOIN sites w ON w.tenant_id = $1 AND w.bc_id = p.bc_id AND w.status = 1 AND w.deleted_at IS NULL
    AND (p.site_ids IS NULL OR w.id = ANY (p.site_ids))
     WHERE p.tenant_id = $1 AND p.status = 1 AND p.every IN ('day', 'week') AND d.day >= p.starts_on
       AND EXISTS (SELECT 1 FROM generate_series(0, p.days - 1) n WHERE NOT rest_day($1, p.bc_id, d.day + n))
       AND extract(isodow FROM d.day)::smallint = ANY (p.weekdays) AND ($3::uuid IS NULL OR p.id = $3)
       AND ($4 OR (d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai' > :now)),
   able AS (
  SELECT d.*, u.id AS person
  FROM wanted d
  JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
  JOIN users u ON u.tenant_id = $1 AND u.id = ANY (d.people) AND u.status = 1 AND u.deleted_at IS NULL
  WHERE EXISTS (
    SELECT 1
    FROM user_roles ur
    JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
    JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
      AND rp.label IN ('*:*:*', CASE d.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END)
    WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END))
INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_id, user_ids, opens_at, closes_at,
  lapses_at)
SELECT $1, gen_random_uuid(), bc_id, site_id, plan_id, day, CASE share WHEN 'each' THEN person END AS own,
  array_agg(person ORDER BY person), opens_at, closes_at, closes_at + interval '24 hours' * (1 + coalesce((
    SELECT min(n) FROM generate_series(0, 60) n
    WHERE NOT rest_day($1, bc_id, (closes_at AT TIME ZONE 'Asia/Shanghai')::date + 1 + n)), 0))
FROM able
GROUP BY bc_id, site_id, plan_id, day, share, own, opens_at, closes_at
ON CONFLICT DO NOTHING;

-- patrols.makestages
WITH wanted AS (
     SELECT p.id AS plan_id, p.kind, p.share, p.user_ids AS people, p.bc_id, w.id AS site_id, g.actual_start AS day,
       ($2::date + p.from_time::time) AT TIME ZONE 'Asia/Shanghai' AS opens_at,
       ($2::date + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai' AS closes_at
     FROM patrol_plans p
  JOIN sites w ON w.tenant_id = $1 AND w.bc_id = p.bc_id AND w.status = 1 AND w.deleted_at IS NULL
    AND (p.site_ids IS NULL OR w.id = ANY (p.site_ids))
     JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = p.stage
       AND g.actual_start >= p.starts_on AND g.actual_finish IS NULL
     WHERE p.tenant_id = $1 AND p.status = 1 AND p.every = 'stage' AND ($3::uuid IS NULL OR p.id = $3)
       AND NOT rest_day($1, p.bc_id, $2::date)),
   able AS (
  SELECT d.*, u.id AS person
  FROM wanted d
  JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
  JOIN users u ON u.tenant_id = $1 AND u.id = ANY (d.people) AND u.status = 1 AND u.deleted_at IS NULL
  WHERE EXISTS (
    SELECT 1
    FROM user_roles ur
    JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
    JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
      AND rp.label IN ('*:*:*', CASE d.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END)
    WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END))
INSERT INTO patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_id, user_ids, opens_at, closes_at,
  lapses_at)
SELECT $1, gen_random_uuid(), bc_id, site_id, plan_id, day, CASE share WHEN 'each' THEN person END AS own,
  array_agg(person ORDER BY person), opens_at, closes_at, closes_at + interval '24 hours' * (1 + coalesce((
    SELECT min(n) FROM generate_series(0, 60) n
    WHERE NOT rest_day($1, bc_id, (closes_at AT TIME ZONE 'Asia/Shanghai')::date + 1 + n)), 0))
FROM able
GROUP BY bc_id, site_id, plan_id, day, share, own, opens_at, closes_at
ON CONFLICT DO NOTHING;

-- patrols.oftask
SELECT p.id, p.inspector_id, u.nickname AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
  p.status
FROM patrols p
JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
WHERE p.tenant_id = $1 AND p.task_id = $2 AND p.status IN (1, 2);

-- patrols.one
SELECT p.id, p.number, p.kind, p.site_id, w.ws_name AS "siteName", p.bc_id, c.bc_name, p.inspector_id,
  u.nickname AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
    floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt",
  p.place, p.distance, p.score, p.problems, coalesce(x.unfixed, 0) AS unfixed, p.status,
  p.template AS "templateName", p.task_id, t.plan_id, coalesce(l.name, '') AS "planName",
  coalesce(l.status = 2, false) AS "planStopped", p.device_id, coalesce(d.sn, '') AS "deviceSn", p.tidiness,
  p.version, p.lng, p.lat, p.accuracy::float8 AS accuracy, w.lng AS "siteLng", w.lat AS "siteLat",
    CASE WHEN true THEN w.address ELSE w.community END AS address, p.remark, p.reason, p.picture,
      floor(extract(epoch FROM p.picture_at))::float8 AS "pictureAt",
    floor(extract(epoch FROM t.closes_at))::float8 AS "closesAt"
  FROM patrols p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
LEFT JOIN patrol_tasks t ON t.tenant_id = $1 AND t.id = p.task_id
LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
LEFT JOIN LATERAL (
  SELECT count(*)::int AS unfixed
  FROM patrol_items i
  JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
    AND k.correction_status IN (1, 2)
  WHERE i.tenant_id = $1 AND i.patrol_id = p.id) x ON p.problems > 0
  WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- patrols.open
SELECT (SELECT count(*)::int FROM patrol_tasks t WHERE t.tenant_id = $1 AND t.site_id = $2 AND t.outcome IS NULL
  AND t.closes_at > :now AND NOT EXISTS (
SELECT 1 FROM patrols p WHERE p.tenant_id = $1 AND p.task_id = t.id)) AS tasks,
(SELECT count(*)::int FROM patrols b WHERE b.tenant_id = $1 AND b.site_id = $2 AND b.status = 1) AS begun;

-- patrols.ownsites
SELECT count(*)::int AS n
FROM users u
JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1 AND r.data_scope = 'ownSites'
JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = 'patrol:do'
JOIN sites w ON w.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id) AND w.status = 1
WHERE u.tenant_id = $1 AND u.id = $2 AND u.status = 1 AND u.deleted_at IS NULL;

-- patrols.page
WITH page AS MATERIALIZED (SELECT p.* FROM patrols p WHERE p.tenant_id = $1::uuid ORDER BY p.begun_at DESC,
  p.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT p.id, p.number, p.kind, p.site_id, w.ws_name AS "siteName", p.bc_id, c.bc_name, p.inspector_id,
  u.nickname AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
    floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt",
  p.place, p.distance, p.score, p.problems, coalesce(x.unfixed, 0) AS unfixed, p.status,
  p.template AS "templateName", p.task_id, t.plan_id, coalesce(l.name, '') AS "planName",
  coalesce(l.status = 2, false) AS "planStopped", p.device_id, coalesce(d.sn, '') AS "deviceSn", p.tidiness,
  p.version FROM page p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id
LEFT JOIN patrol_tasks t ON t.tenant_id = $1 AND t.id = p.task_id
LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
LEFT JOIN LATERAL (
  SELECT count(*)::int AS unfixed
  FROM patrol_items i
  JOIN corrections k ON k.tenant_id = $1 AND k.id = i.correction_id
    AND k.correction_status IN (1, 2)
  WHERE i.tenant_id = $1 AND i.patrol_id = p.id) x ON p.problems > 0 ORDER BY p.begun_at DESC, p.id DESC) r),
    '[]'::json)::text AS list,
    (SELECT count(*) FROM patrols p WHERE p.tenant_id = $1::uuid)::int AS total;

-- patrols.people
SELECT u.id, u.nickname, (
  SELECT count(*)::int
  FROM user_roles ur
  JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
  JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ro.id AND rp.label IN ($4, '*:*:*')
  WHERE ur.tenant_id = $1 AND ur.user_id = u.id) AS able
FROM users u
WHERE u.tenant_id = $1 AND u.id = ANY ($3::uuid[]) AND u.status = 1 AND u.deleted_at IS NULL
  AND (u.bc_id = $2 OR EXISTS (
    SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = $2));

-- patrols.place
SELECT w.id, w.bc_id, w.ws_name, w.status, w.lng, w.lat
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL
FOR NO KEY UPDATE OF w;

-- patrols.plan
SELECT p.id, p.bc_id, p.name, p.kind, p.template_id, p.site_ids, p.every, p.weekdays, p.stage, p.share,
  p.user_ids, p.from_time AS "fromTime", p.to_time AS "toTime", p.days, p.status, p.version,
  p.changed_by AS "changedBy", floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt"
FROM patrol_plans p
WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid
FOR UPDATE OF p;

-- patrols.plans
WITH page AS MATERIALIZED (SELECT p.* FROM patrol_plans p WHERE p.tenant_id = $1::uuid ORDER BY p.status ASC,
  p.name ASC, p.id ASC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT p.id, p.name, p.kind, p.template_id, coalesce(m.name, '') AS "templateName", p.bc_id, c.bc_name,
        p.site_ids,
  (SELECT count(*)::int FROM sites w
   WHERE w.tenant_id = $1 AND w.bc_id = p.bc_id AND w.status = 1 AND w.deleted_at IS NULL
     AND (p.site_ids IS NULL OR w.id = ANY (p.site_ids))) AS sites, p.every, p.weekdays, p.stage, p.share,
  p.user_ids, coalesce((SELECT string_agg(u.nickname, '、' ORDER BY u.nickname) FROM users u
    WHERE u.tenant_id = $1 AND u.id = ANY (p.user_ids)), '') AS "userNames", p.from_time AS "fromTime",
      p.to_time AS "toTime", p.days,
  p.status, n.done, n.due, floor(extract(epoch FROM coalesce((SELECT min(k.closes_at) FROM patrol_tasks k
  WHERE k.tenant_id = $1 AND k.plan_id = p.id AND k.outcome IS NULL AND k.closes_at > :now),
    (SELECT min((d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai')
  FROM (SELECT greatest((:now AT TIME ZONE 'Asia/Shanghai')::date, p.starts_on) + n AS day FROM generate_series(0,
    14) n) d
  WHERE p.status = 1 AND extract(isodow FROM d.day)::smallint = ANY (p.weekdays)
    AND (d.day + (p.days - 1) + p.to_time::time) AT TIME ZONE 'Asia/Shanghai' > :now
    AND NOT EXISTS (
      SELECT 1 FROM patrol_tasks k WHERE k.tenant_id = $1 AND k.plan_id = p.id
        AND k.day = d.day)))))::float8 AS "nextDue",
          p.version FROM page p JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
LEFT JOIN patrol_templates m ON m.tenant_id = $1 AND m.id = p.template_id
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE k.outcome IS NOT NULL)::int AS done,
    count(*) FILTER (WHERE k.outcome IS NOT NULL OR k.closes_at <= :now)::int AS due
  FROM patrol_tasks k
  WHERE k.tenant_id = $1 AND k.plan_id = p.id AND k.closes_at >= date_trunc('month',
    :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai'
    AND k.outcome IS DISTINCT FROM 6) n ORDER BY p.status ASC, p.name ASC, p.id ASC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM patrol_plans p WHERE p.tenant_id = $1::uuid)::int AS total;

-- patrols.plansgone
SELECT p.id, p.bc_id, CASE p.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END AS power,
  (SELECT count(*)::int FROM patrol_tasks t
    WHERE t.tenant_id = $1 AND t.plan_id = p.id AND t.outcome IS NULL AND t.lapses_at > :now
      AND $2 = ANY (t.user_ids)) AS tasks
FROM patrol_plans p
WHERE p.tenant_id = $1 AND p.status = 1 AND $2 = ANY (p.user_ids)
ORDER BY p.id
FOR UPDATE OF p;

-- patrols.plansof
SELECT p.id, p.bc_id, CASE p.kind WHEN 'remote' THEN 'patrol:remote' ELSE 'patrol:do' END AS power,
  (SELECT count(*)::int FROM patrol_tasks t
    WHERE t.tenant_id = $1 AND t.plan_id = p.id AND t.outcome IS NULL AND t.lapses_at > :now
      AND $2 = ANY (t.user_ids)) AS tasks
FROM patrol_plans p
WHERE p.tenant_id = $1 AND p.status = 1 AND $2 = ANY (p.user_ids)
ORDER BY p.id;

-- patrols.progress
SELECT count(*)::int AS sites, count(*) FILTER (WHERE s.seen >= extract(epoch FROM date_trunc('day',
  :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai'))::int AS seen,
  count(*) FILTER (WHERE s.due)::int AS due, count(*) FILTER (WHERE s.over)::int AS over
FROM (SELECT coalesce(floor(extract(epoch FROM (SELECT p.submitted_at FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind = 'remote' AND p.status = 2
ORDER BY p.submitted_at DESC LIMIT 1)))::float8, 0) AS seen, EXISTS (
  SELECT 1 FROM patrol_tasks t
  JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id AND l.kind = 'remote'
  WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.opens_at < date_trunc('day',
    :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai' + interval '1 day'
  AND t.lapses_at > :now AND t.outcome IS NULL) AS due, EXISTS (
  SELECT 1 FROM patrol_tasks t
  JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id AND l.kind = 'remote'
  WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.opens_at < date_trunc('day',
    :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai' + interval '1 day'
  AND t.lapses_at > :now AND t.outcome IS NULL AND t.closes_at < :now) AS over FROM sites w
    WHERE w.tenant_id = $1::uuid AND w.status = 1 AND w.deleted_at IS NULL AND EXISTS (SELECT 1 FROM devices d
    WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL)) s;

-- patrols.recountdays
WITH counted AS (
  SELECT (p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date AS day, p.bc_id, p.kind, p.inspector_id, count(*) AS made,
    count(*) FILTER (WHERE p.problems > 0 OR p.tidiness = 3) AS found, sum(p.problems) AS problems
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.status = 2
    AND p.submitted_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  GROUP BY 1, 2, 3, 4),
kept AS (
  SELECT k.day, k.bc_id, k.kind, k.inspector_id, k.made, k.found, k.problems
  FROM patrol_days k
  WHERE k.tenant_id = $1 AND k.day >= $2::date),
differing AS (
  SELECT day, bc_id, kind, inspector_id, coalesce(c.made, 0) - coalesce(k.made, 0) AS made,
    coalesce(c.found, 0) - coalesce(k.found, 0) AS found,
    coalesce(c.problems, 0) - coalesce(k.problems, 0) AS problems
  FROM counted c
  FULL JOIN kept k USING (day, bc_id, kind, inspector_id))
INSERT INTO patrol_days AS k (tenant_id, day, bc_id, kind, inspector_id, made, found, problems)
SELECT $1::uuid, d.day, d.bc_id, d.kind, d.inspector_id, d.made, d.found, d.problems
FROM differing d
WHERE (d.made, d.found, d.problems) <> (0, 0, 0)
ORDER BY 2, 3, 4, 5
ON CONFLICT (tenant_id, day, bc_id, kind, inspector_id) DO UPDATE SET
  made = k.made + excluded.made,
  found = k.found + excluded.found,
  problems = k.problems + excluded.problems;

-- patrols.recounttasks
WITH counted AS (
  SELECT (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date AS day, t.bc_id, t.plan_id, count(*) AS tasks,
    count(*) FILTER (WHERE t.outcome = 3) AS done, count(*) FILTER (WHERE t.outcome = 4) AS late,
    count(*) FILTER (WHERE t.outcome = 6) AS excused
  FROM patrol_tasks t
  WHERE t.tenant_id = $1 AND t.closes_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  GROUP BY 1, 2, 3),
kept AS (
  SELECT k.day, k.bc_id, k.plan_id, k.tasks, k.done, k.late, k.excused
  FROM patrol_task_days k
  WHERE k.tenant_id = $1 AND k.day >= $2::date),
differing AS (
  SELECT day, bc_id, plan_id, coalesce(c.tasks, 0) - coalesce(k.tasks, 0) AS tasks,
    coalesce(c.done, 0) - coalesce(k.done, 0) AS done, coalesce(c.late, 0) - coalesce(k.late, 0) AS late,
    coalesce(c.excused, 0) - coalesce(k.excused, 0) AS excused
  FROM counted c
  FULL JOIN kept k USING (day, bc_id, plan_id))
INSERT INTO patrol_task_days AS k (tenant_id, day, bc_id, plan_id, tasks, done, late, excused)
SELECT $1::uuid, d.day, d.bc_id, d.plan_id, d.tasks, d.done, d.late, d.excused
FROM differing d
WHERE (d.tasks, d.done, d.late, d.excused) <> (0, 0, 0, 0)
ORDER BY 2, 3, 4
ON CONFLICT (tenant_id, day, bc_id, plan_id) DO UPDATE SET
  tasks = k.tasks + excluded.tasks,
  done = k.done + excluded.done,
  late = k.late + excluded.late,
  excused = k.excused + excluded.excused;

-- patrols.site
SELECT p.site_id FROM patrols p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- patrols.sites
SELECT count(*)::int AS n FROM sites w WHERE w.tenant_id = $1::uuid AND w.bc_id = $2::uuid AND w.id = $3::uuid
  AND w.deleted_at IS NULL;

-- patrols.still
SELECT d.type, d.site_id, d.device_status AS "deviceStatus", d.last_picture AS picture,
  floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt"
FROM devices d
WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid AND d.deleted_at IS NULL
FOR NO KEY UPDATE OF d;

-- patrols.stills
SELECT d.id, d.sn, d.device_status AS "deviceStatus", d.last_picture AS picture,
  floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt", w.status AS "siteStatus",
    w.lived_in AS "livedIn", w.bc_id AS "homeBc"
FROM devices d
JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid AND d.type = 'camera' AND d.site_id IS NOT NULL
  AND d.deleted_at IS NULL;

-- patrols.stopplan
UPDATE patrol_plans
SET status = 2, changed_by = $3, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- patrols.task
SELECT t.id, t.plan_id, coalesce(l.name, '原分公司的计划') AS "planName",
  coalesce(l.status = 2, true) AS "planStopped", coalesce(l.kind, p.kind, 'plan') AS kind,
  l.template_id, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name,
    floor(extract(epoch FROM t.opens_at))::float8 AS "opensAt",
  floor(extract(epoch FROM t.closes_at))::float8 AS "closesAt",
    (CASE WHEN t.outcome IS NOT NULL THEN t.outcome WHEN t.opens_at > :now THEN 1
  WHEN t.lapses_at > :now THEN 2 ELSE 5 END)::smallint AS state, t.user_ids,
  coalesce((SELECT string_agg(u.nickname, '、' ORDER BY u.nickname) FROM users u
    WHERE u.tenant_id = $1 AND u.id = ANY (t.user_ids)), '') AS "userNames", p.id AS patrol_id, p.inspector_id,
  coalesce(i.nickname, '') AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
  floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt", p.score,
  CASE WHEN p.status = 2 THEN p.problems END AS problems, t.reason, t.excused_by AS "excusedBy",
    t.version FROM patrol_tasks t LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN patrols p ON p.tenant_id = $1 AND (p.task_id = t.id AND p.status IN (1, 2) OR p.id = t.done_in)
LEFT JOIN users i ON i.tenant_id = $1 AND i.id = p.inspector_id WHERE t.tenant_id = $1::uuid
  AND t.id = $2::uuid FOR UPDATE OF t;

-- patrols.taskalong
UPDATE patrol_tasks t
SET outcome = CASE WHEN :now <= t.closes_at THEN 3 ELSE 4 END,
  done_in = $2, version = t.version + 1
FROM patrol_plans l
WHERE t.tenant_id = $1 AND t.site_id = $3 AND $4::uuid = ANY (t.user_ids) AND t.outcome IS NULL
  AND t.opens_at <= :now AND t.lapses_at > :now
  AND l.tenant_id = $1 AND l.id = t.plan_id AND l.kind = 'remote'
  AND NOT EXISTS (SELECT 1 FROM patrols p
    WHERE p.tenant_id = $1 AND p.task_id = t.id AND p.status IN (1, 2))
RETURNING t.user_ids;

-- patrols.taskdone
UPDATE patrol_tasks
SET outcome = CASE WHEN :now <= closes_at THEN 3 ELSE 4 END,
  version = version + 1
WHERE tenant_id = $1 AND id = $2 AND outcome IS NULL;

-- patrols.taskexcused
UPDATE patrol_tasks
SET outcome = 6, reason = $3, excused_by = $4, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- patrols.tasks
WITH page AS MATERIALIZED (SELECT t.* FROM patrol_tasks t WHERE t.tenant_id = $1::uuid AND t.bc_id = $2::uuid
  AND t.id = $3::uuid ORDER BY t.opens_at ASC, t.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT t.id, t.plan_id, coalesce(l.name, '原分公司的计划') AS "planName",
  coalesce(l.status = 2, true) AS "planStopped", coalesce(l.kind, p.kind, 'plan') AS kind,
  l.template_id, t.site_id, w.ws_name AS "siteName", t.bc_id, c.bc_name,
    floor(extract(epoch FROM t.opens_at))::float8 AS "opensAt",
  floor(extract(epoch FROM t.closes_at))::float8 AS "closesAt",
    (CASE WHEN t.outcome IS NOT NULL THEN t.outcome WHEN t.opens_at > :now THEN 1
  WHEN t.lapses_at > :now THEN 2 ELSE 5 END)::smallint AS state, t.user_ids,
  coalesce((SELECT string_agg(u.nickname, '、' ORDER BY u.nickname) FROM users u
    WHERE u.tenant_id = $1 AND u.id = ANY (t.user_ids)), '') AS "userNames", p.id AS patrol_id, p.inspector_id,
  coalesce(i.nickname, '') AS "inspectorName", floor(extract(epoch FROM p.begun_at))::float8 AS "begunAt",
  floor(extract(epoch FROM p.submitted_at))::float8 AS "submittedAt", p.score,
  CASE WHEN p.status = 2 THEN p.problems END AS problems, t.reason, t.excused_by AS "excusedBy",
    t.version FROM page t LEFT JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
LEFT JOIN patrols p ON p.tenant_id = $1 AND (p.task_id = t.id AND p.status IN (1, 2) OR p.id = t.done_in)
LEFT JOIN users i ON i.tenant_id = $1 AND i.id = p.inspector_id ORDER BY t.opens_at ASC, t.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM patrol_tasks t WHERE t.tenant_id = $1::uuid AND t.bc_id = $2::uuid
      AND t.id = $3::uuid)::int AS total;

-- patrols.tasksite
SELECT t.site_id FROM patrol_tasks t WHERE t.tenant_id = $1::uuid AND t.id = $2::uuid;

-- patrols.template
SELECT m.id, m.name, m.bc_id, coalesce(c.bc_name, '') AS bc_name, m.items, m.status, (
    SELECT count(*)::int FROM patrol_plans p
    WHERE p.tenant_id = $1 AND p.template_id = m.id AND p.status = 1) AS plans, m.version,
  m.changed_by AS "changedBy", floor(extract(epoch FROM m.changed_at))::float8 AS "changedAt"
FROM patrol_templates m
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = m.bc_id WHERE m.tenant_id = $1::uuid
  AND m.id = $2::uuid FOR UPDATE OF m;

-- patrols.templates
SELECT m.id, m.name, m.bc_id, coalesce(c.bc_name, '') AS bc_name, m.items, m.status, (
    SELECT count(*)::int FROM patrol_plans p
    WHERE p.tenant_id = $1 AND p.template_id = m.id AND p.status = 1) AS plans, m.version,
  m.changed_by AS "changedBy", floor(extract(epoch FROM m.changed_at))::float8 AS "changedAt"
FROM patrol_templates m
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = m.bc_id WHERE m.tenant_id = $1::uuid ORDER BY m.status,
  m.bc_id NULLS FIRST, m.name, m.id;

-- patrols.waiting
SELECT o.user_id, count(DISTINCT t.site_id)::int AS n
FROM patrol_tasks t
CROSS JOIN LATERAL unnest(t.user_ids) AS o(user_id)
WHERE t.tenant_id = $1 AND t.outcome IS NULL AND t.opens_at < $2 AND t.lapses_at > :now
  AND ($3::uuid[] IS NULL OR o.user_id = ANY ($3))
GROUP BY o.user_id
ORDER BY o.user_id;

-- patrols.wall
WITH page AS MATERIALIZED (
  SELECT w.*, coalesce(floor(extract(epoch FROM (SELECT p.submitted_at FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind = 'remote' AND p.status = 2
ORDER BY p.submitted_at DESC LIMIT 1)))::float8, 0) AS seen
  FROM sites w
  WHERE w.tenant_id = $1::uuid AND w.status = 1 AND w.deleted_at IS NULL AND EXISTS (SELECT 1 FROM devices d
    WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL)
  ORDER BY seen, w.id
  LIMIT 17)
SELECT w.id, w.ws_name, w.bc_id, c.bc_name, w.stage, coalesce(m.nickname, '') AS "managerName", (
    SELECT json_agg(json_build_object('id', d.id, 'sn', d.sn, 'deviceStatus', d.device_status,
      'picture', d.last_picture, 'pictureAt', floor(extract(epoch FROM d.last_picture_at))::float8) ORDER BY d.sn)
    FROM devices d
    WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL) AS cameras,
  floor(extract(epoch FROM (SELECT p.submitted_at FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind = 'scene' AND p.status = 2
ORDER BY p.submitted_at DESC LIMIT 1)))::float8 AS "lastScene", nullif(w.seen, 0) AS "lastRemote",
  floor(extract(epoch FROM (SELECT p.submitted_at FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind = 'plan' AND p.status = 2
ORDER BY p.submitted_at DESC LIMIT 1)))::float8 AS "lastPlan", (
    SELECT count(*)::int
    FROM corrections k
    WHERE k.tenant_id = $1 AND k.site_id = w.id
      AND k.correction_status IN (1, 2)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $2::uuid)) AS "openCorrections",
  coalesce((
    SELECT json_agg(json_build_object('id', t.id, 'kind', l.kind, 'planName', l.name, 'state',
      (CASE WHEN t.outcome IS NOT NULL THEN t.outcome WHEN t.opens_at > :now THEN 1
WHEN t.lapses_at > :now THEN 2 ELSE 5 END)::smallint,
      'opensAt', floor(extract(epoch FROM t.opens_at))::float8, 'closesAt',
        floor(extract(epoch FROM t.closes_at))::float8,
      'mine', $2::uuid = ANY (t.user_ids)) ORDER BY t.closes_at, t.id)
    FROM patrol_tasks t
    JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id
    WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.opens_at < date_trunc('day',
      :now AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai' + interval '1 day'
  AND t.lapses_at > :now), '[]'::json) AS tasks,
  w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc"
FROM page w
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
ORDER BY w.seen, w.id;

-- patrols.writeplan
UPDATE patrol_plans
SET name = $4, kind = $5, template_id = $6, site_ids = $7, every = $8, weekdays = $9, stage = $10, share = $11,
  user_ids = $12, from_time = $13, to_time = $14, days = $15, changed_by = $16, changed_at = :now,
  version = version + 1
WHERE tenant_id = $1 AND id = $2 AND bc_id = $3;

-- patrols.writetemplate
UPDATE patrol_templates
SET name = $3, items = $4::jsonb, status = $5, changed_by = $6, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;
