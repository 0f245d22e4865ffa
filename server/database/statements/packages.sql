-- packages.add
INSERT INTO packages (tenant_id, id, family_id, number, bc_id, name, per_square, least_area, from_on, to_on,
  remark, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- packages.addalternatives
INSERT INTO package_alternatives (tenant_id, item_id, product_id, sort, difference)
SELECT $1, x.item_id, x.product_id, x.sort, x.difference
FROM json_to_recordset($2::json) AS x(item_id uuid, product_id uuid, sort int, difference numeric);

-- packages.additems
INSERT INTO package_items (tenant_id, id, package_id, sort, room, product_id, base, factor, waste, removal_price)
SELECT $1, x.id, $2, x.sort, x.room, x.product_id, x.base, x.factor, x.waste, x.removal_price
FROM json_to_recordset($3::json) AS x(id uuid, sort int, room text, product_id uuid, base text, factor numeric,
  waste numeric, removal_price numeric);

-- packages.before
SELECT p.id FROM packages p WHERE p.tenant_id = $1 AND p.family_id = $2 AND p.status = 2;

-- packages.detail
SELECT p.id, p.bc_id, coalesce(c.bc_name, '全集团') AS bc_name, p.name, p.number,
trim_scale(p.per_square)::text AS "perSquareMetre", trim_scale(p.least_area)::text AS "leastArea",
p.from_on::text AS from, p.to_on::text AS to,
p.status = 2 AND coalesce(p.to_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false) AS expired, p.status,
EXISTS (SELECT 1 FROM packages d WHERE d.tenant_id = $1 AND d.family_id = p.family_id
  AND d.status = 1 AND d.id <> p.id) AS draft,
(SELECT count(*)::int FROM quotation_versions v
  JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id AND q.number = v.number
  WHERE v.tenant_id = $1 AND v.package_id = p.id AND q.status IN (1, 2, 3, 4)) AS quotations,
p.changed_by AS "changedBy", floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt", p.version,
  p.remark FROM packages p LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id WHERE p.tenant_id = $1::uuid
    AND p.id = $2::uuid;

-- packages.edit
UPDATE packages
SET name = $3, per_square = $4, least_area = $5, from_on = $6, to_on = $7, remark = $8, changed_by = $9,
  changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- packages.highest
SELECT max(p.number)::int AS number FROM packages p WHERE p.tenant_id = $1 AND p.family_id = $2;

-- packages.items
SELECT i.id, i.room, i.product_id, p.code, p.name, concat_ws(' ', nullif(p.brand, ''), nullif(p.model, ''),
    nullif(p.spec, '')) AS detail, p.unit, g.name AS category,
  (p.status = 1 AND EXISTS (
    SELECT 1 FROM product_prices x
    WHERE x.tenant_id = $1 AND x.product_id = p.id AND x.from_on <= (:now AT TIME ZONE 'Asia/Shanghai')::date
      AND (x.bc_id IS NULL OR x.bc_id = k.bc_id))) AS sold, i.base, trim_scale(i.factor)::text AS factor,
        trim_scale(i.waste)::text AS waste,
  trim_scale(i.removal_price)::text AS "removalPrice", coalesce((
    SELECT json_agg(json_build_object('product_id', a.product_id, 'name', q.name, 'detail', concat_ws(' ',
      nullif(q.brand, ''), nullif(q.model, ''),
    nullif(q.spec, '')),
      'difference', trim_scale(a.difference)::text, 'sold', (q.status = 1 AND EXISTS (
    SELECT 1 FROM product_prices x
    WHERE x.tenant_id = $1 AND x.product_id = q.id AND x.from_on <= (:now AT TIME ZONE 'Asia/Shanghai')::date
      AND (x.bc_id IS NULL OR x.bc_id = k.bc_id)))) ORDER BY a.sort)
    FROM package_alternatives a
    JOIN products q ON q.tenant_id = $1 AND q.id = a.product_id
    WHERE a.tenant_id = $1 AND a.item_id = i.id), '[]') AS alternatives
FROM package_items i
JOIN packages k ON k.tenant_id = $1 AND k.id = i.package_id
JOIN products p ON p.tenant_id = $1 AND p.id = i.product_id
JOIN product_categories g ON g.tenant_id = $1 AND g.id = p.category_id
WHERE i.tenant_id = $1 AND i.package_id = $2
ORDER BY i.sort;

-- packages.lock
SELECT 1 FROM packages f WHERE f.tenant_id = $1::uuid AND f.family_id = (SELECT o.family_id FROM packages o
  WHERE o.tenant_id = $1 AND o.id = $2::uuid) ORDER BY f.number FOR UPDATE;

-- packages.locked
SELECT p.id, p.family_id, p.number, p.bc_id, p.name, trim_scale(p.per_square)::text AS "perSquareMetre",
  trim_scale(p.least_area)::text AS "leastArea", p.from_on::text AS from, p.to_on::text AS to, p.remark, p.status,
  EXISTS (SELECT 1 FROM packages d WHERE d.tenant_id = $1 AND d.family_id = p.family_id
    AND d.status = 1 AND d.id <> p.id) AS draft, p.version
FROM packages p
WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- packages.of
SELECT p.id, p.bc_id, p.name, p.number, trim_scale(p.per_square)::text AS "perSquareMetre",
  trim_scale(p.least_area)::text AS "leastArea", p.from_on::text AS from, p.to_on::text AS to, p.status,
  n.id AS newer, n.number AS "newerNumber"
FROM packages p
LEFT JOIN packages n ON n.tenant_id = $1 AND n.family_id = p.family_id AND n.number > p.number
  AND n.status = 2
WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- packages.page
WITH page AS MATERIALIZED (SELECT p.* FROM packages p WHERE p.tenant_id = $1::uuid AND p.status <> 3
  ORDER BY p.name COLLATE "zh-x-icu" ASC, p.number DESC, p.id ASC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT p.id, p.bc_id, coalesce(c.bc_name, '全集团') AS bc_name, p.name, p.number,
  trim_scale(p.per_square)::text AS "perSquareMetre", trim_scale(p.least_area)::text AS "leastArea",
  p.from_on::text AS from, p.to_on::text AS to,
  p.status = 2 AND coalesce(p.to_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false) AS expired, p.status,
  EXISTS (SELECT 1 FROM packages d WHERE d.tenant_id = $1 AND d.family_id = p.family_id
    AND d.status = 1 AND d.id <> p.id) AS draft,
  (SELECT count(*)::int FROM quotation_versions v
    JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id AND q.number = v.number
    WHERE v.tenant_id = $1 AND v.package_id = p.id AND q.status IN (1, 2, 3, 4)) AS quotations,
  p.changed_by AS "changedBy", floor(extract(epoch FROM p.changed_at))::float8 AS "changedAt", p.version,
    (SELECT count(*)::int FROM package_items i
    WHERE i.tenant_id = $1 AND i.package_id = p.id) AS items FROM page p LEFT JOIN companies c ON c.tenant_id = $1
      AND c.bc_id = p.bc_id ORDER BY p.name COLLATE "zh-x-icu" ASC, p.number DESC, p.id ASC) r),
        '[]'::json)::text AS list,
  (SELECT count(*) FROM packages p WHERE p.tenant_id = $1::uuid AND p.status <> 3)::int AS total;

-- packages.same
SELECT 1
FROM packages p
WHERE p.tenant_id = $1 AND p.name = $2 AND (p.bc_id IS NULL OR $3::uuid IS NULL OR p.bc_id = $3)
  AND p.family_id IS DISTINCT FROM $4 AND p.status <> 3
LIMIT 1;

-- packages.status
UPDATE packages
SET status = $3, changed_by = $4, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- packages.unwrite
DELETE FROM package_items WHERE tenant_id = $1 AND package_id = $2;
