-- receptions.add
INSERT INTO receptions (tenant_id, id, bc_id, site_id, at, planned, arrived_at, host_id, purpose, remark, state,
  entered_by, entered_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now, $12, :now);

-- receptions.beside
SELECT r.id, floor(extract(epoch FROM r.at))::float8 AS at, w.ws_name AS "siteName", u.nickname AS "hostName"
FROM receptions r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
WHERE r.tenant_id = $1::uuid AND r.bc_id = $2::uuid AND r.state IN ('planned',
  'arrived') AND r.at > $3::timestamptz - interval '1 hour' AND r.at < $4::timestamptz + interval '1 hour'
    AND r.site_id = $5::uuid
ORDER BY r.at, r.id
LIMIT 5;

-- receptions.home
SELECT r.id, floor(extract(epoch FROM r.at))::float8 AS at, r.purpose, r.state,
  floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  CASE WHEN r.state IN ('missed', 'cancelled') THEN r.record ELSE '' END AS why,
  CASE r.host_id WHEN w.steward_id THEN 1::smallint
    WHEN w.manager_id THEN 2::smallint ELSE u.post END AS post, u.nickname AS host
FROM receptions r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.entered_at >= $3
  AND (r.state IN ('planned', 'arrived') OR r.ended_at > :now - interval '30 days')
ORDER BY r.ended_at DESC NULLS FIRST, r.at, r.id
LIMIT 20;

-- receptions.lock
SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, u.nickname AS "hostName", r.purpose, r.remark, r.record, r.state,
  r.entered_by AS "enteredBy", r.version, r.changed_by AS "changedBy",
    floor(extract(epoch FROM r.changed_at))::float8 AS "changedAt"
  FROM receptions r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
  WHERE r.tenant_id = $1::uuid AND r.id = $2::uuid
  FOR UPDATE OF r;

-- receptions.move
UPDATE receptions r
SET state = $3, arrived_at = CASE WHEN $3 = 'arrived' THEN :now ELSE r.arrived_at END,
  ended_at = CASE WHEN $3 = 'arrived' THEN NULL ELSE :now END, record = $4,
  changed_by = $5, changed_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- receptions.open
SELECT count(*)::int AS n FROM receptions r WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.state IN ('planned',
  'arrived');

-- receptions.over
UPDATE receptions r
SET state = 'cancelled', ended_at = :now, record = '工地已结束',
  changed_by = $3, changed_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.state IN ('planned', 'arrived')
RETURNING id;

-- receptions.page
WITH page AS MATERIALIZED (SELECT r.* FROM receptions r WHERE r.tenant_id = $1::uuid AND r.site_id = $2::uuid
  ORDER BY r.at ASC, r.id DESC LIMIT 3)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, u.nickname AS "hostName", r.purpose, r.remark, r.record, r.state,
  r.entered_by AS "enteredBy", r.version FROM page r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id ORDER BY r.at ASC, r.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM receptions r WHERE r.tenant_id = $1::uuid AND r.site_id = $2::uuid)::int AS total;

-- receptions.site
SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner"
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid
FOR SHARE OF w;
