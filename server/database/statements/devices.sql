-- devices.add
INSERT INTO devices (tenant_id, id, sn, secret, type, model, bc_id, site_id, bind_status, device_status)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::uuid, CASE WHEN $8::uuid IS NULL THEN 1 ELSE 2 END, $9);

-- devices.along
UPDATE devices SET bc_id = $3, version = version + 1 WHERE tenant_id = $1 AND site_id = $2;

-- devices.atsite
SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- devices.binding
INSERT INTO device_bindings (tenant_id, id, device_id, site_id, action, actor, remark, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now);

-- devices.bindings
SELECT b.action, coalesce(w.ws_name, '') AS "siteName", b.actor, floor(extract(epoch FROM b.at))::float8 AS at, b.remark
FROM device_bindings b
LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id
WHERE b.tenant_id = $1 AND b.device_id = $2
ORDER BY b.at DESC
LIMIT 100;

-- devices.camerasat
SELECT d.id, d.sn, d.model, CASE WHEN d.deleted_at IS NULL THEN d.bc_id END AS bc,
  CASE WHEN d.deleted_at IS NULL THEN d.site_id END AS site,
  extract(epoch FROM greatest(s.from_at, to_timestamp(0)))::float8 AS from, extract(epoch FROM s.to_at)::float8 AS to
FROM device_stands s
JOIN devices d ON d.tenant_id = $1 AND d.id = s.device_id AND d.type = 'camera'
WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.from_at < to_timestamp($4)
  AND (s.to_at IS NULL OR s.to_at > to_timestamp($3))
UNION ALL
SELECT d.id, d.sn, d.model, d.bc_id, d.site_id, coalesce(l.left_at, 0), NULL
FROM devices d
LEFT JOIN LATERAL (
  SELECT max(extract(epoch FROM e.to_at)::float8) AS left_at, bool_or(e.to_at IS NULL) AS open
  FROM device_stands e
  WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.type = 'camera' AND d.deleted_at IS NULL
  AND l.open IS NOT TRUE AND coalesce(l.left_at, 0) < $4
ORDER BY sn, "from";

-- devices.closespans
UPDATE device_spans s SET to_at = greatest(x.at, s.from_at) FROM json_to_recordset($1::json) AS x(tenant uuid,
  device uuid, state smallint, cause text, at timestamptz)
WHERE s.tenant_id = x.tenant AND s.device_id = x.device AND s.to_at IS NULL;

-- devices.count
UPDATE sites w SET devices_total = n.total, devices_online = n.online FROM (SELECT k.id,
  count(d.id) FILTER (WHERE d.device_status <> 3)::int AS total,
    count(d.id) FILTER (WHERE d.device_status = 1)::int AS online FROM unnest($2::uuid[]) AS k(id)
LEFT JOIN devices d ON d.tenant_id = $1 AND d.site_id = k.id AND d.deleted_at IS NULL GROUP BY k.id) n
  WHERE w.tenant_id = $1 AND w.id = n.id AND (w.devices_total, w.devices_online) IS DISTINCT FROM (n.total, n.online);

-- devices.detail
SELECT d.id, d.sn, d.type, d.model, d.bc_id, coalesce(c.bc_name, '') AS bc_name, d.bind_status AS "bindStatus",
     d.site_id, coalesce(w.ws_name, '') AS "siteName", d.device_status AS "deviceStatus", d.cause, d.signal,
     floor(extract(epoch FROM d.last_seen))::float8 AS "lastSeen", d.firmware,
       (SELECT round((100 * coalesce(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)) FILTER (WHERE s.state = 1), 0) / nullif(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)), 0))::numeric, 1)::float8 FROM device_spans s
  WHERE s.tenant_id = $1 AND s.device_id = d.id AND s.state IN (1, 2,
    4) AND (s.to_at IS NULL OR s.to_at > (:now - interval '7 days'))) AS "onlineRate",
     coalesce(d.streams->>'live', '') <> '' AS "hasLive", d.remark,
       (SELECT r.due::text FROM retrievals r WHERE r.tenant_id = $1 AND r.device_id = d.id
         AND r.closed_at IS NULL) AS "retrieveBy", d.version, NULL::text AS picture,
       floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt",
       (SELECT floor(extract(epoch FROM max(b.at)))::float8 FROM device_bindings b
        WHERE b.tenant_id = $1 AND b.device_id = d.id AND b.action IN ('入库', '换密钥')) AS "secretAt", d.notice
     FROM devices d LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = d.bc_id
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.id = $2::uuid;

-- devices.endstand
UPDATE device_stands
SET to_at = greatest(:now, from_at)
WHERE tenant_id = $1 AND device_id = $2 AND to_at IS NULL AND site_id IS DISTINCT FROM $3;

-- devices.forgetstills
UPDATE devices d SET last_picture = NULL, last_picture_at = NULL
WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.last_picture_at IS NOT NULL;

-- devices.last
SELECT actor, at FROM device_bindings WHERE tenant_id = $1 AND device_id = $2 ORDER BY at DESC, id DESC LIMIT 1;

-- devices.lock
SELECT d.id, d.sn, d.type, d.model, d.bc_id, coalesce(c.bc_name, '') AS bc_name, d.bind_status AS "bindStatus",
     d.site_id, coalesce(w.ws_name, '') AS "siteName", d.device_status AS "deviceStatus", d.cause, d.signal,
     floor(extract(epoch FROM d.last_seen))::float8 AS "lastSeen", d.firmware,
       (SELECT round((100 * coalesce(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)) FILTER (WHERE s.state = 1), 0) / nullif(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)), 0))::numeric, 1)::float8 FROM device_spans s
  WHERE s.tenant_id = $1 AND s.device_id = d.id AND s.state IN (1, 2,
    4) AND (s.to_at IS NULL OR s.to_at > (:now - interval '7 days'))) AS "onlineRate",
     coalesce(d.streams->>'live', '') <> '' AS "hasLive", d.remark,
       (SELECT r.due::text FROM retrievals r WHERE r.tenant_id = $1 AND r.device_id = d.id
         AND r.closed_at IS NULL) AS "retrieveBy",
           d.version FROM devices d LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = d.bc_id
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL
     AND d.id = $2::uuid FOR UPDATE OF d;

-- devices.move
UPDATE devices
SET device_status = $4, bind_status = CASE WHEN $5::uuid IS NULL THEN 1 ELSE 2 END, site_id = $5,
  cause = $6, version = version + 1, deleted_at = CASE WHEN $7::boolean THEN :now END,
  last_picture = CASE WHEN site_id = $5 THEN last_picture END,
  last_picture_at = CASE WHEN site_id = $5 THEN last_picture_at END,
  notice = CASE WHEN site_id = $5 THEN notice ELSE $8 END
WHERE tenant_id = $1 AND id = $2 AND version = $3;

-- devices.one
SELECT 1 FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.id = $2::uuid;

-- devices.openspans
INSERT INTO device_spans (tenant_id, device_id, from_at, state, cause)
SELECT x.tenant, x.device, greatest(x.at, b.from_at + interval '1 millisecond'), x.state, x.cause
FROM json_to_recordset($1::json) AS x(tenant uuid, device uuid, state smallint, cause text, at timestamptz)
CROSS JOIN LATERAL (SELECT max(s.from_at) AS from_at FROM device_spans s
                    WHERE s.tenant_id = x.tenant AND s.device_id = x.device) b;

-- devices.page
WITH page AS MATERIALIZED (SELECT d.* FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL
  ORDER BY d.device_status = 2 DESC, d.sn, d.id LIMIT 20)
     SELECT coalesce((SELECT json_agg(r)
         FROM (SELECT d.id, d.sn, d.type, d.model, d.bc_id, coalesce(c.bc_name, '') AS bc_name,
           d.bind_status AS "bindStatus",
     d.site_id, coalesce(w.ws_name, '') AS "siteName", d.device_status AS "deviceStatus", d.cause, d.signal,
     floor(extract(epoch FROM d.last_seen))::float8 AS "lastSeen", d.firmware,
       (SELECT round((100 * coalesce(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)) FILTER (WHERE s.state = 1), 0) / nullif(sum((CASE WHEN EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (:now - interval '7 days')) AND u.from_at < :now) THEN extract(epoch FROM least(coalesce(s.to_at, :now),
    :now) - greatest(s.from_at, (:now - interval '7 days')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(s.to_at, :now),
         :now)) - greatest(u.from_at, greatest(s.from_at, (:now - interval '7 days'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(s.from_at,
  (:now - interval '7 days'))) AND u.from_at < least(coalesce(s.to_at, :now), :now))
     ELSE extract(epoch FROM least(coalesce(s.to_at, :now), :now) - greatest(s.from_at,
       (:now - interval '7 days'))) END)), 0))::numeric, 1)::float8 FROM device_spans s
  WHERE s.tenant_id = $1 AND s.device_id = d.id AND s.state IN (1, 2,
    4) AND (s.to_at IS NULL OR s.to_at > (:now - interval '7 days'))) AS "onlineRate",
     coalesce(d.streams->>'live', '') <> '' AS "hasLive", d.remark,
       (SELECT r.due::text FROM retrievals r WHERE r.tenant_id = $1 AND r.device_id = d.id
         AND r.closed_at IS NULL) AS "retrieveBy",
           d.version FROM page d LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = d.bc_id
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id ORDER BY d.device_status = 2 DESC, d.sn, d.id) r),
     '[]'::json)::text AS list,
       (SELECT count(*) FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL)::int AS total;

-- devices.places
SELECT 1 FROM sites WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE;

-- devices.signals
SELECT floor(extract(epoch FROM date_trunc('hour', r.at)))::float8 AS at, round(avg((r.body->>'signal')::numeric),
  0)::float8 AS signal
FROM raw_events r
WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.at > (:now - interval '7 days') AND r.kind = 'heartbeat'
  AND r.body ? 'signal'
GROUP BY 1
ORDER BY 1;

-- devices.site
SELECT bc_id, status
FROM sites
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
  AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR bc_id = ANY ($3) OR id = ANY ($4));

-- devices.spans
SELECT state, floor(extract(epoch FROM from_at))::float8 AS from, floor(extract(epoch FROM to_at))::float8 AS to, cause
FROM device_spans
WHERE tenant_id = $1 AND device_id = $2
ORDER BY from_at DESC
LIMIT 200;

-- devices.spansof
SELECT s.device_id AS device, s.state, s.cause, extract(epoch FROM s.from_at)::float8 AS from,
  extract(epoch FROM s.to_at)::float8 AS to,
  (SELECT n.cause
   FROM device_spans n
   WHERE n.tenant_id = $1 AND n.device_id = s.device_id AND n.from_at > s.from_at
   ORDER BY n.from_at LIMIT 1) AS next
FROM device_spans s
WHERE s.tenant_id = $1 AND s.device_id = ANY ($2::uuid[]) AND s.from_at < to_timestamp($4)
  AND (s.to_at IS NULL OR s.to_at > to_timestamp($3))
ORDER BY s.device_id, s.from_at;

-- devices.spares
SELECT d.id, d.sn, d.type, d.model, d.version
FROM devices d
WHERE d.tenant_id = $1::uuid AND d.bc_id = $2::uuid AND d.deleted_at IS NULL AND d.bc_id = $3::uuid
  AND d.device_status = 5
ORDER BY d.type, d.sn
LIMIT 200;

-- devices.stand
INSERT INTO device_stands (tenant_id, device_id, site_id, from_at) VALUES ($1, $2, $3, :now)
ON CONFLICT DO NOTHING;

-- devices.standing
SELECT sn FROM devices WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL ORDER BY sn;

-- devices.stood
INSERT INTO device_stands (tenant_id, device_id, site_id, from_at) VALUES ($1, $2, $3, '-infinity')
ON CONFLICT DO NOTHING;

-- devices.tell
SELECT pg_notify('devices', $1);

-- devices.unheard
SELECT extract(epoch FROM u.from_at)::float8 AS from, extract(epoch FROM u.to_at)::float8 AS to
     FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, to_timestamp($1)) AND u.from_at < to_timestamp($2)
     ORDER BY u.from_at;

-- heartbeats.devices
SELECT d.id, d.tenant_id AS tenant, d.sn, d.bc_id AS bc, d.site_id AS site, d.device_status AS status,
  extract(epoch FROM d.last_seen)::float8 AS last_seen,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = d.tenant_id AND s.key = 'offlineMinutes'
      AND (s.bc_id = d.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '5'::jsonb)::text::float8 AS minutes,
          (SELECT extract(epoch FROM max(h.from_at))::float8 FROM hearing h) AS hearing
FROM json_to_recordset($1::json) AS k(tenant uuid, id uuid)
JOIN devices d ON d.tenant_id = k.tenant AND d.id = k.id
ORDER BY d.id
FOR NO KEY UPDATE OF d;

-- heartbeats.hear
UPDATE hearing SET to_at = greatest(to_at, :now)
WHERE from_at = (SELECT max(from_at) FROM hearing) AND to_at > :now - interval '1 minute';

-- heartbeats.listen
INSERT INTO hearing (from_at, to_at) VALUES (:now, :now) ON CONFLICT DO NOTHING;

-- heartbeats.silent
SELECT d.id, d.tenant_id AS tenant, d.sn, d.bc_id AS bc, d.site_id AS site, d.device_status AS status,
     extract(epoch FROM d.last_seen)::float8 AS last_seen, m.minutes,
       (SELECT extract(epoch FROM max(h.from_at))::float8 FROM hearing h) AS hearing
   FROM devices d JOIN (
  SELECT c.tenant_id, c.bc_id,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'offlineMinutes'
      AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '5'::jsonb)::text::float8 AS minutes FROM companies c
  UNION ALL SELECT t.id, '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = t.id AND s.key = 'offlineMinutes'
      AND (s.bc_id = NULL::uuid OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '5'::jsonb)::text::float8 FROM tenants t
) m ON m.tenant_id = d.tenant_id AND m.bc_id = coalesce(d.bc_id, '00000000-0000-0000-0000-000000000000'::uuid)
WHERE d.device_status = 1 AND d.deleted_at IS NULL
  AND greatest(extract(epoch FROM d.last_seen)::float8,
    (SELECT extract(epoch FROM max(h.from_at))::float8 FROM hearing h)) < $1::float8 - m.minutes * 60
      AND d.tenant_id = ANY ($2::uuid[])
   ORDER BY d.id LIMIT 1000 FOR NO KEY UPDATE OF d SKIP LOCKED;

-- heartbeats.tenants
SELECT DISTINCT d.tenant_id AS tenant FROM devices d JOIN (
  SELECT c.tenant_id, c.bc_id,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'offlineMinutes'
      AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '5'::jsonb)::text::float8 AS minutes FROM companies c
  UNION ALL SELECT t.id, '00000000-0000-0000-0000-000000000000'::uuid,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = t.id AND s.key = 'offlineMinutes'
      AND (s.bc_id = NULL::uuid OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '5'::jsonb)::text::float8 FROM tenants t
) m ON m.tenant_id = d.tenant_id AND m.bc_id = coalesce(d.bc_id, '00000000-0000-0000-0000-000000000000'::uuid)
WHERE d.device_status = 1 AND d.deleted_at IS NULL
  AND greatest(extract(epoch FROM d.last_seen)::float8,
    (SELECT extract(epoch FROM max(h.from_at))::float8 FROM hearing h)) < $1::float8 - m.minutes * 60 ORDER BY 1;

-- heartbeats.turn
UPDATE devices d SET device_status = x.state, cause = x.cause, version = d.version + 1
FROM json_to_recordset($1::json) AS x(tenant uuid, device uuid, state smallint, cause text)
WHERE d.tenant_id = x.tenant AND d.id = x.device;

-- heartbeats.unheard
DELETE FROM hearing WHERE to_at < :now - interval '400 days';

-- heartbeats.write
UPDATE devices d
SET last_seen = to_timestamp(x.at), signal = coalesce(x.signal, d.signal),
  firmware = coalesce(x.firmware, d.firmware), frame_at = coalesce(to_timestamp(x.frame), d.frame_at),
  streams = coalesce(x.streams, d.streams)
FROM json_to_recordset($1::json) AS x(tenant uuid, id uuid, at float8, signal smallint, firmware text,
    frame float8, streams jsonb)
WHERE d.tenant_id = x.tenant AND d.id = x.id;

-- retrievals.along
UPDATE retrievals SET bc_id = $3 WHERE tenant_id = $1 AND site_id = $2;

-- retrievals.close
UPDATE retrievals r
SET closed_at = :now, closed_by = $3
WHERE r.tenant_id = $1 AND r.device_id = $2 AND r.closed_at IS NULL
RETURNING r.site_id AS site, EXISTS (
  SELECT 1 FROM retrievals o
  WHERE o.tenant_id = $1 AND o.site_id = r.site_id AND o.id <> r.id AND o.closed_at IS NULL) AS others;

-- retrievals.devices
SELECT id FROM devices WHERE tenant_id = $1 AND site_id = $2 AND deleted_at IS NULL;

-- retrievals.give
UPDATE retrievals r SET person_id = $3 WHERE r.tenant_id = $1 AND r.person_id = $2 AND r.closed_at IS NULL;

-- retrievals.late
WITH late AS (
  SELECT r.tenant_id, r.site_id, r.bc_id, r.person_id, r.due
  FROM retrievals r
  WHERE r.tenant_id = $1 AND r.closed_at IS NULL AND r.told_at IS NULL AND r.due < $2::date
  FOR UPDATE SKIP LOCKED)
SELECT l.site_id AS site, w.ws_name, count(*)::int AS n, l.due::text AS due,
  array_remove(array_agg(DISTINCT l.person_id), NULL) || ARRAY(
    SELECT u.id
    FROM users u
    WHERE u.tenant_id = $1 AND u.bc_id = l.bc_id AND EXISTS (
      SELECT 1
      FROM user_roles ur
      JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
      JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = 'device:bind'
      WHERE ur.tenant_id = $1 AND ur.user_id = u.id)) AS people
FROM late l
JOIN sites w ON w.tenant_id = $1 AND w.id = l.site_id
GROUP BY l.site_id, l.bc_id, l.due, w.ws_name
ORDER BY l.site_id, l.due;

-- retrievals.of
SELECT r.site_id AS site, r.bc_id, count(*)::int AS n,
  (SELECT u.status::text FROM users u WHERE u.tenant_id = $1 AND u.id = $2) AS open
FROM retrievals r
WHERE r.tenant_id = $1 AND r.person_id = $2 AND r.closed_at IS NULL
GROUP BY r.site_id, r.bc_id;

-- retrievals.open
INSERT INTO retrievals (tenant_id, id, bc_id, site_id, device_id, person_id, due, opened_at)
SELECT $1, i, $2, $3, d, $6, $7, :now FROM unnest($4::uuid[], $5::uuid[]) AS x(i, d)
ON CONFLICT (tenant_id, device_id) WHERE closed_at IS NULL DO NOTHING;

-- retrievals.person
SELECT nickname FROM users WHERE tenant_id = $1 AND id = $2;

-- stock.back
ROLLBACK TO SAVEPOINT one;

-- stock.branch
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2;

-- stock.bysn
SELECT d.id FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.sn = $2;

-- stock.edit
UPDATE devices SET model = $3, remark = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- stock.known
SELECT sn FROM devices WHERE tenant_id = $1 AND sn = ANY ($2) AND deleted_at IS NULL;

-- stock.log
WITH page AS MATERIALIZED (SELECT b.* FROM device_bindings b JOIN devices d ON d.tenant_id = b.tenant_id
  AND d.id = b.device_id WHERE d.tenant_id = $1::uuid ORDER BY b.at DESC, b.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT b.id, b.device_id, d.sn, d.type, b.action, b.site_id, coalesce(w.ws_name, '') AS "siteName", b.actor,
 floor(extract(epoch FROM b.at))::float8 AS at,
   b.remark FROM page b JOIN devices d ON d.tenant_id = b.tenant_id AND d.id = b.device_id
LEFT JOIN sites w ON w.tenant_id = b.tenant_id AND w.id = b.site_id ORDER BY b.at DESC, b.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM device_bindings b JOIN devices d ON d.tenant_id = b.tenant_id AND d.id = b.device_id
      WHERE d.tenant_id = $1::uuid)::int AS total;

-- stock.move
UPDATE devices
SET bc_id = $3, device_status = $4, cause = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- stock.savepoint
SAVEPOINT one;

-- stock.secret
UPDATE devices SET secret = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- stock.totals
WITH page AS MATERIALIZED (SELECT t.* FROM (SELECT d.type || '|' || d.model || '|' || coalesce(d.bc_id::text,
  '') AS id, d.tenant_id, d.type,
          d.model, d.bc_id, count(*) FILTER (WHERE d.device_status = 6)::int AS "inStock",
            count(*) FILTER (WHERE d.device_status = 5)::int AS "spare",
              count(*) FILTER (WHERE d.bind_status = 2 AND d.device_status <> 4)::int AS "bound",
                count(*) FILTER (WHERE d.device_status = 4)::int AS "faulty",
                  count(*)::int AS "total" FROM devices d WHERE d.tenant_id = $1::uuid
                    AND d.deleted_at IS NULL GROUP BY d.tenant_id, d.type,
          d.model, d.bc_id) t WHERE true ORDER BY t.type, t.model, t.bc_id, t.id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT t.id, t.model, t.type, t.bc_id, coalesce(c.bc_name, '集团仓库') AS bc_name, t."inStock", t.spare,
          t.bound, t.faulty,
            t.total FROM page t LEFT JOIN companies c ON c.tenant_id = t.tenant_id AND c.bc_id = t.bc_id
              ORDER BY t.type, t.model, t.bc_id, t.id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT d.type || '|' || d.model || '|' || coalesce(d.bc_id::text, '') AS id, d.tenant_id,
    d.type,
          d.model, d.bc_id, count(*) FILTER (WHERE d.device_status = 6)::int AS "inStock",
            count(*) FILTER (WHERE d.device_status = 5)::int AS "spare",
              count(*) FILTER (WHERE d.bind_status = 2 AND d.device_status <> 4)::int AS "bound",
                count(*) FILTER (WHERE d.device_status = 4)::int AS "faulty",
                  count(*)::int AS "total" FROM devices d WHERE d.tenant_id = $1::uuid
                    AND d.deleted_at IS NULL GROUP BY d.tenant_id, d.type,
          d.model, d.bc_id) t WHERE true)::int AS total;
