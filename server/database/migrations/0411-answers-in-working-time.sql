-- How long an order lay before the merchant is counted as its deadline is: in the working hours and days of the branch
-- that ordered (docs/decisions/0372). Written with the answer; those of before by the hours that are set now.
ALTER TABLE order_answers ADD COLUMN worked_seconds int NOT NULL DEFAULT 0;
SET LOCAL app.tenant = '*';
UPDATE order_answers a
SET worked_seconds = n.seconds
FROM (
  SELECT x.tenant_id, x.order_id, x.asked_at,
    coalesce(sum(extract(epoch FROM greatest(interval '0',
      least(x.answered_at AT TIME ZONE 'Asia/Shanghai', d.day + k.closes)
      - greatest(x.asked_at AT TIME ZONE 'Asia/Shanghai', d.day + k.opens)))), 0)::int AS seconds
  FROM order_answers x
  CROSS JOIN LATERAL (
    SELECT coalesce(max(s.value #>> '{}') FILTER (WHERE s.key = 'workStart'), '00:00')::interval AS opens,
      CASE coalesce(max(s.value #>> '{}') FILTER (WHERE s.key = 'workEnd'), '23:59')
        WHEN '23:59' THEN interval '24 hours'
        ELSE (max(s.value #>> '{}') FILTER (WHERE s.key = 'workEnd'))::interval END AS closes
    FROM (
      SELECT DISTINCT ON (t.key) t.key, t.value FROM settings t
      WHERE t.tenant_id = x.tenant_id AND t.key IN ('workStart', 'workEnd') AND (t.bc_id = x.bc_id OR t.bc_id IS NULL)
      ORDER BY t.key, t.bc_id NULLS LAST) s) k
  CROSS JOIN LATERAL generate_series(date_trunc('day', x.asked_at AT TIME ZONE 'Asia/Shanghai'),
    date_trunc('day', x.answered_at AT TIME ZONE 'Asia/Shanghai'), interval '1 day') AS d(day)
  WHERE NOT rest_day(x.tenant_id, x.bc_id, d.day::date)
  GROUP BY 1, 2, 3) n
WHERE n.tenant_id = a.tenant_id AND n.order_id = a.order_id AND n.asked_at = a.asked_at;
ALTER TABLE order_answers ALTER COLUMN worked_seconds DROP DEFAULT;
