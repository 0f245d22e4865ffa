-- visits.add
INSERT INTO
  visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture, similarity)
SELECT
  t,
  i,
  b,
  s,
  d,
  to_timestamp(a),
  n,
  p,
  m
FROM
  unnest(
    $1::uuid[],
    $2::uuid[],
    $3::uuid[],
    $4::uuid[],
    $5::uuid[],
    $6::float8[],
    $7::int[],
    $8::text[],
    $9::real[]
  ) AS x (t, i, b, s, d, a, n, p, m);
