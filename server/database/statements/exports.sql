-- export.declare, shortest
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce((o.sn)::text, ''),
    coalesce((o.cause)::text, ''),
    coalesce(
      (
        round(
          (
            extract(
              epoch
              FROM
                to_timestamp(o."from")
            ) + 28800
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
            extract(
              epoch
              FROM
                to_timestamp(o."to")
            ) + 28800
          )::numeric / 86400 + 25569,
          6
        )
      )::text,
      ''
    ),
    coalesce((o.minutes)::text, ''),
    coalesce((o."end")::text, '')
  ) AS cells
FROM
  json_to_recordset($1::json) AS o (place int, sn text, cause text, "from" float8, "to" float8, minutes int, "end" text)
WHERE
  true
ORDER BY
  o.place;

-- export.declare, longest
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce(((s.day::date - DATE '1899-12-30'))::text, ''),
    coalesce((c.bc_name)::text, ''),
    coalesce((s.sites)::text, ''),
    coalesce((s.worked)::text, ''),
    coalesce((s."noWork")::text, ''),
    coalesce((s.apart)::text, ''),
    coalesce((s.sites - s.worked - s."noWork" - s.apart)::text, ''),
    coalesce((s.present)::text, ''),
    coalesce((coalesce(round(100.0 * s.attended / nullif(s.due, 0), 1)::text, '--'))::text, ''),
    coalesce((s.alarms)::text, ''),
    coalesce((s.corrected)::text, ''),
    coalesce((s.cancelled)::text, ''),
    coalesce(
      (coalesce(round(100.0 * s.corrected / nullif((s.alarms - s.cancelled), 0), 1)::text, '--'))::text,
      ''
    ),
    coalesce((s.patrols)::text, ''),
    coalesce((s.excellent)::text, ''),
    coalesce((s.good)::text, ''),
    coalesce((s.poor)::text, ''),
    coalesce((coalesce(round(100.0 * s.online / nullif(s.watched, 0), 1)::text, '--'))::text, '')
  ) AS cells
FROM
  (
    SELECT
      d.day,
      d.bc_id,
      d.tenant_id,
      d.sites,
      d.worked,
      d."noWork",
      d.apart,
      d.present,
      d.due,
      d.attended,
      r.*,
      q.*,
      y.*,
      v.*
    FROM
      (
        SELECT
          d.tenant_id,
          d.day,
          d.bc_id,
          count(*)::int AS sites,
          count(*) FILTER (
            WHERE
              d.present > 0
          )::int AS worked,
          count(*) FILTER (
            WHERE
              d.no_work
          )::int AS "noWork",
          count(*) FILTER (
            WHERE
              d.present = 0
              AND NOT d.no_work
              AND (
                d.rest
                OR d.blind
              )
          )::int AS apart,
          coalesce(sum(d.present), 0)::int AS present,
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
          )::int AS attended
        FROM
          site_days d
        WHERE
          d.tenant_id = $1::uuid
          AND d.site_id = ANY ($2::uuid[])
          AND d.day >= $3::date
          AND d.day <= $4::date
          AND d.bc_id = $5::uuid
        GROUP BY
          1,
          2,
          3
      ) d
      CROSS JOIN LATERAL (
        SELECT
          count(*)::int AS alarms,
          count(*) FILTER (
            WHERE
              a.correction_status = 3
          )::int AS corrected,
          count(*) FILTER (
            WHERE
              a.correction_status = 4
          )::int AS cancelled
        FROM
          alarms a
        WHERE
          a.tenant_id = $1::uuid
          AND a.site_id = ANY ($2::uuid[])
          AND a.bc_id = d.bc_id
          AND a.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
          AND a.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
      ) r
      CROSS JOIN LATERAL (
        SELECT
          count(*)::int AS patrols
        FROM
          patrols p
        WHERE
          p.tenant_id = $1::uuid
          AND p.site_id = ANY ($2::uuid[])
          AND p.bc_id = d.bc_id
          AND p.status = 2
          AND p.submitted_at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
          AND p.submitted_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
      ) q
      CROSS JOIN LATERAL (
        SELECT
          count(*) FILTER (
            WHERE
              x.level = 1
          )::int AS excellent,
          count(*) FILTER (
            WHERE
              x.level = 2
          )::int AS good,
          count(*) FILTER (
            WHERE
              x.level = 3
          )::int AS poor
        FROM
          (
            SELECT
              (
                SELECT
                  t.result
                FROM
                  tidiness_checks t
                WHERE
                  t.tenant_id = k.tenant_id
                  AND t.site_id = k.site_id
                  AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
                  AND t.result IN (1, 2, 3)
                  AND NOT t.replaced
                ORDER BY
                  t.at DESC,
                  t.id DESC
                LIMIT 1
              ) AS level
            FROM
              site_days k
            WHERE
              k.tenant_id = $1::uuid
              AND k.site_id = ANY ($2::uuid[])
              AND k.day = d.day
              AND k.bc_id = d.bc_id
          ) x
      ) y
      CROSS JOIN LATERAL (
        SELECT
          EXISTS (
            SELECT
              1
            FROM
              (
                SELECT
                  h.to_at AS from_at,
                  lead(h.from_at) OVER (
                    ORDER BY
                      h.from_at
                  ) AS to_at
                FROM
                  hearing h
              ) u
            WHERE
              u.to_at > greatest(u.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
              AND u.from_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
          ) AS deaf
        OFFSET 0
      ) h
      CROSS JOIN LATERAL (
        SELECT
          coalesce(
            sum(
              (
                CASE
                  WHEN h.deaf THEN extract(
                    epoch
                    FROM
                      least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
                  ) - (
                    SELECT
                      coalesce(
                        sum(
                          extract(
                            epoch
                            FROM
                              least(
                                u.to_at,
                                least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)
                              ) - greatest(u.from_at, greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
                          )
                        ),
                        0
                      )
                    FROM
                      (
                        SELECT
                          h.to_at AS from_at,
                          lead(h.from_at) OVER (
                            ORDER BY
                              h.from_at
                          ) AS to_at
                        FROM
                          hearing h
                      ) u
                    WHERE
                      u.to_at > greatest(u.from_at, greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
                      AND u.from_at < least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)
                  )
                  ELSE extract(
                    epoch
                    FROM
                      least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
                  )
                END
              )
            ) FILTER (
              WHERE
                v.state = 1
            ),
            0
          )::int AS online,
          coalesce(
            sum(
              (
                CASE
                  WHEN h.deaf THEN extract(
                    epoch
                    FROM
                      least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
                  ) - (
                    SELECT
                      coalesce(
                        sum(
                          extract(
                            epoch
                            FROM
                              least(
                                u.to_at,
                                least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)
                              ) - greatest(u.from_at, greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
                          )
                        ),
                        0
                      )
                    FROM
                      (
                        SELECT
                          h.to_at AS from_at,
                          lead(h.from_at) OVER (
                            ORDER BY
                              h.from_at
                          ) AS to_at
                        FROM
                          hearing h
                      ) u
                    WHERE
                      u.to_at > greatest(u.from_at, greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
                      AND u.from_at < least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)
                  )
                  ELSE extract(
                    epoch
                    FROM
                      least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
                  )
                END
              )
            ),
            0
          )::int AS watched
        FROM
          devices e
          JOIN device_spans v ON v.tenant_id = e.tenant_id
          AND v.device_id = e.id
          AND v.state IN (1, 2, 4)
          AND v.from_at < least(((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)
          AND (
            v.to_at IS NULL
            OR v.to_at > (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
          )
        WHERE
          e.tenant_id = $1::uuid
          AND e.site_id = ANY ($2::uuid[])
          AND e.bc_id = d.bc_id
          AND e.deleted_at IS NULL
          AND e.bind_status = 2
      ) v
  ) s
  JOIN companies c ON c.tenant_id = s.tenant_id
  AND c.bc_id = s.bc_id
WHERE
  true
ORDER BY
  s.day DESC,
  s.bc_id;

-- export.fetch
FETCH 2000
FROM
  export_rows;
