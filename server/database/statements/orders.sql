-- orders.accept
UPDATE orders o SET receive_state = 2, answered_at = :now, answered_by = $3
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.addlines
INSERT INTO order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity, price)
SELECT $1, x.id, $2, x.item_id, x.sort, x.code, x.name, x.detail, x.unit, x.stage, x.quantity, x.price
FROM json_to_recordset($3::json) AS x(id uuid, item_id uuid, sort int, code text, name text, detail text,
unit text,
  stage text, quantity numeric, price numeric);

-- orders.answer
INSERT INTO order_answers (tenant_id, order_id, asked_at, answered_at, bc_id, site_id, receiver_id, accepted,
  worked_seconds)
SELECT o.tenant_id, o.id, coalesce(o.asked_at, o.made_at), o.answered_at, o.bc_id, o.site_id, o.receiver_id,
  o.receive_state = 2, $3
FROM orders o
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.ask
UPDATE orders o
SET ask = $3, ask_side = $4, ask_reason = $5, ask_by = $6, ask_name = $7, ask_at = :now, version = o.version + 1
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.asked
SELECT o.bc_id AS bc, coalesce(o.asked_at, o.made_at) AS at
FROM orders o
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.askedbuyer
SELECT count(*)::int AS n FROM orders o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.ask <> ''
  AND o.ask_side = 'receiver';

-- orders.askedreceiver
SELECT count(*)::int AS n FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.ask <> ''
  AND o.ask_side = 'buyer';

-- orders.asktermination
UPDATE orders o
SET ask = $3, ask_side = 'buyer', ask_reason = '工地合同终止', ask_by = $5, ask_name = $4, ask_at = :now,
  version = o.version + 1
WHERE o.tenant_id = $1 AND o.id = $2 AND o.ask = '' AND EXISTS (
  SELECT 1 FROM pieces p WHERE p.tenant_id = $1 AND p.order_id = o.id AND p.place = 'ship');

-- orders.clocks
SELECT k.id, k.bc_id AS bc, k.due_at AS due
FROM orders k
WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
  AND k.receive_state = 0 AND k.ended = '' AND k.due_at > :now
ORDER BY k.id
FOR UPDATE;

-- orders.close
UPDATE orders o SET ended = 'closed', ask = '', ask_side = '' WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.decline
UPDATE orders o SET ask = '', ask_side = '', version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.detail
SELECT o.id, o.code, o.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, o.receiver_id,
  o.receiver_name AS "receiverName",
     CASE WHEN true THEN o.site_id::text ELSE '' END AS site_id,
     CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, o.community, o.batch,
     o.method, o.expected_on::text AS "expectedOn", o.receive_state AS "receiveState", o.ended,
     o.order_state AS "orderState", o.lines, o.lines_accepted AS "linesAccepted",
     NULL::text AS amount, o.placed_lines AS "placedLines",
     NULL::text AS "placedAmount", floor(extract(epoch FROM o.made_at))::float8 AS "madeAt",
     o.made_name AS "madeBy",
     o.made_by, floor(extract(epoch FROM o.due_at))::float8 AS "dueAt",
       floor(extract(epoch FROM o.answered_at))::float8 AS "answeredAt",
     floor(extract(epoch FROM o.urged_at))::float8 AS "urgedAt",
       ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
         'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
       AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
         WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))) AS late, o.ask,
           o.ask_side AS "askSide", o.ask_by AS "askBy",
     o.ask_name AS "askName", o.ask_reason AS "askReason", true AS buyer, true AS receiver,
     w.status AS "siteStatus", EXISTS (SELECT 1 FROM dispatches d
       WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1)) AS shipped,
         EXISTS (SELECT 1 FROM pieces y
       WHERE y.tenant_id = $1 AND y.order_id = o.id AND y.place = 'ship') AS remains,
     o.version, CASE WHEN true THEN o.contract_id::text ELSE '' END AS contract_id,
     CASE WHEN true THEN coalesce(c.code, '') ELSE '' END AS "contractCode", o.remark, o.revision,
     o.reject_code AS "rejectCode", o.reason, floor(extract(epoch FROM o.ask_at))::float8 AS "askAt", o.parent_id,
     coalesce(r.code, '') AS "parentCode",
     coalesce((SELECT json_agg(json_build_object('id', k.id, 'code',
       k.code) ORDER BY k.code) FROM orders k WHERE k.tenant_id = $1 AND k.parent_id = o.id), '[]') AS children,
     coalesce((SELECT json_agg(json_build_object('id', l.id, 'item_id',
       CASE WHEN true THEN l.item_id::text ELSE '' END, 'code', l.code, 'name', l.name,
       'detail', l.detail, 'unit', l.unit, 'stage', CASE WHEN true THEN l.stage END,
       'quantity', trim_scale(l.quantity)::text,
       'inForce', trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.order_id = l.order_id AND p.counts
           AND p.place NOT IN ('held', 'back')), 0))::text, 'price', NULL,
       'amount', NULL,
       'promisedOn', l.promised_on::text,
       'orderState', (SELECT h.state
       FROM unnest(ARRAY[7, 5, 4, 3, 2, 6, 1]::smallint[])
         WITH ORDINALITY AS h(state, rank)
       WHERE EXISTS (SELECT 1 FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.order_state = h.state)
       ORDER BY h.rank LIMIT 1),
       'shipped', trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.result IS NOT NULL), 0))::text,
       'arrived', trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.result >= 1), 0))::text,
       'accepted', trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.result = 2), 0))::text,
       'returned', trim_scale(coalesce((SELECT sum(p.quantity) FROM pieces p
         WHERE p.tenant_id = $1 AND p.line_id = l.id AND p.place = 'back'), 0))::text, 'pieces',
           coalesce((SELECT json_agg(json_build_object('id', p.id, 'quantity', trim_scale(p.quantity)::text, 'place',
             p.place, 'result', p.result, 'orderState', p.order_state,
       'round', p.round, 'noteCode', coalesce(n.code, ''), 'nextNoteCode', coalesce(x.code, ''),
       'changeCode', coalesce(g.code, ''), 'since', floor(extract(epoch FROM p.since))::float8) ORDER BY p.order_state,
         p.id) FROM pieces p
       LEFT JOIN dispatches n ON n.tenant_id = $1 AND n.id = p.note_id
       LEFT JOIN dispatches x ON x.tenant_id = $1 AND x.id = p.next_note_id
       LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = p.change_id
       WHERE p.tenant_id = $1 AND p.line_id = l.id),
         '[]')) ORDER BY l.sort) FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = o.id), '[]') AS "lineList",
           coalesce((SELECT json_agg(json_build_object('id', d.id, 'code', d.code, 'kind', d.kind, 'state', d.state,
             'checkState', d.check_state,
       'shippedAt', floor(extract(epoch FROM d.shipped_at))::float8, 'deliveredAt',
         floor(extract(epoch FROM d.delivered_at))::float8) ORDER BY d.made_at,
           d.code) FROM dispatches d WHERE d.tenant_id = $1 AND d.order_id = o.id), '[]') AS notes,
             coalesce((SELECT json_agg(json_build_object('id', g.id, 'code', g.code, 'result', g.result,
               'examineState', g.examine_state) ORDER BY g.made_at,
                 g.code) FROM goods_changes g WHERE g.tenant_id = $1 AND g.order_id = o.id), '[]') AS changes,
                   coalesce((SELECT json_agg(json_build_object('at', floor(extract(epoch FROM g.at))::float8, 'who',
                     coalesce(nullif(u.nickname, ''), g.user_name), 'action', g.action, 'reason',
coalesce(told_log(g.after -> 'reason', g.beside), '')) ORDER BY g.at DESC) FROM user_logs g
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.user_id
       WHERE g.tenant_id = $1 AND g.object = 'order' AND g.object_id = o.id::text AND g.outcome = 'done'),
         '[]') AS log, (CASE WHEN o.ended NOT IN ('', 'closed') THEN ''
       WHEN o.ask <> '' THEN CASE o.ask_side WHEN 'buyer' THEN o.receiver_name ELSE o.made_name END
       WHEN o.receive_state = 1 THEN o.made_name
       WHEN o.order_state IN (2, 3) THEN o.receiver_name
       WHEN o.order_state = 4 THEN '承运'
       WHEN o.order_state = 5 THEN '验收员'
       WHEN o.order_state = 7 THEN '审核和退货'
       ELSE '' END) AS turn,
     floor(extract(epoch FROM (CASE WHEN o.ask <> '' THEN o.ask_at
       ELSE (SELECT min(p.since) FROM pieces p
         WHERE p.tenant_id = $1 AND p.order_id = o.id AND p.order_state = o.order_state) END)))::float8 AS "turnSince",
           coalesce((SELECT json_agg(json_build_object('revision', r.revision, 'at',
             floor(extract(epoch FROM r.at))::float8, 'text', concat_ws('；', '期望 ' || (r.content ->> 'expectedOn'),
       nullif(r.content ->> 'remark', ''),
         '拒单：' || (r.content ->> 'reason'))) ORDER BY r.revision) FROM order_revisions r WHERE r.tenant_id = $1
           AND r.order_id = o.id), '[]') AS revisions,
     CASE WHEN true OR NOT true AND o.receive_state = 2 THEN o.address ELSE '' END AS address,
     CASE WHEN (true OR o.receive_state = 2) THEN o.contact ELSE '' END AS contact,
     CASE WHEN (true OR o.receive_state = 2) THEN o.contact_phone ELSE '' END AS "contactPhone"
   FROM orders o
   LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = o.bc_id
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
   LEFT JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
   LEFT JOIN orders r ON r.tenant_id = $1 AND r.id = o.parent_id
   WHERE o.tenant_id = $1::uuid AND o.id = $2::uuid;

-- orders.emptylines
DELETE FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.quantity = 0;

-- orders.end
UPDATE orders o SET receive_state = $3, ended = $4, reason = $5, ask = '', ask_side = ''
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.freeze
INSERT INTO order_revisions (tenant_id, order_id, revision, content, at)
SELECT o.tenant_id, o.id, o.revision, jsonb_build_object('expectedOn', o.expected_on::text, 'remark', o.remark,
  'rejectCode', o.reject_code, 'reason', o.reason, 'answeredBy', o.answered_by), :now
FROM orders o
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.goodsof
SELECT count(*) FILTER (WHERE p.order_state = 1)::int AS open,
  coalesce(string_agg(DISTINCT i.name, '、') FILTER (WHERE p.order_state = 1), '') AS "left",
  count(*) FILTER (WHERE p.order_state NOT IN (1, 6))::int AS moving,
  coalesce(string_agg(DISTINCT i.name, '、') FILTER (WHERE p.order_state NOT IN (1, 6)), '')
    AS names,
  EXISTS (SELECT 1 FROM contracts c WHERE c.tenant_id = $1 AND c.site_id = $2
    AND c.state IN ('ending', 'void')) AS ending
FROM pieces p
JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
WHERE p.tenant_id = $1 AND p.site_id = $2;

-- orders.items
SELECT k.item_id AS id, k.bc_id, k.site_id, i.contract_id, i.stage, i.product_id, i.code, i.name, i.detail, i.unit,
  i.receiver AS receiver_id, coalesce(receiver_name($1, i.receiver), i.receiver_name) AS "receiverName",
  trim_scale(i.cost)::text AS cost,
  trim_scale(i.pack)::text AS pack,
  w.status AS "siteStatus", array_remove(ARRAY[
    CASE WHEN i.product_id IS NULL AND i.contract_attribute = 1 THEN 'product' END,
    CASE WHEN EXISTS (SELECT 1 FROM contract_change_lines x
    JOIN contract_changes y ON y.tenant_id = $1 AND y.id = x.change_id
    WHERE x.tenant_id = $1 AND x.item_id = i.id AND y.status = 2) THEN 'change' END,
    CASE WHEN ((coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payFirst'
      AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        'false'::jsonb))::boolean AND (CASE WHEN c.state IN ('live', 'finishing',
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
  ELSE 0.00 END) > c.paid) THEN 'money' END,
    CASE WHEN receiver_name($1, i.receiver) IS NULL THEN 'receiver' END,
    CASE WHEN i.cost IS NULL THEN 'cost' END], NULL) AS bars
FROM items_to_order k JOIN contract_items i ON i.tenant_id = $1 AND i.id = k.item_id
JOIN contracts c ON c.tenant_id = $1 AND c.id = i.contract_id
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
WHERE k.tenant_id = $1::uuid AND k.item_id = $2::uuid;

-- orders.known
SELECT DISTINCT p.item_id AS id FROM pieces p WHERE p.tenant_id = $1::uuid AND p.item_id = $2::uuid;

-- orders.lapse
UPDATE orders o SET ask = '', ask_side = '', version = o.version + 1
WHERE o.tenant_id = $1 AND o.id = $2 AND o.ask = 'withdraw'
RETURNING o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.made_by,
  o.ask_by;

-- orders.lessen
UPDATE orders o
SET placed_amount = x.amount, placed_lines = x.lines
FROM (
  SELECT count(*)::int AS lines, coalesce(sum(round(l.quantity * l.price, 2)), 0) AS amount
  FROM order_lines l
  WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.quantity > 0) x
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.lessenline
UPDATE order_lines l SET quantity = $3 WHERE l.tenant_id = $1 AND l.id = $2;

-- orders.lines
SELECT l.id, l.item_id, l.name, l.unit, trim_scale(l.quantity)::text AS quantity,
  trim_scale(l.price)::text AS price, trim_scale(i.pack)::text AS pack
FROM order_lines l
JOIN contract_items i ON i.tenant_id = $1 AND i.id = l.item_id
WHERE l.tenant_id = $1 AND l.order_id = $2
ORDER BY l.sort;

-- orders.lock
SELECT o.id, o.code, o.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, o.receiver_id,
  o.receiver_name AS "receiverName",
  CASE WHEN true THEN o.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, o.community, o.batch,
  o.method, o.expected_on::text AS "expectedOn", o.receive_state AS "receiveState", o.ended,
  o.order_state AS "orderState", o.lines, o.lines_accepted AS "linesAccepted",
  o.amount::text AS amount, o.placed_lines AS "placedLines",
  o.placed_amount::text AS "placedAmount", floor(extract(epoch FROM o.made_at))::float8 AS "madeAt",
  o.made_name AS "madeBy",
  o.made_by, floor(extract(epoch FROM o.due_at))::float8 AS "dueAt",
    floor(extract(epoch FROM o.answered_at))::float8 AS "answeredAt",
  floor(extract(epoch FROM o.urged_at))::float8 AS "urgedAt",
    ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
      'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))) AS late, o.ask,
        o.ask_side AS "askSide", o.ask_by AS "askBy",
  o.ask_name AS "askName", o.ask_reason AS "askReason", true AS buyer, true AS receiver,
  w.status AS "siteStatus", EXISTS (SELECT 1 FROM dispatches d
    WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1)) AS shipped, EXISTS (SELECT 1 FROM pieces y
    WHERE y.tenant_id = $1 AND y.order_id = o.id AND y.place = 'ship') AS remains,
  o.version,
  o.site_id AS place_id, o.contract_id,
  c.state IN ('live', 'finishing', 'settled') AS "contractLive", o.remark, o.revision, o.urged_at,
  o.expected_on
FROM orders o
JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = o.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
WHERE o.tenant_id = $1 AND o.id = $2
FOR UPDATE OF o;

-- orders.moveclocks
UPDATE orders k SET due_at = x.due
FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
WHERE k.tenant_id = $1 AND k.id = x.id;

-- orders.ofsite
SELECT o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.made_by,
  o.receive_state = 0 AS asked, o.receive_state IN (0, 1) AS over,
  EXISTS (SELECT 1 FROM dispatches d
    WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1)) AS shipped
FROM orders o
WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.ended = ''
ORDER BY o.id
FOR UPDATE OF o;

-- orders.page
WITH page AS MATERIALIZED (SELECT o.* FROM orders o WHERE o.tenant_id = $1::uuid ORDER BY o.made_at DESC,
  o.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT o.id, o.code, o.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, o.receiver_id,
      o.receiver_name AS "receiverName",
  CASE WHEN true THEN o.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, o.community, o.batch,
  o.method, o.expected_on::text AS "expectedOn", o.receive_state AS "receiveState", o.ended,
  o.order_state AS "orderState", o.lines, o.lines_accepted AS "linesAccepted",
  o.amount::text AS amount, o.placed_lines AS "placedLines",
  o.placed_amount::text AS "placedAmount", floor(extract(epoch FROM o.made_at))::float8 AS "madeAt",
  o.made_name AS "madeBy",
  o.made_by, floor(extract(epoch FROM o.due_at))::float8 AS "dueAt",
    floor(extract(epoch FROM o.answered_at))::float8 AS "answeredAt",
  floor(extract(epoch FROM o.urged_at))::float8 AS "urgedAt",
    ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
      'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))) AS late, o.ask,
        o.ask_side AS "askSide", o.ask_by AS "askBy",
  o.ask_name AS "askName", o.ask_reason AS "askReason", true AS buyer, true AS receiver,
  w.status AS "siteStatus", EXISTS (SELECT 1 FROM dispatches d
    WHERE d.tenant_id = $1 AND d.order_id = o.id AND d.state NOT IN (0, 1)) AS shipped, EXISTS (SELECT 1 FROM pieces y
    WHERE y.tenant_id = $1 AND y.order_id = o.id AND y.place = 'ship') AS remains,
  o.version FROM page o LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = o.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id ORDER BY o.made_at DESC, o.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT coalesce(sum(k.count), 0) FROM order_counts k
  WHERE k.tenant_id = $1::uuid)::int AS total;

-- orders.parties
SELECT o.bc_id, o.receiver_id, true AS buyer,
  true AS receiver FROM orders o WHERE o.tenant_id = $1::uuid AND o.id = $2::uuid;

-- orders.place
INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, receiver_id, receiver_name, site_id, contract_id, batch,
  method, expected_on, remark, community, address, contact, contact_phone, made_by, made_name, made_at, due_at,
  lines, amount, placed_lines, placed_amount)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, :now, $20, $21,
$22, $21, $22);

-- orders.plan
WITH page AS MATERIALIZED (SELECT k.* FROM items_to_order k WHERE k.tenant_id = $1::uuid
  ORDER BY k.suggested_on ASC NULLS LAST, k.site_id ASC, k.stage ASC, k.item_id ASC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT k.item_id AS id, k.bc_id, b.bc_name, k.site_id, w.ws_name, c.id AS contract_id,
  c.code AS "contractCode", k.stage, i.room, concat_ws(' / ', j.name, h.name, g.name) AS category, i.code, i.name,
  i.detail, i.unit, i.attribute, trim_scale(k.quantity)::text AS quantity, trim_scale(k.held)::text AS held,
  trim_scale(i.pack)::text AS pack, i.receiver AS receiver_id, i.receiver_name AS "receiverName",
  k.lead_days AS "leadDays", k.stage_on::text AS "stageOn", k.suggested_on::text AS "suggestedOn",
  coalesce(k.suggested_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false) AS late, a.ready_on::text AS "readyOn",
    1 AS "orderState",
  array_remove(ARRAY[
    CASE WHEN i.product_id IS NULL AND i.contract_attribute = 1 THEN 'product' END,
    CASE WHEN EXISTS (SELECT 1 FROM contract_change_lines x
    JOIN contract_changes y ON y.tenant_id = $1 AND y.id = x.change_id
    WHERE x.tenant_id = $1 AND x.item_id = i.id AND y.status = 2) THEN 'change' END,
    CASE WHEN ((coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'payFirst'
      AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        'false'::jsonb))::boolean AND (CASE WHEN c.state IN ('live', 'finishing',
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
  ELSE 0.00 END) > c.paid) THEN 'money' END,
    CASE WHEN receiver_name($1, i.receiver) IS NULL THEN 'receiver' END,
    CASE WHEN i.cost IS NULL THEN 'cost' END],
      NULL) AS bars FROM page k JOIN contract_items i ON i.tenant_id = $1 AND i.id = k.item_id
JOIN contracts c ON c.tenant_id = $1 AND c.id = i.contract_id
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id LEFT JOIN products d ON d.tenant_id = $1 AND d.id = k.product_id
LEFT JOIN product_categories g ON g.tenant_id = $1 AND g.id = d.category_id
LEFT JOIN product_categories h ON h.tenant_id = $1 AND h.id = g.parent_id
LEFT JOIN product_categories j ON j.tenant_id = $1 AND j.id = h.parent_id
  JOIN companies b ON b.tenant_id = $1 AND b.bc_id = k.bc_id
  LEFT JOIN site_arrivals a ON a.tenant_id = $1 AND a.site_id = k.site_id ORDER BY k.suggested_on ASC NULLS LAST,
    k.site_id ASC, k.stage ASC, k.item_id ASC) r), '[]'::json)::text AS list,
  (SELECT coalesce(sum(k.count), 0) FROM to_order_counts k WHERE k.tenant_id = $1::uuid)::int AS total;

-- orders.promise
UPDATE order_lines l SET promised_on = x.day
FROM json_to_recordset($3::json) AS x(id uuid, day date)
WHERE l.tenant_id = $1 AND l.order_id = $2 AND l.id = x.id;

-- orders.ready
INSERT INTO site_arrivals AS a (tenant_id, site_id, bc_id, ready_on, place, user_name, at)
VALUES ($1, $2, $3, $4, $5, $6, :now)
ON CONFLICT (tenant_id, site_id) DO UPDATE
SET ready_on = $4, place = $5, user_name = $6, at = :now, version = a.version + 1;

-- orders.readysite
SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- orders.reject
UPDATE orders o
SET receive_state = 1, reject_code = $3, reason = $4, answered_at = :now, answered_by = $5
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.remind
SELECT o.id, o.code, o.bc_id, o.site_id AS place_id, o.receiver_id, o.receiver_name AS receiver, o.made_by
FROM orders o
WHERE o.tenant_id = $1 AND o.receive_state = 0 AND o.ended = ''
  AND o.due_at BETWEEN :now - interval '14 days' AND :now
  AND NOT EXISTS (
    SELECT 1
    FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'order' AND m.cause_id = o.id::text AND m.step = 'due')
ORDER BY o.id
LIMIT 500
FOR UPDATE OF o SKIP LOCKED;

-- orders.resubmit
UPDATE orders o
SET receive_state = 0, revision = o.revision + 1, expected_on = $3, remark = $4, reject_code = '',
  reason = '', answered_at = NULL, answered_by = '', due_at = $5, urged_at = NULL, asked_at = :now
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.site
SELECT w.bc_id, b.bc_name, coalesce(nullif(w.community, ''), w.code) AS community, w.address,
  coalesce(m.nickname, '') AS contact, coalesce(m.phone, '') AS phone
FROM sites w
JOIN companies b ON b.tenant_id = $1 AND b.bc_id = w.bc_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
WHERE w.tenant_id = $1 AND w.id = $2;

-- orders.split
INSERT INTO orders (tenant_id, id, code, bc_id, bc_name, receiver_id, receiver_name, site_id, contract_id,
parent_id,
   batch, method, expected_on, remark, community, address, contact, contact_phone, made_by, made_name, made_at,
   due_at, lines, amount, placed_lines, placed_amount, asked_at)
 SELECT o.tenant_id, $3, $4, o.bc_id, o.bc_name, o.receiver_id, o.receiver_name, o.site_id, o.contract_id, o.id,
   o.batch, o.method, o.expected_on, o.remark, o.community, o.address, o.contact, o.contact_phone, o.made_by,
   o.made_name, o.made_at, o.due_at, $5, $6, $5, $6, o.asked_at
 FROM orders o
 WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.splitline
INSERT INTO order_lines (tenant_id, id, order_id, item_id, sort, code, name, detail, unit, stage, quantity,
price)
 SELECT l.tenant_id, $3, $4, l.item_id, $5, l.code, l.name, l.detail, l.unit, l.stage, $6, l.price
 FROM order_lines l
 WHERE l.tenant_id = $1 AND l.id = $2;

-- orders.splits
SELECT coalesce(max(substring(o.code FROM '-(\d+)$')::int), 1) AS last
FROM orders b
JOIN orders o ON o.tenant_id = $1 AND o.site_id = b.site_id AND (o.code = $2 OR o.code LIKE $2 || '-%')
WHERE b.tenant_id = $1 AND b.id = $3;

-- orders.terminated
UPDATE orders o SET ended = $3, receive_state = 1, version = o.version + 1
WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.toplace
SELECT count(*)::int AS n FROM orders o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.receive_state IN (0, 1)
AND o.ended = '';

-- orders.toreceive
SELECT count(*)::int AS n FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.receive_state = 0
  AND o.ended = '';

-- orders.touch
UPDATE orders o SET version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2;

-- orders.units
WITH page AS MATERIALIZED (SELECT e.* FROM (SELECT coalesce(k.receiver_id, m.receiver_id,
  v.receiver_id) AS receiver_id, k.name,
     coalesce(k.orders, 0) AS orders,
     coalesce(k.waiting, 0) AS waiting, coalesce(k.rejected, 0) AS rejected, coalesce(k.accepted, 0) AS accepted,
     coalesce(k.ended, 0) AS ended, coalesce(k.late, 0) AS late, h.answer_hours, coalesce(h.answers, 0) AS answers,
     coalesce(r.arrived, 0) AS arrived, coalesce(r.late, 0) AS arrived_late, coalesce(r.moved, 0) AS arrived_moved,
     round(100.0 * (r.arrived - r.late - r.moved) / nullif(r.arrived, 0), 1)::float8 AS on_time,
     coalesce(m.sold, 0.00) AS sold,
     coalesce(m.returned, 0.00) AS returned, coalesce(m.by_hand, 0.00) AS by_hand,
     coalesce(v.paid, 0.00) AS paid
   FROM (SELECT o.receiver_id, max(o.receiver_name) AS name, count(*) FILTER (WHERE true AND true)::int AS orders,
     count(*) FILTER (WHERE true AND o.receive_state = 0 AND o.ended = '')::int AS waiting,
     count(*) FILTER (WHERE true AND o.receive_state = 1 AND o.ended = '')::int AS rejected,
     count(*) FILTER (WHERE true AND o.receive_state = 2)::int AS accepted,
     count(*) FILTER (WHERE true AND o.receive_state <> 2 AND o.ended <> '')::int AS ended,
       count(*) FILTER (WHERE true AND ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
         'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
     AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
       WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))))::int AS late
   FROM orders o
   WHERE o.tenant_id = $1::uuid AND true
   GROUP BY o.receiver_id) k
   FULL JOIN (SELECT w.receiver_id, sum(w.amount) FILTER (WHERE w.line_id IS NOT NULL AND w.quantity > 0) AS sold,
       -sum(w.amount) FILTER (WHERE w.line_id IS NOT NULL AND w.quantity < 0) AS returned,
         sum(w.amount) FILTER (WHERE w.line_id IS NULL) AS by_hand
     FROM owed_lines w
     WHERE w.tenant_id = $2::uuid AND true AND true
     GROUP BY w.receiver_id) m ON m.receiver_id = k.receiver_id
   FULL JOIN (SELECT y.receiver_id, sum(y.amount) FILTER (WHERE true) AS paid
     FROM owed_payments y
     WHERE y.tenant_id = $3::uuid AND true AND y.reversed_at IS NULL
     GROUP BY y.receiver_id) v ON v.receiver_id = coalesce(k.receiver_id, m.receiver_id)
   LEFT JOIN (SELECT a.receiver_id, count(*)::int AS answers,
       round(avg(a.worked_seconds) / 3600, 1)::float8 AS answer_hours
     FROM order_answers a
     WHERE a.tenant_id = $1::uuid AND true AND true
     GROUP BY a.receiver_id) h ON h.receiver_id = coalesce(k.receiver_id, m.receiver_id, v.receiver_id)
   LEFT JOIN (SELECT d.receiver_id, (count(*) FILTER (WHERE p.promised))::int AS arrived,
       (count(*) FILTER (WHERE p.late))::int AS late, (count(*) FILTER (WHERE p.moved))::int AS moved
     FROM dispatches d
     CROSS JOIN LATERAL (
SELECT p.due_on IS NOT NULL AS promised, p.came_on > p.due_on AND NOT p.by_moved AS late,
  p.came_on > p.due_on AND p.by_moved AS moved
FROM (SELECT (SELECT min(coalesce(pl.promised_on, po.expected_on))
FROM carried pc
JOIN order_lines pl ON pl.tenant_id = $1 AND pl.id = pc.line_id
JOIN orders po ON po.tenant_id = $1 AND po.id = pl.order_id
WHERE pc.tenant_id = $1 AND pc.note_id = d.id AND d.kind = 1) AS due_on,
  (d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date AS came_on,
  coalesce((d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date <= d.moved_on, false) AS by_moved OFFSET 0) p) p
     WHERE d.tenant_id = $1::uuid AND true AND d.delivered_at IS NOT NULL AND true
     GROUP BY d.receiver_id) r ON r.receiver_id = coalesce(k.receiver_id, m.receiver_id,
       v.receiver_id)) e WHERE (e.orders > 0 OR e.sold <> 0 OR e.returned <> 0 OR e.by_hand <> 0 OR e.paid <> 0)
         ORDER BY e.orders DESC, e.receiver_id ASC LIMIT 20)
 SELECT coalesce((SELECT json_agg(r)
     FROM (SELECT e.receiver_id AS id, coalesce(e.name, t.name, b.bc_name, '') AS name, coalesce(b.bc_name,
       '') AS bc_name,
   e.orders, e.waiting, e.rejected, e.accepted, e.ended, e.answer_hours AS "answerHours", e.answers, e.late,
   e.arrived, e.arrived_late AS "arrivedLate", e.arrived_moved AS "arrivedMoved", e.on_time AS "onTime",
   (e.sold)::text AS "acceptedAmount", (e.returned)::text AS "returnedAmount",
   (e.by_hand)::text AS "handAmount", (e.sold - e.returned + e.by_hand)::text AS due,
   (e.paid)::text AS paid FROM page e LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = e.receiver_id
 LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = coalesce(t.bc_id, e.receiver_id) ORDER BY e.orders DESC,
   e.receiver_id ASC) r), '[]'::json)::text AS list,
   (SELECT count(*) FROM (SELECT coalesce(k.receiver_id, m.receiver_id, v.receiver_id) AS receiver_id, k.name,
     coalesce(k.orders, 0) AS orders,
     coalesce(k.waiting, 0) AS waiting, coalesce(k.rejected, 0) AS rejected, coalesce(k.accepted, 0) AS accepted,
     coalesce(k.ended, 0) AS ended, coalesce(k.late, 0) AS late, h.answer_hours, coalesce(h.answers, 0) AS answers,
     coalesce(r.arrived, 0) AS arrived, coalesce(r.late, 0) AS arrived_late, coalesce(r.moved, 0) AS arrived_moved,
     round(100.0 * (r.arrived - r.late - r.moved) / nullif(r.arrived, 0), 1)::float8 AS on_time,
     coalesce(m.sold, 0.00) AS sold,
     coalesce(m.returned, 0.00) AS returned, coalesce(m.by_hand, 0.00) AS by_hand,
     coalesce(v.paid, 0.00) AS paid
   FROM (SELECT o.receiver_id, max(o.receiver_name) AS name, count(*) FILTER (WHERE true AND true)::int AS orders,
     count(*) FILTER (WHERE true AND o.receive_state = 0 AND o.ended = '')::int AS waiting,
     count(*) FILTER (WHERE true AND o.receive_state = 1 AND o.ended = '')::int AS rejected,
     count(*) FILTER (WHERE true AND o.receive_state = 2)::int AS accepted,
     count(*) FILTER (WHERE true AND o.receive_state <> 2 AND o.ended <> '')::int AS ended,
       count(*) FILTER (WHERE true AND ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
         'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
     AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
       WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))))::int AS late
   FROM orders o
   WHERE o.tenant_id = $1::uuid AND true
   GROUP BY o.receiver_id) k
   FULL JOIN (SELECT w.receiver_id, sum(w.amount) FILTER (WHERE w.line_id IS NOT NULL AND w.quantity > 0) AS sold,
       -sum(w.amount) FILTER (WHERE w.line_id IS NOT NULL AND w.quantity < 0) AS returned,
         sum(w.amount) FILTER (WHERE w.line_id IS NULL) AS by_hand
     FROM owed_lines w
     WHERE w.tenant_id = $2::uuid AND true AND true
     GROUP BY w.receiver_id) m ON m.receiver_id = k.receiver_id
   FULL JOIN (SELECT y.receiver_id, sum(y.amount) FILTER (WHERE true) AS paid
     FROM owed_payments y
     WHERE y.tenant_id = $3::uuid AND true AND y.reversed_at IS NULL
     GROUP BY y.receiver_id) v ON v.receiver_id = coalesce(k.receiver_id, m.receiver_id)
   LEFT JOIN (SELECT a.receiver_id, count(*)::int AS answers,
       round(avg(a.worked_seconds) / 3600, 1)::float8 AS answer_hours
     FROM order_answers a
     WHERE a.tenant_id = $1::uuid AND true AND true
     GROUP BY a.receiver_id) h ON h.receiver_id = coalesce(k.receiver_id, m.receiver_id, v.receiver_id)
   LEFT JOIN (SELECT d.receiver_id, (count(*) FILTER (WHERE p.promised))::int AS arrived,
       (count(*) FILTER (WHERE p.late))::int AS late, (count(*) FILTER (WHERE p.moved))::int AS moved
     FROM dispatches d
     CROSS JOIN LATERAL (
SELECT p.due_on IS NOT NULL AS promised, p.came_on > p.due_on AND NOT p.by_moved AS late,
  p.came_on > p.due_on AND p.by_moved AS moved
FROM (SELECT (SELECT min(coalesce(pl.promised_on, po.expected_on))
FROM carried pc
JOIN order_lines pl ON pl.tenant_id = $1 AND pl.id = pc.line_id
JOIN orders po ON po.tenant_id = $1 AND po.id = pl.order_id
WHERE pc.tenant_id = $1 AND pc.note_id = d.id AND d.kind = 1) AS due_on,
  (d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date AS came_on,
  coalesce((d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date <= d.moved_on, false) AS by_moved OFFSET 0) p) p
     WHERE d.tenant_id = $1::uuid AND true AND d.delivered_at IS NOT NULL AND true
     GROUP BY d.receiver_id) r ON r.receiver_id = coalesce(k.receiver_id, m.receiver_id,
       v.receiver_id)) e WHERE (e.orders > 0 OR e.sold <> 0 OR e.returned <> 0 OR e.by_hand <> 0
         OR e.paid <> 0))::int AS total;

-- orders.urge
UPDATE orders o SET urged_at = :now, version = o.version + 1 WHERE o.tenant_id = $1 AND o.id = $2;
