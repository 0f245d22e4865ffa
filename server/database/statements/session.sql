-- access.isstaff
SELECT s.user_id FROM sessions s
WHERE s.tenant_id = $1 AND s.token_hash = $2 AND s.revoked_at IS NULL AND s.expires_at > :now;

-- access.tell
SELECT pg_notify('access', '');

-- failures.back
UPDATE login_failures SET count = greatest(count - 1, 0) WHERE key = ANY ($1);

-- failures.clear
DELETE FROM login_failures WHERE key = $1;

-- failures.count
INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, :now + interval '300 seconds')
ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > :now THEN f.count + 1 ELSE 1 END,
  until = CASE WHEN f.until > :now THEN f.until ELSE excluded.until END
RETURNING count;

-- failures.known
SELECT DISTINCT ip FROM sessions WHERE tenant_id = $1 AND user_id = $2;

-- failures.take
INSERT INTO login_failures AS f (key, count, until) VALUES ($1, 1, :now + make_interval(secs => $3))
ON CONFLICT (key) DO UPDATE SET count = CASE WHEN f.until > :now THEN f.count + 1 ELSE 1 END,
  until = CASE WHEN f.until > :now THEN f.until ELSE excluded.until END
WHERE f.until <= :now OR f.count < $2
RETURNING 1;

-- identities.account
SELECT u.user_name
FROM user_identities i
JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id AND u.deleted_at IS NULL
WHERE i.issuer = $1 AND i.subject = $2;

-- identities.forget
DELETE FROM user_identities WHERE tenant_id = $1 AND user_id = $2;

-- identities.link
INSERT INTO user_identities (tenant_id, user_id, issuer, subject, at)
VALUES ($1, $2, $3, $4, :now)
ON CONFLICT DO NOTHING;

-- identities.mine
SELECT user_id FROM user_identities
WHERE tenant_id = $1 AND user_id = $2 AND issuer = $3 AND subject = $4;

-- oidc.begin
INSERT INTO oidc_states (state, nonce, verifier, expires_at)
VALUES ($1, $2, $3, $4::timestamptz + interval '10 minutes');

-- oidc.finish
DELETE FROM oidc_states WHERE state = $1 RETURNING nonce, verifier, expires_at > $2 AS fresh;

-- oidc.old
DELETE FROM oidc_states WHERE expires_at <= $1;

-- session.access
SELECT s.token_hash, s.tenant_id, s.user_id,
  s.created_at, s.expires_at, s.revoked_at IS NOT NULL AS revoked,
  (u.status = 1 AND u.deleted_at IS NULL) AS active, u.user_name, u.nickname,
  (u.must_change AND s.via = 'password') AS must_change,
  ARRAY(SELECT away.user_id::text FROM absences away
WHERE away.tenant_id = s.tenant_id AND away.deputy_id = s.user_id AND away.ended_at IS NULL
  AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day ORDER BY 1) AS stands_for,
  r.roles, r.holdings, r.permissions, r.pages, r.menu_version,
  (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at,
  ARRAY(SELECT bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id
    AND b.user_id = u.id UNION SELECT u.bc_id::text WHERE u.bc_id IS NOT NULL) AS branches,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'bc', t.bc_id)), '[]'::json)
    FROM user_stores b JOIN stores t ON t.tenant_id = b.tenant_id AND t.id = b.store_id
    WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id) AS stores,
  CASE WHEN 'ownSites' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
    w.bc_id)) FROM sites w WHERE w.tenant_id = u.tenant_id AND (w.manager_id = u.id OR w.steward_id = u.id)
      AND w.deleted_at IS NULL) END AS own_sites,
  CASE WHEN 'stores' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
    w.bc_id)) FROM sites w JOIN user_stores b ON b.tenant_id = w.tenant_id AND b.store_id = w.store_id
      AND b.user_id = u.id WHERE w.tenant_id = u.tenant_id AND w.deleted_at IS NULL) END AS store_sites
FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(DISTINCT ro.code), '{}') AS roles, coalesce(array_agg(DISTINCT ro.data_scope),
    '{}') AS scopes,
    coalesce((SELECT json_agg(json_build_object('dataScope', g.data_scope,
        'labels',
          ARRAY(SELECT DISTINCT p.label FROM role_powers p WHERE p.tenant_id = u.tenant_id AND p.role_id = ANY (g.ids)),
        'pages',
          ARRAY(SELECT DISTINCT e.component_name FROM role_pages rp JOIN pages e ON e.tenant_id = rp.tenant_id
            AND e.id = rp.page_id
          WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (g.ids) AND e.component_name <> '')))
      FROM (SELECT o.data_scope,
        array_agg(o.id) AS ids FROM roles o WHERE o.tenant_id = u.tenant_id
          AND o.id = ANY (array_agg(ro.id)) GROUP BY 1) g), '[]'::json) AS holdings,
    ARRAY(SELECT DISTINCT label FROM role_powers p WHERE p.tenant_id = u.tenant_id
      AND p.role_id = ANY (array_agg(ro.id)) ORDER BY label) AS permissions,
    coalesce((SELECT json_agg(DISTINCT jsonb_build_object('system', g.system, 'name',
      g.component_name)) FROM role_pages rp JOIN pages g ON g.tenant_id = rp.tenant_id AND g.id = rp.page_id
      WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (array_agg(ro.id)) AND g.component_name <> ''),
        '[]'::json) AS pages,
    (SELECT md5(coalesce(string_agg(concat_ws('|', g.id, g.parent_id, g.path, g.name, g.icon, g.visible, g.keep_alive,
      g.memory_router, g.component_name, g.component, g.always_show, g.sort), E'\n' ORDER BY g.id), ''))
      FROM pages g WHERE g.tenant_id = u.tenant_id) AS menu_version
  FROM user_roles ur JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id
) r WHERE s.token_hash = $1;

-- session.accesses
SELECT s.token_hash, s.tenant_id, s.user_id,
  s.created_at, s.expires_at, s.revoked_at IS NOT NULL AS revoked,
  (u.status = 1 AND u.deleted_at IS NULL) AS active, u.user_name, u.nickname,
  (u.must_change AND s.via = 'password') AS must_change,
  ARRAY(SELECT away.user_id::text FROM absences away
WHERE away.tenant_id = s.tenant_id AND away.deputy_id = s.user_id AND away.ended_at IS NULL
  AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day ORDER BY 1) AS stands_for,
  r.roles, r.holdings, r.permissions, r.pages, r.menu_version,
  (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at,
  ARRAY(SELECT bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id
    AND b.user_id = u.id UNION SELECT u.bc_id::text WHERE u.bc_id IS NOT NULL) AS branches,
  (SELECT coalesce(json_agg(json_build_object('id', t.id, 'bc', t.bc_id)), '[]'::json)
    FROM user_stores b JOIN stores t ON t.tenant_id = b.tenant_id AND t.id = b.store_id
    WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id) AS stores,
  CASE WHEN 'ownSites' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
    w.bc_id)) FROM sites w WHERE w.tenant_id = u.tenant_id AND (w.manager_id = u.id OR w.steward_id = u.id)
      AND w.deleted_at IS NULL) END AS own_sites,
  CASE WHEN 'stores' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
    w.bc_id)) FROM sites w JOIN user_stores b ON b.tenant_id = w.tenant_id AND b.store_id = w.store_id
      AND b.user_id = u.id WHERE w.tenant_id = u.tenant_id AND w.deleted_at IS NULL) END AS store_sites
FROM sessions s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(DISTINCT ro.code), '{}') AS roles, coalesce(array_agg(DISTINCT ro.data_scope),
    '{}') AS scopes,
    coalesce((SELECT json_agg(json_build_object('dataScope', g.data_scope,
        'labels',
          ARRAY(SELECT DISTINCT p.label FROM role_powers p WHERE p.tenant_id = u.tenant_id AND p.role_id = ANY (g.ids)),
        'pages',
          ARRAY(SELECT DISTINCT e.component_name FROM role_pages rp JOIN pages e ON e.tenant_id = rp.tenant_id
            AND e.id = rp.page_id
          WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (g.ids) AND e.component_name <> '')))
      FROM (SELECT o.data_scope,
        array_agg(o.id) AS ids FROM roles o WHERE o.tenant_id = u.tenant_id
          AND o.id = ANY (array_agg(ro.id)) GROUP BY 1) g), '[]'::json) AS holdings,
    ARRAY(SELECT DISTINCT label FROM role_powers p WHERE p.tenant_id = u.tenant_id
      AND p.role_id = ANY (array_agg(ro.id)) ORDER BY label) AS permissions,
    coalesce((SELECT json_agg(DISTINCT jsonb_build_object('system', g.system, 'name',
      g.component_name)) FROM role_pages rp JOIN pages g ON g.tenant_id = rp.tenant_id AND g.id = rp.page_id
      WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (array_agg(ro.id)) AND g.component_name <> ''),
        '[]'::json) AS pages,
    (SELECT md5(coalesce(string_agg(concat_ws('|', g.id, g.parent_id, g.path, g.name, g.icon, g.visible, g.keep_alive,
      g.memory_router, g.component_name, g.component, g.always_show, g.sort), E'\n' ORDER BY g.id), ''))
      FROM pages g WHERE g.tenant_id = u.tenant_id) AS menu_version
  FROM user_roles ur JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1
    WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id
) r WHERE s.token_hash = ANY ($1);

-- session.accessofperson
SELECT s.token_hash, s.tenant_id, s.user_id,
    s.created_at, s.expires_at, s.revoked_at IS NOT NULL AS revoked,
    (u.status = 1 AND u.deleted_at IS NULL) AS active, u.user_name, u.nickname,
    (u.must_change AND s.via = 'password') AS must_change,
    ARRAY(SELECT away.user_id::text FROM absences away
  WHERE away.tenant_id = s.tenant_id AND away.deputy_id = s.user_id AND away.ended_at IS NULL
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day ORDER BY 1) AS stands_for,
    r.roles, r.holdings, r.permissions, r.pages, r.menu_version,
    (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at,
    ARRAY(SELECT bc_id::text FROM user_branches b WHERE b.tenant_id = u.tenant_id
      AND b.user_id = u.id UNION SELECT u.bc_id::text WHERE u.bc_id IS NOT NULL) AS branches,
    (SELECT coalesce(json_agg(json_build_object('id', t.id, 'bc', t.bc_id)), '[]'::json)
      FROM user_stores b JOIN stores t ON t.tenant_id = b.tenant_id AND t.id = b.store_id
      WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id) AS stores,
    CASE WHEN 'ownSites' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
      w.bc_id)) FROM sites w WHERE w.tenant_id = u.tenant_id AND (w.manager_id = u.id OR w.steward_id = u.id)
        AND w.deleted_at IS NULL) END AS own_sites,
    CASE WHEN 'stores' = ANY (r.scopes) THEN (SELECT json_agg(json_build_object('id', w.id, 'bc',
      w.bc_id)) FROM sites w JOIN user_stores b ON b.tenant_id = w.tenant_id AND b.store_id = w.store_id
        AND b.user_id = u.id WHERE w.tenant_id = u.tenant_id AND w.deleted_at IS NULL) END AS store_sites
  FROM (SELECT ''::bytea AS token_hash, p.tenant_id, p.id AS user_id, :now::timestamptz AS created_at,
  :now::timestamptz + interval '1 minute' AS expires_at, NULL::timestamptz AS revoked_at, 'mail' AS via
FROM users p WHERE p.tenant_id = $1 AND p.id = $2) s JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT ro.code), '{}') AS roles, coalesce(array_agg(DISTINCT ro.data_scope),
      '{}') AS scopes,
      coalesce((SELECT json_agg(json_build_object('dataScope', g.data_scope,
          'labels',
            ARRAY(SELECT DISTINCT p.label FROM role_powers p WHERE p.tenant_id = u.tenant_id
              AND p.role_id = ANY (g.ids)),
          'pages',
            ARRAY(SELECT DISTINCT e.component_name FROM role_pages rp JOIN pages e ON e.tenant_id = rp.tenant_id
              AND e.id = rp.page_id
            WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (g.ids) AND e.component_name <> '')))
        FROM (SELECT o.data_scope,
          array_agg(o.id) AS ids FROM roles o WHERE o.tenant_id = u.tenant_id
            AND o.id = ANY (array_agg(ro.id)) GROUP BY 1) g), '[]'::json) AS holdings,
      ARRAY(SELECT DISTINCT label FROM role_powers p WHERE p.tenant_id = u.tenant_id
        AND p.role_id = ANY (array_agg(ro.id)) ORDER BY label) AS permissions,
      coalesce((SELECT json_agg(DISTINCT jsonb_build_object('system', g.system, 'name',
        g.component_name)) FROM role_pages rp JOIN pages g ON g.tenant_id = rp.tenant_id AND g.id = rp.page_id
        WHERE rp.tenant_id = u.tenant_id AND rp.role_id = ANY (array_agg(ro.id)) AND g.component_name <> ''),
          '[]'::json) AS pages,
      (SELECT md5(coalesce(string_agg(concat_ws('|', g.id, g.parent_id, g.path, g.name, g.icon, g.visible,
        g.keep_alive, g.memory_router, g.component_name, g.component, g.always_show, g.sort), E'\n' ORDER BY g.id), ''))
        FROM pages g WHERE g.tenant_id = u.tenant_id) AS menu_version
    FROM user_roles ur JOIN roles ro ON ro.tenant_id = ur.tenant_id AND ro.id = ur.role_id AND ro.status = 1
      WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id
  ) r;

-- session.account
SELECT u.tenant_id, u.id, u.user_name, u.password, u.status, u.totp
FROM account_names n
JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
WHERE n.name = lower($1);

-- session.avatar
SELECT avatar FROM users WHERE tenant_id = $1 AND id = $2;

-- session.branches
SELECT c.bc_id,
  c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.status = 1 AND ($2::uuid[] IS NULL AND $3::uuid[] IS NULL
    OR c.bc_id = ANY ($2)
OR c.bc_id IN (SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY ($3))) ORDER BY c.sort, c.bc_name;

-- session.close
UPDATE sessions SET revoked_at = :now WHERE token_hash = $1;

-- session.living
SELECT s.token_hash
FROM sessions s
JOIN users u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
WHERE s.token_hash = ANY ($1)
  AND s.revoked_at IS NULL
  AND s.expires_at > $2
  AND s.created_at <= $2::timestamptz + interval '5 minutes'
  AND u.status = 1
  AND u.deleted_at IS NULL;

-- session.menus
SELECT p.id, p.parent_id, p.system, p.path, p.name, p.icon, p.visible, p.keep_alive, p.memory_router, p.component_name,
  p.component, p.always_show,
 EXISTS (SELECT 1 FROM role_pages rp JOIN user_roles ur ON ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id
   AND ur.user_id = $2
   JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1 WHERE rp.tenant_id = p.tenant_id
     AND rp.page_id = p.id) AS granted
FROM pages p WHERE p.tenant_id = $1 ORDER BY p.sort, p.id;

-- session.names
SELECT DISTINCT p.system, p.component_name AS name
FROM pages p
JOIN role_pages rp ON rp.tenant_id = p.tenant_id AND rp.page_id = p.id
JOIN user_roles ur ON ur.tenant_id = rp.tenant_id AND ur.role_id = rp.role_id
JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1
WHERE p.tenant_id = $1 AND ur.user_id = $2 AND p.component_name <> '';

-- session.newpassword
UPDATE users
SET password = $3, must_change = false, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- session.others
UPDATE sessions
SET revoked_at = :now
WHERE tenant_id = $1 AND user_id = $2 AND token_hash <> $3 AND revoked_at IS NULL;

-- session.password
SELECT password FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE;

-- session.profile
SELECT u.id, u.user_name AS "userName", u.nickname, u.avatar, u.introduction, u.phone, t.name AS "tenantName", u.bc_id,
  coalesce(c.bc_name, '') AS bc_name,
 ARRAY(SELECT r.name FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
   WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name) AS "roleNames",
 floor(extract(epoch FROM u.last_login))::float8 AS "lastLoginAt", u.totp IS NOT NULL AS totp
FROM users u JOIN tenants t ON t.id = u.tenant_id LEFT JOIN companies c ON c.tenant_id = u.tenant_id
  AND c.bc_id = u.bc_id WHERE u.tenant_id = $1 AND u.id = $2;

-- session.totp
SELECT totp FROM users WHERE tenant_id = $1 AND id = $2 FOR UPDATE;

-- signin.networks
SELECT DISTINCT ip FROM sessions;

-- signin.open
INSERT INTO sessions (token_hash, tenant_id, user_id, expires_at, ip, agent, via, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now);

-- signin.places
SELECT ip, agent FROM sessions WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at DESC LIMIT 50;

-- signin.seen
UPDATE users SET last_login = $3 WHERE tenant_id = $1 AND id = $2;

-- totp.off
UPDATE users SET totp = NULL, totp_last = NULL, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- totp.on
UPDATE users SET totp = $3, totp_last = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- totp.spend
UPDATE users SET totp_last = $3 WHERE tenant_id = $1 AND id = $2 AND coalesce(totp_last, 0) < $3;
