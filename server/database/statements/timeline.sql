-- timeline.days
SELECT to_char(e.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, count(*)::int AS count
   FROM (SELECT tenant_id, bc_id, site_id, id, kind, at, title, actor, ref_id, picture FROM site_events
UNION ALL SELECT e.tenant_id, e.bc_id, e.site_id, e.id, 'clockin' AS kind, e.at,
  coalesce(w.w_name, '工人') || CASE e.direction WHEN 'in' THEN ' 进场' ELSE ' 离场' END AS title,
  coalesce(w.w_name, '工人') AS actor, e.worker_id AS ref_id, e.picture
FROM attendance_events e
LEFT JOIN workers w ON w.tenant_id = e.tenant_id AND w.id = e.worker_id
WHERE e.event_id IS NOT NULL) e
   WHERE e.tenant_id = $1::uuid AND e.site_id = $2::uuid AND NOT CASE e.kind
  WHEN 'feedback' THEN EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = e.ref_id
    AND f.hidden_from = $3::uuid)
  WHEN 'correction' THEN EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = e.ref_id AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $3::uuid))
  ELSE false END AND e.at >= $4
   GROUP BY 1
   ORDER BY 1;

-- timeline.page
SELECT p.id, p.kind, floor(extract(epoch FROM p.at))::float8 AS at, p.title, p.actor, p.ref_id, p.picture, CASE
WHEN p.kind IN ('alarm', 'correction') THEN (
  SELECT x.type
  FROM alarms x
  WHERE x.tenant_id = $1 AND x.id = p.ref_id)
WHEN p.kind = 'tidiness' THEN (
  SELECT CASE x.result WHEN 1 THEN 'excellent' WHEN 2 THEN 'good' WHEN 3 THEN 'poor' END
  FROM tidiness_checks x
  WHERE x.tenant_id = $1 AND x.id = p.ref_id) END AS mark,
     k.correction_status AS state
   FROM (SELECT e.id, e.kind, e.at, e.title, e.actor, e.ref_id, e.picture
     FROM (SELECT tenant_id, bc_id, site_id, id, kind, at, title, actor, ref_id, picture FROM site_events
UNION ALL SELECT e.tenant_id, e.bc_id, e.site_id, e.id, 'clockin' AS kind, e.at,
  coalesce(w.w_name, '工人') || CASE e.direction WHEN 'in' THEN ' 进场' ELSE ' 离场' END AS title,
  coalesce(w.w_name, '工人') AS actor, e.worker_id AS ref_id, e.picture
FROM attendance_events e
LEFT JOIN workers w ON w.tenant_id = e.tenant_id AND w.id = e.worker_id
WHERE e.event_id IS NOT NULL) e
     WHERE e.tenant_id = $1::uuid AND e.site_id = $2::uuid AND NOT CASE e.kind
  WHEN 'feedback' THEN EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = e.ref_id
    AND f.hidden_from = $3::uuid)
  WHEN 'correction' THEN EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = e.ref_id AND EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $3::uuid))
  ELSE false END
     ORDER BY date_trunc('second', e.at) DESC, e.id DESC
     LIMIT 61) p
   LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = p.ref_id AND p.kind IN ('alarm', 'correction')
   ORDER BY date_trunc('second', p.at) DESC, p.id DESC;

-- timeline.site
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;
