-- receptions.add
INSERT INTO receptions (tenant_id, id, bc_id, site_id, at, planned, arrived_at, host_id, purpose, remark, state,
  entered_by, entered_id, entered_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now, $12, :now);

-- receptions.beside
SELECT r.id, floor(extract(epoch FROM r.at))::float8 AS at, w.ws_name AS "siteName", coalesce(u.nickname,
  '') AS "hostName"
FROM receptions r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
WHERE r.tenant_id = $1::uuid AND r.bc_id = $2::uuid AND r.state IN ('planned',
  'arrived') AND r.at > $3::timestamptz - interval '1 hour' AND r.at < $4::timestamptz + interval '1 hour'
    AND r.site_id = $5::uuid
ORDER BY r.at, r.id
LIMIT 5;

-- receptions.callback
UPDATE receptions r
SET called_back = true, changed_by = $3, changed_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- receptions.home
SELECT r.id, floor(extract(epoch FROM r.at))::float8 AS at, r.purpose, r.state,
  floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  CASE WHEN r.state IN ('missed', 'cancelled') THEN r.record ELSE '' END AS why,
  CASE r.host_id WHEN w.steward_id THEN 1::smallint
    WHEN w.manager_id THEN 2::smallint ELSE u.post END AS post,
  coalesce(u.nickname, '') AS host,
  r.score, r.scored_by <> '' AS typed,
  r.state = 'done' AND (r.score IS NULL OR r.scored_by <> '')
    AND :now < r.ended_at + interval '7 days' AS "mayScore"
FROM receptions r
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.entered_at >= $3 AND ($4::uuid IS NULL OR r.id = $4)
  AND (r.state IN ('planned', 'arrived') OR r.ended_at > :now - interval '30 days')
ORDER BY r.ended_at DESC NULLS FIRST, r.at, r.id
LIMIT 20;

-- receptions.host
UPDATE receptions r
SET host_id = $3, changed_by = $4, changed_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- receptions.kept
SELECT w.id
FROM sites w
WHERE w.tenant_id = $1 AND w.steward_id = $2 AND w.deleted_at IS NULL
  AND w.status IN (1, 2);

-- receptions.lock
SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
  ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'reception' AND o.record_id = r.id
    ORDER BY o.at, o.message_id, c.place) AS pictures,
  r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
  (r.state = 'planned' AND r.at < :now
  OR r.state = 'arrived' AND r.arrived_at < :now - interval '24 hours') AS overdue, r.entered_id,
    r.entered_by AS "enteredBy", r.version, r.changed_by AS "changedBy",
      floor(extract(epoch FROM r.changed_at))::float8 AS "changedAt"
  FROM receptions r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = r.site_id AND (s.ended_at IS NULL OR s.ended_at >= r.entered_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
  WHERE r.tenant_id = $1::uuid AND r.id = $2::uuid
  FOR UPDATE OF r;

-- receptions.move
UPDATE receptions r
SET state = $3, arrived_at = CASE WHEN $3 = 'arrived' THEN :now ELSE r.arrived_at END,
  ended_at = CASE WHEN $3 = 'arrived' THEN NULL ELSE :now END, record = $4,
  changed_by = $5, changed_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- receptions.ofhost
SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
  ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'reception' AND o.record_id = r.id
    ORDER BY o.at, o.message_id, c.place) AS pictures,
  r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
  (r.state = 'planned' AND r.at < :now
  OR r.state = 'arrived' AND r.arrived_at < :now - interval '24 hours') AS overdue, r.entered_id,
    r.entered_by AS "enteredBy", r.version, r.changed_by AS "changedBy",
      floor(extract(epoch FROM r.changed_at))::float8 AS "changedAt"
  FROM receptions r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = r.site_id AND (s.ended_at IS NULL OR s.ended_at >= r.entered_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
  WHERE r.tenant_id = $1 AND r.host_id = $2 AND r.state IN ('planned', 'arrived')
  ORDER BY r.id
  FOR UPDATE OF r;

-- receptions.ofhostread
SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
  ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'reception' AND o.record_id = r.id
    ORDER BY o.at, o.message_id, c.place) AS pictures,
  r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
  (r.state = 'planned' AND r.at < :now
  OR r.state = 'arrived' AND r.arrived_at < :now - interval '24 hours') AS overdue, r.entered_id,
    r.entered_by AS "enteredBy", r.version, r.changed_by AS "changedBy",
      floor(extract(epoch FROM r.changed_at))::float8 AS "changedAt"
  FROM receptions r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = r.site_id AND (s.ended_at IS NULL OR s.ended_at >= r.entered_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
  WHERE r.tenant_id = $1 AND r.host_id = $2 AND r.state IN ('planned', 'arrived')
  ORDER BY r.id;

-- receptions.ofsite
SELECT r.id, r.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", r.bc_id, c.bc_name,
  floor(extract(epoch FROM r.at))::float8 AS at, r.planned,
    floor(extract(epoch FROM r.arrived_at))::float8 AS "arrivedAt",
      floor(extract(epoch FROM r.ended_at))::float8 AS "endedAt",
  r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
  ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'reception' AND o.record_id = r.id
    ORDER BY o.at, o.message_id, c.place) AS pictures,
  r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
  (r.state = 'planned' AND r.at < :now
  OR r.state = 'arrived' AND r.arrived_at < :now - interval '24 hours') AS overdue, r.entered_id,
    r.entered_by AS "enteredBy", r.version, r.changed_by AS "changedBy",
      floor(extract(epoch FROM r.changed_at))::float8 AS "changedAt"
  FROM receptions r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = r.site_id AND (s.ended_at IS NULL OR s.ended_at >= r.entered_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id
  WHERE r.tenant_id = $1 AND r.site_id = $2 AND r.state IN ('planned', 'arrived')
  ORDER BY r.id
  FOR UPDATE OF r;

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
  r.host_id, coalesce(u.nickname, '') AS "hostName", r.purpose, r.remark, r.record,
  ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'reception' AND o.record_id = r.id
    ORDER BY o.at, o.message_id, c.place) AS pictures,
  r.state, r.score, r.score_words AS "scoreWords", r.scored_by AS "scoredBy", r.called_back AS "calledBack",
  (r.state = 'planned' AND r.at < :now
  OR r.state = 'arrived' AND r.arrived_at < :now - interval '24 hours') AS overdue, r.entered_id,
    r.entered_by AS "enteredBy", r.version FROM page r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = r.site_id AND (s.ended_at IS NULL OR s.ended_at >= r.entered_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = r.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = r.host_id ORDER BY r.at ASC, r.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM receptions r WHERE r.tenant_id = $1::uuid AND r.site_id = $2::uuid)::int AS total;

-- receptions.rates
SELECT count(*) FILTER (WHERE r.ended_at > :now - interval '90 days')::int AS n,
  count(*) FILTER (WHERE r.ended_at > :now - interval '90 days' AND r.score >= 4)::int AS good,
  count(*) FILTER (WHERE r.site_id = $2::uuid AND r.entered_at >= (SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = $2::uuid AND s.owner_id IS NOT NULL AND s.ended_at IS NULL))::int AS "homeN",
  count(*) FILTER (WHERE r.site_id = $2::uuid AND r.entered_at >= (SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = $2::uuid AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
      AND r.score >= 4)::int AS "homeGood"
FROM receptions r
WHERE r.tenant_id = $1::uuid AND r.score IS NOT NULL AND r.scored_by = '' AND r.bc_id = (SELECT w.bc_id FROM sites w
  WHERE w.tenant_id = $1 AND w.id = $2::uuid);

-- receptions.score
UPDATE receptions r
SET score = $3, score_words = $4, scored_by = $5, called_back = false, changed_by = $6, changed_at = :now,
  version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- receptions.site
SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner"
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid
FOR SHARE OF w;

-- receptions.steward
SELECT w.steward_id AS id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;
