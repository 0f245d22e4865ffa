-- notifications.add
INSERT INTO notifications AS n (tenant_id, id, user_id, title, link, at, cause_kind, cause_id, of_site)
   SELECT u.tenant_id, x.id, u.id, $4 || coalesce((SELECT '（代 ' || other.nickname || '）'
     FROM absences a
     JOIN users other ON other.tenant_id = $1 AND other.id = a.user_id
     WHERE a.tenant_id = $1 AND a.user_id = other.id AND a.ended_at IS NULL
       AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN a.from_day AND a.to_day AND a.deputy_id = u.id
         AND other.id = ANY ($10::uuid[])
       AND u.id <> ALL ($10)
     ORDER BY other.nickname LIMIT 1), ''), $5, :now, $6, $7, $11::uuid
   FROM unnest($2::uuid[], $3::uuid[]) AS x(user_id, id)
   JOIN users u ON u.tenant_id = $1 AND u.id = x.user_id AND u.status = 1 AND u.deleted_at IS NULL
   WHERE $8::text IS NULL OR EXISTS (
     SELECT 1
     FROM user_roles ur
     JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
     JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
     JOIN pages p ON p.tenant_id = $1 AND p.id = rp.page_id AND p.component_name = $8
     WHERE ur.tenant_id = $1 AND ur.user_id = u.id
       AND ($9::uuid IS NULL OR EXISTS (
         SELECT 1 FROM sites w WHERE w.tenant_id = $1 AND w.id = $9 AND CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END)))
   ORDER BY u.id
   ON CONFLICT (tenant_id, cause_kind, cause_id, user_id) WHERE read_at IS NULL AND cause_kind IS NOT NULL
   DO UPDATE SET title = excluded.title, link = excluded.link, at = excluded.at, times = n.times + 1
   RETURNING n.id, n.user_id;

-- notifications.list
SELECT id, title, link, floor(extract(epoch FROM at))::float8 AS at, times, read_at IS NOT NULL AS read
FROM notifications
WHERE tenant_id = $1 AND user_id = $2
ORDER BY at DESC
LIMIT 50;

-- notifications.read
UPDATE notifications SET read_at = :now
WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY ($3));

-- notifications.settle
UPDATE notifications n SET read_at = :now
FROM json_to_recordset($2::json) AS x(kind text, id text)
WHERE n.tenant_id = $1 AND n.cause_kind = x.kind AND n.cause_id = x.id AND n.read_at IS NULL
RETURNING n.user_id;

-- notifications.unread
SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL;

-- reminders.first
INSERT INTO reminders (tenant_id, cause_kind, cause_id, step, at) VALUES ($1, $2, $3, $4, :now)
ON CONFLICT DO NOTHING
RETURNING step;

-- turns.people
SELECT u.id, bool_or(r.data_scope <> 'tenant') AS near
   FROM users u
   JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
   JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
   CROSS JOIN LATERAL (
     SELECT coalesce(w.bc_id, $6::uuid) AS bc_id, coalesce(w.store_id, $8::uuid) AS store_id, w.manager_id,
       w.steward_id
     FROM (SELECT 1) one
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $7) x
   WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL
     AND ($2::uuid[] IS NULL OR u.id = ANY ($2)) AND u.id <> ALL ($3::uuid[])
     AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END AND ($9::text IS NULL OR r.code = $9)
     AND ($4::text IS NULL OR EXISTS (
       SELECT 1 FROM role_powers p
       WHERE p.tenant_id = $1 AND p.role_id = r.id AND p.label IN ($4, '*:*:*')))
     AND ($5::text IS NULL OR EXISTS (
       SELECT 1
       FROM user_roles vr
       JOIN roles o ON o.tenant_id = $1 AND o.id = vr.role_id AND o.status = 1
       JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = o.id
       JOIN pages g ON g.tenant_id = $1 AND g.id = rp.page_id AND g.component_name = $5
       WHERE vr.tenant_id = $1 AND vr.user_id = u.id AND CASE o.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END))
   GROUP BY u.id
   ORDER BY u.id;

-- turns.receivers
SELECT u.id, bool_or(r.data_scope <> 'tenant') AS near
   FROM users u
   JOIN user_roles ur ON ur.tenant_id = $1 AND ur.user_id = u.id
   JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
   CROSS JOIN LATERAL (
     SELECT coalesce(w.bc_id, $6::uuid) AS bc_id, coalesce(w.store_id, $8::uuid) AS store_id, w.manager_id,
       w.steward_id
     FROM (SELECT 1) one
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $7) x
   WHERE u.tenant_id = $1 AND u.status = 1 AND u.deleted_at IS NULL
     AND ($2::uuid[] IS NULL OR u.id = ANY ($2)) AND u.id <> ALL ($3::uuid[])
     AND r.data_scope IN ('branches', 'stores') AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END AND ($9::text IS NULL OR r.code = $9)
     AND ($4::text IS NULL OR EXISTS (
       SELECT 1 FROM role_powers p
       WHERE p.tenant_id = $1 AND p.role_id = r.id AND p.label IN ($4, '*:*:*')))
     AND ($5::text IS NULL OR EXISTS (
       SELECT 1
       FROM user_roles vr
       JOIN roles o ON o.tenant_id = $1 AND o.id = vr.role_id AND o.status = 1
       JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = o.id
       JOIN pages g ON g.tenant_id = $1 AND g.id = rp.page_id AND g.component_name = $5
       WHERE vr.tenant_id = $1 AND vr.user_id = u.id AND o.data_scope IN ('branches', 'stores') AND CASE o.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END))
   GROUP BY u.id
   ORDER BY u.id;

-- turns.standins
SELECT u.id, d.id AS deputy
FROM users u
JOIN absences a ON a.tenant_id = $1 AND a.user_id = u.id AND a.ended_at IS NULL
  AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN a.from_day AND a.to_day
LEFT JOIN users d ON d.tenant_id = $1 AND d.id = a.deputy_id AND d.status = 1 AND d.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM absences away WHERE away.tenant_id = $1 AND away.user_id = d.id AND away.ended_at IS NULL
      AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day)
WHERE u.tenant_id = $1 AND u.id = ANY ($2);
