-- companies.add
INSERT INTO companies (tenant_id, bc_id, bc_name, code, city, address, principal, phone, receives_orders,
    lng, lat, status, sort)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce(max(sort), 0) + 1
FROM companies
WHERE tenant_id = $1;

-- companies.del
DELETE FROM companies WHERE tenant_id = $1 AND bc_id = $2;

-- companies.edit
UPDATE companies
SET bc_name = $3, code = $4, city = $5, address = $6, principal = $7, phone = $8, receives_orders = $9,
  lng = $10, lat = $11, status = $12, version = version + 1
WHERE tenant_id = $1 AND bc_id = $2;

-- companies.head
SELECT concat_ws(' ', t.name, c.bc_name) AS name, c.address, c.phone
FROM companies c
JOIN tenants t ON t.id = c.tenant_id
WHERE c.tenant_id = $1 AND c.bc_id = $2;

-- companies.helpers
DELETE FROM user_branches WHERE tenant_id = $1 AND bc_id = $2;

-- companies.lock
SELECT bc_id AS id, bc_name, code, city, address, principal, phone, receives_orders AS "receivesOrders", lng, lat,
status, version FROM companies WHERE tenant_id = $1 AND bc_id = $2 FOR UPDATE;

-- companies.name
SELECT c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2;

-- companies.page
WITH page AS MATERIALIZED (SELECT c.* FROM companies c WHERE c.tenant_id = $1::uuid ORDER BY c.city ASC,
  c.bc_id LIMIT 3)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT c.bc_id AS id, c.code, c.bc_name, c.city, c.address, c.principal, c.phone, c.lng, c.lat,
        (SELECT count(*)::int FROM stores t WHERE t.tenant_id = c.tenant_id AND t.bc_id = c.bc_id) AS stores,
          (SELECT count(*)::int FROM sites w WHERE w.tenant_id = c.tenant_id AND w.bc_id = c.bc_id
  AND w.deleted_at IS NULL) AS sites,
    (SELECT count(*)::int FROM users u WHERE u.tenant_id = c.tenant_id AND u.bc_id = c.bc_id
  AND u.deleted_at IS NULL) AS users, c.receives_orders AS "receivesOrders",
        (SELECT count(*)::int FROM orders o WHERE o.tenant_id = c.tenant_id AND o.receiver_id = c.bc_id
  AND o.receive_state = 0) AS "ordersWaiting",
        (SELECT count(*)::int FROM orders o WHERE o.tenant_id = c.tenant_id AND o.receiver_id = c.bc_id
  AND o.receive_state = 2) AS "ordersTaken",
        c.status, c.sort, c.version FROM page c  ORDER BY c.city ASC, c.bc_id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM companies c WHERE c.tenant_id = $1::uuid)::int AS total;

-- companies.same
SELECT code
FROM companies
WHERE tenant_id = $1 AND (code = $2 OR bc_name = $3) AND ($4::uuid IS NULL OR bc_id <> $4);

-- companies.settings
DELETE FROM settings WHERE tenant_id = $1 AND bc_id = $2;

-- companies.ties
SELECT (SELECT count(*)::int FROM users WHERE tenant_id = $1 AND bc_id = $2) AS users,
  (SELECT count(*)::int FROM stores WHERE tenant_id = $1 AND bc_id = $2) AS stores,
    (SELECT count(*)::int FROM sites WHERE tenant_id = $1 AND bc_id = $2) AS sites,
(SELECT count(*)::int FROM workers WHERE tenant_id = $1 AND bc_id = $2) AS workers,
  (SELECT count(*)::int FROM devices WHERE tenant_id = $1 AND bc_id = $2) AS devices,
(SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND bc_id = $2) AS orders,
(SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND receiver_id = $2) AS received,
(SELECT count(*)::int FROM dispatches WHERE tenant_id = $1 AND (bc_id = $2 OR receiver_id = $2)) AS notes,
(SELECT count(*)::int FROM goods_changes WHERE tenant_id = $1 AND (bc_id = $2 OR receiver_id = $2)) AS changes;

-- stores.add
INSERT INTO stores (tenant_id, id, bc_id, name, address, principal, phone, lng, lat, status, receives_orders)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- stores.branch
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2;

-- stores.del
DELETE FROM stores WHERE tenant_id = $1 AND id = $2;

-- stores.edit
UPDATE stores
SET name = $3, address = $4, principal = $5, phone = $6, lng = $7, lat = $8, status = $9,
  receives_orders = $10, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- stores.left
DELETE FROM user_stores WHERE tenant_id = $1 AND store_id = $2;

-- stores.lock
SELECT id, bc_id, name, address, principal, phone, lng, lat, receives_orders AS "receivesOrders", status,
  version
FROM stores
WHERE tenant_id = $1 AND id = $2
FOR UPDATE;

-- stores.page
WITH page AS MATERIALIZED (SELECT t.* FROM stores t WHERE t.tenant_id = $1::uuid ORDER BY t.bc_id, t.name,
  t.id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT t.id, t.name, t.bc_id, c.bc_name, t.address, t.principal, t.phone, t.lng, t.lat,
        (SELECT count(*)::int FROM user_stores us JOIN users u ON u.tenant_id = us.tenant_id AND u.id = us.user_id
  AND u.deleted_at IS NULL WHERE us.tenant_id = t.tenant_id AND us.store_id = t.id) AS users,
    t.receives_orders AS "receivesOrders", t.status,
      t.version FROM page t JOIN companies c ON c.tenant_id = t.tenant_id AND c.bc_id = t.bc_id ORDER BY t.bc_id,
        t.name, t.id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM stores t WHERE t.tenant_id = $1::uuid)::int AS total;

-- stores.same
SELECT 1 FROM stores WHERE tenant_id = $1 AND bc_id = $2 AND name = $3 AND ($4::uuid IS NULL OR id <> $4);

-- stores.ties
SELECT
(SELECT count(*)::int FROM user_stores us JOIN users u ON u.tenant_id = us.tenant_id
  AND u.id = us.user_id AND u.deleted_at IS NULL WHERE us.tenant_id = $1 AND us.store_id = $2) AS users,
(SELECT count(*)::int FROM sites WHERE tenant_id = $1 AND store_id = $2) AS sites,
(SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND receiver_id = $2) AS orders,
(SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.store_id = $2
  AND s.revoked_at IS NULL) AS screens,
(SELECT count(*)::int FROM arrangements a WHERE a.tenant_id = $1 AND a.store_id = $2) AS arrangements;

-- stores.unanswered
SELECT o.id, o.code, o.bc_id, o.site_id, o.made_by
FROM orders o
WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.receive_state = 0 AND o.ended = ''
ORDER BY o.code;
