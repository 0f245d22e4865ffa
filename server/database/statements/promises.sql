-- promises.add
INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id, first_due,
  due, made_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::date, $10::date, :now, $11, :now);

-- promises.aftercare
SELECT w.aftercare_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;

-- promises.carry
INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, source, author_id, post, responsible_id,
  first_due, due, made_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, 'customer', $7, $8, $9, $10::date, $10::date, $11, $12,
  :now);

-- promises.contradicting
SELECT p.id, p.content, p.due::text AS due, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt"
FROM promises p
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.state IN ('open', 'extended') AND p.subject = $3 AND p.due <> $4::date
ORDER BY p.due, p.id;

-- promises.day
SELECT rest_day($1, w.bc_id, $3::date) AS rest, s.stage, s.until
FROM sites w
LEFT JOIN LATERAL (
  SELECT g.stage, g.planned_finish::text AS until
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.actual_finish IS NULL
    AND g.planned_start <= $3::date AND g.planned_finish > $3::date
  ORDER BY g.sort
  LIMIT 1) s ON true
WHERE w.tenant_id = $1 AND w.id = $2;

-- promises.entry
INSERT INTO promise_events (tenant_id, id, promise_id, act, actor, text, from_due, to_due, from_id, to_id,
  pictures, feedback_id, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- promises.events
SELECT floor(extract(epoch FROM e.at))::float8 AS at, e.actor, e.act, e.text, e.from_due::text AS "fromDue",
  e.to_due::text AS "toDue",
  e.pictures, e.feedback_id
FROM promise_events e
WHERE e.tenant_id = $1 AND e.promise_id = $2
ORDER BY e.at, e.id;

-- promises.hand
UPDATE promises
SET responsible_id = $3, changed_by = $4, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- promises.holdsite
SELECT w.id, w.bc_id, w.ws_name, w.status, w.manager_id, w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL FOR NO KEY UPDATE OF w;

-- promises.inthread
UPDATE promises SET source = 'message' WHERE tenant_id = $1 AND id = $2 AND source = 'hand';

-- promises.leaders
SELECT w.id, w.steward_id, w.manager_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;

-- promises.led
SELECT w.id
FROM sites w
WHERE w.tenant_id = $1 AND $2 IN (w.manager_id, w.steward_id) AND w.deleted_at IS NULL
  AND w.status IN (1, 2);

-- promises.living
SELECT count(p.id) FILTER (WHERE p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date)::int AS due,
  count(p.id) FILTER (WHERE p.due > (:now AT TIME ZONE 'Asia/Shanghai')::date)::int AS later
FROM promises p
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.state IN ('open', 'extended');

-- promises.lock
SELECT p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
  coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname,
    '') AS "responsibleName",
  p.first_due::text AS "firstDue", p.due::text AS due, p.state,
  (SELECT count(*)::int FROM promise_events e
   WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
  floor(extract(epoch FROM CASE WHEN p.state = 'kept' THEN (SELECT max(e.at) FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep') END))::float8 AS "keptAt", p.objected,
      (p.state = 'broken' AND EXISTS (SELECT FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold')) AS upheld,
  p.state = 'kept' AND EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AS judged,
  nullif(greatest(CASE WHEN p.state IN ('open',
    'extended') THEN (:now AT TIME ZONE 'Asia/Shanghai')::date ELSE (CASE WHEN p.state = 'kept' THEN (SELECT max(e.at)
      FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
        AND e.act = 'keep') END AT TIME ZONE 'Asia/Shanghai')::date END - p.due, 0), 0) AS "lateDays",
  p.version, p.changed_by AS "changedBy",
    floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt" FROM promises p JOIN sites w ON w.tenant_id = $1
      AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = p.site_id AND (s.ended_at IS NULL OR s.ended_at >= CASE
      WHEN p.state IN ('open', 'extended') THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id WHERE p.tenant_id = $1::uuid
  AND p.id = $2::uuid FOR UPDATE OF p;

-- promises.lockopen
SELECT p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
  coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname,
    '') AS "responsibleName",
  p.first_due::text AS "firstDue", p.due::text AS due, p.state,
  (SELECT count(*)::int FROM promise_events e
   WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
  floor(extract(epoch FROM CASE WHEN p.state = 'kept' THEN (SELECT max(e.at) FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep') END))::float8 AS "keptAt", p.objected,
      (p.state = 'broken' AND EXISTS (SELECT FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold')) AS upheld,
  p.state = 'kept' AND EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AS judged,
  nullif(greatest(CASE WHEN p.state IN ('open',
    'extended') THEN (:now AT TIME ZONE 'Asia/Shanghai')::date ELSE (CASE WHEN p.state = 'kept' THEN (SELECT max(e.at)
      FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
        AND e.act = 'keep') END AT TIME ZONE 'Asia/Shanghai')::date END - p.due, 0), 0) AS "lateDays",
  p.version, p.changed_by AS "changedBy", floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt"
  FROM promises p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = p.site_id AND (s.ended_at IS NULL OR s.ended_at >= CASE
      WHEN p.state IN ('open', 'extended') THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id
  WHERE p.tenant_id = $1::uuid AND p.state IN ('open', 'extended') AND p.site_id = $2::uuid
  ORDER BY p.due, p.id
  FOR UPDATE OF p;

-- promises.move
UPDATE promises
SET state = $3, due = $4, objected = $5, changed_by = $6, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- promises.objected
SELECT count(*)::int AS n FROM promises p WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.objected;

-- promises.one
SELECT p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
  coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname,
    '') AS "responsibleName",
  p.first_due::text AS "firstDue", p.due::text AS due, p.state,
  (SELECT count(*)::int FROM promise_events e
   WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
  floor(extract(epoch FROM CASE WHEN p.state = 'kept' THEN (SELECT max(e.at) FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep') END))::float8 AS "keptAt", p.objected,
      (p.state = 'broken' AND EXISTS (SELECT FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold')) AS upheld,
  p.state = 'kept' AND EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AS judged,
  nullif(greatest(CASE WHEN p.state IN ('open',
    'extended') THEN (:now AT TIME ZONE 'Asia/Shanghai')::date ELSE (CASE WHEN p.state = 'kept' THEN (SELECT max(e.at)
      FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
        AND e.act = 'keep') END AT TIME ZONE 'Asia/Shanghai')::date END - p.due, 0), 0) AS "lateDays",
  p.version, ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'promise' AND o.record_id = p.id
    ORDER BY o.at, o.message_id,
      c.place) AS pictures FROM promises p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = p.site_id AND (s.ended_at IS NULL OR s.ended_at >= CASE
      WHEN p.state IN ('open', 'extended') THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- promises.page
WITH page AS MATERIALIZED (SELECT p.* FROM promises p WHERE p.tenant_id = $1::uuid ORDER BY p.place, p.id LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
  coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname,
    '') AS "responsibleName",
  p.first_due::text AS "firstDue", p.due::text AS due, p.state,
  (SELECT count(*)::int FROM promise_events e
   WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
  floor(extract(epoch FROM CASE WHEN p.state = 'kept' THEN (SELECT max(e.at) FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep') END))::float8 AS "keptAt", p.objected,
      (p.state = 'broken' AND EXISTS (SELECT FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold')) AS upheld,
  p.state = 'kept' AND EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AS judged,
  nullif(greatest(CASE WHEN p.state IN ('open',
    'extended') THEN (:now AT TIME ZONE 'Asia/Shanghai')::date ELSE (CASE WHEN p.state = 'kept' THEN (SELECT max(e.at)
      FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
        AND e.act = 'keep') END AT TIME ZONE 'Asia/Shanghai')::date END - p.due, 0), 0) AS "lateDays",
  p.version FROM page p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = p.site_id AND (s.ended_at IS NULL OR s.ended_at >= CASE
      WHEN p.state IN ('open', 'extended') THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id ORDER BY p.place, p.id) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM promises p WHERE p.tenant_id = $1::uuid)::int AS total;

-- promises.rates
SELECT count(*) FILTER (WHERE p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
  OR x.withdrawn_on > p.first_due) AND p.state = 'kept' AND x.kept_on <= p.first_due)::int AS "firstKept",
  count(*) FILTER (WHERE p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
    OR x.withdrawn_on > p.first_due))::int AS "firstAll",
  count(*) FILTER (WHERE p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
    OR x.withdrawn_on > p.due) AND p.state = 'kept' AND x.kept_on <= p.due)::int AS "presentKept",
  count(*) FILTER (WHERE p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
    OR x.withdrawn_on > p.due))::int AS "presentAll"
FROM promises p
CROSS JOIN LATERAL (SELECT
  CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
    AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
  CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
    AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
WHERE p.tenant_id = $1::uuid;

-- promises.readopen
SELECT p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
  coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
  floor(extract(epoch FROM p.made_at))::float8 AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname,
    '') AS "responsibleName",
  p.first_due::text AS "firstDue", p.due::text AS due, p.state,
  (SELECT count(*)::int FROM promise_events e
   WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
  floor(extract(epoch FROM CASE WHEN p.state = 'kept' THEN (SELECT max(e.at) FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep') END))::float8 AS "keptAt", p.objected,
      (p.state = 'broken' AND EXISTS (SELECT FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold')) AS upheld,
  p.state = 'kept' AND EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AS judged,
  nullif(greatest(CASE WHEN p.state IN ('open',
    'extended') THEN (:now AT TIME ZONE 'Asia/Shanghai')::date ELSE (CASE WHEN p.state = 'kept' THEN (SELECT max(e.at)
      FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
        AND e.act = 'keep') END AT TIME ZONE 'Asia/Shanghai')::date END - p.due, 0), 0) AS "lateDays",
  p.version, p.changed_by AS "changedBy", floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt"
  FROM promises p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = p.site_id AND (s.ended_at IS NULL OR s.ended_at >= CASE
      WHEN p.state IN ('open', 'extended') THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
  WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true
LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id
  WHERE p.tenant_id = $1::uuid AND p.state IN ('open', 'extended') AND p.responsible_id = $2::uuid
  ORDER BY p.due, p.id;

-- promises.readsite
SELECT w.id, w.bc_id, w.ws_name, w.status, w.manager_id, w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- promises.remind
SELECT p.id, p.bc_id, p.site_id, w.ws_name AS "siteName", p.content, p.due::text AS due, p.responsible_id,
  x.step, x.days
FROM promises p
JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
CROSS JOIN LATERAL (SELECT ((:now AT TIME ZONE 'Asia/Shanghai')::date - p.due)::float8 AS days,
  CASE WHEN p.due = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'today:' ELSE 'late:' END || p.due::text AS step) x
WHERE p.tenant_id = $1 AND p.state IN ('open',
  'extended') AND p.due BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date - 3
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND :now >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') + interval
    '8 hours'
  AND NOT EXISTS (
    SELECT 1 FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'promise' AND m.cause_id = p.id::text AND m.step = x.step)
ORDER BY p.due, p.id
LIMIT 500
FOR UPDATE OF p SKIP LOCKED;

-- promises.settled
SELECT w.id
FROM sites w
WHERE w.tenant_id = $1 AND w.status = 3 AND NOT EXISTS (SELECT FROM contracts t
    WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.state IN ('live', 'ending', 'finishing'))
  AND EXISTS (SELECT FROM promises p WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.state IN ('open', 'extended'))
ORDER BY w.id
LIMIT 100;
