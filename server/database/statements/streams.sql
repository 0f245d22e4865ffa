-- streams.camera
SELECT d.id AS device_id, d.sn, d.device_status AS status, d.site_id, d.bc_id, d.last_picture AS picture,
  floor(extract(epoch FROM d.last_picture_at))::float8 AS "pictureAt"
FROM devices d
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
