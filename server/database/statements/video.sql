-- video.site, shortest
SELECT
  w.ws_name
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL
  AND w.id = $2::uuid;

-- video.site, longest
SELECT
  w.ws_name
FROM
  sites w
WHERE
  w.tenant_id = $1::uuid
  AND w.id = ANY ($2::uuid[])
  AND w.deleted_at IS NULL
  AND w.id = $3::uuid;

-- video.skewedchecks
SELECT
  t.device_id AS device,
  count(*)::int AS n
FROM
  tidiness_checks t
WHERE
  t.tenant_id = $1
  AND t.site_id = $2
  AND t.device_id = ANY ($3::uuid[])
  AND t.result = 4
  AND t.at >= to_timestamp($4)
  AND t.at < to_timestamp($5)
GROUP BY
  1;

-- video.skews
SELECT
  a.id,
  a.device_id AS device,
  extract(epoch FROM a.at)::float8 AS
from
,
  extract(epoch FROM a.closed_at)::float8 AS to
FROM
  alarms a
WHERE
  a.tenant_id = $1
  AND a.site_id = $2
  AND a.device_id = ANY ($3::uuid[])
  AND a.type = 'cameraproblem'
  AND a.verdict <> 'wrong'
  AND a.at < to_timestamp($5)
  AND (
    a.closed_at IS NULL
    OR a.closed_at > to_timestamp($4)
  )
ORDER BY
  a.at,
  a.id;
