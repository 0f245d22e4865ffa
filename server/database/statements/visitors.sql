-- visits.add
INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture, similarity)
SELECT t, i, b, s, d, to_timestamp(a), n, p, m
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::int[],
    $8::text[], $9::real[]) AS x(t, i, b, s, d, a, n, p, m);

-- visits.forget
UPDATE visits k
  SET picture = NULL
  FROM (SELECT v.id,
    v.picture FROM visits v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.at < $3 AND v.picture IS NOT NULL
      AND NOT ((EXISTS (SELECT 1 FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = v.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
OR EXISTS (SELECT 1 FROM goods_changes g
  WHERE g.tenant_id = $1 AND g.site_id = v.site_id AND g.state = 'open'))
OR EXISTS (SELECT 1 FROM recording_holds h
  WHERE h.tenant_id = $1 AND h.device_id = v.device_id AND h.released_at IS NULL AND h.until_at > :now
    AND h.from_at <= v.at AND h.to_at >= v.at)
OR EXISTS (SELECT 1 FROM alarms a
  WHERE a.tenant_id = $1 AND a.site_id = v.site_id AND a.correction_status IN (1, 2)
    AND a.at BETWEEN v.at - interval '1 day' AND v.at + interval '1 day')) ORDER BY v.at LIMIT 500 FOR UPDATE OF v) x
  WHERE k.tenant_id = $1 AND k.id = x.id
  RETURNING k.id, k.site_id, k.at, x.picture;

-- visits.lock
SELECT v.id, v.picture, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM v.at))::float8 AS at, v.seconds,
  greatest(1, round(v.seconds / 60.0))::int AS minutes, nullif(v.identity, '') AS identity, v.worker_id,
  coalesce(k.w_name, '') AS w_name, v.remark,
  CASE WHEN v.handled THEN 2 ELSE 1 END AS state, v.handled_by AS "handledBy",
  floor(extract(epoch FROM v.handled_at))::float8 AS "handledAt", w.steward_id, coalesce(s.nickname,
    '') AS "stewardName",
  coalesce(t.nickname, '') AS "toldName", floor(extract(epoch FROM v.told_at))::float8 AS "toldAt", v.version,
    v.told_id FROM visits v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id
LEFT JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.told_id WHERE v.tenant_id = $1::uuid
  AND v.id = $2::uuid FOR UPDATE OF v;

-- visits.mark
UPDATE visits
SET identity = $3, remark = $4, worker_id = $5, handled = true, handled_by = $6, handled_at = :now,
  version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- visits.page
WITH page AS MATERIALIZED (SELECT v.* FROM visits v WHERE v.tenant_id = $1::uuid ORDER BY v.at DESC, v.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT v.id, v.picture, v.site_id, w.ws_name AS "siteName", v.bc_id, c.bc_name,
  coalesce(d.sn, '') AS "deviceSn", floor(extract(epoch FROM v.at))::float8 AS at, v.seconds,
  greatest(1, round(v.seconds / 60.0))::int AS minutes, nullif(v.identity, '') AS identity, v.worker_id,
  coalesce(k.w_name, '') AS w_name, v.remark,
  CASE WHEN v.handled THEN 2 ELSE 1 END AS state, v.handled_by AS "handledBy",
  floor(extract(epoch FROM v.handled_at))::float8 AS "handledAt", w.steward_id, coalesce(s.nickname,
    '') AS "stewardName",
  coalesce(t.nickname, '') AS "toldName", floor(extract(epoch FROM v.told_at))::float8 AS "toldAt",
    v.version FROM page v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id
LEFT JOIN workers k ON k.tenant_id = $1 AND k.id = v.worker_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.told_id ORDER BY v.at DESC, v.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM visits v WHERE v.tenant_id = $1::uuid)::int AS total;

-- visits.pictures
SELECT count(*)::int AS n FROM (SELECT 1 FROM visits v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.at < $3
  AND v.picture IS NOT NULL AND NOT ((EXISTS (SELECT 1 FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = v.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
OR EXISTS (SELECT 1 FROM goods_changes g
  WHERE g.tenant_id = $1 AND g.site_id = v.site_id AND g.state = 'open'))
OR EXISTS (SELECT 1 FROM recording_holds h
  WHERE h.tenant_id = $1 AND h.device_id = v.device_id AND h.released_at IS NULL AND h.until_at > :now
    AND h.from_at <= v.at AND h.to_at >= v.at)
OR EXISTS (SELECT 1 FROM alarms a
  WHERE a.tenant_id = $1 AND a.site_id = v.site_id AND a.correction_status IN (1, 2)
    AND a.at BETWEEN v.at - interval '1 day' AND v.at + interval '1 day')) LIMIT $4) k;

-- visits.told
UPDATE visits SET told_id = $3, told_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- visits.tomark
SELECT count(*)::int AS n FROM visits v WHERE v.tenant_id = $1 AND v.bc_id = $2 AND NOT v.handled;
