-- managers.page
WITH page AS MATERIALIZED (SELECT u.* FROM users u WHERE u.tenant_id = $1::uuid AND u.bc_id = $2::uuid
  AND u.deleted_at IS NULL AND u.status = 1 AND u.post IS NOT NULL ORDER BY u.post, u.nickname, u.id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT u.id, u.nickname, masked_phone(u.phone) AS phone, u.bc_id, coalesce(c.bc_name, '') AS bc_name,
 u.post, (SELECT count(*)::int FROM sites w WHERE w.tenant_id = $1
  AND (w.steward_id = u.id OR w.manager_id = u.id) AND w.deleted_at IS NULL AND w.status = 1) AS sites,
    NULL::int AS "patrolsToday", NULL::int AS "patrolsMonth",
 (SELECT avg((NOT coalesce(x.late,
   false))::int)::float8 FROM (SELECT bool_or(t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, :now)) AS late,
  bool_or(t.ended = 'submitted' AND t.to_at <= t.due_at) AND max(a.correction_status) = 3 AS prompt
FROM correction_turns t
JOIN corrections a ON a.tenant_id = $1 AND a.id = t.correction_id AND a.correction_status <> 4
WHERE t.tenant_id = $1 AND t.user_id = u.id
  AND coalesce(t.to_at,
    :now) >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 29)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
GROUP BY t.correction_id) x WHERE x.late OR x.prompt) AS "onTime",
  (SELECT count(*)::int FROM (SELECT bool_or(t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, :now)) AS late,
  bool_or(t.ended = 'submitted' AND t.to_at <= t.due_at) AND max(a.correction_status) = 3 AS prompt
FROM correction_turns t
JOIN corrections a ON a.tenant_id = $1 AND a.id = t.correction_id AND a.correction_status <> 4
WHERE t.tenant_id = $1 AND t.user_id = u.id
  AND coalesce(t.to_at,
    :now) >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 29)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
GROUP BY t.correction_id) x WHERE x.late OR x.prompt) AS corrections,
 (SELECT count(*)::int FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id
   AND a.correction_status = 2) AS open,
     (SELECT count(*)::int FROM corrections a WHERE a.tenant_id = $1 AND a.assignee_id = u.id
       AND a.correction_status = 2 AND a.due_at < :now) AS late,
 NULL::int AS complaints FROM page u LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = u.bc_id ORDER BY u.post,
   u.nickname, u.id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM users u WHERE u.tenant_id = $1::uuid AND u.bc_id = $2::uuid AND u.deleted_at IS NULL
    AND u.status = 1 AND u.post IS NOT NULL)::int AS total;
