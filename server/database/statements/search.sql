-- search.devices, shortest
SELECT
  d.id,
  d.sn,
  d.model
FROM
  devices d
WHERE
  d.tenant_id = $1::uuid
  AND d.deleted_at IS NULL
  AND lower(d.sn) LIKE $2
ORDER BY
  d.sn
LIMIT 6;

-- search.devices, longest
SELECT
  d.id,
  d.sn,
  d.model
FROM
  devices d
WHERE
  d.tenant_id = $1::uuid
  AND d.site_id = ANY ($2::uuid[])
  AND d.deleted_at IS NULL
  AND lower(d.sn) LIKE $3
ORDER BY
  d.sn
LIMIT 6;

-- search.packages, shortest
SELECT
  p.id,
  p.name,
  p.number,
  p.status
FROM
  packages p
WHERE
  p.tenant_id = $1::uuid
  AND p.name ILIKE $2
  AND p.status <> 3
ORDER BY
  p.name,
  p.number DESC
LIMIT 6;

-- search.packages, longest
SELECT
  p.id,
  p.name,
  p.number,
  p.status
FROM
  packages p
WHERE
  p.tenant_id = $1::uuid
  AND (
    (
      p.bc_id IS NULL
      OR p.bc_id = ANY ($2::uuid[])
    )
    OR p.bc_id IN (
      SELECT
        k.bc_id
      FROM
        sites k
      WHERE
        k.tenant_id = $1
        AND k.id = ANY ($3::uuid[])
    )
    OR p.bc_id IN (
      SELECT
        k.bc_id
      FROM
        stores k
      WHERE
        k.tenant_id = $1
        AND k.id = ANY ($4::uuid[])
    )
  )
  AND p.name ILIKE $5
  AND p.status <> 3
ORDER BY
  p.name,
  p.number DESC
LIMIT 6;

-- search.products, shortest
SELECT
  p.id,
  p.code,
  p.name,
  p.brand,
  p.model,
  p.spec
FROM
  products p
WHERE
  p.tenant_id = $1::uuid
  AND (
    p.name ILIKE $2
    OR p.code ILIKE $2
    OR p.brand ILIKE $2
    OR p.model ILIKE $2
  )
ORDER BY
  p.status,
  p.code
LIMIT 6;

-- search.products, longest
SELECT
  p.id,
  p.code,
  p.name,
  p.brand,
  p.model,
  p.spec
FROM
  products p
WHERE
  p.tenant_id = $1::uuid
  AND (
    (
      p.bc_id IS NULL
      OR p.bc_id = ANY ($2::uuid[])
    )
    OR p.bc_id IN (
      SELECT
        k.bc_id
      FROM
        sites k
      WHERE
        k.tenant_id = $1
        AND k.id = ANY ($3::uuid[])
    )
    OR p.bc_id IN (
      SELECT
        k.bc_id
      FROM
        stores k
      WHERE
        k.tenant_id = $1
        AND k.id = ANY ($4::uuid[])
    )
  )
  AND (
    p.name ILIKE $5
    OR p.code ILIKE $5
    OR p.brand ILIKE $5
    OR p.model ILIKE $5
  )
ORDER BY
  p.status,
  p.code
LIMIT 6;

-- search.sites, shortest
SELECT
  w.id,
  w.code,
  w.ws_name,
  w.address
FROM
  sites w
  LEFT JOIN owners o ON o.tenant_id = w.tenant_id
  AND o.id = w.owner_id
WHERE
  w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL
  AND (
    w.search LIKE $2
    OR o.name ILIKE $2
  )
ORDER BY
  w.code
LIMIT 6;

-- search.sites, longest
SELECT
  w.id,
  w.code,
  w.ws_name,
  w.address
FROM
  sites w
  LEFT JOIN owners o ON o.tenant_id = w.tenant_id
  AND o.id = w.owner_id
WHERE
  w.tenant_id = $1::uuid
  AND w.id = ANY ($2::uuid[])
  AND w.deleted_at IS NULL
  AND (
    w.search LIKE $3
    OR o.name ILIKE $3
  )
ORDER BY
  w.code
LIMIT 6;

-- search.workers, shortest
SELECT
  k.id,
  k.w_id,
  k.w_name,
  k.w_type
FROM
  workers k
WHERE
  k.tenant_id = $1::uuid
  AND k.deleted_at IS NULL
  AND k.search LIKE $2
ORDER BY
  k.status,
  k.w_id
LIMIT 6;

-- search.workers, longest
SELECT
  k.id,
  k.w_id,
  k.w_name,
  k.w_type
FROM
  workers k
WHERE
  k.tenant_id = $1::uuid
  AND (
    EXISTS (
      SELECT
        1
      FROM
        site_members m
      WHERE
        m.tenant_id = $1
        AND m.worker_id = k.id
        AND m.site_id = ANY ($2::uuid[])
    )
    OR k.user_id IN (
      SELECT
        unnest(ARRAY[o.manager_id, o.steward_id])
      FROM
        sites o
      WHERE
        o.tenant_id = $1
        AND o.id = ANY ($2::uuid[])
    )
  )
  AND k.deleted_at IS NULL
  AND k.search LIKE $3
ORDER BY
  k.status,
  k.w_id
LIMIT 6;
