-- recordings.add
INSERT INTO
  recordings (tenant_id, id, device_id, from_at, to_at, key, bytes)
SELECT
  t,
  i,
  d,
  to_timestamp(f),
  to_timestamp(e),
  k,
  b
FROM
  unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::float8[], $5::float8[], $6::text[], $7::bigint[]) AS x (t, i, d, f, e, k, b);
