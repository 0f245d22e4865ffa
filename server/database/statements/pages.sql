-- pages.add
INSERT INTO pages (tenant_id, id, system, parent_id, path, name, icon, visible, keep_alive,
    memory_router, always_show, component_name, component, sort)
SELECT $1, $2, $3, $4::uuid, $5, $6, $7, $8, $9, $10, $11, $12, $12, coalesce(max(sort), 0) + 1
FROM pages
WHERE tenant_id = $1 AND system = $3 AND parent_id IS NOT DISTINCT FROM $4::uuid
ON CONFLICT (tenant_id, system, path)
DO NOTHING;

-- pages.addpower
INSERT INTO page_powers (tenant_id, page_id, label, name) VALUES ($1, $2, $3, $4);

-- pages.children
SELECT name FROM pages WHERE tenant_id = $1 AND parent_id = $2 ORDER BY sort;

-- pages.del
DELETE FROM pages WHERE tenant_id = $1 AND id = $2;

-- pages.delpower
DELETE FROM page_powers WHERE tenant_id = $1 AND page_id = $2 AND label = $3;

-- pages.edit
UPDATE pages
SET name = $3, icon = $4, parent_id = $5, visible = $6, keep_alive = $7, memory_router = $8,
  always_show = $9, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- pages.editpower
UPDATE page_powers SET name = $4 WHERE tenant_id = $1 AND page_id = $2 AND label = $3;

-- pages.list
SELECT p.id, p.parent_id, p.system, p.path, p.name, p.icon, p.visible, p.keep_alive AS "keepAlive",
  p.memory_router AS "memoryRouter", p.always_show AS "alwaysShow", p.component_name AS "componentName",
  p.component, p.sort, p.version,
  coalesce((
    SELECT json_agg(json_build_object('label', w.label, 'name', w.name) ORDER BY w.label)
    FROM page_powers w
    WHERE w.tenant_id = p.tenant_id AND w.page_id = p.id
  ), '[]'::json) AS powers,
  (SELECT count(*)::int FROM role_pages rp WHERE rp.tenant_id = p.tenant_id AND rp.page_id = p.id) AS roles
FROM pages p
WHERE p.tenant_id = $1 AND ($2::text IS NULL OR p.system = $2)
ORDER BY p.system DESC, p.sort, p.id;

-- pages.lock
SELECT id, system, parent_id, path, name, icon, visible, keep_alive, memory_router, always_show,
  component_name, version
FROM pages
WHERE tenant_id = $1 AND id = $2
FOR UPDATE;

-- pages.moved
SELECT id, system, parent_id, path, name, component_name
FROM pages
WHERE tenant_id = $1 AND id = ANY ($2)
ORDER BY id
FOR UPDATE;

-- pages.one
SELECT id, name, component_name FROM pages WHERE tenant_id = $1 AND id = $2 FOR UPDATE;

-- pages.parent
SELECT 1 FROM pages WHERE tenant_id = $1 AND id = $2 AND system = $3 AND component_name = '';

-- pages.power
SELECT name FROM page_powers WHERE tenant_id = $1 AND page_id = $2 AND label = $3;

-- pages.powers
INSERT INTO page_powers (tenant_id, page_id, label, name)
SELECT $1, $2, l, n
FROM unnest($3::text[], $4::text[]) AS x(l, n);

-- pages.sort
UPDATE pages p
SET sort = x.n, parent_id = $3, version = version + 1
FROM unnest($2::uuid[]) WITH ORDINALITY AS x(id, n)
WHERE p.tenant_id = $1 AND p.id = x.id AND (p.sort, p.parent_id) IS DISTINCT FROM (x.n::int, $3::uuid);

-- pages.takepower
DELETE FROM role_powers WHERE tenant_id = $1 AND label = $2;

-- pages.toadmins
INSERT INTO role_pages (tenant_id, role_id, page_id)
SELECT $1, p.role_id, $2
FROM role_powers p
WHERE p.tenant_id = $1 AND p.label = '*:*:*';
