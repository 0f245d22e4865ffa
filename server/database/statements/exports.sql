-- export.declare, shortest
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce((r.cells ->> 0)::text, ''),
    coalesce((r.cells ->> 1)::text, ''),
    coalesce((r.cells ->> 2)::text, ''),
    coalesce((r.cells ->> 3)::text, ''),
    coalesce((r.cells ->> 4)::text, ''),
    coalesce(
      (
        (
          SELECT
            string_agg(
              CASE
                WHEN n.title IS NULL
                OR starts_with(e.value ->> 'text', n.title) THEN ''
                ELSE n.title || '：'
              END || (e.value ->> 'text'),
              '；'
              ORDER BY
                e.ordinality
            )
          FROM
            jsonb_array_elements(r.errors) WITH ORDINALITY e
            LEFT JOIN (
              VALUES
                ('sn', '序列号'),
                ('type', '类型'),
                ('model', '型号'),
                ('bc_id', '分公司'),
                ('remark', '备注')
            ) n (key, title) ON n.key = e.value ->> 'column'
        )
      )::text,
      ''
    ),
    coalesce((r.row_no)::text, '')
  ) AS cells
FROM
  import_rows r
WHERE
  r.tenant_id = $1::uuid
  AND r.import_id = $2::uuid
  AND r.state = 'bad'
ORDER BY
  r.row_no;

-- export.declare, owing
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce((r.name)::text, ''),
    coalesce((r.beside)::text, ''),
    coalesce((r.due)::text, ''),
    coalesce((r.attended)::text, ''),
    coalesce((coalesce(r.rate::text, '--'))::text, ''),
    coalesce((r.present)::text, ''),
    coalesce((r.hours)::text, '')
  ) AS cells
FROM
  (
    SELECT
      c.bc_id::text AS id,
      c.bc_name AS name,
      '' AS beside,
      g.due,
      g.attended,
      g.present,
      round(100.0 * g.attended / nullif(g.due, 0), 1)::float8 AS rate,
      round(g.hours::numeric, 1)::float8 AS hours
    FROM
      (
        SELECT
          tenant_id,
          key,
          sum(due)::int AS due,
          sum(attended)::int AS attended,
          sum(present)::int AS present,
          sum(hours) AS hours
        FROM
          (
            SELECT
              d.tenant_id,
              d.bc_id AS key,
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
              0 AS attended,
              0 AS present,
              0 AS hours
            FROM
              site_days d
            WHERE
              d.tenant_id = $1::uuid
              AND d.day >= $2::date
              AND d.day <= $3::date
            GROUP BY
              1,
              2
            UNION ALL
            SELECT
              y.tenant_id,
              y.bc_id AS key,
              0 AS due,
              count(*) FILTER (
                WHERE
                  NOT coalesce(s.rest, false)
              ) AS attended,
              count(*) AS present,
              sum(
                extract(epoch FROM y.last_at - y.first_at)
              ) / 3600 AS hours
            FROM
              attendance_days y
              LEFT JOIN site_days s ON s.tenant_id = y.tenant_id
              AND s.day = y.day
              AND s.site_id = y.site_id
              JOIN workers k ON k.tenant_id = y.tenant_id
              AND k.id = y.worker_id
            WHERE
              y.tenant_id = $1::uuid
              AND y.day >= $2::date
              AND y.day <= $3::date
            GROUP BY
              1,
              2
          ) h
        GROUP BY
          1,
          2
      ) g
      JOIN companies c ON c.tenant_id = g.tenant_id
      AND c.bc_id = g.key
  ) r
WHERE
  true
ORDER BY
  r.rate DESC NULLS LAST,
  r.id;

-- export.declare, longest
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce(((d.day::date - DATE '1899-12-30'))::text, ''),
    coalesce((w.code)::text, ''),
    coalesce((w.ws_name)::text, ''),
    coalesce((c.bc_name)::text, ''),
    coalesce((m.nickname)::text, ''),
    coalesce((d.expected)::text, ''),
    coalesce((d.present)::text, ''),
    coalesce(
      (
        CASE
          WHEN (
            CASE
              WHEN d.present > 0 THEN 'worked'
              WHEN d.rest THEN 'rest'
              WHEN d.no_work THEN 'noWork'
              WHEN d.blind THEN 'unknown'
              ELSE 'waiting'
            END
          ) = 'worked' THEN '有人施工'
          WHEN (
            CASE
              WHEN d.present > 0 THEN 'worked'
              WHEN d.rest THEN 'rest'
              WHEN d.no_work THEN 'noWork'
              WHEN d.blind THEN 'unknown'
              ELSE 'waiting'
            END
          ) = 'noWork' THEN '无人施工'
          WHEN (
            CASE
              WHEN d.present > 0 THEN 'worked'
              WHEN d.rest THEN 'rest'
              WHEN d.no_work THEN 'noWork'
              WHEN d.blind THEN 'unknown'
              ELSE 'waiting'
            END
          ) = 'rest' THEN '休息日'
          WHEN (
            CASE
              WHEN d.present > 0 THEN 'worked'
              WHEN d.rest THEN 'rest'
              WHEN d.no_work THEN 'noWork'
              WHEN d.blind THEN 'unknown'
              ELSE 'waiting'
            END
          ) = 'unknown' THEN '情况不明'
          WHEN (
            CASE
              WHEN d.present > 0 THEN 'worked'
              WHEN d.rest THEN 'rest'
              WHEN d.no_work THEN 'noWork'
              WHEN d.blind THEN 'unknown'
              ELSE 'waiting'
            END
          ) = 'waiting' THEN '暂无打卡'
          ELSE coalesce(
            '未知(' || (
              CASE
                WHEN d.present > 0 THEN 'worked'
                WHEN d.rest THEN 'rest'
                WHEN d.no_work THEN 'noWork'
                WHEN d.blind THEN 'unknown'
                ELSE 'waiting'
              END
            ) || ')',
            ''
          )
        END
      )::text,
      ''
    ),
    coalesce(
      (
        round(
          (
            extract(epoch FROM b.first_at) + 28800
          )::numeric / 86400 + 25569,
          6
        )
      )::text,
      ''
    ),
    coalesce(
      (
        round(
          (
            extract(epoch FROM b.last_at) + 28800
          )::numeric / 86400 + 25569,
          6
        )
      )::text,
      ''
    ),
    coalesce((r.raised)::text, ''),
    coalesce((r.corrected)::text, ''),
    coalesce(
      (
        coalesce(
          CASE
            WHEN (
              SELECT
                t.result
              FROM
                tidiness_checks t
              WHERE
                t.tenant_id = d.tenant_id
                AND t.site_id = d.site_id
                AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.result IN (1, 2, 3)
              ORDER BY
                t.at DESC,
                t.id DESC
              LIMIT 1
            ) = 1 THEN '优'
            WHEN (
              SELECT
                t.result
              FROM
                tidiness_checks t
              WHERE
                t.tenant_id = d.tenant_id
                AND t.site_id = d.site_id
                AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.result IN (1, 2, 3)
              ORDER BY
                t.at DESC,
                t.id DESC
              LIMIT 1
            ) = 2 THEN '良'
            WHEN (
              SELECT
                t.result
              FROM
                tidiness_checks t
              WHERE
                t.tenant_id = d.tenant_id
                AND t.site_id = d.site_id
                AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
                AND t.result IN (1, 2, 3)
              ORDER BY
                t.at DESC,
                t.id DESC
              LIMIT 1
            ) = 3 THEN '差'
            ELSE coalesce(
              '未知(' || (
                SELECT
                  t.result
                FROM
                  tidiness_checks t
                WHERE
                  t.tenant_id = d.tenant_id
                  AND t.site_id = d.site_id
                  AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND t.result IN (1, 2, 3)
                ORDER BY
                  t.at DESC,
                  t.id DESC
                LIMIT 1
              ) || ')',
              ''
            )
          END,
          ''
        )
      )::text,
      ''
    )
  ) AS cells
FROM
  site_days d
  JOIN sites w ON w.tenant_id = d.tenant_id
  AND w.id = d.site_id
  JOIN companies c ON c.tenant_id = d.tenant_id
  AND c.bc_id = d.bc_id
  LEFT JOIN users m ON m.tenant_id = w.tenant_id
  AND m.id = w.manager_id
  LEFT JOIN LATERAL (
    SELECT
      min(a.first_at) AS first_at,
      max(a.last_at) AS last_at
    FROM
      attendance_days a
    WHERE
      a.tenant_id = d.tenant_id
      AND a.day = d.day
      AND a.site_id = d.site_id
  ) b ON true
  LEFT JOIN LATERAL (
    SELECT
      count(*)::int AS raised,
      count(*) FILTER (
        WHERE
          a.correction_status = 3
      )::int AS corrected
    FROM
      alarms a
    WHERE
      a.tenant_id = d.tenant_id
      AND a.site_id = d.site_id
      AND a.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND a.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
  ) r ON true
WHERE
  d.tenant_id = $1::uuid
  AND d.site_id = ANY ($2::uuid[])
  AND d.day >= $3::date
  AND d.day <= $4::date
  AND d.bc_id = $5::uuid
  AND d.site_id = $6::uuid
ORDER BY
  d.day DESC,
  w.code;

-- export.fetch
FETCH 2000
FROM
  export_rows;
