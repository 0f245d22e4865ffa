-- contracts.add
INSERT INTO contracts (tenant_id, id, code, bc_id, store_id, customer_id, quotation_id, package_name, area,
  tax_percent, base, made_by, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- contracts.addchange
INSERT INTO contract_changes (tenant_id, id, contract_id, code, reason, amount, user_id, user_name, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now);

-- contracts.backnow
SELECT count(*)::int AS n, coalesce(sum((CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)), 0.00)::text AS back,
  (count(*) FILTER (WHERE c.state = 'void'))::int AS void,
  (count(*) FILTER (WHERE EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1)))::int AS asked
FROM contracts c
WHERE c.tenant_id = $1::uuid AND (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END) > 0;

-- contracts.baseline
INSERT INTO contract_items (tenant_id, id, contract_id, line_id, sort, attribute, contract_attribute, room,
  product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, left_over, ordered,
  ordered_left, price, package_price, removal_price, cost, amount, remark)
SELECT $1, x.key, $2, x.id, x.sort, x.attribute, x."contractAttribute", x.room, x.product_id, x.code, x.name,
  x.detail, x.unit, x.kind, x.stage, x.receiver_id, x."receiverName", x.pack, x.priced, x."left", x.ordered,
  x."orderedLeft", x.price, x."packagePrice", x."removalPrice", x.cost, x.amount, x.remark
FROM json_to_recordset($3::json) AS x(key uuid, id uuid, sort int, attribute smallint,
  "contractAttribute" smallint, room text, product_id uuid, code text, name text, detail text, unit text,
  kind text, stage text, receiver_id uuid, "receiverName" text, pack numeric, priced numeric, "left" numeric,
  ordered numeric, "orderedLeft" numeric, price numeric, "packagePrice" numeric, "removalPrice" numeric,
  cost numeric, amount numeric, remark text);

-- contracts.begun
SELECT (SELECT count(*)::int FROM devices d
  WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.deleted_at IS NULL) AS devices,
(SELECT count(*)::int FROM attendance_events a WHERE a.tenant_id = $1 AND a.site_id = $2) AS punches,
(SELECT count(DISTINCT p.order_id)::int FROM pieces p
  WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.order_id IS NOT NULL) AS orders;

-- contracts.bill
UPDATE contracts c
SET warranty = $3, warranty_on = $4, bill_remark = $5, billed_at = :now, billed_by = $6, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.billedon
SELECT (c.billed_at AT TIME ZONE 'Asia/Shanghai')::date::text AS day
FROM contracts c
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.bring
INSERT INTO contract_items (tenant_id, id, contract_id, change_id, sort, attribute, contract_attribute, room,
  product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, left_over, ordered,
  ordered_left, price, package_price, cost, amount, remark)
SELECT $1, x.key, $2, $3, (SELECT coalesce(max(i.sort), 0) FROM contract_items i
    WHERE i.tenant_id = $1 AND i.contract_id = $2) + x.sort,
  x.attribute, x."contractAttribute", x.room, x.product_id, x.code, x.name, x.detail, x.unit, x.kind, x.stage,
  x.receiver_id, x."receiverName", x.pack, x.priced, x.priced, x.ordered, x.ordered, x.price, x.before, x.cost,
  x.amount, x.remark
FROM json_to_recordset($4::json) AS x(key uuid, sort int, attribute smallint, "contractAttribute" smallint,
  room text, product_id uuid, code text, name text, detail text, unit text, kind text, stage text,
  receiver_id uuid, "receiverName" text, pack numeric, priced numeric, ordered numeric, price numeric,
  before numeric, cost numeric, amount numeric, remark text);

-- contracts.carve
UPDATE contract_instalments i
SET amount = i.amount - greatest(0, least(i.amount, $3 - s.later))
FROM (SELECT k.id, coalesce(sum(k.amount) OVER (ORDER BY k.sort DESC ROWS BETWEEN UNBOUNDED PRECEDING
      AND 1 PRECEDING), 0) AS later
  FROM contract_instalments k
  WHERE k.tenant_id = $1 AND k.contract_id = $2 AND k.percent IS NOT NULL) s
WHERE i.tenant_id = $1 AND i.id = s.id;

-- contracts.changed
UPDATE contract_changes h
SET status = $3, judged = coalesce($4, h.judged),
  judged_at = CASE WHEN $4::text IS NULL THEN h.judged_at ELSE :now END,
  version = h.version + 1
WHERE h.tenant_id = $1 AND h.id = $2;

-- contracts.changeddue
INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, change_id, amount, due_on)
SELECT $1, $2, $3, 100 + (SELECT count(*) FROM contract_instalments i
    WHERE i.tenant_id = $1 AND i.contract_id = $3), $4, $5, $6, $7;

-- contracts.close
UPDATE contracts c SET state = 'ended', closed_at = :now, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.deposit
UPDATE contracts c SET signing_progress = 2, deposit_version = $3
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.detail
SELECT row_to_json(d)::text AS json
FROM (SELECT c.id, c.code, c.bc_id, b.bc_name, c.store_id, coalesce(t.name, '') AS "storeName",
  c.customer_id, CASE WHEN c.kept_name <> '' THEN c.kept_name ELSE u.name END AS "customerName", c.quotation_id,
    c.site_id, coalesce(w.ws_name, '') AS ws_name,
  w.status AS "siteStatus", c.package_name AS "packageName", trim_scale(c.area)::text AS area,
  c.total::text AS total, c.paid::text AS paid,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END <= (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
        WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN c.end_value
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS owed,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays'
        AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
          '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
            WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date
    THEN c.end_value ELSE 0 END
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS overdue,
  (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)::text AS back, (CASE WHEN c.state IN ('live',
    'finishing', 'settled') THEN (SELECT min(s.due) FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) s
    WHERE s.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date AND s.covered < s.amount)
  WHEN c.state = 'ending'
    AND c.paid < c.end_value THEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date END)::text AS "dueOn",
      c.end_value::text AS "endValue",
  c.signing_progress AS "signingProgress", c.state, c.signed_on::text AS "signedOn", c.changes,
  c.void_asked AS "voidAsked", EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1) AS refunding, c.billed_at IS NOT NULL AS billed,
  c.bill_signed_on IS NOT NULL AS "billSigned", (CASE WHEN c.warranty_on IS NOT NULL AND c.state IN ('finishing',
    'settled')
  THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END)::text AS "warrantyOpen",
  NULL::text AS "quotedMargin", NULL::text AS "realMargin", c.version, q.code AS "quotationCode",
    masked_phone(CASE WHEN c.kept_name <> '' THEN c.kept_phone ELSE u.phone END) AS phone, u.community,
      CASE WHEN CASE WHEN c.site_id IS NOT NULL THEN true ELSE true END THEN u.address ELSE '' END AS address,
    c.signer, c.signed_by AS "signedBy", c.notice, dv.number AS "depositNumber", sv.number AS "signedNumber",
    (CASE WHEN c.state IN ('live', 'finishing', 'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END <= (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
        WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN c.end_value
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END)::text AS due,
    (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
      OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS "payDays",
        trim_scale(c.tax_percent)::text AS "taxPercent",
    round(c.total * c.tax_percent / (100 + c.tax_percent), 2)::text AS tax, c.bridge,
    coalesce((SELECT json_agg(json_build_object('id', i.id, 'line_id', i.line_id, 'change_id', i.change_id,
      'changeCode', coalesce(h.code, ''),
    'attribute', i.attribute, 'contractAttribute', i.contract_attribute, 'room', i.room,
    'product_id', i.product_id, 'code', i.code, 'name', i.name, 'detail', i.detail, 'unit', i.unit, 'kind', i.kind,
    'stage', i.stage, 'receiverName', i.receiver_name, 'quantity', trim_scale(i.quantity)::text,
    'left', trim_scale(i.left_over)::text, 'ordered', trim_scale(i.ordered)::text, 'orderedLeft',
      trim_scale(i.ordered_left)::text,
    'price', trim_scale(i.price)::text, 'packagePrice', trim_scale(i.package_price)::text,
    'removalPrice', trim_scale(i.removal_price)::text,
    'cost', NULL, 'amount', i.amount::text, 'remark', i.remark) ORDER BY i.attribute, i.sort,
      i.id) FROM contract_items i
    LEFT JOIN contract_changes h ON h.tenant_id = $1 AND h.id = i.change_id
    WHERE i.tenant_id = $1 AND i.contract_id = c.id), '[]') AS items, coalesce((SELECT json_agg(json_build_object('id',
      r.id, 'code', r.code, 'kind', r.kind, 'amount', r.amount::text, 'method', r.method,
    'paidOn', r.paid_on::text, 'payer', r.payer, 'remark', r.remark, 'by', r.user_name, 'at',
      floor(extract(epoch FROM r.at))::float8) ORDER BY r.paid_on, r.at,
        r.code) FROM contract_receipts r WHERE r.tenant_id = $1 AND r.contract_id = c.id), '[]') AS receipts,
          coalesce((SELECT json_agg(json_build_object('id', f.id, 'code', f.code, 'kind', f.kind, 'amount',
            f.amount::text, 'kept', f.kept::text,
    'keptReason', f.kept_reason, 'method', f.method, 'payee', f.payee, 'reason', f.reason,
    'toCode', coalesce(o.code, ''), 'status', f.status, 'by_id', f.user_id, 'by', f.user_name,
    'at', floor(extract(epoch FROM f.at))::float8, 'judged', f.judged, 'version', f.version) ORDER BY f.at,
      f.code) FROM contract_refunds f
    LEFT JOIN contracts o ON o.tenant_id = $1 AND o.id = f.to_id
    WHERE f.tenant_id = $1 AND f.contract_id = c.id), '[]') AS refunds,
      coalesce((SELECT json_agg(json_build_object('id', x.id, 'name', x.name, 'stage', x.stage, 'percent',
        trim_scale(x.percent)::text, 'change_id', x.change_id,
    'amount', x.amount::text, 'dueOn', x.due::text, 'lastDay', (x.due + x.days)::text,
    'covered', x.covered::text, 'warranty', x.warranty,
    'overdue', c.state IN ('live', 'finishing',
      'settled') AND coalesce(x.due + x.days < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)
      AND x.covered < x.amount) ORDER BY x.sort, x.id) FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) x), '[]') AS instalments,
    coalesce((SELECT json_agg(json_build_object('id', h.id, 'code', h.code, 'status', h.status, 'reason', h.reason,
      'amount', h.amount::text, 'by_id', h.user_id,
    'by', h.user_name, 'at', floor(extract(epoch FROM h.at))::float8, 'judged', h.judged, 'judgedAt',
      floor(extract(epoch FROM h.judged_at))::float8,
    'lines', coalesce((SELECT json_agg(json_build_object('id', l.id, 'attribute', l.attribute, 'contractAttribute',
      l.contract_attribute, 'item_id', l.item_id,
    'itemName', coalesce(i.name, ''), 'product_id', l.product_id, 'code', l.code, 'name', l.name,
    'detail', l.detail, 'unit', l.unit, 'kind', l.kind, 'stage', l.stage, 'quantity', trim_scale(l.quantity)::text,
    'waste', trim_scale(l.waste)::text, 'priced', trim_scale(l.priced)::text, 'price', trim_scale(l.price)::text,
    'before', trim_scale(l.before)::text, 'listPrice', trim_scale(l.list_price)::text,
    'amount', l.amount::text, 'remark', l.remark) ORDER BY l.sort, l.id) FROM contract_change_lines l
      LEFT JOIN contract_items i ON i.tenant_id = $1 AND i.id = l.item_id
      WHERE l.tenant_id = $1 AND l.change_id = h.id), '[]'), 'version', h.version) ORDER BY h.at,
        h.code) FROM contract_changes h
    WHERE h.tenant_id = $1 AND h.contract_id = c.id AND h.status <> 5), '[]') AS "changeList",
      coalesce((SELECT json_agg(json_build_object('id', k.id, 'key', k.key, 'name', k.name, 'kind', k.kind, 'by',
        k.user_name, 'at', floor(extract(epoch FROM k.at))::float8) ORDER BY k.at,
          k.id) FROM contract_files k WHERE k.tenant_id = $1 AND k.contract_id = c.id), '[]') AS files,
            CASE WHEN c.end_at IS NULL THEN NULL ELSE json_build_object('reason', c.end_reason, 'by', c.end_by,
    'at', floor(extract(epoch FROM c.end_at))::float8, 'value', c.end_value::text, 'balance',
      (c.end_value - c.paid)::text,
    'devices', (SELECT count(*)::int FROM retrievals v
      WHERE v.tenant_id = $1 AND v.site_id = c.site_id AND v.closed_at IS NULL),
    'pieces', (SELECT count(*)::int FROM pieces p
      WHERE p.tenant_id = $1 AND p.contract_id = c.id AND p.order_state NOT IN (1, 6)), 'closedAt',
        floor(extract(epoch FROM c.closed_at))::float8) END AS settlement,
    CASE WHEN c.state NOT IN ('finishing', 'settled') THEN NULL ELSE json_build_object(
    'finishedOn', c.finished_on::text, 'warranty', c.warranty::text, 'warrantyOn', c.warranty_on::text,
    'balance', (c.total - c.paid - coalesce((CASE WHEN c.warranty_on IS NOT NULL AND c.state IN ('finishing', 'settled')
  THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END), 0.00))::text,
    'billedAt', floor(extract(epoch FROM c.billed_at))::float8, 'billedBy', c.billed_by, 'remark', c.bill_remark,
      'signer', c.bill_signer,
    'ours', c.bill_ours, 'signedOn', c.bill_signed_on::text, 'closedAt',
      floor(extract(epoch FROM c.closed_at))::float8) END AS bill, NULL::json AS realised, c.void_reason AS "voidReason"
  FROM contracts c JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = c.store_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
  JOIN quotations q ON q.tenant_id = $1 AND q.id = c.quotation_id
  LEFT JOIN quotation_versions dv ON dv.tenant_id = $1 AND dv.id = c.deposit_version
  LEFT JOIN quotation_versions sv ON sv.tenant_id = $1 AND sv.id = c.signed_version
  WHERE c.tenant_id = $1::uuid AND c.id = $2::uuid) d;

-- contracts.dropdrafts
UPDATE contract_changes h
SET status = 5, judged = $3, judged_at = :now, version = h.version + 1
WHERE h.tenant_id = $1 AND h.contract_id = $2 AND h.status = 1
RETURNING h.code;

-- contracts.due
WITH page AS MATERIALIZED (SELECT m.* FROM (SELECT s.id, c.id AS contract_id, c.code, c.bc_id, c.customer_id,
  c.site_id, c.state, s.name, s.amount,
    s.covered, s.amount - s.covered AS open, s.due, coalesce(s.due, s.planned) AS day,
    s.due IS NULL AND s.planned IS NOT NULL AS planned,
    CASE WHEN coalesce(s.due,
      s.planned) < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'before'
        WHEN s.due = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'today'
      WHEN coalesce(s.due, s.planned) BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date AND (date_trunc('week',
        (:now AT TIME ZONE 'Asia/Shanghai')::date)::date + 6) THEN 'week'
      ELSE 'later' END AS "when",
    CASE WHEN s.covered < s.amount THEN greatest(coalesce((:now AT TIME ZONE 'Asia/Shanghai')::date - s.due - s.days,
      0), 0) ELSE 0 END AS late
  FROM contracts c
  CROSS JOIN LATERAL (
    SELECT x.id, x.name, x.amount, x.covered, x.due, x.planned, x.days
    FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) x
    WHERE c.state IN ('live', 'finishing', 'settled') AND x.amount > 0
    UNION ALL
    SELECT c.id, '终止结算', c.end_value, least(c.paid, c.end_value), (c.end_at AT TIME ZONE 'Asia/Shanghai')::date, NULL,
      (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int
    WHERE c.state = 'ending' AND c.end_value > 0) s
  WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid AND c.signing_progress = 3) m WHERE true ORDER BY m.day ASC,
    m.id LIMIT 3)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT m.id, m.contract_id, m.code, b.bc_name, u.name AS "customerName", m.site_id,
  coalesce(w.ws_name, '') AS ws_name, m.name, m.state, m.amount::text AS amount, m.covered::text AS covered,
  m.open::text AS open, m.day::text AS "dueOn", m.planned, m."when",
    m.late AS "lateDays" FROM page m JOIN companies b ON b.tenant_id = $1 AND b.bc_id = m.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id ORDER BY m.day ASC, m.id) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT s.id, c.id AS contract_id, c.code, c.bc_id, c.customer_id, c.site_id, c.state, s.name,
    s.amount,
    s.covered, s.amount - s.covered AS open, s.due, coalesce(s.due, s.planned) AS day,
    s.due IS NULL AND s.planned IS NOT NULL AS planned,
    CASE WHEN coalesce(s.due,
      s.planned) < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'before'
        WHEN s.due = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'today'
      WHEN coalesce(s.due, s.planned) BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date AND (date_trunc('week',
        (:now AT TIME ZONE 'Asia/Shanghai')::date)::date + 6) THEN 'week'
      ELSE 'later' END AS "when",
    CASE WHEN s.covered < s.amount THEN greatest(coalesce((:now AT TIME ZONE 'Asia/Shanghai')::date - s.due - s.days,
      0), 0) ELSE 0 END AS late
  FROM contracts c
  CROSS JOIN LATERAL (
    SELECT x.id, x.name, x.amount, x.covered, x.due, x.planned, x.days
    FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) x
    WHERE c.state IN ('live', 'finishing', 'settled') AND x.amount > 0
    UNION ALL
    SELECT c.id, '终止结算', c.end_value, least(c.paid, c.end_value), (c.end_at AT TIME ZONE 'Asia/Shanghai')::date, NULL,
      (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int
    WHERE c.state = 'ending' AND c.end_value > 0) s
  WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid AND c.signing_progress = 3) m WHERE true)::int AS total;

-- contracts.duenow
SELECT count(*)::int AS n, coalesce(sum(m.open), 0.00)::text AS open,
  (count(*) FILTER (WHERE m."when" = 'before'))::int AS before,
  (count(*) FILTER (WHERE m."when" = 'today'))::int AS today, (count(*) FILTER (WHERE m."when" = 'week'))::int AS week,
    (count(*) FILTER (WHERE m.late > 0))::int AS overdue
FROM (SELECT s.id, c.id AS contract_id, c.code, c.bc_id, c.customer_id, c.site_id, c.state, s.name, s.amount,
    s.covered, s.amount - s.covered AS open, s.due, coalesce(s.due, s.planned) AS day,
    s.due IS NULL AND s.planned IS NOT NULL AS planned,
    CASE WHEN coalesce(s.due,
      s.planned) < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'before'
        WHEN s.due = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'today'
      WHEN coalesce(s.due, s.planned) BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date AND (date_trunc('week',
        (:now AT TIME ZONE 'Asia/Shanghai')::date)::date + 6) THEN 'week'
      ELSE 'later' END AS "when",
    CASE WHEN s.covered < s.amount THEN greatest(coalesce((:now AT TIME ZONE 'Asia/Shanghai')::date - s.due - s.days,
      0), 0) ELSE 0 END AS late
  FROM contracts c
  CROSS JOIN LATERAL (
    SELECT x.id, x.name, x.amount, x.covered, x.due, x.planned, x.days
    FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) x
    WHERE c.state IN ('live', 'finishing', 'settled') AND x.amount > 0
    UNION ALL
    SELECT c.id, '终止结算', c.end_value, least(c.paid, c.end_value), (c.end_at AT TIME ZONE 'Asia/Shanghai')::date, NULL,
      (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int
    WHERE c.state = 'ending' AND c.end_value > 0) s
  WHERE c.tenant_id = $1::uuid AND c.signing_progress = 3) m
WHERE m.open > 0 AND m."when" <> 'later';

-- contracts.editchange
UPDATE contract_changes h SET reason = $3, amount = $4 WHERE h.tenant_id = $1 AND h.id = $2;

-- contracts.end
UPDATE contracts c
SET state = 'ending', end_reason = $3, end_value = $4, end_by = $5, end_at = :now, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.file
INSERT INTO contract_files (tenant_id, id, contract_id, key, name, kind, user_name, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now);

-- contracts.files
SELECT count(*)::int AS count FROM contract_files f WHERE f.tenant_id = $1 AND f.contract_id = $2;

-- contracts.finish
SELECT finish_contract($1, $2, (:now AT TIME ZONE 'Asia/Shanghai')::date);

-- contracts.firstback
SELECT coalesce((SELECT json_agg(r) FROM (SELECT c.id, c.code, c.bc_id, b.bc_name, c.store_id, coalesce(t.name,
  '') AS "storeName",
  c.customer_id, u.name AS "customerName", c.quotation_id, c.site_id, coalesce(w.ws_name, '') AS ws_name,
  w.status AS "siteStatus", c.package_name AS "packageName", trim_scale(c.area)::text AS area,
  c.total::text AS total, c.paid::text AS paid,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END <= (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
        WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN c.end_value
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS owed,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays'
        AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
          '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
            WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date
    THEN c.end_value ELSE 0 END
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS overdue,
  (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)::text AS back, (CASE WHEN c.state IN ('live',
    'finishing', 'settled') THEN (SELECT min(s.due) FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) s
    WHERE s.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date AND s.covered < s.amount)
  WHEN c.state = 'ending'
    AND c.paid < c.end_value THEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date END)::text AS "dueOn",
      c.end_value::text AS "endValue",
  c.signing_progress AS "signingProgress", c.state, c.signed_on::text AS "signedOn", c.changes,
  c.void_asked AS "voidAsked", EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1) AS refunding, c.billed_at IS NOT NULL AS billed,
  c.bill_signed_on IS NOT NULL AS "billSigned", (CASE WHEN c.warranty_on IS NOT NULL AND c.state IN ('finishing',
    'settled')
  THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END)::text AS "warrantyOpen",
  NULL::text AS "quotedMargin", NULL::text AS "realMargin",
    c.version FROM contracts c JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = c.store_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
    WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid AND (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END) > 0 ORDER BY (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END) DESC, c.id DESC LIMIT 12) r), '[]') AS list;

-- contracts.firstdue
SELECT coalesce((SELECT json_agg(r) FROM (SELECT m.id, m.contract_id, m.code, b.bc_name, u.name AS "customerName",
  m.site_id,
  coalesce(w.ws_name, '') AS ws_name, m.name, m.state, m.amount::text AS amount, m.covered::text AS covered,
  m.open::text AS open, m.day::text AS "dueOn", m.planned, m."when", m.late AS "lateDays" FROM (SELECT s.id,
    c.id AS contract_id, c.code, c.bc_id, c.customer_id, c.site_id, c.state, s.name, s.amount,
    s.covered, s.amount - s.covered AS open, s.due, coalesce(s.due, s.planned) AS day,
    s.due IS NULL AND s.planned IS NOT NULL AS planned,
    CASE WHEN coalesce(s.due,
      s.planned) < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'before'
        WHEN s.due = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'today'
      WHEN coalesce(s.due, s.planned) BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date AND (date_trunc('week',
        (:now AT TIME ZONE 'Asia/Shanghai')::date)::date + 6) THEN 'week'
      ELSE 'later' END AS "when",
    CASE WHEN s.covered < s.amount THEN greatest(coalesce((:now AT TIME ZONE 'Asia/Shanghai')::date - s.due - s.days,
      0), 0) ELSE 0 END AS late
  FROM contracts c
  CROSS JOIN LATERAL (
    SELECT x.id, x.name, x.amount, x.covered, x.due, x.planned, x.days
    FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) x
    WHERE c.state IN ('live', 'finishing', 'settled') AND x.amount > 0
    UNION ALL
    SELECT c.id, '终止结算', c.end_value, least(c.paid, c.end_value), (c.end_at AT TIME ZONE 'Asia/Shanghai')::date, NULL,
      (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int
    WHERE c.state = 'ending' AND c.end_value > 0) s
  WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid AND c.signing_progress = 3) m JOIN companies b
    ON b.tenant_id = $1 AND b.bc_id = m.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id
    WHERE m."when" = ANY($3::text[]) AND m.open > 0 ORDER BY m.day ASC NULLS LAST, m.code ASC, m.id LIMIT 12) r),
      '[]') AS list;

-- contracts.firstflows
SELECT coalesce((SELECT json_agg(r) FROM (SELECT m.id, m.code, m.type, m.kind, m.contract_id,
  m.contract AS "contractCode", u.name AS "customerName",
  b.bc_name, m.amount::text AS amount, m.method, m.payer, m.user_name AS by, m.paid_on::text AS "paidOn",
  floor(extract(epoch FROM m.at))::float8 AS at, m.state FROM (SELECT r.id, r.code, 'taken' AS type,
    CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
    r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
    CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
    r.user_name, r.paid_on, r.at, 'booked' AS state
  FROM contract_receipts r
  JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
  WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid AND c.bc_id = $2::uuid
  UNION ALL
  SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
      ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
    CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
    f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
    WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
  FROM contract_refunds f
  JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
  WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid AND c.bc_id = $2::uuid) m JOIN companies b ON b.tenant_id = $1
    AND b.bc_id = m.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id
    WHERE m.kind = ANY($3::text[]) AND m.state = $4::text AND m.paid_on >= $5::date AND m.paid_on <= $6::date
      ORDER BY m.at DESC, m.id DESC LIMIT 12) r), '[]') AS list;

-- contracts.flow
WITH page AS MATERIALIZED (SELECT m.* FROM (SELECT r.id, r.code, 'taken' AS type,
  CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
    r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
    CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
    r.user_name, r.paid_on, r.at, 'booked' AS state
  FROM contract_receipts r
  JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
  WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
  UNION ALL
  SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
      ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
    CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
    f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
    WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
  FROM contract_refunds f
  JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
  WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m WHERE true ORDER BY m.at DESC, m.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT m.id, m.code, m.type, m.kind, m.contract_id, m.contract AS "contractCode", u.name AS "customerName",
  b.bc_name, m.amount::text AS amount, m.method, m.payer, m.user_name AS by, m.paid_on::text AS "paidOn",
  floor(extract(epoch FROM m.at))::float8 AS at,
    m.state FROM page m JOIN companies b ON b.tenant_id = $1 AND b.bc_id = m.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = m.customer_id ORDER BY m.at DESC, m.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM (SELECT r.id, r.code, 'taken' AS type,
    CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
    r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
    CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
    r.user_name, r.paid_on, r.at, 'booked' AS state
  FROM contract_receipts r
  JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
  WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
  UNION ALL
  SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
      ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
    CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
    f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
    WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
  FROM contract_refunds f
  JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
  WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m WHERE true)::int AS total;

-- contracts.flowdays
SELECT coalesce(k.taken, '0.00') AS taken, coalesce(k.given, '0.00') AS given, coalesce(k.net, '0.00') AS net,
  coalesce(k.count, 0) AS count, coalesce(k.takings, 0) AS takings
FROM unnest($2::date[]) WITH ORDINALITY AS d(day, place)
LEFT JOIN (SELECT m.paid_on, coalesce(sum(m.cash) FILTER (WHERE m.type = 'taken'), 0.00)::text AS taken,
  coalesce(sum(m.cash) FILTER (WHERE m.type = 'given'), 0.00)::text AS given,
  coalesce(sum(CASE m.type WHEN 'taken' THEN m.cash ELSE -m.cash END), 0.00)::text AS net, count(*)::int AS count,
    (count(*) FILTER (WHERE m.type = 'taken'))::int AS takings
  FROM (SELECT r.id, r.code, 'taken' AS type, CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
    r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
    CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
    r.user_name, r.paid_on, r.at, 'booked' AS state
  FROM contract_receipts r
  JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
  WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
  UNION ALL
  SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
      ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
    CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
    f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
    WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
  FROM contract_refunds f
  JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
  WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m
  WHERE m.state = 'booked' AND m.kind IN ('deposit', 'payment', 'giveBack', 'refund') AND m.paid_on >= $3::date
  GROUP BY m.paid_on) k ON k.paid_on = d.day
ORDER BY d.place;

-- contracts.flowpeople
SELECT coalesce((SELECT json_agg(json_build_object('id', k.user_id, 'name', k.name) ORDER BY k.name)
  FROM (SELECT m.user_id, max(m.user_name) AS name FROM (SELECT r.id, r.code, 'taken' AS type,
    CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
  r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
  CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
  r.user_name, r.paid_on, r.at, 'booked' AS state
FROM contract_receipts r
JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
UNION ALL
SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
    ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
  CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
  f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
  WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
FROM contract_refunds f
JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m WHERE true GROUP BY m.user_id) k), '[]')
  AS people,
(SELECT count(*)::int FROM (SELECT r.id, r.code, 'taken' AS type,
  CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
  r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
  CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
  r.user_name, r.paid_on, r.at, 'booked' AS state
FROM contract_receipts r
JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
UNION ALL
SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
    ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
  CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
  f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
  WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
FROM contract_refunds f
JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m
  WHERE true AND m.state = 'booked' AND NOT (m.state = 'booked' AND m.kind IN ('deposit', 'payment', 'giveBack',
    'refund'))) AS still;

-- contracts.flowtotals
SELECT m.method, coalesce(sum(m.cash) FILTER (WHERE m.type = 'taken'), 0.00)::text AS taken,
  coalesce(sum(m.cash) FILTER (WHERE m.type = 'given'), 0.00)::text AS given,
  coalesce(sum(CASE m.type WHEN 'taken' THEN m.cash ELSE -m.cash END), 0.00)::text AS net, count(*)::int AS count
FROM (SELECT r.id, r.code, 'taken' AS type, CASE r.kind WHEN 'moved' THEN 'movedIn' ELSE r.kind END AS kind,
    r.contract_id, c.code AS contract, c.customer_id, c.bc_id, r.amount,
    CASE WHEN r.kind IN ('deposit', 'payment') THEN r.amount ELSE 0.00 END AS cash, r.method, r.payer, r.user_id,
    r.user_name, r.paid_on, r.at, 'booked' AS state
  FROM contract_receipts r
  JOIN contracts c ON c.tenant_id = $1 AND c.id = r.contract_id
  WHERE r.tenant_id = $1 AND c.tenant_id = $1::uuid
  UNION ALL
  SELECT f.id, f.code, 'given', CASE f.kind WHEN 'moved' THEN 'movedOut' WHEN 'deposit' THEN 'giveBack'
      ELSE f.kind END, f.contract_id, c.code, c.customer_id, c.bc_id, -f.amount,
    CASE WHEN f.kind = 'moved' THEN 0.00 ELSE f.amount - f.kept END, f.method, f.payee, f.user_id, f.user_name,
    f.paid_on, f.at, CASE f.status WHEN 2 THEN 'booked' WHEN 1 THEN 'waiting'
    WHEN 3 THEN 'rejected' ELSE 'withdrawn' END
  FROM contract_refunds f
  JOIN contracts c ON c.tenant_id = $1 AND c.id = f.contract_id
  WHERE f.tenant_id = $1 AND c.tenant_id = $1::uuid) m
WHERE true AND m.state = 'booked' AND m.kind IN ('deposit', 'payment', 'giveBack', 'refund')
GROUP BY GROUPING SETS ((m.method), ())
ORDER BY m.method NULLS FIRST;

-- contracts.grown
UPDATE contracts c
SET changed = c.changed + $3, changes = c.changes + 1, billed_at = NULL, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.holdcustomers
SELECT c.id
FROM contracts c
WHERE c.tenant_id = $1 AND c.customer_id = ANY ($2::uuid[])
ORDER BY c.id
FOR UPDATE;

-- contracts.items
SELECT i.id, i.attribute, i.contract_attribute AS "contractAttribute", i.room, i.product_id, i.code, i.name,
  i.detail, i.unit, i.kind, i.stage, i.receiver AS receiver_id, i.receiver_name AS "receiverName",
  trim_scale(i.pack)::text AS pack, trim_scale(i.left_over)::text AS left,
  trim_scale(i.ordered_left)::text AS "orderedLeft", trim_scale(i.price)::text AS price,
  trim_scale(i.package_price)::text AS "packagePrice", trim_scale(i.removal_price)::text AS "removalPrice",
  (i.amount - (SELECT coalesce(sum(CASE l.attribute WHEN 4 THEN -l.amount
      ELSE round(l.priced * l.before, 2) END), 0.00)
    FROM contract_change_lines l
    JOIN contract_changes h ON h.tenant_id = $1 AND h.id = l.change_id AND h.status = 3
    WHERE l.tenant_id = $1 AND l.item_id = i.id))::text AS "leftAmount"
FROM contract_items i
WHERE i.tenant_id = $1 AND i.contract_id = $2;

-- contracts.keepparty
UPDATE contracts c SET kept_name = u.name, kept_phone = u.phone
FROM customers u
WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.kept_name = '' AND u.tenant_id = $1
  AND u.id = c.customer_id;

-- contracts.lines
SELECT l.id, l.attribute, l.contract_attribute AS "contractAttribute", l.item_id, l.product_id, l.code, l.name,
  l.detail, l.unit, l.kind, l.stage, l.receiver AS receiver_id, l.receiver_name AS "receiverName",
  trim_scale(l.pack)::text AS pack, trim_scale(l.quantity)::text AS quantity, trim_scale(l.waste)::text AS waste,
  trim_scale(l.priced)::text AS priced, trim_scale(l.ordered)::text AS ordered, trim_scale(l.price)::text AS price,
  trim_scale(l.before)::text AS before, trim_scale(l.cost)::text AS cost,
  trim_scale(l.list_price)::text AS "listPrice", l.amount::text AS amount, l.remark
FROM contract_change_lines l
WHERE l.tenant_id = $1 AND l.change_id = $2
ORDER BY l.sort;

-- contracts.livesite
SELECT c.code FROM contracts c
WHERE c.tenant_id = $1 AND c.site_id = $2 AND c.state IN ('live', 'finishing', 'ending');

-- contracts.lock
SELECT c.id, c.code, c.bc_id, b.bc_name, c.store_id, coalesce(t.name, '') AS "storeName",
  c.customer_id, u.name AS "customerName", c.quotation_id, c.site_id, coalesce(w.ws_name, '') AS ws_name,
  w.status AS "siteStatus", c.package_name AS "packageName", trim_scale(c.area)::text AS area,
  c.total::text AS total, c.paid::text AS paid,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END <= (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
        WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN c.end_value
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS owed,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays'
        AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
          '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
            WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date
    THEN c.end_value ELSE 0 END
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS overdue,
  (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)::text AS back, (CASE WHEN c.state IN ('live',
    'finishing', 'settled') THEN (SELECT min(s.due) FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) s
    WHERE s.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date AND s.covered < s.amount)
  WHEN c.state = 'ending'
    AND c.paid < c.end_value THEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date END)::text AS "dueOn",
      c.end_value::text AS "endValue",
  c.signing_progress AS "signingProgress", c.state, c.signed_on::text AS "signedOn", c.changes,
  c.void_asked AS "voidAsked", EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1) AS refunding, c.billed_at IS NOT NULL AS billed,
  c.bill_signed_on IS NOT NULL AS "billSigned", (CASE WHEN c.warranty_on IS NOT NULL AND c.state IN ('finishing',
    'settled')
  THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END)::text AS "warrantyOpen",
  NULL::text AS "quotedMargin", NULL::text AS "realMargin", c.version, c.base::text AS base, c.owner_id,
    c.deposit_version, c.signed_version, c.made_by,
  c.made_at::text AS made_at
FROM contracts c JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = c.store_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
WHERE c.tenant_id = $1::uuid AND c.id = $2::uuid
FOR UPDATE OF c;

-- contracts.lockchange
SELECT h.id, h.contract_id, h.code, h.status, h.reason, h.amount::text AS amount, h.user_id AS by_id, h.version
FROM contract_changes h
WHERE h.tenant_id = $1 AND h.id = $2
FOR UPDATE;

-- contracts.lockrefund
SELECT f.id, f.contract_id, f.code, f.kind, f.amount::text AS amount, f.kept::text AS kept,
  f.kept_reason AS "keptReason", f.method, f.payee, f.reason, f.to_id, f.user_id AS by_id, f.user_name AS by
FROM contract_refunds f
WHERE f.tenant_id = $1 AND f.id = $2
FOR UPDATE;

-- contracts.most
SELECT coalesce(c.end_value, c.total)::text AS most FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.moveddeposit
UPDATE contracts c SET signing_progress = 2 WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.ofchange
SELECT h.contract_id FROM contract_changes h WHERE h.tenant_id = $1 AND h.id = $2;

-- contracts.ofrefund
SELECT f.contract_id FROM contract_refunds f WHERE f.tenant_id = $1 AND f.id = $2;

-- contracts.open
SELECT c.id, c.end_value::text AS value, (SELECT count(*)::int FROM retrievals v
    WHERE v.tenant_id = $1 AND v.site_id = c.site_id AND v.closed_at IS NULL) AS devices,
  (SELECT count(*)::int FROM pieces p
      WHERE p.tenant_id = $1 AND p.contract_id = c.id AND p.order_state NOT IN (1, 6)) AS pieces
FROM contracts c
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.openchange
SELECT h.code
FROM contract_changes h
WHERE h.tenant_id = $1 AND h.contract_id = $2 AND h.status = 2
LIMIT 1;

-- contracts.openreturn
SELECT g.code
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
WHERE g.tenant_id = $1 AND o.contract_id = $2 AND g.state = 'open' AND g.outcome = 'reduce'
ORDER BY g.code
LIMIT 1;

-- contracts.owedback
SELECT c.code, c.bc_id, c.store_id, u.name AS customer, (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)::text AS back,
    EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1) AS asked
FROM contracts c
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.page
WITH page AS MATERIALIZED (SELECT c.* FROM contracts c WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid
  AND c.id = $3::uuid ORDER BY c.made_at DESC, c.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT c.id, c.code, c.bc_id, b.bc_name, c.store_id, coalesce(t.name, '') AS "storeName",
  c.customer_id, u.name AS "customerName", c.quotation_id, c.site_id, coalesce(w.ws_name, '') AS ws_name,
  w.status AS "siteStatus", c.package_name AS "packageName", trim_scale(c.area)::text AS area,
  c.total::text AS total, c.paid::text AS paid,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END <= (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
        WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN c.end_value
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS owed,
    (CASE WHEN c.state = 'void' THEN 0.00 ELSE greatest((CASE WHEN c.state IN ('live', 'finishing',
      'settled') THEN (SELECT coalesce(sum(i.amount), 0.00)
    FROM contract_instalments i
    LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
    WHERE i.tenant_id = $1 AND i.contract_id = c.id AND (CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start,
      c.finished_on) END + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays'
        AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
          '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date OR (i.amount < 0 AND CASE
            WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END IS NOT NULL)))
  WHEN c.state = 'ending' THEN CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value
    FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int < (:now AT TIME ZONE 'Asia/Shanghai')::date
    THEN c.end_value ELSE 0 END
  WHEN c.state = 'ended' THEN c.end_value
  ELSE 0.00 END) - c.paid, 0.00) END)::text AS overdue,
  (CASE c.state WHEN 'void' THEN c.paid
  ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END)::text AS back, (CASE WHEN c.state IN ('live',
    'finishing', 'settled') THEN (SELECT min(s.due) FROM (SELECT y.*, CASE WHEN y.amount <= 0 THEN y.amount
      ELSE greatest(0.00, least(y.amount, c.paid + y.less - y.before)) END AS covered
  FROM (SELECT i.id, i.name, i.stage, i.percent, i.change_id, i.amount, i.sort, i.warranty,
    CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END AS due,
        g.planned_start AS planned,
          (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payDays' AND (s.bc_id = c.bc_id
            OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb))::int AS days,
        coalesce(sum(greatest(i.amount, 0)) OVER (ORDER BY CASE WHEN i.change_id IS NOT NULL OR i.warranty THEN i.due_on
    WHEN i.stage IS NULL THEN c.signed_on
    ELSE coalesce(g.actual_start, c.finished_on) END NULLS LAST, i.sort, i.id
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before,
        -sum(least(i.amount, 0)) OVER () AS less
      FROM contract_instalments i
      LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = c.site_id AND g.stage = i.stage
      WHERE i.tenant_id = $1 AND i.contract_id = c.id) y) s
    WHERE s.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date AND s.covered < s.amount)
  WHEN c.state = 'ending'
    AND c.paid < c.end_value THEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date END)::text AS "dueOn",
      c.end_value::text AS "endValue",
  c.signing_progress AS "signingProgress", c.state, c.signed_on::text AS "signedOn", c.changes,
  c.void_asked AS "voidAsked", EXISTS (SELECT 1 FROM contract_refunds r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id AND r.status = 1) AS refunding, c.billed_at IS NOT NULL AS billed,
  c.bill_signed_on IS NOT NULL AS "billSigned", (CASE WHEN c.warranty_on IS NOT NULL AND c.state IN ('finishing',
    'settled')
  THEN least(c.warranty, greatest(c.total - c.paid, 0.00)) END)::text AS "warrantyOpen",
  NULL::text AS "quotedMargin", NULL::text AS "realMargin",
    c.version FROM page c JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = c.store_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id ORDER BY c.made_at DESC, c.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM contracts c WHERE c.tenant_id = $1::uuid AND c.bc_id = $2::uuid
    AND c.id = $3::uuid)::int AS total;

-- contracts.paid
UPDATE contracts c
SET paid = (SELECT coalesce(sum(r.amount), 0) FROM contract_receipts r
    WHERE r.tenant_id = $1 AND r.contract_id = c.id)
  - (SELECT coalesce(sum(f.amount), 0) FROM contract_refunds f
    WHERE f.tenant_id = $1 AND f.contract_id = c.id AND f.status = 2),
  version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.pick
SELECT c.id, c.code, u.name AS "customerName", c.state
FROM contracts c
JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
WHERE c.tenant_id = $1::uuid
ORDER BY c.made_at DESC, c.id
LIMIT 20;

-- contracts.plan
SELECT i.name, i.stage, trim_scale(i.percent)::text AS percent
FROM contract_instalments i
WHERE i.tenant_id = $1 AND i.contract_id = $2 AND i.percent IS NOT NULL
ORDER BY i.sort;

-- contracts.planned
INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, stage, percent, amount)
SELECT $1, x.id, $2, x.sort, x.name, x.stage, x.percent, x.amount
FROM json_to_recordset($3::json) AS x(id uuid, sort int, name text, stage text, percent numeric, amount numeric);

-- contracts.receipt
INSERT INTO contract_receipts (tenant_id, id, contract_id, code, kind, amount, method, paid_on, payer, remark,
  refund_id, user_id, user_name, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now);

-- contracts.refund
INSERT INTO contract_refunds (tenant_id, id, contract_id, code, kind, amount, kept, kept_reason, method, payee,
  reason, to_id, user_id, user_name, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, :now);

-- contracts.refundat
SELECT f.status, f.version FROM contract_refunds f WHERE f.tenant_id = $1 AND f.id = $2;

-- contracts.refunded
UPDATE contract_refunds f
SET status = $3, judged = $4, version = f.version + 1,
  paid_on = CASE WHEN $3::smallint = 2 THEN (:now AT TIME ZONE 'Asia/Shanghai')::date END
WHERE f.tenant_id = $1 AND f.id = $2;

-- contracts.returned
UPDATE contracts c SET signing_progress = 1, deposit_version = NULL
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.settle
UPDATE contracts c SET state = 'settled', closed_at = :now, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.sign
UPDATE contracts c
SET signing_progress = 3, signed_version = $3, base = $4, bridge = $5, package_name = $6, area = $7,
  tax_percent = $8, signer = $9, signed_on = $10, signed_by = $11, site_id = $12, notice = $13,
  owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $12), version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.signbill
UPDATE contracts c SET bill_signer = $3, bill_ours = $4, bill_signed_on = $5, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.sitestatus
SELECT w.status FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR UPDATE;

-- contracts.take
UPDATE contract_items i SET left_over = i.left_over - $3, ordered_left = $4
WHERE i.tenant_id = $1 AND i.id = $2;

-- contracts.toback
SELECT count(*)::int AS n FROM contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND (CASE c.state
  WHEN 'void' THEN c.paid
ELSE greatest(c.paid - coalesce(c.end_value, c.total), 0.00) END) > 0;

-- contracts.toclose
SELECT count(*)::int AS n FROM contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2
AND (c.state = 'ending' OR c.state = 'finishing' AND c.bill_signed_on IS NOT NULL);

-- contracts.tocustomer
UPDATE contracts SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2;

-- contracts.tookmoney
SELECT 1
FROM contract_refunds f
JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = f.contract_id AND r.user_id = $3
WHERE f.tenant_id = $1 AND f.id = $2
LIMIT 1;

-- contracts.tosettle
SELECT contract_to_settle($1, $2) AS found;

-- contracts.tosign
SELECT count(*)::int AS n FROM contracts c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.state = 'live'
AND c.signing_progress = 2;

-- contracts.touch
UPDATE contracts c SET version = c.version + 1 WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.unpaid
SELECT (c.total - c.warranty - c.paid)::text AS unpaid FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.unplan
DELETE FROM contract_instalments i WHERE i.tenant_id = $1 AND i.contract_id = $2 AND i.change_id IS NULL;

-- contracts.unwritelines
DELETE FROM contract_change_lines l WHERE l.tenant_id = $1 AND l.change_id = $2;

-- contracts.void
UPDATE contracts c
SET state = 'void', void_asked = false, void_reason = $3, voided_on = (:now AT TIME ZONE 'Asia/Shanghai')::date,
  version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.voidasked
UPDATE contracts c SET void_asked = $3, void_reason = $4, version = c.version + 1
WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.voidreason
SELECT c.void_reason AS reason FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2;

-- contracts.warranty
INSERT INTO contract_instalments (tenant_id, id, contract_id, sort, name, warranty, amount, due_on)
VALUES ($1, $2, $3, 1000, '质保金', true, $4, $5);

-- contracts.writelines
INSERT INTO contract_change_lines (tenant_id, id, change_id, sort, attribute, contract_attribute, item_id,
  product_id, code, name, detail, unit, kind, stage, receiver, receiver_name, pack, quantity, waste, priced,
  ordered, price, before, cost, list_price, amount, remark)
SELECT $1, x.id, $2, x.sort, x.attribute, x."contractAttribute", x.item_id, x.product_id, x.code, x.name,
  x.detail, x.unit, x.kind, x.stage, x.receiver_id, x."receiverName", x.pack, x.quantity, x.waste, x.priced,
  x.ordered, x.price, x.before, x.cost, x."listPrice", x.amount, x.remark
FROM json_to_recordset($3::json) AS x(id uuid, sort int, attribute smallint, "contractAttribute" smallint,
  item_id uuid, product_id uuid, code text, name text, detail text, unit text, kind text, stage text,
  receiver_id uuid, "receiverName" text, pack numeric, quantity numeric, waste numeric, priced numeric,
  ordered numeric, price numeric, before numeric, cost numeric, "listPrice" numeric, amount numeric, remark text);
