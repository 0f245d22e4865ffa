-- warnings.back
UPDATE warnings v
SET state = 'open', until = NULL, taken_by = NULL, changed_by = $3, changed_at = :now, version = v.version + 1
FROM sites w
WHERE v.tenant_id = $1 AND w.tenant_id = $1 AND w.id = v.site_id AND v.state = 'handling'
  AND ($2::uuid[] IS NULL OR v.site_id = ANY ($2))
  AND NOT EXISTS (
    SELECT FROM users u
    CROSS JOIN LATERAL (SELECT ARRAY[w.manager_id, w.steward_id, (SELECT k.assignee_id FROM corrections k
      WHERE k.tenant_id = $1 AND k.id = v.correction_id)] AS named) n
    WHERE u.tenant_id = $1 AND u.id = v.taken_by AND u.status = 1 AND u.deleted_at IS NULL
      AND (u.id = ANY (n.named)
        OR EXISTS (SELECT FROM unnest(n.named) AS person JOIN absences a ON a.tenant_id = $1 AND a.user_id = person
          AND a.ended_at IS NULL AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN a.from_day AND a.to_day
          WHERE a.deputy_id = u.id)
        OR EXISTS (
          SELECT FROM user_roles ur
          JOIN role_powers rp ON rp.tenant_id = $1 AND rp.role_id = ur.role_id
            AND rp.label IN ('warning:supervise', 'order:place', '*:*:*')
          WHERE ur.tenant_id = $1 AND ur.user_id = u.id)))
RETURNING v.id;

-- warnings.changed
DELETE FROM sites_to_weigh x WHERE x.tenant_id = $1 RETURNING x.of_site;

-- warnings.end
UPDATE warnings v
SET state = 'closed', ended = x.ended, closed_at = :now, closed_manager_id = w.manager_id, silent = $4,
  changed_by = $3, changed_at = :now, version = v.version + 1
FROM json_to_recordset($2::json) AS x(id uuid, ended text), sites w
WHERE v.tenant_id = $1 AND v.id = x.id AND v.state <> 'closed' AND w.tenant_id = $1 AND w.id = v.site_id;

-- warnings.entries
INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
SELECT $1, x.id, x.warning, x.act, v.level, v.deviation, $3, x.text, :now
FROM json_to_recordset($2::json) AS x(id uuid, warning uuid, act text, text text)
JOIN warnings v ON v.tenant_id = $1 AND v.id = x.warning;

-- warnings.events
SELECT floor(extract(epoch FROM e.at))::float8 AS at, e.actor, e.act, e.level, e.deviation, e.text
FROM warning_events e
WHERE e.tenant_id = $1 AND e.warning_id = $2
ORDER BY e.at, e.id;

-- warnings.fates
SELECT v.id, CASE WHEN w.deleted_at IS NOT NULL OR w.status NOT IN (1, 2) THEN 'over'
  WHEN v.rule = 'lateStart' AND g.actual_start IS NOT NULL THEN 'done'
  WHEN v.rule IN ('lateFinish', 'unaccepted', 'nobody') AND g.actual_finish IS NOT NULL THEN 'done'
  WHEN v.rule = 'lateStart' AND g.planned_start > v.planned THEN 'replanned'
  WHEN v.rule IN ('lateFinish', 'unaccepted') AND g.planned_finish > v.planned THEN 'replanned'
  WHEN v.rule = 'nobody' AND EXISTS (SELECT FROM site_days d
    WHERE d.tenant_id = $1 AND d.site_id = v.site_id AND d.present > 0
      AND d.day >= (v.opened_at AT TIME ZONE 'Asia/Shanghai')::date - v.deviation) THEN 'done'
  WHEN v.rule = 'overdue' AND k.correction_status = 3 THEN 'done'
  WHEN v.rule = 'overdue' AND k.correction_status IN (1, 2)
    AND (k.due_at AT TIME ZONE 'Asia/Shanghai')::date > v.planned THEN 'replanned'
  WHEN v.rule = 'failed' AND (SELECT i.verdict
    FROM patrols p
    JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id AND i.title = v.cause
    WHERE p.tenant_id = $1 AND p.site_id = v.site_id AND p.status = 2
      AND i.verdict IN ('passed', 'failed')
    ORDER BY p.submitted_at DESC
    LIMIT 1) = 'passed' THEN 'done'
  WHEN v.rule = 'untidy' AND (SELECT t.result
    FROM tidiness_checks t
    WHERE t.tenant_id = $1 AND t.site_id = v.site_id AND NOT t.replaced
      AND t.result IN (1, 2, 3)
    ORDER BY t.at DESC, t.id DESC
    LIMIT 1) < 3 THEN 'done'
  ELSE 'lifted' END AS ended
FROM warnings v
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
WHERE v.tenant_id = $1 AND v.id = ANY ($2);

-- warnings.find
WITH worked AS MATERIALIZED (
  SELECT d.bc_id, array_agg(d.n ORDER BY d.day) AS days
  FROM (SELECT c.bc_id, x.day,
      (count(*) FILTER (WHERE NOT rest_day($1, c.bc_id, x.day::date))
        OVER (PARTITION BY c.bc_id ORDER BY x.day))::int AS n
    FROM companies c
    CROSS JOIN generate_series(((:now AT TIME ZONE 'Asia/Shanghai')::date - 730),
      (:now AT TIME ZONE 'Asia/Shanghai')::date, interval '1 day') AS x(day)
    WHERE c.tenant_id = $1 AND EXISTS (
      SELECT FROM sites b
      WHERE b.tenant_id = $1 AND b.bc_id = c.bc_id AND ($2::uuid[] IS NULL OR b.id = ANY ($2)))) d
  GROUP BY d.bc_id),
places AS MATERIALIZED (
  SELECT s.id, s.bc_id, s.status,
    CASE WHEN (s.stop_reason IS NOT NULL AND coalesce(s.stop_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date, true)
   AND (s.stop_question_id IS NULL OR EXISTS (SELECT FROM questions q
     WHERE q.tenant_id = $1 AND q.id = s.stop_question_id AND q.state = 'open'))
   AND (s.stop_order_id IS NULL OR EXISTS (SELECT FROM pieces p
     WHERE p.tenant_id = $1 AND p.order_id = s.stop_order_id AND p.order_state IN (1, 2, 3,
       4)))) THEN s.stop_reason END AS stop_reason, k.days
  FROM sites s
  JOIN worked k ON k.bc_id = s.bc_id
  WHERE s.tenant_id = $1 AND s.deleted_at IS NULL AND s.status IN (1, 2)
    AND ($2::uuid[] IS NULL OR s.id = ANY ($2))), stages AS MATERIALIZED (
  SELECT w.id AS site_id, w.bc_id, w.status, w.stop_reason, w.days, g.stage, g.planned_start, g.planned_finish,
    g.actual_start, g.actual_finish, g.baseline_start, g.baseline_finish,
    min(g.actual_start) OVER later AS next_begun,
    min(g.planned_start) FILTER (WHERE g.actual_start IS NOT NULL) OVER later AS next_planned,
    coalesce(bool_or(g.actual_finish IS NULL AND (g.actual_start IS NULL
      OR g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date))
      OVER earlier, false) AS held_up
  FROM places w
  JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id
  WINDOW later AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
    earlier AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
      found AS (SELECT g.site_id AS site_id, 'lateStart' AS rule, g.stage AS cause, g.stage::text AS stage,
    NULL::uuid AS correction_id, '' AS about,
    g.planned_start::date AS planned,
    (g.days[731] - g.days[CASE WHEN g.planned_start < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
      ELSE g.planned_start - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS deviation,
        (g.days[731] - g.days[CASE WHEN g.baseline_start < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
          ELSE g.baseline_start - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS
            baseline_deviation,
    true AS waits, 'manager' AS ball
  FROM stages g WHERE g.actual_start IS NULL AND g.actual_finish IS NULL AND g.next_begun IS NULL AND NOT g.held_up
UNION ALL SELECT g.site_id AS site_id, 'lateFinish' AS rule, g.stage AS cause, g.stage::text AS stage,
    NULL::uuid AS correction_id, '' AS about,
    g.planned_finish::date AS planned,
    (g.days[731] - g.days[CASE WHEN g.planned_finish < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
      ELSE g.planned_finish - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS deviation,
        (g.days[731] - g.days[CASE WHEN g.baseline_finish < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
          ELSE g.baseline_finish - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS
            baseline_deviation,
    true AS waits, 'manager' AS ball
  FROM stages g WHERE g.status = 1 AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL AND g.next_begun IS NULL
UNION ALL SELECT g.site_id AS site_id, 'nobody' AS rule, g.stage AS cause, g.stage::text AS stage,
    NULL::uuid AS correction_id, '' AS about,
    NULL::date AS planned,
    (SELECT count(*) FROM site_days d
    WHERE d.tenant_id = $1 AND d.site_id = g.site_id AND d.no_work AND d.day >= g.actual_start
      AND d.day < (:now AT TIME ZONE 'Asia/Shanghai')::date
      AND NOT EXISTS (SELECT FROM site_days l
        WHERE l.tenant_id = $1 AND l.site_id = d.site_id AND l.day > d.day AND l.present > 0))::int AS deviation,
          (NULL)::int AS baseline_deviation,
    true AS waits, 'manager' AS ball
  FROM stages g WHERE g.status = 1 AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL AND g.next_begun IS NULL
    AND g.stop_reason IS NULL
UNION ALL SELECT g.site_id AS site_id, 'unaccepted' AS rule, g.stage AS cause, g.stage::text AS stage,
    NULL::uuid AS correction_id, '' AS about,
    g.planned_finish::date AS planned,
    (g.days[731] - g.days[CASE WHEN CASE WHEN g.next_planned <= g.planned_finish THEN greatest(g.next_begun,
      g.planned_finish)
      ELSE g.next_begun END < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1 ELSE CASE
        WHEN g.next_planned <= g.planned_finish THEN greatest(g.next_begun, g.planned_finish)
      ELSE g.next_begun END - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS deviation,
        (g.days[731] - g.days[CASE WHEN g.baseline_finish < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
          ELSE g.baseline_finish - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS
            baseline_deviation,
    false AS waits, 'manager' AS ball
  FROM stages g WHERE g.status = 1 AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL
    AND g.next_begun IS NOT NULL
UNION ALL SELECT j.site_id AS site_id, 'failed' AS rule, j.title AS cause, NULL::text AS stage,
    (array_agg(j.correction_id
      ORDER BY j.at DESC) FILTER (WHERE j.correction_id IS NOT NULL))[1]::uuid AS correction_id, j.title AS about,
    NULL::date AS planned,
    (count(*))::int AS deviation, (NULL)::int AS baseline_deviation,
    false AS waits, 'assignee' AS ball
  FROM (
      SELECT p.site_id, i.title, i.verdict, i.correction_id, p.submitted_at AS at,
        max(p.submitted_at) FILTER (WHERE i.verdict = 'passed') OVER (PARTITION BY p.site_id, i.title) AS passed_at
      FROM places w
      JOIN patrols p ON p.tenant_id = $1 AND p.site_id = w.id AND p.status = 2
        AND p.submitted_at > :now - interval '180 days'
      JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id
      WHERE w.status = 1) j
    WHERE j.verdict = 'failed' AND j.at > coalesce(j.passed_at, '-infinity')
    GROUP BY j.site_id, j.title
UNION ALL SELECT w.id AS site_id, 'overdue' AS rule, k.id::text AS cause, NULL::text AS stage,
    k.id::uuid AS correction_id,
      CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
        WHEN 'smoking' THEN '抽烟' END ELSE k.problem END AS about,
    (k.due_at AT TIME ZONE 'Asia/Shanghai')::date AS planned,
    (w.days[731] - w.days[CASE
      WHEN (k.due_at AT TIME ZONE 'Asia/Shanghai')::date < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
        ELSE (k.due_at AT TIME ZONE 'Asia/Shanghai')::date - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1
          END])::int AS deviation, (NULL)::int AS baseline_deviation,
    false AS waits, 'assignee' AS ball
  FROM places w
    JOIN corrections k ON k.tenant_id = $1 AND k.site_id = w.id AND (k.correction_status IN (1, 2) AND k.due_at < :now)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from IS NOT NULL)
    LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
UNION ALL SELECT t.site_id AS site_id, 'untidy' AS rule, '' AS cause, NULL::text AS stage,
    (SELECT k.id FROM corrections k
      WHERE k.tenant_id = $1 AND k.site_id = t.site_id AND k.source = 'tidiness'
      ORDER BY k.at DESC, k.id DESC LIMIT 1)::uuid AS correction_id, '' AS about,
    NULL::date AS planned,
    (count(*))::int AS deviation, (NULL)::int AS baseline_deviation,
    false AS waits, 'manager' AS ball
  FROM (
      SELECT c.site_id, c.result, c.at,
        max(c.at) FILTER (WHERE c.result <> 3) OVER (PARTITION BY c.site_id) AS tidy_at
      FROM places w
      JOIN tidiness_checks c ON c.tenant_id = $1 AND c.site_id = w.id AND NOT c.replaced
        AND c.result IN (1, 2, 3) AND c.at > :now - interval '180 days'
      WHERE w.status = 1) t
    WHERE t.result = 3 AND t.at > coalesce(t.tidy_at, '-infinity')
    GROUP BY t.site_id)
 SELECT f.site_id, w.bc_id, f.rule, f.cause, f.stage, f.correction_id, f.about,
   f.planned::text AS planned, f.deviation,
   CASE WHEN f.baseline_deviation IS NOT NULL THEN greatest(f.baseline_deviation, 0) END AS baseline,
   least(f.deviation / t.most, 3) AS level,
   CASE WHEN NOT f.waits THEN f.ball WHEN h.asked <> '' THEN 'owner' WHEN h.missing <> '' THEN 'goods'
     ELSE f.ball END AS ball,
   CASE WHEN h.asked <> '' THEN h.asked ELSE coalesce(h.missing, '') END AS "waitsFor"
 FROM found f
 JOIN places w ON w.id = f.site_id
 CROSS JOIN LATERAL (SELECT CASE f.rule WHEN 'lateStart' THEN (coalesce((SELECT s.value FROM settings s
   WHERE s.tenant_id = $1 AND s.key = 'warnStartDays' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL)
     ORDER BY s.bc_id NULLS LAST LIMIT 1), '3'::jsonb))::text::int
    WHEN 'lateFinish' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1
      AND s.key = 'warnFinishDays' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '3'::jsonb))::text::int
    WHEN 'nobody' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warnDays'
      AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '3'::jsonb))::text::int
    WHEN 'unaccepted' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1
      AND s.key = 'warnAcceptDays' AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '2'::jsonb))::text::int
    WHEN 'failed' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warnFailTimes'
      AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '2'::jsonb))::text::int
    WHEN 'overdue' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warnOverdueDays'
      AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '1'::jsonb))::text::int
    WHEN 'untidy' THEN (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warnPoorTimes'
      AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
        '3'::jsonb))::text::int END AS most) t
 LEFT JOIN LATERAL (SELECT
   coalesce((SELECT string_agg(q.words, '、' ORDER BY q.needed_by,
     q.id) FROM questions q WHERE q.tenant_id = $1 AND q.site_id = f.site_id AND q.stage = f.stage
       AND q.state = 'open'), '') AS asked,
   CASE WHEN EXISTS (SELECT FROM pieces p
     JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = f.stage
     WHERE p.tenant_id = $1 AND p.site_id = f.site_id
       AND p.order_state IN (1, 2, 3, 4)) THEN coalesce((SELECT string_agg(x.name || '（' || x.state || '）',
         '、' ORDER BY x.name, x.state)
   FROM (SELECT DISTINCT i.name,
     CASE p.order_state WHEN 1 THEN '待下单' WHEN 2 THEN '已下单' WHEN 3 THEN '待发货' WHEN 4 THEN '已发货' WHEN 5 THEN '待验收'
       WHEN 6 THEN '已验收' WHEN 7 THEN '待退货' END AS state FROM pieces p
     JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = f.stage
     WHERE p.tenant_id = $1 AND p.site_id = f.site_id
       AND p.order_state IN (1, 2, 3, 4)
     ORDER BY i.name LIMIT 5) x), '') ELSE '' END AS missing) h ON f.waits
 WHERE f.deviation >= t.most;

-- warnings.hear
UPDATE warnings SET silent = false WHERE tenant_id = $1 AND id = ANY ($2);

-- warnings.history
WITH past AS (SELECT g.tenant_id, g.site_id, g.stage, 'lateStart' AS rule, g.planned_start AS planned,
    g.actual_start AS ended, g.actual_start - g.planned_start AS days,
    g.actual_start - g.baseline_start AS first
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.actual_start - g.planned_start >= 3
    AND g.actual_start > (:now AT TIME ZONE 'Asia/Shanghai')::date - 90
  UNION ALL SELECT g.tenant_id, g.site_id, g.stage, 'lateFinish' AS rule, g.planned_finish AS planned,
    g.actual_finish AS ended, g.actual_finish - g.planned_finish AS days,
    g.actual_finish - g.baseline_finish AS first
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.actual_finish - g.planned_finish >= 3
    AND g.actual_finish > (:now AT TIME ZONE 'Asia/Shanghai')::date - 90),
told AS (
  INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, stage, planned, deviation, baseline_deviation,
    level, told_level, ball, state, opened_at, closed_at, ended, closed_manager_id, changed_by, changed_at)
  SELECT $1, gen_random_uuid(), w.bc_id, w.id, p.rule, p.stage, p.stage, p.planned, p.days,
    CASE WHEN p.first IS NOT NULL THEN greatest(p.first, 0) END,
    least(p.days / 3, 3), least(p.days / 3, 3), 'manager', 'closed',
    ((p.planned + 3)::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai',
      ((p.ended)::timestamp + interval '17 hours') AT TIME ZONE 'Asia/Shanghai', 'done', w.manager_id, $2,
    ((p.ended)::timestamp + interval '17 hours') AT TIME ZONE 'Asia/Shanghai'
  FROM past p
  JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
  WHERE p.ended < (:now AT TIME ZONE 'Asia/Shanghai')::date AND NOT EXISTS (
    SELECT FROM warnings v
    WHERE v.tenant_id = $1 AND v.site_id = w.id AND v.rule = p.rule AND v.cause = p.stage
      AND v.opened_at = ((p.planned + 3)::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai')
  RETURNING id, level, deviation, opened_at, closed_at)
INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
SELECT $1, gen_random_uuid(), t.id, x.act, t.level, t.deviation, $2, x.text, x.at
FROM told t
CROSS JOIN LATERAL (VALUES ('open', '', t.opened_at),
  ('close', '已办', t.closed_at)) AS x(act, text, at);

-- warnings.historyoverdue
WITH past AS (
  SELECT k.id, k.bc_id, k.site_id, w.manager_id,
    coalesce(CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移' WHEN 'noclothes' THEN '未穿工服'
      WHEN 'smoking' THEN '抽烟' END ELSE k.problem END, '') AS about, k.closed_at,
    (k.due_at AT TIME ZONE 'Asia/Shanghai')::date AS due, n.days
  FROM corrections k
  JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id AND w.deleted_at IS NULL
  LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
  CROSS JOIN LATERAL (SELECT array_agg(x.day::date ORDER BY x.day) AS days
    FROM generate_series((k.due_at AT TIME ZONE 'Asia/Shanghai')::date + 1,
      (k.closed_at - interval '1 hour') AT TIME ZONE 'Asia/Shanghai', interval '1 day') AS x(day)
    WHERE NOT rest_day($1, k.bc_id, x.day::date)) n
  WHERE k.tenant_id = $1 AND k.correction_status = 3 AND k.closed_at > k.due_at
    AND k.closed_at > :now - interval '90 days' AND k.closed_at < :now AND n.days IS NOT NULL
    AND w.status = 1 AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
      AND f.id = k.source_id AND f.hidden_from IS NOT NULL)
    AND NOT EXISTS (SELECT FROM warnings v
      WHERE v.tenant_id = $1 AND v.correction_id = k.id AND v.rule = 'overdue')),
told AS (
  INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, correction_id, about, planned, deviation,
    level, told_level, ball, state, opened_at, closed_at, ended, closed_manager_id, changed_by, changed_at)
  SELECT $1, gen_random_uuid(), p.bc_id, p.site_id, 'overdue', p.id::text, p.id, p.about,
    p.due, cardinality(p.days), least(cardinality(p.days), 3), least(cardinality(p.days), 3),
    'assignee', 'closed', ((p.days[1])::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai', p.closed_at,
      'done',
    p.manager_id, $2, p.closed_at
  FROM past p
  RETURNING id, correction_id, deviation, level, closed_at),
lines AS (
  SELECT t.id, CASE WHEN x.n = 1 THEN 'open' ELSE 'rise' END AS act, x.n AS level, x.n AS deviation,
    CASE x.n WHEN 2 THEN '一般 → 重要' WHEN 3 THEN '重要 → 紧急' ELSE '' END AS text,
    ((p.days[x.n])::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai' AS at
  FROM told t
  JOIN past p ON p.id = t.correction_id
  CROSS JOIN LATERAL generate_series(1, t.level) AS x(n)
  UNION ALL
  SELECT t.id, 'close', t.level, t.deviation, '已办', t.closed_at
  FROM told t)
INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
SELECT $1, gen_random_uuid(), l.id, l.act, l.level, l.deviation, $2, l.text, l.at
FROM lines l;

-- warnings.historysince
WITH begun AS (
  SELECT v.id, v.level, t.most, n.days
  FROM warnings v
  CROSS JOIN LATERAL (SELECT CASE v.rule WHEN 'overdue' THEN 1 ELSE 3 END AS most) t
  CROSS JOIN LATERAL (SELECT array_agg(x.day::date ORDER BY x.day) AS days
    FROM generate_series(v.planned + 1, :now AT TIME ZONE 'Asia/Shanghai', interval '1 day') AS x(day)
    WHERE NOT rest_day($1, v.bc_id, x.day::date)) n
  WHERE v.tenant_id = $1 AND v.state = 'open' AND v.opened_at > :now - interval '12 hours'
    AND NOT EXISTS (SELECT FROM warning_events e
      WHERE e.tenant_id = $1 AND e.warning_id = v.id AND e.act = 'rise')
    AND v.rule IN ('lateStart', 'lateFinish', 'overdue') AND cardinality(n.days) >= t.most * v.level),
moved AS (
  UPDATE warnings v SET opened_at = ((b.days[b.most])::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai'
  FROM begun b
  WHERE v.tenant_id = $1 AND v.id = b.id),
first AS (
  UPDATE warning_events e SET level = 1, deviation = b.most,
    at = ((b.days[b.most])::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai'
  FROM begun b
  WHERE e.tenant_id = $1 AND e.warning_id = b.id AND e.act = 'open')
INSERT INTO warning_events (tenant_id, id, warning_id, act, level, deviation, actor, text, at)
SELECT $1, gen_random_uuid(), b.id, 'rise', x.n, b.most * x.n, $2,
  CASE x.n WHEN 2 THEN '一般 → 重要' WHEN 3 THEN '重要 → 紧急' END,
    ((b.days[b.most * x.n])::timestamp + interval '1 hours') AT TIME ZONE 'Asia/Shanghai'
FROM begun b
CROSS JOIN LATERAL generate_series(2, b.level) AS x(n);

-- warnings.keep
UPDATE warnings v
SET deviation = x.deviation, baseline_deviation = x.baseline, level = x.level, planned = x.planned,
  told_level = greatest(v.told_level, x.level), correction_id = x.correction_id, ball = x.ball,
  ball_about = x."waitsFor", changed_by = $3, changed_at = :now, version = v.version + 1
FROM json_to_recordset($2::json) AS x(id uuid, deviation int, baseline int, level smallint, planned date,
  correction_id uuid, ball text, "waitsFor" text)
WHERE v.tenant_id = $1 AND v.id = x.id;

-- warnings.living
SELECT v.id FROM warnings v WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.state <> 'closed';

-- warnings.lock
SELECT v.id, v.kind, v.rule, v.level, v.state, v.site_id, w.ws_name AS "siteName",
  v.bc_id, c.bc_name, v.stage, v.about, v.planned::text AS planned, g.actual_start::text AS "actualStart",
  g.actual_finish::text AS "actualFinish",
  v.deviation, v.baseline_deviation AS "baselineDeviation", v.ball, v.ball_about AS "ballAbout",
  CASE WHEN v.ball = 'manager' THEN CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END AS responsible_id,
  coalesce(u.nickname, '') AS "responsibleName",
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END AS manager_id, w.steward_id,
  floor(extract(epoch FROM v.opened_at))::float8 AS "openedAt", v.until::text AS until, coalesce(t.nickname,
    '') AS "takenBy",
  floor(extract(epoch FROM v.closed_at))::float8 AS "closedAt", v.ended AS "end", v.correction_id, v.version,
    v.changed_by AS "changedBy", floor(extract(epoch FROM v.changed_at))::float8 AS "changedAt"
  FROM warnings v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = CASE WHEN v.ball = 'manager' THEN CASE
  WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.taken_by WHERE v.tenant_id = $1::uuid
  AND v.id = $2::uuid FOR UPDATE OF v;

-- warnings.movers
SELECT v.id, m.name, m.at, v.planned::text AS was,
  coalesce(CASE WHEN v.rule = 'lateStart' THEN g.planned_start ELSE g.planned_finish END,
    (k.due_at AT TIME ZONE 'Asia/Shanghai')::date)::text AS is
FROM warnings v
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
CROSS JOIN LATERAL ((SELECT coalesce(nullif(u.nickname, ''), l.user_name) AS name, l.at
  FROM user_logs l
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = l.user_id
  WHERE l.tenant_id = $1 AND l.object = 'site' AND l.object_id = v.site_id::text AND l.outcome = 'done'
    AND v.stage IS NOT NULL AND (l.after ? 'startDate' OR EXISTS (
      SELECT FROM jsonb_to_recordset(l.after -> 'stages') AS x(stage text, "plannedStart" date, "plannedFinish" date)
      JOIN jsonb_to_recordset(l.before -> 'stages')
        AS b(stage text, "plannedStart" date, "plannedFinish" date) ON b.stage = x.stage
      WHERE x.stage = v.stage AND CASE WHEN v.rule = 'lateStart' THEN x."plannedStart"
        ELSE x."plannedFinish" END IS DISTINCT FROM CASE WHEN v.rule = 'lateStart' THEN b."plannedStart"
          ELSE b."plannedFinish" END))
  ORDER BY l.at DESC, l.id DESC
  LIMIT 1) UNION ALL (SELECT l.actor AS name, l.at
  FROM correction_logs l
  WHERE l.tenant_id = $1 AND l.correction_id = v.correction_id
    AND l.action IN ('指派', '重新打开')
  ORDER BY l.at DESC, l.id DESC
  LIMIT 1)) m
WHERE v.tenant_id = $1 AND v.id = ANY ($2) AND m.at >= v.opened_at;

-- warnings.one
SELECT v.id, v.kind, v.rule, v.level, v.state, v.site_id, w.ws_name AS "siteName",
  v.bc_id, c.bc_name, v.stage, v.about, v.planned::text AS planned, g.actual_start::text AS "actualStart",
  g.actual_finish::text AS "actualFinish",
  v.deviation, v.baseline_deviation AS "baselineDeviation", v.ball, v.ball_about AS "ballAbout",
  CASE WHEN v.ball = 'manager' THEN CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END AS responsible_id,
  coalesce(u.nickname, '') AS "responsibleName",
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END AS manager_id, w.steward_id,
  floor(extract(epoch FROM v.opened_at))::float8 AS "openedAt", v.until::text AS until, coalesce(t.nickname,
    '') AS "takenBy",
  floor(extract(epoch FROM v.closed_at))::float8 AS "closedAt", v.ended AS "end", v.correction_id, v.version,
    coalesce((SELECT json_agg(json_build_object('id', o.id, 'code', o.code) ORDER BY o.code)
  FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id FROM pieces p
    JOIN contract_items i ON i.tenant_id = $1 AND i.id = p.item_id AND i.stage = v.stage
    WHERE p.tenant_id = $1 AND p.site_id = v.site_id
      AND p.order_state IN (1, 2, 3, 4))), '[]') AS orders
  FROM warnings v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = CASE WHEN v.ball = 'manager' THEN CASE
  WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.taken_by
  WHERE v.tenant_id = $1::uuid AND v.id = $2::uuid;

-- warnings.open
INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, stage, correction_id, about, planned, deviation,
  baseline_deviation, level, told_level, ball, ball_about, opened_at, changed_by, changed_at)
SELECT $1, x.id, x.bc_id, x.site_id, x.rule, x.cause, x.stage, x.correction_id, x.about, x.planned, x.deviation,
  x.baseline, x.level, x.level, x.ball, x."waitsFor", :now, $3, :now
FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, site_id uuid, rule text, cause text, stage text,
  correction_id uuid, about text, planned date, deviation int, baseline int, level smallint, ball text,
  "waitsFor" text)
ON CONFLICT (tenant_id, site_id, rule, cause) WHERE state <> 'closed' DO NOTHING
RETURNING id;

-- warnings.page
WITH page AS MATERIALIZED (SELECT v.* FROM warnings v WHERE v.tenant_id = $1::uuid ORDER BY v.place ASC,
  v.opened_at DESC, v.id LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT v.id, v.kind, v.rule, v.level, v.state, v.site_id, w.ws_name AS "siteName",
  v.bc_id, c.bc_name, v.stage, v.about, v.planned::text AS planned, g.actual_start::text AS "actualStart",
  g.actual_finish::text AS "actualFinish",
  v.deviation, v.baseline_deviation AS "baselineDeviation", v.ball, v.ball_about AS "ballAbout",
  CASE WHEN v.ball = 'manager' THEN CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END AS responsible_id,
  coalesce(u.nickname, '') AS "responsibleName",
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END AS manager_id, w.steward_id,
  floor(extract(epoch FROM v.opened_at))::float8 AS "openedAt", v.until::text AS until, coalesce(t.nickname,
    '') AS "takenBy",
  floor(extract(epoch FROM v.closed_at))::float8 AS "closedAt", v.ended AS "end", v.correction_id,
    v.version FROM page v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = CASE WHEN v.ball = 'manager' THEN CASE
  WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.taken_by ORDER BY v.place ASC, v.opened_at DESC, v.id) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM warnings v WHERE v.tenant_id = $1::uuid)::int AS total;

-- warnings.remind
SELECT v.id, v.site_id, w.ws_name AS "siteName", v.rule, v.stage, v.about, v.deviation, v.until::text AS until,
  array_remove(ARRAY[v.taken_by, w.manager_id, w.steward_id], NULL) AS people
FROM warnings v
JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
WHERE v.tenant_id = $1 AND v.state = 'handling' AND v.until <= (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND :now >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') + interval
    '8 hours' AND NOT rest_day($1, v.bc_id, (:now AT TIME ZONE 'Asia/Shanghai')::date)
  AND NOT EXISTS (
    SELECT 1 FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'warning' AND m.cause_id = v.id::text
      AND m.step = 'until:' || v.until::text)
ORDER BY v.until, v.id
LIMIT 500
FOR UPDATE OF v SKIP LOCKED;

-- warnings.standing
SELECT v.id, v.site_id, v.rule, v.cause, v.level, v.told_level AS "toldLevel", v.deviation,
  v.baseline_deviation AS baseline, v.planned::text AS planned, v.correction_id, v.ball,
  v.ball_about AS "waitsFor", v.silent
FROM warnings v
WHERE v.tenant_id = $1 AND (v.state <> 'closed' OR v.silent) AND ($2::uuid[] IS NULL OR v.site_id = ANY ($2))
ORDER BY v.id
FOR UPDATE OF v;

-- warnings.take
UPDATE warnings SET state = 'handling', until = $3, taken_by = $4, changed_by = $5,
  changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- warnings.these
SELECT v.id, v.kind, v.rule, v.level, v.state, v.site_id, w.ws_name AS "siteName",
  v.bc_id, c.bc_name, v.stage, v.about, v.planned::text AS planned, g.actual_start::text AS "actualStart",
  g.actual_finish::text AS "actualFinish",
  v.deviation, v.baseline_deviation AS "baselineDeviation", v.ball, v.ball_about AS "ballAbout",
  CASE WHEN v.ball = 'manager' THEN CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END AS responsible_id,
  coalesce(u.nickname, '') AS "responsibleName",
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END AS manager_id, w.steward_id,
  floor(extract(epoch FROM v.opened_at))::float8 AS "openedAt", v.until::text AS until, coalesce(t.nickname,
    '') AS "takenBy",
  floor(extract(epoch FROM v.closed_at))::float8 AS "closedAt", v.ended AS "end", v.correction_id,
    v.version FROM warnings v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = CASE WHEN v.ball = 'manager' THEN CASE
  WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END
  WHEN v.ball = 'assignee' THEN coalesce(k.assignee_id,
    CASE WHEN v.state = 'closed' THEN v.closed_manager_id ELSE w.manager_id END) END
LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.taken_by WHERE v.tenant_id = $1 AND v.id = ANY ($2)
  ORDER BY v.bc_id, v.id;

-- warnings.wouldlatestart
WITH worked AS MATERIALIZED (
  SELECT d.bc_id, array_agg(d.n ORDER BY d.day) AS days
  FROM (SELECT c.bc_id, x.day,
      (count(*) FILTER (WHERE NOT rest_day($1, c.bc_id, x.day::date))
        OVER (PARTITION BY c.bc_id ORDER BY x.day))::int AS n
    FROM companies c
    CROSS JOIN generate_series(((:now AT TIME ZONE 'Asia/Shanghai')::date - 730),
      (:now AT TIME ZONE 'Asia/Shanghai')::date, interval '1 day') AS x(day)
    WHERE c.tenant_id = $1 AND EXISTS (
      SELECT FROM sites b
      WHERE b.tenant_id = $1 AND b.bc_id = c.bc_id AND ($2::uuid[] IS NULL OR b.id = ANY ($2)))) d
  GROUP BY d.bc_id),
places AS MATERIALIZED (
  SELECT s.id, s.bc_id, s.status,
    CASE WHEN (s.stop_reason IS NOT NULL AND coalesce(s.stop_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date, true)
   AND (s.stop_question_id IS NULL OR EXISTS (SELECT FROM questions q
     WHERE q.tenant_id = $1 AND q.id = s.stop_question_id AND q.state = 'open'))
   AND (s.stop_order_id IS NULL OR EXISTS (SELECT FROM pieces p
     WHERE p.tenant_id = $1 AND p.order_id = s.stop_order_id AND p.order_state IN (1, 2, 3,
       4)))) THEN s.stop_reason END AS stop_reason, k.days
  FROM sites s
  JOIN worked k ON k.bc_id = s.bc_id
  WHERE s.tenant_id = $1 AND s.deleted_at IS NULL AND s.status IN (1, 2)
    AND ($2::uuid[] IS NULL OR s.id = ANY ($2))), stages AS MATERIALIZED (
  SELECT w.id AS site_id, w.bc_id, w.status, w.stop_reason, w.days, g.stage, g.planned_start, g.planned_finish,
    g.actual_start, g.actual_finish, g.baseline_start, g.baseline_finish,
    min(g.actual_start) OVER later AS next_begun,
    min(g.planned_start) FILTER (WHERE g.actual_start IS NOT NULL) OVER later AS next_planned,
    coalesce(bool_or(g.actual_finish IS NULL AND (g.actual_start IS NULL
      OR g.planned_finish < (:now AT TIME ZONE 'Asia/Shanghai')::date))
      OVER earlier, false) AS held_up
  FROM places w
  JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id
  WINDOW later AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING),
    earlier AS (PARTITION BY g.site_id ORDER BY g.sort ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)),
      found AS (SELECT g.site_id AS site_id, 'lateStart' AS rule, g.stage AS cause, g.stage::text AS stage,
    NULL::uuid AS correction_id, '' AS about,
    g.planned_start::date AS planned,
    (g.days[731] - g.days[CASE WHEN g.planned_start < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
      ELSE g.planned_start - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS deviation,
        (g.days[731] - g.days[CASE WHEN g.baseline_start < ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) THEN 1
          ELSE g.baseline_start - ((:now AT TIME ZONE 'Asia/Shanghai')::date - 730) + 1 END])::int AS
            baseline_deviation,
    true AS waits, 'manager' AS ball
  FROM stages g WHERE g.actual_start IS NULL AND g.actual_finish IS NULL AND g.next_begun IS NULL AND NOT g.held_up)
 SELECT count(*)::int AS n
 FROM found f
 JOIN places w ON w.id = f.site_id
 WHERE f.deviation >= $3 AND CASE WHEN $4::uuid IS NOT NULL THEN w.bc_id = $4
   ELSE NOT EXISTS (SELECT FROM settings s
     WHERE s.tenant_id = $1 AND s.bc_id = w.bc_id AND s.key = 'warnStartDays') END;
