-- statements.add
INSERT INTO statements (tenant_id, id, code, bc_id, receiver_id, receiver_name, bc_name, month, made_by, made_name,
  made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now);

-- statements.addcharge
INSERT INTO owed_charges (tenant_id, id, code, bc_id, receiver_id, receiver_name, kind, side, amount, reason,
  month, made_by, made_name, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now);

-- statements.answer
UPDATE statements s
SET state = $3, reason = $4, answered_name = $5, answered_at = :now, version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = $2;

-- statements.beside
SELECT s.code, s.bc_name, to_char(s.month, 'YYYY-MM') AS month, s.state,
  CASE WHEN s.bc_id = $3 THEN 'same' ELSE 'other' END AS same
FROM statements s
WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.state <> 'dropped' AND s.id IS DISTINCT FROM $5
  AND (s.bc_id = $3 OR s.bc_id = '00000000-0000-0000-0000-000000000000'
    OR $3 = '00000000-0000-0000-0000-000000000000'::uuid)
  AND (s.month = $4::date OR (s.month < $4::date AND s.state IN ('draft', 'disputed')))
ORDER BY s.month
LIMIT 1;

-- statements.byhand
INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, order_id, change_id, charge_id, kind, amount, words,
  at, month)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now, coalesce($11::date, date_trunc('month',
  :now AT TIME ZONE 'Asia/Shanghai')::date));

-- statements.details
SELECT s.id, s.code, s.receiver_id, s.receiver_name AS "receiverName",
  CASE WHEN s.bc_id = '00000000-0000-0000-0000-000000000000' THEN '' ELSE s.bc_id::text END AS bc_id, s.bc_name,
  to_char(s.month, 'YYYY-MM') AS month, m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount",
  m.by_hand::text AS "handAmount", m.due::text AS due, k.paid::text AS paid,
    (CASE WHEN s.state = 'agreed' THEN m.due - k.paid ELSE 0.00 END)::text AS open, s.state,
  s.round, coalesce(s.sent_by::text, '') AS sent_by,
  CASE WHEN true THEN 'owe' ELSE 'owed' END AS side,
  true AS buyer, true AS receiver,
  s.version, s.made_name AS "madeBy", s.sent_name AS "sentBy", floor(extract(epoch FROM s.sent_at))::float8 AS "sentAt",
  s.answered_name AS "answeredBy", floor(extract(epoch FROM s.answered_at))::float8 AS "answeredAt", s.reason,
  coalesce((SELECT json_agg(json_build_object('id', g.id, 'at', floor(extract(epoch FROM g.at))::float8, 'kind', g.kind,
    'order_id', g.order_id, 'orderCode', g.order_code, 'sheetCode', g.sheet, 'name', g.name, 'detail', g.detail,
    'unit', g.unit, 'quantity', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.quantity)::text END,
    'price', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.price)::text END, 'amount', g.amount::text,
    'words', g.words, 'objection', coalesce((SELECT x.words FROM statement_objections x
      WHERE x.tenant_id = $1 AND x.statement_id = s.id AND x.line_id = g.id AND s.state <> 'agreed'
        AND x.round >= s.round - 1
      ORDER BY x.round DESC LIMIT 1), '')) ORDER BY g.at, g.seq)
  FROM (
    SELECT (array_agg(w.id ORDER BY w.seq))[1] AS id, min(w.seq) AS seq, max(w.at) AS at, w.kind,
      coalesce(w.order_id::text, '') AS order_id, coalesce(o.code, '') AS order_code,
      coalesce(d.sheet_code, '') AS sheet, coalesce(l.name, '') AS name, coalesce(l.detail, '') AS detail,
      coalesce(l.unit, '') AS unit, sum(w.quantity) AS quantity, w.price, sum(w.amount) AS amount, w.words
    FROM owed_lines w
    LEFT JOIN order_lines l ON l.tenant_id = $1 AND l.id = w.line_id
    LEFT JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id
    LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = w.note_id
    WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft', 'disputed')
      AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
      AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
      AND w.month <= s.month))
    GROUP BY w.kind, w.order_id, o.code, d.sheet_code, w.line_id, l.name, l.detail, l.unit, w.price, w.words,
      CASE WHEN w.line_id IS NULL THEN w.id END) g), '[]') AS lines,
        CASE WHEN true THEN coalesce((SELECT json_agg(json_build_object('id', c.id, 'code', c.code, 'kind', c.kind,
          'side', c.side, 'amount', c.amount::text, 'reason', c.reason,
    'state', c.state, 'made_by', c.made_by, 'madeBy', c.made_name, 'madeAt',
      floor(extract(epoch FROM c.made_at))::float8,
    'version', c.version) ORDER BY c.made_at,
      c.code) FROM owed_charges c WHERE c.tenant_id = $1 AND c.state = 'waiting' AND c.receiver_id = s.receiver_id
        AND c.month <= s.month AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR c.bc_id = s.bc_id)),
          '[]') ELSE '[]' END AS charges,
  coalesce((SELECT json_agg(json_build_object('id', y.id, 'code', y.code, 'amount', y.amount::text, 'method', y.method,
    'paidOn', y.paid_on::text,
    'payee', y.payee, 'remark', y.remark, 'by', y.made_name, 'at', floor(extract(epoch FROM y.at))::float8,
    'reversedAt', floor(extract(epoch FROM y.reversed_at))::float8, 'reversedBy', y.reversed_name, 'reverseReason',
      y.reverse_reason,
    'version', y.version) ORDER BY y.at,
      y.code) FROM owed_payments y WHERE y.tenant_id = $1 AND y.statement_id = s.id), '[]') AS payments
FROM statements s
CROSS JOIN LATERAL (SELECT coalesce(sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity > 0),
  0.00) AS sold,
    coalesce(-sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity < 0), 0.00) AS returned,
    coalesce(sum(w.amount) FILTER (WHERE w.line_id IS NULL), 0.00) AS by_hand, coalesce(sum(w.amount),
      0.00) AS due FROM owed_lines w WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft',
        'disputed')
      AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
      AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
      AND w.month <= s.month))) m
CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount), 0.00) AS paid
  FROM owed_payments y
  WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL) k
WHERE s.tenant_id = $1::uuid AND (true OR s.sent_at IS NOT NULL) AND s.id = $2::uuid;

-- statements.findpayment
SELECT y.id, y.code, y.statement_id, y.amount::text AS amount, y.version, y.reversed_name AS reversed
FROM owed_payments y
WHERE y.tenant_id = $1::uuid AND true AND y.id = $2::uuid;

-- statements.frozen
SELECT s.code, to_char(s.month, 'YYYY-MM') AS month, s.state FROM statements s
WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.bc_id IN ($3,
  '00000000-0000-0000-0000-000000000000') AND s.month >= $4::date
  AND s.state IN ('sent', 'agreed')
ORDER BY s.month
LIMIT 1;

-- statements.letgo
UPDATE owed_lines w SET statement_id = NULL WHERE w.tenant_id = $1 AND w.statement_id = $2;

-- statements.lock
SELECT 1 FROM statements s WHERE s.tenant_id = $1::uuid AND (true OR s.sent_at IS NOT NULL)
  AND s.id = $2::uuid FOR UPDATE;

-- statements.lockcharge
SELECT c.id, c.code, c.bc_id, c.receiver_id, c.receiver_name AS "receiverName", c.kind, c.side,
  c.amount::text AS amount, c.reason, to_char(c.month, 'YYYY-MM') AS month, c.state, c.made_by, c.version
FROM owed_charges c
WHERE c.tenant_id = $1::uuid AND true AND c.id = $2::uuid
FOR UPDATE;

-- statements.locked
SELECT s.id, s.code, s.receiver_id, s.receiver_name AS "receiverName",
  CASE WHEN s.bc_id = '00000000-0000-0000-0000-000000000000' THEN '' ELSE s.bc_id::text END AS bc_id, s.bc_name,
  to_char(s.month, 'YYYY-MM') AS month, m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount",
  m.by_hand::text AS "handAmount", m.due::text AS due, k.paid::text AS paid,
    (CASE WHEN s.state = 'agreed' THEN m.due - k.paid ELSE 0.00 END)::text AS open, s.state,
  s.round, coalesce(s.sent_by::text, '') AS sent_by,
  CASE WHEN true THEN 'owe' ELSE 'owed' END AS side,
  true AS buyer, true AS receiver,
  s.version, s.bc_id AS bc,
    s.made_by FROM statements s CROSS JOIN LATERAL (SELECT coalesce(sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL)
      AND w.quantity > 0), 0.00) AS sold,
    coalesce(-sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity < 0), 0.00) AS returned,
    coalesce(sum(w.amount) FILTER (WHERE w.line_id IS NULL), 0.00) AS by_hand, coalesce(sum(w.amount),
      0.00) AS due FROM owed_lines w WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft',
        'disputed')
      AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
      AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
      AND w.month <= s.month))) m
CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount), 0.00) AS paid
  FROM owed_payments y
  WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL) k WHERE s.tenant_id = $1::uuid AND (true
    OR s.sent_at IS NOT NULL) AND s.id = $2::uuid;

-- statements.lockpayment
SELECT y.id, y.code, y.statement_id, y.amount::text AS amount, y.version, y.reversed_name AS reversed
FROM owed_payments y
WHERE y.tenant_id = $1::uuid AND true AND y.id = $2::uuid FOR UPDATE;

-- statements.object
INSERT INTO statement_objections (tenant_id, statement_id, round, line_id, bc_id, receiver_id, words)
SELECT $1, $2, $3, x.id, $4, $5, x.words
FROM json_to_recordset($6::json) AS x(id uuid, words text);

-- statements.owed
INSERT INTO owed_lines (tenant_id, id, bc_id, receiver_id, order_id, line_id, note_id, change_id, kind, quantity,
  price, amount, at, month)
SELECT $1, x.id, o.bc_id, o.receiver_id, o.id, l.id, x.note_id, x.change_id,
  CASE WHEN x.quantity > 0 THEN CASE WHEN d.kind > 1 THEN 'replacement' ELSE 'accepted' END
    WHEN g.result = 3 THEN 'short'
    WHEN g.scrap THEN 'scrapped'
    ELSE 'taken' END,
  x.quantity, l.price,
  round((b.billed + x.run) * l.price, 2) - round((b.billed + x.run - x.quantity) * l.price, 2), :now,
  date_trunc('month', :now AT TIME ZONE 'Asia/Shanghai')::date
FROM (
  SELECT y.*, sum(y.quantity) OVER (PARTITION BY y.line_id ORDER BY y.sort) AS run
  FROM json_to_recordset($2::json) AS y(id uuid, line_id uuid, note_id uuid, change_id uuid, quantity numeric,
    sort int)) x
JOIN order_lines l ON l.tenant_id = $1 AND l.id = x.line_id
JOIN orders o ON o.tenant_id = $1 AND o.id = l.order_id
LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = x.note_id
LEFT JOIN goods_changes g ON g.tenant_id = $1 AND g.id = x.change_id
CROSS JOIN LATERAL (SELECT coalesce(sum(w.quantity), 0) AS billed
  FROM owed_lines w
  WHERE w.tenant_id = $1 AND w.line_id = l.id) b
ORDER BY x.sort;

-- statements.page
WITH page AS MATERIALIZED (SELECT s.* FROM statements s WHERE s.tenant_id = $1::uuid AND (true
  OR s.sent_at IS NOT NULL) ORDER BY s.month DESC, s.code DESC, s.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT s.id, s.code, s.receiver_id, s.receiver_name AS "receiverName",
  CASE WHEN s.bc_id = '00000000-0000-0000-0000-000000000000' THEN '' ELSE s.bc_id::text END AS bc_id, s.bc_name,
  to_char(s.month, 'YYYY-MM') AS month, m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount",
  m.by_hand::text AS "handAmount", m.due::text AS due, k.paid::text AS paid,
    (CASE WHEN s.state = 'agreed' THEN m.due - k.paid ELSE 0.00 END)::text AS open, s.state,
  s.round, coalesce(s.sent_by::text, '') AS sent_by,
  CASE WHEN true THEN 'owe' ELSE 'owed' END AS side,
  true AS buyer, true AS receiver,
  s.version FROM page s CROSS JOIN LATERAL (SELECT coalesce(sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL)
    AND w.quantity > 0), 0.00) AS sold,
    coalesce(-sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity < 0), 0.00) AS returned,
    coalesce(sum(w.amount) FILTER (WHERE w.line_id IS NULL), 0.00) AS by_hand, coalesce(sum(w.amount),
      0.00) AS due FROM owed_lines w WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft',
        'disputed')
      AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
      AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
      AND w.month <= s.month))) m
CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount), 0.00) AS paid
  FROM owed_payments y
  WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL) k ORDER BY s.month DESC, s.code DESC,
    s.id DESC) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM statements s WHERE s.tenant_id = $1::uuid AND (true OR s.sent_at IS NOT NULL))::int AS total;

-- statements.parties
SELECT (SELECT max(o.receiver_name) FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2) AS name,
(SELECT b.bc_name FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $3) AS bc_name;

-- statements.pay
INSERT INTO owed_payments (tenant_id, id, code, statement_id, bc_id, receiver_id, amount, method, paid_on, payee,
  remark, made_by, made_name, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now);

-- statements.preview
SELECT coalesce((SELECT t.name FROM stores t WHERE t.tenant_id = $1 AND t.id = $2::uuid),
    (SELECT b.bc_name FROM companies b WHERE b.tenant_id = $1 AND b.bc_id = $2::uuid),
    (SELECT max(o.receiver_name) FROM orders o WHERE o.tenant_id = $1 AND o.receiver_id = $2::uuid))
    AS "receiverName",
  coalesce((SELECT string_agg(b.bc_name, '、' ORDER BY b.sort, b.bc_name) FROM companies b
    WHERE b.tenant_id = $1 AND EXISTS (SELECT 1 FROM owed_lines w WHERE w.tenant_id = $1::uuid AND true
      AND w.receiver_id = $2::uuid AND w.month = $3::date AND w.bc_id = b.bc_id)), '')
    AS scope,
  m.sold::text AS "acceptedAmount", m.returned::text AS "returnedAmount", m.by_hand::text AS "handAmount",
  m.due::text AS due, u.rest::text AS rest, u.loose::int AS loose, coalesce((SELECT json_agg(json_build_object('id',
    g.id, 'at', floor(extract(epoch FROM g.at))::float8, 'kind', g.kind,
    'order_id', g.order_id, 'orderCode', g.order_code, 'sheetCode', g.sheet, 'name', g.name, 'detail', g.detail,
    'unit', g.unit, 'quantity', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.quantity)::text END,
    'price', CASE WHEN g.quantity = 0 THEN '' ELSE trim_scale(g.price)::text END, 'amount', g.amount::text,
    'words', g.words, 'objection', '') ORDER BY g.at, g.seq)
  FROM (
    SELECT (array_agg(w.id ORDER BY w.seq))[1] AS id, min(w.seq) AS seq, max(w.at) AS at, w.kind,
      coalesce(w.order_id::text, '') AS order_id, coalesce(o.code, '') AS order_code,
      coalesce(d.sheet_code, '') AS sheet, coalesce(l.name, '') AS name, coalesce(l.detail, '') AS detail,
      coalesce(l.unit, '') AS unit, sum(w.quantity) AS quantity, w.price, sum(w.amount) AS amount, w.words
    FROM owed_lines w
    LEFT JOIN order_lines l ON l.tenant_id = $1 AND l.id = w.line_id
    LEFT JOIN orders o ON o.tenant_id = $1 AND o.id = w.order_id
    LEFT JOIN dispatches d ON d.tenant_id = $1 AND d.id = w.note_id
    WHERE w.tenant_id = $1::uuid AND true AND w.receiver_id = $2::uuid AND w.month = $3::date
    GROUP BY w.kind, w.order_id, o.code, d.sheet_code, w.line_id, l.name, l.detail, l.unit, w.price, w.words,
      CASE WHEN w.line_id IS NULL THEN w.id END) g), '[]') AS lines,
  coalesce((SELECT json_agg(json_build_object('id', c.id, 'code', c.code, 'kind', c.kind, 'side', c.side, 'amount',
    c.amount::text, 'reason', c.reason,
    'state', c.state, 'made_by', c.made_by, 'madeBy', c.made_name, 'madeAt',
      floor(extract(epoch FROM c.made_at))::float8,
    'version', c.version) ORDER BY c.made_at,
      c.code) FROM owed_charges c WHERE c.tenant_id = $1 AND c.state = 'waiting' AND c.receiver_id = $2::uuid
        AND c.month = $3::date AND c.tenant_id = $4::uuid AND true AND true), '[]') AS charges,
  coalesce((SELECT json_agg(json_build_object('id', s.id, 'code', s.code, 'bc_name', s.bc_name, 'month',
    to_char(s.month, 'YYYY-MM'), 'due', m.due::text) ORDER BY s.month,
      s.code) FROM statements s CROSS JOIN LATERAL (SELECT coalesce(sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL)
        AND w.quantity > 0), 0.00) AS sold,
    coalesce(-sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity < 0), 0.00) AS returned,
    coalesce(sum(w.amount) FILTER (WHERE w.line_id IS NULL), 0.00) AS by_hand, coalesce(sum(w.amount),
      0.00) AS due FROM owed_lines w WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft',
        'disputed')
      AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
      AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
      AND w.month <= s.month))) m
CROSS JOIN LATERAL (SELECT coalesce(sum(y.amount), 0.00) AS paid
  FROM owed_payments y
  WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL) k WHERE s.tenant_id = $1
    AND s.receiver_id = $2::uuid AND s.state <> 'dropped'
      AND (s.month = $3::date
        OR EXISTS (SELECT 1 FROM owed_lines w WHERE w.tenant_id = $1::uuid AND true AND w.receiver_id = $2::uuid
          AND w.month = $3::date AND w.statement_id = s.id))
      AND s.tenant_id = $5::uuid AND (true OR s.sent_at IS NOT NULL)), '[]') AS made
FROM (SELECT coalesce(sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity > 0), 0.00) AS sold,
    coalesce(-sum(w.amount) FILTER (WHERE NOT (w.line_id IS NULL) AND w.quantity < 0), 0.00) AS returned,
    coalesce(sum(w.amount) FILTER (WHERE w.line_id IS NULL), 0.00) AS by_hand, coalesce(sum(w.amount),
      0.00) AS due FROM owed_lines w WHERE w.tenant_id = $1::uuid AND true AND w.receiver_id = $2::uuid
        AND w.month = $3::date) m,
  (SELECT coalesce(sum(w.amount), 0.00) AS rest, count(*) AS loose FROM owed_lines w
   WHERE w.tenant_id = $1::uuid AND true AND w.receiver_id = $2::uuid AND w.month <= $3::date
     AND w.statement_id IS NULL) u;

-- statements.receiver
SELECT max(o.receiver_name) AS name FROM orders o
WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.bc_id = $3;

-- statements.reverse
UPDATE owed_payments y
SET reversed_at = :now, reversed_name = $3, reverse_reason = $4, version = y.version + 1
WHERE y.tenant_id = $1 AND y.id = $2;

-- statements.send
UPDATE statements s
SET state = 'sent', sent_by = $3, sent_name = $4, sent_at = :now, answered_name = '', answered_at = NULL,
  version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = $2;

-- statements.set
UPDATE statements s SET state = $3, reason = $4, round = s.round + $5, version = s.version + 1
WHERE s.tenant_id = $1 AND s.id = $2;

-- statements.setcharge
UPDATE owed_charges c SET state = $3, version = c.version + 1 WHERE c.tenant_id = $1 AND c.id = $2;

-- statements.takeup
UPDATE owed_lines w SET statement_id = s.id FROM statements s WHERE s.tenant_id = $1 AND s.id = $2 AND w.tenant_id = $1
  AND (w.statement_id = s.id OR (s.state IN ('draft', 'disputed')
AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
AND w.month <= s.month));

-- statements.toconfirm
SELECT count(*)::int AS n FROM statements s WHERE s.tenant_id = $1 AND s.receiver_id = $2 AND s.state = 'sent';

-- statements.topay
SELECT count(*)::int AS n FROM statements s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.state = 'agreed'
  AND ((SELECT coalesce(sum(w.amount),
    0.00) FROM owed_lines w WHERE w.tenant_id = $1 AND (w.statement_id = s.id OR (s.state IN ('draft', 'disputed')
AND w.statement_id IS NULL AND w.receiver_id = s.receiver_id
AND (s.bc_id = '00000000-0000-0000-0000-000000000000' OR w.bc_id = s.bc_id)
AND w.month <= s.month)))
- (SELECT coalesce(sum(y.amount), 0.00) FROM owed_payments y
  WHERE y.tenant_id = $1 AND y.statement_id = s.id AND y.reversed_at IS NULL)) <> 0;

-- statements.tosend
SELECT count(*)::int AS n FROM statements s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.state IN ('draft', 'disputed');

-- statements.touch
UPDATE statements s SET version = s.version + 1 WHERE s.tenant_id = $1 AND s.id = $2;

-- statements.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));
