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
SELECT u.id, u.user_name AS "userName", u.nickname, u.phone AS phone, u.introduction, u.bc_id, coalesce(c.bc_name,
  '') AS bc_name, u.post, u.status, floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin",
    u.must_change AS "mustChange", u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name',
  t.name) ORDER BY t.name) FROM user_stores us JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
    WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name',
  r.name) ORDER BY r.name) FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL
  AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id
  AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds" FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id
    AND c.bc_id = u.bc_id WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL AND u.id = $2::uuid FOR UPDATE OF u;

-- accounts.names
SELECT lower(user_name) AS name
FROM users
WHERE tenant_id = $1 AND lower(user_name) = ANY ($2) AND deleted_at IS NULL;

-- accounts.ofbranches
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = ANY ($2);

-- accounts.ofstores
SELECT bc_id FROM stores WHERE tenant_id = $1 AND id = ANY ($2);

-- accounts.one
SELECT u.id, u.user_name AS "userName", u.nickname, u.phone AS phone, u.introduction, u.bc_id, coalesce(c.bc_name,
  '') AS bc_name, u.post, u.status, floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin",
    u.must_change AS "mustChange", u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name',
  t.name) ORDER BY t.name) FROM user_stores us JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
    WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name',
  r.name) ORDER BY r.name) FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL
  AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id
  AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds" FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id
    AND c.bc_id = u.bc_id WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL AND u.id = $2::uuid;

-- accounts.page
WITH page AS MATERIALIZED (SELECT u.* FROM users u WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL
  ORDER BY u.status, u.user_name, u.id LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT u.id, u.user_name AS "userName", u.nickname, masked_phone(u.phone) AS phone, u.introduction,
         u.bc_id, coalesce(c.bc_name, '') AS bc_name, u.post, u.status,
           floor(extract(epoch FROM u.last_login))::float8 AS "lastLogin", u.must_change AS "mustChange",
             u.totp IS NOT NULL AS totp, u.version,
coalesce((SELECT json_agg(json_build_object('id', t.id, 'name',
  t.name) ORDER BY t.name) FROM user_stores us JOIN stores t ON t.tenant_id = us.tenant_id AND t.id = us.store_id
    WHERE us.tenant_id = u.tenant_id AND us.user_id = u.id), '[]'::json) AS stores,
coalesce((SELECT json_agg(json_build_object('id', r.id, 'name',
  r.name) ORDER BY r.name) FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id), '[]'::json) AS roles,
(SELECT count(*)::int FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL
  AND s.expires_at > :now) AS sessions,
ARRAY(SELECT b.bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id
  AND b.bc_id IS DISTINCT FROM u.bc_id) AS "branchIds" FROM page u LEFT JOIN companies c ON c.tenant_id = u.tenant_id
    AND c.bc_id = u.bc_id ORDER BY u.status, u.user_name, u.id) r), '[]'::json)::text AS list,
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

-- managers.page
WITH page AS MATERIALIZED (SELECT u.* FROM users u WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL
  AND u.status = 1 AND u.post IS NOT NULL ORDER BY u.post, u.nickname, u.id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT u.id, u.nickname, masked_phone(u.phone) AS phone, u.bc_id, coalesce(c.bc_name, '') AS bc_name,
 u.post, (SELECT count(*)::int FROM sites w WHERE w.tenant_id = $1
  AND (w.steward_id = u.id OR w.manager_id = u.id) AND w.deleted_at IS NULL AND w.status = 1) AS sites,
    (SELECT avg((NOT coalesce(x.late,
      false))::int)::float8 FROM (SELECT bool_or(t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, :now)) AS late,
  bool_or(t.ended = 'submitted' AND t.to_at <= t.due_at) AND max(a.correction_status) = 3 AS prompt
FROM correction_turns t
JOIN corrections a ON a.tenant_id = $1 AND a.id = t.correction_id AND a.correction_status <> 4
WHERE t.tenant_id = $1 AND t.user_id = u.id
  AND coalesce(t.to_at, :now) > :now - interval '30 days'
GROUP BY t.correction_id) x WHERE x.late OR x.prompt) AS "onTime",
  (SELECT count(*)::int FROM (SELECT bool_or(t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, :now)) AS late,
  bool_or(t.ended = 'submitted' AND t.to_at <= t.due_at) AND max(a.correction_status) = 3 AS prompt
FROM correction_turns t
JOIN corrections a ON a.tenant_id = $1 AND a.id = t.correction_id AND a.correction_status <> 4
WHERE t.tenant_id = $1 AND t.user_id = u.id
  AND coalesce(t.to_at, :now) > :now - interval '30 days'
GROUP BY t.correction_id) x WHERE x.late OR x.prompt) AS corrections,
 (SELECT count(*)::int FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id
   AND a.correction_status = 2) AS open,
     (SELECT count(*)::int FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id
       AND a.correction_status = 2 AND a.due_at < :now) AS late FROM page u LEFT JOIN companies c ON c.tenant_id = $1
         AND c.bc_id = u.bc_id ORDER BY u.post, u.nickname, u.id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM users u WHERE u.tenant_id = $1::uuid AND u.deleted_at IS NULL AND u.status = 1
    AND u.post IS NOT NULL)::int AS total;

-- users.holders
SELECT DISTINCT u.id, u.nickname
   FROM sites w
   JOIN roles r ON r.tenant_id = $1 AND r.code = $3 AND r.status = 1
   JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
   JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id AND u.status = 1 AND u.deleted_at IS NULL
   WHERE w.tenant_id = $1 AND w.id = $2 AND u.id <> ALL ($4::uuid[]) AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END
   ORDER BY u.id;

-- users.pick
SELECT u.id, u.nickname, coalesce(c.bc_name, '') AS bc_name, coalesce((SELECT string_agg(r.name,
  '、' ORDER BY r.name) FROM user_roles ur
     JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id WHERE ur.tenant_id = u.tenant_id
     AND ur.user_id = u.id),
       '') AS post FROM users u LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id
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
