-- absences.add
INSERT INTO absences (tenant_id, id, user_id, deputy_id, from_day, to_day, entered_by, entered_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now);

-- absences.colleagues
SELECT d.id, d.nickname, coalesce((SELECT string_agg(r.name, '、' ORDER BY r.name) FROM user_roles ur
       JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id
       WHERE ur.tenant_id = $1 AND ur.user_id = d.id), '') AS post, (SELECT count(*)::int FROM sites w
     WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status NOT IN (4, 3)
       AND u.id IN (w.manager_id, w.steward_id)) AS kept,
 (SELECT count(*)::int FROM sites w
     WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status NOT IN (4, 3)
       AND u.id IN (w.manager_id, w.steward_id) AND EXISTS (SELECT 1 FROM user_roles xr
       JOIN roles r ON r.tenant_id = $1 AND r.id = xr.role_id AND r.status = 1
       WHERE xr.tenant_id = $1 AND xr.user_id = d.id AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = d.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = d.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = d.id AND t.store_id = w.store_id)
ELSE d.id IN (w.manager_id, w.steward_id) END)) AS seen
   FROM users u
   JOIN users d ON d.tenant_id = $1 AND d.deleted_at IS NULL AND (d.bc_id IS NULL OR d.bc_id = u.bc_id OR EXISTS (
     SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = d.id AND b.bc_id = u.bc_id))
   WHERE u.tenant_id = $1 AND u.id = $2 AND d.id <> u.id AND d.status = 1
     AND ($3::text IS NULL OR d.nickname ILIKE $3 OR d.user_name ILIKE $3)
   ORDER BY d.bc_id IS NULL, seen DESC, d.nickname, d.id
   LIMIT 300;

-- absences.deputyships
SELECT a.user_id, u.nickname, u.bc_id, a.from_day::text AS "from", a.to_day::text AS "to"
FROM absences a
JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
WHERE a.tenant_id = $1 AND a.deputy_id = $2 AND a.ended_at IS NULL
  AND a.to_day >= (:now AT TIME ZONE 'Asia/Shanghai')::date
ORDER BY a.from_day, u.nickname;

-- absences.end
UPDATE absences SET ended_at = :now, ended_by = $3, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- absences.forget
DELETE FROM absences a WHERE a.tenant_id = $1 AND a.to_day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 1095;

-- absences.lockothers
SELECT a.id, a.user_id, u.nickname, a.deputy_id,
d.nickname || CASE WHEN d.status = 1 AND d.deleted_at IS NULL THEN '' ELSE '（账号已停用）' END AS "deputyName",
a.from_day::text AS "from", a.to_day::text AS "to", CASE
WHEN a.ended_at < (a.from_day::timestamp AT TIME ZONE 'Asia/Shanghai') THEN 'called'
WHEN a.ended_at IS NOT NULL THEN 'back'
WHEN a.to_day < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'over'
WHEN a.from_day > (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'coming'
ELSE 'away' END AS state, a.entered_by AS "enteredBy",
floor(extract(epoch FROM a.entered_at))::float8 AS "enteredAt",
a.ended_by AS "endedBy", floor(extract(epoch FROM a.ended_at))::float8 AS "endedAt", a.version FROM absences a
JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id
   WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL AND a.tenant_id = $1 AND a.id = $2
   FOR UPDATE OF a;

-- absences.lockown
SELECT a.id, a.user_id, u.nickname, a.deputy_id,
d.nickname || CASE WHEN d.status = 1 AND d.deleted_at IS NULL THEN '' ELSE '（账号已停用）' END AS "deputyName",
a.from_day::text AS "from", a.to_day::text AS "to", CASE
WHEN a.ended_at < (a.from_day::timestamp AT TIME ZONE 'Asia/Shanghai') THEN 'called'
WHEN a.ended_at IS NOT NULL THEN 'back'
WHEN a.to_day < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'over'
WHEN a.from_day > (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'coming'
ELSE 'away' END AS state, a.entered_by AS "enteredBy",
floor(extract(epoch FROM a.entered_at))::float8 AS "enteredAt",
a.ended_by AS "endedBy", floor(extract(epoch FROM a.ended_at))::float8 AS "endedAt", a.version FROM absences a
JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id
   WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.tenant_id = $1 AND a.id = $3
   FOR UPDATE OF a;

-- absences.of
SELECT a.id, a.user_id, u.nickname, a.deputy_id,
d.nickname || CASE WHEN d.status = 1 AND d.deleted_at IS NULL THEN '' ELSE '（账号已停用）' END AS "deputyName",
a.from_day::text AS "from", a.to_day::text AS "to", CASE
WHEN a.ended_at < (a.from_day::timestamp AT TIME ZONE 'Asia/Shanghai') THEN 'called'
WHEN a.ended_at IS NOT NULL THEN 'back'
WHEN a.to_day < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'over'
WHEN a.from_day > (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'coming'
ELSE 'away' END AS state, a.entered_by AS "enteredBy",
floor(extract(epoch FROM a.entered_at))::float8 AS "enteredAt",
a.ended_by AS "endedBy", floor(extract(epoch FROM a.ended_at))::float8 AS "endedAt", a.version FROM absences a
JOIN users u ON u.tenant_id = $1 AND u.id = a.user_id
JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id
   WHERE a.tenant_id = $1 AND a.user_id = $2
   ORDER BY a.to_day DESC, a.id DESC
   LIMIT 50;

-- absences.pair
SELECT d.id, d.nickname, d.status = 1 AS open,
  d.tenant_id = $1 AND d.deleted_at IS NULL AND (d.bc_id IS NULL OR d.bc_id = u.bc_id OR EXISTS (
     SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = d.id AND b.bc_id = u.bc_id)) AS colleague,
       (SELECT count(*)::int FROM sites w
     WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status NOT IN (4, 3)
       AND u.id IN (w.manager_id, w.steward_id)) AS kept,
 (SELECT count(*)::int FROM sites w
     WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status NOT IN (4, 3)
       AND u.id IN (w.manager_id, w.steward_id) AND EXISTS (SELECT 1 FROM user_roles xr
       JOIN roles r ON r.tenant_id = $1 AND r.id = xr.role_id AND r.status = 1
       WHERE xr.tenant_id = $1 AND xr.user_id = d.id AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = d.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = d.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = d.id AND t.store_id = w.store_id)
ELSE d.id IN (w.manager_id, w.steward_id) END)) AS seen
   FROM users u
   JOIN users d ON d.tenant_id = $1 AND d.id IN ($2, $3) AND d.deleted_at IS NULL
   WHERE u.tenant_id = $1 AND u.id = $2;

-- absences.rights
SELECT ur.user_id, x.label, bool_or(r.data_scope = 'ownSites') AS led
FROM user_roles ur
JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id
JOIN unnest($3::text[]) AS x(label) ON p.label IN (x.label, '*:*:*')
WHERE ur.tenant_id = $1 AND ur.user_id = ANY ($2)
GROUP BY ur.user_id, x.label
ORDER BY x.label;

-- absences.turns
SELECT 1 FROM users WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id FOR UPDATE;

-- absences.within
SELECT a.from_day::text AS "from", a.to_day::text AS "to"
FROM absences a
WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.ended_at IS NULL AND a.from_day <= $4 AND a.to_day >= $3
ORDER BY a.from_day
LIMIT 1;

-- accounts.add
INSERT INTO users (tenant_id, id, user_name, nickname, phone, bc_id, post, password, must_change)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, true);

-- accounts.add.user_branches
INSERT INTO user_branches (tenant_id, user_id, bc_id) SELECT $1, $2, unnest($3::uuid[]);

-- accounts.add.user_roles
INSERT INTO user_roles (tenant_id, user_id, role_id) SELECT $1, $2, unnest($3::uuid[]);

-- accounts.add.user_stores
INSERT INTO user_stores (tenant_id, user_id, store_id) SELECT $1, $2, unnest($3::uuid[]);

-- accounts.branches
SELECT bc_id, bc_name FROM companies WHERE tenant_id = $1 AND bc_id = ANY ($2) ORDER BY sort, bc_name;

-- accounts.del
UPDATE users SET deleted_at = :now, status = 2, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- accounts.drop.user_branches
DELETE FROM user_branches WHERE tenant_id = $1 AND user_id = $2;

-- accounts.drop.user_roles
DELETE FROM user_roles WHERE tenant_id = $1 AND user_id = $2;

-- accounts.drop.user_stores
DELETE FROM user_stores WHERE tenant_id = $1 AND user_id = $2;

-- accounts.edit
UPDATE users
SET user_name = $3, nickname = $4, phone = $5, bc_id = $6, post = $7, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- accounts.end
UPDATE sessions
SET revoked_at = :now
WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL
  AND ($3::text IS NULL OR left(encode(token_hash, 'hex'), 16) = $3);

-- accounts.lock
SELECT u.id, u.user_name AS "userName", u.nickname, u.phone AS phone, u.introduction, u.bc_id,
coalesce(c.bc_name, '') AS bc_name, u.post, u.status, coalesce((SELECT '不在（至 ' || to_char(away.to_day,
  'MM-DD') || '，由 ' || other.nickname || ' 代）'
  FROM absences away
  JOIN users other ON other.tenant_id = u.tenant_id AND other.id = away.deputy_id
  WHERE away.tenant_id = u.tenant_id AND away.user_id = u.id AND away.ended_at IS NULL
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day), '') AS away,
floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin", u.must_change AS "mustChange",
  u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name)
  FROM user_stores us
  JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
  WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
  FROM user_roles ur
  JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
  WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s
  WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b
  WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds"
    FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id WHERE u.tenant_id = $1::uuid
      AND u.deleted_at IS NULL AND u.id = $2::uuid FOR UPDATE OF u;

-- accounts.names
SELECT lower(user_name) AS name
FROM users
WHERE tenant_id = $1 AND lower(user_name) = ANY ($2) AND deleted_at IS NULL;

-- accounts.ofbranches
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = ANY ($2);

-- accounts.ofstores
SELECT bc_id FROM stores WHERE tenant_id = $1 AND id = ANY ($2);

-- accounts.one
SELECT u.id, u.user_name AS "userName", u.nickname, u.phone AS phone, u.introduction, u.bc_id,
coalesce(c.bc_name, '') AS bc_name, u.post, u.status, coalesce((SELECT '不在（至 ' || to_char(away.to_day,
  'MM-DD') || '，由 ' || other.nickname || ' 代）'
  FROM absences away
  JOIN users other ON other.tenant_id = u.tenant_id AND other.id = away.deputy_id
  WHERE away.tenant_id = u.tenant_id AND away.user_id = u.id AND away.ended_at IS NULL
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day), '') AS away,
floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin", u.must_change AS "mustChange",
  u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name)
  FROM user_stores us
  JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
  WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
  FROM user_roles ur
  JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
  WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s
  WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b
  WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds"
    FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id WHERE u.tenant_id = $1::uuid
      AND u.deleted_at IS NULL AND u.id = $2::uuid;

-- accounts.onsites
SELECT EXISTS (
SELECT 1 FROM sites w
JOIN users u ON u.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id) AND u.status = 1
  AND u.deleted_at IS NULL AND u.id <> $4
JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1 AND r.data_scope = 'ownSites'
JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label IN ($3, '*:*:*')
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.deleted_at IS NULL) AS done;

-- accounts.page
WITH page AS MATERIALIZED (SELECT u.* FROM users u WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL
  ORDER BY u.status, u.user_name, u.id LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT u.id, u.user_name AS "userName", u.nickname, masked_phone(u.phone) AS phone, u.introduction,
         u.bc_id,
coalesce(c.bc_name, '') AS bc_name, u.post, u.status, coalesce((SELECT '不在（至 ' || to_char(away.to_day,
  'MM-DD') || '，由 ' || other.nickname || ' 代）'
  FROM absences away
  JOIN users other ON other.tenant_id = u.tenant_id AND other.id = away.deputy_id
  WHERE away.tenant_id = u.tenant_id AND away.user_id = u.id AND away.ended_at IS NULL
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day), '') AS away,
floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin", u.must_change AS "mustChange",
  u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name)
  FROM user_stores us
  JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
  WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
  FROM user_roles ur
  JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
  WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s
  WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b
  WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds" FROM page u
    LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id ORDER BY u.status, u.user_name, u.id) r),
      '[]'::json)::text AS list,
     (SELECT count(*) FROM users u WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL)::int AS total;

-- accounts.places
SELECT c.bc_id AS id, c.bc_name AS name, 'branch' AS kind
FROM companies c
WHERE c.tenant_id = $1 AND (c.bc_id IN (SELECT b.bc_id FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = $2)
  OR c.bc_id = (SELECT u.bc_id FROM users u WHERE u.tenant_id = $1 AND u.id = $2))
UNION ALL
SELECT t.id, t.name, 'store' AS kind
FROM stores t
WHERE t.tenant_id = $1 AND t.id IN (SELECT s.store_id FROM user_stores s WHERE s.tenant_id = $1 AND s.user_id = $2)
ORDER BY name;

-- accounts.reset
UPDATE users
SET password = $3, must_change = true, totp = NULL, totp_last = NULL, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- accounts.roles
SELECT name AS key, id FROM roles WHERE tenant_id = $1 AND status = 1;

-- accounts.sessions
SELECT left(encode(s.token_hash, 'hex'), 16) AS key, floor(extract(epoch FROM s.created_at))::float8 AS "openedAt",
  floor(extract(epoch FROM s.expires_at))::float8 AS "expiresAt", s.ip, s.agent, s.token_hash = $3 AS current
FROM sessions s
WHERE s.tenant_id = $1 AND s.user_id = $2 AND s.revoked_at IS NULL AND s.expires_at > :now
ORDER BY s.created_at DESC
LIMIT 100;

-- accounts.state
UPDATE users SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- accounts.stores
SELECT bc_id || '|' || name AS key, id FROM stores WHERE tenant_id = $1 AND status = 1;

-- accounts.successor
SELECT u.nickname, CASE
  WHEN u.deleted_at IS NOT NULL THEN 'gone'
  WHEN u.status <> 1 THEN 'stopped'
  ELSE '' END AS open
FROM users u
WHERE u.tenant_id = $1 AND u.id = $2;

-- accounts.taken
SELECT 1 FROM users WHERE tenant_id = $1 AND lower(user_name) = lower($2) AND id <> $3 AND deleted_at IS NULL;

-- users.hold
SELECT 1 FROM users u WHERE u.tenant_id = $1 AND u.id = $2 FOR SHARE;

-- users.holders
SELECT DISTINCT h.id, h.nickname
   FROM sites w
   JOIN roles r ON r.tenant_id = $1 AND r.code = $3 AND r.status = 1
   JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
   JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id AND u.status = 1 AND u.deleted_at IS NULL
   LEFT JOIN absences a ON a.tenant_id = $1 AND a.user_id = u.id AND a.ended_at IS NULL
     AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN a.from_day AND a.to_day
   JOIN users h ON h.tenant_id = $1 AND CASE
     WHEN a.id IS NULL THEN h.id = u.id
     ELSE h.id = a.deputy_id AND h.status = 1 AND h.deleted_at IS NULL AND NOT EXISTS (
       SELECT FROM absences away WHERE away.tenant_id = $1 AND away.user_id = h.id AND away.ended_at IS NULL
         AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day) AND EXISTS (
       SELECT 1
       FROM user_roles hr
       JOIN roles k ON k.tenant_id = $1 AND k.id = hr.role_id AND k.status = 1
       JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = k.id AND p.label IN ($5, '*:*:*')
       WHERE hr.tenant_id = $1 AND hr.user_id = h.id AND CASE k.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = h.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = h.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = h.id AND t.store_id = w.store_id)
ELSE h.id IN (w.manager_id, w.steward_id) END) END
   WHERE w.tenant_id = $1 AND w.id = $2 AND NOT $4::uuid[] && ARRAY[u.id, h.id]
     AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END
   ORDER BY h.id;

-- users.pick
SELECT u.id, u.nickname, coalesce(c.bc_name, '') AS bc_name, coalesce((SELECT string_agg(r.name,
  '、' ORDER BY r.name) FROM user_roles ur
     JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id WHERE ur.tenant_id = u.tenant_id
     AND ur.user_id = u.id), '') AS post,
     coalesce((SELECT '不在（至 ' || to_char(away.to_day, 'MM-DD') || '，由 ' || other.nickname || ' 代）'
  FROM absences away
  JOIN users other ON other.tenant_id = $1 AND other.id = away.deputy_id
  WHERE away.tenant_id = $1 AND away.user_id = u.id AND away.ended_at IS NULL
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day), '') AS away
   FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id
   WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL AND ($2::uuid[] IS NULL AND $3::uuid[] IS NULL
     OR u.bc_id = ANY ($2)
       OR $3::uuid[] IS NOT NULL AND (u.id = $4 OR u.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1
         AND w.id = ANY ($3))))
     AND ($5::text IS NULL OR u.nickname ILIKE '%' || $5 || '%' OR u.user_name ILIKE '%' || $5 || '%')
       AND ($6::smallint IS NULL OR u.post = $6)
     AND ($7::uuid IS NULL OR u.bc_id = (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $7))
       AND ($8::uuid IS NULL OR u.id = $8)
     AND ($10::uuid IS NULL OR u.bc_id = $10)
     AND ($9::text IS NULL OR EXISTS (SELECT 1 FROM sites w JOIN user_roles ur ON ur.tenant_id = w.tenant_id
       AND ur.user_id = u.id
       JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1
       JOIN role_powers p ON p.tenant_id = ro.tenant_id AND p.role_id = ro.id AND p.label IN ($9, '*:*:*')
       WHERE w.tenant_id = $1 AND w.id = $7
         AND ($11 AND ro.data_scope = 'ownSites' OR CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END)))
   ORDER BY u.nickname, u.id LIMIT 50;

-- users.standing
SELECT u.id, u.nickname, u.status = 1 AS open, coalesce((SELECT '不在（至 ' || to_char(away.to_day,
  'MM-DD') || '，由 ' || other.nickname || ' 代）'
FROM absences away
JOIN users other ON other.tenant_id = $1 AND other.id = away.deputy_id
WHERE away.tenant_id = $1 AND away.user_id = u.id AND away.ended_at IS NULL
  AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day), '') AS away,
   $6::uuid IS NULL OR u.bc_id IS NULL OR u.bc_id = $6 OR EXISTS (
     SELECT 1 FROM user_branches b WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = $6) AS here
 FROM users u
 WHERE u.tenant_id = $1 AND u.id = ANY ($2) AND u.deleted_at IS NULL
   AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR u.id = $5 OR u.bc_id = ANY ($3)
     OR u.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($4)))
 ORDER BY u.nickname, u.id;

-- users.uselessrights
SELECT k.label, k.held FROM (
     SELECT x.label, count(r.id) > 0 AS held, coalesce(bool_or(EXISTS (
         SELECT 1 FROM sites w
         WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND ($4::uuid IS NULL OR w.bc_id = $4)
           AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END)), false) AS reaches
     FROM unnest($3::text[]) AS x(label)
     JOIN users u ON u.tenant_id = $1 AND u.id = $2
     LEFT JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id AND EXISTS (
       SELECT 1 FROM role_powers p
       WHERE p.tenant_id = $1 AND p.role_id = ur.role_id AND p.label IN (x.label, '*:*:*'))
     LEFT JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
     GROUP BY x.label) k
   WHERE NOT k.reaches
   ORDER BY label;
