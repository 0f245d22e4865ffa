-- recordings.add
INSERT INTO recordings (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, said_to, key, bytes, format)
SELECT x.t, x.i, x.c, x.s, x.d, to_timestamp(x.f),
  to_timestamp(x.l), to_timestamp(x.e), x.k, x.b, x.m
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::float8[],
    $8::text[], $9::bigint[], $10::float8[], $11::text[]) AS x(t, i, c, s, d, f, e, k, b, l, m)
WHERE NOT EXISTS (
  SELECT 1 FROM recordings r
  WHERE r.tenant_id = x.t AND r.device_id = x.d AND r.bytes = x.b
    AND r.from_at BETWEEN to_timestamp(x.f - 86400) AND to_timestamp(x.f)
    AND coalesce(r.said_to, r.to_at) >= to_timestamp(x.e));

-- recordings.alarms
SELECT 'alarm' AS kind, floor(extract(epoch FROM a.at))::float8 AS at, a.type, a.id
FROM alarms a
WHERE a.tenant_id = $1::uuid AND a.device_id = $2::uuid AND a.at >= $3::timestamptz AND a.at < $4::timestamptz
ORDER BY a.at
LIMIT 500;

-- recordings.camera
SELECT coalesce(d.sn, '已调走的摄像头') AS sn
FROM sites w
JOIN (SELECT o.device_id, o.site_id, o.from_at, o.to_at
FROM device_stands o
WHERE o.tenant_id = $1
UNION ALL
SELECT n.id, n.site_id, '-infinity', NULL
FROM devices n
WHERE n.tenant_id = $1 AND n.site_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM device_stands e WHERE e.tenant_id = $1 AND e.device_id = n.id)) s ON s.site_id = w.id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id
WHERE w.tenant_id = $1::uuid AND s.device_id = $2::uuid AND w.deleted_at IS NULL AND d.deleted_at IS NULL
LIMIT 1;

-- recordings.cameras
SELECT k.device_id, coalesce(d.sn, '已调走的摄像头') AS "deviceSn", coalesce(d.model, '') AS model, k.here,
  (SELECT floor(extract(epoch FROM r.to_at))::float8
   FROM recordings r
   WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.device_id = k.device_id
   ORDER BY r.to_at DESC
   LIMIT 1) AS last
FROM (SELECT s.device_id, bool_or(s.to_at IS NULL) AS here
      FROM (SELECT o.device_id, o.site_id, o.from_at, o.to_at
FROM device_stands o
WHERE o.tenant_id = $1
UNION ALL
SELECT n.id, n.site_id, '-infinity', NULL
FROM devices n
WHERE n.tenant_id = $1 AND n.site_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM device_stands e WHERE e.tenant_id = $1 AND e.device_id = n.id)) s
      WHERE s.site_id = $2
      GROUP BY s.device_id) k
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
WHERE (d.type = 'camera' AND d.deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM recordings o
    WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.device_id = k.device_id)
ORDER BY k.here DESC, 2;

-- recordings.camerasthen
SELECT DISTINCT d.id
FROM (SELECT o.device_id, o.site_id, o.from_at, o.to_at
FROM device_stands o
WHERE o.tenant_id = $1
UNION ALL
SELECT n.id, n.site_id, '-infinity', NULL
FROM devices n
WHERE n.tenant_id = $1 AND n.site_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM device_stands e WHERE e.tenant_id = $1 AND e.device_id = n.id)) s
JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id AND d.type = 'camera'
WHERE s.site_id = $2 AND s.from_at < $4::timestamptz AND (s.to_at IS NULL OR s.to_at > $3::timestamptz)
ORDER BY d.id;

-- recordings.clockins
SELECT 'clockin' AS kind, floor(extract(epoch FROM e.at))::float8 AS at
FROM attendance_events e
WHERE e.tenant_id = $1 AND e.site_id = ANY ($2::uuid[]) AND e.at >= $3 AND e.at < $4
ORDER BY e.at
LIMIT 500;

-- recordings.days
SELECT least((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'recordingDays'
  AND s.bc_id = $2::uuid),
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'recordingDays' AND s.bc_id IS NULL),
      '30'::jsonb))::text::int AS days;

-- recordings.files
SELECT r.id, r.device_id, r.site_id, r.bc_id, floor(extract(epoch FROM r.from_at))::float8 AS from,
  floor(extract(epoch FROM r.to_at))::float8 AS to, r.key,
  r.format
FROM recordings r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
WHERE r.tenant_id = $1::uuid AND r.device_id = $2::uuid AND r.from_at > $3::timestamptz - interval '86401 seconds'
  AND r.from_at < $4::timestamptz AND r.to_at > $5::timestamptz AND r.to_at > r.from_at AND w.deleted_at IS NULL
ORDER BY r.from_at, r.id
LIMIT 1000;

-- recordings.forget
DELETE FROM recordings r
WHERE r.tenant_id = $1 AND r.id IN (SELECT k.id FROM recordings k WHERE k.tenant_id = $1 AND k.bc_id = $2
  AND k.to_at < $3 AND NOT EXISTS (
  SELECT 1 FROM recording_holds h
  WHERE h.tenant_id = $1 AND h.device_id = k.device_id AND h.released_at IS NULL AND h.until_at > :now
    AND h.from_at < k.to_at AND h.to_at > k.from_at) ORDER BY k.to_at LIMIT 500)
RETURNING r.key;

-- recordings.heldfor
SELECT r.id, r.device_id, r.site_id, r.bc_id, floor(extract(epoch FROM r.from_at))::float8 AS from,
  floor(extract(epoch FROM r.to_at))::float8 AS to, r.key,
  r.format, coalesce(d.sn, '已调走的摄像头') AS "deviceSn", floor(extract(epoch FROM h.from_at))::float8 AS "hourFrom",
  floor(extract(epoch FROM h.to_at))::float8 AS "hourTo"
FROM recording_holds h
JOIN recordings r ON r.tenant_id = $1 AND r.device_id = h.device_id AND r.site_id = h.site_id
  AND r.from_at > h.from_at - interval '86401 seconds' AND r.from_at < h.to_at
  AND r.to_at > h.from_at
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = h.device_id
WHERE h.tenant_id = $1::uuid AND h.feedback_id = $2::uuid AND h.released_at IS NULL AND h.until_at > :now
ORDER BY "deviceSn", r.from_at, r.id;

-- recordings.hold
SELECT h.device_id, h.site_id, floor(extract(epoch FROM h.from_at))::float8 AS from,
  floor(extract(epoch FROM h.to_at))::float8 AS to,
  h.released_at IS NOT NULL AS released
FROM recording_holds h
WHERE h.tenant_id = $1::uuid AND h.id = $2::uuid
FOR NO KEY UPDATE OF h;

-- recordings.holding
INSERT INTO recording_holds (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, "for", reason, until_at,
  held_by, held_at, feedback_id)
SELECT $1, x.id, x.bc, x.site, $5, $6, $7, $8, $9, $10, $11, $12, $13
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) AS x(id, bc, site);

-- recordings.holds
SELECT h.id, floor(extract(epoch FROM h.from_at))::float8 AS from, floor(extract(epoch FROM h.to_at))::float8 AS to,
  CASE WHEN x.kept THEN 'person' ELSE h."for" END AS "for",
  CASE WHEN x.kept THEN '按要求留存' ELSE h.reason END AS reason, floor(extract(epoch FROM h.until_at))::float8 AS until,
  h.held_by AS by
FROM recording_holds h
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = h.feedback_id
  AND f.hidden_from = $6::uuid) AS kept) x
WHERE h.tenant_id = $1::uuid AND h.device_id = $2::uuid AND h.from_at > $3::timestamptz - interval '86401 seconds'
  AND h.from_at < $4::timestamptz AND h.to_at > $5::timestamptz AND h.released_at IS NULL AND h.until_at > :now
ORDER BY h.from_at, h.id;

-- recordings.known
SELECT floor(extract(epoch FROM r.from_at))::float8 AS from, floor(extract(epoch FROM coalesce(r.said_to,
  r.to_at)))::float8 AS to, r.bytes
FROM recordings r
WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.from_at >= to_timestamp($3) AND r.from_at <= to_timestamp($4);

-- recordings.latest
SELECT d.id AS device_id, d.sn AS "deviceSn", w.ws_name AS "siteName",
  floor(extract(epoch FROM k.from_at))::float8 AS from,
  floor(extract(epoch FROM k.to_at))::float8 AS to, k.format
FROM sites w
JOIN devices d ON d.tenant_id = $1 AND d.site_id = w.id AND d.type = 'camera' AND d.deleted_at IS NULL
CROSS JOIN LATERAL (
  SELECT r.from_at, r.to_at, r.format
  FROM recordings r
  WHERE r.tenant_id = $1 AND r.site_id = w.id AND r.device_id = d.id
  ORDER BY r.to_at DESC
  LIMIT 1) k
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
ORDER BY k.to_at DESC, d.sn
LIMIT 12;

-- recordings.loose
SELECT f.key, f.at, NOT EXISTS (SELECT 1 FROM recordings r WHERE r.tenant_id = $1 AND r.key = f.key)
    AND NOT EXISTS (SELECT 1 FROM alarms a WHERE a.tenant_id = $1 AND a.clip = f.key) AS loose
FROM files f
WHERE f.tenant_id = $1 AND f.kind = 'clip' AND f.device_id IS NOT NULL
  AND (f.at, f.key) > ($2::timestamptz, $3) AND f.at < $4
ORDER BY f.at, f.key
LIMIT 500;

-- recordings.named
SELECT x.key, EXISTS (SELECT 1 FROM recordings r WHERE r.tenant_id = $1 AND r.key = x.key)
  OR EXISTS (SELECT 1 FROM alarms a WHERE a.tenant_id = $1 AND a.clip = x.key) AS named
FROM unnest($2::text[]) AS x(key);

-- recordings.old
SELECT count(*)::int AS n FROM (SELECT 1 FROM recordings k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.to_at < $3
  AND NOT EXISTS (
SELECT 1 FROM recording_holds h
WHERE h.tenant_id = $1 AND h.device_id = k.device_id AND h.released_at IS NULL AND h.until_at > :now
  AND h.from_at < k.to_at AND h.to_at > k.from_at) LIMIT $4) o;

-- recordings.one
SELECT r.id, r.device_id, r.site_id, r.bc_id, floor(extract(epoch FROM r.from_at))::float8 AS from,
  floor(extract(epoch FROM r.to_at))::float8 AS to, r.key,
  r.format, coalesce(d.sn, '') AS sn
FROM recordings r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id AND w.deleted_at IS NULL
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
WHERE r.tenant_id = $1::uuid AND r.id = $2::uuid;

-- recordings.pieces
SELECT r.id, floor(extract(epoch FROM r.from_at))::float8 AS from, floor(extract(epoch FROM r.to_at))::float8 AS to,
  r.bytes, r.format
FROM recordings r
WHERE r.tenant_id = $1::uuid AND r.device_id = $2::uuid AND r.from_at > $3::timestamptz - interval '86401 seconds'
  AND r.from_at < $4::timestamptz AND r.to_at > $5::timestamptz AND r.to_at > r.from_at
ORDER BY r.from_at, r.id;

-- recordings.release
UPDATE recording_holds h
SET released_by = $3, released_at = $4, released_why = $5
WHERE h.tenant_id = $1 AND h.id = $2;

-- recordings.site
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- recordings.stands
SELECT w.id AS site_id, w.ws_name AS "siteName", w.bc_id, w.status AS "siteStatus", w.lived_in AS "livedIn",
  w.bc_id AS "homeBc",
  least((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'recordingDays' AND s.bc_id = w.bc_id),
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'recordingDays' AND s.bc_id IS NULL),
      '30'::jsonb))::text::int AS days
FROM sites w
JOIN (SELECT o.device_id, o.site_id, o.from_at, o.to_at
FROM device_stands o
WHERE o.tenant_id = $1
UNION ALL
SELECT n.id, n.site_id, '-infinity', NULL
FROM devices n
WHERE n.tenant_id = $1 AND n.site_id IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM device_stands e WHERE e.tenant_id = $1 AND e.device_id = n.id)) s ON s.site_id = w.id
WHERE w.tenant_id = $1::uuid AND s.device_id = $2::uuid AND s.from_at < $3::timestamptz AND (s.to_at IS NULL
  OR s.to_at > $4::timestamptz)
ORDER BY s.from_at;

-- recordings.toturn
UPDATE recordings r
SET turns = r.turns + 1
WHERE r.tenant_id = $1 AND r.id = (
  SELECT k.id
  FROM recordings k
  WHERE k.tenant_id = $1 AND k.format IS NOT NULL AND k.turns < 3
  ORDER BY k.from_at DESC
  LIMIT 1)
RETURNING r.id, r.key, extract(epoch FROM r.to_at - r.from_at)::float8 AS seconds, r.turns;

-- recordings.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- recordings.turned
UPDATE recordings r SET key = $3, format = NULL WHERE r.tenant_id = $1 AND r.key = $2;

-- recordings.turns
UPDATE recordings r SET turns = $3 WHERE r.tenant_id = $1 AND r.id = $2;
