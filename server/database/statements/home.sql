-- home.alarms, shortest
SELECT
  count(*)::int AS open,
  count(*) FILTER (
    WHERE
      (
        a.correction_status IN (1, 2)
        AND a.due_at < :now
      )
  )::int AS overdue
FROM
  alarms a
WHERE
  a.tenant_id = $1::uuid
  AND a.correction_status IN (1, 2);

-- home.alarms, longest
SELECT
  count(*)::int AS open,
  count(*) FILTER (
    WHERE
      (
        a.correction_status IN (1, 2)
        AND a.due_at < :now
      )
  )::int AS overdue
FROM
  alarms a
WHERE
  a.tenant_id = $1::uuid
  AND a.site_id = ANY ($2::uuid[])
  AND a.correction_status IN (1, 2);

-- home.branchends, shortest
SELECT
  coalesce(sum(k.raised - k.closed), 0)::int AS open,
  coalesce(sum(k.due - k.relieved), 0)::int AS overdue
FROM
  unnest($2::date[]) WITH ORDINALITY AS t (day, place)
  LEFT JOIN branch_alarms k ON k.day <= t.day
  AND k.tenant_id = $1::uuid
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.branchends, longest
SELECT
  coalesce(sum(k.raised - k.closed), 0)::int AS open,
  coalesce(sum(k.due - k.relieved), 0)::int AS overdue
FROM
  unnest($3::date[]) WITH ORDINALITY AS t (day, place)
  LEFT JOIN branch_alarms k ON k.day <= t.day
  AND k.tenant_id = $1::uuid
  AND k.bc_id = $2::uuid
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.days, shortest
SELECT
  d.day::text AS day,
  count(*)::int AS building,
  coalesce(
    sum(d.expected) FILTER (
      WHERE
        NOT d.rest
        AND NOT (
          d.blind
          AND d.present = 0
        )
    ),
    0
  )::int AS due,
  coalesce(
    sum(d.present) FILTER (
      WHERE
        NOT d.rest
    ),
    0
  )::int AS attended,
  sum(d.present)::int AS present,
  CASE
    WHEN bool_or(d.stopped IS NOT NULL) THEN count(*) FILTER (
      WHERE
        d.stopped
    )::int
  END AS stopped,
  count(*) FILTER (
    WHERE
      d.tidiness = 1
  )::int AS excellent,
  count(d.tidiness)::int AS judged
FROM
  site_days d
WHERE
  d.tenant_id = $1::uuid
  AND d.day >= $2::date
GROUP BY
  1;

-- home.days, longest
SELECT
  d.day::text AS day,
  count(*)::int AS building,
  coalesce(
    sum(d.expected) FILTER (
      WHERE
        NOT d.rest
        AND NOT (
          d.blind
          AND d.present = 0
        )
    ),
    0
  )::int AS due,
  coalesce(
    sum(d.present) FILTER (
      WHERE
        NOT d.rest
    ),
    0
  )::int AS attended,
  sum(d.present)::int AS present,
  CASE
    WHEN bool_or(d.stopped IS NOT NULL) THEN count(*) FILTER (
      WHERE
        d.stopped
    )::int
  END AS stopped,
  count(*) FILTER (
    WHERE
      d.tidiness = 1
  )::int AS excellent,
  count(d.tidiness)::int AS judged
FROM
  site_days d
WHERE
  d.tenant_id = $1::uuid
  AND d.site_id = ANY ($2::uuid[])
  AND d.day >= $3::date
GROUP BY
  1;

-- home.devicehours, shortest
SELECT
  count(s.device_id) FILTER (
    WHERE
      s.state = 1
  )::int AS online,
  count(s.device_id) FILTER (
    WHERE
      s.state IN (2, 4)
  )::int AS offline
FROM
  unnest($2::timestamptz[]) WITH ORDINALITY AS t (at, place)
  LEFT JOIN (
    device_spans s
    JOIN devices d ON d.tenant_id = s.tenant_id
    AND d.id = s.device_id
    AND d.tenant_id = $1::uuid
    AND d.deleted_at IS NULL
  ) ON s.state IN (1, 2, 4)
  AND s.from_at <= t.at
  AND (
    s.to_at IS NULL
    OR s.to_at > t.at
  )
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.devicehours, longest
SELECT
  count(s.device_id) FILTER (
    WHERE
      s.state = 1
  )::int AS online,
  count(s.device_id) FILTER (
    WHERE
      s.state IN (2, 4)
  )::int AS offline
FROM
  unnest($3::timestamptz[]) WITH ORDINALITY AS t (at, place)
  LEFT JOIN (
    device_spans s
    JOIN devices d ON d.tenant_id = s.tenant_id
    AND d.id = s.device_id
    AND d.tenant_id = $1::uuid
    AND d.site_id = ANY ($2::uuid[])
    AND d.deleted_at IS NULL
  ) ON s.state IN (1, 2, 4)
  AND s.from_at <= t.at
  AND (
    s.to_at IS NULL
    OR s.to_at > t.at
  )
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.devices, shortest
SELECT
  count(*) FILTER (
    WHERE
      d.device_status = 1
  )::int AS online,
  count(*) FILTER (
    WHERE
      d.device_status IN (2, 4)
  )::int AS offline,
  count(*) FILTER (
    WHERE
      d.device_status = 3
  )::int AS "notEnabled"
FROM
  devices d
WHERE
  d.tenant_id = $1::uuid
  AND d.bind_status = 2
  AND d.deleted_at IS NULL;

-- home.devices, longest
SELECT
  count(*) FILTER (
    WHERE
      d.device_status = 1
  )::int AS online,
  count(*) FILTER (
    WHERE
      d.device_status IN (2, 4)
  )::int AS offline,
  count(*) FILTER (
    WHERE
      d.device_status = 3
  )::int AS "notEnabled"
FROM
  devices d
WHERE
  d.tenant_id = $1::uuid
  AND d.site_id = ANY ($2::uuid[])
  AND d.bind_status = 2
  AND d.deleted_at IS NULL;

-- home.ends
SELECT
  count(a.id)::int AS open,
  count(a.id) FILTER (
    WHERE
      a.due_at < t.at
  )::int AS overdue
FROM
  unnest($3::timestamptz[]) WITH ORDINALITY AS t (at, place)
  LEFT JOIN alarms a ON a.at < t.at
  AND (
    a.closed_at IS NULL
    OR a.closed_at >= t.at
  )
  AND a.tenant_id = $1::uuid
  AND a.site_id = ANY ($2::uuid[])
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.retrievals, shortest
SELECT
  count(r.id)::int AS n
FROM
  unnest($2::timestamptz[] || :now) WITH ORDINALITY AS t (at, place)
  LEFT JOIN retrievals r ON r.opened_at <= t.at
  AND (
    r.closed_at IS NULL
    OR r.closed_at > t.at
  )
  AND r.tenant_id = $1::uuid
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.retrievals, longest
SELECT
  count(r.id)::int AS n
FROM
  unnest($3::timestamptz[] || :now) WITH ORDINALITY AS t (at, place)
  LEFT JOIN retrievals r ON r.opened_at <= t.at
  AND (
    r.closed_at IS NULL
    OR r.closed_at > t.at
  )
  AND r.tenant_id = $1::uuid
  AND r.site_id = ANY ($2::uuid[])
GROUP BY
  t.place
ORDER BY
  t.place;

-- home.samehour, shortest
SELECT
  count(*)::int AS n
FROM
  attendance_days y
  LEFT JOIN site_days d ON d.tenant_id = y.tenant_id
  AND d.day = y.day
  AND d.site_id = y.site_id
WHERE
  y.tenant_id = $1::uuid
  AND y.bc_id = $2::uuid
  AND y.day = $3::date
  AND y.first_at <= $4
  AND NOT coalesce(d.rest, false);

-- home.samehour, longest
SELECT
  count(*)::int AS n
FROM
  attendance_days y
  LEFT JOIN site_days d ON d.tenant_id = y.tenant_id
  AND d.day = y.day
  AND d.site_id = y.site_id
WHERE
  y.tenant_id = $1::uuid
  AND y.site_id = ANY ($2::uuid[])
  AND y.day = $3::date
  AND y.first_at <= $4
  AND NOT coalesce(d.rest, false);

-- home.sites, shortest
SELECT
  count(*) FILTER (
    WHERE
      w.status = 1
  )::int AS building,
  count(*) FILTER (
    WHERE
      w.no_work <> '{}'
  )::int AS stopped,
  json_build_object(
    '1',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[1]::smallint[]
    ),
    '2',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[2]::smallint[]
    ),
    '3',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[3]::smallint[]
    ),
    '4',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[4]::smallint[]
    ),
    '5',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[5]::smallint[]
    ),
    '6',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[6]::smallint[]
    )
  ) AS codes,
  json_build_object(
    '1',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 1
    ),
    '2',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 2
    ),
    '3',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 3
    )
  ) AS levels
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL;

-- home.sites, longest
SELECT
  count(*) FILTER (
    WHERE
      w.status = 1
  )::int AS building,
  count(*) FILTER (
    WHERE
      w.no_work <> '{}'
  )::int AS stopped,
  json_build_object(
    '1',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[1]::smallint[]
    ),
    '2',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[2]::smallint[]
    ),
    '3',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[3]::smallint[]
    ),
    '4',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[4]::smallint[]
    ),
    '5',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[5]::smallint[]
    ),
    '6',
    count(*) FILTER (
      WHERE
        w.no_work @> ARRAY[6]::smallint[]
    )
  ) AS codes,
  json_build_object(
    '1',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 1
    ),
    '2',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 2
    ),
    '3',
    count(*) FILTER (
      WHERE
        w.status = 1
        AND w.tidiness = 3
    )
  ) AS levels
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.id = ANY ($2::uuid[])
  AND w.deleted_at IS NULL;
