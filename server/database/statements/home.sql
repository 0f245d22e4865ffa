-- home.alarmrows
SELECT a.id, a.type, w.ws_name AS text, a.picture, floor(extract(epoch FROM a.due_at))::float8 AS at,
  coalesce((a.correction_status IN (1, 2) AND a.due_at < :now), false) AS late
FROM alarms a
JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id
WHERE a.tenant_id = $1::uuid AND a.bc_id = $2::uuid AND a.correction_status IN (1, 2)
ORDER BY a.due_at NULLS LAST, a.at DESC, a.id DESC
LIMIT 12;

-- home.alarms
SELECT count(*)::int AS open, count(*) FILTER (WHERE (a.correction_status IN (1,
  2) AND a.due_at < :now))::int AS overdue
FROM alarms a
WHERE a.tenant_id = $1::uuid AND a.correction_status IN (1, 2);

-- home.askedrows
SELECT o.id, o.code AS title, CASE WHEN false THEN coalesce(w.ws_name, o.community) ELSE o.community END AS site,
  o.bc_name AS bc, o.receiver_name AS receiver,
  false AS mine, floor(extract(epoch FROM o.due_at))::float8 AS at,
    ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
      'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))) AS late
FROM orders o
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
WHERE o.tenant_id = $1::uuid AND (o.receiver_id = ANY($2::uuid[])) AND (o.receiver_id = ANY($2::uuid[]))
  AND o.receive_state = 0 AND o.ended = ''
ORDER BY o.due_at, o.id
LIMIT 12;

-- home.batch
SELECT a.batch, count(DISTINCT w.id)::int AS n
  FROM sites w
  LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
CROSS JOIN LATERAL (SELECT CASE WHEN (w.stop_reason IS NOT NULL
  AND coalesce(w.stop_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date, true)
  AND (w.stop_question_id IS NULL OR EXISTS (SELECT FROM questions q
    WHERE q.tenant_id = $1 AND q.id = w.stop_question_id AND q.state = 'open'))
  AND (w.stop_order_id IS NULL OR EXISTS (SELECT FROM pieces p
    WHERE p.tenant_id = $1 AND p.order_id = w.stop_order_id AND p.order_state IN (1, 2, 3,
      4)))) THEN w.stop_reason END AS reason,
  CASE WHEN w.devices_total > 0 AND w.devices_online = 0 THEN 'blind'
    WHEN EXISTS (SELECT FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage) THEN 'owner'
    WHEN NOT EXISTS (SELECT FROM site_members sm WHERE sm.tenant_id = $1 AND sm.site_id = w.id
      AND sm.left_on IS NULL) THEN 'nobody'
    WHEN EXISTS (SELECT FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)) THEN 'goods'
    WHEN EXISTS (SELECT FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND d.rest) THEN 'rest'
    WHEN g.actual_start IS NULL THEN 'waiting'
    WHEN g.actual_finish IS NULL AND g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'late'
    WHEN true THEN 'none' END AS likely OFFSET 0) h
CROSS JOIN LATERAL (SELECT CASE WHEN h.reason IS NULL THEN CASE h.likely WHEN 'blind' THEN 'keeper'
    WHEN 'owner' THEN 'owner'
    WHEN 'nobody' THEN 'manager'
    WHEN 'goods' THEN CASE WHEN EXISTS (SELECT FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4) AND p.order_state = 1) THEN 'clerk' ELSE 'supplier' END
    WHEN 'rest' THEN 'nobody'
    WHEN 'waiting' THEN 'manager'
    WHEN 'late' THEN 'manager'
    WHEN 'none' THEN 'manager' END
  ELSE CASE h.reason WHEN 'material' THEN CASE WHEN w.stop_order_id IS NULL THEN 'clerk' ELSE CASE WHEN EXISTS (SELECT
    FROM pieces p WHERE p.tenant_id = $1 AND p.order_id = w.stop_order_id AND p.order_state = 1) THEN 'clerk'
      ELSE 'supplier' END END
    WHEN 'owner' THEN 'owner'
    WHEN 'crew' THEN 'manager'
    WHEN 'process' THEN 'manager'
    WHEN 'weather' THEN 'nobody'
    WHEN 'dispute' THEN 'branch'
    WHEN 'holiday' THEN 'nobody'
    WHEN 'device' THEN 'keeper'
    WHEN 'other' THEN 'manager' END END AS ball,
      CASE WHEN h.reason IS NULL THEN CASE h.likely WHEN 'blind' THEN (SELECT max(s.to_at) FROM devices d
    JOIN device_spans s ON s.tenant_id = $1 AND s.device_id = d.id AND s.state = 1
    WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.deleted_at IS NULL)
    WHEN 'owner' THEN (SELECT min(q.asked_at) FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage)
    WHEN 'nobody' THEN ((coalesce((SELECT max(sm.left_on) + 1 FROM site_members sm WHERE sm.tenant_id = $1
      AND sm.site_id = w.id), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'goods' THEN greatest(((least(g.planned_start,
      g.actual_start))::date::timestamp AT TIME ZONE 'Asia/Shanghai'), coalesce((SELECT min(p.since) FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4) AND p.order_state = 1),
    (SELECT min(o.made_at) FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)))))
    WHEN 'rest' THEN ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.day < (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT d.rest),
        (:now AT TIME ZONE 'Asia/Shanghai')::date))::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'waiting' THEN CASE
      WHEN g.planned_start <= (:now AT TIME ZONE 'Asia/Shanghai')::date THEN ((g.planned_start)::date::timestamp AT
        TIME ZONE 'Asia/Shanghai') ELSE ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1
          AND d.site_id = w.id AND d.present > 0), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai') END
    WHEN 'late' THEN ((g.planned_finish + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'none' THEN ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.present > 0), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai') END
  ELSE CASE h.reason WHEN 'material' THEN coalesce((SELECT o.made_at FROM orders o WHERE o.tenant_id = $1
    AND o.id = w.stop_order_id), w.stop_since)
    WHEN 'owner' THEN coalesce((SELECT q.asked_at FROM questions q WHERE q.tenant_id = $1
      AND q.id = w.stop_question_id), w.stop_since)
    WHEN 'crew' THEN w.stop_since
    WHEN 'process' THEN w.stop_since
    WHEN 'weather' THEN w.stop_since
    WHEN 'dispute' THEN w.stop_since
    WHEN 'holiday' THEN w.stop_since
    WHEN 'device' THEN w.stop_since
    WHEN 'other' THEN w.stop_since END END AS since OFFSET 0) b
  CROSS JOIN LATERAL (SELECT o.batch FROM orders o
  WHERE o.tenant_id = $1 AND CASE WHEN h.reason IS NOT NULL THEN h.reason = 'material' AND o.id = w.stop_order_id
    ELSE h.likely = 'goods' AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)) END AND o.batch <> '') a
  WHERE w.tenant_id = $1::uuid AND w.bc_id = $2::uuid AND w.deleted_at IS NULL AND w.no_work <> '{}'
    AND (b.ball <> 'nobody' AND h.likely <> 'blind' AND h.reason IS DISTINCT FROM 'device'
  AND EXISTS (SELECT FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
    AND d.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT d.rest AND d.present = 0))
  GROUP BY a.batch
  ORDER BY n DESC, a.batch
  LIMIT 1;

-- home.branchends
SELECT (coalesce(sum(k.raised - k.closed), 0) + past.open)::int AS open,
         (coalesce(sum(k.due - k.relieved), 0) + past.overdue)::int AS overdue
       FROM unnest($2::timestamptz[]) WITH ORDINALITY AS t(at, place)
       LEFT JOIN branch_alarms k ON k.day < (t.at AT TIME ZONE 'Asia/Shanghai')::date AND k.tenant_id = $1::uuid
CROSS JOIN LATERAL (
  SELECT coalesce(sum(p.open), 0) AS open, coalesce(sum(p.overdue), 0) AS overdue
  FROM alarm_pasts p
  JOIN alarms b ON b.tenant_id = $1 AND b.id = p.alarm_id
  WHERE p.tenant_id = $1 AND p.starts < t.at AND p.ends >= t.at AND b.tenant_id = $1::uuid) past
       GROUP BY t.place, past.open, past.overdue
       ORDER BY t.place;

-- home.changerows
SELECT g.id, g.code, g.result, l.name, trim_scale(g.quantity)::text AS quantity, l.unit,
  CASE WHEN false THEN coalesce(w.ws_name, o.community) ELSE o.community END AS site, g.photos[1] AS picture,
  CASE WHEN g.answer = '' AND g.examine_state = 0 THEN floor(extract(epoch FROM g.answer_due))::float8 END AS at,
    (g.state = 'open' AND g.answer = '' AND g.examine_state = 0 AND g.answer_due < :now) AS late
FROM goods_changes g
JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
JOIN order_lines l ON l.tenant_id = $1 AND l.id = g.line_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
WHERE g.tenant_id = $1::uuid AND (g.receiver_id = ANY($2::uuid[])) AND (g.receiver_id = ANY($2::uuid[]))
  AND g.state = 'open'
ORDER BY late DESC, g.made_at, g.id
LIMIT 12;

-- home.changes
SELECT count(*)::int AS n,
  (count(*) FILTER (WHERE (g.state = 'open' AND g.answer = '' AND g.examine_state = 0
    AND g.answer_due < :now)))::int AS late
FROM goods_changes g
WHERE g.tenant_id = $1::uuid AND true AND g.state = 'open';

-- home.customerrows
SELECT k.id, k.name AS title, k.community, coalesce(u.nickname, '') AS consultant,
  floor(extract(epoch FROM least(k.answer_due, k.next_at)))::float8 AS at, true AS late
FROM customers k
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
WHERE k.tenant_id = $1::uuid AND (k.bc_id = ANY($2::uuid[]) OR k.store_id = ANY($3::uuid[])) AND (k.held = 'assigned'
  AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false)))
ORDER BY least(k.answer_due, k.next_at), k.id
LIMIT 12;

-- home.customers
SELECT count(*) FILTER (WHERE (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))))::int AS overdue, coalesce(sum(f.n), 0)::int AS today,
  count(*) FILTER (WHERE k.held = 'pool')::int AS pool
FROM customers k
LEFT JOIN LATERAL (
  SELECT count(*) AS n
  FROM follow_ups f
  WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'planned'
    AND f.at >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.at < (((:now AT TIME ZONE 'Asia/Shanghai')::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')) f
        ON k.next_at IS NOT NULL
WHERE k.tenant_id = $1::uuid AND k.held <> 'merged';

-- home.days
SELECT d.day::text AS day, count(*)::int AS building,
  coalesce(sum(d.expected) FILTER (WHERE NOT d.rest AND NOT (d.blind AND d.present = 0)), 0)::int AS due,
    coalesce(sum(d.expected - d.absent) FILTER (WHERE NOT d.rest), 0)::int AS attended,
  coalesce(sum(d.present - d.expected + d.absent), 0)::int AS guests,
  sum(d.present)::int AS present,
  CASE WHEN bool_or(d.stopped IS NOT NULL) THEN count(*) FILTER (WHERE d.stopped)::int END AS stopped,
  count(*) FILTER (WHERE d.tidiness = 1)::int AS excellent,
  count(d.tidiness)::int AS judged
FROM site_days d
WHERE d.tenant_id = $1::uuid AND d.day >= $2::date
GROUP BY 1;

-- home.deliverydays
SELECT sum(d.receiving)::int AS receiving, sum(d.to_ship)::int AS "toShip", sum(d.to_accept)::int AS "toAccept",
  sum(d.changes)::int AS changes
FROM unnest($2::date[]) WITH ORDINALITY AS t(day, place)
LEFT JOIN delivery_days d ON d.day = t.day AND d.tenant_id = $1::uuid AND true
GROUP BY t.place
ORDER BY t.place;

-- home.devicehours
SELECT count(v.device_id) FILTER (WHERE v.state = 1)::int AS online,
   count(v.device_id) FILTER (WHERE v.state IN (2, 4))::int AS offline
 FROM unnest($2::timestamptz[]) WITH ORDINALITY AS t(at, place)
 LEFT JOIN (
SELECT w.tenant_id, w.bc_id, w.id AS site_id, s.device_id, v.state, v.cause,
  greatest(v.from_at, s.from_at) AS from_at, least(v.to_at, s.to_at) AS to_at
FROM sites w
JOIN (
SELECT s.device_id, s.site_id, s.from_at, s.to_at FROM device_stands s WHERE s.tenant_id = $1
UNION ALL
SELECT d.id, d.site_id, coalesce(l.left_at, '-infinity'), NULL
FROM devices d
LEFT JOIN LATERAL (
  SELECT max(e.to_at) AS left_at, bool_or(e.to_at IS NULL) AS open
  FROM device_stands e
  WHERE e.tenant_id = $1 AND e.device_id = d.id) l ON true
WHERE d.tenant_id = $1 AND d.site_id IS NOT NULL AND d.deleted_at IS NULL AND l.open IS NOT TRUE) s ON s.site_id = w.id
JOIN device_spans v ON v.tenant_id = $1 AND v.device_id = s.device_id AND v.state IN (1, 2, 4)
  AND v.from_at < coalesce(s.to_at, 'infinity') AND coalesce(v.to_at, 'infinity') > s.from_at
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL) v ON v.from_at <= t.at AND (v.to_at IS NULL OR v.to_at > t.at)
 GROUP BY t.place
 ORDER BY t.place;

-- home.devices
SELECT count(*) FILTER (WHERE d.device_status = 1)::int AS online,
  count(*) FILTER (WHERE d.device_status IN (2, 4))::int AS offline,
  count(*) FILTER (WHERE d.device_status = 3)::int AS "notEnabled"
FROM devices d
WHERE d.tenant_id = $1::uuid AND d.bind_status = 2 AND d.deleted_at IS NULL;

-- home.ends
SELECT (count(a.id) + past.open)::int AS open,
         (count(a.id) FILTER (WHERE a.due_at < t.at) + past.overdue)::int AS overdue
       FROM unnest($3::timestamptz[]) WITH ORDINALITY AS t(at, place)
       LEFT JOIN alarms a ON a.at < t.at AND (a.closed_at IS NULL OR a.closed_at >= t.at) AND a.tenant_id = $1::uuid
         AND a.site_id = ANY($2::uuid[])
CROSS JOIN LATERAL (
  SELECT coalesce(sum(p.open), 0) AS open, coalesce(sum(p.overdue), 0) AS overdue
  FROM alarm_pasts p
  JOIN alarms b ON b.tenant_id = $1 AND b.id = p.alarm_id
  WHERE p.tenant_id = $1 AND p.starts < t.at AND p.ends >= t.at AND b.tenant_id = $1::uuid
    AND b.site_id = ANY($2::uuid[])) past
       GROUP BY t.place, past.open, past.overdue
       ORDER BY t.place;

-- home.keepdelivery
WITH asked AS (
  SELECT o.bc_id, o.site_id, o.receiver_id,
    (count(*) FILTER (WHERE o.receive_state = 0 AND o.ended = ''))::int AS receiving,
    (count(*) FILTER (WHERE (o.order_state IN (3, 4, 5, 7)
    AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = 3))))::int AS to_ship
  FROM orders o
  JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id AND w.status <> 4
  WHERE o.tenant_id = $1
  GROUP BY o.bc_id, o.site_id, o.receiver_id
), sheets AS (
  SELECT d.bc_id, d.site_id, d.receiver_id, count(*)::int AS to_accept
  FROM dispatches d
  WHERE d.tenant_id = $1 AND (d.check_state IN (0, 1) AND EXISTS (SELECT 1 FROM pieces x
    WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.place = 'waiting'))
  GROUP BY d.bc_id, d.site_id, d.receiver_id
), open AS (
  SELECT g.bc_id, g.site_id, g.receiver_id, count(*)::int AS changes
  FROM goods_changes g
  WHERE g.tenant_id = $1 AND g.state = 'open'
  GROUP BY g.bc_id, g.site_id, g.receiver_id
)
INSERT INTO delivery_days AS k (tenant_id, day, bc_id, site_id, receiver_id, receiving, to_ship, to_accept,
  changes)
SELECT $1, $2::date, bc_id, site_id, receiver_id, coalesce(receiving, 0), coalesce(to_ship, 0),
  coalesce(to_accept, 0), coalesce(changes, 0)
FROM asked
FULL JOIN sheets USING (bc_id, site_id, receiver_id)
FULL JOIN open USING (bc_id, site_id, receiver_id)
ON CONFLICT (tenant_id, day, bc_id, site_id, receiver_id) DO UPDATE
SET receiving = excluded.receiving, to_ship = excluded.to_ship, to_accept = excluded.to_accept,
  changes = excluded.changes;

-- home.offlinerows
SELECT d.id, d.sn, d.type, w.ws_name AS site, floor(extract(epoch FROM p.from_at))::float8 AS at
FROM devices d
LEFT JOIN device_spans p ON p.tenant_id = $1 AND p.device_id = d.id AND p.to_at IS NULL
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND d.bc_id = $2::uuid AND d.deleted_at IS NULL AND d.bind_status = 2
  AND d.device_status IN (2, 4)
ORDER BY p.from_at NULLS LAST, d.id
LIMIT 12;

-- home.overdue
SELECT k.source,
  count(*)::int AS n FROM corrections k WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f
    WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $2::uuid)
      AND (k.correction_status IN (1, 2) AND k.due_at < :now) GROUP BY k.source;

-- home.overduedays
SELECT count(x.due_at)::int AS n
FROM unnest($3::timestamptz[]) WITH ORDINALITY AS t(at, place)
LEFT JOIN (SELECT k.due_at, k.closed_at FROM corrections k
  WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
    AND f.id = k.source_id AND f.hidden_from = $2::uuid) AND k.source <> 'alarm' AND (k.closed_at IS NULL
      OR k.closed_at >= ($4::date::timestamp AT TIME ZONE 'Asia/Shanghai'))) x
  ON x.due_at < t.at AND (x.closed_at IS NULL OR x.closed_at >= t.at)
GROUP BY t.place
ORDER BY t.place;

-- home.overduerows
SELECT k.id,
  CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
    WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS title, w.ws_name AS site, coalesce(u.nickname, '') AS who,
  coalesce(a.picture, k.pictures[1]) AS picture, floor(extract(epoch FROM k.due_at))::float8 AS at
FROM corrections k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
  AND f.id = k.source_id AND f.hidden_from = $2::uuid) AND (k.correction_status IN (1, 2) AND k.due_at < :now)
ORDER BY k.due_at, k.id
LIMIT 12;

-- home.promisedays
SELECT count(p.id)::int AS n
FROM unnest($2::date[]) WITH ORDINALITY AS t(day, place)
LEFT JOIN promises p ON p.tenant_id = $1::uuid AND (p.state IN ('open',
  'extended') OR p.changed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  AND p.first_due <= t.day AND p.made_at < ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  AND coalesce((SELECT max(e.to_due) FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
    AND e.at < ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND e.act = 'extend'), p.first_due) <= t.day
  AND NOT EXISTS (
    SELECT FROM promise_events e WHERE e.tenant_id = $1 AND e.promise_id = p.id
      AND e.at < ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND e.act IN ('keep', 'break', 'withdraw'))
GROUP BY t.place
ORDER BY t.place;

-- home.promiserows
SELECT p.id, p.content AS title, w.ws_name AS site, coalesce(u.nickname, '') AS responsible,
  floor(extract(epoch FROM (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')))::float8 AS at,
    p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AS late
FROM promises p
JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = p.responsible_id
WHERE p.tenant_id = $1::uuid AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
ORDER BY p.due, p.id
LIMIT 12;

-- home.promises
SELECT count(*)::int AS n, (count(*) FILTER (WHERE p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date))::int AS late
FROM promises p
WHERE p.tenant_id = $1::uuid AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date;

-- home.questiondays
SELECT count(DISTINCT q.site_id)::int AS n
FROM unnest($2::date[]) WITH ORDINALITY AS t(day, place)
LEFT JOIN questions q ON q.tenant_id = $1::uuid AND (q.closed_at IS NULL
  OR q.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  AND q.asked_at < ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND (q.closed_at IS NULL
    OR q.closed_at >= ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
GROUP BY t.place
ORDER BY t.place;

-- home.questionrows
SELECT q.id, q.words AS title, q.site_id, w.ws_name AS site,
  floor(extract(epoch FROM (q.needed_by::date::timestamp AT TIME ZONE 'Asia/Shanghai')))::float8 AS at,
    q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date AS late
FROM questions q
JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
WHERE q.tenant_id = $1::uuid AND q.state = 'open'
ORDER BY q.needed_by, q.id
LIMIT 12;

-- home.questions
SELECT count(DISTINCT q.site_id)::int AS n,
  (count(DISTINCT q.site_id) FILTER (WHERE q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date))::int AS late,
  count(*)::int AS "all"
FROM questions q
WHERE q.tenant_id = $1::uuid AND q.state = 'open';

-- home.receiving
SELECT count(*)::int AS n,
  (count(*) FILTER (WHERE ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
    'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[]))))))::int AS late
FROM orders o
WHERE o.tenant_id = $1::uuid AND true AND o.receive_state = 0 AND o.ended = '';

-- home.replies
SELECT count(*)::int AS n, (count(*) FILTER (WHERE t.due_at < :now))::int AS late
   FROM threads t
   WHERE t.tenant_id = $1::uuid AND t.waiting_since IS NOT NULL AND EXISTS (SELECT FROM home_contacts h
WHERE h.tenant_id = $1 AND h.site_id = t.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL);

-- home.replydays
SELECT count(*) FILTER (WHERE x.side = 'owner')::int AS n
   FROM unnest($2::date[]) WITH ORDINALITY AS d(day, place)
   LEFT JOIN threads t ON t.tenant_id = $1::uuid AND EXISTS (SELECT FROM home_contacts h
WHERE h.tenant_id = $1 AND h.site_id = t.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL)
  AND (t.changed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai') OR t.waiting_since IS NOT NULL)
   LEFT JOIN LATERAL (
     SELECT m.side
     FROM thread_messages m
     WHERE m.tenant_id = $1 AND m.site_id = t.site_id
       AND m.at < ((d.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND (m.taken_at IS NULL OR m.taken_at >= ((d.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
     ORDER BY m.seq DESC
     LIMIT 1) x ON true
   GROUP BY d.place
   ORDER BY d.place;

-- home.replyrows
SELECT t.site_id AS id, w.ws_name AS title, coalesce(o.name, '') AS owner, coalesce(u.nickname, '') AS steward,
     floor(extract(epoch FROM t.waiting_since))::float8 AS at, t.due_at < :now AS late
   FROM threads t
   JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
   LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = w.steward_id
   WHERE t.tenant_id = $1::uuid AND t.waiting_since IS NOT NULL AND EXISTS (SELECT FROM home_contacts h
WHERE h.tenant_id = $1 AND h.site_id = t.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL)
   ORDER BY coalesce(t.due_at, t.waiting_since), t.site_id
   LIMIT 12;

-- home.retrievalrows
SELECT r.id, d.sn, w.ws_name AS site,
  floor(extract(epoch FROM (r.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')))::float8 AS at,
  ((r.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') <= :now AS late
FROM retrievals r
JOIN devices d ON d.tenant_id = $1 AND d.id = r.device_id
JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id
WHERE r.tenant_id = $1::uuid AND r.bc_id = $2::uuid AND r.closed_at IS NULL
ORDER BY r.due, r.id
LIMIT 12;

-- home.retrievals
SELECT count(r.id)::int AS n
FROM unnest($2::timestamptz[] || :now) WITH ORDINALITY AS t(at, place)
LEFT JOIN retrievals r ON r.opened_at <= t.at AND (r.closed_at IS NULL OR r.closed_at > t.at) AND r.tenant_id = $1::uuid
GROUP BY t.place
ORDER BY t.place;

-- home.samehour
SELECT count(*)::int AS n
FROM attendance_days y
JOIN site_days d ON d.tenant_id = y.tenant_id AND d.day = y.day AND d.site_id = y.site_id
WHERE y.tenant_id = $1::uuid AND y.day = $2::date AND y.first_at <= $3 AND NOT d.rest
  AND EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = y.tenant_id AND m.site_id = y.site_id
    AND m.worker_id = y.worker_id AND coalesce(m.counted_from, m.entered_on) <= y.day
  AND (m.left_on IS NULL OR coalesce(m.counted_to,
    m.left_on) >= y.day) AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = $1
  AND o.day = y.day AND o.worker_id = m.worker_id AND o.site_id <> m.site_id));

-- home.sheetrows
SELECT d.id, d.sheet_code AS title, CASE WHEN (d.bc_id = ANY($2::uuid[])) THEN coalesce(w.ws_name,
  o.community) ELSE o.community END AS site, o.receiver_name AS receiver, d.photo AS picture,
  floor(extract(epoch FROM d.delivered_at))::float8 AS at, (d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date
    < (:now AT TIME ZONE 'Asia/Shanghai')::date AS late
FROM dispatches d
JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
WHERE d.tenant_id = $1::uuid AND (d.bc_id = ANY($2::uuid[]) OR d.receiver_id = ANY($3::uuid[]))
  AND (d.bc_id = ANY($2::uuid[])) AND (d.check_state IN (0, 1) AND EXISTS (SELECT 1 FROM pieces x
    WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.place = 'waiting'))
ORDER BY d.delivered_at, d.id
LIMIT 12;

-- home.shiprows
SELECT o.id, o.code AS title, CASE WHEN false THEN coalesce(w.ws_name, o.community) ELSE o.community END AS site,
  o.bc_name AS bc, o.receiver_name AS receiver,
  false AS mine,
    floor(extract(epoch FROM (o.expected_on::date::timestamp AT TIME ZONE 'Asia/Shanghai')))::float8 AS at,
      ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
        'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[])))) AS late
FROM orders o
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
WHERE o.tenant_id = $1::uuid AND (o.receiver_id = ANY($2::uuid[])) AND (o.receiver_id = ANY($2::uuid[]))
  AND (o.order_state IN (3, 4, 5, 7)
    AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = 3))
ORDER BY o.expected_on, o.id
LIMIT 12;

-- home.signed
SELECT (count(c.id) FILTER (WHERE c.signed_on BETWEEN t.first AND t.day AND (c.state <> 'void'
  OR c.voided_on > t.day)))::int AS n,
  coalesce(sum(CASE WHEN (c.end_at AT TIME ZONE 'Asia/Shanghai')::date <= t.day THEN c.end_value
    ELSE c.total END) FILTER (WHERE c.signed_on BETWEEN t.first AND t.day AND (c.state <> 'void'
      OR c.voided_on > t.day)), 0.00)::text
    AS amount,
  (count(c.id) FILTER (WHERE c.signed_on BETWEEN t.first AND t.day AND (c.state <> 'void' OR c.voided_on > t.day)
    AND (c.end_at AT TIME ZONE 'Asia/Shanghai')::date <= t.day))::int AS ended,
  (count(c.id) FILTER (WHERE c.voided_on BETWEEN t.first AND t.day))::int AS void
FROM (SELECT d.day, d.place, date_trunc('month', d.day)::date AS first
  FROM unnest($2::date[]) WITH ORDINALITY AS d(day, place)) t
LEFT JOIN contracts c ON c.signed_on IS NOT NULL AND c.tenant_id = $1::uuid
  AND (c.signed_on BETWEEN t.first AND t.day OR c.voided_on BETWEEN t.first AND t.day)
GROUP BY t.place
ORDER BY t.place;

-- home.signedrows
SELECT c.id, c.code AS title, k.name AS customer, c.total::text AS total
FROM contracts c
JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
WHERE c.tenant_id = $1::uuid AND (c.bc_id = ANY($2::uuid[]) OR c.store_id = ANY($3::uuid[]))
  AND c.signed_on BETWEEN date_trunc('month',
    (:now AT TIME ZONE 'Asia/Shanghai')::date)::date AND (:now AT TIME ZONE 'Asia/Shanghai')::date
      AND c.state = ANY ('{live,finishing,settled,ending,ended}')
ORDER BY c.signed_on DESC, c.id DESC
LIMIT 12;

-- home.siterows
SELECT w.id, w.ws_name AS title, w.stage, w.progress::int AS progress
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.bc_id = $2::uuid AND w.deleted_at IS NULL AND w.status = 1
ORDER BY w.start_date DESC NULLS LAST, w.id
LIMIT 12;

-- home.sites
SELECT count(*) FILTER (WHERE w.status = 1)::int AS building,
  count(*) FILTER (WHERE w.no_work <> '{}')::int AS stopped,
  json_build_object('1', count(*) FILTER (WHERE w.no_work @> ARRAY[1]::smallint[]), '2',
    count(*) FILTER (WHERE w.no_work @> ARRAY[2]::smallint[]), '3',
      count(*) FILTER (WHERE w.no_work @> ARRAY[3]::smallint[]), '4',
        count(*) FILTER (WHERE w.no_work @> ARRAY[4]::smallint[]), '5',
          count(*) FILTER (WHERE w.no_work @> ARRAY[5]::smallint[]), '6',
            count(*) FILTER (WHERE w.no_work @> ARRAY[6]::smallint[])) AS codes,
  json_build_object('1', count(*) FILTER (WHERE w.status = 1 AND w.tidiness = 1), '2',
    count(*) FILTER (WHERE w.status = 1 AND w.tidiness = 2), '3',
      count(*) FILTER (WHERE w.status = 1 AND w.tidiness = 3)) AS levels
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL;

-- home.standing
SELECT b.ball, count(*)::int AS n,
  (count(*) FILTER (WHERE (b.ball <> 'nobody' AND h.likely <> 'blind' AND h.reason IS DISTINCT FROM 'device'
  AND EXISTS (SELECT FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
    AND d.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT d.rest AND d.present = 0))))::int AS missed
  FROM sites w
  LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
CROSS JOIN LATERAL (SELECT CASE WHEN (w.stop_reason IS NOT NULL
  AND coalesce(w.stop_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date, true)
  AND (w.stop_question_id IS NULL OR EXISTS (SELECT FROM questions q
    WHERE q.tenant_id = $1 AND q.id = w.stop_question_id AND q.state = 'open'))
  AND (w.stop_order_id IS NULL OR EXISTS (SELECT FROM pieces p
    WHERE p.tenant_id = $1 AND p.order_id = w.stop_order_id AND p.order_state IN (1, 2, 3,
      4)))) THEN w.stop_reason END AS reason,
  CASE WHEN w.devices_total > 0 AND w.devices_online = 0 THEN 'blind'
    WHEN EXISTS (SELECT FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage) THEN 'owner'
    WHEN NOT EXISTS (SELECT FROM site_members sm WHERE sm.tenant_id = $1 AND sm.site_id = w.id
      AND sm.left_on IS NULL) THEN 'nobody'
    WHEN EXISTS (SELECT FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)) THEN 'goods'
    WHEN EXISTS (SELECT FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND d.rest) THEN 'rest'
    WHEN g.actual_start IS NULL THEN 'waiting'
    WHEN g.actual_finish IS NULL AND g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'late'
    WHEN true THEN 'none' END AS likely OFFSET 0) h
CROSS JOIN LATERAL (SELECT CASE WHEN h.reason IS NULL THEN CASE h.likely WHEN 'blind' THEN 'keeper'
    WHEN 'owner' THEN 'owner'
    WHEN 'nobody' THEN 'manager'
    WHEN 'goods' THEN CASE WHEN EXISTS (SELECT FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4) AND p.order_state = 1) THEN 'clerk' ELSE 'supplier' END
    WHEN 'rest' THEN 'nobody'
    WHEN 'waiting' THEN 'manager'
    WHEN 'late' THEN 'manager'
    WHEN 'none' THEN 'manager' END
  ELSE CASE h.reason WHEN 'material' THEN CASE WHEN w.stop_order_id IS NULL THEN 'clerk' ELSE CASE WHEN EXISTS (SELECT
    FROM pieces p WHERE p.tenant_id = $1 AND p.order_id = w.stop_order_id AND p.order_state = 1) THEN 'clerk'
      ELSE 'supplier' END END
    WHEN 'owner' THEN 'owner'
    WHEN 'crew' THEN 'manager'
    WHEN 'process' THEN 'manager'
    WHEN 'weather' THEN 'nobody'
    WHEN 'dispute' THEN 'branch'
    WHEN 'holiday' THEN 'nobody'
    WHEN 'device' THEN 'keeper'
    WHEN 'other' THEN 'manager' END END AS ball,
      CASE WHEN h.reason IS NULL THEN CASE h.likely WHEN 'blind' THEN (SELECT max(s.to_at) FROM devices d
    JOIN device_spans s ON s.tenant_id = $1 AND s.device_id = d.id AND s.state = 1
    WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.deleted_at IS NULL)
    WHEN 'owner' THEN (SELECT min(q.asked_at) FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage)
    WHEN 'nobody' THEN ((coalesce((SELECT max(sm.left_on) + 1 FROM site_members sm WHERE sm.tenant_id = $1
      AND sm.site_id = w.id), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'goods' THEN greatest(((least(g.planned_start,
      g.actual_start))::date::timestamp AT TIME ZONE 'Asia/Shanghai'), coalesce((SELECT min(p.since) FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4) AND p.order_state = 1),
    (SELECT min(o.made_at) FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)))))
    WHEN 'rest' THEN ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.day < (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT d.rest),
        (:now AT TIME ZONE 'Asia/Shanghai')::date))::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'waiting' THEN CASE
      WHEN g.planned_start <= (:now AT TIME ZONE 'Asia/Shanghai')::date THEN ((g.planned_start)::date::timestamp AT
        TIME ZONE 'Asia/Shanghai') ELSE ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1
          AND d.site_id = w.id AND d.present > 0), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai') END
    WHEN 'late' THEN ((g.planned_finish + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    WHEN 'none' THEN ((coalesce((SELECT max(d.day) + 1 FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id
      AND d.present > 0), w.start_date))::date::timestamp AT TIME ZONE 'Asia/Shanghai') END
  ELSE CASE h.reason WHEN 'material' THEN coalesce((SELECT o.made_at FROM orders o WHERE o.tenant_id = $1
    AND o.id = w.stop_order_id), w.stop_since)
    WHEN 'owner' THEN coalesce((SELECT q.asked_at FROM questions q WHERE q.tenant_id = $1
      AND q.id = w.stop_question_id), w.stop_since)
    WHEN 'crew' THEN w.stop_since
    WHEN 'process' THEN w.stop_since
    WHEN 'weather' THEN w.stop_since
    WHEN 'dispute' THEN w.stop_since
    WHEN 'holiday' THEN w.stop_since
    WHEN 'device' THEN w.stop_since
    WHEN 'other' THEN w.stop_since END END AS since OFFSET 0) b
  WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.no_work <> '{}'
  GROUP BY b.ball
  ORDER BY n DESC, b.ball;

-- home.stoppedrows
SELECT w.id, w.ws_name AS title, w.no_work_run AS run, w.no_work_sum AS sum
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.no_work <> '{}'
ORDER BY w.no_work_run DESC, w.id DESC
LIMIT 12;

-- home.toaccept
SELECT count(*)::int AS n, (count(*) FILTER (WHERE (d.delivered_at AT TIME ZONE 'Asia/Shanghai')::date
    < (:now AT TIME ZONE 'Asia/Shanghai')::date))::int AS late
FROM dispatches d
WHERE d.tenant_id = $1::uuid AND true AND (d.check_state IN (0, 1) AND EXISTS (SELECT 1 FROM pieces x
    WHERE x.tenant_id = $1 AND x.note_id = d.id AND x.place = 'waiting'));

-- home.toship
SELECT count(*)::int AS n,
  (count(*) FILTER (WHERE ((o.ended = '' AND o.receive_state = 0 AND o.due_at < :now) OR (o.ended IN ('',
    'closed') AND coalesce(o.order_state IN (2, 3, 4, 5, 7), false)
    AND o.expected_on < (:now AT TIME ZONE 'Asia/Shanghai')::date AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = ANY('{2,3,4}'::smallint[]))))))::int AS late
FROM orders o
WHERE o.tenant_id = $1::uuid AND true AND (o.order_state IN (3, 4, 5, 7)
    AND EXISTS (SELECT 1 FROM pieces x
      WHERE x.tenant_id = $1 AND x.order_id = o.id AND x.order_state = 3));

-- home.untidyrows
SELECT w.id, w.ws_name AS title, k.picture, floor(extract(epoch FROM k.at))::float8 AS at
FROM sites w
LEFT JOIN LATERAL (
  SELECT t.picture, t.at
  FROM tidiness_checks t
  WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.result = 3 AND NOT t.replaced
  ORDER BY t.at DESC
  LIMIT 1) k ON true
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1 AND w.tidiness = 3
ORDER BY k.at DESC NULLS LAST, w.id
LIMIT 12;

-- home.unvisited
SELECT count(*)::int AS n FROM site_ranks k WHERE k.tenant_id = $1::uuid AND k.bc_id = $2::uuid
  AND k.day = (:now AT TIME ZONE 'Asia/Shanghai')::date AND k.reasons @> '[{"code": "unvisited"}]';

-- home.waiting
SELECT count(*) OVER ()::int AS total, k.id,
  CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
    WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS problem, coalesce(a.picture, k.pictures[1]) AS picture,
  w.ws_name AS "siteName", floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", coalesce((k.correction_status IN (1,
    2) AND k.due_at < :now), false) AS late, k.disputed
FROM corrections k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
WHERE k.tenant_id = $1::uuid AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
  AND f.id = k.source_id AND f.hidden_from = $2::uuid) AND (k.correction_status = 2 AND k.step = 'submitted'
    AND $3::uuid <> ALL (k.corrector_ids))
ORDER BY k.due_at NULLS LAST, k.id
LIMIT 4;

-- home.warningdays
SELECT (count(v.id) FILTER (WHERE v.kind = 'schedule'))::int AS schedule,
  (count(v.id) FILTER (WHERE v.kind = 'quality'))::int AS quality
FROM unnest($2::date[]) WITH ORDINALITY AS t(day, place)
LEFT JOIN warnings v ON v.tenant_id = $1::uuid AND (v.closed_at IS NULL
  OR v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  AND v.opened_at < ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND (v.closed_at IS NULL
    OR v.closed_at >= ((t.day + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
GROUP BY t.place
ORDER BY t.place;

-- home.warnings
SELECT v.kind, v.level,
  count(*)::int AS n FROM warnings v WHERE v.tenant_id = $1::uuid AND v.state <> 'closed' GROUP BY v.kind, v.level;
