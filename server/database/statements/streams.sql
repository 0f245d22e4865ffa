-- calls.add
INSERT INTO video_calls (tenant_id, id, view_id, place, begun_at, due_at)
VALUES ($1, $2, $3, $4, :now, :now + interval '20 seconds');

-- calls.hold
UPDATE video_calls c SET due_at = :now + interval '20 seconds'
WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.tries = 0
RETURNING c.id;

-- calls.leave
UPDATE video_calls c SET due_at = :now WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.tries = 0;

-- calls.putoff
UPDATE video_calls c SET tries = tries + 1, due_at = :now + interval '1 second' * least(300, 2 ^ least(tries + 1, 9))
WHERE c.tenant_id = $1 AND c.id = $2;

-- calls.remove
DELETE FROM video_calls c WHERE c.tenant_id = $1 AND c.id = $2;

-- calls.take
UPDATE video_calls c SET tries = tries + 1, due_at = :now + interval '1 second' * least(300, 2 ^ least(tries + 1, 9))
WHERE c.tenant_id = $1 AND c.id IN (
  SELECT k.id FROM video_calls k
  WHERE k.tenant_id = $1 AND k.due_at <= :now
  ORDER BY k.due_at LIMIT 50 FOR UPDATE SKIP LOCKED)
RETURNING c.id, c.place, c.tries, c.begun_at < :now - interval '2 days' AS old;

-- calls.tenants
SELECT t.id FROM tenants t;

-- streams.camera
SELECT d.id AS device_id, d.sn, d.device_status AS status, d.site_id, d.bc_id, d.last_picture AS picture,
  floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt"
FROM devices d
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.id = $2::uuid
FOR SHARE OF d;

-- streams.homes
SELECT d.id AS device_id, w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc"
FROM devices d
JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.id = $2::uuid;

-- streams.living
SELECT v.id AS view, d.sn, d.last_picture AS picture,
  floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt",
  w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc"
FROM devices d
JOIN video_views v ON v.tenant_id = $1 AND v.device_id = d.id AND v.site_id = d.site_id
JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND v.id = $2::uuid AND v.user_id = $3::uuid AND v.live
  AND v.ended_at IS NULL AND v.to_at > :now - interval '60 seconds';

-- streams.open
SELECT count(*)::int AS n FROM video_views v WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.live
  AND v.ended_at IS NULL AND v.to_at > :now - interval '60 seconds';
