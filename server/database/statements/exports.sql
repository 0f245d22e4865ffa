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

-- export.declare, owing
DECLARE export_rows NO SCROLL CURSOR FOR
SELECT
  json_build_array(
    coalesce((r.name)::text, ''),
    coalesce((r.beside)::text, ''),
    coalesce((r.due)::text, ''),
    coalesce((r.attended)::text, ''),
    coalesce((coalesce(r.rate::text, '--'))::text, ''),
    coalesce((r.guests)::text, ''),
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
      g.present - g.expected AS guests,
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
          sum(expected)::int AS expected,
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
              coalesce(
                sum(d.expected - d.absent) FILTER (
                  WHERE
                    NOT d.rest
                ),
                0
              )::int AS attended,
              sum(d.expected - d.absent)::int AS expected,
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
              0 AS attended,
              0 AS expected,
              count(*) AS present,
              sum(
                round(
                  extract(epoch FROM y.last_at - y.first_at) / 3600,
                  1
                )
              ) AS hours
            FROM
              attendance_days y
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
    coalesce((k."code")::text, ''),
    coalesce((k."customerName")::text, ''),
    coalesce((k."ws_name")::text, ''),
    coalesce((k."bc_name")::text, ''),
    coalesce((k."storeName")::text, ''),
    coalesce((k."packageName")::text, ''),
    coalesce((k."area")::text, ''),
    coalesce((k."total")::text, ''),
    coalesce((k."paid")::text, ''),
    coalesce((k."endValue")::text, ''),
    coalesce((k."owed")::text, ''),
    coalesce(((k."dueOn"::date - DATE '1899-12-30'))::text, ''),
    coalesce((k."overdue")::text, ''),
    coalesce((k."back")::text, ''),
    coalesce((k."quotedMargin")::text, ''),
    coalesce((k."realMargin")::text, ''),
    coalesce(
      (
        CASE
          WHEN k."signingProgress" = 1 THEN '默认'
          WHEN k."signingProgress" = 2 THEN '定金'
          WHEN k."signingProgress" = 3 THEN '已签约'
          ELSE coalesce('未知(' || k."signingProgress" || ')', '')
        END
      )::text,
      ''
    ),
    coalesce(
      (
        CASE
          WHEN k."state" = 'live' THEN '有效'
          WHEN k."state" = 'finishing' THEN '竣工结算中'
          WHEN k."state" = 'settled' THEN '已结清'
          WHEN k."state" = 'void' THEN '作废'
          WHEN k."state" = 'ending' THEN '终止中'
          WHEN k."state" = 'ended' THEN '已终止'
          ELSE coalesce('未知(' || k."state" || ')', '')
        END
      )::text,
      ''
    ),
    coalesce(((k."signedOn"::date - DATE '1899-12-30'))::text, ''),
    coalesce((k."changes")::text, '')
  ) AS cells
FROM
  (
    SELECT
      c.id,
      c.code,
      c.bc_id,
      b.bc_name,
      c.store_id,
      coalesce(t.name, '') AS "storeName",
      c.customer_id,
      u.name AS "customerName",
      c.quotation_id,
      c.site_id,
      coalesce(w.ws_name, '') AS ws_name,
      w.status AS "siteStatus",
      c.package_name AS "packageName",
      trim_scale(c.area)::text AS area,
      c.total::text AS total,
      c.paid::text AS paid,
      (
        CASE
          WHEN c.state = 'void' THEN 0.00
          ELSE greatest(
            (
              CASE
                WHEN c.state IN ('live', 'finishing', 'settled') THEN (
                  SELECT
                    coalesce(sum(i.amount), 0.00)
                  FROM
                    contract_instalments i
                    LEFT JOIN site_stages g ON g.tenant_id = $1
                    AND g.site_id = c.site_id
                    AND g.stage = i.stage
                  WHERE
                    i.tenant_id = $1
                    AND i.contract_id = c.id
                    AND (
                      CASE
                        WHEN i.change_id IS NOT NULL
                        OR i.warranty THEN i.due_on
                        WHEN i.stage IS NULL THEN c.signed_on
                        ELSE coalesce(g.actual_start, c.finished_on)
                      END <= (:now AT TIME ZONE 'Asia/Shanghai')::date
                      OR (
                        i.amount < 0
                        AND CASE
                          WHEN i.change_id IS NOT NULL
                          OR i.warranty THEN i.due_on
                          WHEN i.stage IS NULL THEN c.signed_on
                          ELSE coalesce(g.actual_start, c.finished_on)
                        END IS NOT NULL
                      )
                    )
                )
                WHEN c.state = 'ending' THEN c.end_value
                WHEN c.state = 'ended' THEN c.end_value
                ELSE 0.00
              END
            ) - c.paid,
            0.00
          )
        END
      )::text AS owed,
      (
        CASE
          WHEN c.state = 'void' THEN 0.00
          ELSE greatest(
            (
              CASE
                WHEN c.state IN ('live', 'finishing', 'settled') THEN (
                  SELECT
                    coalesce(sum(i.amount), 0.00)
                  FROM
                    contract_instalments i
                    LEFT JOIN site_stages g ON g.tenant_id = $1
                    AND g.site_id = c.site_id
                    AND g.stage = i.stage
                  WHERE
                    i.tenant_id = $1
                    AND i.contract_id = c.id
                    AND (
                      CASE
                        WHEN i.change_id IS NOT NULL
                        OR i.warranty THEN i.due_on
                        WHEN i.stage IS NULL THEN c.signed_on
                        ELSE coalesce(g.actual_start, c.finished_on)
                      END + (
                        coalesce(
                          (
                            SELECT
                              s.value
                            FROM
                              settings s
                            WHERE
                              s.tenant_id = $1
                              AND s.key = 'payDays'
                              AND (
                                s.bc_id = c.bc_id
                                OR s.bc_id IS NULL
                              )
                            ORDER BY
                              s.bc_id NULLS LAST
                            LIMIT 1
                          ),
                          '7'::jsonb
                        )
                      )::int < (:now AT TIME ZONE 'Asia/Shanghai')::date
                      OR (
                        i.amount < 0
                        AND CASE
                          WHEN i.change_id IS NOT NULL
                          OR i.warranty THEN i.due_on
                          WHEN i.stage IS NULL THEN c.signed_on
                          ELSE coalesce(g.actual_start, c.finished_on)
                        END IS NOT NULL
                      )
                    )
                )
                WHEN c.state = 'ending' THEN CASE
                  WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + (
                    coalesce(
                      (
                        SELECT
                          s.value
                        FROM
                          settings s
                        WHERE
                          s.tenant_id = $1
                          AND s.key = 'payDays'
                          AND (
                            s.bc_id = c.bc_id
                            OR s.bc_id IS NULL
                          )
                        ORDER BY
                          s.bc_id NULLS LAST
                        LIMIT 1
                      ),
                      '7'::jsonb
                    )
                  )::int < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN c.end_value
                  ELSE 0
                END
                WHEN c.state = 'ended' THEN c.end_value
                ELSE 0.00
              END
            ) - c.paid,
            0.00
          )
        END
      )::text AS overdue,
      (
        CASE c.state
          WHEN 'void' THEN c.paid
          ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00)
        END
      )::text AS back,
      (
        CASE
          WHEN c.state IN ('live', 'finishing', 'settled') THEN (
            SELECT
              min(s.due)
            FROM
              (
                SELECT
                  y.*,
                  CASE
                    WHEN y.amount <= 0 THEN y.amount
                    ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before))
                  END AS covered
                FROM
                  (
                    SELECT
                      i.id,
                      i.name,
                      i.stage,
                      i.percent,
                      i.change_id,
                      i.amount,
                      i.sort,
                      i.warranty,
                      CASE
                        WHEN i.change_id IS NOT NULL
                        OR i.warranty THEN i.due_on
                        WHEN i.stage IS NULL THEN c.signed_on
                        ELSE coalesce(g.actual_start, c.finished_on)
                      END AS due,
                      g.planned_start AS planned,
                      (
                        coalesce(
                          (
                            SELECT
                              s.value
                            FROM
                              settings s
                            WHERE
                              s.tenant_id = $1
                              AND s.key = 'payDays'
                              AND (
                                s.bc_id = c.bc_id
                                OR s.bc_id IS NULL
                              )
                            ORDER BY
                              s.bc_id NULLS LAST
                            LIMIT 1
                          ),
                          '7'::jsonb
                        )
                      )::int AS days,
                      coalesce(
                        sum(greatest(i.amount, 0)) OVER (
                          ORDER BY
                            CASE
                              WHEN i.change_id IS NOT NULL
                              OR i.warranty THEN i.due_on
                              WHEN i.stage IS NULL THEN c.signed_on
                              ELSE coalesce(g.actual_start, c.finished_on)
                            END NULLS LAST,
                            i.sort,
                            i.id ROWS BETWEEN UNBOUNDED PRECEDING
                            AND 1 PRECEDING
                        ),
                        0
                      ) AS before,
                      - sum(least(i.amount, 0)) OVER () AS less
                    FROM
                      contract_instalments i
                      LEFT JOIN site_stages g ON g.tenant_id = $1
                      AND g.site_id = c.site_id
                      AND g.stage = i.stage
                    WHERE
                      i.tenant_id = $1
                      AND i.contract_id = c.id
                  ) y
              ) s
            WHERE
              s.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
              AND s.covered < s.amount
          )
          WHEN c.state = 'ending'
          AND c.paid < c.end_value THEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date
        END
      )::text AS "dueOn",
      c.end_value::text AS "endValue",
      c.signing_progress AS "signingProgress",
      c.state,
      c.signed_on::text AS "signedOn",
      c.changes,
      c.void_asked AS "voidAsked",
      EXISTS (
        SELECT
          1
        FROM
          contract_refunds r
        WHERE
          r.tenant_id = $1
          AND r.contract_id = c.id
          AND r.status = 1
      ) AS refunding,
      c.billed_at IS NOT NULL AS billed,
      c.bill_signed_on IS NOT NULL AS "billSigned",
      (
        CASE
          WHEN c.warranty_on IS NOT NULL
          AND c.state IN ('finishing', 'settled') THEN least(c.warranty, greatest(c.total - c.paid, 0.00))
        END
      )::text AS "warrantyOpen",
      (
        SELECT
          v.margin::text
        FROM
          quotation_versions v
        WHERE
          v.tenant_id = $1
          AND v.id = c.signed_version
      ) AS "quotedMargin",
      CASE
        WHEN c.state IN ('finishing', 'settled', 'ending', 'ended')
        AND (
          coalesce(c.end_value, c.total) - round(coalesce(c.end_value, c.total) * c.tax_percent / (100 + c.tax_percent), 2)
        ) > 0
        AND (
          SELECT
            count(*)::int
          FROM
            contract_items i
          WHERE
            i.tenant_id = $1
            AND i.contract_id = c.id
            AND i.kind NOT IN ('main', 'auxiliary')
            AND i.left_over > 0
            AND i.cost IS NULL
        ) = 0 THEN round(
          (
            (
              coalesce(c.end_value, c.total) - round(coalesce(c.end_value, c.total) * c.tax_percent / (100 + c.tax_percent), 2)
            ) - (
              SELECT
                coalesce(sum(z.amount), 0.00)
              FROM
                owed_lines z
                JOIN orders o ON o.tenant_id = $1
                AND o.id = z.order_id
              WHERE
                z.tenant_id = $1
                AND o.contract_id = c.id
            ) - (
              SELECT
                coalesce(sum(round(i.left_over * i.cost, 2)), 0.00)
              FROM
                contract_items i
              WHERE
                i.tenant_id = $1
                AND i.contract_id = c.id
                AND i.kind NOT IN ('main', 'auxiliary')
                AND i.left_over > 0
            )
          ) * 100 / (
            coalesce(c.end_value, c.total) - round(coalesce(c.end_value, c.total) * c.tax_percent / (100 + c.tax_percent), 2)
          ),
          2
        )::text
      END AS "realMargin",
      c.version
    FROM
      contracts c
      JOIN companies b ON b.tenant_id = $1
      AND b.bc_id = c.bc_id
      JOIN customers u ON u.tenant_id = $1
      AND u.id = c.customer_id
      LEFT JOIN stores t ON t.tenant_id = $1
      AND t.id = c.store_id
      LEFT JOIN sites w ON w.tenant_id = $1
      AND w.id = c.site_id
    WHERE
      c.tenant_id = $1::uuid
      AND c.bc_id = $2::uuid
      AND c.bc_id = $3::uuid
      AND c.store_id = $4::uuid
      AND c.customer_id = $5::uuid
      AND c.site_id = $6::uuid
      AND c.id = $7::uuid
    ORDER BY
      c.made_at DESC,
      c.id DESC
  ) k
WHERE
  true;

-- export.fetch
FETCH 2000
FROM
  export_rows;
