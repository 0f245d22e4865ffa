-- goods.add
INSERT INTO goods_changes (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, line_id, note_id, result,
  surplus, quantity, reason_code, reason, photos, round, late, answer_due, outcome, outcome_reason, scrap, made_by,
  made_name, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
  :now);

-- goods.answer
UPDATE goods_changes g
SET answer = $3, answer_reason = $4, answer_photos = $5, answer_name = $6, answer_at = :now,
  version = g.version + 1
WHERE g.tenant_id = $1 AND g.id = $2;

-- goods.clocks
SELECT k.id, k.bc_id AS bc, k.answer_due AS due
FROM goods_changes k
WHERE k.tenant_id = $1 AND k.bc_id = ANY ($2::uuid[])
  AND k.answer = '' AND k.examine_state = 0 AND k.answer_due > :now
ORDER BY k.id
FOR UPDATE;

-- goods.close
UPDATE goods_changes g SET state = 'closed', closed_at = :now, version = g.version + 1
WHERE g.tenant_id = $1 AND g.id = $2 AND g.state = 'open' AND g.examine_state = 1
  AND NOT EXISTS (SELECT 1 FROM pieces p WHERE p.tenant_id = $1 AND p.change_id = g.id) AND NOT EXISTS (SELECT 1
    FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.place = 'back' AND p.free AND p.counts
    JOIN contracts c ON c.tenant_id = $1 AND c.id = p.contract_id
      AND c.state IN ('live', 'finishing')
    WHERE x.tenant_id = $1 AND x.change_id = g.id)
  AND NOT EXISTS (SELECT 1 FROM logistics v
    WHERE v.tenant_id = $1 AND v.change_id = g.id AND v.type IN (0,
      4, 5)
      AND (v.progress < 3 OR v.dispute = 'asked'));

-- goods.complainuntil
SELECT greatest((d.checked_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value FROM settings s
  WHERE s.tenant_id = $1 AND s.key = 'complaintDays' AND (s.bc_id = d.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '15'::jsonb))::int,
  (SELECT CASE WHEN w.status = 4
THEN w.actual_finish + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warrantyDays'
  AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
    '730'::jsonb))::int END FROM sites w WHERE w.tenant_id = $1 AND w.id = d.site_id))::text AS day,
      (:now AT TIME ZONE 'Asia/Shanghai')::date::text AS today
FROM dispatches d
WHERE d.tenant_id = $1 AND d.id = $2;

-- goods.contractof
SELECT c.state, c.bill_signed_on IS NOT NULL AS signed
FROM orders o
JOIN contracts c ON c.tenant_id = $1 AND c.id = o.contract_id
WHERE o.tenant_id = $1 AND o.id = $2;

-- goods.detail
SELECT g.id, g.code, g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, g.order_id, o.code AS "orderCode",
  g.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN g.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.note_id,
  d.code AS "noteCode", l.name, l.unit, g.result, g.surplus, trim_scale(g.quantity)::text AS quantity,
  g.reason_code AS "reasonCode", g.reason, to_json(g.photos) AS photos, g.round, g.late,
  g.examine_state AS "examineState", g.state, g.answer, floor(extract(epoch FROM g.answer_due))::float8 AS "answerDue",
  CASE WHEN true OR g.outcome NOT IN ('reduce', 'borne') THEN g.outcome ELSE '' END AS outcome, g.scrap,
  (SELECT min(v.progress) FROM logistics v WHERE v.tenant_id = $1 AND v.change_id = g.id) AS progress,
  g.made_name AS "madeBy", g.made_by, floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
    EXISTS (SELECT 1 FROM dispatches n
    WHERE n.tenant_id = $1 AND n.change_id = g.id AND n.state NOT IN (0, 1)) AS sent,
      EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.change_id = g.id
    WHERE x.tenant_id = $1 AND x.change_id = g.id AND p.place = 'change' AND p.result <> 5
      AND p.next_note_id IS NULL) AS loose,
  EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.place = 'back' AND p.free AND p.counts
    JOIN contracts c ON c.tenant_id = $1 AND c.id = p.contract_id
      AND c.state IN ('live', 'finishing')
    WHERE x.tenant_id = $1 AND x.change_id = g.id) AS "toReduce",
  true AS buyer,
  true AS receiver, g.version, d.delivered_name AS "deliveredBy",
    floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt",
  d.delivered_place AS "deliveredPlace", d.photo AS "deliveryPhoto", d.signature,
  CASE WHEN true THEN (SELECT json_build_object('picture', t.picture, 'at', floor(extract(epoch FROM t.at))::float8)
    FROM tidiness_checks t
    WHERE t.tenant_id = $1 AND t.site_id = g.site_id AND t.picture IS NOT NULL AND t.source = 'camera'
      AND t.at <= d.delivered_at AND t.at > d.delivered_at - interval '1 day'
    ORDER BY t.at DESC
    LIMIT 1) END AS still,
  CASE WHEN true THEN coalesce((SELECT json_agg(json_build_object('device_id', h.device_id, 'deviceSn', coalesce(c.sn,
    '已调走的摄像头'), 'from', floor(extract(epoch FROM h.from_at))::float8,
    'to', floor(extract(epoch FROM h.to_at))::float8, 'recorded', EXISTS (SELECT 1 FROM recordings r
      WHERE r.tenant_id = $1 AND r.device_id = h.device_id AND r.from_at > h.from_at - interval '1 day'
        AND r.from_at < h.to_at AND r.to_at > h.from_at)) ORDER BY c.sn) FROM note_holds x
    JOIN recording_holds h ON h.tenant_id = $1 AND h.id = x.hold_id AND h.released_at IS NULL
    LEFT JOIN devices c ON c.tenant_id = $1 AND c.id = h.device_id
    WHERE x.tenant_id = $1 AND x.note_id = g.note_id), '[]') ELSE '[]' END AS clips,
  g.answer_reason AS "answerReason", to_json(g.answer_photos) AS "answerPhotos",
  g.answer_name AS "answerName", floor(extract(epoch FROM g.answer_at))::float8 AS "answerAt",
  CASE WHEN true OR g.outcome NOT IN ('reduce', 'borne') THEN g.outcome_reason ELSE '' END AS "outcomeReason",
  coalesce((SELECT json_agg(json_build_object('id', v.id, 'code', v.code, 'type', v.type,
    'changeDetailType', CASE v.type WHEN 2 THEN 1 WHEN 3 THEN 2 WHEN 1 THEN 0 ELSE 3 END,
    'progress', v.progress, 'status', v.status, 'noteCode', coalesce(n.code, ''), 'grade', v.grade,
    'gradeReason', v.grade_reason, 'disputed', v.disputed,
    'damage', v.damage::text, 'deciding', v.dispute = 'asked', 'version', v.version) ORDER BY v.made_at,
      v.code) FROM logistics v
    LEFT JOIN dispatches n ON n.tenant_id = $1 AND n.id = v.note_id
    WHERE v.tenant_id = $1 AND v.change_id = g.id), '[]') AS steps, coalesce((SELECT json_agg(json_build_object('id',
      r.id, 'code', r.code, 'round', r.round) ORDER BY r.round) FROM goods_changes r
    WHERE r.tenant_id = $1 AND r.id IN (SELECT c.change_id FROM change_pieces c
      JOIN change_pieces m ON m.tenant_id = $1 AND m.piece_id = c.piece_id AND m.change_id = g.id
      WHERE c.tenant_id = $1)), '[]') AS rounds
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid;

-- goods.judgement
INSERT INTO judgements (tenant_id, id, note_id, line_id, piece_id, quantity, result, reason_code, reason, photos,
  change_id, user_name, at)
SELECT $1, x.key, $2, x.line_id, x.id, x.quantity, $4, $5, $6, $7, $8, $9, :now
FROM json_to_recordset($3::json) AS x(key uuid, id uuid, line_id uuid, quantity numeric);

-- goods.lastjudge
SELECT d.checked_by AS name, coalesce(floor(extract(epoch FROM d.checked_at))::text, '0') AS at
FROM dispatches d
WHERE d.tenant_id = $1 AND d.id = $2;

-- goods.legparties
SELECT g.bc_id, g.receiver_id, g.order_id, coalesce(g.note_id, g.id) AS note_id, true AS buyer, true AS receiver
FROM logistics g
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid AND g.type IN (4, 5);

-- goods.lines
SELECT l.id, l.name, l.unit FROM order_lines l WHERE l.tenant_id = $1 AND l.order_id = $2;

-- goods.lock
SELECT g.id, g.code, g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, g.order_id, o.code AS "orderCode",
  g.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN g.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.note_id,
  d.code AS "noteCode", l.name, l.unit, g.result, g.surplus, trim_scale(g.quantity)::text AS quantity,
  g.reason_code AS "reasonCode", g.reason, to_json(g.photos) AS photos, g.round, g.late,
  g.examine_state AS "examineState", g.state, g.answer, floor(extract(epoch FROM g.answer_due))::float8 AS "answerDue",
  CASE WHEN true OR g.outcome NOT IN ('reduce', 'borne') THEN g.outcome ELSE '' END AS outcome, g.scrap,
  (SELECT min(v.progress) FROM logistics v WHERE v.tenant_id = $1 AND v.change_id = g.id) AS progress,
  g.made_name AS "madeBy", g.made_by, floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
    EXISTS (SELECT 1 FROM dispatches n
    WHERE n.tenant_id = $1 AND n.change_id = g.id AND n.state NOT IN (0, 1)) AS sent,
      EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.change_id = g.id
    WHERE x.tenant_id = $1 AND x.change_id = g.id AND p.place = 'change' AND p.result <> 5
      AND p.next_note_id IS NULL) AS loose,
  EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.place = 'back' AND p.free AND p.counts
    JOIN contracts c ON c.tenant_id = $1 AND c.id = p.contract_id
      AND c.state IN ('live', 'finishing')
    WHERE x.tenant_id = $1 AND x.change_id = g.id) AS "toReduce",
  true AS buyer,
  true AS receiver, g.version, g.site_id AS place_id, g.line_id, l.item_id,
  g.outcome_reason AS "outcomeReason"
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
WHERE g.tenant_id = $1 AND g.id = $2
FOR UPDATE OF g;

-- goods.lockleg
SELECT v.id, v.type, v.order_id, v.change_id, v.note_id, v.progress, v.status, v.grade,
  v.grade_reason AS "gradeReason", v.disputed, v.damage::text AS damage, v.version
FROM logistics v
WHERE v.tenant_id = $1 AND v.id = $2
FOR UPDATE OF v;

-- goods.moveclocks
UPDATE goods_changes k SET answer_due = x.due
FROM unnest($2::uuid[], $3::timestamptz[]) AS x(id, due)
WHERE k.tenant_id = $1 AND k.id = x.id;

-- goods.orderof
SELECT g.order_id AS id FROM goods_changes g WHERE g.tenant_id = $1 AND g.id = $2;

-- goods.orderofleg
SELECT v.order_id AS id FROM logistics v WHERE v.tenant_id = $1 AND v.id = $2;

-- goods.page
WITH page AS MATERIALIZED (SELECT g.* FROM goods_changes g WHERE g.tenant_id = $1::uuid ORDER BY g.made_at DESC,
  g.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT g.id, g.code, g.bc_id, coalesce(b.bc_name, o.bc_name) AS bc_name, g.order_id, o.code AS "orderCode",
      g.receiver_id,
  o.receiver_name AS "receiverName", CASE WHEN true THEN g.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name, g.note_id,
  d.code AS "noteCode", l.name, l.unit, g.result, g.surplus, trim_scale(g.quantity)::text AS quantity,
  g.reason_code AS "reasonCode", g.reason, to_json(g.photos) AS photos, g.round, g.late,
  g.examine_state AS "examineState", g.state, g.answer, floor(extract(epoch FROM g.answer_due))::float8 AS "answerDue",
  CASE WHEN true OR g.outcome NOT IN ('reduce', 'borne') THEN g.outcome ELSE '' END AS outcome, g.scrap,
  (SELECT min(v.progress) FROM logistics v WHERE v.tenant_id = $1 AND v.change_id = g.id) AS progress,
  g.made_name AS "madeBy", g.made_by, floor(extract(epoch FROM g.made_at))::float8 AS "madeAt",
    EXISTS (SELECT 1 FROM dispatches n
    WHERE n.tenant_id = $1 AND n.change_id = g.id AND n.state NOT IN (0, 1)) AS sent,
      EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.change_id = g.id
    WHERE x.tenant_id = $1 AND x.change_id = g.id AND p.place = 'change' AND p.result <> 5
      AND p.next_note_id IS NULL) AS loose,
  EXISTS (SELECT 1 FROM change_pieces x
    JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id AND p.place = 'back' AND p.free AND p.counts
    JOIN contracts c ON c.tenant_id = $1 AND c.id = p.contract_id
      AND c.state IN ('live', 'finishing')
    WHERE x.tenant_id = $1 AND x.change_id = g.id) AS "toReduce",
  true AS buyer,
  true AS receiver, g.version FROM page g JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
JOIN dispatches d ON d.tenant_id = $1 AND d.id = g.note_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id ORDER BY g.made_at DESC, g.id DESC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM goods_changes g WHERE g.tenant_id = $1::uuid)::int AS total;

-- goods.parties
SELECT g.bc_id, g.receiver_id, g.order_id, g.note_id AS note_id, true AS buyer, true AS receiver
FROM goods_changes g
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid AND true;

-- goods.pieces
SELECT c.piece_id AS id FROM change_pieces c WHERE c.tenant_id = $1 AND c.change_id = $2;

-- goods.reduced
SELECT g.id
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
WHERE g.tenant_id = $1 AND o.contract_id = $2 AND g.state = 'open'
  AND g.outcome = 'reduce'
ORDER BY g.id;

-- goods.remind
SELECT g.id, g.code, o.bc_id, o.site_id, g.receiver_id, o.receiver_name AS receiver, g.made_by
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
WHERE g.tenant_id = $1 AND (g.state = 'open' AND g.answer = '' AND g.examine_state = 0 AND g.answer_due < :now)
  AND g.answer_due > :now - interval '14 days'
  AND NOT EXISTS (
    SELECT 1
    FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'goods' AND m.cause_id = g.id::text AND m.step = 'due')
ORDER BY g.id
LIMIT 500
FOR UPDATE OF g SKIP LOCKED;

-- goods.set
UPDATE goods_changes g
SET state = coalesce($3, g.state), examine_state = coalesce($4, g.examine_state),
  closed_at = CASE WHEN coalesce($3, 'open') = 'open' THEN g.closed_at ELSE :now END, version = g.version + 1
WHERE g.tenant_id = $1 AND g.id = $2;

-- goods.sheet
SELECT d.id, d.sheet_code AS "sheetCode", d.code, d.order_id, o.code AS "orderCode", d.bc_id,
  coalesce(b.bc_name, o.bc_name) AS bc_name, CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  o.receiver_name AS "receiverName", d.state, d.lines, d.lines_checked AS "linesChecked",
  d.check_state AS "checkState", d.checked_by AS "checkedBy",
    floor(extract(epoch FROM d.checked_at))::float8 AS "checkedAt",
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", true AS buyer, d.version,
    d.delivered_name AS "deliveredBy", d.delivered_place AS "deliveredPlace",
  d.photo, d.signature, d.damage, d.damage_photo AS "damagePhoto",
  greatest((d.checked_at AT TIME ZONE 'Asia/Shanghai')::date + (coalesce((SELECT s.value FROM settings s
    WHERE s.tenant_id = $1 AND s.key = 'complaintDays' AND (s.bc_id = d.bc_id OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), '15'::jsonb))::int,
    (SELECT CASE WHEN w.status = 4
  THEN w.actual_finish + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warrantyDays'
    AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '730'::jsonb))::int END FROM sites w WHERE w.tenant_id = $1 AND w.id = d.site_id))::text AS "complainUntil",
        coalesce((SELECT json_agg(json_build_object('line_id', l.id, 'code', l.code, 'name', l.name,
    'detail', l.detail, 'unit', l.unit, 'quantity', trim_scale(k.quantity)::text,
    'waiting', trim_scale(coalesce((SELECT sum(p.quantity)
      FROM carried x
      JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id
      WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.line_id = k.line_id AND p.note_id = d.id
        AND p.place = 'waiting'), 0))::text,
    'accepted', trim_scale(coalesce((SELECT sum(p.quantity)
      FROM carried x
      JOIN pieces p ON p.tenant_id = $1 AND p.id = x.piece_id
      WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.line_id = k.line_id AND p.note_id = d.id
        AND p.place = 'accepted' AND p.change_id IS NULL), 0))::text,
    'judgements', coalesce((SELECT json_agg(json_build_object('id', j.id, 'result', j.result, 'quantity',
      trim_scale(j.quantity)::text, 'reasonCode', j.reason_code,
      'reason', j.reason, 'photos', to_json(j.photos), 'changeCode', coalesce(g.code, ''), 'who', j.user_name,
      'at', floor(extract(epoch FROM j.at))::float8) ORDER BY j.at, j.id) FROM judgements j
      LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = j.change_id
      WHERE j.tenant_id = $1 AND j.note_id = d.id AND j.line_id = k.line_id), '[]')) ORDER BY l.sort, l.id)
  FROM (SELECT c.line_id, sum(c.quantity) AS quantity FROM carried c
    WHERE c.tenant_id = $1 AND c.note_id = d.id GROUP BY c.line_id) k
  JOIN order_lines l ON l.tenant_id = $1 AND l.id = k.line_id), '[]') AS "lineList"
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid AND d.check_state IS NOT NULL;

-- goods.sheetparties
SELECT g.bc_id, g.receiver_id, g.order_id, g.id AS note_id, true AS buyer, true AS receiver
FROM dispatches g
WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid AND g.check_state IS NOT NULL;

-- goods.sheets
WITH page AS MATERIALIZED (SELECT d.* FROM dispatches d WHERE d.tenant_id = $1::uuid AND d.check_state IS NOT NULL
  ORDER BY d.check_state ASC, d.delivered_at DESC, d.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT d.id, d.sheet_code AS "sheetCode", d.code, d.order_id, o.code AS "orderCode", d.bc_id,
  coalesce(b.bc_name, o.bc_name) AS bc_name, CASE WHEN true THEN d.site_id::text ELSE '' END AS site_id,
  CASE WHEN true THEN coalesce(w.ws_name, o.community) ELSE o.community END AS ws_name,
  o.receiver_name AS "receiverName", d.state, d.lines, d.lines_checked AS "linesChecked",
  d.check_state AS "checkState", d.checked_by AS "checkedBy",
    floor(extract(epoch FROM d.checked_at))::float8 AS "checkedAt",
  floor(extract(epoch FROM d.delivered_at))::float8 AS "deliveredAt", true AS buyer,
    d.version FROM page d JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN companies b ON b.tenant_id = $1 AND b.bc_id = d.bc_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id ORDER BY d.check_state ASC, d.delivered_at DESC,
  d.id DESC) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM dispatches d WHERE d.tenant_id = $1::uuid AND d.check_state IS NOT NULL)::int AS total;

-- goods.surplusleft
SELECT trim_scale(x.brought)::text AS brought, trim_scale(x.said)::text AS said,
  trim_scale(greatest(x.brought - x.said, 0))::text AS more
FROM (SELECT coalesce((SELECT sum(k.quantity) FROM carried k
      WHERE k.tenant_id = $1 AND k.note_id = $2 AND k.line_id = $3), 0) AS brought,
    coalesce((SELECT sum(g.quantity) FROM goods_changes g
      WHERE g.tenant_id = $1 AND g.note_id = $2 AND g.line_id = $3 AND g.surplus
        AND g.state IN ('open', 'closed')), 0) AS said) x;

-- goods.toanswer
SELECT count(*)::int AS n FROM goods_changes g WHERE g.tenant_id = $1 AND g.receiver_id = $2 AND g.state = 'open'
  AND g.answer = ''
AND g.examine_state = 0;

-- goods.value
SELECT trim_scale(l.price)::text AS price FROM order_lines l WHERE l.tenant_id = $1 AND l.id = $2;
