-- customers.add
INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, community, address, area, consultant_id,
  created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now);

-- customers.branch
SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.bc_id = $3 AND c.status = 1;

-- customers.consultant
SELECT 1 FROM users u
WHERE u.tenant_id = $1 AND u.id = $3 AND u.status = 1 AND u.deleted_at IS NULL AND u.bc_id = $2;

-- customers.edit
UPDATE customers
SET store_id = $3, name = $4, phone = $5, community = $6, address = $7, area = $8, consultant_id = $9,
  version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.lock
SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  k.phone AS phone, k.community, k.address, trim_scale(k.area)::text AS area,
  k.consultant_id, coalesce(u.nickname, '') AS "consultantName", k.version
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid
FOR UPDATE OF k;

-- customers.own
UPDATE customers
SET owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $3), version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.pick
SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  masked_phone(k.phone) AS phone, k.community, k.address, trim_scale(k.area)::text AS area,
  k.consultant_id, coalesce(u.nickname, '') AS "consultantName", k.version
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
WHERE k.tenant_id = $1::uuid
ORDER BY k.created_at DESC, k.id
LIMIT 20;

-- customers.same
SELECT k.name, coalesce(s.name, c.bc_name) AS place, coalesce(u.nickname, '') AS consultant
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.phone = $3 AND k.id IS DISTINCT FROM $4;

-- customers.store
SELECT 1 FROM stores s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.id = $3;

-- customers.stores
SELECT s.store_id AS id, s.bc_id, s.name
FROM (
  SELECT t.tenant_id, t.id AS store_id, t.bc_id, t.name
  FROM stores t
  WHERE t.tenant_id = $1 AND t.status = 1
) s
WHERE s.tenant_id = $1::uuid
ORDER BY s.name, s.store_id;
