-- carriers.add
INSERT INTO carriers (tenant_id, id, name, secret, made_name, made_at) VALUES ($1, $2, $3, $4, $5, :now)
ON CONFLICT (tenant_id, name) WHERE stopped_at IS NULL DO NOTHING;

-- carriers.heard
UPDATE carriers k SET heard_at = :now WHERE k.tenant_id = $1 AND k.id = $2;

-- carriers.list
SELECT k.id, k.name, k.made_name AS "madeBy", floor(extract(epoch FROM k.made_at))::float8 AS "madeAt",
  floor(extract(epoch FROM k.heard_at))::float8 AS "heardAt", k.stopped_at IS NOT NULL AS stopped
FROM carriers k
WHERE k.tenant_id = $1
ORDER BY k.stopped_at IS NOT NULL, k.name, k.id;

-- carriers.one
SELECT k.name, k.secret FROM carriers k WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL;

-- carriers.renew
UPDATE carriers k SET secret = $3
WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL
RETURNING k.name;

-- carriers.stop
UPDATE carriers k SET stopped_at = :now
WHERE k.tenant_id = $1 AND k.id = $2 AND k.stopped_at IS NULL
RETURNING k.name;

-- dispatch.addtrip
INSERT INTO trips (tenant_id, id, code, bc_id, receiver_id, day, driver, driver_phone, plate, made_by, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now);

-- dispatch.arrivals
SELECT d.id, d.code, d.order_id, o.code AS "orderCode",
  CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  o.receiver_name AS "receiverName", d.planned_on::text AS "plannedOn", d.state, d.method, d.lines,
  coalesce((SELECT string_agg(x.name, '、') FROM (
    SELECT DISTINCT l.name
    FROM pieces p
    JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id
    WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id)
    LIMIT 3) x), '') AS names, g.stage, g.planned_start::text AS "stageOn", a.ready_on::text AS "readyOn",
  coalesce(a.place, '') AS place, array_remove(ARRAY[
    CASE WHEN d.state <> 3 AND EXISTS (SELECT 1 FROM dispatches k
    WHERE k.tenant_id = $1 AND k.site_id = d.site_id AND k.id <> d.id AND k.planned_on = d.planned_on
      AND k.state IN (0, 2)) THEN 'crowded' END,
    CASE WHEN d.state <> 3 AND g.planned_start > d.planned_on + 7 THEN 'stage' END,
    CASE WHEN d.state <> 3 AND a.ready_on > d.planned_on THEN 'ready' END,
    CASE WHEN d.state <> 3 AND w.status = 2 THEN 'nobody' END,
    CASE WHEN d.state <> 3 AND rest_day($1, d.bc_id, d.planned_on) THEN 'rest' END], NULL) AS clashes,
  (d.state <> 3 AND d.planned_on < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS late, d.version
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = d.site_id AND g.stage = (SELECT i.stage
  FROM pieces p
  JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id
  WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id) AND i.stage IS NOT NULL
  LIMIT 1)
LEFT JOIN site_arrivals a ON a.tenant_id = $1 AND a.site_id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.planned_on >= $2::date AND d.planned_on <= $3::date AND d.bc_id = $4::uuid
  AND d.state IN (0, 2, 3)
ORDER BY d.planned_on, d.code
LIMIT 1000;

-- dispatch.backlegs
UPDATE logistics g SET status = x.status, version = g.version + 1
FROM (SELECT c.note_id, CASE WHEN bool_and(p.place = 'back') THEN 4 ELSE 3 END AS status
  FROM dispatches d
  JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
  JOIN pieces p ON p.tenant_id = $1 AND p.id = c.piece_id
  WHERE d.tenant_id = $1 AND d.order_id = $2
  GROUP BY c.note_id
  HAVING bool_or(p.place = 'back')) x
WHERE g.tenant_id = $1 AND g.order_id = $2 AND g.note_id = x.note_id AND g.type IN (1, 2, 3)
  AND g.status IN (2, 3) AND g.status <> x.status;

-- dispatch.cancel
UPDATE dispatches d SET state = 1, reason = $3, stood = coalesce((SELECT jsonb_agg(jsonb_build_object('line_id',
  x.line_id, 'quantity', x.quantity))
  FROM (SELECT p.line_id, sum(p.quantity) AS quantity FROM pieces p
    WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id)
    GROUP BY p.line_id) x), '[]'), version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.cancelall
UPDATE dispatches d SET state = 1, reason = $3, stood = coalesce((SELECT jsonb_agg(jsonb_build_object('line_id',
  x.line_id, 'quantity', x.quantity))
  FROM (SELECT p.line_id, sum(p.quantity) AS quantity FROM pieces p
    WHERE p.tenant_id = $1 AND (p.note_id = d.id OR p.next_note_id = d.id)
    GROUP BY p.line_id) x), '[]'), version = d.version + 1
WHERE d.tenant_id = $1 AND d.order_id = $2 AND d.state = 0 AND d.kind = 1;

-- dispatch.checked
UPDATE dispatches d
SET state = $3, check_state = $4, lines_checked = $5, checked_by = coalesce($6, d.checked_by),
  checked_at = CASE WHEN $6::text IS NULL THEN d.checked_at ELSE :now END, version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.closelegs
UPDATE logistics g SET status = 2, version = g.version + 1
WHERE g.tenant_id = $1 AND g.order_id = $2 AND g.status = 0
  AND g.progress = 3
  AND NOT EXISTS (SELECT 1 FROM logistics k
    WHERE k.tenant_id = $1 AND k.parent_id = g.id AND k.status = 0);

-- dispatch.deliver
UPDATE dispatches d
SET state = 3, delivered_name = $3, delivered_at = :now, delivered_place = $4, lng = $5, lat = $6, photo = $7,
  signature = $8, sheet_code = $9, check_state = 0, damage = $10, damage_photo = $11, version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.detail
SELECT d.id, d.code, d.order_id, o.code AS "orderCode", d.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
  d.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  w.status AS "siteStatus", d.kind, d.after_sale AS "afterSale", d.state,
  o.ended = '' OR d.kind <> 1 AND o.ended = 'closed' AS open, d.method,
  d.planned_on::text AS "plannedOn", d.carrier, d.waybill, d.trip_id, coalesce(t.code, '') AS "tripCode", d.stop,
  d.pickup_until::text AS "pickupUntil", d.lines, coalesce(r.code, '') AS "parentCode",
  floor(extract(epoch FROM d.made_at))::float8 AS "madeAt",
    floor(extract(epoch FROM d.shipped_at))::float8 AS "shippedAt",
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", d.sheet_code AS "sheetCode",
    d.check_state AS "checkState",
  (d.state IN (0, 2) AND coalesce(d.planned_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
    true AS buyer, true AS receiver, d.version,
  CASE WHEN true OR NOT true THEN d.address ELSE o.community END AS address,
  d.contact, d.contact_phone AS "contactPhone",
  d.window_text AS "window", d.pickup_store AS "pickupStore",
  CASE WHEN true THEN d.pickup_code ELSE '' END AS "pickupCode", d.made_name AS "madeBy",
  d.shipped_name AS "shippedBy", d.delivered_name AS "deliveredBy", d.delivered_place AS "deliveredPlace", d.photo,
  d.signature, d.damage, d.damage_photo AS "damagePhoto", d.reason,
    coalesce((SELECT json_agg(json_build_object('line_id', l.id, 'code', l.code, 'name', l.name,
    'detail', l.detail, 'unit', l.unit, 'quantity', trim_scale(k.quantity)::text) ORDER BY l.sort, l.id)
  FROM (SELECT x.line_id, sum(x.quantity) AS quantity
    FROM (SELECT p.line_id, p.quantity FROM pieces p
        WHERE p.tenant_id = $1 AND d.state = 0 AND (p.note_id = d.id OR p.next_note_id = d.id)
      UNION ALL
      SELECT c.line_id, c.quantity FROM carried c
        WHERE c.tenant_id = $1 AND d.state <> 0 AND c.note_id = d.id
      UNION ALL
      SELECT s.line_id, s.quantity FROM jsonb_to_recordset(d.stood) AS s(line_id uuid, quantity numeric)
        WHERE d.state = 1) x
    GROUP BY x.line_id) k
  JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id), '[]') AS "lineList",
    coalesce((SELECT json_agg(json_build_object('id', g.id, 'code', g.code, 'type', g.type, 'progress', g.progress,
      'status', g.status, 'nodes', coalesce((SELECT json_agg(json_build_object('at',
        floor(extract(epoch FROM n.at))::float8, 'heardAt', floor(extract(epoch FROM n.heard_at))::float8, 'source',
          n.source, 'title', n.title, 'place', n.place,
      'who', n.user_name, 'photo', n.photo) ORDER BY n.at, n.heard_at,
        n.id) FROM logistics_nodes n WHERE n.tenant_id = $1 AND n.logistics_id = g.id), '[]')) ORDER BY g.made_at,
          g.code) FROM logistics g
    WHERE g.tenant_id = $1 AND (g.note_id = d.id
      OR g.note_id = d.parent_id AND d.state NOT IN (0, 1) OR g.note_id IN (
      SELECT k.id FROM dispatches k WHERE k.tenant_id = $1 AND k.parent_id = d.id))), '[]') AS tracks
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
LEFT JOIN dispatches r ON r.tenant_id = $1 AND r.id = d.parent_id
WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid;

-- dispatch.holds
INSERT INTO note_holds (tenant_id, note_id, hold_id)
SELECT $1, $2, x.id
FROM unnest($3::uuid[]) AS x(id);

-- dispatch.joined
UPDATE trips t SET version = t.version + 1 WHERE t.tenant_id = $1 AND t.id = $2;

-- dispatch.lastnode
UPDATE logistics g
SET (node_text, node_at) = (SELECT n.title, n.at FROM logistics_nodes n
    WHERE n.tenant_id = $1 AND n.logistics_id = $2 ORDER BY n.at DESC, n.heard_at DESC LIMIT 1),
  version = g.version + 1
WHERE g.tenant_id = $1 AND g.id = $2;

-- dispatch.laststop
SELECT (SELECT coalesce(max(d.stop), 0) + 1 FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id) AS stop
FROM trips t
WHERE t.tenant_id = $1 AND t.id = $2 AND t.receiver_id = $3
FOR UPDATE OF t;

-- dispatch.leg
INSERT INTO logistics (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, type, progress, note_id,
change_id,
   parent_id, carrier, waybill, expected_on, made_at)
 SELECT $1, $2, $3, o.bc_id, o.receiver_id, o.site_id, o.id, $5, $6, $7, $8,
   (SELECT g.id FROM logistics g WHERE g.tenant_id = $1 AND g.note_id = $9 AND g.type IN (1, 2, 3) LIMIT 1),
   $10, $11, $12, :now
 FROM orders o
 WHERE o.tenant_id = $1 AND o.id = $4;

-- dispatch.legof
SELECT g.id::text AS id FROM logistics g
WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3)
LIMIT 1;

-- dispatch.lines
UPDATE dispatches d SET lines = $3 WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.lock
SELECT d.id, d.code, d.order_id, o.code AS "orderCode", d.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
  d.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  w.status AS "siteStatus", d.kind, d.after_sale AS "afterSale", d.state,
  o.ended = '' OR d.kind <> 1 AND o.ended = 'closed' AS open, d.method,
  d.planned_on::text AS "plannedOn", d.carrier, d.waybill, d.trip_id, coalesce(t.code, '') AS "tripCode", d.stop,
  d.pickup_until::text AS "pickupUntil", d.lines, coalesce(r.code, '') AS "parentCode",
  floor(extract(epoch FROM d.made_at))::float8 AS "madeAt",
    floor(extract(epoch FROM d.shipped_at))::float8 AS "shippedAt",
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", d.sheet_code AS "sheetCode",
    d.check_state AS "checkState",
  (d.state IN (0, 2) AND coalesce(d.planned_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
    true AS buyer, true AS receiver, d.version, d.site_id AS place_id, d.change_id, d.parent_id,
  d.pickup_code AS "pickupCode"
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
LEFT JOIN dispatches r ON r.tenant_id = $1 AND r.id = d.parent_id
WHERE d.tenant_id = $1 AND d.id = $2
FOR UPDATE OF d;

-- dispatch.lockorder
SELECT o.id, o.code, o.bc_id, o.receiver_id, o.receiver_name AS "receiverName", o.site_id, o.made_by,
  o.receive_state AS "receiveState", o.ended, c.state IN ('live', 'finishing', 'settled') AS "contractLive"
FROM orders o
JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
WHERE o.tenant_id = $1 AND o.id = $2
FOR UPDATE OF o;

-- dispatch.moveleg
UPDATE logistics g
SET progress = coalesce($3, g.progress), status = coalesce($4, g.status),
  signed_by = CASE WHEN $5 THEN $6 ELSE g.signed_by END, signed_at = CASE WHEN $5 THEN :now ELSE g.signed_at END,
  version = g.version + 1
WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3);

-- dispatch.node
INSERT INTO logistics_nodes (tenant_id, id, logistics_id, at, heard_at, source, title, place, user_name, event,
  photo)
VALUES ($1, $2, $3, $4, :now, $5, $6, $7, $8, $9, $10)
ON CONFLICT (tenant_id, logistics_id, event) WHERE event IS NOT NULL DO NOTHING;

-- dispatch.oforder
SELECT o.bc_id, o.receiver_id, o.site_id, o.address, o.contact, o.contact_phone
FROM orders o
WHERE o.tenant_id = $1 AND o.id = $2;

-- dispatch.open
INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, kind, parent_id, change_id,
  method, planned_on, address, contact, contact_phone, lines, made_name, made_at, after_sale)
SELECT $1, $2, $3, o.bc_id, o.receiver_id, o.site_id, o.id, $5, $6, $7, o.method, coalesce($8::date,
o.expected_on),
  $9, $10, $11, $12, $13, :now, coalesce((SELECT w.status = 4 FROM sites w
    WHERE w.tenant_id = $1 AND w.id = o.site_id), false)
FROM orders o
WHERE o.tenant_id = $1 AND o.id = $4;

-- dispatch.orderof
SELECT d.order_id::text AS id FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.orderparties
SELECT o.bc_id, o.receiver_id, o.id AS order_id, true AS buyer, true AS receiver
FROM orders o
WHERE o.tenant_id = $1::uuid AND o.id = $2::uuid;

-- dispatch.page
WITH page AS MATERIALIZED (SELECT d.* FROM dispatches d WHERE d.tenant_id = $1::uuid ORDER BY d.made_at DESC,
  d.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT d.id, d.code, d.order_id, o.code AS "orderCode", d.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
      d.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  w.status AS "siteStatus", d.kind, d.after_sale AS "afterSale", d.state,
  o.ended = '' OR d.kind <> 1 AND o.ended = 'closed' AS open, d.method,
  d.planned_on::text AS "plannedOn", d.carrier, d.waybill, d.trip_id, coalesce(t.code, '') AS "tripCode", d.stop,
  d.pickup_until::text AS "pickupUntil", d.lines, coalesce(r.code, '') AS "parentCode",
  floor(extract(epoch FROM d.made_at))::float8 AS "madeAt",
    floor(extract(epoch FROM d.shipped_at))::float8 AS "shippedAt",
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", d.sheet_code AS "sheetCode",
    d.check_state AS "checkState",
  (d.state IN (0, 2) AND coalesce(d.planned_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
    true AS buyer, true AS receiver, d.version FROM page d JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
LEFT JOIN dispatches r ON r.tenant_id = $1 AND r.id = d.parent_id ORDER BY d.made_at DESC, d.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM dispatches d WHERE d.tenant_id = $1::uuid)::int AS total;

-- dispatch.part
INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, kind, state, parent_id,
change_id,
   method, planned_on, address, contact, contact_phone, window_text, trip_id, stop, pickup_store, pickup_code,
   pickup_until, carrier, waybill, lines, made_name, made_at, shipped_name, shipped_at)
 SELECT d.tenant_id, $3, $4, d.bc_id, d.receiver_id, d.site_id, d.order_id, d.kind, d.state, d.id, d.change_id,
   d.method, d.planned_on, d.address, d.contact, d.contact_phone, d.window_text, d.trip_id, d.stop, d.pickup_store,
   d.pickup_code, d.pickup_until, d.carrier, d.waybill, $5, $6, :now, d.shipped_name, d.shipped_at
 FROM dispatches d
 WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.parties
SELECT d.bc_id, d.receiver_id, d.order_id, true AS buyer, true AS receiver
FROM dispatches d
WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid;

-- dispatch.parts
SELECT coalesce(max(substring(d.code FROM '-(\d+)$')::int), 1) AS last
FROM dispatches d
WHERE d.tenant_id = $1 AND d.order_id = $3 AND (d.code = $2 OR d.code LIKE $2 || '-%');

-- dispatch.receiver
SELECT b.bc_id, b.code
FROM companies b
WHERE b.tenant_id = $1 AND b.bc_id = coalesce(
  (SELECT s.bc_id FROM stores s WHERE s.tenant_id = $1 AND s.id = $2), $2);

-- dispatch.recheck
SELECT d.id AS note_id, d.state, c.line_id::text AS line_id, c.checked, p.place, p.result
FROM dispatches d
JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
JOIN pieces p ON p.tenant_id = $1 AND p.id = c.piece_id
WHERE d.tenant_id = $1 AND d.check_state IS NOT NULL AND d.id IN (
  SELECT k.note_id FROM carried k WHERE k.tenant_id = $1 AND k.piece_id = ANY ($2::uuid[]));

-- dispatch.remindpickup
SELECT d.id, d.code, d.pickup_store AS store, d.pickup_until::text AS until,
  d.pickup_until < (:now AT TIME ZONE 'Asia/Shanghai')::date AS over,
  d.bc_id, d.site_id, d.receiver_id, o.made_by, w.manager_id
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1 AND d.state = 2 AND d.method = 3
  AND d.pickup_until BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date - 14
    AND (:now AT TIME ZONE 'Asia/Shanghai')::date + 1
  AND NOT EXISTS (
    SELECT 1
    FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'dispatch' AND m.cause_id = d.id::text
      AND m.step = CASE WHEN d.pickup_until < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'pickupOver'
        ELSE 'pickupSoon' END)
ORDER BY d.id
LIMIT 500
FOR UPDATE OF d SKIP LOCKED;

-- dispatch.replan
UPDATE dispatches d SET planned_on = $3, moved_on = $3, version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.replanleg
UPDATE logistics g SET expected_on = $3, version = g.version + 1
WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.type IN (1, 2, 3);

-- dispatch.sendback
UPDATE dispatches d SET state = 5, reason = $3, version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.setleg
UPDATE logistics g
SET progress = coalesce($3, g.progress), grade = coalesce($4, g.grade),
  grade_reason = coalesce($5, g.grade_reason), disputed = coalesce($6, g.disputed),
  damage = coalesce($7, g.damage), dispute = coalesce($8, g.dispute), version = g.version + 1
WHERE g.tenant_id = $1 AND g.id = $2;

-- dispatch.ship
UPDATE dispatches d
SET state = 2, method = $3, planned_on = $4, address = $5, contact = $6, contact_phone = $7, window_text = $8,
  trip_id = $9, stop = $10, pickup_store = $11, pickup_code = $12, pickup_until = $13, carrier = $14,
  waybill = $15,
  shipped_name = $16, shipped_at = :now, lines = $17, version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.sitecontact
SELECT m.nickname AS contact, m.phone AS "contactPhone"
FROM dispatches d
JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.toaccept
SELECT count(*)::int AS n FROM dispatches d WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = 3;

-- dispatch.todeliver
SELECT count(*)::int AS n FROM dispatches d WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = 2;

-- dispatch.toship
SELECT count(*)::int AS n FROM dispatches d WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND d.state = 0;

-- dispatch.touch
UPDATE dispatches d SET version = d.version + 1 WHERE d.tenant_id = $1 AND d.id = $2;

-- dispatch.tripfor
SELECT t.id
FROM trips t
JOIN dispatches d ON d.tenant_id = $1 AND d.id = $3 AND d.receiver_id = t.receiver_id
WHERE t.tenant_id = $1 AND t.id = $2;

-- dispatch.trips
SELECT t.id, t.code, t.day::text AS day, t.driver, t.driver_phone AS "driverPhone", t.plate, t.receiver_id,
  (SELECT count(*)::int FROM dispatches d WHERE d.tenant_id = $1 AND d.trip_id = t.id AND d.state NOT IN (1,
    5) AND NOT EXISTS (SELECT 1 FROM dispatches w
    WHERE w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = d.trip_id AND w.shipped_at = d.shipped_at)) AS stops,
  true AS receiver, NOT EXISTS (SELECT 1 FROM dispatches d
    WHERE d.tenant_id = $1 AND d.trip_id = t.id AND d.state IN (3, 4))
  OR EXISTS (SELECT 1 FROM dispatches d
    WHERE d.tenant_id = $1 AND d.trip_id = t.id AND d.state IN (0, 2)) AS open, t.version
FROM trips t
WHERE t.tenant_id = $1::uuid AND t.id = $2::uuid
ORDER BY t.day, t.code
LIMIT 200;

-- driver.arrives
SELECT max(x.day)::timestamp AT TIME ZONE 'Asia/Shanghai' AS at
FROM (
  SELECT t.day FROM trips t WHERE t.tenant_id = $1 AND t.id = $2
  UNION ALL
  SELECT d.planned_on FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2) x;

-- driver.at
UPDATE dispatches d SET delivered_at = $3 WHERE d.tenant_id = $1 AND d.id = $2;

-- driver.back
UPDATE dispatches d SET returned_by_driver = $3 WHERE d.tenant_id = $1 AND d.id = $2;

-- driver.behind
SELECT d.order_id, d.bc_id, d.receiver_id
FROM dispatches d
WHERE d.tenant_id = $1 AND d.id = $3 AND (d.id = $2 OR d.trip_id = $2);

-- driver.by
SELECT d.delivered_name AS name FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2;

-- driver.lives
SELECT EXISTS (SELECT 1 FROM dispatches d
  WHERE d.tenant_id = $1 AND (d.id = $2 OR d.trip_id = $2) AND (d.state NOT IN (1,
    5) OR d.state = 5 AND d.returned_by_driver IS NOT NULL))
OR EXISTS (SELECT 1 FROM trips t WHERE t.tenant_id = $1 AND t.id = $2)
  AND NOT EXISTS (SELECT 1 FROM dispatches k WHERE k.tenant_id = $1 AND k.trip_id = $2) AS lives;

-- driver.manager
SELECT w.manager_id AS id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;

-- driver.note
SELECT d.bc_id, d.receiver_id, d.code FROM dispatches d WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid;

-- driver.receiver
SELECT t.receiver_id AS id FROM trips t WHERE t.tenant_id = $1 AND t.id = $2
UNION ALL
SELECT d.receiver_id FROM dispatches d WHERE d.tenant_id = $1 AND d.id = $2;

-- driver.stops
SELECT d.id, d.code, d.stop,
  CASE WHEN d.state = 0 THEN 'waiting' WHEN d.state = 2 THEN 'open' WHEN d.state = 5 THEN 'back'
    ELSE 'done' END AS state, d.method,
  d.planned_on::text AS "plannedOn", o.community,
  CASE WHEN d.state IN (0, 2) THEN coalesce(nullif(d.address, ''), o.address) ELSE '' END AS address,
    CASE WHEN d.state IN (0, 2) THEN d.contact ELSE '' END AS contact,
  CASE WHEN d.state IN (0, 2) THEN d.contact_phone ELSE '' END AS phone, CASE WHEN d.state IN (0,
    2) THEN d.window_text ELSE '' END AS "window",
  d.method = 3 AS "needsCode",
  coalesce((SELECT json_agg(json_build_object('line_id', l.id, 'code', l.code, 'name', l.name,
    'detail', l.detail, 'unit', l.unit, 'quantity', trim_scale(k.quantity)::text) ORDER BY l.sort, l.id)
  FROM (SELECT x.line_id, sum(x.quantity) AS quantity
    FROM (SELECT p.line_id, p.quantity FROM pieces p
        WHERE p.tenant_id = $1 AND d.state = 0 AND (p.note_id = d.id OR p.next_note_id = d.id)
      UNION ALL
      SELECT c.line_id, c.quantity FROM carried c
        WHERE c.tenant_id = $1 AND d.state <> 0 AND c.note_id = d.id
      UNION ALL
      SELECT s.line_id, s.quantity FROM jsonb_to_recordset(d.stood) AS s(line_id uuid, quantity numeric)
        WHERE d.state = 1) x
    GROUP BY x.line_id) k
  JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id), '[]') AS lines,
  coalesce((SELECT json_agg(json_build_object('code', k.code, 'at', floor(extract(epoch FROM k.delivered_at))::float8)
      ORDER BY k.delivered_at, k.code)
    FROM dispatches k
    WHERE k.tenant_id = $1 AND k.parent_id = d.id AND k.state IN (3, 4) AND k.shipped_at = d.shipped_at), '[]')
    AS parts,
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", d.delivered_name AS "deliveredBy",
  CASE WHEN d.state = 5 THEN d.reason ELSE '' END AS back,
  CASE WHEN d.state IN (0, 2) THEN (
    SELECT json_build_object('title', n.title, 'place', n.place, 'at', floor(extract(epoch FROM n.at))::float8)
    FROM logistics g
    JOIN logistics_nodes n ON n.tenant_id = $1 AND n.logistics_id = g.id
    WHERE g.tenant_id = $1 AND g.note_id = d.id AND g.type IN (1, 2, 3)
    ORDER BY n.at DESC, n.heard_at DESC LIMIT 1) END AS node
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
WHERE d.tenant_id = $1 AND (d.id = $2 OR d.trip_id = $2) AND (d.state NOT IN (1,
  5) OR d.state = 5 AND d.returned_by_driver IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM dispatches w
    WHERE w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = $2 AND w.shipped_at = d.shipped_at)
ORDER BY d.stop NULLS LAST, d.code;

-- driver.told
SELECT count(*)::int AS n
FROM logistics_nodes n
WHERE n.tenant_id = $1 AND n.logistics_id = $2 AND n.source = 'driver';

-- driver.trip
SELECT d.bc_id, d.receiver_id, d.code FROM trips d WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid AND true;

-- driver.tripcode
SELECT t.code FROM trips t WHERE t.tenant_id = $1 AND t.id = $2;

-- logistics.detail
SELECT g.id, g.code, g.type, g.progress, g.status, CASE WHEN (g.status = 4 AND d.state = 5 AND d.check_state IS NULL
    AND NOT EXISTS (SELECT 1 FROM logistics k
      WHERE k.tenant_id = $1 AND k.note_id = d.id AND k.type = 5)) THEN '遗失' WHEN g.status = 0 THEN '待处理'
        WHEN g.status = 1 THEN '已取消' WHEN g.status = 2 THEN '已完成' WHEN g.status = 3 THEN '部分退回'
          WHEN g.status = 4 THEN '已退回' ELSE '' END AS "statusText", g.note_id,
  coalesce(d.code, o.code) AS related, g.order_id,
  o.code AS "orderCode", g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.receiver_id,
  o.receiver_name AS "receiverName", g.carrier, g.waybill, g.node_text AS "nodeText",
  floor(extract(epoch FROM g.node_at))::float8 AS "nodeAt", g.expected_on::text AS "expectedOn",
    (g.progress < 2 AND g.status IN (0, 3)
  AND coalesce(g.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
  g.signed_by AS "signedBy", floor(extract(epoch FROM g.signed_at))::float8 AS "signedAt",
    floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
  true AS buyer, true AS receiver, g.version, coalesce((SELECT string_agg(k.words, '、' ORDER BY k.sort) FROM (
    SELECT l.sort, l.name || ' ' || trim_scale(sum(c.quantity))::text || ' ' || l.unit AS words
    FROM carried c
    JOIN order_lines l ON l.tenant_id = $1 AND l.id = c.line_id
    WHERE c.tenant_id = $1 AND c.note_id = g.note_id
    GROUP BY l.id, l.sort, l.name, l.unit) k), '') AS goods
FROM logistics g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid;

-- logistics.family
WITH RECURSIVE up AS (
  SELECT u.id, u.parent_id FROM logistics u WHERE u.tenant_id = $1 AND u.id = $2
  UNION
  SELECT k.id, k.parent_id FROM up JOIN logistics k ON k.tenant_id = $1 AND k.id = up.parent_id
), down AS (
  SELECT up.id FROM up WHERE up.parent_id IS NULL
  UNION
  SELECT c.id FROM down JOIN logistics c ON c.tenant_id = $1 AND c.parent_id = down.id
)
SELECT coalesce(json_agg(json_build_object('id', g.id, 'code', g.code, 'type', g.type, 'progress', g.progress,
    'status', g.status, 'statusText', CASE WHEN (g.status = 4 AND d.state = 5 AND d.check_state IS NULL
    AND NOT EXISTS (SELECT 1 FROM logistics k
      WHERE k.tenant_id = $1 AND k.note_id = d.id AND k.type = 5)) THEN '遗失' WHEN g.status = 0 THEN '待处理'
        WHEN g.status = 1 THEN '已取消' WHEN g.status = 2 THEN '已完成' WHEN g.status = 3 THEN '部分退回'
          WHEN g.status = 4 THEN '已退回' ELSE '' END,
    'related', coalesce(d.code, ''), 'carrier', g.carrier, 'waybill', g.waybill,
    'nodes', coalesce((SELECT json_agg(json_build_object('at', floor(extract(epoch FROM n.at))::float8, 'heardAt',
      floor(extract(epoch FROM n.heard_at))::float8, 'source', n.source, 'title', n.title, 'place', n.place,
      'who', n.user_name, 'photo', n.photo) ORDER BY n.at, n.heard_at,
        n.id) FROM logistics_nodes n WHERE n.tenant_id = $1 AND n.logistics_id = g.id), '[]')) ORDER BY g.made_at,
          g.code), '[]') AS tracks
FROM down
JOIN logistics g ON g.tenant_id = $1 AND g.id = down.id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id;

-- logistics.lock
SELECT g.id, g.code, g.type, g.progress, g.status, CASE WHEN (g.status = 4 AND d.state = 5 AND d.check_state IS NULL
    AND NOT EXISTS (SELECT 1 FROM logistics k
      WHERE k.tenant_id = $1 AND k.note_id = d.id AND k.type = 5)) THEN '遗失' WHEN g.status = 0 THEN '待处理'
        WHEN g.status = 1 THEN '已取消' WHEN g.status = 2 THEN '已完成' WHEN g.status = 3 THEN '部分退回'
          WHEN g.status = 4 THEN '已退回' ELSE '' END AS "statusText", g.note_id,
  coalesce(d.code, o.code) AS related, g.order_id,
  o.code AS "orderCode", g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.receiver_id,
  o.receiver_name AS "receiverName", g.carrier, g.waybill, g.node_text AS "nodeText",
  floor(extract(epoch FROM g.node_at))::float8 AS "nodeAt", g.expected_on::text AS "expectedOn",
    (g.progress < 2 AND g.status IN (0, 3)
  AND coalesce(g.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
  g.signed_by AS "signedBy", floor(extract(epoch FROM g.signed_at))::float8 AS "signedAt",
    floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
  true AS buyer, true AS receiver, g.version, g.site_id AS place_id, o.made_by
FROM logistics g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
WHERE g.tenant_id = $1 AND g.id = $2
FOR UPDATE OF g;

-- logistics.page
WITH page AS MATERIALIZED (SELECT g.* FROM logistics g WHERE g.tenant_id = $1::uuid ORDER BY g.made_at DESC,
  g.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.id, g.code, g.type, g.progress, g.status,
      CASE WHEN (g.status = 4 AND d.state = 5 AND d.check_state IS NULL
    AND NOT EXISTS (SELECT 1 FROM logistics k
      WHERE k.tenant_id = $1 AND k.note_id = d.id AND k.type = 5)) THEN '遗失' WHEN g.status = 0 THEN '待处理'
        WHEN g.status = 1 THEN '已取消' WHEN g.status = 2 THEN '已完成' WHEN g.status = 3 THEN '部分退回'
          WHEN g.status = 4 THEN '已退回' ELSE '' END AS "statusText", g.note_id,
  coalesce(d.code, o.code) AS related, g.order_id,
  o.code AS "orderCode", g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.receiver_id,
  o.receiver_name AS "receiverName", g.carrier, g.waybill, g.node_text AS "nodeText",
  floor(extract(epoch FROM g.node_at))::float8 AS "nodeAt", g.expected_on::text AS "expectedOn",
    (g.progress < 2 AND g.status IN (0, 3)
  AND coalesce(g.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date, false)) AS late,
  g.signed_by AS "signedBy", floor(extract(epoch FROM g.signed_at))::float8 AS "signedAt",
    floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
  true AS buyer, true AS receiver, g.version FROM page g JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id ORDER BY g.made_at DESC, g.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM logistics g WHERE g.tenant_id = $1::uuid)::int AS total;

-- logistics.parties
SELECT g.bc_id, g.receiver_id, true AS buyer, true AS receiver
FROM logistics g
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid;

-- logistics.sign
UPDATE logistics g SET progress = 2, signed_by = $3, signed_at = :now
WHERE g.tenant_id = $1 AND g.id = $2;

-- logistics.underway
UPDATE logistics g SET progress = greatest(g.progress, 1) WHERE g.tenant_id = $1 AND g.id = $2;

-- logistics.waybill
SELECT g.id, g.bc_id, g.site_id, g.receiver_id, g.note_id, o.made_by,
  coalesce(d.code, g.code) AS related
FROM logistics g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
WHERE g.tenant_id = $1 AND g.carrier = $2 AND g.waybill = $3 AND g.waybill <> ''
ORDER BY g.id
FOR UPDATE OF g;

-- trips.edit
UPDATE trips t SET day = $3, driver = $4, driver_phone = $5, plate = $6, version = t.version + 1
WHERE t.tenant_id = $1 AND t.id = $2;

-- trips.lock
SELECT t.id, t.code, t.receiver_id, t.day::text AS day, t.driver, t.driver_phone AS "driverPhone", t.plate,
  t.version
FROM trips t
WHERE t.tenant_id = $1 AND t.id = $2
FOR UPDATE OF t;

-- trips.notes
SELECT d.id, d.code, d.state, d.method, d.stop, d.trip_id, coalesce(t.code, '') AS "tripCode",
  d.contact_phone AS phone, d.planned_on::text AS "plannedOn",
  CASE WHEN EXISTS (SELECT 1 FROM dispatches w
    WHERE w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = d.trip_id
      AND w.shipped_at = d.shipped_at) THEN d.parent_id END AS part_of, d.bc_id, d.receiver_id, d.site_id AS place_id,
  o.code AS "orderCode", o.made_by
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN trips t ON t.tenant_id = $1 AND t.id = d.trip_id
WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND (d.trip_id = $3 OR d.id = ANY ($4::uuid[]))
ORDER BY d.id
FOR UPDATE OF d;

-- trips.own
SELECT t.bc_id, t.receiver_id FROM trips t WHERE t.tenant_id = $1::uuid AND t.id = $2::uuid AND true;

-- trips.parts
UPDATE dispatches d SET stop = w.stop
FROM dispatches w
WHERE d.tenant_id = $1 AND d.trip_id = $2 AND w.tenant_id = $1 AND w.id = d.parent_id AND w.trip_id = $2
  AND w.shipped_at = d.shipped_at AND d.stop IS DISTINCT FROM w.stop;

-- trips.put
UPDATE dispatches d SET trip_id = $3, stop = $4, method = $5, version = d.version + 1
WHERE d.tenant_id = $1 AND d.id = $2;

-- trips.served
SELECT DISTINCT d.bc_id FROM dispatches d
WHERE d.tenant_id = $1 AND d.receiver_id = $2 AND (d.trip_id = $3 OR d.id = ANY ($4::uuid[]));
