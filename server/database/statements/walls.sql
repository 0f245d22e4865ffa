-- walls.cameras
WITH known AS MATERIALIZED (
  SELECT d.id, d.sn, d.site_id, w.ws_name, w.bc_id, d.device_status, d.last_picture, d.last_picture_at,
    w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc", CASE
    WHEN d.device_status <> 1 THEN 2
    WHEN d.last_picture_at >= :now - interval '30 minutes' THEN 0
    ELSE 1
  END AS rank
  FROM devices d
  JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
  WHERE d.tenant_id = $1::uuid AND d.type = 'camera' AND d.deleted_at IS NULL AND w.deleted_at IS NULL)
SELECT k.id, k.sn, k.site_id, k.ws_name AS "siteName", k.bc_id, c.bc_name, k.device_status AS "deviceStatus",
  k.last_picture AS picture, floor(extract(epoch FROM k.last_picture_at))::float8 AS "pictureAt", k."siteStatus",
  k."livedIn", k."homeBc", k.rank,
  (SELECT count(*)::int FROM known) AS total
FROM known k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
ORDER BY k.rank, k.site_id, k.id
LIMIT 17;
