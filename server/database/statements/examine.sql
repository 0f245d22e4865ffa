-- examine.add
INSERT INTO examine_requests (tenant_id, id, bc_id, store_id, kind, object_id, version_id, number, round, summary,
  amount, change, hash, submitted_by, submitted_at, due_at, of_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now, $15, $16);

-- examine.clocks
SELECT k.id, k.bc_id AS bc, k.due_at AS due
FROM examine_requests k
WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
  AND k.state = 0 AND k.withdrawn_at IS NULL AND k.due_at > :now
ORDER BY k.id
FOR UPDATE;

-- examine.earlier
SELECT x.id, x.version_id, x.round, x.amount::text AS amount, x.state AS "examineState",
  coalesce(u.nickname, '') AS submitter, floor(extract(epoch FROM x.submitted_at))::float8 AS "submittedAt",
  coalesce(j.nickname, '') AS judge, floor(extract(epoch FROM x.judged_at))::float8 AS "judgedAt", x.reason,
  x.withdrawn_at IS NOT NULL AS withdrawn, floor(extract(epoch FROM s.at))::float8 AS "seenAt"
FROM examine_requests x
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by
LEFT JOIN examine_views s ON s.tenant_id = $1 AND s.request_id = x.id AND s.user_id = $2
WHERE x.tenant_id = $1 AND x.kind = $3 AND x.object_id = $4 AND x.round < $5
ORDER BY x.round DESC;

-- examine.first
SELECT x.id, x.kind, x.number, x.summary, coalesce(u.nickname, '') AS submitter,
  floor(extract(epoch FROM x.due_at))::float8 AS at,
  x.due_at < :now AS late
FROM examine_requests x
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND x.state = 0 AND x.withdrawn_at IS NULL
  AND x.submitted_by <> $3::uuid
ORDER BY x.due_at, x.submitted_at DESC, x.id DESC
LIMIT 12;

-- examine.judge
UPDATE examine_requests
SET state = $3, judged_by = $4, judged_at = :now, reason = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- examine.last
SELECT x.id, x.kind, x.object_id, x.version_id,
  coalesce(x.of_id, x.object_id) AS of_id, x.bc_id, c.bc_name, x.store_id, x.number, x.round, x.summary,
  x.amount::text AS amount, x.change, x.hash, x.state AS "examineState", x.submitted_by,
  coalesce(u.nickname, '') AS submitter, floor(extract(epoch FROM x.submitted_at))::float8 AS "submittedAt",
  floor(extract(epoch FROM x.due_at))::float8 AS "dueAt",
  coalesce(j.nickname, '') AS judge, floor(extract(epoch FROM x.judged_at))::float8 AS "judgedAt", x.reason, x.version,
    x.withdrawn_at IS NOT NULL AS withdrawn
  FROM examine_requests x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by
  WHERE x.tenant_id = $1::uuid AND x.kind = $2 AND x.object_id = $3::uuid ORDER BY x.round DESC LIMIT 1 FOR UPDATE OF x;

-- examine.lock
SELECT x.id, x.kind, x.object_id, x.version_id,
  coalesce(x.of_id, x.object_id) AS of_id, x.bc_id, c.bc_name, x.store_id, x.number, x.round, x.summary,
  x.amount::text AS amount, x.change, x.hash, x.state AS "examineState", x.submitted_by,
  coalesce(u.nickname, '') AS submitter, floor(extract(epoch FROM x.submitted_at))::float8 AS "submittedAt",
  floor(extract(epoch FROM x.due_at))::float8 AS "dueAt",
  coalesce(j.nickname, '') AS judge, floor(extract(epoch FROM x.judged_at))::float8 AS "judgedAt", x.reason, x.version,
    x.withdrawn_at IS NOT NULL AS withdrawn
  FROM examine_requests x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by
  WHERE x.tenant_id = $1::uuid AND x.id = $2::uuid FOR UPDATE OF x;

-- examine.moveclocks
UPDATE examine_requests k SET due_at = x.due
FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
WHERE k.tenant_id = $1 AND k.id = x.id;

-- examine.one
SELECT x.id, x.kind, x.object_id, x.version_id,
  coalesce(x.of_id, x.object_id) AS of_id, x.bc_id, c.bc_name, x.store_id, x.number, x.round, x.summary,
  x.amount::text AS amount, x.change, x.hash, x.state AS "examineState", x.submitted_by,
  coalesce(u.nickname, '') AS submitter, floor(extract(epoch FROM x.submitted_at))::float8 AS "submittedAt",
  floor(extract(epoch FROM x.due_at))::float8 AS "dueAt",
  coalesce(j.nickname, '') AS judge, floor(extract(epoch FROM x.judged_at))::float8 AS "judgedAt", x.reason, x.version,
    x.withdrawn_at IS NOT NULL AS withdrawn
  FROM examine_requests x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by
  WHERE x.tenant_id = $1::uuid AND x.id = $2::uuid;

-- examine.page
WITH page AS MATERIALIZED (SELECT x.* FROM examine_requests x WHERE x.tenant_id = $1::uuid AND x.withdrawn_at IS NULL
  ORDER BY CASE WHEN x.state = 0 THEN x.due_at END ASC, x.submitted_at DESC, x.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT x.id, x.kind, x.object_id, x.version_id,
  coalesce(x.of_id, x.object_id) AS of_id, x.bc_id, c.bc_name, x.store_id, x.number, x.round, x.summary,
  x.amount::text AS amount, x.change, x.hash, x.state AS "examineState", x.submitted_by,
  coalesce(u.nickname, '') AS submitter, floor(extract(epoch FROM x.submitted_at))::float8 AS "submittedAt",
  floor(extract(epoch FROM x.due_at))::float8 AS "dueAt",
  coalesce(j.nickname, '') AS judge, floor(extract(epoch FROM x.judged_at))::float8 AS "judgedAt", x.reason,
    x.version FROM page x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.submitted_by
LEFT JOIN users j ON j.tenant_id = $1 AND j.id = x.judged_by ORDER BY CASE WHEN x.state = 0 THEN x.due_at END ASC,
  x.submitted_at DESC, x.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM examine_requests x WHERE x.tenant_id = $1::uuid AND x.withdrawn_at IS NULL)::int AS total;

-- examine.remind
SELECT x.id, x.kind, x.number, x.bc_id, x.store_id, x.submitted_by,
  floor(extract(epoch FROM x.due_at))::float8 AS "dueAt", s.step
FROM examine_requests x
CROSS JOIN LATERAL (SELECT CASE
  WHEN x.due_at > :now - interval '24 hours' THEN 'due' ELSE 'late' END AS step) s
WHERE x.tenant_id = $1 AND x.state = 0 AND x.withdrawn_at IS NULL
  AND x.due_at BETWEEN :now - interval '336 hours' AND :now
  AND NOT EXISTS (
    SELECT 1
    FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'examine' AND m.cause_id = x.id::text AND m.step = s.step)
ORDER BY x.id
LIMIT 500
FOR UPDATE OF x SKIP LOCKED;

-- examine.seen
INSERT INTO examine_views (tenant_id, request_id, user_id, at) VALUES ($1, $2, $3, :now)
ON CONFLICT (tenant_id, request_id, user_id) DO UPDATE SET at = excluded.at;

-- examine.tojudge
SELECT count(*)::int AS n FROM examine_requests x WHERE x.tenant_id = $1 AND x.bc_id = $2 AND x.state = 0
AND x.withdrawn_at IS NULL;

-- examine.waited
SELECT count(x.id)::int AS n, (count(x.id) FILTER (WHERE x.due_at < t.at))::int AS late
FROM unnest($3::timestamptz[] || :now) WITH ORDINALITY AS t(at, place)
LEFT JOIN examine_requests x ON x.submitted_at <= t.at
  AND coalesce(x.judged_at, x.withdrawn_at,
    'infinity'::timestamptz) > t.at AND x.tenant_id = $1::uuid AND x.submitted_by <> $2::uuid
GROUP BY t.place
ORDER BY t.place;

-- examine.withdraw
UPDATE examine_requests SET withdrawn_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2;
