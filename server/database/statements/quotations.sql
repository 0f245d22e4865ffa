-- quotations.add
INSERT INTO quotations (tenant_id, id, code, bc_id, store_id, customer_id, quoter_id, created_at, changed_at,
  changed_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now, :now, $8);

-- quotations.approved
SELECT v.id FROM quotation_versions v
WHERE v.tenant_id = $1 AND v.quotation_id = $2 AND v.examine_state = 1
ORDER BY v.number DESC
LIMIT 1;

-- quotations.at
SELECT q.id, q.code, q.bc_id, c.bc_name, q.store_id, coalesce(s.name, '') AS "storeName",
  q.customer_id, k.name AS "customerName", k.community, trim_scale(v.area)::text AS area,
  coalesce(p.name, '') AS "packageName", v.total::text,
  v.margin::text AS margin, v.below::text AS below,
  v.below_lines AS "belowLines", q.status, q.number, v.valid_until::text AS "validUntil",
  q.status IN (1, 2, 3) AND v.valid_until < (:now AT TIME ZONE 'Asia/Shanghai')::date AS expired, q.quoter_id,
  u.nickname AS "quoterName", floor(extract(epoch FROM q.changed_at))::float8 AS "changedAt", q.contract_id, q.signed,
    q.version, masked_phone(k.phone) AS phone, CASE WHEN CASE WHEN EXISTS (SELECT FROM contracts x
 WHERE x.tenant_id = $1 AND x.quotation_id = q.id AND x.site_id IS NOT NULL) THEN true ELSE true END THEN k.address
   ELSE '' END AS address,
  coalesce(a.nickname, '') AS "consultantName", q.void_reason AS "voidReason",
  v.id AS version_id, v.number AS shown, v.submitted_at IS NOT NULL AS frozen, v.package_id,
  trim_scale(v.tax_percent)::text AS "taxPercent", v.remark, v.package::text, v.removed::text,
  v.adjusted::text, v.added::text, v.discount::text, v.tax::text, v.per_square::text AS "perSquareMetre",
  v.cost::text, v.uncosted, v.allowed_rounding::text AS "allowedRounding",
  v.allowed_given::text AS "allowedGiven"
FROM quotations q
JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.quoter_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = q.store_id
LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = v.package_id
LEFT JOIN users a ON a.tenant_id = $1 AND a.id = k.consultant_id
WHERE q.tenant_id = $1::uuid AND q.id = $2::uuid AND v.id = $3::uuid;

-- quotations.changedby
SELECT q.changed_by AS name FROM quotations q WHERE q.tenant_id = $1 AND q.id = $2;

-- quotations.copydiscounts
INSERT INTO quotation_discounts (tenant_id, version_id, id, sort, kind, amount, reason)
SELECT $1, $3, id, sort, kind, amount, reason FROM quotation_discounts o WHERE o.tenant_id = $1 AND o.version_id = $2;

-- quotations.copylines
INSERT INTO quotation_lines (tenant_id, version_id, id, sort, room_id, attribute, contract_attribute, item_id,
  product_id, code, name, detail, unit, kind, stage, supplier_id, supplier_name, quantity, waste, price, pack,
    list_price, package_price, removal_price, cost, counts, remark, priced, ordered, amount, cost_amount)
SELECT $1, $3, id, sort, room_id, attribute, contract_attribute, item_id, product_id, code, name, detail, unit, kind,
  stage, supplier_id, supplier_name, quantity, waste, price, pack, list_price, package_price, removal_price, cost,
    counts, remark, priced, ordered, amount,
      cost_amount FROM quotation_lines o WHERE o.tenant_id = $1 AND o.version_id = $2;

-- quotations.copyrooms
INSERT INTO quotation_rooms (tenant_id, version_id, id, sort, name, kind, floor, perimeter, height, openings)
SELECT $1, $3, id, sort, name, kind, floor, perimeter, height,
  openings FROM quotation_rooms o WHERE o.tenant_id = $1 AND o.version_id = $2;

-- quotations.discounts
SELECT d.id, d.kind, trim_scale(d.amount)::text AS "amount", d.reason
FROM quotation_discounts d
WHERE d.tenant_id = $1 AND d.version_id = $2
ORDER BY d.sort;

-- quotations.draftsgone
SELECT q.id, q.code, q.bc_id, q.store_id
FROM quotations q
WHERE q.tenant_id = $1 AND q.quoter_id = $2 AND q.status = 1
ORDER BY q.id
FOR UPDATE OF q;

-- quotations.draftsof
SELECT q.id, q.code, q.bc_id, q.store_id
FROM quotations q
WHERE q.tenant_id = $1 AND q.quoter_id = $2 AND q.status = 1
ORDER BY q.id;

-- quotations.enter
INSERT INTO quotation_editors (tenant_id, quotation_id, user_id, since, seen_at)
VALUES ($1, $2, $3, :now, :now)
ON CONFLICT (tenant_id, quotation_id, user_id) DO UPDATE
SET seen_at = excluded.seen_at;

-- quotations.give
UPDATE quotations q SET quoter_id = $3, version = q.version + 1
WHERE q.tenant_id = $1 AND q.id = ANY ($2::uuid[]);

-- quotations.holdcustomers
SELECT q.code, (SELECT u.nickname
  FROM quotation_editors e
  JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id
  WHERE e.tenant_id = $1 AND e.quotation_id = q.id AND e.seen_at > :now - interval '2 minutes'
  ORDER BY e.since LIMIT 1) AS editor
FROM quotations q
WHERE q.tenant_id = $1 AND q.customer_id = ANY ($2::uuid[])
ORDER BY q.id
FOR UPDATE OF q;

-- quotations.judged
UPDATE quotation_versions
SET examine_state = $3, judged_at = :now, judged_by = $4, reason = $5
WHERE tenant_id = $1 AND id = $2;

-- quotations.last
SELECT q.version, q.changed_by AS name FROM quotations q WHERE q.tenant_id = $1 AND q.id = $2;

-- quotations.leave
DELETE FROM quotation_editors
WHERE tenant_id = $1 AND quotation_id = $2 AND (seen_at < :now - interval '60 seconds' OR $4 AND user_id = $3);

-- quotations.lines
SELECT l.id, l.room_id, l.attribute, l.contract_attribute AS "contractAttribute", l.item_id, l.product_id, l.code,
  l.name, l.detail, l.unit, l.kind, l.stage, l.supplier_id AS receiver_id, l.supplier_name AS "receiverName",
  trim_scale(l.quantity)::text AS "quantity", trim_scale(l.waste)::text AS "waste",
    trim_scale(l.price)::text AS "price",
  trim_scale(l.pack)::text AS "pack", trim_scale(l.list_price)::text AS "listPrice",
  trim_scale(l.package_price)::text AS "packagePrice", trim_scale(l.removal_price)::text AS "removalPrice",
  trim_scale(l.cost)::text AS "cost", l.counts, l.remark, trim_scale(l.priced)::text AS "priced",
  trim_scale(l.ordered)::text AS "ordered", l.amount::text, l.cost_amount::text AS "costAmount"
FROM quotation_lines l
WHERE l.tenant_id = $1 AND l.version_id = $2
ORDER BY l.sort;

-- quotations.linklives
SELECT EXISTS (SELECT FROM quotation_versions x
      JOIN quotations y ON y.tenant_id = $1 AND y.id = x.quotation_id AND y.status <> 6
      WHERE x.tenant_id = $1 AND x.id = $2 AND x.examine_state = 1) AS approved,
  v.valid_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date AS valid
FROM quotation_versions v JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id WHERE v.tenant_id = $1
  AND v.id = $2;

-- quotations.linktarget
SELECT q.bc_id, q.store_id, q.customer_id, q.code || ' 第 ' || v.number || ' 版' AS code,
  q.code || ' 第 ' || v.number || ' 版' AS title, k.name AS person
FROM quotation_versions v JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id
JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
WHERE q.tenant_id = $1::uuid AND v.id = $2::uuid AND v.tenant_id = $1;

-- quotations.lock
SELECT q.id FROM quotations q WHERE q.tenant_id = $1::uuid AND q.id = $2::uuid FOR UPDATE;

-- quotations.move
UPDATE quotations
SET status = $3, number = coalesce($4, number),
  contract_id = CASE WHEN $5 THEN $6::uuid ELSE contract_id END, void_reason = coalesce($7, void_reason),
  signed = coalesce($9, signed),
  changed_at = :now, changed_by = $8, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- quotations.next
INSERT INTO quotation_versions (tenant_id, id, quotation_id, number, package_id, area, tax_percent, valid_until,
  remark, package, removed, adjusted, added, discount, total, tax, per_square, cost, uncosted, margin,
  below, below_lines, allowed_rounding, allowed_given)
SELECT $1, $3, o.quotation_id, o.number + 1, o.package_id, o.area, o.tax_percent, o.valid_until, o.remark,
  o.package, o.removed, o.adjusted, o.added, o.discount, o.total, o.tax, o.per_square, o.cost, o.uncosted,
  o.margin, o.below, o.below_lines, o.allowed_rounding, o.allowed_given
FROM quotation_versions o
WHERE o.tenant_id = $1 AND o.id = $2;

-- quotations.ofversion
SELECT v.quotation_id FROM quotation_versions v WHERE v.tenant_id = $1 AND v.id = $2;

-- quotations.others
SELECT u.nickname, floor(extract(epoch FROM e.since))::float8 AS since
FROM quotation_editors e
JOIN users u ON u.tenant_id = $1 AND u.id = e.user_id
WHERE e.tenant_id = $1 AND e.quotation_id = $2 AND e.user_id <> $3
ORDER BY e.since;

-- quotations.page
WITH page AS MATERIALIZED (SELECT q.* FROM quotations q JOIN quotation_versions v ON v.tenant_id = $1
  AND v.quotation_id = q.id AND v.number = q.number JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
    WHERE q.tenant_id = $1::uuid ORDER BY q.changed_at DESC, q.id ASC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT q.id, q.code, q.bc_id, c.bc_name, q.store_id, coalesce(s.name, '') AS "storeName",
  q.customer_id, k.name AS "customerName", k.community, trim_scale(v.area)::text AS area,
  coalesce(p.name, '') AS "packageName", v.total::text,
  v.margin::text AS margin, v.below::text AS below,
  v.below_lines AS "belowLines", q.status, q.number, v.valid_until::text AS "validUntil",
  q.status IN (1, 2, 3) AND v.valid_until < (:now AT TIME ZONE 'Asia/Shanghai')::date AS expired, q.quoter_id,
  u.nickname AS "quoterName", floor(extract(epoch FROM q.changed_at))::float8 AS "changedAt", q.contract_id, q.signed,
    q.version FROM page q JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
      AND v.number = q.number JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id JOIN companies c
        ON c.tenant_id = $1 AND c.bc_id = q.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.quoter_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = q.store_id
LEFT JOIN packages p ON p.tenant_id = $1 AND p.id = v.package_id ORDER BY q.changed_at DESC, q.id ASC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM quotations q JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
    AND v.number = q.number JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
      WHERE q.tenant_id = $1::uuid)::int AS total;

-- quotations.rooms
SELECT r.id, r.name, r.kind, trim_scale(r.floor)::text AS "floor", trim_scale(r.perimeter)::text AS "perimeter",
  trim_scale(r.height)::text AS "height", trim_scale(r.openings)::text AS "openings"
FROM quotation_rooms r
WHERE r.tenant_id = $1 AND r.version_id = $2
ORDER BY r.sort;

-- quotations.saved
UPDATE quotations
SET customer_id = $3, store_id = $4, changed_at = :now, changed_by = $5, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- quotations.submit
UPDATE quotation_versions
SET submitted_at = :now, submitted_id = $3, submitted_by = $4, examine_state = 0
WHERE tenant_id = $1 AND id = $2;

-- quotations.tocustomer
UPDATE quotations SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2;

-- quotations.undiscounts
DELETE FROM quotation_discounts WHERE tenant_id = $1 AND version_id = $2 AND id <> ALL ($3::uuid[]);

-- quotations.unlines
DELETE FROM quotation_lines WHERE tenant_id = $1 AND version_id = $2 AND id <> ALL ($3::uuid[]);

-- quotations.unrooms
DELETE FROM quotation_rooms WHERE tenant_id = $1 AND version_id = $2 AND id <> ALL ($3::uuid[]);

-- quotations.version
INSERT INTO quotation_versions AS v (tenant_id, id, quotation_id, number, package_id, area, tax_percent,
  valid_until, remark, package, removed, adjusted, added, discount, total, tax, per_square, cost, uncosted, margin,
  below, below_lines, allowed_rounding, allowed_given)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
  $24)
ON CONFLICT (tenant_id, id) DO UPDATE
SET package_id = excluded.package_id, area = excluded.area, tax_percent = excluded.tax_percent,
  valid_until = excluded.valid_until, remark = excluded.remark, package = excluded.package,
  removed = excluded.removed, adjusted = excluded.adjusted, added = excluded.added,
  discount = excluded.discount, total = excluded.total, tax = excluded.tax, per_square = excluded.per_square,
  cost = excluded.cost, uncosted = excluded.uncosted, margin = excluded.margin,
  below = excluded.below, below_lines = excluded.below_lines, allowed_rounding = excluded.allowed_rounding,
  allowed_given = excluded.allowed_given;

-- quotations.versions
SELECT v.id, v.number, v.total::text, v.examine_state AS "examineState", v.withdrawn,
  v.submitted_by AS "submittedBy", floor(extract(epoch FROM v.submitted_at))::float8 AS "submittedAt",
    v.judged_by AS "judgedBy",
  floor(extract(epoch FROM v.judged_at))::float8 AS "judgedAt", v.reason
FROM quotation_versions v
WHERE v.tenant_id = $1 AND v.quotation_id = $2
ORDER BY v.number DESC;

-- quotations.withdraw
UPDATE quotation_versions SET withdrawn = true, examine_state = NULL WHERE tenant_id = $1 AND id = $2;

-- quotations.writediscounts
INSERT INTO quotation_discounts AS t (tenant_id, version_id, id, sort, kind, amount, reason)
SELECT $1, $2, x.id, x.sort, x."kind", x."amount", x."reason"
FROM json_to_recordset($3::json) AS x(id uuid, sort int,
  "kind" text, "amount" numeric, "reason" text)
ON CONFLICT (tenant_id, version_id, id) DO UPDATE
SET (sort, kind, amount, reason) = ROW(excluded.sort, excluded.kind, excluded.amount, excluded.reason)
WHERE (t.sort, t.kind, t.amount, t.reason) IS DISTINCT FROM (excluded.sort, excluded.kind, excluded.amount,
  excluded.reason);

-- quotations.writelines
INSERT INTO quotation_lines AS t (tenant_id, version_id, id, sort, room_id, attribute, contract_attribute, item_id,
  product_id, code, name, detail, unit, kind, stage, supplier_id, supplier_name, quantity, waste, price, pack,
    list_price, package_price, removal_price, cost, counts, remark, priced, ordered, amount, cost_amount)
SELECT $1, $2, x.id, x.sort, x."room_id", x."attribute", x."contractAttribute", x."item_id", x."product_id", x."code",
  x."name", x."detail", x."unit", x."kind", x."stage", x."receiver_id", x."receiverName", x."quantity", x."waste",
    x."price", x."pack", x."listPrice", x."packagePrice", x."removalPrice", x."cost", x."counts", x."remark",
      x."priced", x."ordered", x."amount", x."costAmount"
FROM json_to_recordset($3::json) AS x(id uuid, sort int,
  "room_id" uuid, "attribute" smallint, "contractAttribute" smallint, "item_id" uuid, "product_id" uuid, "code" text,
    "name" text, "detail" text, "unit" text, "kind" text, "stage" text, "receiver_id" uuid, "receiverName" text,
      "quantity" numeric, "waste" numeric, "price" numeric, "pack" numeric, "listPrice" numeric,
        "packagePrice" numeric, "removalPrice" numeric, "cost" numeric, "counts" boolean, "remark" text,
          "priced" numeric, "ordered" numeric, "amount" numeric, "costAmount" numeric)
ON CONFLICT (tenant_id, version_id, id) DO UPDATE
SET (sort, room_id, attribute, contract_attribute, item_id, product_id, code, name, detail, unit, kind, stage,
  supplier_id, supplier_name, quantity, waste, price, pack, list_price, package_price, removal_price, cost, counts,
    remark, priced, ordered, amount, cost_amount) = ROW(excluded.sort, excluded.room_id, excluded.attribute,
      excluded.contract_attribute, excluded.item_id, excluded.product_id, excluded.code, excluded.name,
        excluded.detail, excluded.unit, excluded.kind, excluded.stage, excluded.supplier_id, excluded.supplier_name,
          excluded.quantity, excluded.waste, excluded.price, excluded.pack, excluded.list_price,
            excluded.package_price, excluded.removal_price, excluded.cost, excluded.counts, excluded.remark,
              excluded.priced, excluded.ordered, excluded.amount, excluded.cost_amount)
WHERE (t.sort, t.room_id, t.attribute, t.contract_attribute, t.item_id, t.product_id, t.code, t.name, t.detail, t.unit,
  t.kind, t.stage, t.supplier_id, t.supplier_name, t.quantity, t.waste, t.price, t.pack, t.list_price, t.package_price,
    t.removal_price, t.cost, t.counts, t.remark, t.priced, t.ordered, t.amount,
      t.cost_amount) IS DISTINCT FROM (excluded.sort, excluded.room_id, excluded.attribute,
        excluded.contract_attribute, excluded.item_id, excluded.product_id, excluded.code, excluded.name,
          excluded.detail, excluded.unit, excluded.kind, excluded.stage, excluded.supplier_id, excluded.supplier_name,
            excluded.quantity, excluded.waste, excluded.price, excluded.pack, excluded.list_price,
              excluded.package_price, excluded.removal_price, excluded.cost, excluded.counts, excluded.remark,
                excluded.priced, excluded.ordered, excluded.amount, excluded.cost_amount);

-- quotations.writerooms
INSERT INTO quotation_rooms AS t (tenant_id, version_id, id, sort, name, kind, floor, perimeter, height, openings)
SELECT $1, $2, x.id, x.sort, x."name", x."kind", x."floor", x."perimeter", x."height", x."openings"
FROM json_to_recordset($3::json) AS x(id uuid, sort int,
  "name" text, "kind" text, "floor" numeric, "perimeter" numeric, "height" numeric, "openings" numeric)
ON CONFLICT (tenant_id, version_id, id) DO UPDATE
SET (sort, name, kind, floor, perimeter, height, openings) = ROW(excluded.sort, excluded.name, excluded.kind,
  excluded.floor, excluded.perimeter, excluded.height, excluded.openings)
WHERE (t.sort, t.name, t.kind, t.floor, t.perimeter, t.height, t.openings) IS DISTINCT FROM (excluded.sort,
  excluded.name, excluded.kind, excluded.floor, excluded.perimeter, excluded.height, excluded.openings);
