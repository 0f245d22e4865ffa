-- video.cameras
SELECT d.sn FROM devices d
WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.type = 'camera' AND d.deleted_at IS NULL
ORDER BY d.sn;

-- video.end
UPDATE video_views v
SET to_at = greatest(v.to_at, :now), ended_at = :now
WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = ANY ($3::uuid[]) AND v.live AND v.ended_at IS NULL
RETURNING v.id, v.bc_id, v.site_id;

-- video.endlooks
UPDATE video_views v
SET to_at = CASE WHEN v.to_at > :now - interval '20 seconds' THEN greatest(v.to_at, :now)
    ELSE v.to_at END, ended_at = :now, ended_for = $6
WHERE v.tenant_id = $1 AND v.user_id IS NULL AND v.ended_at IS NULL
  AND (v.id = ANY ($2::uuid[]) OR v.contact_id = ANY ($3::uuid[]) OR v.site_id = ANY ($4::uuid[])
    OR v.home_device_id = ANY ($5::uuid[]))
RETURNING v.id, v.bc_id, v.site_id;

-- video.forget
DELETE FROM video_views k
  WHERE k.tenant_id = $1 AND k.id IN (SELECT v.id FROM video_views v WHERE v.tenant_id = $1 AND v.bc_id = $2
    AND v.at < $3 AND NOT (EXISTS (SELECT 1 FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = v.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
OR EXISTS (SELECT 1 FROM goods_changes g
  WHERE g.tenant_id = $1 AND g.site_id = v.site_id AND g.state = 'open')) ORDER BY v.at LIMIT 5000);

-- video.keep
UPDATE video_views v
SET to_at = :now
WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = ANY ($3::uuid[]) AND v.live AND v.ended_at IS NULL;

-- video.keeplooks
UPDATE video_views v SET to_at = :now
WHERE v.tenant_id = $1 AND v.id = ANY ($2::uuid[]) AND v.user_id IS NULL AND v.ended_at IS NULL;

-- video.look
INSERT INTO video_views (tenant_id, id, bc_id, site_id, device_id, live, user_name, contact_id, link_id,
  home_device_id, from_at, to_at, purpose, words, at)
VALUES ($1, $2, $3, $4, $5, true, $6, $7, $8, $9, :now, :now, 'look', '', :now);

-- video.old
SELECT count(*)::int AS n FROM (SELECT 1 FROM video_views v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.at < $3
  AND NOT (EXISTS (SELECT 1 FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = v.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
OR EXISTS (SELECT 1 FROM goods_changes g
  WHERE g.tenant_id = $1 AND g.site_id = v.site_id AND g.state = 'open')) LIMIT $4) k;

-- video.sees
SELECT v.id
FROM video_views v
WHERE v.tenant_id = $1 AND v.user_id = $2 AND v.id = $3 AND v.device_id = $4 AND v.site_id = $5 AND v.live
  AND v.ended_at IS NULL AND v.to_at > :now - interval '60 seconds';

-- video.site
SELECT w.ws_name FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- video.skewedchecks
SELECT t.device_id AS device, count(*)::int AS n
FROM tidiness_checks t
WHERE t.tenant_id = $1 AND t.site_id = $2 AND t.device_id = ANY ($3::uuid[])
  AND t.result = 4 AND t.at >= to_timestamp($4) AND t.at < to_timestamp($5)
GROUP BY 1;

-- video.skews
SELECT a.id, a.device_id AS device, extract(epoch FROM a.at)::float8 AS from,
  extract(epoch FROM a.closed_at)::float8 AS to
FROM alarms a
WHERE a.tenant_id = $1 AND a.site_id = $2 AND a.device_id = ANY ($3::uuid[])
  AND a.type = 'cameraproblem' AND a.verdict <> 'wrong' AND a.at < to_timestamp($5)
  AND (a.closed_at IS NULL OR a.closed_at > to_timestamp($4))
ORDER BY a.at, a.id;

-- video.view
INSERT INTO video_views (tenant_id, id, bc_id, site_id, device_id, recording_id, live, user_id, user_name,
  from_at, to_at, purpose, words, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);
