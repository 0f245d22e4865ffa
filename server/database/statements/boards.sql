-- board.branches
SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1::uuid ORDER BY c.sort, c.bc_name;

-- board.contracts
SELECT x.bc_id, (count(*) FILTER (WHERE x.paid BETWEEN $2::date AND $3::date))::int AS n,
  (count(*) FILTER (WHERE x.paid BETWEEN $4::date AND $5::date))::int AS before,
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY x.paid - x.came) FILTER (WHERE x.paid BETWEEN $2::date
    AND $3::date))::numeric, 1)::float8 AS days,
      (count(*) FILTER (WHERE x.signed_on BETWEEN $2::date AND $3::date))::int AS signed,
  (count(*) FILTER (WHERE x.signed_on BETWEEN $4::date AND $5::date))::int AS "signedBefore",
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY x.signed_on - x.paid) FILTER (WHERE x.signed_on BETWEEN $2::date
    AND $3::date AND x.signed_on >= x.paid))::numeric, 1)::float8 AS "signedDays",
  coalesce(sum(x.total) FILTER (WHERE x.signed_on BETWEEN $2::date AND $3::date), 0.00)::text AS money
FROM (
  SELECT c.bc_id, c.signed_on, c.total, (r.at AT TIME ZONE 'Asia/Shanghai')::date AS paid,
    (k.created_at AT TIME ZONE 'Asia/Shanghai')::date AS came
  FROM contracts c
  JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
  LEFT JOIN LATERAL (SELECT min(r.at) AS at FROM contract_receipts r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id) r ON true
  WHERE c.tenant_id = $1::uuid AND c.state <> 'void') x
WHERE (x.paid BETWEEN $2::date AND $3::date OR x.paid BETWEEN $4::date AND $5::date) OR (x.signed_on BETWEEN $2::date
  AND $3::date OR x.signed_on BETWEEN $4::date AND $5::date)
GROUP BY GROUPING SETS ((x.bc_id), ());

-- board.flow
SELECT c.bc_id, json_build_object('1', coalesce(sum(c.n1), 0), '2', coalesce(sum(c.n2), 0), '3', coalesce(sum(c.n3),
  0), '4', coalesce(sum(c.n4), 0), '5', coalesce(sum(c.n5), 0), '6', coalesce(sum(c.n6), 0), '7', coalesce(sum(c.n7),
    0)) AS states,
  (SELECT count(*)::int FROM orders o
   JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
   WHERE p.tenant_id = $1::uuid AND p.bc_id = c.bc_id AND o.tenant_id = $1
     AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
     AND o.order_state IN (2, 3, 4)
     AND p.order_state IN (2, 3, 4)) AS late
FROM piece_counts c
WHERE c.tenant_id = $1::uuid
GROUP BY c.bc_id;

-- board.health
SELECT w.bc_id, count(*)::int AS building, (count(*) FILTER (WHERE w.no_work <> '{}'))::int AS stopped
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1
GROUP BY w.bc_id;

-- board.leads
SELECT k.bc_id,
  (count(*) FILTER (WHERE (k.created_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $2::date AND $3::date))::int AS n,
    (count(*) FILTER (WHERE (k.created_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $4::date
      AND $5::date))::int AS before
FROM customers k
WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
  AND ((k.created_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $2::date AND $3::date
    OR (k.created_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $4::date AND $5::date)
GROUP BY k.bc_id;

-- board.mostalarms
SELECT x.type AS kind, count(*)::int AS n
FROM alarms x
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND x.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  AND x.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
GROUP BY 1
ORDER BY n DESC, kind
LIMIT 1;

-- board.mostleads
SELECT x.source AS kind, count(*)::int AS n
FROM customers x
WHERE x.tenant_id = $1::uuid AND x.held <> 'merged' AND x.bc_id = $2::uuid
  AND x.created_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND x.created_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
GROUP BY 1
ORDER BY n DESC, kind
LIMIT 1;

-- board.overdue
SELECT a.bc_id, count(*)::int AS n FROM alarms a WHERE a.tenant_id = $1::uuid AND (a.correction_status IN (1,
  2) AND a.due_at < :now) GROUP BY a.bc_id;

-- board.sites
SELECT w.bc_id, (count(*) FILTER (WHERE w.start_date BETWEEN $2::date AND $3::date))::int AS n,
  (count(*) FILTER (WHERE w.start_date BETWEEN $4::date AND $5::date))::int AS before,
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY w.start_date - c.signed_on) FILTER (WHERE w.start_date BETWEEN
    $2::date AND $3::date AND w.start_date >= c.signed_on))::numeric, 1)::float8 AS days,
  (count(*) FILTER (WHERE w.actual_finish BETWEEN $2::date AND $3::date))::int AS finished,
    (count(*) FILTER (WHERE w.actual_finish BETWEEN $4::date AND $5::date))::int AS "finishedBefore",
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY w.actual_finish - w.start_date) FILTER (WHERE w.actual_finish
    BETWEEN $2::date AND $3::date))::numeric, 1)::float8 AS "finishedDays"
FROM sites w
LEFT JOIN LATERAL (SELECT min(c.signed_on) AS signed_on FROM contracts c
  WHERE c.tenant_id = $1 AND c.site_id = w.id AND c.state <> 'void') c ON true
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND ((w.start_date BETWEEN $2::date AND $3::date
  OR w.start_date BETWEEN $4::date AND $5::date) OR (w.actual_finish BETWEEN $2::date AND $3::date
    OR w.actual_finish BETWEEN $4::date AND $5::date))
GROUP BY GROUPING SETS ((w.bc_id), ());

-- board.weeksofalarms
SELECT x.bc_id, (($2::date - x.day) / 7)::int AS week, sum(x.n)::int AS n
FROM (SELECT a.bc_id, (a.at AT TIME ZONE 'Asia/Shanghai')::date AS day,
  count(*) AS n FROM alarms a WHERE a.tenant_id = $1::uuid
    AND (a.at AT TIME ZONE 'Asia/Shanghai')::date > $2::date - 63
      AND (a.at AT TIME ZONE 'Asia/Shanghai')::date <= $2::date GROUP BY 1, 2) x
GROUP BY 1, 2;

-- board.weeksoffinished
SELECT x.bc_id, (($2::date - x.day) / 7)::int AS week, sum(x.n)::int AS n
FROM (SELECT w.bc_id, w.actual_finish AS day,
  count(*) AS n FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
    AND w.actual_finish > $2::date - 63 AND w.actual_finish <= $2::date GROUP BY 1, 2) x
GROUP BY 1, 2;

-- board.weeksofleads
SELECT x.bc_id, (($2::date - x.day) / 7)::int AS week, sum(x.n)::int AS n
FROM (SELECT k.bc_id, (k.created_at AT TIME ZONE 'Asia/Shanghai')::date AS day,
  count(*) AS n FROM customers k WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
    AND (k.created_at AT TIME ZONE 'Asia/Shanghai')::date > $2::date - 63
      AND (k.created_at AT TIME ZONE 'Asia/Shanghai')::date <= $2::date GROUP BY 1, 2) x
GROUP BY 1, 2;

-- board.weeksofsigned
SELECT x.bc_id, (($2::date - x.day) / 7)::int AS week, sum(x.n)::int AS n
FROM (SELECT c.bc_id, c.signed_on AS day,
  count(*) AS n FROM contracts c WHERE c.tenant_id = $1::uuid AND c.state <> 'void'
    AND c.signed_on > $2::date - 63 AND c.signed_on <= $2::date GROUP BY 1, 2) x
GROUP BY 1, 2;

-- board.weeksofstarted
SELECT x.bc_id, (($2::date - x.day) / 7)::int AS week, sum(x.n)::int AS n
FROM (SELECT w.bc_id, w.start_date AS day,
  count(*) AS n FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
    AND w.start_date > $2::date - 63 AND w.start_date <= $2::date GROUP BY 1, 2) x
GROUP BY 1, 2;
