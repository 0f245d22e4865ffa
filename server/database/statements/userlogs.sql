-- log.head
SELECT
  seq,
  hash
FROM
  log_heads
WHERE
  tenant_id = $1
ORDER BY
  seq DESC
LIMIT 1;

-- log.heads
SELECT
  seq,
  hash,
  signature
FROM
  log_heads
WHERE
  tenant_id = $1;

-- log.lock
SELECT
  pg_advisory_xact_lock(724002, hashtext ($1));

-- log.newhead
INSERT INTO
  log_heads (tenant_id, seq, hash, signature, at)
VALUES
  ($1, $2, $3, $4, :now);

-- log.open
SELECT
  tenant_id,
  id,
  at,
  user_id,
  user_name,
  ip,
  agent,
  system,
  action,
  object,
  object_id,
  outcome,
  before,
  after,
  seq,
  hash
FROM
  user_logs
WHERE
  tenant_id = $1
  AND seq IS NULL
ORDER BY
  id
LIMIT 500;

-- log.seal
UPDATE user_logs l
SET
  seq = s.seq,
  hash = s.hash
FROM
  json_to_recordset($2::json) AS s (id uuid, seq bigint, hash text)
WHERE
  l.tenant_id = $1
  AND l.id = s.id;

-- log.walk
SELECT
  tenant_id,
  id,
  at,
  user_id,
  user_name,
  ip,
  agent,
  system,
  action,
  object,
  object_id,
  outcome,
  before,
  after,
  seq,
  hash
FROM
  user_logs
WHERE
  tenant_id = $1
  AND seq > $2
ORDER BY
  seq
LIMIT 500;

-- log.write
INSERT INTO
  user_logs (
    tenant_id,
    id,
    user_id,
    user_name,
    ip,
    agent,
    action,
    object,
    object_id,
    outcome,
    before,
    after,
    system,
    at
  )
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now);

-- userlogs.page, shortest
WITH
  page AS MATERIALIZED (
    SELECT
      l.*
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
      AND l.outcome = $2
    ORDER BY
      l.at DESC,
      l.id DESC
    LIMIT 20
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            l.id,
            floor(
              extract(epoch FROM l.at)
            )::float8 AS at,
            l.user_id,
            l.user_name AS "userName",
            coalesce(u.nickname, '') AS nickname,
            l.system,
            l.action,
            l.object,
            l.object_id AS "objectId",
            l.outcome,
            l.ip,
            l.agent,
            without_phones (l.before) AS before,
            without_phones (l.after) AS after,
            l.seq
          FROM
            page l
            LEFT JOIN users u ON u.tenant_id = l.tenant_id
            AND u.id = l.user_id
          ORDER BY
            l.at DESC,
            l.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
      AND l.outcome = $2
  )::int AS total;

-- userlogs.page, longest
WITH
  page AS MATERIALIZED (
    SELECT
      l.*
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
      AND l.user_id IN (
        SELECT
          k.id
        FROM
          users k
        WHERE
          k.tenant_id = l.tenant_id
          AND k.bc_id = ANY ($2::uuid[])
      )
      AND (
        l.action ILIKE $3
        OR l.user_name ILIKE $3
        OR l.ip ILIKE $3
        OR l.object ILIKE $3
      )
    ORDER BY
      l.at DESC,
      l.id DESC
    LIMIT 100
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            l.id,
            floor(
              extract(epoch FROM l.at)
            )::float8 AS at,
            l.user_id,
            l.user_name AS "userName",
            coalesce(u.nickname, '') AS nickname,
            l.system,
            l.action,
            l.object,
            l.object_id AS "objectId",
            l.outcome,
            l.ip,
            l.agent,
            without_phones (l.before) AS before,
            without_phones (l.after) AS after,
            l.seq
          FROM
            page l
            LEFT JOIN users u ON u.tenant_id = l.tenant_id
            AND u.id = l.user_id
          ORDER BY
            l.at DESC,
            l.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
      AND l.user_id IN (
        SELECT
          k.id
        FROM
          users k
        WHERE
          k.tenant_id = l.tenant_id
          AND k.bc_id = ANY ($2::uuid[])
      )
      AND (
        l.action ILIKE $3
        OR l.user_name ILIKE $3
        OR l.ip ILIKE $3
        OR l.object ILIKE $3
      )
  )::int AS total;

-- userlogs.page.explain, shortest
EXPLAIN (
  ANALYZE,
  FORMAT JSON
)
WITH
  page AS MATERIALIZED (
    SELECT
      l.*
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
    ORDER BY
      l.at DESC,
      l.id DESC
    LIMIT 20
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            l.id,
            floor(
              extract(epoch FROM l.at)
            )::float8 AS at,
            l.user_id,
            l.user_name AS "userName",
            coalesce(u.nickname, '') AS nickname,
            l.system,
            l.action,
            l.object,
            l.object_id AS "objectId",
            l.outcome,
            l.ip,
            l.agent,
            without_phones (l.before) AS before,
            without_phones (l.after) AS after,
            l.seq
          FROM
            page l
            LEFT JOIN users u ON u.tenant_id = l.tenant_id
            AND u.id = l.user_id
          ORDER BY
            l.at DESC,
            l.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      coalesce(
        (
          SELECT
            max(k.seq)
          FROM
            user_logs k
          WHERE
            k.tenant_id = $1
        ),
        0
      ) + (
        SELECT
          count(*)
        FROM
          user_logs k
        WHERE
          k.tenant_id = $1
          AND k.seq IS NULL
      )
  )::int AS total;

-- userlogs.page.explain, longest
EXPLAIN (
  ANALYZE,
  FORMAT JSON
)
WITH
  page AS MATERIALIZED (
    SELECT
      l.*
    FROM
      user_logs l
    WHERE
      l.tenant_id = $1::uuid
    ORDER BY
      l.at ASC,
      l.id ASC
    LIMIT $2::int
    OFFSET $3::int
  )
SELECT
  coalesce(
    (
      SELECT
        json_agg(r)
      FROM
        (
          SELECT
            l.id,
            floor(
              extract(epoch FROM l.at)
            )::float8 AS at,
            l.user_id,
            l.user_name AS "userName",
            coalesce(u.nickname, '') AS nickname,
            l.system,
            l.action,
            l.object,
            l.object_id AS "objectId",
            l.outcome,
            l.ip,
            l.agent,
            without_phones (l.before) AS before,
            without_phones (l.after) AS after,
            l.seq
          FROM
            page l
            LEFT JOIN users u ON u.tenant_id = l.tenant_id
            AND u.id = l.user_id
          ORDER BY
            l.at DESC,
            l.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      coalesce(
        (
          SELECT
            max(k.seq)
          FROM
            user_logs k
          WHERE
            k.tenant_id = $1
        ),
        0
      ) + (
        SELECT
          count(*)
        FROM
          user_logs k
        WHERE
          k.tenant_id = $1
          AND k.seq IS NULL
      )
  )::int AS total;

-- userlogs.page.total
SELECT
  (
    SELECT
      coalesce(
        (
          SELECT
            max(k.seq)
          FROM
            user_logs k
          WHERE
            k.tenant_id = $1
        ),
        0
      ) + (
        SELECT
          count(*)
        FROM
          user_logs k
        WHERE
          k.tenant_id = $1
          AND k.seq IS NULL
      )
  )::int AS total;
