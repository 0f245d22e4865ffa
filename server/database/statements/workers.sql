-- documents.add
INSERT INTO worker_documents (tenant_id, id, worker_id, kind, number, picture, valid_until, added_by, added_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)
RETURNING id;

-- documents.del
DELETE FROM worker_documents WHERE tenant_id = $1 AND id = $2;

-- documents.edit
UPDATE worker_documents SET kind = $3, number = $4, picture = $5, valid_until = $6, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- documents.list
SELECT d.id, d.kind, CASE WHEN length(d.number) > 8 THEN left(d.number, 3) ELSE '' END || '****' ||
right(d.number, CASE WHEN length(d.number) > 8 THEN 4 ELSE 2 END) AS number, d.picture AS picture,
     d.valid_until::text AS "validUntil", CASE
WHEN d.valid_until < $3::date THEN 3
WHEN d.valid_until <= $3::date + 30 THEN 2
ELSE 1 END AS state, d.added_by AS "addedBy",
     floor(extract(epoch FROM d.added_at))::float8 AS "addedAt", d.version
   FROM workers k
   JOIN worker_documents d ON d.tenant_id = $1 AND d.worker_id = k.id
   WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND k.id = $2::uuid
   ORDER BY state DESC, d.kind, d.id;

-- documents.lock
SELECT d.id, d.worker_id, k.bc_id, k.w_name, d.kind, d.number, d.picture, d.valid_until::text AS "validUntil",
  d.version
FROM workers k
JOIN worker_documents d ON d.tenant_id = $1 AND d.worker_id = k.id
WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND d.id = $2::uuid
FOR UPDATE;

-- documents.same
SELECT 1 FROM worker_documents
WHERE tenant_id = $1 AND worker_id = $2 AND kind = $3 AND number = $4 AND ($5::uuid IS NULL OR id <> $5);

-- stays.page
WITH page AS MATERIALIZED (SELECT k.* FROM (SELECT m.*, w.bc_id, w.ws_name FROM site_members m
  JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id AND w.deleted_at IS NULL
  WHERE m.tenant_id = $1) k WHERE k.tenant_id = $1::uuid AND k.worker_id = $2::uuid AND k.site_id = $3::uuid
    ORDER BY k.score ASC, k.site_id, k.entered_on LIMIT 3)
 SELECT coalesce((SELECT json_agg(r)
     FROM (SELECT k.site_id || ':' || k.entered_on AS id, k.site_id, k.ws_name, c.bc_name, x.w_type,
  k.entered_on::text AS "enteredOn", k.left_on::text AS "leftOn",
    (SELECT count(*)::int FROM attendance_days a WHERE a.tenant_id = $1 AND a.site_id = k.site_id
AND a.worker_id = k.worker_id AND a.day BETWEEN k.entered_on AND coalesce(k.left_on, 'infinity')) AS days,
  (SELECT count(*)::int FROM violations v WHERE v.tenant_id = $1 AND v.worker_id = k.worker_id
     AND v.site_id = k.site_id AND v.status <> 5
     AND (v.at AT TIME ZONE 'Asia/Shanghai')::date
       BETWEEN k.entered_on AND coalesce(k.left_on, 'infinity')) AS breaks,
  k.score, coalesce(k.scored_by,
    '') AS "scoredBy" FROM page k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
  JOIN workers x ON x.tenant_id = $1 AND x.id = k.worker_id ORDER BY k.score ASC, k.site_id, k.entered_on) r),
    '[]'::json)::text AS list,
   (SELECT count(*) FROM (SELECT m.*, w.bc_id, w.ws_name FROM site_members m
  JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id AND w.deleted_at IS NULL
  WHERE m.tenant_id = $1) k WHERE k.tenant_id = $1::uuid AND k.worker_id = $2::uuid
    AND k.site_id = $3::uuid)::int AS total;

-- stays.track
SELECT floor(extract(epoch FROM e.at))::float8 AS at, e.direction, e.source, e.picture, e.site_id, w.ws_name, w.lng,
  w.lat
FROM attendance_events e
JOIN sites w ON w.tenant_id = $1 AND w.id = e.site_id
WHERE e.tenant_id = $1::uuid AND e.worker_id = $2::uuid AND e.day = $3::date AND e.reverses IS NULL
  AND NOT EXISTS (SELECT 1 FROM attendance_events r
    WHERE r.tenant_id = $1 AND r.reverses = e.id AND r.at = e.at)
ORDER BY e.at, e.id;

-- workers.add
INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, notice)
SELECT $1, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, notice
FROM json_to_recordset($2::json) AS x(id uuid, w_id text, w_name text, bc_id uuid, w_type int, w_sex int,
    w_contact text, team text, notice text)
ON CONFLICT (tenant_id, w_id)
DO NOTHING
RETURNING id;

-- workers.agreed
UPDATE workers SET version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- workers.askremoval
INSERT INTO face_removals (tenant_id, id, bc_id, worker_id, device_id, why, opened_at)
VALUES ($1, $2, $3, $4, $5, $6, :now)
ON CONFLICT (tenant_id, device_id, worker_id) WHERE done_at IS NULL AND ended_at IS NULL DO NOTHING;

-- workers.back
UPDATE site_members
SET left_on = NULL, counted_to = NULL
WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on >= $4::date - 1
  AND entered_on <= $4::date AND coalesce(counted_to, left_on) >= $5::date - 1;

-- workers.branch
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1;

-- workers.days
SELECT d.day::text AS day, bool_or(a.worker_id IS NOT NULL) AS came, count(a.worker_id)::int AS sites,
  (sum(round(extract(epoch FROM a.last_at - a.first_at) / 3600,
    1)) FILTER (WHERE a.last_at > a.first_at))::float8 AS hours
FROM site_days d LEFT JOIN attendance_days a ON a.tenant_id = d.tenant_id AND a.day = d.day AND a.site_id = d.site_id
  AND a.worker_id = $4::uuid
WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date AND (a.worker_id IS NOT NULL OR (NOT d.rest
  AND NOT (d.blind AND d.present = 0) AND EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = d.tenant_id
    AND m.site_id = d.site_id AND m.worker_id = $4::uuid AND coalesce(m.counted_from, m.entered_on) <= d.day
  AND (m.left_on IS NULL OR coalesce(m.counted_to,
    m.left_on) >= d.day) AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = $1
  AND o.day = d.day AND o.worker_id = m.worker_id AND o.site_id <> m.site_id))))
GROUP BY d.day ORDER BY d.day;

-- workers.detail
SELECT k.id, k.w_id, k.w_name, k.bc_id, c.bc_name, k.w_type, k.w_sex,
     k.w_contact AS w_contact, coalesce(s.names, '') AS ws_names, k.w_face,
     (SELECT CASE
WHEN k.w_face IS NOT NULL AND a.state = 1 THEN 1
WHEN k.w_face IS NOT NULL THEN 4
WHEN a.state = 1 THEN 3
WHEN a.state IS NOT NULL THEN 5
ELSE 2 END
FROM (SELECT (SELECT x.state FROM consents x
   WHERE x.tenant_id = $1 AND x.kind = 'face' AND x.subject_id = k.id
   ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) AS state) a) AS face, k.team, CASE WHEN d.came THEN 1
     WHEN s.due THEN 2 END AS today, d.days AS "monthDays", b.n AS breaks, k.status,
     k.version, (SELECT json_build_object('id', u.id, 'nickname', u.nickname) FROM users u
      WHERE u.tenant_id = $1 AND u.id = k.user_id) AS account,
    (SELECT json_build_object('at', floor(extract(epoch FROM e.at))::float8, 'site_id', e.site_id, 'ws_name',
      w.ws_name, 'picture',
        e.picture) FROM attendance_events e JOIN sites w ON w.tenant_id = e.tenant_id AND w.id = e.site_id
      WHERE e.tenant_id = k.tenant_id AND e.worker_id = k.id AND e.source <> 'makeup'
        ORDER BY e.at DESC LIMIT 1) AS last,
    coalesce((SELECT json_agg(json_build_object('site_id', w.id, 'ws_name', w.ws_name, 'siteStatus', w.status,
      'enteredOn', m.entered_on::text, 'leftOn', m.left_on::text,
        'days',
          (SELECT count(*)::int FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id
            AND a.site_id = w.id AND a.day >= m.entered_on AND (m.left_on IS NULL OR a.day <= m.left_on)))
              ORDER BY (m.left_on IS NULL) DESC, m.entered_on DESC)
      FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id AND w.deleted_at IS NULL
        WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id), '[]') AS sites,
    (SELECT json_build_object('mean', round(avg(m.score), 1)::float8, 'n', count(*)) FROM site_members m
      WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id AND m.score IS NOT NULL HAVING count(*) > 0) AS score,
    k.notice
   FROM workers k JOIN companies c ON c.tenant_id = k.tenant_id AND c.bc_id = k.bc_id
  LEFT JOIN LATERAL (SELECT string_agg(w.ws_name, '、' ORDER BY m.entered_on,
    w.ws_name) FILTER (WHERE m.left_on IS NULL) AS names,
      bool_or(w.status = 1 AND m.entered_on <= $3::date AND (m.left_on IS NULL OR m.left_on >= $3::date)) AS due
    FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id WHERE m.tenant_id = k.tenant_id
      AND m.worker_id = k.id) s ON true
  LEFT JOIN LATERAL (SELECT count(DISTINCT a.day)::int AS days, coalesce(bool_or(a.day = $3::date),
    false) AS came FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id
      AND a.day BETWEEN date_trunc('month', $3::date::timestamp)::date AND $3::date) d ON true
  LEFT JOIN LATERAL (SELECT count(*)::int AS n FROM violations x WHERE x.tenant_id = k.tenant_id AND x.worker_id = k.id
    AND x.status <> 5) b ON true WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND k.id = $2::uuid;

-- workers.edit
UPDATE workers
SET w_name = $3, bc_id = $4, w_type = $5, w_sex = $6, w_contact = coalesce($7, w_contact), team = $8,
  user_id = $9, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- workers.endremovals
UPDATE face_removals r
SET ended_at = :now, version = r.version + 1
WHERE r.tenant_id = $1 AND r.worker_id = $2 AND r.ended_at IS NULL
RETURNING r.id, r.bc_id;

-- workers.face
UPDATE workers
SET w_face = $3, consent_how = NULL, consent_at = NULL, consent_by = NULL, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- workers.known
SELECT w_id, w_name || '|' || w_contact AS who
FROM workers
WHERE tenant_id = $1 AND w_contact = ANY ($2) AND deleted_at IS NULL;

-- workers.leave
UPDATE site_members SET left_on = greatest($4::date, entered_on)
WHERE tenant_id = $1 AND site_id = $2 AND worker_id = ANY ($3) AND left_on IS NULL;

-- workers.lock
SELECT k.id, k.w_id, k.w_name, k.bc_id, k.w_type, k.w_sex, k.w_contact, k.w_face, k.team,
  k.user_id, k.status, k.version
FROM workers k
WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND k.id = $2::uuid
FOR UPDATE;

-- workers.lockremoval
SELECT r.id, r.bc_id, r.worker_id, d.sn, r.done_by AS "doneBy", r.version
FROM face_removals r
JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
WHERE r.tenant_id = $1::uuid AND r.id = $2::uuid
FOR UPDATE OF r;

-- workers.move
UPDATE workers SET bc_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = ANY ($2);

-- workers.moving
SELECT DISTINCT k.id, k.w_name, NOT EXISTS (SELECT 1 FROM site_members o WHERE o.tenant_id = m.tenant_id
    AND o.worker_id = m.worker_id AND o.site_id <> m.site_id AND o.left_on IS NULL) AS only
FROM site_members m
JOIN workers k ON k.tenant_id = m.tenant_id AND k.id = m.worker_id
WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.left_on IS NULL
ORDER BY k.w_name;

-- workers.never
DELETE FROM site_members WHERE tenant_id = $1 AND worker_id = $2 AND left_on IS NULL AND entered_on > $3::date;

-- workers.number
SELECT w_id FROM workers WHERE tenant_id = $1 AND id = $2;

-- workers.numbers
SELECT nextval('worker_numbers') AS n FROM generate_series(1, $1::int);

-- workers.on
SELECT entered_on::text AS entered
FROM site_members
WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL;

-- workers.page
WITH page AS MATERIALIZED (SELECT k.* FROM workers k WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL
  ORDER BY k.w_id ASC, k.id ASC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT k.id, k.w_id, k.w_name, k.bc_id, c.bc_name, k.w_type, k.w_sex,
     k.w_contact AS w_contact, coalesce(s.names, '') AS ws_names, k.w_face,
     (SELECT CASE
WHEN k.w_face IS NOT NULL AND a.state = 1 THEN 1
WHEN k.w_face IS NOT NULL THEN 4
WHEN a.state = 1 THEN 3
WHEN a.state IS NOT NULL THEN 5
ELSE 2 END
FROM (SELECT (SELECT x.state FROM consents x
   WHERE x.tenant_id = $1 AND x.kind = 'face' AND x.subject_id = k.id
   ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) AS state) a) AS face, k.team, CASE WHEN d.came THEN 1
     WHEN s.due THEN 2 END AS today, d.days AS "monthDays", b.n AS breaks, k.status,
     k.version FROM page k JOIN companies c ON c.tenant_id = k.tenant_id AND c.bc_id = k.bc_id
  LEFT JOIN LATERAL (SELECT string_agg(w.ws_name, '、' ORDER BY m.entered_on,
    w.ws_name) FILTER (WHERE m.left_on IS NULL) AS names,
      bool_or(w.status = 1 AND m.entered_on <= $2::date AND (m.left_on IS NULL OR m.left_on >= $2::date)) AS due
    FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id WHERE m.tenant_id = k.tenant_id
      AND m.worker_id = k.id) s ON true
  LEFT JOIN LATERAL (SELECT count(DISTINCT a.day)::int AS days, coalesce(bool_or(a.day = $2::date),
    false) AS came FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id
      AND a.day BETWEEN date_trunc('month', $2::date::timestamp)::date AND $2::date) d ON true
  LEFT JOIN LATERAL (SELECT count(*)::int AS n FROM violations x WHERE x.tenant_id = k.tenant_id AND x.worker_id = k.id
    AND x.status <> 5) b ON true ORDER BY k.w_id ASC, k.id ASC) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM workers k WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL)::int AS total;

-- workers.pick
SELECT k.id, k.w_id, k.w_name, x.here AS "onSite"
FROM workers k
CROSS JOIN LATERAL (SELECT EXISTS (
  SELECT 1 FROM site_members m
  WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = $2::uuid AND m.left_on IS NULL) AS here) x
WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL
ORDER BY x.here DESC, k.status, k.w_id LIMIT 30;

-- workers.recall
UPDATE site_members
SET left_on = $4::date, counted_to = greatest($4::date, $7::date - 1),
  score = $5, scored_by = CASE WHEN $5::smallint IS NOT NULL THEN $6 END
WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL;

-- workers.removals
SELECT r.id, r.worker_id, k.w_name, r.device_id, d.sn AS "deviceSn", coalesce(w.ws_name, '') AS "siteName",
  r.why, floor(extract(epoch FROM r.opened_at))::float8 AS "openedAt", r.version
FROM face_removals r
JOIN workers k ON k.tenant_id = $1 AND k.id = r.worker_id
JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE r.tenant_id = $1::uuid AND r.done_at IS NULL AND r.ended_at IS NULL
ORDER BY r.opened_at, r.id
LIMIT 500;

-- workers.removed
UPDATE face_removals r SET done_at = :now, done_by = $3, version = r.version + 1
WHERE r.tenant_id = $1 AND r.id = $2;

-- workers.seen
SELECT k.w_name FROM workers k WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND k.id = $2::uuid;

-- workers.send
INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on, counted_from)
SELECT $1, $2, $3, greatest($4::date, max(o.left_on) + 1), CASE WHEN $4::date < $5::date THEN $5::date END
FROM site_members o
WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.worker_id = $3;

-- workers.site
SELECT w.id, w.bc_id, w.ws_name,
  w.status FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- workers.state
UPDATE workers SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- workers.stay
SELECT entered_on::text AS entered
FROM site_members
WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL
FOR UPDATE;

-- workers.taken
SELECT w_id FROM workers WHERE tenant_id = $1 AND w_id = ANY ($2);

-- workers.terminals
SELECT d.id, d.bc_id, d.sn
FROM devices d
WHERE d.tenant_id = $1 AND d.type = 'faceTerminal' AND d.bc_id IS NOT NULL AND d.deleted_at IS NULL AND (
  $3 AND EXISTS (SELECT 1 FROM site_members m
    WHERE m.tenant_id = $1 AND m.worker_id = $2 AND m.site_id = d.site_id)
  OR EXISTS (SELECT 1 FROM attendance_events e
    WHERE e.tenant_id = $1 AND e.worker_id = $2 AND e.device_id = d.id AND e.similarity IS NOT NULL))
ORDER BY d.sn;

-- workers.toremove
SELECT count(*)::int AS n FROM face_removals r WHERE r.tenant_id = $1 AND r.bc_id = $2 AND r.done_at IS NULL
  AND r.ended_at IS NULL;

-- workers.unsend
DELETE FROM site_members WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL;
