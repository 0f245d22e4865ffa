-- search.cases
SELECT k.id, k.title, w.ws_name AS site, k.state
FROM cases k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
WHERE k.tenant_id = $1::uuid AND (k.title ILIKE $2 OR w.ws_name ILIKE $2 OR w.community ILIKE $2)
ORDER BY k.changed_at DESC, k.id
LIMIT 6;

-- search.changes
SELECT g.id, g.code, g.state, o.receiver_name AS receiver, o.community
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
WHERE g.tenant_id = $1::uuid AND lower(g.code) LIKE $2
ORDER BY g.made_at DESC, g.id
LIMIT 6;

-- search.contracts
SELECT c.id, c.code, k.name, c.state
FROM contracts c
JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
WHERE c.tenant_id = $1::uuid AND (lower(c.code) LIKE $2
  OR EXISTS (SELECT 1 FROM customers k WHERE k.tenant_id = $1 AND k.id = c.customer_id AND lower(k.name) LIKE $2)
  OR EXISTS (SELECT 1 FROM sites s WHERE s.tenant_id = $1 AND s.id = c.site_id AND s.search LIKE $2))
ORDER BY c.made_at DESC, c.id
LIMIT 6;

-- search.devices
SELECT d.id, d.sn,
  d.model FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND lower(d.sn) LIKE $2
    ORDER BY d.sn LIMIT 6;

-- search.feedback
SELECT f.id, f.no, f.kind, f.status, w.ws_name AS site
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND lower(f.no) LIKE $3
ORDER BY f.entered_at DESC, f.id
LIMIT 6;

-- search.messages
SELECT m.id, m.site_id, m.who, left(m.words, 60) AS words, w.ws_name AS site
FROM thread_messages m
JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id
WHERE m.tenant_id = $1::uuid AND m.words ILIKE $2
ORDER BY m.at DESC, m.id
LIMIT 6;

-- search.notes
SELECT d.id, d.code, d.state, o.receiver_name AS receiver, o.community
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
WHERE d.tenant_id = $1::uuid AND lower(d.code) LIKE $2
ORDER BY d.made_at DESC, d.id
LIMIT 6;

-- search.orders
SELECT o.id, o.code, o.community, o.receiver_name AS receiver, o.order_state AS state
FROM orders o
WHERE o.tenant_id = $1::uuid AND (lower(o.code) LIKE $2 OR lower(o.community) LIKE $2)
ORDER BY o.made_at DESC, o.id
LIMIT 6;

-- search.owners
SELECT h.id, h.site_id AS site, coalesce(h.name, o.name) AS name, h.relation, w.ws_name AS "siteName"
FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1::uuid AND h.id IN (SELECT x.id FROM home_contacts x
    WHERE x.tenant_id = $1 AND x.ended_at IS NULL AND (x.name ILIKE $2 OR x.phone <> '' AND x.phone = $3)
  UNION ALL
  SELECT x.id FROM owners o
    JOIN home_contacts x ON x.tenant_id = $1 AND x.owner_id = o.id AND x.ended_at IS NULL
    WHERE o.tenant_id = $1 AND (o.name ILIKE $2 OR o.phone <> '' AND o.phone = $3))
ORDER BY h.owner_id IS NULL, h.since DESC, h.id
LIMIT 6;

-- search.owners.explain
EXPLAIN SELECT h.id, h.site_id AS site, coalesce(h.name, o.name) AS name, h.relation, w.ws_name AS "siteName"
FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1::uuid AND h.bc_id = $2::uuid AND h.id IN (SELECT x.id FROM home_contacts x
    WHERE x.tenant_id = $1 AND x.ended_at IS NULL AND (x.name ILIKE $3 OR x.phone <> '' AND x.phone = $4)
  UNION ALL
  SELECT x.id FROM owners o
    JOIN home_contacts x ON x.tenant_id = $1 AND x.owner_id = o.id AND x.ended_at IS NULL
    WHERE o.tenant_id = $1 AND (o.name ILIKE $3 OR o.phone <> '' AND o.phone = $4))
ORDER BY h.owner_id IS NULL, h.since DESC, h.id
LIMIT 6;

-- search.packages
SELECT p.id, p.name, p.number, p.status
FROM packages p
WHERE p.tenant_id = $1::uuid AND p.name ILIKE $2 AND p.status <> 3
ORDER BY p.name, p.number DESC
LIMIT 6;

-- search.products
SELECT p.id, p.code, p.name, p.brand, p.model, p.spec
FROM products p
WHERE p.tenant_id = $1::uuid AND (p.name ILIKE $2 OR p.code ILIKE $2 OR p.brand ILIKE $2 OR p.model ILIKE $2)
ORDER BY p.status, p.code
LIMIT 6;

-- search.promises
SELECT p.id, p.content, w.ws_name AS site, p.due::text AS due, p.state
FROM promises p
JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
WHERE p.tenant_id = $1::uuid AND p.content ILIKE $2
ORDER BY p.place, p.id
LIMIT 6;

-- search.questions
SELECT q.id, q.words, q.site_id, w.ws_name AS site, q.needed_by::text AS needed, q.state
FROM questions q
JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
WHERE q.tenant_id = $1::uuid AND q.words ILIKE $2
ORDER BY q.closed_at DESC, q.needed_by, q.id DESC
LIMIT 6;

-- search.quotations
SELECT q.id, q.code, k.name, k.community, q.status
FROM quotations q
JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
WHERE q.tenant_id = $1::uuid AND (q.code ILIKE $2 OR k.name ILIKE $2 OR k.community ILIKE $2)
ORDER BY q.status = 6, q.changed_at DESC, q.id
LIMIT 6;

-- search.sheets
SELECT d.id, d.sheet_code AS code, d.check_state AS state, o.receiver_name AS receiver, o.community
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
WHERE d.tenant_id = $1::uuid AND d.check_state IS NOT NULL AND lower(d.sheet_code) LIKE $2
ORDER BY d.delivered_at DESC, d.id
LIMIT 6;

-- search.sites
SELECT w.id, w.code, w.ws_name, CASE WHEN true THEN w.address ELSE w.community END AS address,
  (SELECT o.name FROM owners o
    WHERE o.tenant_id = $1 AND o.id = w.owner_id AND o.name ILIKE $3) AS owner
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id IN (
    SELECT x.id FROM sites x WHERE x.tenant_id = $1 AND x.search LIKE $2
    UNION ALL
    SELECT x.id FROM owners o
      JOIN sites x ON x.tenant_id = $1 AND x.owner_id = o.id
      WHERE o.tenant_id = $1 AND o.name ILIKE $2) AND ($3::text IS NULL OR true)
ORDER BY w.code
LIMIT 6;

-- search.sites.explain
EXPLAIN SELECT w.id, w.code, w.ws_name, CASE WHEN false THEN w.address ELSE w.community END AS address,
  (SELECT o.name FROM owners o
    WHERE o.tenant_id = $1 AND o.id = w.owner_id AND o.name ILIKE $4) AS owner
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.bc_id = $2::uuid AND w.deleted_at IS NULL AND w.id IN (
    SELECT x.id FROM sites x WHERE x.tenant_id = $1 AND (x.search LIKE $3 AND (false
      OR translate(lower(x.code || '|' || x.ws_name || '|' || x.community || '|'
    || coalesce(x.initials, '')), ' 　', '') LIKE $3))
    UNION ALL
    SELECT x.id FROM owners o
      JOIN sites x ON x.tenant_id = $1 AND x.owner_id = o.id
      WHERE o.tenant_id = $1 AND o.name ILIKE $3) AND ($4::text IS NULL OR true)
ORDER BY w.code
LIMIT 6;

-- search.statements
SELECT s.id, s.code, s.receiver_name AS receiver, to_char(s.month, 'YYYY-MM') AS month, s.bc_name AS scope, s.state
FROM statements s
WHERE s.tenant_id = $1::uuid AND (true OR s.sent_at IS NOT NULL) AND lower(s.code || ' ' || s.receiver_name) LIKE $2
ORDER BY s.month DESC, s.code DESC
LIMIT 6;

-- search.workers
SELECT k.id, k.w_id, k.w_name, k.w_type
FROM workers k
WHERE k.tenant_id = $1::uuid AND k.deleted_at IS NULL AND k.search LIKE $2
ORDER BY k.status, k.w_id
LIMIT 6;
