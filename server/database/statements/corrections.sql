-- corrections.add
INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, pictures, at,
  correction_status, step, assignee_id, due_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now, $9, $10, $11, $12, $13, :now);

-- corrections.clocks
SELECT k.id, k.bc_id AS bc, k.due_at AS due
FROM corrections k
WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
  AND k.source <> 'alarm' AND k.correction_status IN (1, 2) AND k.due_at > :now
ORDER BY k.id
FOR UPDATE;

-- corrections.leaders
SELECT u.id
FROM sites w
JOIN users u ON u.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id)
WHERE w.tenant_id = $1 AND w.id = $2
ORDER BY u.id = w.manager_id DESC;

-- corrections.led
SELECT w.id, (CASE WHEN w.manager_id = $2 THEN 2 ELSE 1 END)::smallint AS post
FROM sites w
WHERE w.tenant_id = $1 AND $2 IN (w.manager_id, w.steward_id) AND w.deleted_at IS NULL
  AND w.status IN (1, 2);

-- corrections.lock
SELECT k.id,
'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
k.source, k.source_id,
CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
  WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem,
coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, floor(extract(epoch FROM k.at))::float8 AS at,
k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
CASE
WHEN k.closed_at IS NOT NULL THEN 'none'
WHEN k.disputed THEN 'answer'
WHEN k.step = 'submitted' THEN 'verify'
WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN 'assign'
ELSE 'correct' END AS turn,
k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
k.verified_by AS "verifiedBy",
floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", floor(extract(epoch FROM k.closed_at))::float8 AS "closedAt",
CASE
WHEN k.closed_at IS NOT NULL THEN floor(extract(epoch FROM (k.closed_at + interval '1 day' * coalesce((SELECT s.value
  FROM settings s WHERE s.tenant_id = $1 AND s.key = 'reopenDays' AND (s.bc_id = k.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
floor(extract(epoch FROM k.urged_at))::float8 AS "urgedAt", k.version,
  (SELECT f.about_id FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
    AND f.id = k.source_id) AS about_id,
     (SELECT f.hidden_from FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
       AND f.id = k.source_id) AS hidden_from, k.changed_by AS "changedBy",
     floor(extract(epoch FROM k.changed_at))::float8 AS "changedAt"
   FROM corrections k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
   WHERE k.tenant_id = $1::uuid AND k.assignee_id = $2::uuid AND k.correction_status = 2
   ORDER BY k.id
   FOR UPDATE OF k;

-- corrections.log
INSERT INTO correction_logs (tenant_id, id, correction_id, actor, action, text, pictures, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now);

-- corrections.logs
SELECT floor(extract(epoch FROM l.at))::float8 AS at, l.actor, l.action, l.text, l.pictures
FROM correction_logs l
WHERE l.tenant_id = $1 AND l.correction_id = $2
ORDER BY l.at, l.id;

-- corrections.move
UPDATE corrections
SET correction_status = $5, step = $6, round = $7, assignee_id = $8, corrector_id = $9, due_at = $10,
  closed_at = $11, changed_by = $12, changed_at = $13, disputed = $14, verified_by = $15, urged_at = NULL,
  version = version + 1
WHERE tenant_id = $1 AND id = $2 AND correction_status = $3 AND version = $4;

-- corrections.moveclocks
UPDATE corrections k SET due_at = x.due
FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
WHERE k.tenant_id = $1 AND k.id = x.id;

-- corrections.moving
SELECT count(*) FILTER (WHERE k.correction_status = 1 AND k.source = 'alarm')::int AS alarms,
  count(*) FILTER (WHERE k.correction_status = 1 AND k.source <> 'alarm')::int AS open,
  count(*) FILTER (WHERE k.correction_status = 2)::int AS correcting
FROM corrections k
WHERE k.tenant_id = $1 AND k.site_id = $2 AND k.correction_status IN (1, 2);

-- corrections.one
SELECT k.id,
'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
k.source, k.source_id,
CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
  WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem,
coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, floor(extract(epoch FROM k.at))::float8 AS at,
k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
CASE
WHEN k.closed_at IS NOT NULL THEN 'none'
WHEN k.disputed THEN 'answer'
WHEN k.step = 'submitted' THEN 'verify'
WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN 'assign'
ELSE 'correct' END AS turn,
k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
k.verified_by AS "verifiedBy",
floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", floor(extract(epoch FROM k.closed_at))::float8 AS "closedAt",
CASE
WHEN k.closed_at IS NOT NULL THEN floor(extract(epoch FROM (k.closed_at + interval '1 day' * coalesce((SELECT s.value
  FROM settings s WHERE s.tenant_id = $1 AND s.key = 'reopenDays' AND (s.bc_id = k.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
floor(extract(epoch FROM k.urged_at))::float8 AS "urgedAt", k.version, k.pictures, i.patrol_id, t.result AS tidiness
   FROM corrections k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
   LEFT JOIN patrol_items i ON i.tenant_id = $1 AND i.id = k.source_id AND k.source = 'patrol'
   LEFT JOIN tidiness_checks t ON t.tenant_id = $1 AND t.id = k.source_id AND k.source = 'tidiness'
   WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
     AND f.id = k.source_id AND f.hidden_from = $2::uuid) AND k.id = $3::uuid;

-- corrections.over
SELECT w.ws_name AS name, w.status FROM sites w
WHERE w.tenant_id = $1 AND w.id = $2 AND w.status IN (3, 4);

-- corrections.page
WITH page AS MATERIALIZED (SELECT k.* FROM corrections k WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT
  FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)
    AND k.id = $3::uuid ORDER BY CASE WHEN k.correction_status IN (1, 2) THEN k.due_at END ASC, k.at DESC,
      k.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT k.id,
'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
k.source, k.source_id,
CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
  WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem,
coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, floor(extract(epoch FROM k.at))::float8 AS at,
k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
CASE
WHEN k.closed_at IS NOT NULL THEN 'none'
WHEN k.disputed THEN 'answer'
WHEN k.step = 'submitted' THEN 'verify'
WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN 'assign'
ELSE 'correct' END AS turn,
k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
k.verified_by AS "verifiedBy",
floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", floor(extract(epoch FROM k.closed_at))::float8 AS "closedAt",
CASE
WHEN k.closed_at IS NOT NULL THEN floor(extract(epoch FROM (k.closed_at + interval '1 day' * coalesce((SELECT s.value
  FROM settings s WHERE s.tenant_id = $1 AND s.key = 'reopenDays' AND (s.bc_id = k.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
floor(extract(epoch FROM k.urged_at))::float8 AS "urgedAt",
  k.version FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id ORDER BY CASE WHEN k.correction_status IN (1,
  2) THEN k.due_at END ASC, k.at DESC, k.id DESC) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM corrections k WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)
         AND k.id = $3::uuid)::int AS total;

-- corrections.photos
SELECT f.key, floor(extract(epoch FROM f.at))::float8 AS "uploadedAt",
  floor(extract(epoch FROM f.taken_at))::float8 AS "takenAt"
FROM files f
WHERE f.tenant_id = $1 AND f.key = ANY ($2);

-- corrections.remind
SELECT q.id, q.source, q.turn, q.problem, q."siteName", q.site_id, q.bc_id, q.about_id, q.assignee_id,
     q.corrector_ids, q.reminder, q.hours
   FROM (
   SELECT k.id,
'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
k.source, k.source_id,
CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
  WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem,
coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, floor(extract(epoch FROM k.at))::float8 AS at,
k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
CASE
WHEN k.closed_at IS NOT NULL THEN 'none'
WHEN k.disputed THEN 'answer'
WHEN k.step = 'submitted' THEN 'verify'
WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN 'assign'
ELSE 'correct' END AS turn,
k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
k.verified_by AS "verifiedBy",
floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", floor(extract(epoch FROM k.closed_at))::float8 AS "closedAt",
CASE
WHEN k.closed_at IS NOT NULL THEN floor(extract(epoch FROM (k.closed_at + interval '1 day' * coalesce((SELECT s.value
  FROM settings s WHERE s.tenant_id = $1 AND s.key = 'reopenDays' AND (s.bc_id = k.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
floor(extract(epoch FROM k.urged_at))::float8 AS "urgedAt", k.version,
  (SELECT f.about_id FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
    AND f.id = k.source_id) AS about_id,
     x.reminder || floor(extract(epoch FROM k.due_at))::text AS reminder, l.hours
   FROM corrections k
   JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
   CROSS JOIN LATERAL (SELECT (extract(epoch FROM (:now - k.due_at)) / 3600)::float8 AS hours) l
   CROSS JOIN LATERAL (SELECT CASE
     WHEN l.hours < 0 THEN 'soon:'
     WHEN l.hours < 24 THEN 'due:'
     WHEN l.hours < 72 THEN 'late:'
     WHEN l.hours < 168 THEN 'later:'
     ELSE 'week' || floor(l.hours / 168)::text || ':' END AS reminder,
     CASE
     WHEN l.hours < 24 THEN 0
     WHEN l.hours < 72 THEN 24
     WHEN l.hours < 168 THEN 72
     ELSE floor(l.hours / 168) * 168 END AS since) x
   WHERE k.tenant_id = $1 AND k.correction_status IN (1, 2) AND (k.source = 'alarm') = $2
     AND k.due_at <= :now + interval '2 hours' AND l.hours - x.since <= 48
     AND NOT EXISTS (
       SELECT 1
       FROM reminders m
       WHERE m.tenant_id = $1 AND m.cause_kind = CASE WHEN $2 THEN 'alarm' ELSE 'correction' END
         AND m.cause_id = k.id::text
         AND m.step = x.reminder || floor(extract(epoch FROM k.due_at))::text)
   ORDER BY k.id
   LIMIT 500
   FOR UPDATE OF k SKIP LOCKED) q;

-- corrections.steward
SELECT w.steward_id AS id,
  (SELECT f.about_id FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
    AND f.id = k.source_id) AS about_id
FROM sites w
JOIN corrections k ON k.tenant_id = $1 AND k.id = $3
WHERE w.tenant_id = $1 AND w.id = $2 AND w.steward_id IS NOT NULL;

-- corrections.theirs
SELECT k.id,
'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
k.source, k.source_id,
CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
  WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem,
coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, floor(extract(epoch FROM k.at))::float8 AS at,
k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
CASE
WHEN k.closed_at IS NOT NULL THEN 'none'
WHEN k.disputed THEN 'answer'
WHEN k.step = 'submitted' THEN 'verify'
WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN 'assign'
ELSE 'correct' END AS turn,
k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
k.verified_by AS "verifiedBy",
floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", floor(extract(epoch FROM k.closed_at))::float8 AS "closedAt",
CASE
WHEN k.closed_at IS NOT NULL THEN floor(extract(epoch FROM (k.closed_at + interval '1 day' * coalesce((SELECT s.value
  FROM settings s WHERE s.tenant_id = $1 AND s.key = 'reopenDays' AND (s.bc_id = k.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
floor(extract(epoch FROM k.urged_at))::float8 AS "urgedAt", k.version,
  (SELECT f.about_id FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
    AND f.id = k.source_id) AS about_id,
     (SELECT f.hidden_from FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
       AND f.id = k.source_id) AS hidden_from, k.changed_by AS "changedBy",
     floor(extract(epoch FROM k.changed_at))::float8 AS "changedAt"
   FROM corrections k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
   WHERE k.tenant_id = $1::uuid AND k.assignee_id = $2::uuid AND k.correction_status = 2
   ORDER BY k.id;

-- corrections.unassigned
SELECT count(*)::int AS n FROM corrections k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND (k.source = 'alarm') = true
AND (k.correction_status = 1 OR k.correction_status = 2 AND k.disputed);

-- corrections.unverified
SELECT count(*)::int AS n FROM corrections k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND (k.source = 'alarm') = true
AND k.correction_status = 2 AND k.step = 'submitted';

-- corrections.urged
UPDATE corrections SET urged_at = :now WHERE tenant_id = $1 AND id = $2;

-- demo.found
INSERT INTO corrections
SELECT x.*
FROM json_populate_recordset(NULL::corrections, $1::json) x;

-- demo.threads
INSERT INTO correction_logs SELECT * FROM json_populate_recordset(NULL::correction_logs, $1::json);
