-- corrections.add
INSERT INTO
  corrections (
    tenant_id,
    id,
    bc_id,
    site_id,
    source,
    source_id,
    problem,
    pictures,
    at,
    correction_status,
    step,
    assignee_id,
    due_at,
    changed_by,
    changed_at
  )
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8, :now, $9, $10, $11, $12, $13, :now);

-- corrections.leaders
SELECT
  u.id
FROM
  sites w
  JOIN users u ON u.tenant_id = $1
  AND u.id IN (w.manager_id, w.steward_id)
WHERE
  w.tenant_id = $1
  AND w.id = $2
ORDER BY
  u.id = w.manager_id DESC;

-- corrections.lock, shortest
SELECT
  k.id,
  'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
  k.source,
  k.source_id,
  CASE k.source
    WHEN 'alarm' THEN CASE a.type
      WHEN 'cameraproblem' THEN '摄像头偏移'
      WHEN 'noclothes' THEN '未穿工服'
      WHEN 'smoking' THEN '抽烟'
    END
    ELSE k.problem
  END AS problem,
  coalesce(a.picture, k.pictures[1]) AS picture,
  a.type AS "alarmType",
  k.site_id,
  w.ws_name AS "siteName",
  k.bc_id,
  c.bc_name,
  floor(
    extract(epoch FROM k.at)
  )::float8 AS at,
  k.correction_status AS "correctionStatus",
  k.step,
  k.round,
  k.disputed,
  CASE
    WHEN k.closed_at IS NOT NULL THEN 'none'
    WHEN k.disputed THEN 'answer'
    WHEN k.step = 'submitted' THEN 'verify'
    WHEN k.assignee_id IS NULL
    OR k.correction_status = 1 THEN 'assign'
    ELSE 'correct'
  END AS turn,
  k.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName",
  k.corrector_id,
  k.verified_by AS "verifiedBy",
  floor(
    extract(epoch FROM k.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM k.closed_at)
  )::float8 AS "closedAt",
  CASE
    WHEN k.closed_at IS NOT NULL THEN floor(
      extract(
        epoch
        FROM
          (
            k.closed_at + interval '1 day' * coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'reopenDays'
                  AND (
                    s.bc_id = k.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              '7'::jsonb
            )::text::float8
          )
      )
    )::float8
  END AS "reopenUntil",
  floor(
    extract(epoch FROM k.urged_at)
  )::float8 AS "urgedAt",
  k.version,
  k.changed_by AS "changedBy",
  floor(
    extract(epoch FROM k.changed_at)
  )::float8 AS "changedAt"
FROM
  corrections k
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
  JOIN companies c ON c.tenant_id = $1
  AND c.bc_id = k.bc_id
  LEFT JOIN alarms a ON a.tenant_id = $1
  AND a.id = k.id
  LEFT JOIN users u ON u.tenant_id = $1
  AND u.id = k.assignee_id
WHERE
  k.tenant_id = $1::uuid
  AND k.id = $2::uuid
ORDER BY
  k.id
FOR UPDATE OF
  k;

-- corrections.lock, longest
SELECT
  k.id,
  'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
  k.source,
  k.source_id,
  CASE k.source
    WHEN 'alarm' THEN CASE a.type
      WHEN 'cameraproblem' THEN '摄像头偏移'
      WHEN 'noclothes' THEN '未穿工服'
      WHEN 'smoking' THEN '抽烟'
    END
    ELSE k.problem
  END AS problem,
  coalesce(a.picture, k.pictures[1]) AS picture,
  a.type AS "alarmType",
  k.site_id,
  w.ws_name AS "siteName",
  k.bc_id,
  c.bc_name,
  floor(
    extract(epoch FROM k.at)
  )::float8 AS at,
  k.correction_status AS "correctionStatus",
  k.step,
  k.round,
  k.disputed,
  CASE
    WHEN k.closed_at IS NOT NULL THEN 'none'
    WHEN k.disputed THEN 'answer'
    WHEN k.step = 'submitted' THEN 'verify'
    WHEN k.assignee_id IS NULL
    OR k.correction_status = 1 THEN 'assign'
    ELSE 'correct'
  END AS turn,
  k.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName",
  k.corrector_id,
  k.verified_by AS "verifiedBy",
  floor(
    extract(epoch FROM k.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM k.closed_at)
  )::float8 AS "closedAt",
  CASE
    WHEN k.closed_at IS NOT NULL THEN floor(
      extract(
        epoch
        FROM
          (
            k.closed_at + interval '1 day' * coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'reopenDays'
                  AND (
                    s.bc_id = k.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              '7'::jsonb
            )::text::float8
          )
      )
    )::float8
  END AS "reopenUntil",
  floor(
    extract(epoch FROM k.urged_at)
  )::float8 AS "urgedAt",
  k.version,
  k.changed_by AS "changedBy",
  floor(
    extract(epoch FROM k.changed_at)
  )::float8 AS "changedAt"
FROM
  corrections k
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
  JOIN companies c ON c.tenant_id = $1
  AND c.bc_id = k.bc_id
  LEFT JOIN alarms a ON a.tenant_id = $1
  AND a.id = k.id
  LEFT JOIN users u ON u.tenant_id = $1
  AND u.id = k.assignee_id
WHERE
  k.tenant_id = $1::uuid
  AND k.bc_id = $2::uuid
  AND k.site_id = $3::uuid
  AND k.assignee_id = $4::uuid
  AND k.correction_status = 2
ORDER BY
  k.id
FOR UPDATE OF
  k;

-- corrections.log
INSERT INTO
  correction_logs (tenant_id, id, correction_id, actor, action, text, pictures, at)
VALUES
  ($1, $2, $3, $4, $5, $6, $7, :now);

-- corrections.logs
SELECT
  floor(
    extract(epoch FROM l.at)
  )::float8 AS at,
  l.actor,
  l.action,
  l.text,
  l.pictures
FROM
  correction_logs l
WHERE
  l.tenant_id = $1
  AND l.correction_id = $2
ORDER BY
  l.at,
  l.id;

-- corrections.move
UPDATE corrections
SET
  correction_status = $5,
  step = $6,
  round = $7,
  assignee_id = $8,
  corrector_id = $9,
  due_at = $10,
  closed_at = $11,
  changed_by = $12,
  changed_at = $13,
  disputed = $14,
  verified_by = $15,
  urged_at = NULL,
  version = version + 1
WHERE
  tenant_id = $1
  AND id = $2
  AND correction_status = $3
  AND version = $4;

-- corrections.moving
SELECT
  count(*) FILTER (
    WHERE
      k.correction_status = 1
      AND k.source = 'alarm'
  )::int AS alarms,
  count(*) FILTER (
    WHERE
      k.correction_status = 1
      AND k.source <> 'alarm'
  )::int AS open,
  count(*) FILTER (
    WHERE
      k.correction_status = 2
  )::int AS correcting
FROM
  corrections k
WHERE
  k.tenant_id = $1
  AND k.site_id = $2
  AND k.correction_status IN (1, 2);

-- corrections.one, shortest
SELECT
  k.id,
  'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
  k.source,
  k.source_id,
  CASE k.source
    WHEN 'alarm' THEN CASE a.type
      WHEN 'cameraproblem' THEN '摄像头偏移'
      WHEN 'noclothes' THEN '未穿工服'
      WHEN 'smoking' THEN '抽烟'
    END
    ELSE k.problem
  END AS problem,
  coalesce(a.picture, k.pictures[1]) AS picture,
  a.type AS "alarmType",
  k.site_id,
  w.ws_name AS "siteName",
  k.bc_id,
  c.bc_name,
  floor(
    extract(epoch FROM k.at)
  )::float8 AS at,
  k.correction_status AS "correctionStatus",
  k.step,
  k.round,
  k.disputed,
  CASE
    WHEN k.closed_at IS NOT NULL THEN 'none'
    WHEN k.disputed THEN 'answer'
    WHEN k.step = 'submitted' THEN 'verify'
    WHEN k.assignee_id IS NULL
    OR k.correction_status = 1 THEN 'assign'
    ELSE 'correct'
  END AS turn,
  k.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName",
  k.corrector_id,
  k.verified_by AS "verifiedBy",
  floor(
    extract(epoch FROM k.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM k.closed_at)
  )::float8 AS "closedAt",
  CASE
    WHEN k.closed_at IS NOT NULL THEN floor(
      extract(
        epoch
        FROM
          (
            k.closed_at + interval '1 day' * coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'reopenDays'
                  AND (
                    s.bc_id = k.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              '7'::jsonb
            )::text::float8
          )
      )
    )::float8
  END AS "reopenUntil",
  floor(
    extract(epoch FROM k.urged_at)
  )::float8 AS "urgedAt",
  k.version,
  k.pictures,
  i.patrol_id,
  t.result AS tidiness
FROM
  corrections k
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
  JOIN companies c ON c.tenant_id = $1
  AND c.bc_id = k.bc_id
  LEFT JOIN alarms a ON a.tenant_id = $1
  AND a.id = k.id
  LEFT JOIN users u ON u.tenant_id = $1
  AND u.id = k.assignee_id
  LEFT JOIN patrol_items i ON i.tenant_id = $1
  AND i.id = k.source_id
  AND k.source = 'patrol'
  LEFT JOIN tidiness_checks t ON t.tenant_id = $1
  AND t.id = k.source_id
  AND k.source = 'tidiness'
WHERE
  k.tenant_id = $1::uuid
  AND k.id = $2::uuid;

-- corrections.one, longest
SELECT
  k.id,
  'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
  k.source,
  k.source_id,
  CASE k.source
    WHEN 'alarm' THEN CASE a.type
      WHEN 'cameraproblem' THEN '摄像头偏移'
      WHEN 'noclothes' THEN '未穿工服'
      WHEN 'smoking' THEN '抽烟'
    END
    ELSE k.problem
  END AS problem,
  coalesce(a.picture, k.pictures[1]) AS picture,
  a.type AS "alarmType",
  k.site_id,
  w.ws_name AS "siteName",
  k.bc_id,
  c.bc_name,
  floor(
    extract(epoch FROM k.at)
  )::float8 AS at,
  k.correction_status AS "correctionStatus",
  k.step,
  k.round,
  k.disputed,
  CASE
    WHEN k.closed_at IS NOT NULL THEN 'none'
    WHEN k.disputed THEN 'answer'
    WHEN k.step = 'submitted' THEN 'verify'
    WHEN k.assignee_id IS NULL
    OR k.correction_status = 1 THEN 'assign'
    ELSE 'correct'
  END AS turn,
  k.assignee_id,
  coalesce(u.nickname, '') AS "assigneeName",
  k.corrector_id,
  k.verified_by AS "verifiedBy",
  floor(
    extract(epoch FROM k.due_at)
  )::float8 AS "dueAt",
  floor(
    extract(epoch FROM k.closed_at)
  )::float8 AS "closedAt",
  CASE
    WHEN k.closed_at IS NOT NULL THEN floor(
      extract(
        epoch
        FROM
          (
            k.closed_at + interval '1 day' * coalesce(
              (
                SELECT
                  s.value
                FROM
                  settings s
                WHERE
                  s.tenant_id = $1
                  AND s.key = 'reopenDays'
                  AND (
                    s.bc_id = k.bc_id
                    OR s.bc_id IS NULL
                  )
                ORDER BY
                  s.bc_id NULLS LAST
                LIMIT 1
              ),
              '7'::jsonb
            )::text::float8
          )
      )
    )::float8
  END AS "reopenUntil",
  floor(
    extract(epoch FROM k.urged_at)
  )::float8 AS "urgedAt",
  k.version,
  k.pictures,
  i.patrol_id,
  t.result AS tidiness
FROM
  corrections k
  JOIN sites w ON w.tenant_id = $1
  AND w.id = k.site_id
  JOIN companies c ON c.tenant_id = $1
  AND c.bc_id = k.bc_id
  LEFT JOIN alarms a ON a.tenant_id = $1
  AND a.id = k.id
  LEFT JOIN users u ON u.tenant_id = $1
  AND u.id = k.assignee_id
  LEFT JOIN patrol_items i ON i.tenant_id = $1
  AND i.id = k.source_id
  AND k.source = 'patrol'
  LEFT JOIN tidiness_checks t ON t.tenant_id = $1
  AND t.id = k.source_id
  AND k.source = 'tidiness'
WHERE
  k.tenant_id = $1::uuid
  AND k.site_id = ANY ($2::uuid[])
  AND k.id = $3::uuid;

-- corrections.page, shortest
WITH
  page AS MATERIALIZED (
    SELECT
      k.*
    FROM
      corrections k
    WHERE
      k.tenant_id = $1::uuid
      AND k.id = $2::uuid
    ORDER BY
      CASE
        WHEN k.correction_status IN (1, 2) THEN k.due_at
      END ASC,
      k.at DESC,
      k.id DESC
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
            k.id,
            'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
            k.source,
            k.source_id,
            CASE k.source
              WHEN 'alarm' THEN CASE a.type
                WHEN 'cameraproblem' THEN '摄像头偏移'
                WHEN 'noclothes' THEN '未穿工服'
                WHEN 'smoking' THEN '抽烟'
              END
              ELSE k.problem
            END AS problem,
            coalesce(a.picture, k.pictures[1]) AS picture,
            a.type AS "alarmType",
            k.site_id,
            w.ws_name AS "siteName",
            k.bc_id,
            c.bc_name,
            floor(
              extract(epoch FROM k.at)
            )::float8 AS at,
            k.correction_status AS "correctionStatus",
            k.step,
            k.round,
            k.disputed,
            CASE
              WHEN k.closed_at IS NOT NULL THEN 'none'
              WHEN k.disputed THEN 'answer'
              WHEN k.step = 'submitted' THEN 'verify'
              WHEN k.assignee_id IS NULL
              OR k.correction_status = 1 THEN 'assign'
              ELSE 'correct'
            END AS turn,
            k.assignee_id,
            coalesce(u.nickname, '') AS "assigneeName",
            k.corrector_id,
            k.verified_by AS "verifiedBy",
            floor(
              extract(epoch FROM k.due_at)
            )::float8 AS "dueAt",
            floor(
              extract(epoch FROM k.closed_at)
            )::float8 AS "closedAt",
            CASE
              WHEN k.closed_at IS NOT NULL THEN floor(
                extract(
                  epoch
                  FROM
                    (
                      k.closed_at + interval '1 day' * coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'reopenDays'
                            AND (
                              s.bc_id = k.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        '7'::jsonb
                      )::text::float8
                    )
                )
              )::float8
            END AS "reopenUntil",
            floor(
              extract(epoch FROM k.urged_at)
            )::float8 AS "urgedAt",
            k.version
          FROM
            page k
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            JOIN companies c ON c.tenant_id = $1
            AND c.bc_id = k.bc_id
            LEFT JOIN alarms a ON a.tenant_id = $1
            AND a.id = k.id
            LEFT JOIN users u ON u.tenant_id = $1
            AND u.id = k.assignee_id
          ORDER BY
            CASE
              WHEN k.correction_status IN (1, 2) THEN k.due_at
            END ASC,
            k.at DESC,
            k.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      corrections k
    WHERE
      k.tenant_id = $1::uuid
      AND k.id = $2::uuid
  )::int AS total;

-- corrections.page, longest
WITH
  page AS MATERIALIZED (
    SELECT
      k.*
    FROM
      corrections k
    WHERE
      k.tenant_id = $1::uuid
      AND k.site_id = ANY ($2::uuid[])
      AND k.id = $3::uuid
      AND k.id = $4::uuid
      AND k.bc_id = $5::uuid
      AND k.site_id = $6::uuid
      AND k.assignee_id = $7::uuid
    ORDER BY
      CASE
        WHEN k.correction_status IN (1, 2) THEN k.due_at
      END ASC,
      k.at DESC,
      k.id DESC
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
            k.id,
            'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
            k.source,
            k.source_id,
            CASE k.source
              WHEN 'alarm' THEN CASE a.type
                WHEN 'cameraproblem' THEN '摄像头偏移'
                WHEN 'noclothes' THEN '未穿工服'
                WHEN 'smoking' THEN '抽烟'
              END
              ELSE k.problem
            END AS problem,
            coalesce(a.picture, k.pictures[1]) AS picture,
            a.type AS "alarmType",
            k.site_id,
            w.ws_name AS "siteName",
            k.bc_id,
            c.bc_name,
            floor(
              extract(epoch FROM k.at)
            )::float8 AS at,
            k.correction_status AS "correctionStatus",
            k.step,
            k.round,
            k.disputed,
            CASE
              WHEN k.closed_at IS NOT NULL THEN 'none'
              WHEN k.disputed THEN 'answer'
              WHEN k.step = 'submitted' THEN 'verify'
              WHEN k.assignee_id IS NULL
              OR k.correction_status = 1 THEN 'assign'
              ELSE 'correct'
            END AS turn,
            k.assignee_id,
            coalesce(u.nickname, '') AS "assigneeName",
            k.corrector_id,
            k.verified_by AS "verifiedBy",
            floor(
              extract(epoch FROM k.due_at)
            )::float8 AS "dueAt",
            floor(
              extract(epoch FROM k.closed_at)
            )::float8 AS "closedAt",
            CASE
              WHEN k.closed_at IS NOT NULL THEN floor(
                extract(
                  epoch
                  FROM
                    (
                      k.closed_at + interval '1 day' * coalesce(
                        (
                          SELECT
                            s.value
                          FROM
                            settings s
                          WHERE
                            s.tenant_id = $1
                            AND s.key = 'reopenDays'
                            AND (
                              s.bc_id = k.bc_id
                              OR s.bc_id IS NULL
                            )
                          ORDER BY
                            s.bc_id NULLS LAST
                          LIMIT 1
                        ),
                        '7'::jsonb
                      )::text::float8
                    )
                )
              )::float8
            END AS "reopenUntil",
            floor(
              extract(epoch FROM k.urged_at)
            )::float8 AS "urgedAt",
            k.version
          FROM
            page k
            JOIN sites w ON w.tenant_id = $1
            AND w.id = k.site_id
            JOIN companies c ON c.tenant_id = $1
            AND c.bc_id = k.bc_id
            LEFT JOIN alarms a ON a.tenant_id = $1
            AND a.id = k.id
            LEFT JOIN users u ON u.tenant_id = $1
            AND u.id = k.assignee_id
          ORDER BY
            CASE
              WHEN k.correction_status IN (1, 2) THEN k.due_at
            END ASC,
            k.at DESC,
            k.id DESC
        ) r
    ),
    '[]'::json
  )::text AS list,
  (
    SELECT
      count(*)
    FROM
      corrections k
    WHERE
      k.tenant_id = $1::uuid
      AND k.site_id = ANY ($2::uuid[])
      AND k.id = $3::uuid
      AND k.id = $4::uuid
      AND k.bc_id = $5::uuid
      AND k.site_id = $6::uuid
      AND k.assignee_id = $7::uuid
  )::int AS total;

-- corrections.photos
SELECT
  f.key,
  floor(
    extract(epoch FROM f.at)
  )::float8 AS "uploadedAt",
  floor(
    extract(epoch FROM f.taken_at)
  )::float8 AS "takenAt"
FROM
  files f
WHERE
  f.tenant_id = $1
  AND f.key = ANY ($2);

-- corrections.remind
SELECT
  q.id,
  q.source,
  q.turn,
  q.problem,
  q."siteName",
  q.site_id,
  q.assignee_id,
  q.reminder,
  array_remove(ARRAY[w.manager_id, w.steward_id], NULL) AS leaders,
  ARRAY(
    SELECT
      u.id
    FROM
      users u
    WHERE
      u.tenant_id = $1
      AND u.bc_id = q.bc_id
      AND q.reminder LIKE 'late:%'
      AND EXISTS (
        SELECT
          1
        FROM
          user_roles ur
          JOIN roles r ON r.tenant_id = $1
          AND r.id = ur.role_id
          AND r.status = 1
          JOIN role_powers p ON p.tenant_id = $1
          AND p.role_id = r.id
          AND p.label = $3
        WHERE
          ur.tenant_id = $1
          AND ur.user_id = u.id
          AND CASE r.data_scope
            WHEN 'tenant' THEN true
            WHEN 'branches' THEN w.bc_id = u.bc_id
            OR EXISTS (
              SELECT
                1
              FROM
                user_branches b
              WHERE
                b.tenant_id = $1
                AND b.user_id = u.id
                AND b.bc_id = w.bc_id
            )
            WHEN 'stores' THEN EXISTS (
              SELECT
                1
              FROM
                user_stores t
              WHERE
                t.tenant_id = $1
                AND t.user_id = u.id
                AND t.store_id = w.store_id
            )
            ELSE u.id IN (w.manager_id, w.steward_id)
          END
      )
  ) AS supervisors
FROM
  (
    SELECT
      k.id,
      'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
      k.source,
      k.source_id,
      CASE k.source
        WHEN 'alarm' THEN CASE a.type
          WHEN 'cameraproblem' THEN '摄像头偏移'
          WHEN 'noclothes' THEN '未穿工服'
          WHEN 'smoking' THEN '抽烟'
        END
        ELSE k.problem
      END AS problem,
      coalesce(a.picture, k.pictures[1]) AS picture,
      a.type AS "alarmType",
      k.site_id,
      w.ws_name AS "siteName",
      k.bc_id,
      c.bc_name,
      floor(
        extract(epoch FROM k.at)
      )::float8 AS at,
      k.correction_status AS "correctionStatus",
      k.step,
      k.round,
      k.disputed,
      CASE
        WHEN k.closed_at IS NOT NULL THEN 'none'
        WHEN k.disputed THEN 'answer'
        WHEN k.step = 'submitted' THEN 'verify'
        WHEN k.assignee_id IS NULL
        OR k.correction_status = 1 THEN 'assign'
        ELSE 'correct'
      END AS turn,
      k.assignee_id,
      coalesce(u.nickname, '') AS "assigneeName",
      k.corrector_id,
      k.verified_by AS "verifiedBy",
      floor(
        extract(epoch FROM k.due_at)
      )::float8 AS "dueAt",
      floor(
        extract(epoch FROM k.closed_at)
      )::float8 AS "closedAt",
      CASE
        WHEN k.closed_at IS NOT NULL THEN floor(
          extract(
            epoch
            FROM
              (
                k.closed_at + interval '1 day' * coalesce(
                  (
                    SELECT
                      s.value
                    FROM
                      settings s
                    WHERE
                      s.tenant_id = $1
                      AND s.key = 'reopenDays'
                      AND (
                        s.bc_id = k.bc_id
                        OR s.bc_id IS NULL
                      )
                    ORDER BY
                      s.bc_id NULLS LAST
                    LIMIT 1
                  ),
                  '7'::jsonb
                )::text::float8
              )
          )
        )::float8
      END AS "reopenUntil",
      floor(
        extract(epoch FROM k.urged_at)
      )::float8 AS "urgedAt",
      k.version,
      x.reminder
    FROM
      corrections k
      JOIN sites w ON w.tenant_id = $1
      AND w.id = k.site_id
      JOIN companies c ON c.tenant_id = $1
      AND c.bc_id = k.bc_id
      LEFT JOIN alarms a ON a.tenant_id = $1
      AND a.id = k.id
      LEFT JOIN users u ON u.tenant_id = $1
      AND u.id = k.assignee_id
      CROSS JOIN LATERAL (
        SELECT
          CASE
            WHEN k.due_at > :now THEN 'soon:'
            WHEN k.due_at > :now - interval '24 hours' THEN 'due:'
            ELSE 'late:'
          END || floor(
            extract(epoch FROM k.due_at)
          )::text AS reminder
      ) x
    WHERE
      k.tenant_id = $1
      AND k.correction_status IN (1, 2)
      AND (k.source = 'alarm') = $2
      AND k.due_at BETWEEN :now - interval '48 hours' AND :now + interval '2 hours'
      AND NOT EXISTS (
        SELECT
          1
        FROM
          reminders m
        WHERE
          m.tenant_id = $1
          AND m.cause_kind = CASE
            WHEN $2 THEN 'alarm'
            ELSE 'correction'
          END
          AND m.cause_id = k.id::text
          AND m.step = x.reminder
      )
    ORDER BY
      k.id
    LIMIT 500
    FOR UPDATE OF
      k SKIP LOCKED
  ) q
  JOIN sites w ON w.tenant_id = $1
  AND w.id = q.site_id;

-- corrections.steward
SELECT
  w.steward_id AS id
FROM
  sites w
WHERE
  w.tenant_id = $1
  AND w.id = $2;

-- corrections.supervisors
SELECT
  u.id
FROM
  sites w
  JOIN users u ON u.tenant_id = $1
  AND u.bc_id = w.bc_id
WHERE
  w.tenant_id = $1
  AND w.id = $2
  AND EXISTS (
    SELECT
      1
    FROM
      user_roles ur
      JOIN roles r ON r.tenant_id = $1
      AND r.id = ur.role_id
      AND r.status = 1
      JOIN role_powers p ON p.tenant_id = $1
      AND p.role_id = r.id
      AND p.label = $3
    WHERE
      ur.tenant_id = $1
      AND ur.user_id = u.id
      AND CASE r.data_scope
        WHEN 'tenant' THEN true
        WHEN 'branches' THEN w.bc_id = u.bc_id
        OR EXISTS (
          SELECT
            1
          FROM
            user_branches b
          WHERE
            b.tenant_id = $1
            AND b.user_id = u.id
            AND b.bc_id = w.bc_id
        )
        WHEN 'stores' THEN EXISTS (
          SELECT
            1
          FROM
            user_stores t
          WHERE
            t.tenant_id = $1
            AND t.user_id = u.id
            AND t.store_id = w.store_id
        )
        ELSE u.id IN (w.manager_id, w.steward_id)
      END
  );

-- corrections.urged
UPDATE corrections
SET
  urged_at = :now
WHERE
  tenant_id = $1
  AND id = $2;

-- demo.found
INSERT INTO
  corrections
SELECT
  x.*
FROM
  json_populate_recordset(NULL::corrections, $1::json) x;

-- demo.threads
INSERT INTO
  correction_logs
SELECT
  *
FROM
  json_populate_recordset(NULL::correction_logs, $1::json);
