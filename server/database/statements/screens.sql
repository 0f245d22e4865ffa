-- arrangements.add
INSERT INTO arrangements (tenant_id, id, bc_id, store_id, name, scenes, opens, closes, holidays, changed_by,
  changed_at)
VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, :now);

-- arrangements.case
SELECT k.id FROM cases k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.id = $3;

-- arrangements.del
DELETE FROM arrangements a WHERE a.tenant_id = $1 AND a.id = $2;

-- arrangements.edit
UPDATE arrangements a SET name = $3, scenes = $4::jsonb, opens = $5, closes = $6, holidays = $7,
  before = $8::jsonb, changed_by = $9, changed_at = :now, version = a.version + 1
WHERE a.tenant_id = $1 AND a.id = $2;

-- arrangements.group
SELECT t.name FROM tenants t WHERE t.id = $1;

-- arrangements.lock
SELECT a.id, a.bc_id, a.store_id, a.name, a.scenes, a.opens, a.closes, a.holidays, a.before,
  a.changed_by AS "changedBy",
  floor(extract(epoch FROM a.changed_at))::float8 AS "changedAt", a.version
FROM arrangements a
WHERE a.tenant_id = $1::uuid AND a.id = $2::uuid
FOR UPDATE;

-- arrangements.names
SELECT a.id, a.name, k.name AS "storeName"
FROM arrangements a
JOIN stores k ON k.tenant_id = $1 AND k.id = a.store_id
WHERE a.tenant_id = $1::uuid
ORDER BY k.name, a.name
LIMIT 200;

-- arrangements.one
SELECT a.id, a.name, a.bc_id, c.bc_name, a.store_id, k.name AS "storeName",
  jsonb_array_length(a.scenes) AS "sceneCount",
  (SELECT sum((x->>'seconds')::int)::int FROM jsonb_array_elements(a.scenes) x) AS seconds,
  EXISTS (SELECT FROM jsonb_array_elements(a.scenes) x WHERE x->>'kind' IN ('alarms', 'ranking')) AS "staffOnly",
  (SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.arrangement_id = a.id
    AND s.revoked_at IS NULL) AS screens,
  (SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.arrangement_id = a.id AND s.revoked_at IS NULL
    AND coalesce(s.moved_at > :now - interval '60 seconds', false)) AS online,
  a.changed_by AS "changedBy", floor(extract(epoch FROM a.changed_at))::float8 AS "changedAt",
    a.before IS NOT NULL AS "hasBefore",
  a.version, a.scenes, a.opens, a.closes,
    a.holidays FROM arrangements a JOIN companies c ON c.tenant_id = $1 AND c.bc_id = a.bc_id
JOIN stores k ON k.tenant_id = $1 AND k.id = a.store_id WHERE a.tenant_id = $1::uuid AND a.id = $2::uuid;

-- arrangements.page
WITH page AS MATERIALIZED (SELECT a.* FROM arrangements a WHERE a.tenant_id = $1::uuid ORDER BY a.changed_at DESC,
  a.id LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT a.id, a.name, a.bc_id, c.bc_name, a.store_id, k.name AS "storeName",
  jsonb_array_length(a.scenes) AS "sceneCount",
  (SELECT sum((x->>'seconds')::int)::int FROM jsonb_array_elements(a.scenes) x) AS seconds,
  EXISTS (SELECT FROM jsonb_array_elements(a.scenes) x WHERE x->>'kind' IN ('alarms', 'ranking')) AS "staffOnly",
  (SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.arrangement_id = a.id
    AND s.revoked_at IS NULL) AS screens,
  (SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.arrangement_id = a.id AND s.revoked_at IS NULL
    AND coalesce(s.moved_at > :now - interval '60 seconds', false)) AS online,
  a.changed_by AS "changedBy", floor(extract(epoch FROM a.changed_at))::float8 AS "changedAt",
    a.before IS NOT NULL AS "hasBefore",
  a.version FROM page a JOIN companies c ON c.tenant_id = $1 AND c.bc_id = a.bc_id
JOIN stores k ON k.tenant_id = $1 AND k.id = a.store_id ORDER BY a.changed_at DESC, a.id) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM arrangements a WHERE a.tenant_id = $1::uuid)::int AS total;

-- arrangements.same
SELECT a.id FROM arrangements a
WHERE a.tenant_id = $1 AND a.store_id = $2 AND a.name = $3 AND ($4::uuid IS NULL OR a.id <> $4::uuid);

-- arrangements.shownon
SELECT s.name, s.kind FROM screens s
WHERE s.tenant_id = $1 AND s.arrangement_id = $2 AND s.revoked_at IS NULL
  AND ($3::text IS NULL OR s.kind = $3::text)
ORDER BY s.name;

-- arrangements.store
SELECT k.id, k.bc_id, k.name, k.status = 1 AS active FROM stores k WHERE k.tenant_id = $1 AND k.id = $2;

-- arrangements.stores
SELECT k.id, k.name, k.bc_id, c.bc_name
FROM stores k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
WHERE k.tenant_id = $1::uuid AND k.status = 1
ORDER BY c.sort, c.bc_name, k.name;

-- screens.add
INSERT INTO screens (tenant_id, id, bc_id, store_id, name, kind, hash, arrangement_id, width, height, paired_by,
  paired_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, :now);

-- screens.asking
SELECT k.hash, k.width, k.height, k.agent, k.ip,
  k.expires_at FROM screen_codes k WHERE k.code = $1 AND k.expires_at > :now;

-- screens.bearer
SELECT s.tenant_id AS tenant, s.id, s.name, s.bc_id, s.store_id, s.kind, s.revoked_at IS NOT NULL AS revoked,
  t.name AS "group", k.name AS store, a.name AS arrangement, a.scenes, a.opens, a.closes, a.holidays
FROM screens s
JOIN tenants t ON t.id = s.tenant_id
JOIN stores k ON k.tenant_id = s.tenant_id AND k.id = s.store_id
LEFT JOIN arrangements a ON a.tenant_id = s.tenant_id AND a.id = s.arrangement_id
WHERE s.hash = $1;

-- screens.code
SELECT k.code, floor(extract(epoch FROM k.expires_at))::float8 AS "expiresAt" FROM screen_codes k
WHERE k.hash = $1 AND k.expires_at > :now;

-- screens.forget
DELETE FROM screens s
WHERE s.tenant_id = $1 AND s.id = ANY (ARRAY(
  SELECT o.id FROM screens o
  WHERE o.tenant_id = $1 AND o.revoked_at < :now - interval '400 days'
  LIMIT $2));

-- screens.lapsed
DELETE FROM screen_codes k WHERE k.code = $1 AND k.expires_at <= :now;

-- screens.lock
SELECT s.id, s.bc_id, s.store_id, k.name AS "storeName", s.name, s.kind,
  CASE WHEN s.revoked_at IS NOT NULL THEN 'revoked' WHEN coalesce(s.moved_at > :now - interval '60 seconds',
    false) THEN 'paired'
  ELSE 'silent' END AS state,
  a.name AS arrangement, s.version
FROM screens s
JOIN stores k ON k.tenant_id = $1 AND k.id = s.store_id
LEFT JOIN arrangements a ON a.tenant_id = $1 AND a.id = s.arrangement_id
WHERE s.tenant_id = $1::uuid AND s.id = $2::uuid
ORDER BY s.id
FOR UPDATE OF s;

-- screens.page
WITH page AS MATERIALIZED (SELECT s.* FROM screens s WHERE s.tenant_id = $1::uuid ORDER BY s.revoked_at IS NOT NULL,
  s.paired_at DESC, s.id LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT s.id, s.name, s.bc_id, c.bc_name, s.store_id, k.name AS "storeName", k.status AS "storeStatus",
  s.kind, CASE WHEN s.revoked_at IS NOT NULL THEN 'revoked' WHEN coalesce(s.moved_at > :now - interval '60 seconds',
    false) THEN 'paired'
    ELSE 'silent' END AS state, s.arrangement_id, a.name AS "arrangementName", s.width, s.height, s.bundle,
  s.scene, s.item, s.frames, s.age,
  (SELECT coalesce(sum(l.openings), 0)::int FROM links l
    WHERE l.tenant_id = $1 AND l.screen_id = s.id) AS scanned,
  floor(extract(epoch FROM s.said_at))::float8 AS "saidAt", floor(extract(epoch FROM s.moved_at))::float8 AS "movedAt",
  s.paired_by AS "pairedBy", floor(extract(epoch FROM s.paired_at))::float8 AS "pairedAt",
    floor(extract(epoch FROM s.revoked_at))::float8 AS "revokedAt",
  s.why, s.version FROM page s JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
JOIN stores k ON k.tenant_id = $1 AND k.id = s.store_id
LEFT JOIN arrangements a ON a.tenant_id = $1 AND a.id = s.arrangement_id ORDER BY s.revoked_at IS NOT NULL,
  s.paired_at DESC, s.id) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM screens s WHERE s.tenant_id = $1::uuid)::int AS total;

-- screens.replace
UPDATE screens s SET hash = $3, width = $4, height = $5, paired_by = $6, paired_at = :now, said_at = NULL,
  moved_at = NULL, scene = '', item = '', frames = 0, age = 0, version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = $2;

-- screens.revoke
UPDATE screens s SET revoked_at = :now, why = $3, version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = $2;

-- screens.revokeall
UPDATE screens s SET revoked_at = :now, why = $4, version = s.version + 1
WHERE s.tenant_id = $1 AND s.revoked_at IS NULL AND (s.store_id = $2::uuid OR s.bc_id = $3::uuid);

-- screens.same
SELECT s.id FROM screens s
WHERE s.tenant_id = $1 AND s.store_id = $2 AND s.name = $3 AND s.revoked_at IS NULL;

-- screens.send
UPDATE screens s SET arrangement_id = $2, version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = ANY ($3::uuid[]);

-- screens.showcode
INSERT INTO screen_codes (hash, code, width, height, agent, ip, expires_at)
SELECT $1, $2, $3, $4, $5, $6, $7
WHERE NOT EXISTS (SELECT FROM screen_codes o WHERE o.code = $2)
ON CONFLICT (hash) DO UPDATE SET code = excluded.code, width = excluded.width, height = excluded.height,
  agent = excluded.agent, ip = excluded.ip, expires_at = excluded.expires_at;

-- screens.takecode
DELETE FROM screen_codes k WHERE k.code = $1 AND k.expires_at > :now RETURNING k.hash, k.width, k.height, k.agent,
  k.ip, k.expires_at;

-- screens.word
UPDATE screens s SET said_at = :now, moved_at = CASE WHEN s.frames <> $8 THEN :now ELSE s.moved_at END,
  width = $3, height = $4, bundle = $5, scene = $6, item = $7, frames = $8, age = $9
WHERE s.tenant_id = $1 AND s.id = $2 AND s.revoked_at IS NULL;

-- walls.alarms
SELECT a.type, count(*) FILTER (WHERE a.correction_status IN (1, 2))::int AS open,
  count(*) FILTER (WHERE a.at >= $3)::int AS today
FROM alarms a
WHERE a.tenant_id = $1 AND a.bc_id = $2 AND (a.correction_status IN (1, 2) OR a.at >= $3)
GROUP BY 1;

-- walls.communities
SELECT w.community, avg(w.lng)::float8 AS lng, avg(w.lat)::float8 AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community
ORDER BY count(*) DESC, w.community;

-- walls.counts
SELECT count(*) FILTER (WHERE w.status = 1)::int AS building,
  (SELECT count(DISTINCT y.worker_id)::int FROM attendance_days y
   WHERE y.tenant_id = $1 AND y.bc_id = $2 AND y.day = $3::date) AS present,
  count(*) FILTER (WHERE w.status = 4
    AND w.actual_finish BETWEEN date_trunc('month', $3::date)::date AND $3::date)::int AS finished
FROM sites w
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL;

-- walls.stages
SELECT t.stage, count(*) FILTER (WHERE w.status = 1 AND w.stage = t.stage)::int AS building,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY t.actual_finish - t.actual_start + 1)
    FILTER (WHERE t.actual_finish BETWEEN $3::date - 365 AND $3::date)::int AS days,
  count(t.actual_finish - t.actual_start)
    FILTER (WHERE t.actual_finish BETWEEN $3::date - 365 AND $3::date)::int AS "daysOf"
FROM sites w
JOIN site_stages t ON t.tenant_id = $1 AND t.site_id = w.id
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL
GROUP BY t.stage
ORDER BY min(t.sort);

-- walls.tidy
SELECT c.bc_name, count(w.id)::int AS building, count(w.tidiness)::int AS judged,
  count(w.id) FILTER (WHERE w.tidiness IN (1, 2))::int AS tidy
FROM companies c
LEFT JOIN sites w ON w.tenant_id = $1 AND w.bc_id = c.bc_id AND w.status = 1
  AND w.deleted_at IS NULL
WHERE c.tenant_id = $1 AND c.status = 1
  AND ($2::uuid[] IS NULL OR c.bc_id = ANY ($2::uuid[]))
GROUP BY c.bc_id, c.bc_name, c.sort
ORDER BY c.sort, c.bc_name;

-- walls.worked
SELECT w.community, w.stage, count(DISTINCT w.id)::int AS sites, count(DISTINCT y.worker_id)::int AS people
FROM attendance_days y
JOIN sites w ON w.tenant_id = $1 AND w.id = y.site_id
WHERE y.tenant_id = $1 AND y.bc_id = $2 AND y.day = $3::date AND w.status = 1
  AND w.deleted_at IS NULL
GROUP BY 1, 2
ORDER BY 4 DESC, 3 DESC, 1;
