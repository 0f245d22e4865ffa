-- counts.board
WITH steps AS (
   SELECT 'answer' AS step, count(*)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hours) AS p50,
     percentile_cont(0.9) WITHIN GROUP (ORDER BY h.hours) AS p90
   FROM (SELECT o.worked_seconds / 3600.0 AS hours FROM order_answers o WHERE o.tenant_id = $1::uuid
   AND o.answered_at > :now - interval '30 days') h
   UNION ALL
   SELECT 'ship' AS step, count(*)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hours) AS p50,
     percentile_cont(0.9) WITHIN GROUP (ORDER BY h.hours) AS p90
   FROM (SELECT extract(epoch FROM d.shipped_at - d.made_at) / 3600 AS hours FROM dispatches d
     WHERE d.tenant_id = $1::uuid
   AND d.shipped_at > :now - interval '30 days') h
   UNION ALL
   SELECT 'carry' AS step, count(*)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hours) AS p50,
     percentile_cont(0.9) WITHIN GROUP (ORDER BY h.hours) AS p90
   FROM (SELECT extract(epoch FROM d.delivered_at - d.shipped_at) / 3600 AS hours FROM dispatches d
     WHERE d.tenant_id = $1::uuid
   AND d.delivered_at > :now - interval '30 days') h
   UNION ALL
   SELECT 'check' AS step, count(*)::int AS count, percentile_cont(0.5) WITHIN GROUP (ORDER BY h.hours) AS p50,
     percentile_cont(0.9) WITHIN GROUP (ORDER BY h.hours) AS p90
   FROM (SELECT extract(epoch FROM d.checked_at - d.delivered_at) / 3600 AS hours FROM dispatches d
     WHERE d.tenant_id = $1::uuid
   AND d.checked_at > :now - interval '30 days') h
 ), notes AS (
   SELECT (count(*) FILTER (WHERE k.promised))::int AS arrived, (count(*) FILTER (WHERE k.late))::int AS late,
     (count(*) FILTER (WHERE k.moved))::int AS moved
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
  coalesce((d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date <= d.moved_on, false) AS by_moved OFFSET 0) p) k
   WHERE d.tenant_id = $1::uuid AND d.delivered_at > :now - interval '30 days'
 ), findings AS (
   SELECT count(*)::int AS sheets, (sum(b.returned) / nullif(sum(b.brought), 0))::float8 AS "returnedPart"
   FROM dispatches d
   CROSS JOIN LATERAL (SELECT
       (SELECT sum(k.quantity * l.price) FROM carried k
         JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id
         WHERE k.tenant_id = $1 AND k.note_id = d.id) AS brought,
       coalesce((SELECT sum(g.quantity * l.price) FROM goods_changes g
         JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
         WHERE g.tenant_id = $1 AND g.note_id = d.id AND g.result = 5
           AND g.state IN ('open', 'closed')), 0) AS returned) b
   WHERE d.tenant_id = $1::uuid AND d.kind = 1 AND d.state = 4 AND d.checked_at > :now - interval '30 days'
 ), missing AS (
   SELECT p.site_id, w.ws_name, i.stage, min(g.planned_start) AS stage_on, p.order_state, count(*)::int AS pieces,
     string_agg(DISTINCT i.name, '、') AS names
   FROM pieces p
   JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
   JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
   JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = p.site_id AND g.stage = i.stage
   WHERE p.tenant_id = $1::uuid AND p.order_state IS NOT NULL AND p.order_state <> 6
     AND w.status IN (1, 2) AND g.accepted_by = '' AND g.planned_start <= (:now AT TIME ZONE 'Asia/Shanghai')::date + 3
   GROUP BY p.site_id, w.ws_name, i.stage, p.order_state
   ORDER BY stage_on, w.ws_name, p.order_state
   LIMIT 30
 )
 SELECT floor(extract(epoch FROM :now))::float8 AS at, (SELECT json_agg(s) FROM steps s) AS steps, n.arrived,
   n.late AS "arrivedLate", n.moved AS "arrivedMoved",
   f.sheets, f."returnedPart",
   coalesce((SELECT json_agg(json_build_object('site_id', m.site_id, 'ws_name', m.ws_name, 'stage', m.stage,
     'stageOn', m.stage_on::text, 'state', m.order_state, 'pieces', m.pieces, 'names', m.names)) FROM missing m),
     '[]') AS blocks
 FROM notes n, findings f;

-- counts.branchdays
SELECT d.day::text AS day, d.bc_id, b.bc_name AS name, json_object_agg(d.state::text, d.count) AS states,
  sum(d.late)::int AS late,
  floor(extract(epoch FROM (d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'))::float8 AS at
FROM (SELECT k.tenant_id, k.bc_id, k.day, k.state, sum(k.count)::int AS count, sum(k.late)::int AS late
  FROM piece_days k WHERE k.tenant_id = $1 GROUP BY 1, 2, 3, 4) d
JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
WHERE d.tenant_id = $1::uuid AND d.day > (:now AT TIME ZONE 'Asia/Shanghai')::date - 30
GROUP BY d.day, d.bc_id, b.bc_name, b.sort
ORDER BY d.day, b.sort, d.bc_id;

-- counts.bybranch
SELECT c.bc_id, b.bc_name AS name, json_build_object('1', coalesce(sum(c.n1), 0), '2', coalesce(sum(c.n2), 0), '3',
  coalesce(sum(c.n3), 0), '4', coalesce(sum(c.n4), 0), '5', coalesce(sum(c.n5), 0), '6', coalesce(sum(c.n6), 0), '7',
    coalesce(sum(c.n7), 0)) AS states, coalesce(max(l.late), 0) AS late, floor(extract(epoch FROM :now))::float8 AS at
FROM piece_counts c
JOIN companies b ON b.tenant_id = $1 AND b.bc_id = c.bc_id
LEFT JOIN (SELECT p.bc_id AS key, count(*)::int AS late
  FROM orders o
  JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
  JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
  WHERE p.tenant_id = $1::uuid AND o.tenant_id = $1 AND o.order_state IN (2, 3, 4, 5, 7)
    AND p.order_state IN (2, 3, 4) AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
  GROUP BY 1) l ON l.key = c.bc_id
WHERE c.tenant_id = $1::uuid
GROUP BY c.bc_id, b.bc_name, b.sort
ORDER BY b.sort, b.bc_name;

-- counts.bymanager
SELECT w.manager_id, coalesce(max(u.nickname), '未指定') AS name, json_build_object('1', coalesce(sum(c.n1), 0), '2',
  coalesce(sum(c.n2), 0), '3', coalesce(sum(c.n3), 0), '4', coalesce(sum(c.n4), 0), '5', coalesce(sum(c.n5), 0), '6',
    coalesce(sum(c.n6), 0), '7', coalesce(sum(c.n7), 0)) AS states,
  coalesce(max(l.late), 0) AS late, floor(extract(epoch FROM :now))::float8 AS at
FROM piece_counts c
JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = w.manager_id
LEFT JOIN (SELECT w.manager_id AS key, count(*)::int AS late
  FROM orders o
  JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
  JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
  WHERE p.tenant_id = $1::uuid AND o.tenant_id = $1 AND o.order_state IN (2, 3, 4, 5, 7)
    AND p.order_state IN (2, 3, 4) AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date
  GROUP BY 1) l ON l.key IS NOT DISTINCT FROM w.manager_id
WHERE c.tenant_id = $1::uuid
GROUP BY w.manager_id
ORDER BY w.manager_id IS NULL, name;

-- counts.keepday
INSERT INTO piece_days AS d (tenant_id, bc_id, manager_id, day, state, count, late)
SELECT $1, c.bc_id, w.manager_id, $2::date, s.state, sum(s.count), coalesce(max(l.late), 0)
FROM piece_counts c
JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
CROSS JOIN LATERAL (VALUES (1, c.n1), (2, c.n2), (3, c.n3), (4, c.n4), (5, c.n5), (6, c.n6), (7, c.n7)) AS s(state,
  count)
LEFT JOIN (
  SELECT p.bc_id, k.manager_id, p.order_state, count(*)::int AS late
  FROM orders o
  JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id
  JOIN sites k ON k.tenant_id = $1 AND k.id = p.site_id
  WHERE o.tenant_id = $1 AND o.order_state IN (2, 3, 4, 5, 7)
    AND p.order_state IN (2, 3, 4) AND o.expected_on <= $2::date
  GROUP BY 1, 2, 3) l ON l.bc_id = c.bc_id AND l.manager_id IS NOT DISTINCT FROM w.manager_id
    AND l.order_state = s.state
WHERE c.tenant_id = $1
GROUP BY c.bc_id, w.manager_id, s.state
ON CONFLICT (tenant_id, day, bc_id, manager_id, state) DO UPDATE
SET count = excluded.count, late = excluded.late;

-- counts.managerdays
SELECT d.day::text AS day, d.manager_id, coalesce(max(u.nickname), '未指定') AS name, json_object_agg(d.state::text,
  d.count) AS states,
  sum(d.late)::int AS late, floor(extract(epoch FROM (d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'))::float8 AS at
FROM (SELECT k.tenant_id, k.bc_id, k.day, k.manager_id, k.state, sum(k.count)::int AS count,
sum(k.late)::int AS late
  FROM piece_days k WHERE k.tenant_id = $1 GROUP BY 1, 2, 3, 4, 5) d
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = d.manager_id
WHERE d.tenant_id = $1::uuid AND d.day > (:now AT TIME ZONE 'Asia/Shanghai')::date - 30
GROUP BY d.day, d.manager_id
ORDER BY d.day, d.manager_id;

-- pieces.addpieces
INSERT INTO pieces (tenant_id, id, bc_id, site_id, store_id, receiver_id, contract_id, item_id, order_id,
    line_id, quantity,
       place, result, replaced, note_id, next_note_id, change_id, round, faulty, legs, counts, free, order_state,
       from_id,
       since)
     SELECT $1, x.id, x.bc_id, x.site_id, x.store_id, x.receiver_id, x.contract_id, x.item_id, x.order_id, x.line_id,
     x.quantity,
       x.place, x.result, x.replaced, x.note_id, x.next_note_id, x.change_id, x.round, x.faulty, x.legs, x.counts,
       x.free, x.state, x.from_id, :now
     FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, site_id uuid, store_id uuid, receiver_id uuid,
       contract_id uuid, item_id uuid,
order_id uuid,
       line_id uuid, quantity numeric, place text, result smallint, replaced text, note_id uuid, next_note_id uuid,
       change_id uuid, round int, faulty int, legs int, counts boolean, free boolean, state smallint, from_id uuid);

-- pieces.beginscount
INSERT INTO piece_counts (tenant_id, site_id, bc_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

-- pieces.carried
INSERT INTO carried (tenant_id, note_id, piece_id, line_id, quantity)
SELECT $1, $2, x.id, x.line_id, x.quantity
FROM json_to_recordset($3::json) AS x(id uuid, line_id uuid, quantity numeric);

-- pieces.carryover
UPDATE carried k SET note_id = $3
WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.piece_id = ANY ($4::uuid[]);

-- pieces.committed
SELECT p.item_id AS id, trim_scale(sum(p.quantity))::text AS quantity
FROM pieces p
WHERE p.tenant_id = $1 AND p.item_id = ANY ($2::uuid[]) AND p.counts AND p.place NOT IN ('open', 'dropped')
  AND NOT (p.place = 'back' AND p.free)
GROUP BY p.item_id;

-- pieces.count
UPDATE piece_counts c
SET n1 = c.n1 + $3, n2 = c.n2 + $4, n3 = c.n3 + $5, n4 = c.n4 + $6, n5 = c.n5 + $7, n6 = c.n6 + $8,
  n7 = c.n7 + $9
WHERE c.tenant_id = $1 AND c.site_id = $2;

-- pieces.dividecarried
INSERT INTO carried (tenant_id, note_id, piece_id, line_id, quantity, checked)
SELECT k.tenant_id, k.note_id, $3, k.line_id, $4, k.checked
FROM carried k
WHERE k.tenant_id = $1 AND k.piece_id = $2;

-- pieces.dividechanged
INSERT INTO change_pieces (tenant_id, change_id, piece_id, quantity)
SELECT k.tenant_id, k.change_id, $3, $4
FROM change_pieces k
WHERE k.tenant_id = $1 AND k.piece_id = $2;

-- pieces.lessencarried
UPDATE carried k SET quantity = k.quantity - $3 WHERE k.tenant_id = $1 AND k.piece_id = $2;

-- pieces.lessenchanged
UPDATE change_pieces k SET quantity = k.quantity - $3 WHERE k.tenant_id = $1 AND k.piece_id = $2;

-- pieces.linkchange
INSERT INTO change_pieces (tenant_id, change_id, piece_id, quantity)
SELECT $1, $2, x.id, x.quantity
FROM json_to_recordset($3::json) AS x(id uuid, quantity numeric);

-- pieces.lockpieces
SELECT p.id, p.bc_id, p.site_id, p.store_id, p.receiver_id, p.contract_id, p.item_id, p.order_id, p.line_id,
trim_scale(p.quantity)::text AS quantity, p.place, p.result, p.replaced, p.note_id, p.next_note_id, p.change_id,
p.round, p.faulty, p.legs, p.counts, p.free, p.order_state AS "orderState",
  p.from_id FROM pieces p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid ORDER BY p.id FOR UPDATE;

-- pieces.moved
INSERT INTO goods_moves (tenant_id, id, item_id, piece_id, note_id, kind, quantity, at)
SELECT $1, x.id, x.item_id, x.piece_id, x.note, x.kind, x.quantity, :now
FROM json_to_recordset($2::json) AS x(id uuid, item_id uuid, piece_id uuid, note uuid, kind text,
quantity numeric);

-- pieces.movepieces
UPDATE pieces p
     SET receiver_id = x.receiver_id, order_id = x.order_id, line_id = x.line_id, quantity = x.quantity,
       place = x.place, result = x.result, replaced = x.replaced, note_id = x.note_id, next_note_id = x.next_note_id,
       change_id = x.change_id, round = x.round, faulty = x.faulty, legs = x.legs, counts = x.counts, free = x.free,
       order_state = x.state,
       since = CASE WHEN p.place = x.place AND p.order_state IS NOT DISTINCT FROM x.state THEN p.since ELSE :now END
     FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, site_id uuid, store_id uuid, receiver_id uuid,
       contract_id uuid, item_id uuid,
order_id uuid,
       line_id uuid, quantity numeric, place text, result smallint, replaced text, note_id uuid, next_note_id uuid,
       change_id uuid, round int, faulty int, legs int, counts boolean, free boolean, state smallint, from_id uuid)
     WHERE p.tenant_id = $1 AND p.id = x.id;

-- pieces.people
SELECT DISTINCT u.id
   FROM role_powers p
   JOIN roles r ON r.tenant_id = $1 AND r.id = p.role_id AND r.status = 1
   JOIN user_roles ur ON ur.tenant_id = $1 AND ur.role_id = r.id
   JOIN users u ON u.tenant_id = $1 AND u.id = ur.user_id
   CROSS JOIN (SELECT $3::uuid AS bc_id, $3::uuid AS store_id, NULL::uuid AS manager_id, NULL::uuid AS steward_id) x
   WHERE p.tenant_id = $1 AND p.label = $2 AND r.data_scope IN ('branches', 'stores')
     AND CASE r.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN x.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = x.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = x.store_id)
ELSE u.id IN (x.manager_id, x.steward_id) END;

-- pieces.settle
UPDATE orders o
SET order_state = $3, lines_accepted = $4, lines = x.lines, amount = x.amount, version = o.version + 1
FROM (
  SELECT count(*)::int AS lines, coalesce(sum(round(p.quantity * l.price, 2)), 0) AS amount
  FROM (SELECT i.line_id, coalesce(sum(i.quantity) FILTER (WHERE i.counts AND i.place <> 'back'), 0) AS quantity
    FROM pieces i
    WHERE i.tenant_id = $1 AND i.order_id = $2 AND i.place <> 'held'
    GROUP BY i.line_id) p
  JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id) x
WHERE o.tenant_id = $1 AND o.id = $2;

-- pieces.statesof
SELECT p.line_id, array_agg(p.order_state) FILTER (WHERE p.order_state IS NOT NULL) AS states
FROM pieces p
WHERE p.tenant_id = $1 AND p.order_id = $2 AND p.line_id IS NOT NULL
GROUP BY p.line_id;

-- pieces.tick
UPDATE carried k SET checked = $4
WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.piece_id = ANY ($3::uuid[]);

-- pieces.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));
