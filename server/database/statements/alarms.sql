-- alarms.clocks
SELECT k.id, k.bc_id AS bc, k.due_at AS due
FROM alarms k
WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
  AND k.correction_status IN (1, 2) AND k.due_at > :now
ORDER BY k.id
FOR UPDATE;

-- alarms.count
UPDATE sites SET open_alarms = greatest(0, open_alarms + $3) WHERE tenant_id = $1 AND id = $2;

-- alarms.detect
INSERT INTO alarms AS a (tenant_id, id, bc_id, site_id, device_id, type, worker_id, picture, clip,
        confidence, at, last_seen, seen, low_trust, due_at, model, quiet)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
        $10, to_timestamp($11::float8), to_timestamp($12::float8), $13, $14, $15, $16,
        EXISTS (SELECT 1 FROM alarm_pairs p
WHERE p.tenant_id = $1 AND p.device_id = $5 AND p.site_id = $4 AND p.type = $6
  AND p.state IN ('review', 'alwaysReview')))
      ON CONFLICT (tenant_id, device_id, site_id, type) WHERE correction_status IN (1, 2) DO UPDATE SET
        seen = a.seen + excluded.seen,
        last_seen = greatest(a.last_seen, excluded.last_seen)
      RETURNING a.id, a.id = $2 AS raised, a.quiet;

-- alarms.elsewhere
SELECT device_id AS device, type, site_id AS site, bc_id AS bc
FROM alarms
WHERE device_id = ANY ($1) AND correction_status IN (1, 2)
  AND to_regclass('public.alarms_open') IS NOT NULL;

-- alarms.judge
UPDATE alarms SET verdict = $3 WHERE tenant_id = $1 AND id = $2;

-- alarms.moveclocks
UPDATE alarms k SET due_at = x.due
FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
WHERE k.tenant_id = $1 AND k.id = x.id;

-- alarms.one
SELECT a.id, a.type, a.picture, a.clip, a.site_id, w.ws_name AS "siteName", a.bc_id, c.bc_name, a.device_id,
  d.sn AS "deviceSn", floor(extract(epoch FROM a.at))::float8 AS at,
    floor(extract(epoch FROM a.last_seen))::float8 AS "lastSeen", a.seen,
  round(a.confidence::numeric, 4)::float8 AS confidence, a.low_trust AS "lowTrust",
  CASE WHEN a.quiet THEN 'review' ELSE 'notify' END AS attention, a.model,
  a.correction_status AS "correctionStatus", a.verdict, a.step, a.round, a.disputed, a.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName", a.corrector_id, a.corrector_ids,
    floor(extract(epoch FROM a.due_at))::float8 AS "dueAt",
  floor(extract(epoch FROM a.closed_at))::float8 AS "closedAt",
  CASE
  WHEN a.closed_at IS NOT NULL THEN floor(extract(epoch FROM (a.closed_at + interval '1 day' * coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = a.tenant_id AND s.key = 'reopenDays' AND (s.bc_id = a.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
        a.version FROM alarms a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
JOIN companies c ON c.tenant_id = a.tenant_id AND c.bc_id = a.bc_id
JOIN devices d ON d.tenant_id = a.tenant_id AND d.id = a.device_id
LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.assignee_id WHERE a.tenant_id = $1::uuid AND a.id = $2::uuid;

-- alarms.opened
UPDATE sites w SET open_alarms = open_alarms + x.n
FROM json_to_recordset($1::json) AS x(tenant uuid, site uuid, n int)
WHERE w.tenant_id = x.tenant AND w.id = x.site;

-- alarms.other
SELECT 1
FROM alarms a
JOIN alarms o ON o.tenant_id = $1 AND o.device_id = a.device_id AND o.type = a.type AND o.id <> a.id
WHERE a.tenant_id = $1 AND a.id = $2 AND o.correction_status IN (1, 2);

-- alarms.page
WITH page AS MATERIALIZED (SELECT a.* FROM alarms a WHERE a.tenant_id = $1::uuid ORDER BY a.at DESC, a.id DESC LIMIT 2)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT a.id, a.type, a.picture, a.clip, a.site_id, w.ws_name AS "siteName", a.bc_id, c.bc_name, a.device_id,
  d.sn AS "deviceSn", floor(extract(epoch FROM a.at))::float8 AS at,
    floor(extract(epoch FROM a.last_seen))::float8 AS "lastSeen", a.seen,
  round(a.confidence::numeric, 4)::float8 AS confidence, a.low_trust AS "lowTrust",
  CASE WHEN a.quiet THEN 'review' ELSE 'notify' END AS attention, a.model,
  a.correction_status AS "correctionStatus", a.verdict, a.step, a.round, a.disputed, a.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName", a.corrector_id, a.corrector_ids,
    floor(extract(epoch FROM a.due_at))::float8 AS "dueAt",
  floor(extract(epoch FROM a.closed_at))::float8 AS "closedAt",
  CASE
  WHEN a.closed_at IS NOT NULL THEN floor(extract(epoch FROM (a.closed_at + interval '1 day' * coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = a.tenant_id AND s.key = 'reopenDays' AND (s.bc_id = a.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
        a.version FROM page a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
JOIN companies c ON c.tenant_id = a.tenant_id AND c.bc_id = a.bc_id
JOIN devices d ON d.tenant_id = a.tenant_id AND d.id = a.device_id
LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.assignee_id ORDER BY a.at DESC, a.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT coalesce(sum(k.raised), 0) FROM branch_alarms k WHERE k.tenant_id = $1::uuid)::int AS total;

-- alarms.recount
WITH counted AS (
  SELECT m.moment::date AS day, a.bc_id, extract(hour FROM m.moment)::smallint AS hour, a.type, count(*) AS raised,
    count(*) FILTER (WHERE a.verdict = 'real') AS "real", count(*) FILTER (WHERE a.verdict = 'wrong') AS wrong,
    count(*) FILTER (WHERE a.correction_status = 3) AS corrected,
    count(*) FILTER (WHERE a.correction_status = 4) AS cancelled
  FROM alarms a
  CROSS JOIN LATERAL (SELECT a.at AT TIME ZONE 'Asia/Shanghai' AS moment) m
  WHERE a.tenant_id = $1 AND a.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  GROUP BY 1, 2, 3, 4),
kept AS (
  SELECT k.day, k.bc_id, k.hour, k.type, k.raised, k."real", k.wrong, k.corrected, k.cancelled
  FROM alarm_hours k
  WHERE k.tenant_id = $1 AND k.day >= $2::date),
differing AS (
  SELECT day, bc_id, hour, type, coalesce(c.raised, 0) - coalesce(k.raised, 0) AS raised,
    coalesce(c."real", 0) - coalesce(k."real", 0) AS "real", coalesce(c.wrong, 0) - coalesce(k.wrong, 0) AS wrong,
    coalesce(c.corrected, 0) - coalesce(k.corrected, 0) AS corrected,
    coalesce(c.cancelled, 0) - coalesce(k.cancelled, 0) AS cancelled
  FROM counted c
  FULL JOIN kept k USING (day, bc_id, hour, type))
INSERT INTO alarm_hours AS k (tenant_id, day, bc_id, hour, type, raised, "real", wrong, corrected, cancelled)
SELECT $1::uuid, d.day, d.bc_id, d.hour, d.type, d.raised, d."real", d.wrong, d.corrected, d.cancelled
FROM differing d
WHERE (d.raised, d."real", d.wrong, d.corrected, d.cancelled) <> (0, 0, 0, 0, 0)
ORDER BY 2, 3, 4, 5
ON CONFLICT (tenant_id, day, bc_id, hour, type) DO UPDATE SET
  raised = k.raised + excluded.raised,
  "real" = k."real" + excluded."real",
  wrong = k.wrong + excluded.wrong,
  corrected = k.corrected + excluded.corrected,
  cancelled = k.cancelled + excluded.cancelled;

-- alarms.same
SELECT a.id, a.type, floor(extract(epoch FROM a.at))::float8 AS at, a.correction_status AS "correctionStatus", a.picture
FROM alarms a
WHERE a.tenant_id = $1::uuid AND a.device_id = $2::uuid AND a.id <> $3::uuid
ORDER BY a.at DESC
LIMIT 12;

-- alarms.skewed
SELECT device_id
FROM alarms
WHERE device_id = ANY ($1) AND type = 'cameraproblem'
  AND correction_status IN (1, 2);

-- alarms.skewedthen
SELECT k.place::int AS place
FROM unnest($2::uuid[], $3::float8[]) WITH ORDINALITY AS k(device, at, place)
WHERE EXISTS (
  SELECT 1
  FROM alarms a
  WHERE a.tenant_id = $1 AND a.device_id = k.device AND a.type = 'cameraproblem'
    AND a.at <= to_timestamp(k.at)
    AND (a.correction_status IN (1, 2)
      OR a.correction_status = 3 AND a.closed_at > to_timestamp(k.at)));

-- alarms.told
SELECT r.id, row_to_json(r)::text AS json FROM (SELECT a.id, a.type, a.picture, a.clip, a.site_id,
  w.ws_name AS "siteName", a.bc_id, c.bc_name, a.device_id,
  d.sn AS "deviceSn", floor(extract(epoch FROM a.at))::float8 AS at,
    floor(extract(epoch FROM a.last_seen))::float8 AS "lastSeen", a.seen,
  round(a.confidence::numeric, 4)::float8 AS confidence, a.low_trust AS "lowTrust",
  CASE WHEN a.quiet THEN 'review' ELSE 'notify' END AS attention, a.model,
  a.correction_status AS "correctionStatus", a.verdict, a.step, a.round, a.disputed, a.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName", a.corrector_id, a.corrector_ids,
    floor(extract(epoch FROM a.due_at))::float8 AS "dueAt",
  floor(extract(epoch FROM a.closed_at))::float8 AS "closedAt",
  CASE
  WHEN a.closed_at IS NOT NULL THEN floor(extract(epoch FROM (a.closed_at + interval '1 day' * coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = a.tenant_id AND s.key = 'reopenDays' AND (s.bc_id = a.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
        a.version FROM alarms a JOIN sites w ON w.tenant_id = a.tenant_id AND w.id = a.site_id
JOIN companies c ON c.tenant_id = a.tenant_id AND c.bc_id = a.bc_id
JOIN devices d ON d.tenant_id = a.tenant_id AND d.id = a.device_id
LEFT JOIN users u ON u.tenant_id = a.tenant_id AND u.id = a.assignee_id WHERE a.tenant_id = $1::uuid
  AND a.id = $2::uuid) r;

-- alarms.verdict
SELECT a.type, a.verdict, a.device_id FROM alarms a WHERE a.tenant_id = $1 AND a.id = $2;

-- alarms.worker
SELECT k.w_name
FROM alarms a
JOIN workers k ON k.tenant_id = a.tenant_id AND k.id = a.worker_id
WHERE a.tenant_id = $1 AND a.id = $2;

-- devices.pictures
UPDATE devices d SET last_picture = x.picture, last_picture_at = to_timestamp(x.at)
FROM json_to_recordset($1::json) AS x(tenant uuid, id uuid, site uuid, at float8, picture text)
WHERE d.tenant_id = x.tenant AND d.id = x.id AND d.site_id = x.site
  AND (d.last_picture_at IS NULL OR d.last_picture_at <= to_timestamp(x.at));
