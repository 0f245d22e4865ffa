-- nowork.around
SELECT EXISTS (SELECT FROM pieces p WHERE p.tenant_id = $1 AND p.site_id = w.id
    AND p.order_state = 1) AS "toOrder",
  CASE WHEN rest_day($1, w.bc_id, (:now AT TIME ZONE 'Asia/Shanghai')::date) THEN (SELECT min(x.day)::date - 1
    FROM generate_series((:now AT TIME ZONE 'Asia/Shanghai')::date + 1, (:now AT TIME ZONE 'Asia/Shanghai')::date + 60,
      interval '1 day') AS x(day)
    WHERE NOT rest_day($1, w.bc_id, x.day::date))::text END AS "restsUntil"
FROM sites w
WHERE w.tenant_id = $1 AND w.id = $2;

-- nowork.lock
SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
  coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
  w.no_work_sum AS "noWorkSum",
    floor(extract(epoch FROM (SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = $1 AND a.site_id = w.id
    ORDER BY a.day DESC, a.last_at DESC LIMIT 1)))::float8 AS "lastAt", h.reason,
  CASE WHEN h.reason IS NULL THEN w.stop_reason END AS lapsed,
  CASE WHEN w.stop_reason IS NOT NULL THEN w.stop_until::text END AS until,
  CASE WHEN h.reason IS NULL THEN '' ELSE w.stop_remark END AS remark,
  w.stop_by AS "reasonBy", floor(extract(epoch FROM w.stop_at))::float8 AS "reasonAt",
  h.likely, b.ball, floor(extract(epoch FROM b.since))::float8 AS since, CASE WHEN h.reason = 'material' THEN
    (SELECT json_build_object('id', o.id, 'code',
      o.code) FROM orders o WHERE o.tenant_id = $1 AND o.id = w.stop_order_id) END AS "order",
        CASE WHEN h.likely = 'rest' THEN (SELECT min(x.day)::date::text
    FROM generate_series((:now AT TIME ZONE 'Asia/Shanghai')::date + 1, (:now AT TIME ZONE 'Asia/Shanghai')::date + 60,
      interval '1 day') AS x(day)
    WHERE NOT rest_day($1, w.bc_id, x.day::date)) END AS "backOn",
  coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
  FROM (SELECT DISTINCT i.name,
    CASE p.order_state WHEN 1 THEN '待下单' WHEN 2 THEN '已下单' WHEN 3 THEN '待发货' WHEN 4 THEN '已发货' WHEN 5 THEN '待验收'
      WHEN 6 THEN '已验收' WHEN 7 THEN '待退货' END AS state FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)
    ORDER BY i.name LIMIT 5) x), '') AS missing, coalesce((SELECT json_agg(json_build_object('id', o.id, 'code',
      o.code) ORDER BY o.code)
  FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4))), '[]') AS "missingOrders",
  coalesce((SELECT string_agg(q.words || CASE WHEN q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
      THEN '（已逾期 ' || (:now AT TIME ZONE 'Asia/Shanghai')::date - q.needed_by || ' 天）'
        ELSE '（' || q.needed_by || ' 前）' END,
      '、' ORDER BY q.needed_by, q.id)
    FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open'
      AND (q.stage = w.stage OR q.id = w.stop_question_id)), '') AS undecided,
        floor(extract(epoch FROM w.stop_told_at))::float8 AS "toldAt",
          w.version FROM sites w LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
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
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
  AND w.id = $2::uuid FOR UPDATE OF w;

-- nowork.orders
SELECT o.id, o.code AS name, string_agg(DISTINCT l.name, '、') AS words,
  max(coalesce(l.promised_on, o.expected_on))::text AS day
FROM orders o
JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id AND p.order_state IN (1, 2, 3, 4)
JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id
WHERE o.tenant_id = $1 AND o.site_id = $2
GROUP BY o.id, o.code
ORDER BY o.code;

-- nowork.page
WITH page AS MATERIALIZED (SELECT w.* FROM sites w LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id
  AND g.stage = w.stage
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
    WHEN 'other' THEN w.stop_since END END AS since OFFSET 0) b WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
      AND w.no_work <> '{}' ORDER BY w.no_work_run DESC, w.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
  coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
  w.no_work_sum AS "noWorkSum",
    floor(extract(epoch FROM (SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = $1 AND a.site_id = w.id
    ORDER BY a.day DESC, a.last_at DESC LIMIT 1)))::float8 AS "lastAt", h.reason,
  CASE WHEN h.reason IS NULL THEN w.stop_reason END AS lapsed,
  CASE WHEN w.stop_reason IS NOT NULL THEN w.stop_until::text END AS until,
  CASE WHEN h.reason IS NULL THEN '' ELSE w.stop_remark END AS remark,
  w.stop_by AS "reasonBy", floor(extract(epoch FROM w.stop_at))::float8 AS "reasonAt",
  h.likely, b.ball, floor(extract(epoch FROM b.since))::float8 AS since, CASE WHEN h.reason = 'material' THEN
    (SELECT json_build_object('id', o.id, 'code',
      o.code) FROM orders o WHERE o.tenant_id = $1 AND o.id = w.stop_order_id) END AS "order",
        CASE WHEN h.likely = 'rest' THEN (SELECT min(x.day)::date::text
    FROM generate_series((:now AT TIME ZONE 'Asia/Shanghai')::date + 1, (:now AT TIME ZONE 'Asia/Shanghai')::date + 60,
      interval '1 day') AS x(day)
    WHERE NOT rest_day($1, w.bc_id, x.day::date)) END AS "backOn",
  coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
  FROM (SELECT DISTINCT i.name,
    CASE p.order_state WHEN 1 THEN '待下单' WHEN 2 THEN '已下单' WHEN 3 THEN '待发货' WHEN 4 THEN '已发货' WHEN 5 THEN '待验收'
      WHEN 6 THEN '已验收' WHEN 7 THEN '待退货' END AS state FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4)
    ORDER BY i.name LIMIT 5) x), '') AS missing, coalesce((SELECT json_agg(json_build_object('id', o.id, 'code',
      o.code) ORDER BY o.code)
  FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = w.stage
    WHERE p.tenant_id = $1 AND p.site_id = w.id
      AND p.order_state IN (1, 2, 3, 4))), '[]') AS "missingOrders",
  coalesce((SELECT string_agg(q.words || CASE WHEN q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
      THEN '（已逾期 ' || (:now AT TIME ZONE 'Asia/Shanghai')::date - q.needed_by || ' 天）'
        ELSE '（' || q.needed_by || ' 前）' END,
      '、' ORDER BY q.needed_by, q.id)
    FROM questions q
    WHERE q.tenant_id = $1 AND q.site_id = w.id AND q.state = 'open'
      AND (q.stage = w.stage OR q.id = w.stop_question_id)), '') AS undecided,
        floor(extract(epoch FROM w.stop_told_at))::float8 AS "toldAt",
          w.version FROM page w LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
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
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id ORDER BY w.no_work_run DESC, w.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM sites w LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
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
    WHEN 'other' THEN w.stop_since END END AS since OFFSET 0) b WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
      AND w.no_work <> '{}')::int AS total;

-- nowork.questions
SELECT q.id, q.words AS name, q.words, q.needed_by::text AS day
FROM questions q
WHERE q.tenant_id = $1 AND q.site_id = $2 AND q.state = 'open' AND q.asked_at >= (SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = q.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
ORDER BY q.needed_by, q.id;

-- nowork.reason
UPDATE sites
SET stop_since = CASE
    WHEN stop_reason = $3 AND stop_order_id IS NOT DISTINCT FROM $7::uuid
      AND stop_question_id IS NOT DISTINCT FROM $8::uuid THEN coalesce(stop_since, :now)
    ELSE :now END,
  stop_reason = $3, stop_remark = $4, stop_by = $5, stop_at = :now, stop_until = $6, stop_order_id = $7,
  stop_question_id = $8, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- nowork.site
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- nowork.stood
UPDATE sites w SET stop_noticed_at = $2 WHERE w.tenant_id = $1 AND w.status = 1 AND w.deleted_at IS NULL
  AND w.stop_noticed_at IS NULL AND coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = w.tenant_id
    AND s.key = 'noWorkTellDays' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '3'::jsonb)::text::int > 0 AND w.no_work_run >= coalesce((SELECT s.value FROM settings s
        WHERE s.tenant_id = w.tenant_id AND s.key = 'noWorkTellDays' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL)
          ORDER BY s.bc_id NULLS LAST LIMIT 1), '3'::jsonb)::text::int
RETURNING w.id, w.ws_name, w.code, w.no_work_run AS run, array_remove(ARRAY[w.manager_id, w.steward_id], NULL) AS people;

-- nowork.told
UPDATE sites SET stop_told_at = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;
