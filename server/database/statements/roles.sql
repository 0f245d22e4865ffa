-- roles.add
INSERT INTO roles (tenant_id, id, code, name, data_scope, remark, status, round_off, give_percent)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- roles.addlabels
INSERT INTO role_powers (tenant_id, role_id, label) SELECT $1, $2, unnest($3::text[]);

-- roles.addpages
INSERT INTO role_pages (tenant_id, role_id, page_id) SELECT $1, $2, unnest($3::uuid[]);

-- roles.administrators
SELECT u.id FROM users u WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL AND EXISTS (SELECT 1
  FROM user_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id AND r.status = 1
JOIN role_powers p ON p.tenant_id = r.tenant_id AND p.role_id = r.id AND p.label = '*:*:*'
  WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id) ORDER BY u.id FOR NO KEY UPDATE OF u;

-- roles.del
DELETE FROM roles WHERE tenant_id = $1 AND id = $2;

-- roles.detail
SELECT r.id, r.code, r.name, r.data_scope AS "dataScope", r.remark,
trim_scale(r.round_off)::text AS "roundOff", trim_scale(r.give_percent)::text AS "givePercent", r.status,
(SELECT count(*)::int FROM user_roles ur JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id
     AND u.deleted_at IS NULL WHERE ur.tenant_id = r.tenant_id AND ur.role_id = r.id) AS users,
       (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id) AS pages,
(SELECT count(*)::int FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id) AS powers,
  EXISTS (SELECT 1 FROM user_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id
    AND m.user_id = $3::uuid) AS own, r.version,
      ARRAY(SELECT rp.page_id::text FROM role_pages rp WHERE rp.tenant_id = r.tenant_id
        AND rp.role_id = r.id) AS "pageIds",
          ARRAY(SELECT w.label FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id
            ORDER BY w.label) AS labels,
    coalesce((SELECT json_agg(json_build_object('id', u.id, 'nickname', u.nickname, 'userName', u.user_name, 'bc_name',
      coalesce(c.bc_name,
        '')) ORDER BY u.user_name) FROM user_roles ur JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id
          AND u.deleted_at IS NULL
      LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id WHERE ur.tenant_id = r.tenant_id
        AND ur.role_id = r.id AND ($4::uuid[] IS NULL OR u.bc_id = ANY ($4))), '[]'::json) AS people
   FROM roles r WHERE r.tenant_id = $1 AND r.id = $2;

-- roles.droplabels
DELETE FROM role_powers WHERE tenant_id = $1 AND role_id = $2;

-- roles.droppages
DELETE FROM role_pages WHERE tenant_id = $1 AND role_id = $2;

-- roles.edit
UPDATE roles
SET code = $3, name = $4, data_scope = $5, remark = $6, status = $7, round_off = $8, give_percent = $9,
  version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- roles.elsewhere
SELECT 1
FROM user_roles ur
JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id AND u.deleted_at IS NULL
WHERE ur.tenant_id = $1 AND ur.role_id = $2 AND NOT coalesce(u.bc_id = ANY ($3), false)
LIMIT 1;

-- roles.giving
SELECT coalesce(max(r.round_off), 0.00)::text AS "roundOff",
     trim_scale(coalesce(max(r.give_percent), 0))::text AS "givePercent",
     coalesce((SELECT string_agg(k.nickname, '、') FROM (SELECT DISTINCT h.nickname
       FROM role_powers p
       JOIN roles o ON o.tenant_id = $1 AND o.id = p.role_id AND o.status = 1
       JOIN user_roles ho ON ho.tenant_id = $1 AND ho.role_id = o.id
       JOIN users h ON h.tenant_id = $1 AND h.id = ho.user_id AND h.deleted_at IS NULL AND h.status = 1
       CROSS JOIN (SELECT $2::uuid AS bc_id, $3::uuid AS store_id, NULL::uuid AS manager_id, NULL::uuid AS steward_id) x
       WHERE p.tenant_id = $1 AND p.label = $5 AND CASE o.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = h.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = h.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = h.id AND t.store_id = x.store_id)
ELSE h.id IN (x.manager_id, x.steward_id) END
       ORDER BY h.nickname
       LIMIT 3) k), '') AS who
   FROM user_roles ur
   JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id
   JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
   CROSS JOIN (SELECT $2::uuid AS bc_id, $3::uuid AS store_id, NULL::uuid AS manager_id, NULL::uuid AS steward_id) x
   WHERE ur.tenant_id = $1 AND ur.user_id = $4 AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END;

-- roles.grants
SELECT r.id, r.code, r.name, r.data_scope AS scope,
  ARRAY(SELECT p.component_name FROM role_pages rp JOIN pages p ON p.tenant_id = rp.tenant_id AND p.id = rp.page_id
    WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id AND p.component_name <> '') AS pages,
ARRAY(SELECT label FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id) AS labels FROM roles r
  WHERE r.tenant_id = $1;

-- roles.groups
SELECT 1 FROM pages WHERE tenant_id = $1 AND id = ANY ($2);

-- roles.holders
SELECT u.nickname
FROM user_roles ur
JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id AND u.deleted_at IS NULL
WHERE ur.tenant_id = $1 AND ur.role_id = $2
ORDER BY u.user_name;

-- roles.left
DELETE FROM user_roles WHERE tenant_id = $1 AND role_id = $2;

-- roles.lock
SELECT id, code, name, version, status, remark, trim_scale(round_off)::text AS "roundOff",
  trim_scale(give_percent)::text AS "givePercent"
FROM roles WHERE tenant_id = $1 AND id = $2 FOR UPDATE;

-- roles.page
WITH page AS MATERIALIZED (SELECT r.* FROM roles r WHERE r.tenant_id = $1::uuid AND $2::uuid IS NOT NULL
  ORDER BY r.code ASC, r.id LIMIT 100)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT r.id, r.code, r.name, r.data_scope AS "dataScope", r.remark,
trim_scale(r.round_off)::text AS "roundOff", trim_scale(r.give_percent)::text AS "givePercent", r.status,
(SELECT count(*)::int FROM user_roles ur JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id
     AND u.deleted_at IS NULL WHERE ur.tenant_id = r.tenant_id AND ur.role_id = r.id) AS users,
       (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = r.tenant_id AND rp.role_id = r.id) AS pages,
(SELECT count(*)::int FROM role_powers w WHERE w.tenant_id = r.tenant_id AND w.role_id = r.id) AS powers,
  EXISTS (SELECT 1 FROM user_roles m WHERE m.tenant_id = r.tenant_id AND m.role_id = r.id
    AND m.user_id = $2::uuid) AS own, r.version FROM page r  ORDER BY r.code ASC, r.id) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM roles r WHERE r.tenant_id = $1::uuid AND $2::uuid IS NOT NULL)::int AS total;

-- roles.same
SELECT code, name FROM roles WHERE tenant_id = $1 AND (code = $2 OR name = $3) AND ($4::uuid IS NULL OR id <> $4);

-- roles.turns
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- roles.wanted
SELECT id, component_name AS name FROM pages WHERE tenant_id = $1 AND id = ANY ($2) AND component_name <> '';
