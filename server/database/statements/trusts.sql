-- trusts.alarms
SELECT a.id, floor(extract(epoch FROM a.at))::float8 AS at, a.picture, a.verdict, a.model
FROM alarms a
WHERE a.tenant_id = $1 AND a.device_id = $2 AND a.site_id = $3 AND a.type = $4
ORDER BY a.at DESC, a.id DESC
LIMIT 12;

-- trusts.history
SELECT floor(extract(epoch FROM l.at))::float8 AS at, l.actor, l.event, l.text, l.model
FROM alarm_pair_logs l
WHERE l.tenant_id = $1 AND l.pair_id = $2
ORDER BY l.at DESC, l.id DESC;

-- trusts.labels
WITH page AS MATERIALIZED (SELECT a.* FROM alarms a WHERE a.tenant_id = $1::uuid AND a.verdict <> 'none'
  ORDER BY a.at DESC, a.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT a.id, a.picture, a.type, a.verdict, a.model, round(a.confidence::numeric, 4)::float8 AS confidence,
floor(extract(epoch FROM a.at))::float8 AS at, w.ws_name AS "siteName", c.bc_name, d.sn AS "deviceSn",
coalesce((SELECT CASE l.action WHEN '取消报警' THEN l.text END
  FROM correction_logs l
  WHERE l.tenant_id = $1 AND l.correction_id = a.id
    AND l.action IN ('取消报警', '指派', '重新打开')
  ORDER BY l.at DESC, l.id DESC
  LIMIT 1), '') AS reason FROM page a JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = a.bc_id
JOIN devices d ON d.tenant_id = $1 AND d.id = a.device_id ORDER BY a.at DESC, a.id DESC) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM alarms a WHERE a.tenant_id = $1::uuid AND a.verdict <> 'none')::int AS total;

-- trusts.lock
SELECT p.id, p.bc_id, p.site_id, p.device_id, d.sn AS "deviceSn", p.type, p.model, p.state, p.changed_by AS by,
  floor(extract(epoch FROM p.changed_at))::float8 AS since, p.version
FROM alarm_pairs p
JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid
FOR UPDATE OF p;

-- trusts.log
INSERT INTO alarm_pair_logs (tenant_id, id, pair_id, at, actor, event, text, model)
SELECT $1::uuid, x.line, x.id, $3, x.actor, x.event, x.text, x.model
FROM json_to_recordset($2::json) AS x(line uuid, id uuid, actor text, event text, text text, model text);

-- trusts.meet
WITH met AS (
  INSERT INTO alarm_pairs AS p (tenant_id, id, bc_id, site_id, device_id, type, model, model_at)
  SELECT x.tenant, x.id, x.bc, x.site, x.device, x.type, x.model, to_timestamp(x.at)
  FROM json_to_recordset($1::json)
    AS x(tenant uuid, id uuid, bc uuid, site uuid, device uuid, type text, model text, at float8)
  ON CONFLICT (tenant_id, device_id, site_id, type) DO UPDATE SET
    was_model = p.model, model = excluded.model, model_at = excluded.model_at
  WHERE p.model <> excluded.model AND p.model_at <= excluded.model_at
  RETURNING tenant_id, id, model, model_at, was_model)
INSERT INTO alarm_pair_logs (tenant_id, id, pair_id, at, actor, event, text, model)
SELECT met.tenant_id, gen_random_uuid(), met.id, met.model_at, '系统', 'model',
  coalesce(nullif(met.was_model, ''), '未报版本') || ' → '
    || coalesce(nullif(met.model, ''), '未报版本') || '，判定从头计数', met.model
FROM met
WHERE met.was_model IS NOT NULL;

-- trusts.missed
INSERT INTO alarm_pairs (tenant_id, id, bc_id, site_id, device_id, type, model, model_at)
SELECT DISTINCT ON (t.device_id, t.site_id, t.type) t.tenant_id, gen_random_uuid(), t.bc_id, t.site_id,
  t.device_id, t.type, t.model, $2::timestamptz
FROM alarm_trusts t
WHERE t.tenant_id = $1
ORDER BY t.device_id, t.site_id, t.type, t.model DESC
ON CONFLICT (tenant_id, device_id, site_id, type) DO NOTHING;

-- trusts.models
SELECT t.model, (t."real" + t.wrong) AS n, t.wrong, t.undecided
FROM alarm_trusts t
WHERE t.tenant_id = $1 AND t.device_id = $2 AND t.site_id = $3 AND t.type = $4
  AND t."real" + t.wrong + t.undecided > 0
ORDER BY t.model = $5 DESC, t.model DESC;

-- trusts.one
SELECT p.id, p.device_id, d.sn AS "deviceSn", p.site_id, w.ws_name AS "siteName", p.bc_id,
  c.bc_name, p.type, p.model, p.n, p.wrong, p.undecided, p.share, p.state, p.why, p.changed_by AS by,
  floor(extract(epoch FROM p.changed_at))::float8 AS since, p.version,
  coalesce((SELECT array_agg(v.verdict ORDER BY v.at, v.id)
    FROM (SELECT a.verdict, a.at, a.id
      FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = p.device_id AND a.site_id = p.site_id AND a.type = p.type
        AND a.model = p.model AND a.verdict IN ('real', 'wrong')
      ORDER BY a.at DESC, a.id DESC
      LIMIT 10) v), '{}') AS last FROM (SELECT k.*, coalesce(t."real" + t.wrong, 0) AS n, coalesce(t.wrong, 0) AS wrong,
  coalesce(t.undecided, 0) AS undecided,
  CASE WHEN t."real" + t.wrong >= 10 THEN t.wrong::float8 / (t."real" + t.wrong) END AS share
FROM alarm_pairs k
LEFT JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = k.device_id AND t.site_id = k.site_id
  AND t.type = k.type AND t.model = k.model
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid) p JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id;

-- trusts.page
WITH page AS MATERIALIZED (SELECT p.* FROM (SELECT k.*, coalesce(t."real" + t.wrong, 0) AS n, coalesce(t.wrong,
  0) AS wrong,
  coalesce(t.undecided, 0) AS undecided,
  CASE WHEN t."real" + t.wrong >= 10 THEN t.wrong::float8 / (t."real" + t.wrong) END AS share
FROM alarm_pairs k
LEFT JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = k.device_id AND t.site_id = k.site_id
  AND t.type = k.type AND t.model = k.model
WHERE k.tenant_id = $1::uuid AND EXISTS (SELECT 1 FROM devices h WHERE h.tenant_id = $1 AND h.id = k.device_id
  AND h.site_id = k.site_id)) p WHERE true ORDER BY p.wrong DESC, p.n ASC, p.id LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT p.id, p.device_id, d.sn AS "deviceSn", p.site_id, w.ws_name AS "siteName", p.bc_id,
  c.bc_name, p.type, p.model, p.n, p.wrong, p.undecided, p.share, p.state, p.why, p.changed_by AS by,
  floor(extract(epoch FROM p.changed_at))::float8 AS since, p.version,
  coalesce((SELECT array_agg(v.verdict ORDER BY v.at, v.id)
    FROM (SELECT a.verdict, a.at, a.id
      FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = p.device_id AND a.site_id = p.site_id AND a.type = p.type
        AND a.model = p.model AND a.verdict IN ('real', 'wrong')
      ORDER BY a.at DESC, a.id DESC
      LIMIT 10) v), '{}') AS last FROM page p JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id ORDER BY p.wrong DESC, p.n ASC, p.id) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM (SELECT k.*, coalesce(t."real" + t.wrong, 0) AS n, coalesce(t.wrong, 0) AS wrong,
  coalesce(t.undecided, 0) AS undecided,
  CASE WHEN t."real" + t.wrong >= 10 THEN t.wrong::float8 / (t."real" + t.wrong) END AS share
FROM alarm_pairs k
LEFT JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = k.device_id AND t.site_id = k.site_id
  AND t.type = k.type AND t.model = k.model
WHERE k.tenant_id = $1::uuid AND EXISTS (SELECT 1 FROM devices h WHERE h.tenant_id = $1 AND h.id = k.device_id
  AND h.site_id = k.site_id)) p WHERE true)::int AS total;

-- trusts.shifts
SELECT p.id, p.model, p.was_model AS was, s.n, s.wrong, s."wasN", s."wasWrong"
FROM alarm_pairs p
JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = p.device_id AND t.site_id = p.site_id
  AND t.type = p.type AND t.model = p.model
JOIN alarm_trusts b ON b.tenant_id = $1 AND b.device_id = p.device_id AND b.site_id = p.site_id
  AND b.type = p.type AND b.model = p.was_model
CROSS JOIN LATERAL (SELECT t."real" + t.wrong AS n, t.wrong, b."real" + b.wrong AS "wasN",
  b.wrong AS "wasWrong") s
WHERE p.tenant_id = $1
  AND least(s.n,
    s."wasN") >= coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'trustSample'
      AND (s.bc_id = p.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '10'::jsonb)::text::int
  AND (s.wrong * s."wasN" - s."wasWrong" * s.n)::float8 ^ 2 * (s.n + s."wasN")
    > 3.84 * s.n * s."wasN" * (s.wrong + s."wasWrong") * (s.n + s."wasN" - s.wrong - s."wasWrong")
  AND NOT EXISTS (SELECT 1 FROM alarm_pair_logs l
    WHERE l.tenant_id = $1 AND l.pair_id = p.id AND l.model = p.model
      AND l.event = 'shift');

-- trusts.turn
UPDATE alarm_pairs p
SET state = x.state, why = x.text, changed_by = x.actor, changed_at = $3, version = p.version + 1
FROM json_to_recordset($2::json) AS x(id uuid, state text, text text, actor text)
WHERE p.tenant_id = $1 AND p.id = x.id;

-- trusts.weigh
SELECT p.id, p.bc_id AS bc, p.site_id AS site, d.sn, p.type, p.model, s.n, s.wrong, p.state AS was, z.state
FROM alarm_pairs p
JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
CROSS JOIN LATERAL (SELECT coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'trustSample'
  AND (s.bc_id = p.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '10'::jsonb)::text::int AS sample,
    coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'trustDemote' AND (s.bc_id = p.bc_id
      OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '60'::jsonb)::text::int AS demote,
  coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'trustPromote' AND (s.bc_id = p.bc_id
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '30'::jsonb)::text::int AS promote) k
CROSS JOIN LATERAL (
  SELECT count(*)::int AS n, (count(*) FILTER (WHERE v.verdict = 'wrong'))::int AS wrong
  FROM (SELECT a.verdict
    FROM alarms a
    WHERE a.tenant_id = $1 AND a.device_id = p.device_id AND a.site_id = p.site_id AND a.type = p.type
      AND a.model = p.model AND a.verdict IN ('real', 'wrong')
    ORDER BY a.at DESC, a.id DESC
    LIMIT k.sample) v) s
CROSS JOIN LATERAL (SELECT CASE
  WHEN s.n < k.sample OR p.state NOT IN ('notify', 'review') THEN p.state
  WHEN s.wrong * 100 >= k.demote * s.n THEN 'review'
  WHEN s.wrong * 100 <= k.promote * s.n THEN 'notify'
  ELSE p.state END AS state) z
WHERE p.tenant_id = $1 AND z.state <> p.state
ORDER BY p.id
FOR UPDATE OF p;
