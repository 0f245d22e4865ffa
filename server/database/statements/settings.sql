-- settings.both
SELECT s.key, s.bc_id, s.value, s.changed_by AS name, s.changed_at AS at
FROM settings s
WHERE s.tenant_id = $1 AND (s.bc_id IS NULL OR s.bc_id = $2);

-- settings.branch
SELECT bc_name FROM companies WHERE tenant_id = $1 AND bc_id = $2;

-- settings.branches
SELECT bc_id AS bc FROM companies WHERE tenant_id = $1 AND ($2::uuid IS NULL OR bc_id = $2) ORDER BY bc_id;

-- settings.clocks
SELECT k.bc,
  (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'leadHours' AND (s.bc_id = k.bc
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '4'::jsonb) #>> '{}')::float8 AS hours,
      coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'workStart' AND (s.bc_id = k.bc
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"00:00"'::jsonb) #>> '{}' AS opens,
  coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'workEnd' AND (s.bc_id = k.bc
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"23:59"'::jsonb) #>> '{}' AS closes,
      coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'restDays' AND (s.bc_id = k.bc
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '[]'::jsonb) AS "restDays",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('day', x.day, 'rest', x.rest)), '[]'::jsonb)
   FROM (SELECT DISTINCT ON (c.day) c.day::text, c.rest
     FROM calendar_days c
     WHERE c.tenant_id = $1 AND (c.bc_id = k.bc OR c.bc_id IS NULL) AND c.day > :now - interval '2 years'
     ORDER BY c.day, c.bc_id NULLS LAST) x) AS calendar
FROM unnest($2::uuid[]) AS k(bc);

-- settings.days
SELECT c.bc_id AS bc, s.value AS own, g.value AS shared
FROM companies c
LEFT JOIN settings s ON s.tenant_id = $1 AND s.key = $2 AND s.bc_id = c.bc_id
LEFT JOIN settings g ON g.tenant_id = $1 AND g.key = $2 AND g.bc_id IS NULL
WHERE c.tenant_id = $1
ORDER BY c.bc_id;

-- settings.daysoff
SELECT x.day
FROM (SELECT DISTINCT ON (c.day) c.day::text AS day, c.rest
  FROM calendar_days c
  WHERE c.tenant_id = $1 AND (c.bc_id = $2 OR c.bc_id IS NULL) AND c.day BETWEEN $3::date AND $4::date
  ORDER BY c.day, c.bc_id NULLS LAST) x
WHERE x.rest
ORDER BY x.day;

-- settings.drop
DELETE FROM settings WHERE tenant_id = $1 AND key = $2 AND bc_id IS NOT DISTINCT FROM $3;

-- settings.dropdays
DELETE FROM calendar_days WHERE tenant_id = $1 AND bc_id IS NOT DISTINCT FROM $2;

-- settings.keepdays
INSERT INTO calendar_days (tenant_id, bc_id, day, rest)
SELECT $1, $2, x.day, x.rest
FROM unnest($3::date[], $4::boolean[]) AS x(day, rest);

-- settings.ofall
SELECT s.key, s.bc_id, coalesce(c.bc_name, '') AS name, s.value
FROM settings s
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
WHERE s.tenant_id = $1 AND s.key = ANY ($2)
ORDER BY c.sort, c.bc_name;

-- settings.one
SELECT bc_id, value
FROM settings
WHERE tenant_id = $1 AND key = $3 AND (bc_id = $2 OR bc_id IS NULL);

-- settings.set
INSERT INTO settings (tenant_id, bc_id, key, value, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, :now);

-- settings.turns
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- settings.was
SELECT value FROM settings WHERE tenant_id = $1 AND key = $2 AND bc_id IS NOT DISTINCT FROM $3;

-- settings.workday
SELECT d::date::text AS day
FROM generate_series(($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date + 1,
  ($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date + 800, interval '1 day') d
WHERE NOT rest_day($1, $2::uuid, d::date)
ORDER BY d
OFFSET $4::int - 1
LIMIT 1;
