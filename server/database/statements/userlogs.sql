-- log.blacken
SELECT count(blacken_log($1, x.seq, x.user_name, x.object_id, x.before_now, x.after_now, x.beside_now,
  x.previous, x.stands, x.signature, :now))::int AS n
FROM json_to_recordset($2::json) AS x(seq bigint, user_name text, object_id text, before_now jsonb,
  after_now jsonb, beside_now jsonb, previous text, stands text, signature text);

-- log.end
SELECT coalesce(max(seq), 0) AS seq FROM log_heads WHERE tenant_id = $1;

-- log.head
SELECT seq, hash FROM log_heads WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1;

-- log.heads
SELECT seq, hash, signature FROM log_heads WHERE tenant_id = $1 AND seq > $2 AND seq <= $3;

-- log.last
SELECT coalesce(nullif(u.nickname, ''), l.user_name) AS name, l.at
FROM user_logs l
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
WHERE l.tenant_id = $1 AND l.object = $2 AND l.object_id = $3 AND l.outcome = 'done'
ORDER BY l.at DESC, l.id DESC
LIMIT 1;

-- log.lock
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- log.named
SELECT l.tenant_id, l.id, l.at, l.user_id, l.user_name, l.ip, l.agent, l.system, l.action, l.object, l.object_id,
  l.outcome, l.before, l.after, l.beside, l.seq, l.hash, b.previous, b.was, b.stands, b.signature, b.at AS taken_at,
    coalesce(p.hash, '') AS before_it
FROM user_logs l
LEFT JOIN log_blackened b ON b.tenant_id = $1 AND b.seq = l.seq
LEFT JOIN user_logs p ON p.tenant_id = $1 AND p.seq = l.seq - 1
WHERE l.tenant_id = $1 AND l.seq > $2 AND l.seq <= $3
  AND concat_ws(' ', to_jsonb(l.user_name), to_jsonb(l.object_id), l.before, l.after, l.beside)
    LIKE ANY (ARRAY(SELECT json_array_elements_text($4::json)))
ORDER BY l.seq
LIMIT 500;

-- log.newest
SELECT coalesce((SELECT max(h.seq) FROM log_heads h WHERE h.tenant_id = $1), 0) AS last,
coalesce((SELECT max(b.seq) FROM log_blackened b WHERE b.tenant_id = $1), 0) AS entry;

-- log.newhead
INSERT INTO log_heads (tenant_id, seq, hash, signature, at) VALUES ($1, $2, $3, $4, :now);

-- log.open
SELECT l.tenant_id, l.id, l.at, l.user_id, l.user_name, l.ip, l.agent, l.system, l.action, l.object, l.object_id,
  l.outcome, l.before, l.after, l.beside, l.seq,
    l.hash FROM user_logs l WHERE l.tenant_id = $1 AND l.seq IS NULL ORDER BY l.id LIMIT 500;

-- log.seal
UPDATE user_logs l
SET seq = s.seq, hash = s.hash
FROM json_to_recordset($2::json) AS s(id uuid, seq bigint, hash text)
WHERE l.tenant_id = $1 AND l.id = s.id;

-- log.walk
SELECT l.tenant_id, l.id, l.at, l.user_id, l.user_name, l.ip, l.agent, l.system, l.action, l.object, l.object_id,
  l.outcome, l.before, l.after, l.beside, l.seq, l.hash, b.previous, b.was, b.stands, b.signature, b.at AS taken_at
FROM user_logs l
LEFT JOIN log_blackened b ON b.tenant_id = $1 AND b.seq = l.seq
WHERE l.tenant_id = $1 AND l.seq > $2
ORDER BY l.seq
LIMIT 500;

-- log.write
INSERT INTO user_logs (tenant_id, id, user_id, user_name, ip, agent, action, object, object_id, outcome,
    before, after, beside, system, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now);

-- userlogs.actions
SELECT DISTINCT k.action
FROM (SELECT l.action FROM user_logs l WHERE l.tenant_id = $1::uuid AND NOT (l.object = 'feedback'
  AND l.object_id IN (SELECT f.id::text FROM feedback f
  WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
  WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
    AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid))) ORDER BY l.at DESC LIMIT 5000) k
ORDER BY k.action;

-- userlogs.doneby
SELECT k.user_id, coalesce(u.nickname, '') AS nickname, coalesce(u.user_name, k.name) AS "userName",
  coalesce(c.bc_name, '') AS bc_name, k.unmask, k.export, k."offHours"
FROM (SELECT l.user_id, max(l.user_name) AS name, (count(*) FILTER (WHERE l.action IN ('查看客户电话', '查看联系人电话', '查看业主电话',
  '查看受限的联系方式', '查看完整电话', '查看证件号码')))::int AS unmask, (count(*) FILTER (WHERE l.action LIKE '导出%'))::int AS export,
    (count(*) FILTER (WHERE l.after ->> 'offHours' = 'true'))::int AS "offHours"
  FROM user_logs l WHERE l.tenant_id = $1::uuid AND NOT (l.object = 'feedback' AND l.object_id IN (SELECT f.id::text
    FROM feedback f
  WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
  WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
    AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)))
      AND l.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND l.at < ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai') + interval '1 day' AND l.user_id IS NOT NULL
          AND l.outcome = 'done' AND (l.action IN ('查看客户电话', '查看联系人电话', '查看业主电话', '查看受限的联系方式', '查看完整电话',
            '查看证件号码') OR l.action LIKE '导出%' OR l.after ->> 'offHours' = 'true') GROUP BY l.user_id) k
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.user_id
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = u.bc_id
ORDER BY k.unmask + k.export + k."offHours" DESC, "userName";

-- userlogs.head
SELECT seq, hash, extract(epoch FROM at)::bigint AS at
FROM log_heads WHERE tenant_id = $1 ORDER BY seq DESC LIMIT 1;

-- userlogs.lastactor
SELECT coalesce(nullif(u.nickname, ''), g.user_name) AS name, floor(extract(epoch FROM g.at))::float8 AS at
FROM user_logs g
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.user_id
WHERE g.tenant_id = $1 AND g.object = $2 AND g.object_id = $3 AND g.outcome = 'done'
ORDER BY g.at DESC
LIMIT 1;

-- userlogs.names
WITH k AS MATERIALIZED (SELECT v::uuid AS id FROM json_array_elements_text($2::json) v)
SELECT u.id, u.nickname AS name FROM k JOIN users u ON u.tenant_id = $1 AND u.id = k.id
UNION ALL SELECT c.bc_id, c.bc_name FROM k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.id
UNION ALL SELECT t.id, t.name FROM k JOIN stores t ON t.tenant_id = $1 AND t.id = k.id
UNION ALL SELECT w.id, w.ws_name FROM k JOIN sites w ON w.tenant_id = $1 AND w.id = k.id
UNION ALL SELECT p.id, p.w_name FROM k JOIN workers p ON p.tenant_id = $1 AND p.id = k.id
UNION ALL SELECT r.id, r.name FROM k JOIN roles r ON r.tenant_id = $1 AND r.id = k.id
UNION ALL SELECT d.id, d.sn FROM k JOIN devices d ON d.tenant_id = $1 AND d.id = k.id
UNION ALL SELECT g.id, g.name FROM k JOIN pages g ON g.tenant_id = $1 AND g.id = k.id
UNION ALL SELECT a.id,
  CASE WHEN a.type = 'cameraproblem' THEN '摄像头偏移' WHEN a.type = 'noclothes' THEN '未穿工服'
    WHEN a.type = 'smoking' THEN '抽烟' ELSE coalesce('未知(' || a.type || ')', '') END || ' · ' || w.ws_name
  FROM k
  JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
  JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id;

-- userlogs.page
WITH page AS MATERIALIZED (SELECT l.* FROM user_logs l WHERE l.tenant_id = $1::uuid AND NOT (l.object = 'feedback'
  AND l.object_id IN (SELECT f.id::text FROM feedback f
  WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
  WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
    AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid))) AND l.outcome = $3 ORDER BY l.at DESC,
      l.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT l.id, floor(extract(epoch FROM l.at))::float8 AS at, l.user_id, l.user_name AS "userName",
 coalesce(u.nickname, '') AS nickname, l.system, l.action, l.object, l.object_id AS "objectId", l.outcome, l.ip,
 l.agent, without_phones(l.before) AS before, without_phones(l.after) AS after, l.beside,
   l.seq FROM page l LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id ORDER BY l.at DESC, l.id DESC) r),
     '[]'::json)::text AS list,
  (SELECT count(*) FROM user_logs l WHERE l.tenant_id = $1::uuid AND NOT (l.object = 'feedback'
    AND l.object_id IN (SELECT f.id::text FROM feedback f
  WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
  WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
    AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid))) AND l.outcome = $3)::int AS total;

-- userlogs.page.explain
EXPLAIN (ANALYZE,
  FORMAT JSON) WITH page AS MATERIALIZED (SELECT l.* FROM user_logs l WHERE l.tenant_id = $1::uuid
    AND NOT (l.object = 'feedback' AND l.object_id IN (SELECT f.id::text FROM feedback f
     WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
   OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
     WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid))) ORDER BY l.at DESC,
         l.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT l.id, floor(extract(epoch FROM l.at))::float8 AS at, l.user_id, l.user_name AS "userName",
    coalesce(u.nickname, '') AS nickname, l.system, l.action, l.object, l.object_id AS "objectId", l.outcome, l.ip,
    l.agent, without_phones(l.before) AS before, without_phones(l.after) AS after, l.beside,
      l.seq FROM page l LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id ORDER BY l.at DESC, l.id DESC) r),
        '[]'::json)::text AS list,
     (SELECT coalesce((SELECT max(k.seq) FROM user_logs k WHERE k.tenant_id = $1), 0)
+ (SELECT count(*) FROM user_logs k WHERE k.tenant_id = $1 AND k.seq IS NULL)
- (SELECT count(*) FROM user_logs l WHERE l.tenant_id = $1 AND (l.object = 'feedback'
  AND l.object_id IN (SELECT f.id::text FROM feedback f
     WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
   OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
     WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)))))::int AS total;

-- userlogs.page.total
SELECT (SELECT coalesce((SELECT max(k.seq) FROM user_logs k WHERE k.tenant_id = $1), 0)
+ (SELECT count(*) FROM user_logs k WHERE k.tenant_id = $1 AND k.seq IS NULL)
- (SELECT count(*) FROM user_logs l WHERE l.tenant_id = $1 AND (l.object = 'feedback'
  AND l.object_id IN (SELECT f.id::text FROM feedback f
     WHERE f.tenant_id = $1 AND f.hidden_from = $2::uuid)
   OR l.object = 'correction' AND l.object_id IN (SELECT k.id::text FROM corrections k
     WHERE k.tenant_id = $1 AND k.source = 'feedback' AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)))))::int AS total;

-- userlogs.walked
SELECT extract(epoch FROM l.at)::bigint AS at, coalesce(u.nickname, l.user_name) AS nickname, l.after AS verdict
FROM user_logs l
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
WHERE l.tenant_id = $1 AND l.object = 'log' AND l.after IS NOT NULL
ORDER BY l.at DESC
LIMIT 1;
