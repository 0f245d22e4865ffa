-- search.changes, shortest
SELECT
  g.id,
  g.code,
  g.state,
  o.receiver_name AS receiver,
  o.community
FROM
  goods_changes g
  JOIN orders o ON o.tenant_id = $1
  AND o.id = g.order_id
WHERE
  g.tenant_id = $1::uuid
  AND lower(g.code) LIKE $2
ORDER BY
  g.made_at DESC,
  g.id
LIMIT 6;

-- search.changes, longest
SELECT
  g.id,
  g.code,
  g.state,
  o.receiver_name AS receiver,
  o.community
FROM
  goods_changes g
  JOIN orders o ON o.tenant_id = $1
  AND o.id = g.order_id
WHERE
  g.tenant_id = $1::uuid
  AND (
    g.bc_id = ANY ($2::uuid[])
    OR g.receiver_id = ANY ($3::uuid[])
  )
  AND lower(g.code) LIKE $4
ORDER BY
  g.made_at DESC,
  g.id
LIMIT 6;

-- search.contracts, shortest
SELECT
  c.id,
  c.code,
  k.name,
  c.state
FROM
  contracts c
  JOIN customers k ON k.tenant_id = $1
  AND k.id = c.customer_id
WHERE
  c.tenant_id = $1::uuid
  AND (
    lower(c.code) LIKE $2
    OR EXISTS (
      SELECT
        1
      FROM
        customers k
      WHERE
        k.tenant_id = $1
        AND k.id = c.customer_id
        AND lower(k.name) LIKE $2
    )
    OR EXISTS (
      SELECT
        1
      FROM
        sites s
      WHERE
        s.tenant_id = $1
        AND s.id = c.site_id
        AND s.search LIKE $2
    )
  )
ORDER BY
  c.made_at DESC,
  c.id
LIMIT 6;

-- search.contracts, longest
SELECT
  c.id,
  c.code,
  k.name,
  c.state
FROM
  contracts c
  JOIN customers k ON k.tenant_id = $1
  AND k.id = c.customer_id
WHERE
  c.tenant_id = $1::uuid
  AND (
    c.bc_id = ANY ($2::uuid[])
    OR c.store_id = ANY ($3::uuid[])
  )
  AND (
    lower(c.code) LIKE $4
    OR EXISTS (
      SELECT
        1
      FROM
        customers k
      WHERE
        k.tenant_id = $1
        AND k.id = c.customer_id
        AND lower(k.name) LIKE $4
    )
    OR EXISTS (
      SELECT
        1
      FROM
        sites s
      WHERE
        s.tenant_id = $1
        AND s.id = c.site_id
        AND s.search LIKE $4
    )
  )
ORDER BY
  c.made_at DESC,
  c.id
LIMIT 6;

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

-- search.notes, shortest
SELECT
  d.id,
  d.code,
  d.state,
  o.receiver_name AS receiver,
  o.community
FROM
  dispatches d
  JOIN orders o ON o.tenant_id = $1
  AND o.id = d.order_id
WHERE
  d.tenant_id = $1::uuid
  AND lower(d.code) LIKE $2
ORDER BY
  d.made_at DESC,
  d.id
LIMIT 6;

-- search.notes, longest
SELECT
  d.id,
  d.code,
  d.state,
  o.receiver_name AS receiver,
  o.community
FROM
  dispatches d
  JOIN orders o ON o.tenant_id = $1
  AND o.id = d.order_id
WHERE
  d.tenant_id = $1::uuid
  AND (
    d.bc_id = ANY ($2::uuid[])
    OR d.receiver_id = ANY ($3::uuid[])
  )
  AND lower(d.code) LIKE $4
ORDER BY
  d.made_at DESC,
  d.id
LIMIT 6;

-- search.orders, shortest
SELECT
  o.id,
  o.code,
  o.community,
  o.receiver_name AS receiver,
  o.order_state AS state
FROM
  orders o
WHERE
  o.tenant_id = $1::uuid
  AND (
    lower(o.code) LIKE $2
    OR lower(o.community) LIKE $2
  )
ORDER BY
  o.made_at DESC,
  o.id
LIMIT 6;

-- search.orders, longest
SELECT
  o.id,
  o.code,
  o.community,
  o.receiver_name AS receiver,
  o.order_state AS state
FROM
  orders o
WHERE
  o.tenant_id = $1::uuid
  AND (
    o.bc_id = ANY ($2::uuid[])
    OR o.receiver_id = ANY ($3::uuid[])
  )
  AND (
    lower(o.code) LIKE $4
    OR lower(o.community) LIKE $4
  )
ORDER BY
  o.made_at DESC,
  o.id
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

-- search.quotations, shortest
SELECT
  q.id,
  q.code,
  k.name,
  k.community,
  q.status
FROM
  quotations q
  JOIN customers k ON k.tenant_id = $1
  AND k.id = q.customer_id
WHERE
  q.tenant_id = $1::uuid
  AND (
    q.code ILIKE $2
    OR k.name ILIKE $2
    OR k.community ILIKE $2
  )
ORDER BY
  q.status = 6,
  q.changed_at DESC,
  q.id
LIMIT 6;

-- search.quotations, longest
SELECT
  q.id,
  q.code,
  k.name,
  k.community,
  q.status
FROM
  quotations q
  JOIN customers k ON k.tenant_id = $1
  AND k.id = q.customer_id
WHERE
  q.tenant_id = $1::uuid
  AND (
    q.bc_id = ANY ($2::uuid[])
    OR q.store_id = ANY ($3::uuid[])
  )
  AND (
    q.code ILIKE $4
    OR k.name ILIKE $4
    OR k.community ILIKE $4
  )
ORDER BY
  q.status = 6,
  q.changed_at DESC,
  q.id
LIMIT 6;

-- search.sheets, shortest
SELECT
  d.id,
  d.sheet_code AS code,
  d.check_state AS state,
  o.receiver_name AS receiver,
  o.community
FROM
  dispatches d
  JOIN orders o ON o.tenant_id = $1
  AND o.id = d.order_id
WHERE
  d.tenant_id = $1::uuid
  AND d.check_state IS NOT NULL
  AND lower(d.sheet_code) LIKE $2
ORDER BY
  d.delivered_at DESC,
  d.id
LIMIT 6;

-- search.sheets, longest
SELECT
  d.id,
  d.sheet_code AS code,
  d.check_state AS state,
  o.receiver_name AS receiver,
  o.community
FROM
  dispatches d
  JOIN orders o ON o.tenant_id = $1
  AND o.id = d.order_id
WHERE
  d.tenant_id = $1::uuid
  AND (
    d.bc_id = ANY ($2::uuid[])
    OR d.receiver_id = ANY ($3::uuid[])
  )
  AND d.check_state IS NOT NULL
  AND lower(d.sheet_code) LIKE $4
ORDER BY
  d.delivered_at DESC,
  d.id
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

-- search.statements, shortest
SELECT
  s.id,
  s.code,
  s.receiver_name AS receiver,
  to_char(s.month, 'YYYY-MM') AS month,
  s.bc_name AS scope,
  s.state
FROM
  statements s
WHERE
  s.tenant_id = $1::uuid
  AND (
    true
    OR s.sent_at IS NOT NULL
  )
  AND lower(s.code || ' ' || s.receiver_name) LIKE $2
ORDER BY
  s.month DESC,
  s.code DESC
LIMIT 6;

-- search.statements, longest
SELECT
  s.id,
  s.code,
  s.receiver_name AS receiver,
  to_char(s.month, 'YYYY-MM') AS month,
  s.bc_name AS scope,
  s.state
FROM
  statements s
WHERE
  s.tenant_id = $1::uuid
  AND (
    s.bc_id = ANY ($2::uuid[])
    OR s.receiver_id = ANY ($3::uuid[])
  )
  AND (
    (s.bc_id = ANY ($2::uuid[]))
    OR s.sent_at IS NOT NULL
  )
  AND lower(s.code || ' ' || s.receiver_name) LIKE $4
ORDER BY
  s.month DESC,
  s.code DESC
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
