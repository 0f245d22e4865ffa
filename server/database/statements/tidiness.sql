-- tidiness.checks
INSERT INTO
  tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, confidence)
SELECT
  t,
  i,
  b,
  s,
  d,
  to_timestamp(a),
  p,
  r,
  c
FROM
  unnest(
    $1::uuid[],
    $2::uuid[],
    $3::uuid[],
    $4::uuid[],
    $5::uuid[],
    $6::float8[],
    $7::text[],
    $8::smallint[],
    $9::real[]
  ) AS x (t, i, b, s, d, a, p, r, c);

-- tidiness.places
SELECT
  1
FROM
  sites w
  JOIN unnest($1::uuid[], $2::uuid[]) AS k (tenant, site) ON w.tenant_id = k.tenant
  AND w.id = k.site
ORDER BY
  w.id
FOR NO KEY UPDATE OF
  w;

-- tidiness.sites
UPDATE sites w
SET
  tidiness = n.result
FROM
  unnest($1::uuid[], $2::uuid[]) AS k (tenant, site)
  CROSS JOIN LATERAL (
    SELECT
      t.result
    FROM
      tidiness_checks t
    WHERE
      t.tenant_id = k.tenant
      AND t.site_id = k.site
      AND t.result <> 4
    ORDER BY
      t.at DESC
    LIMIT 1
  ) n
WHERE
  w.tenant_id = k.tenant
  AND w.id = k.site
  AND w.tidiness IS DISTINCT FROM n.result;
