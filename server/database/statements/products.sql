-- categories.add
INSERT INTO product_categories (tenant_id, id, parent_id, name, stage, receiver_bc, receiver_store, lead_days)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- categories.below
SELECT (SELECT count(*)::int FROM product_categories g WHERE g.tenant_id = $1 AND g.parent_id = $2) AS below,
(SELECT count(*)::int FROM products p WHERE p.tenant_id = $1 AND p.category_id = $2) AS products;

-- categories.edit
UPDATE product_categories
SET name = $3, stage = $4, receiver_bc = $5, receiver_store = $6, lead_days = $7, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- categories.list
SELECT g.id, g.parent_id, g.name, g.stage, coalesce(g.receiver_bc, g.receiver_store) AS receiver_id,
  coalesce(s.name, c.bc_name, '') AS "receiverName", g.lead_days::int AS "leadDays",
  (SELECT count(*)::int FROM products p WHERE p.tenant_id = $1 AND p.category_id = g.id) AS products, g.version
FROM product_categories g LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = g.receiver_store
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.receiver_bc
WHERE g.tenant_id = $1
ORDER BY g.name COLLATE "zh-x-icu", g.id;

-- categories.lock
SELECT g.id, g.parent_id, g.name, g.stage, coalesce(g.receiver_bc, g.receiver_store) AS receiver_id,
  coalesce(s.name, c.bc_name, '') AS "receiverName", g.lead_days::int AS "leadDays",
  (SELECT count(*)::int FROM products p WHERE p.tenant_id = $1 AND p.category_id = g.id) AS products, g.version
FROM product_categories g LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = g.receiver_store
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.receiver_bc
WHERE g.tenant_id = $1 AND g.id = $2
FOR UPDATE OF g;

-- categories.remove
DELETE FROM product_categories WHERE tenant_id = $1 AND id = $2;

-- categories.same
SELECT 1
FROM product_categories g
WHERE g.tenant_id = $1 AND g.parent_id IS NOT DISTINCT FROM $2 AND g.name = $3 AND g.id IS DISTINCT FROM $4;

-- products.add
INSERT INTO products (tenant_id, id, bc_id, code, name, kind, category_id, brand, model, spec, unit, stage,
  receiver_bc, receiver_store, lead_days, pack, least, removal_price, picture)
SELECT $1, x.*
FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, code text, name text, kind text, category_id uuid,
  brand text, model text,
  spec text, unit text, stage text, receiver_bc uuid, receiver_store uuid, lead_days int, pack numeric,
  least numeric, removal_price numeric, picture text)
ON CONFLICT (tenant_id, code) DO NOTHING
RETURNING code;

-- products.addprice
INSERT INTO product_prices (tenant_id, id, product_id, bc_id, from_on, price, cost, reason, set_by, set_at)
SELECT $1, x.id, x.product, x.bc, x.from, x.price, x.cost, x.reason, $3, :now
FROM json_to_recordset($2::json) AS x(id uuid, product uuid, bc uuid, "from" date, price numeric, cost numeric,
  reason text);

-- products.branches
SELECT c.bc_id FROM companies c WHERE c.tenant_id = $1::uuid LIMIT 2;

-- products.brands
SELECT DISTINCT p.brand COLLATE "zh-x-icu" AS brand FROM products p WHERE p.tenant_id = $1::uuid AND p.brand <> ''
  ORDER BY 1 LIMIT 500;

-- products.byid
SELECT p.id, p.code, p.bc_id, coalesce(c.bc_name, '') AS bc_name, p.name, p.kind, p.category_id,
   concat_ws(' / ', i.name, h.name, g.name) AS category, p.brand, p.model, p.spec, p.unit,
   coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc, g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store) AS receiver_id, coalesce(s.name, m.bc_name,
    '') AS "receiverName", coalesce(p.stage, g.stage, h.stage, i.stage) AS stage,
   coalesce(p.lead_days, g.lead_days, h.lead_days, i.lead_days)::int AS "leadDays", trim_scale(p.pack)::text AS pack,
   trim_scale(p.least)::text AS least, trim_scale(p.removal_price)::text AS "removalPrice", p.picture,
   NULL::text AS cost, trim_scale(v.price)::text AS price,
   CASE WHEN v.price IS NULL THEN (SELECT count(DISTINCT x.bc_id)::int FROM product_prices x
     WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $4::date) ELSE 0 END AS "pricedIn",
   (SELECT min(x.from_on)::text FROM product_prices x WHERE x.tenant_id = $1 AND x.product_id = p.id
     AND x.from_on > $4::date
     AND (x.bc_id = $3::uuid OR x.bc_id IS NULL AND v.bc_id IS NULL)) AS "nextFrom", p.status, p.version
 FROM products p JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN companies m ON m.tenant_id = $1 AND m.bc_id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN LATERAL (
  SELECT x.price, x.cost, x.bc_id FROM product_prices x
  WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $4::date
    AND (x.bc_id IS NULL OR x.bc_id = $3::uuid)
  ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
  LIMIT 1) v ON true
 WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- products.category
SELECT g.id FROM product_categories g WHERE g.tenant_id = $1 AND g.id = $2 FOR KEY SHARE;

-- products.detail
SELECT p.id, p.code, p.bc_id, coalesce(c.bc_name, '') AS bc_name, p.name, p.kind, p.category_id,
   concat_ws(' / ', i.name, h.name, g.name) AS category, p.brand, p.model, p.spec, p.unit,
   coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc, g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store) AS receiver_id, coalesce(s.name, m.bc_name,
    '') AS "receiverName", coalesce(p.stage, g.stage, h.stage, i.stage) AS stage,
   coalesce(p.lead_days, g.lead_days, h.lead_days, i.lead_days)::int AS "leadDays", trim_scale(p.pack)::text AS pack,
   trim_scale(p.least)::text AS least, trim_scale(p.removal_price)::text AS "removalPrice", p.picture,
   trim_scale(v.cost)::text AS cost, trim_scale(v.price)::text AS price,
   CASE WHEN v.price IS NULL THEN (SELECT count(DISTINCT x.bc_id)::int FROM product_prices x
     WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $4::date) ELSE 0 END AS "pricedIn",
   (SELECT min(x.from_on)::text FROM product_prices x WHERE x.tenant_id = $1 AND x.product_id = p.id
     AND x.from_on > $4::date
     AND (x.bc_id = $3::uuid OR x.bc_id IS NULL AND v.bc_id IS NULL)) AS "nextFrom", p.status, p.version,
       json_build_object('receiver_id', coalesce(p.receiver_bc, p.receiver_store), 'stage', p.stage,
     'leadDays', p.lead_days) AS own
 FROM products p JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN companies m ON m.tenant_id = $1 AND m.bc_id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN LATERAL (
  SELECT x.price, x.cost, x.bc_id FROM product_prices x
  WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $4::date
    AND (x.bc_id IS NULL OR x.bc_id = $3::uuid)
  ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
  LIMIT 1) v ON true
 WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- products.edit
UPDATE products
SET name = $3, kind = $4, category_id = $5, brand = $6, model = $7, spec = $8, unit = $9, stage = $10,
  receiver_bc = $11, receiver_store = $12, lead_days = $13, pack = $14, least = $15, removal_price = $16,
  picture = $17, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- products.grow
UPDATE products SET version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- products.lock
SELECT p.id, p.code, p.bc_id, p.name, p.kind, p.category_id, p.brand, p.model, p.spec, p.unit, p.stage,
  coalesce(p.receiver_bc, p.receiver_store) AS receiver_id,
  json_build_object('bc', p.receiver_bc, 'store', p.receiver_store) AS receiver, p.lead_days::int AS "leadDays",
  trim_scale(p.pack)::text AS pack, trim_scale(p.least)::text AS least,
  trim_scale(p.removal_price)::text AS "removalPrice", p.picture, p.status, p.version
FROM products p
WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid
FOR UPDATE OF p;

-- products.named
SELECT c.bc_id AS id, c.bc_name AS name, false AS store
FROM companies c
WHERE c.tenant_id = $1 AND c.receives_orders AND c.bc_name = ANY ($2)
UNION ALL
SELECT s.id, s.name, true
FROM stores s
WHERE s.tenant_id = $1 AND s.receives_orders AND s.name = ANY ($2);

-- products.page
WITH page AS MATERIALIZED (SELECT p.* FROM products p JOIN product_categories g ON g.tenant_id = $1
  AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id WHERE p.tenant_id = $1::uuid
  ORDER BY p.code ASC, p.id ASC LIMIT 20)
 SELECT coalesce((SELECT json_agg(r)
     FROM (SELECT p.id, p.code, p.bc_id, coalesce(c.bc_name, '') AS bc_name, p.name, p.kind, p.category_id,
   concat_ws(' / ', i.name, h.name, g.name) AS category, p.brand, p.model, p.spec, p.unit,
   coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc, g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store) AS receiver_id, coalesce(s.name, m.bc_name,
    '') AS "receiverName", coalesce(p.stage, g.stage, h.stage, i.stage) AS stage,
   coalesce(p.lead_days, g.lead_days, h.lead_days, i.lead_days)::int AS "leadDays", trim_scale(p.pack)::text AS pack,
   trim_scale(p.least)::text AS least, trim_scale(p.removal_price)::text AS "removalPrice", p.picture,
   trim_scale(v.cost)::text AS cost, trim_scale(v.price)::text AS price,
   CASE WHEN v.price IS NULL THEN (SELECT count(DISTINCT x.bc_id)::int FROM product_prices x
     WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $2::date) ELSE 0 END AS "pricedIn",
   (SELECT min(x.from_on)::text FROM product_prices x WHERE x.tenant_id = $1 AND x.product_id = p.id
     AND x.from_on > $2::date
     AND (x.bc_id = NULL::uuid OR x.bc_id IS NULL AND v.bc_id IS NULL)) AS "nextFrom", p.status,
       p.version FROM page p JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN companies m ON m.tenant_id = $1 AND m.bc_id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN LATERAL (
  SELECT x.price, x.cost, x.bc_id FROM product_prices x
  WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $2::date
    AND (x.bc_id IS NULL OR x.bc_id = NULL::uuid)
  ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
  LIMIT 1) v ON true ORDER BY p.code ASC, p.id ASC) r), '[]'::json)::text AS list,
   (SELECT count(*) FROM products p JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id WHERE p.tenant_id = $1::uuid)::int AS total;

-- products.paths
SELECT g.id, concat_ws('/', i.name, h.name, g.name) AS path, g.name
FROM product_categories g
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
WHERE g.tenant_id = $1;

-- products.pick
SELECT p.id, p.code, p.bc_id, coalesce(c.bc_name, '') AS bc_name, p.name, p.kind, p.category_id,
   concat_ws(' / ', i.name, h.name, g.name) AS category, p.brand, p.model, p.spec, p.unit,
   coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc, g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store) AS receiver_id, coalesce(s.name, m.bc_name,
    '') AS "receiverName", coalesce(p.stage, g.stage, h.stage, i.stage) AS stage,
   coalesce(p.lead_days, g.lead_days, h.lead_days, i.lead_days)::int AS "leadDays", trim_scale(p.pack)::text AS pack,
   trim_scale(p.least)::text AS least, trim_scale(p.removal_price)::text AS "removalPrice", p.picture,
   trim_scale(v.cost)::text AS cost, trim_scale(v.price)::text AS price,
   CASE WHEN v.price IS NULL THEN (SELECT count(DISTINCT x.bc_id)::int FROM product_prices x
     WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $2::date) ELSE 0 END AS "pricedIn",
   (SELECT min(x.from_on)::text FROM product_prices x WHERE x.tenant_id = $1 AND x.product_id = p.id
     AND x.from_on > $2::date
     AND (x.bc_id = NULL::uuid OR x.bc_id IS NULL AND v.bc_id IS NULL)) AS "nextFrom", p.status, p.version
 FROM products p JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories i ON i.tenant_id = $1 AND i.id = h.parent_id
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN companies m ON m.tenant_id = $1 AND m.bc_id = coalesce(p.receiver_bc, p.receiver_store, g.receiver_bc,
  g.receiver_store,
  h.receiver_bc, h.receiver_store, i.receiver_bc, i.receiver_store)
LEFT JOIN LATERAL (
  SELECT x.price, x.cost, x.bc_id FROM product_prices x
  WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= $2::date
    AND (x.bc_id IS NULL OR x.bc_id = NULL::uuid)
  ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
  LIMIT 1) v ON true
 WHERE p.tenant_id = $1::uuid AND p.status = 1 AND (v.price IS NOT NULL OR false)
 ORDER BY p.code
 LIMIT 50;

-- products.priceon
SELECT trim_scale(x.price)::text AS price, trim_scale(x.cost)::text AS cost
FROM product_prices x
WHERE x.tenant_id = $1 AND x.product_id = $2
  AND ($5 OR x.from_on <= $4::date AND (x.bc_id IS NULL OR x.bc_id = $3))
ORDER BY x.bc_id NULLS LAST, x.from_on DESC, x.id DESC
LIMIT 1;

-- products.prices
SELECT x.id, x.bc_id, coalesce(c.bc_name, '') AS bc_name, x.from_on::text AS from,
  trim_scale(x.price)::text AS price, trim_scale(x.cost)::text AS cost, x.reason,
  x.set_by AS by, floor(extract(epoch FROM x.set_at))::float8 AS at, coalesce(x.id = (
    SELECT y.id FROM product_prices y
    WHERE y.tenant_id = $1 AND y.product_id = x.product_id AND y.from_on <= $4::date
      AND (y.bc_id IS NULL OR y.bc_id = $3::uuid)
    ORDER BY y.bc_id NULLS LAST, y.from_on DESC, y.id DESC
    LIMIT 1), false) AS now
FROM product_prices x
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = x.bc_id
WHERE x.tenant_id = $1::uuid AND x.product_id = $2::uuid
ORDER BY x.from_on DESC, x.id DESC;

-- products.receivers
SELECT r.id, r.name, r.bc_name, r.store
FROM (
  SELECT c.tenant_id, c.bc_id, c.bc_id AS id, c.bc_name AS name, c.bc_name, false AS store
  FROM companies c
  WHERE c.tenant_id = $1 AND c.receives_orders AND c.status = 1
  UNION ALL
  SELECT s.tenant_id, s.bc_id, s.id, s.name, c.bc_name, true
  FROM stores s
  JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
  WHERE s.tenant_id = $1 AND s.receives_orders AND s.status = 1) r
WHERE r.tenant_id = $1::uuid
ORDER BY r.store, r.name
LIMIT 30;

-- products.shelve
UPDATE products SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- products.soldto
SELECT p.id FROM products p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid AND (p.bc_id IS NULL OR p.bc_id = $3::uuid);

-- products.taken
SELECT p.code FROM products p WHERE p.tenant_id = $1 AND p.code = ANY ($2);
