-- dataview.tidiness
SELECT w.bc_id, c.city, (count(*) FILTER (WHERE w.tidiness = 1))::int AS excellent,
  (count(*) FILTER (WHERE w.tidiness = 2))::int AS good, (count(*) FILTER (WHERE w.tidiness = 3))::int AS poor,
  (count(*) FILTER (WHERE w.tidiness IS NULL))::int AS none
FROM sites w
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1
GROUP BY w.bc_id, c.city;

-- monitor.alarms
SELECT a.id, a.type, a.site_id, s.ws_name, floor(extract(epoch FROM a.at))::float8 AS at,
  a.correction_status AS "correctionStatus", a.picture
FROM alarms a
JOIN sites s ON s.tenant_id = a.tenant_id AND s.id = a.site_id
WHERE a.tenant_id = $1::uuid AND a.at >= $2 AND a.at < $3
ORDER BY a.at DESC, a.id DESC
LIMIT 12;

-- monitor.arrivals
SELECT y.worker_id, k.w_name, k.w_type, y.site_id, s.ws_name, floor(extract(epoch FROM y.first_at))::float8 AS at,
  (SELECT e.picture
   FROM attendance_events e
   WHERE e.tenant_id = y.tenant_id AND e.worker_id = y.worker_id AND e.site_id = y.site_id
     AND e.at = y.first_at
   LIMIT 1) AS picture
FROM attendance_days y
JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id
JOIN sites s ON s.tenant_id = y.tenant_id AND s.id = y.site_id
WHERE y.tenant_id = $1::uuid AND y.day = $2::date
ORDER BY y.first_at DESC, y.worker_id
LIMIT 12;

-- monitor.arrived
SELECT extract(hour FROM y.first_at AT TIME ZONE 'Asia/Shanghai')::int AS hour,
  count(*)::int AS n FROM attendance_days y WHERE y.tenant_id = $1::uuid AND y.day = $2::date GROUP BY 1;

-- monitor.branches
SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1::uuid ORDER BY c.sort, c.bc_name;

-- monitor.devices
SELECT d.bc_id, count(*) FILTER (WHERE d.device_status = 1)::int AS "on", count(*)::int AS total
FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.bind_status = 2 AND d.device_status IN (1,
  2, 4) GROUP BY 1;

-- monitor.done
SELECT a.bc_id, extract(hour FROM a.closed_at AT TIME ZONE 'Asia/Shanghai')::int AS hour,
  count(*)::int AS n FROM alarms a WHERE a.tenant_id = $1::uuid AND a.closed_at >= $2 AND a.closed_at < $3 GROUP BY 1, 2;

-- monitor.down
SELECT d.id, d.sn, d.type, d.site_id, s.ws_name, floor(extract(epoch FROM p.from_at))::float8 AS since, p.cause
FROM devices d
JOIN device_spans p ON p.tenant_id = d.tenant_id AND p.device_id = d.id AND p.to_at IS NULL
JOIN sites s ON s.tenant_id = d.tenant_id AND s.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.bind_status = 2 AND d.device_status IN (2, 4)
ORDER BY p.from_at DESC, d.id
LIMIT 50;

-- monitor.open
SELECT a.bc_id, count(*)::int AS n FROM alarms a WHERE a.tenant_id = $1::uuid AND a.correction_status IN (1,
  2) GROUP BY 1;

-- monitor.raised
SELECT a.bc_id, extract(hour FROM a.at AT TIME ZONE 'Asia/Shanghai')::int AS hour,
  count(*)::int AS n FROM alarms a WHERE a.tenant_id = $1::uuid AND a.at >= $2 AND a.at < $3 GROUP BY 1, 2;

-- monitor.sites
SELECT d.bc_id, count(*)::int AS sites, count(*) FILTER (WHERE d.present > 0)::int AS worked,
  coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS expected,
    coalesce(sum(d.present), 0)::int AS present,
  coalesce(sum(d.present - d.expected + d.absent), 0)::int AS guests
FROM site_days d
WHERE d.tenant_id = $1::uuid AND d.day = $2::date
GROUP BY 1;

-- statistics.alarmbranch
SELECT k.bc_id::text AS key, c.bc_name AS name, k.type, sum(k.raised)::int AS raised, sum(k."real")::int AS "real",
  sum(k.wrong)::int AS wrong,
  sum(k.corrected)::int AS corrected, sum(k.cancelled)::int AS cancelled
FROM alarm_hours k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
GROUP BY 1, 2, 3
HAVING sum(k.raised) > 0
ORDER BY 2, 1, 3;

-- statistics.alarmday
SELECT k.day::text AS key, '' AS name, k.type, sum(k.raised)::int AS raised, sum(k."real")::int AS "real",
  sum(k.wrong)::int AS wrong,
  sum(k.corrected)::int AS corrected, sum(k.cancelled)::int AS cancelled
FROM alarm_hours k
WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
GROUP BY 1, 2, 3
HAVING sum(k.raised) > 0
ORDER BY 2, 1, 3;

-- statistics.alarmhour
SELECT k.hour::text AS key, '' AS name, k.type, sum(k.raised)::int AS raised, sum(k."real")::int AS "real",
  sum(k.wrong)::int AS wrong,
  sum(k.corrected)::int AS corrected, sum(k.cancelled)::int AS cancelled
FROM alarm_hours k
WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
GROUP BY 1, 2, 3
HAVING sum(k.raised) > 0
ORDER BY 2, 1, 3;

-- statistics.alarmofcamera
WITH page AS MATERIALIZED (SELECT g.* FROM (SELECT concat_ws('.', a.device_id, a.site_id, a.type) AS key, a.site_id,
  a.device_id, a.type,
 NULL::uuid AS assignee_id, count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.device_id, a.site_id,
       a.type HAVING count(*) > 1) g WHERE true ORDER BY g.raised DESC, g.key LIMIT 100)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.key AS "id", d.sn AS "name", w.ws_name AS "beside", g.site_id AS "site_id",
      g.device_id AS "device_id", g.type AS "type", g.assignee_id AS "assignee_id", g.raised AS "raised",
        g."real" AS "real", g.wrong AS "wrong", g.corrected AS "corrected",
          g.cancelled AS "cancelled" FROM page g JOIN devices d ON d.tenant_id = $1 AND d.id = g.device_id
JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id ORDER BY g.raised DESC, g.key) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT concat_ws('.', a.device_id, a.site_id, a.type) AS key, a.site_id, a.device_id, a.type,
 NULL::uuid AS assignee_id, count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.device_id, a.site_id,
       a.type HAVING count(*) > 1) g WHERE true)::int AS total;

-- statistics.alarmofperson
WITH page AS MATERIALIZED (SELECT g.* FROM (SELECT coalesce(a.assignee_id::text, 'nobody') AS key,
  NULL::uuid AS site_id, NULL::uuid AS device_id,
 NULL::text AS type, a.assignee_id, count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.assignee_id) g WHERE true
       ORDER BY g.raised DESC, g.key LIMIT 100)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.key AS "id", CASE WHEN g.assignee_id IS NULL THEN '还没有责任人' ELSE coalesce(u.nickname,
      '') END AS "name", '' AS "beside", g.site_id AS "site_id", g.device_id AS "device_id", g.type AS "type",
        g.assignee_id AS "assignee_id", g.raised AS "raised", g."real" AS "real", g.wrong AS "wrong",
          g.corrected AS "corrected",
            g.cancelled AS "cancelled" FROM page g LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.assignee_id
              ORDER BY g.raised DESC, g.key) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT coalesce(a.assignee_id::text, 'nobody') AS key, NULL::uuid AS site_id,
    NULL::uuid AS device_id,
 NULL::text AS type, a.assignee_id, count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.assignee_id) g
       WHERE true)::int AS total;

-- statistics.alarmofsite
WITH page AS MATERIALIZED (SELECT g.* FROM (SELECT a.site_id::text AS key, a.site_id, NULL::uuid AS device_id,
  NULL::text AS type, NULL::uuid AS assignee_id, count(*)::int AS raised,
    count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.site_id) g WHERE true
       ORDER BY g.raised DESC, g.key LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.key AS "id", w.ws_name AS "name", c.bc_name AS "beside", g.site_id AS "site_id",
      g.device_id AS "device_id", g.type AS "type", g.assignee_id AS "assignee_id", g.raised AS "raised",
        g."real" AS "real", g.wrong AS "wrong", g.corrected AS "corrected",
          g.cancelled AS "cancelled" FROM page g JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id ORDER BY g.raised DESC, g.key) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT a.site_id::text AS key, a.site_id, NULL::uuid AS device_id, NULL::text AS type,
    NULL::uuid AS assignee_id, count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = 'real')::int AS "real",
 count(*) FILTER (WHERE a.verdict = 'wrong')::int AS wrong,
 count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
 count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
   AND a.at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND a.at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') GROUP BY a.site_id) g
       WHERE true)::int AS total;

-- statistics.alarmtimes
SELECT g.type, g.bc_id, coalesce(c.bc_name, '') AS bc_name, g.n, g.p50, g.p90
FROM (SELECT a.type, a.bc_id, count(*)::int AS n, CASE WHEN count(*) >= 5 THEN
    percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(0,
      floor(extract(epoch FROM a.closed_at - a.at)))) END::float8 AS p50, CASE WHEN count(*) >= 5 THEN
    percentile_disc(0.9) WITHIN GROUP (ORDER BY greatest(0,
      floor(extract(epoch FROM a.closed_at - a.at)))) END::float8 AS p90
 FROM alarms a
 WHERE a.tenant_id = $1::uuid AND a.closed_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
   AND a.closed_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND a.correction_status = 3
 GROUP BY GROUPING SETS ((), (a.type), (a.bc_id))) g
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.bc_id
WHERE true
ORDER BY g.type NULLS FIRST, c.bc_name NULLS FIRST;

-- statistics.branch
SELECT d.day::text AS day, sum(d.due)::int AS due, sum(d.attended)::int AS attended
FROM branch_attend d
WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
GROUP BY d.day
ORDER BY d.day;

-- statistics.branch.explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT d.day::text AS day, sum(d.due)::int AS due,
  sum(d.attended)::int AS attended
FROM branch_attend d
WHERE d.tenant_id = $1::uuid AND d.bc_id = $2::uuid AND d.day >= $3::date AND d.day <= $4::date
GROUP BY d.day
ORDER BY d.day;

-- statistics.branchdays
SELECT d.day::text AS "from", d.day::text AS "to", sum(d.due)::int AS due,
  sum(d.attended)::int AS attended, sum(d.guests)::int AS guests, sum(d.present)::int AS present,
  sum(d.sites)::int AS sites,
  sum(d.worked)::int AS worked, sum(d.no_work)::int AS "noWork"
FROM branch_attend d
WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
GROUP BY d.day
ORDER BY d.day;

-- statistics.branchdays.explain
EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT d.day::text AS "from", d.day::text AS "to", sum(d.due)::int AS due,
  sum(d.attended)::int AS attended, sum(d.guests)::int AS guests, sum(d.present)::int AS present,
  sum(d.sites)::int AS sites,
  sum(d.worked)::int AS worked, sum(d.no_work)::int AS "noWork"
FROM branch_attend d
WHERE d.tenant_id = $1::uuid AND d.bc_id = $2::uuid AND d.day >= $3::date AND d.day <= $4::date
GROUP BY d.day
ORDER BY d.day;

-- statistics.causes
SELECT v.cause, count(*)::int AS times,
       round((sum((CASE WHEN e.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
         e.upto) - greatest(v.from_at, e.begin))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         e.upto)) - greatest(u.from_at, greatest(v.from_at, e.begin)))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at, e.begin)) AND u.from_at < least(coalesce(v.to_at, :now),
  e.upto))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), e.upto) - greatest(v.from_at,
       e.begin)) END)) / 3600.0)::numeric, 1)::float8 AS hours
     FROM (SELECT g.*, EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  g.begin) AND u.from_at < g.upto) AS deaf FROM (SELECT $2::date::timestamp AT TIME ZONE 'Asia/Shanghai' AS begin,
         least(:now, ($3::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') AS upto) g OFFSET 0) e
     JOIN (
    SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
      greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
    FROM sites w
    JOIN (
    SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
    UNION ALL
    SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
    FROM devices d
    LEFT JOIN LATERAL (
      SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
      FROM device_stands e
      WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
    WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE) s
      ON s.site_id = w.id
    JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
      AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
    WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL) v ON v.state IN (2,
      4) AND v.from_at < e.upto AND (v.to_at IS NULL OR v.to_at > e.begin)
     GROUP BY 1
     ORDER BY 3 DESC;

-- statistics.daily
SELECT s.day || '.' || s.bc_id AS id, s.day::text AS day, s.bc_id, c.bc_name,
       s."sites", s."worked", s."noWork", s."apart", s."present", s."due", s."attended", s."guests", s."alarms",
         s."corrected", s."cancelled", s."patrols", s."excellent", s."good", s."poor", s."online", s."watched",
           s."complaints"
     FROM (SELECT d.day, d.bc_id, d.tenant_id, d.sites, d.worked, d."noWork", d.apart, d.present, d.due, d.attended,
       d.guests, r.*,
      q.*, y.*, v.*, f.*
    FROM (SELECT d.tenant_id, d.day, d.bc_id, count(*)::int AS sites,
      count(*) FILTER (WHERE d.present > 0)::int AS worked,
     count(*) FILTER (WHERE d.no_work)::int AS "noWork",
     count(*) FILTER (WHERE d.present = 0 AND NOT d.no_work AND (d.rest OR d.blind))::int AS apart,
     coalesce(sum(d.present), 0)::int AS present,
       coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
         coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
     coalesce(sum(d.present - d.expected + d.absent),
       0)::int AS guests FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
         AND $4::uuid IS NOT DISTINCT FROM $4::uuid GROUP BY 1, 2, 3 ORDER BY d.day DESC, d.bc_id LIMIT 20) d
    CROSS JOIN LATERAL (SELECT count(*)::int AS alarms,
      count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
        count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
          AND a.bc_id = d.bc_id AND a.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
            AND a.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) r
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS patrols
      FROM patrols p
      WHERE p.tenant_id = $1::uuid AND p.bc_id = d.bc_id AND p.status = 2
        AND p.submitted_at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND p.submitted_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) q
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE x.level = 1)::int AS excellent,
      count(*) FILTER (WHERE x.level = 2)::int AS good,
        count(*) FILTER (WHERE x.level = 3)::int AS poor FROM (SELECT (SELECT t.result FROM tidiness_checks t
          WHERE t.tenant_id = k.tenant_id AND t.site_id = k.site_id
       AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
         AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') AND t.result IN (1, 2, 3) AND NOT t.replaced
       ORDER BY t.at DESC,
         t.id DESC LIMIT 1) AS level FROM site_days k WHERE k.tenant_id = $1::uuid AND k.day = d.day
           AND k.bc_id = d.bc_id) x) y
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS complaints
      FROM feedback f
      WHERE f.tenant_id = $1::uuid AND f.bc_id = d.bc_id AND f.kind = 'complaint'
        AND f.entered_at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
          AND f.entered_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND (f.hidden_from IS NULL OR f.hidden_from <> $4::uuid)) f
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
    AND u.from_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) AS deaf OFFSET 0) h
    CROSS JOIN LATERAL (SELECT coalesce(sum((CASE WHEN h.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
      ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at,
        (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)) - greatest(u.from_at, greatest(v.from_at,
           (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) AND u.from_at < least(coalesce(v.to_at, :now),
    ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
       :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) END)) FILTER (WHERE v.state = 1),
         0)::int AS online,
        coalesce(sum((CASE WHEN h.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
          ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at,
            (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)) - greatest(u.from_at, greatest(v.from_at,
           (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) AND u.from_at < least(coalesce(v.to_at, :now),
    ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
       :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) END)), 0)::int AS watched
      FROM (
    SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
      greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
    FROM sites w
    JOIN (
    SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
    UNION ALL
    SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
    FROM devices d
    LEFT JOIN LATERAL (
      SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
      FROM device_stands e
      WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
    WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE) s
      ON s.site_id = w.id
    JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
      AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
    WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.bc_id = d.bc_id) v
      WHERE v.from_at < least(((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
        :now) AND (v.to_at IS NULL OR v.to_at > (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) v) s
    JOIN companies c ON c.tenant_id = s.tenant_id AND c.bc_id = s.bc_id
     ORDER BY s.day DESC, s.bc_id;

-- statistics.dailyrows
SELECT count(DISTINCT (d.day,
  d.bc_id))::int AS n FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
    AND $4::uuid IS NOT DISTINCT FROM $4::uuid;

-- statistics.dailytotal
SELECT count(*)::int AS rows,
       coalesce(sum(s."sites"), 0)::int AS "sites", coalesce(sum(s."worked"), 0)::int AS "worked",
         coalesce(sum(s."noWork"), 0)::int AS "noWork", coalesce(sum(s."apart"), 0)::int AS "apart",
           coalesce(sum(s."present"), 0)::int AS "present", coalesce(sum(s."due"), 0)::int AS "due",
             coalesce(sum(s."attended"), 0)::int AS "attended", coalesce(sum(s."guests"), 0)::int AS "guests",
               coalesce(sum(s."alarms"), 0)::int AS "alarms", coalesce(sum(s."corrected"), 0)::int AS "corrected",
                 coalesce(sum(s."cancelled"), 0)::int AS "cancelled", coalesce(sum(s."patrols"), 0)::int AS "patrols",
                   coalesce(sum(s."excellent"), 0)::int AS "excellent", coalesce(sum(s."good"), 0)::int AS "good",
                     coalesce(sum(s."poor"), 0)::int AS "poor", coalesce(sum(s."online"), 0)::int AS "online",
                       coalesce(sum(s."watched"), 0)::int AS "watched", coalesce(sum(s."complaints"),
                         0)::int AS "complaints"
     FROM (SELECT d.day, d.bc_id, d.tenant_id, d.sites, d.worked, d."noWork", d.apart, d.present, d.due, d.attended,
       d.guests, r.*,
      q.*, y.*, v.*, f.*
    FROM (SELECT d.tenant_id, d.day, d.bc_id, count(*)::int AS sites,
      count(*) FILTER (WHERE d.present > 0)::int AS worked,
     count(*) FILTER (WHERE d.no_work)::int AS "noWork",
     count(*) FILTER (WHERE d.present = 0 AND NOT d.no_work AND (d.rest OR d.blind))::int AS apart,
     coalesce(sum(d.present), 0)::int AS present,
       coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
         coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
     coalesce(sum(d.present - d.expected + d.absent),
       0)::int AS guests FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
         AND $4::uuid IS NOT DISTINCT FROM $4::uuid GROUP BY 1, 2, 3 ) d
    CROSS JOIN LATERAL (SELECT count(*)::int AS alarms,
      count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected,
        count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE a.tenant_id = $1::uuid
          AND a.bc_id = d.bc_id AND a.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
            AND a.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) r
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS patrols
      FROM patrols p
      WHERE p.tenant_id = $1::uuid AND p.bc_id = d.bc_id AND p.status = 2
        AND p.submitted_at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND p.submitted_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) q
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE x.level = 1)::int AS excellent,
      count(*) FILTER (WHERE x.level = 2)::int AS good,
        count(*) FILTER (WHERE x.level = 3)::int AS poor FROM (SELECT (SELECT t.result FROM tidiness_checks t
          WHERE t.tenant_id = k.tenant_id AND t.site_id = k.site_id
       AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
         AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') AND t.result IN (1, 2, 3) AND NOT t.replaced
       ORDER BY t.at DESC,
         t.id DESC LIMIT 1) AS level FROM site_days k WHERE k.tenant_id = $1::uuid AND k.day = d.day
           AND k.bc_id = d.bc_id) x) y
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS complaints
      FROM feedback f
      WHERE f.tenant_id = $1::uuid AND f.bc_id = d.bc_id AND f.kind = 'complaint'
        AND f.entered_at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
          AND f.entered_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND (f.hidden_from IS NULL OR f.hidden_from <> $4::uuid)) f
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))
    AND u.from_at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) AS deaf OFFSET 0) h
    CROSS JOIN LATERAL (SELECT coalesce(sum((CASE WHEN h.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
      ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at,
        (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)) - greatest(u.from_at, greatest(v.from_at,
           (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) AND u.from_at < least(coalesce(v.to_at, :now),
    ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
       :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) END)) FILTER (WHERE v.state = 1),
         0)::int AS online,
        coalesce(sum((CASE WHEN h.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
          ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) - greatest(v.from_at,
            (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now)) - greatest(u.from_at, greatest(v.from_at,
           (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at,
  (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) AND u.from_at < least(coalesce(v.to_at, :now),
    ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'), :now))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
       :now) - greatest(v.from_at, (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) END)), 0)::int AS watched
      FROM (
    SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
      greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
    FROM sites w
    JOIN (
    SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
    UNION ALL
    SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
    FROM devices d
    LEFT JOIN LATERAL (
      SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
      FROM device_stands e
      WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
    WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE) s
      ON s.site_id = w.id
    JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
      AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
    WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.bc_id = d.bc_id) v
      WHERE v.from_at < least(((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'),
        :now) AND (v.to_at IS NULL OR v.to_at > (d.day::timestamp AT TIME ZONE 'Asia/Shanghai'))) v) s
    JOIN companies c ON c.tenant_id = s.tenant_id AND c.bc_id = s.bc_id;

-- statistics.days
SELECT d.day::text AS day, coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)),
  0)::int AS due, coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended
FROM (SELECT * FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
  AND d.site_id = $4::uuid) d
GROUP BY d.day
ORDER BY d.day;

-- statistics.devicebranch
SELECT c.bc_id, c.bc_name,
  count(*) FILTER (WHERE d.device_status = 1)::int AS "online",
    count(*) FILTER (WHERE d.device_status = 2)::int AS "offline",
      count(*) FILTER (WHERE d.device_status = 3)::int AS "notEnabled",
        count(*) FILTER (WHERE d.device_status = 4)::int AS "faulty",
          count(*) FILTER (WHERE d.device_status = 5)::int AS "spare",
            count(*) FILTER (WHERE d.device_status = 6)::int AS "inStock"
FROM devices d
JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL
GROUP BY 1, 2
ORDER BY c.bc_name;

-- statistics.devices
SELECT d.type::text AS key, count(*)::int AS count
FROM devices d
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL
GROUP BY 1
ORDER BY 1;

-- statistics.groups
WITH page AS MATERIALIZED (SELECT r.* FROM (SELECT c.bc_id::text AS id, c.bc_name AS name, '' AS beside, g.due,
  g.attended,
  g.present - g.expected AS guests,
  g.present, round(100.0 * g.attended / nullif(g.due, 0), 1)::float8 AS rate,
  round(g.hours::numeric, 1)::float8 AS hours
FROM (SELECT tenant_id, key, sum(due)::int AS due, sum(attended)::int AS attended,
  sum(expected)::int AS expected, sum(present)::int AS present, sum(hours) AS hours
  FROM (SELECT d.tenant_id, d.bc_id AS key,
    coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
      coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
     sum(d.expected - d.absent)::int AS expected, 0 AS present, 0 AS hours
   FROM site_days d
   WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
   GROUP BY 1, 2 UNION ALL SELECT y.tenant_id, y.bc_id AS key, 0 AS due, 0 AS attended, 0 AS expected,
   count(*) AS present, sum(round(extract(epoch FROM y.last_at - y.first_at) / 3600, 1)) AS hours
 FROM attendance_days y
 JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id
 WHERE y.tenant_id = $1::uuid AND y.day >= $2::date AND y.day <= $3::date
 GROUP BY 1, 2) h GROUP BY 1,
   2) g JOIN companies c ON c.tenant_id = g.tenant_id AND c.bc_id = g.key) r WHERE true
     ORDER BY r.rate DESC NULLS LAST, r.id LIMIT 20)
 SELECT coalesce((SELECT json_agg(r)
     FROM (SELECT r.* FROM page r  ORDER BY r.rate DESC NULLS LAST, r.id) r), '[]'::json)::text AS list,
   (SELECT count(*) FROM (SELECT c.bc_id::text AS id, c.bc_name AS name, '' AS beside, g.due, g.attended,
  g.present - g.expected AS guests,
  g.present, round(100.0 * g.attended / nullif(g.due, 0), 1)::float8 AS rate,
  round(g.hours::numeric, 1)::float8 AS hours
FROM (SELECT tenant_id, key, sum(due)::int AS due, sum(attended)::int AS attended,
  sum(expected)::int AS expected, sum(present)::int AS present, sum(hours) AS hours
  FROM (SELECT d.tenant_id, d.bc_id AS key,
    coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
      coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
     sum(d.expected - d.absent)::int AS expected, 0 AS present, 0 AS hours
   FROM site_days d
   WHERE d.tenant_id = $1::uuid AND d.day >= $2::date AND d.day <= $3::date
   GROUP BY 1, 2 UNION ALL SELECT y.tenant_id, y.bc_id AS key, 0 AS due, 0 AS attended, 0 AS expected,
   count(*) AS present, sum(round(extract(epoch FROM y.last_at - y.first_at) / 3600, 1)) AS hours
 FROM attendance_days y
 JOIN workers k ON k.tenant_id = y.tenant_id AND k.id = y.worker_id
 WHERE y.tenant_id = $1::uuid AND y.day >= $2::date AND y.day <= $3::date
 GROUP BY 1, 2) h GROUP BY 1,
   2) g JOIN companies c ON c.tenant_id = g.tenant_id AND c.bc_id = g.key) r WHERE true)::int AS total;

-- statistics.longest
SELECT d.id, d.sn, d.type, d.site_id, coalesce(w.ws_name, '') AS "siteName",
  coalesce(c.bc_name, '') AS bc_name, floor(extract(epoch FROM s.from_at))::float8 AS since, s.cause
FROM devices d
JOIN device_spans s ON s.tenant_id = d.tenant_id AND s.device_id = d.id AND s.to_at IS NULL
LEFT JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
LEFT JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id
WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.bind_status = 2 AND d.device_status = 2
ORDER BY s.from_at, d.id
LIMIT 10;

-- statistics.need
SELECT g.bc_id, c.bc_name, g."noCamera", g."noTerminal",
  (SELECT count(*)::int FROM devices d WHERE d.tenant_id = $1::uuid AND d.bc_id = g.bc_id AND d.type = 'camera'
    AND d.device_status IN (5, 6) AND d.deleted_at IS NULL) AS cameras,
      (SELECT count(*)::int FROM devices d WHERE d.tenant_id = $1::uuid AND d.bc_id = g.bc_id
        AND d.type = 'faceTerminal' AND d.device_status IN (5, 6) AND d.deleted_at IS NULL) AS terminals
FROM (SELECT w.tenant_id, w.bc_id,
  count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM devices v WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id
    AND v.type = 'camera' AND v.deleted_at IS NULL))::int AS "noCamera",
      count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM devices v WHERE v.tenant_id = w.tenant_id AND v.site_id = w.id
        AND v.type = 'faceTerminal' AND v.deleted_at IS NULL))::int AS "noTerminal" FROM sites w
          WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1 GROUP BY 1,
            2) g JOIN companies c ON c.tenant_id = g.tenant_id AND c.bc_id = g.bc_id ORDER BY c.bc_name;

-- statistics.nowork
SELECT count(*) FILTER (WHERE w.no_work @> ARRAY[1]::smallint[])::int AS c1,
  count(*) FILTER (WHERE w.no_work @> ARRAY[2]::smallint[])::int AS c2,
    count(*) FILTER (WHERE w.no_work @> ARRAY[3]::smallint[])::int AS c3,
      count(*) FILTER (WHERE w.no_work @> ARRAY[4]::smallint[])::int AS c4,
        count(*) FILTER (WHERE w.no_work @> ARRAY[5]::smallint[])::int AS c5,
          count(*) FILTER (WHERE w.no_work @> ARRAY[6]::smallint[])::int AS c6
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL;

-- statistics.online
SELECT e.day::text AS day,
       round(100 * coalesce(sum((CASE WHEN e.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
         e.upto) - greatest(v.from_at, e.begin))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         e.upto)) - greatest(u.from_at, greatest(v.from_at, e.begin)))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at, e.begin)) AND u.from_at < least(coalesce(v.to_at, :now),
  e.upto))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), e.upto) - greatest(v.from_at,
       e.begin)) END)) FILTER (WHERE v.state = 1), 0)
         / nullif(sum((CASE WHEN e.deaf THEN extract(epoch FROM least(coalesce(v.to_at, :now),
           e.upto) - greatest(v.from_at, e.begin))
       - (SELECT coalesce(sum(extract(epoch FROM least(u.to_at, least(coalesce(v.to_at, :now),
         e.upto)) - greatest(u.from_at, greatest(v.from_at, e.begin)))), 0)
          FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, greatest(v.from_at, e.begin)) AND u.from_at < least(coalesce(v.to_at, :now),
  e.upto))
     ELSE extract(epoch FROM least(coalesce(v.to_at, :now), e.upto) - greatest(v.from_at, e.begin)) END)), 0),
       1)::float8 AS rate
     FROM (SELECT g.*, EXISTS (SELECT 1 FROM (
  SELECT h.to_at AS from_at, lead(h.from_at) OVER (ORDER BY h.from_at) AS to_at FROM hearing h
) u WHERE u.to_at > greatest(u.from_at, g.begin) AND u.from_at < g.upto) AS deaf FROM (SELECT g::date AS day,
  g AT TIME ZONE 'Asia/Shanghai' AS begin,
         least(:now, (g + interval '1 day') AT TIME ZONE 'Asia/Shanghai') AS upto
         FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') g) g OFFSET 0) e
     LEFT JOIN (
    SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
      greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
    FROM sites w
    JOIN (
    SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
    UNION ALL
    SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
    FROM devices d
    LEFT JOIN LATERAL (
      SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
      FROM device_stands e
      WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
    WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE) s
      ON s.site_id = w.id
    JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
      AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
    WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL) v ON v.from_at < e.upto AND (v.to_at IS NULL
      OR v.to_at > e.begin)
     GROUP BY e.day
     ORDER BY e.day;

-- statistics.opens
SELECT min(coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'workStart'
  AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"00:00"'::jsonb) #>> '{}') AS opens,
  max(coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'workEnd'
    AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '"23:59"'::jsonb) #>> '{}') AS closes
FROM companies c
WHERE c.tenant_id = $1::uuid;

-- statistics.patrolbranch
SELECT g.key, g.name, g.tasks, g.done, g.late, g.missed, g.waiting, g.excused
FROM (SELECT k.bc_id::text AS key, c.bc_name AS name, sum(k.tasks)::int AS tasks, sum(k.done)::int AS done,
   sum(k.late)::int AS late, sum(k.excused)::int AS excused, sum(k.waiting)::int AS waiting,
   (sum(k.tasks) - sum(k.done) - sum(k.late) - sum(k.excused) - sum(k.waiting))::int AS missed
 FROM (SELECT k.bc_id, k.day, k.tasks, k.done, k.late, k.excused, 0 AS waiting
 FROM patrol_task_days k
 WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
 UNION ALL
 SELECT k.bc_id, k.day, 0, 0, 0, 0, 1
 FROM (SELECT t.tenant_id, t.bc_id, t.plan_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date AS day
   FROM patrol_tasks t
   WHERE t.tenant_id = $1 AND (t.outcome IS NULL AND t.lapses_at > :now)) k
 WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date) k JOIN companies c ON c.tenant_id = $1
   AND c.bc_id = k.bc_id
 GROUP BY 1, 2
 HAVING sum(k.tasks) > 0) g
WHERE true
ORDER BY g.name, g.key;

-- statistics.patrolcoverage
SELECT count(*) FILTER (WHERE g.done + g.late > 0 OR g.tasks > g.excused AND g.done + g.late = 0)::int AS due,
  count(*) FILTER (WHERE g.done + g.late > 0)::int AS covered
FROM (SELECT t.site_id, count(*)::int AS tasks, count(*) FILTER (WHERE coalesce(t.outcome = 3, false))::int AS done,
  count(*) FILTER (WHERE coalesce(t.outcome = 4, false))::int AS late, count(*) FILTER (WHERE coalesce(t.outcome = 6,
    false))::int AS excused,
   count(*) FILTER (WHERE (t.outcome IS NULL AND t.lapses_at > :now))::int AS waiting,
     count(*) FILTER (WHERE t.outcome IS NULL AND NOT (t.outcome IS NULL AND t.lapses_at > :now))::int AS missed
 FROM patrol_tasks t
 WHERE t.tenant_id = $1::uuid AND t.closes_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
   AND t.closes_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
 GROUP BY t.site_id) g
WHERE true;

-- statistics.patrolday
SELECT g.key, g.name, g.tasks, g.done, g.late, g.missed, g.waiting, g.excused
FROM (SELECT k.day::text AS key, '' AS name, sum(k.tasks)::int AS tasks, sum(k.done)::int AS done,
   sum(k.late)::int AS late, sum(k.excused)::int AS excused, sum(k.waiting)::int AS waiting,
   (sum(k.tasks) - sum(k.done) - sum(k.late) - sum(k.excused) - sum(k.waiting))::int AS missed
 FROM (SELECT k.bc_id, k.day, k.tasks, k.done, k.late, k.excused, 0 AS waiting
 FROM patrol_task_days k
 WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
 UNION ALL
 SELECT k.bc_id, k.day, 0, 0, 0, 0, 1
 FROM (SELECT t.tenant_id, t.bc_id, t.plan_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date AS day
   FROM patrol_tasks t
   WHERE t.tenant_id = $1 AND (t.outcome IS NULL AND t.lapses_at > :now)) k
 WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date) k
 GROUP BY 1, 2
 HAVING sum(k.tasks) > 0) g
WHERE true
ORDER BY g.name, g.key;

-- statistics.patrolkinds
SELECT k.kind, sum(k.made)::int AS made, sum(k.found)::int AS found, sum(k.problems)::int AS problems
FROM patrol_days k
WHERE k.tenant_id = $1::uuid AND k.day >= $2::date AND k.day <= $3::date
GROUP BY k.kind
HAVING sum(k.made) > 0
ORDER BY k.kind;

-- statistics.patrollate
SELECT count(*)::int AS n, CASE WHEN count(*) >= 5 THEN
    percentile_disc(0.5) WITHIN GROUP (ORDER BY greatest(0, floor(extract(epoch FROM coalesce(p.submitted_at,
      a.submitted_at) - t.closes_at)))) END::float8 AS p50, CASE WHEN count(*) >= 5 THEN
    percentile_disc(0.9) WITHIN GROUP (ORDER BY greatest(0, floor(extract(epoch FROM coalesce(p.submitted_at,
      a.submitted_at) - t.closes_at)))) END::float8 AS p90
FROM patrol_tasks t
LEFT JOIN patrols p ON p.tenant_id = $1 AND p.task_id = t.id AND p.status = 2
LEFT JOIN patrols a ON a.tenant_id = $1 AND a.id = t.done_in
WHERE t.tenant_id = $1::uuid AND t.closes_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  AND t.closes_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND t.outcome = 4 AND coalesce(p.id,
    a.id) IS NOT NULL;

-- statistics.patrolpeople
WITH page AS MATERIALIZED (SELECT g.* FROM (SELECT k.inspector_id, sum(k.made)::int AS made,
  sum(k.found)::int AS found,
    sum(k.problems)::int AS problems FROM patrol_days k WHERE k.tenant_id = $1::uuid AND k.day >= $2::date
      AND k.day <= $3::date GROUP BY 1 HAVING sum(k.made) > 0) g WHERE true ORDER BY g.made DESC,
        g.inspector_id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.inspector_id AS id, coalesce(u.nickname, '') AS name, g.made, g.found,
      g.problems FROM page g LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.inspector_id ORDER BY g.made DESC,
        g.inspector_id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT k.inspector_id, sum(k.made)::int AS made, sum(k.found)::int AS found,
    sum(k.problems)::int AS problems FROM patrol_days k WHERE k.tenant_id = $1::uuid AND k.day >= $2::date
      AND k.day <= $3::date GROUP BY 1 HAVING sum(k.made) > 0) g WHERE true)::int AS total;

-- statistics.patrolreasons
SELECT g.reason, g.made, g.found FROM (SELECT m.reason, count(*)::int AS made,
  count(*) FILTER (WHERE m.found)::int AS found
FROM (SELECT DISTINCT p.id, e.code AS reason, p.problems > 0 OR coalesce(p.tidiness = 3, false) AS found
  FROM patrols p
  JOIN site_ranks k ON k.tenant_id = $1 AND k.site_id = p.site_id
 AND (p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN k.day AND k.day + 2
  CROSS JOIN LATERAL jsonb_to_recordset(k.reasons) AS e(code text)
  WHERE p.tenant_id = $1::uuid AND p.status = 2
    AND p.submitted_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND p.submitted_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')) m
GROUP BY m.reason) g WHERE true ORDER BY g.made DESC, g.reason;

-- statistics.patrolsites
WITH page AS MATERIALIZED (SELECT g.* FROM (SELECT t.site_id, count(*)::int AS tasks,
  count(*) FILTER (WHERE coalesce(t.outcome = 3, false))::int AS done, count(*) FILTER (WHERE coalesce(t.outcome = 4,
    false))::int AS late, count(*) FILTER (WHERE coalesce(t.outcome = 6, false))::int AS excused,
   count(*) FILTER (WHERE (t.outcome IS NULL AND t.lapses_at > :now))::int AS waiting,
     count(*) FILTER (WHERE t.outcome IS NULL AND NOT (t.outcome IS NULL AND t.lapses_at > :now))::int AS missed
 FROM patrol_tasks t
 WHERE t.tenant_id = $1::uuid AND t.closes_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
   AND t.closes_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
 GROUP BY t.site_id) g WHERE true ORDER BY g.missed DESC, g.late DESC, g.site_id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.site_id AS id, w.ws_name AS name, c.bc_name, g.tasks, g.done, g.late, g.missed, g.waiting,
      g.excused FROM page g JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id ORDER BY g.missed DESC, g.late DESC, g.site_id) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT t.site_id, count(*)::int AS tasks, count(*) FILTER (WHERE coalesce(t.outcome = 3,
    false))::int AS done, count(*) FILTER (WHERE coalesce(t.outcome = 4, false))::int AS late,
      count(*) FILTER (WHERE coalesce(t.outcome = 6, false))::int AS excused,
   count(*) FILTER (WHERE (t.outcome IS NULL AND t.lapses_at > :now))::int AS waiting,
     count(*) FILTER (WHERE t.outcome IS NULL AND NOT (t.outcome IS NULL AND t.lapses_at > :now))::int AS missed
 FROM patrol_tasks t
 WHERE t.tenant_id = $1::uuid AND t.closes_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
   AND t.closes_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
 GROUP BY t.site_id) g WHERE true)::int AS total;

-- statistics.periods
SELECT greatest(p, $4::date)::text AS "from", least((p + ('1 ' || $6::text)::interval)::date - 1,
  $5::date)::text AS "to", due, attended, guests, present, sites, worked, "noWork"
FROM (SELECT date_trunc($6::text, d.day::timestamp)::date AS p,
  coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
    coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
  coalesce(sum(d.present - d.expected + d.absent), 0)::int AS guests, sum(d.present)::int AS present,
    count(DISTINCT d.site_id)::int AS sites,
  count(*) FILTER (WHERE d.present > 0)::int AS worked,
    count(*) FILTER (WHERE d.no_work)::int AS "noWork" FROM (SELECT * FROM site_days d WHERE d.tenant_id = $1::uuid
      AND d.day >= $2::date AND d.day <= $3::date) d GROUP BY 1) g ORDER BY p;

-- statistics.sitedays
WITH page AS MATERIALIZED (SELECT d.* FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date
  AND d.day <= $3::date ORDER BY d.day DESC, d.present, d.site_id LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT d.day || '.' || d.site_id AS id, d.day::text AS day, d.site_id, w.code, w.ws_name, d.bc_id,
         c.bc_name,
     coalesce(m.nickname, '') AS "managerName", d.expected, d.present,
     d.present - d.expected + d.absent AS guests,
       CASE WHEN d.present > 0 THEN 'worked' WHEN d.rest THEN 'rest' WHEN d.no_work THEN 'noWork'
   WHEN d.blind THEN 'unknown' ELSE 'waiting' END AS state,
     floor(extract(epoch FROM b.first_at))::float8 AS "firstAt",
       floor(extract(epoch FROM b.last_at))::float8 AS "lastAt", r.raised AS alarms,
     r.corrected, (SELECT t.result FROM tidiness_checks t WHERE t.tenant_id = d.tenant_id AND t.site_id = d.site_id
     AND t.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') AND t.result IN (1, 2, 3) AND NOT t.replaced
     ORDER BY t.at DESC,
       t.id DESC LIMIT 1) AS tidiness FROM page d JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
         JOIN companies c ON c.tenant_id = d.tenant_id AND c.bc_id = d.bc_id LEFT JOIN users m
           ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
LEFT JOIN LATERAL (SELECT min(a.first_at) AS first_at,
  max(a.last_at) AS last_at FROM attendance_days a WHERE a.tenant_id = d.tenant_id AND a.day = d.day
    AND a.site_id = d.site_id) b ON true
LEFT JOIN LATERAL (SELECT count(*)::int AS raised,
  count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected FROM alarms a WHERE a.tenant_id = d.tenant_id
    AND a.site_id = d.site_id AND a.at >= (d.day::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND a.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')) r ON true ORDER BY d.day DESC, d.present,
        d.site_id) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM site_days d WHERE d.tenant_id = $1::uuid AND d.day >= $2::date
       AND d.day <= $3::date)::int AS total;

-- statistics.subscribers
SELECT v.user_id
FROM saved_views v
WHERE v.tenant_id = $1 AND v.name = $2 AND v.value @> '{"on": true}'
ORDER BY v.user_id;

-- statistics.wanting
SELECT u.id, u.nickname
FROM users u
JOIN saved_views v ON v.tenant_id = $1 AND v.user_id = u.id AND v.value @> '{"on": true}'
WHERE u.tenant_id = $1::uuid AND v.name = $2 AND u.status = 1 AND u.deleted_at IS NULL
ORDER BY u.nickname, u.id;
