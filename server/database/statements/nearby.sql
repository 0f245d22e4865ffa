-- nearby.called
WITH places AS (SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community, c.city)
SELECT p.lng, p.lat FROM places p
WHERE p.community = $2 AND ($3::text = '' OR p.city = $3)
ORDER BY p.building + p.finished DESC, p.city
LIMIT 1;

-- nearby.communities
WITH places AS (SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community, c.city)
SELECT w.id AS site_id, p.lng, p.lat
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
JOIN places p ON p.community = w.community AND p.city = c.city
WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]);

-- nearby.figures
WITH places AS (SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community, c.city),
here AS (
  SELECT c.community, c.city, c.lng + $5::float8 / (111320 * cos(radians(c.lat))) AS lng,
    c.lat + $6::float8 / 111320 AS lat
  FROM (
    SELECT community, city, lng, lat FROM places
    WHERE community = $2 AND ($3::text = '' OR city = $3)
    ORDER BY building + finished DESC, city
    LIMIT 1) c
  WHERE $7::float8 IS NULL
  UNION ALL
  SELECT '', '', $7::float8, $8::float8 WHERE $7::float8 IS NOT NULL),
told AS (
  SELECT p.community, p.city, p.building, p.finished,
    round((p.lng - h.lng) * 111320 * cos(radians(h.lat)))::int AS east,
    round((p.lat - h.lat) * 111320)::int AS north
  FROM places p CROSS JOIN here h),
near AS (
  SELECT t.*, round(sqrt(t.east::float8 * t.east + t.north::float8 * t.north))::int AS metres
  FROM told t
  WHERE t.east::float8 * t.east + t.north::float8 * t.north <= ($4::float8 * $4))
SELECT count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished,
    count(*) FILTER (WHERE w.status = 1 AND EXISTS (SELECT FROM attendance_days y
  WHERE y.tenant_id = $1 AND y.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND y.site_id = w.id))::int AS working,
  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY w.actual_finish - w.start_date + 1))::numeric)::int AS days,
  count(w.actual_finish - w.start_date)::int AS "daysOf",
  count(*) FILTER (WHERE w.actual_finish <= w.planned_finish)::int AS "onTime",
  count(w.actual_finish - w.planned_finish)::int AS "onTimeOf",
  coalesce(array_agg(DISTINCT w.style ORDER BY w.style) FILTER (WHERE w.style <> ''), '{}') AS styles
FROM near p
JOIN companies c ON c.tenant_id = $1 AND c.city = p.city
JOIN sites w ON w.tenant_id = $1 AND w.bc_id = c.bc_id AND w.community = p.community AND w.tenant_id = $1
  AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL;

-- nearby.homes
WITH places AS (SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community, c.city),
here AS (
  SELECT c.community, c.city, c.lng + $5::float8 / (111320 * cos(radians(c.lat))) AS lng,
    c.lat + $6::float8 / 111320 AS lat
  FROM (
    SELECT community, city, lng, lat FROM places
    WHERE community = $2 AND ($3::text = '' OR city = $3)
    ORDER BY building + finished DESC, city
    LIMIT 1) c
  WHERE $7::float8 IS NULL
  UNION ALL
  SELECT '', '', $7::float8, $8::float8 WHERE $7::float8 IS NOT NULL),
told AS (
  SELECT p.community, p.city, p.building, p.finished,
    round((p.lng - h.lng) * 111320 * cos(radians(h.lat)))::int AS east,
    round((p.lat - h.lat) * 111320)::int AS north
  FROM places p CROSS JOIN here h),
near AS (
  SELECT t.*, round(sqrt(t.east::float8 * t.east + t.north::float8 * t.north))::int AS metres
  FROM told t
  WHERE t.east::float8 * t.east + t.north::float8 * t.north <= ($4::float8 * $4))
SELECT h.*, count(*) OVER ()::int AS total
FROM (
  SELECT w.id, w.bc_id, p.community, p.city, p.metres, w.status,
    CASE WHEN w.status = 1 THEN w.stage END AS stage,
    coalesce(w.actual_finish, (:now AT TIME ZONE 'Asia/Shanghai')::date) - w.start_date + 1 AS days, w.style,
      CASE WHEN w.area > 0
    THEN (floor(w.area / 20) * 20)::int || '–' || (floor(w.area / 20) * 20 + 20)::int || ' ㎡' END AS "areaRange",
    w.status = 1 AND EXISTS (SELECT FROM attendance_days y
  WHERE y.tenant_id = $1 AND y.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND y.site_id = w.id) AS working
  FROM near p
JOIN companies c ON c.tenant_id = $1 AND c.city = p.city
JOIN sites w ON w.tenant_id = $1 AND w.bc_id = c.bc_id AND w.community = p.community AND w.tenant_id = $1
  AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
  WHERE ($9::text IS NULL OR w.status = 1 AND w.stage = $9)
    AND ($10::text IS NULL OR w.style = $10)) h
WHERE $11::text IS NULL OR h.working AND $11 = 'working' OR h.status = 1 AND $11 = 'building'
  OR h.status = 4 AND $11 = 'finished'
ORDER BY h.metres, h.community, h.status = 4, h.days, h.id
LIMIT 200;

-- nearby.places
SELECT w.community, c.city, count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL AND w.community ILIKE $2
GROUP BY w.community, c.city
ORDER BY w.community <> $3, count(*) DESC, w.community, c.city
LIMIT 20;

-- nearby.points
WITH places AS (SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat,
  count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.status = 4)::int AS finished
FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL
GROUP BY w.community, c.city),
here AS (
  SELECT c.community, c.city, c.lng + $5::float8 / (111320 * cos(radians(c.lat))) AS lng,
    c.lat + $6::float8 / 111320 AS lat
  FROM (
    SELECT community, city, lng, lat FROM places
    WHERE community = $2 AND ($3::text = '' OR city = $3)
    ORDER BY building + finished DESC, city
    LIMIT 1) c
  WHERE $7::float8 IS NULL
  UNION ALL
  SELECT '', '', $7::float8, $8::float8 WHERE $7::float8 IS NOT NULL),
told AS (
  SELECT p.community, p.city, p.building, p.finished,
    round((p.lng - h.lng) * 111320 * cos(radians(h.lat)))::int AS east,
    round((p.lat - h.lat) * 111320)::int AS north
  FROM places p CROSS JOIN here h),
near AS (
  SELECT t.*, round(sqrt(t.east::float8 * t.east + t.north::float8 * t.north))::int AS metres
  FROM told t
  WHERE t.east::float8 * t.east + t.north::float8 * t.north <= ($4::float8 * $4))
SELECT p.community, p.city, p.building, p.finished, p.east, p.north, p.metres
FROM near p
ORDER BY EXISTS (SELECT FROM here h WHERE h.community = p.community AND h.city = p.city) DESC, p.metres,
  p.community
LIMIT 400;

-- nearby.store
SELECT s.name, s.lng, s.lat
FROM stores s
WHERE s.tenant_id = $1 AND (s.id = ANY ($2::uuid[]) OR s.bc_id = ANY ($3::uuid[])) AND s.status = 1
  AND NOT s.receives_orders AND s.lng IS NOT NULL AND s.lat IS NOT NULL
ORDER BY s.id = ANY ($2::uuid[]) DESC, s.name, s.id
LIMIT 1;

-- nearby.trades
SELECT DISTINCT y.site_id, k.w_type AS trade
FROM attendance_days y
JOIN sites w ON w.tenant_id = $1 AND w.id = y.site_id AND w.status = 1
JOIN workers k ON k.tenant_id = $1 AND k.id = y.worker_id
WHERE y.tenant_id = $1 AND y.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND y.site_id = ANY ($2::uuid[])
ORDER BY y.site_id, k.w_type;
