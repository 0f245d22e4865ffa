-- nowork.lock
SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
   coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
   w.no_work_sum AS "noWorkSum",
     floor(extract(epoch FROM (SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = w.tenant_id
       AND a.site_id = w.id
     ORDER BY a.day DESC, a.last_at DESC LIMIT 1)))::float8 AS "lastAt", w.stop_reason AS reason,
   w.stop_remark AS remark, w.stop_by AS "reasonBy", floor(extract(epoch FROM w.stop_at))::float8 AS "reasonAt",
   CASE WHEN w.devices_total > 0 AND w.devices_online = 0 THEN 'blind'
WHEN EXISTS (SELECT 1 FROM questions q
     WHERE q.tenant_id = w.tenant_id AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage) THEN 'owner'
WHEN NOT EXISTS (SELECT 1 FROM site_members sm WHERE sm.tenant_id = w.tenant_id AND sm.site_id = w.id
  AND sm.left_on IS NULL) THEN 'nobody'
WHEN EXISTS (SELECT 1 FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4)) THEN 'goods'
WHEN g.actual_start IS NULL THEN 'waiting' WHEN g.actual_finish IS NULL
  AND g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'late' ELSE 'none' END AS likely,
    coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
   FROM (SELECT DISTINCT i.name,
     CASE p.order_state WHEN 1 THEN '待下单' WHEN 2 THEN '已下单' WHEN 3 THEN '待发货' WHEN 4 THEN '已发货' WHEN 5 THEN '待验收'
       WHEN 6 THEN '已验收' WHEN 7 THEN '待退货' END AS state FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4)
     ORDER BY i.name LIMIT 5) x), '') AS missing, coalesce((SELECT json_agg(json_build_object('id', o.id, 'code',
       o.code) ORDER BY o.code)
   FROM orders o WHERE o.tenant_id = w.tenant_id AND o.id IN (SELECT p.order_id FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4))), '[]') AS "missingOrders",
   coalesce((SELECT string_agg(q.words || CASE WHEN q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       THEN '（已逾期 ' || (:now AT TIME ZONE 'Asia/Shanghai')::date - q.needed_by || ' 天）'
         ELSE '（' || q.needed_by || ' 前）' END,
       '、' ORDER BY q.needed_by, q.id) FROM questions q
     WHERE q.tenant_id = w.tenant_id AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage), '') AS undecided,
   floor(extract(epoch FROM w.stop_told_at))::float8 AS "toldAt",
     w.version FROM sites w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
 LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
 LEFT JOIN site_stages g ON g.tenant_id = w.tenant_id AND g.site_id = w.id AND g.stage = w.stage
   WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid FOR UPDATE OF w;

-- nowork.page
WITH page AS MATERIALIZED (SELECT w.* FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
  AND w.no_work <> '{}' ORDER BY w.no_work_run DESC, w.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.stage, w.manager_id,
   coalesce(m.nickname, '') AS "managerName", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
   w.no_work_sum AS "noWorkSum",
     floor(extract(epoch FROM (SELECT a.last_at FROM attendance_days a WHERE a.tenant_id = w.tenant_id
       AND a.site_id = w.id
     ORDER BY a.day DESC, a.last_at DESC LIMIT 1)))::float8 AS "lastAt", w.stop_reason AS reason,
   w.stop_remark AS remark, w.stop_by AS "reasonBy", floor(extract(epoch FROM w.stop_at))::float8 AS "reasonAt",
   CASE WHEN w.devices_total > 0 AND w.devices_online = 0 THEN 'blind'
WHEN EXISTS (SELECT 1 FROM questions q
     WHERE q.tenant_id = w.tenant_id AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage) THEN 'owner'
WHEN NOT EXISTS (SELECT 1 FROM site_members sm WHERE sm.tenant_id = w.tenant_id AND sm.site_id = w.id
  AND sm.left_on IS NULL) THEN 'nobody'
WHEN EXISTS (SELECT 1 FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4)) THEN 'goods'
WHEN g.actual_start IS NULL THEN 'waiting' WHEN g.actual_finish IS NULL
  AND g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'late' ELSE 'none' END AS likely,
    coalesce((SELECT string_agg(x.name || '（' || x.state || '）', '、' ORDER BY x.name, x.state)
   FROM (SELECT DISTINCT i.name,
     CASE p.order_state WHEN 1 THEN '待下单' WHEN 2 THEN '已下单' WHEN 3 THEN '待发货' WHEN 4 THEN '已发货' WHEN 5 THEN '待验收'
       WHEN 6 THEN '已验收' WHEN 7 THEN '待退货' END AS state FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4)
     ORDER BY i.name LIMIT 5) x), '') AS missing, coalesce((SELECT json_agg(json_build_object('id', o.id, 'code',
       o.code) ORDER BY o.code)
   FROM orders o WHERE o.tenant_id = w.tenant_id AND o.id IN (SELECT p.order_id FROM pieces p
     JOIN contract_items i ON i.tenant_id = w.tenant_id AND i.id = p.item_id AND i.stage = w.stage
     WHERE p.tenant_id = w.tenant_id AND p.site_id = w.id
       AND p.order_state IN (1, 2, 3, 4))), '[]') AS "missingOrders",
   coalesce((SELECT string_agg(q.words || CASE WHEN q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       THEN '（已逾期 ' || (:now AT TIME ZONE 'Asia/Shanghai')::date - q.needed_by || ' 天）'
         ELSE '（' || q.needed_by || ' 前）' END,
       '、' ORDER BY q.needed_by, q.id) FROM questions q
     WHERE q.tenant_id = w.tenant_id AND q.site_id = w.id AND q.state = 'open' AND q.stage = w.stage), '') AS undecided,
   floor(extract(epoch FROM w.stop_told_at))::float8 AS "toldAt",
     w.version FROM page w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
 LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
 LEFT JOIN site_stages g ON g.tenant_id = w.tenant_id AND g.site_id = w.id AND g.stage = w.stage
   ORDER BY w.no_work_run DESC, w.id DESC) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
       AND w.no_work <> '{}')::int AS total;

-- nowork.reason
UPDATE sites
SET stop_reason = $3, stop_remark = $4, stop_by = $5, stop_at = $6, version = version + 1
WHERE tenant_id = $1 AND id = $2;

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
