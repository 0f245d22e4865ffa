-- supervision.branches
SELECT c.bc_id, c.bc_name
FROM companies c
JOIN users u ON u.tenant_id = $1 AND u.id = $2
WHERE c.tenant_id = $1 AND (u.post IS NOT NULL AND c.bc_id = u.bc_id OR EXISTS (SELECT FROM site_leads l
  JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.deleted_at IS NULL AND w.bc_id = c.bc_id
  WHERE l.tenant_id = $1 AND l.user_id = $2))
ORDER BY c.bc_id = u.bc_id DESC NULLS LAST, c.bc_name;

-- supervision.checkinslast
SELECT u.id, floor(extract(epoch FROM x.at))::float8 AS at, x.by, x.site_id, w.ws_name AS "siteName", x.lng, x.lat
FROM users u
CROSS JOIN LATERAL (SELECT * FROM ((
  SELECT p.begun_at AS at, 'patrol' AS by, p.site_id, p.lng, p.lat
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.inspector_id = u.id AND p.bc_id = $2 AND p.kind <> 'remote'
    AND p.begun_at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND p.begun_at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  ORDER BY p.begun_at DESC LIMIT 1)
UNION ALL (
  SELECT e.at, 'terminal', e.site_id, s.lng, s.lat
  FROM workers k
  JOIN attendance_events e ON e.tenant_id = $1 AND e.worker_id = k.id AND e.bc_id = $2 AND e.source <> 'makeup'
    AND e.at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND e.at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  JOIN sites s ON s.tenant_id = $1 AND s.id = e.site_id
  WHERE k.tenant_id = $1 AND k.user_id = u.id
  ORDER BY e.at DESC LIMIT 1)) y ORDER BY y.at DESC LIMIT 1) x
JOIN sites w ON w.tenant_id = $1 AND w.id = x.site_id
WHERE u.tenant_id = $1 AND ($3::uuid IS NULL OR u.id = $3) AND (u.post IS NOT NULL OR EXISTS (SELECT FROM sites o
  WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.deleted_at IS NULL
  AND o.status = 1 AND u.id IN (o.steward_id, o.manager_id)))
ORDER BY u.id, x.at, x.by, x.site_id;

-- supervision.checkinstoday
SELECT u.id, floor(extract(epoch FROM x.at))::float8 AS at, x.by, x.site_id, w.ws_name AS "siteName", x.lng, x.lat
FROM users u
CROSS JOIN LATERAL ((
  SELECT p.begun_at AS at, 'patrol' AS by, p.site_id, p.lng, p.lat
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.inspector_id = u.id AND p.bc_id = $2 AND p.kind <> 'remote'
    AND p.begun_at >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND p.begun_at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  ORDER BY p.begun_at DESC )
UNION ALL (
  SELECT e.at, 'terminal', e.site_id, s.lng, s.lat
  FROM workers k
  JOIN attendance_events e ON e.tenant_id = $1 AND e.worker_id = k.id AND e.bc_id = $2 AND e.source <> 'makeup'
    AND e.at >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND e.at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  JOIN sites s ON s.tenant_id = $1 AND s.id = e.site_id
  WHERE k.tenant_id = $1 AND k.user_id = u.id
  ORDER BY e.at DESC )) x
JOIN sites w ON w.tenant_id = $1 AND w.id = x.site_id
WHERE u.tenant_id = $1 AND ($3::uuid IS NULL OR u.id = $3) AND (u.post IS NOT NULL OR EXISTS (SELECT FROM sites o
  WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.deleted_at IS NULL
  AND o.status = 1 AND u.id IN (o.steward_id, o.manager_id)))
ORDER BY u.id, x.at, x.by, x.site_id;

-- supervision.first
SELECT c.bc_id
FROM companies c
JOIN users u ON u.tenant_id = $1 AND u.id = $2
WHERE c.tenant_id = $1 AND ($3::uuid[] IS NULL OR c.bc_id = ANY ($3::uuid[]))
ORDER BY c.bc_id = u.bc_id DESC NULLS LAST, c.bc_name
LIMIT 1;

-- supervision.foldstages
WITH several AS (
  SELECT k.bc_id, k.day, k.user_id, k.stage
  FROM supervised_stages k
  WHERE k.tenant_id = $1 AND k.day >= $2::date
  GROUP BY 1, 2, 3, 4
  HAVING count(*) > 1),
gone AS (
  DELETE FROM supervised_stages k
  USING several x
  WHERE k.tenant_id = $1 AND (k.bc_id, k.day, k.user_id, k.stage) = (x.bc_id, x.day, x.user_id, x.stage)
  RETURNING k.*)
INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, late, in_time, corrected, responded, planned,
  patrolled)
SELECT g.tenant_id, g.bc_id, g.day, g.user_id, g.stage, sum(g.late), sum(g.in_time), sum(g.corrected),
  sum(g.responded), sum(g.planned), sum(g.patrolled)
FROM gone g
GROUP BY 1, 2, 3, 4, 5
HAVING (sum(g.late), sum(g.in_time), sum(g.corrected), sum(g.responded), sum(g.planned), sum(g.patrolled)) <> (0, 0, 0,
  0, 0, 0);

-- supervision.forget
DELETE FROM supervision_remarks k WHERE k.tenant_id = $1 AND k.to_day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 400;

-- supervision.kept
WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at, coalesce(l.to_at,
  'infinity') AS to_at,
    w.start_date
  FROM site_leads l
  JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
    AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
    AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
people AS MATERIALIZED (SELECT u.id, u.nickname,
    coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
    u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
  FROM users u
  WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
    OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
    least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
  FROM led d
  WHERE d.start_date <= $4::date AND d.from_at <= :now
  GROUP BY d.user_id, d.site_id),
s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.outcome IS DISTINCT FROM 6
    AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.handed AS at, (s.took)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.acted AS at, (s.response)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
    m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
  FROM thread_messages m
  CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
    WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
      AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
        WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
          AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
      AND (l.to_at IS NULL OR l.to_at > m.at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
    AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
      coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
    f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
      (0)::int AS bad
  FROM feedback f
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
      AND (l.to_at IS NULL OR l.to_at > f.answered_at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
      b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
        b.user_id) IS NOT NULL
    AND NOT EXISTS (SELECT FROM feedback_events e
      WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
    ),
s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
    AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
      OR x.withdrawn_on > p.first_due)
    ),
s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
    AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
    ),
s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('done', 'replanned')
    ),
s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('hand')
    ),
s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
    coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
  FROM people p
  JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
  JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
  WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
    AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
  h.site_id AS site_id, h.waiting_since AS since,
    coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
  FROM threads h
  JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
    AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
      (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
  FROM feedback f
  JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
  CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
    2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
      OR f.hidden_from <> $5::uuid)
UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
  (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
    coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
      (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
        (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
  FROM promises p
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
    'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND p.responsible_id IS NOT NULL
UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
    coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
      false))::int AS bad
  FROM warnings v
  JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
    AND w.manager_id IS NOT NULL
UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person AND NOT p.stopped
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
    AND t.opens_at > :now - interval '90 days' ),
s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
    (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
      (NULL)::int AS took, (0)::int AS bad
  FROM sites w
  CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
    UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
  WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL) SELECT count(*)::int AS n
    FROM s_kept r WHERE r.person = $6::uuid;

-- supervision.managers
SELECT u.id, u.nickname, coalesce(u.post, 2)::int2 AS post
FROM users u
WHERE u.tenant_id = $1 AND ($3::uuid IS NULL OR u.id = $3) AND u.status = 1 AND u.deleted_at IS NULL
  AND (u.bc_id = $2 AND u.post IS NOT NULL OR EXISTS (SELECT FROM sites o WHERE o.tenant_id = $1 AND o.bc_id = $2
    AND o.deleted_at IS NULL
  AND o.status = 1 AND u.id IN (o.steward_id, o.manager_id)))
ORDER BY 3, 2, 1;

-- supervision.movers
SELECT r.id, r.kind, r.site_id, w.ws_name AS "siteName",
CASE WHEN (w.bc_id = ANY($7::uuid[])
    OR w.id = ANY($8::uuid[])) THEN coalesce(CASE r.kind
WHEN 'site' THEN w.ws_name
WHEN 'task' THEN (SELECT l.name FROM patrol_tasks t
  JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id WHERE t.tenant_id = $1 AND t.id = r.id)
WHEN 'correction' THEN (SELECT CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移'
  WHEN 'noclothes' THEN '未穿工服' WHEN 'smoking' THEN '抽烟' END ELSE k.problem END FROM corrections k
  LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id WHERE k.tenant_id = $1 AND k.id = r.id)
WHEN 'thread' THEN '业主留言'
WHEN 'feedback' THEN (SELECT f.no FROM feedback f WHERE f.tenant_id = $1 AND f.id = r.id)
WHEN 'promise' THEN (SELECT p.content FROM promises p WHERE p.tenant_id = $1 AND p.id = r.id)
WHEN 'warning' THEN (SELECT CASE v.rule WHEN 'lateStart' THEN '该开始没开始' WHEN 'lateFinish' THEN '到期没做完'
  WHEN 'nobody' THEN '阶段中无人施工' WHEN 'unaccepted' THEN '没验收就做下一项' WHEN 'failed' THEN '同一项多次不合格'
    WHEN 'overdue' THEN '整改超期' WHEN 'untidy' THEN '整洁度连续差' END FROM warnings v WHERE v.tenant_id = $1
      AND v.id = r.id) END, '') ELSE '' END AS title, g.stage, floor(extract(epoch FROM r.since))::float8 AS since,
floor(extract(epoch FROM r.at))::float8 AS at, r.took, r.bad, (w.bc_id = ANY($7::uuid[])
    OR w.id = ANY($8::uuid[])) AS "isReached", round(r.weight, 2)::float8 AS weight
   FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at, coalesce(l.to_at,
     'infinity') AS to_at,
     w.start_date
   FROM site_leads l
   JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
     AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
     AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
   WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
 people AS MATERIALIZED (SELECT u.id, u.nickname,
     coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
     u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
   FROM users u
   WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
     OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
 homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
     least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
   FROM led d
   WHERE d.start_date <= $4::date AND d.from_at <= :now
   GROUP BY d.user_id, d.site_id),
 s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.outcome IS DISTINCT FROM 6
     AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
 s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) AND false),
 s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.handed AS at, (s.took)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) AND false),
 s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.acted AS at, (s.response)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) AND false),
 s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
     m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
   FROM thread_messages m
   CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
     WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
       AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
         WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
           AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
       AND (l.to_at IS NULL OR l.to_at > m.at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
     AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
       coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
     f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
       (0)::int AS bad
   FROM feedback f
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
       AND (l.to_at IS NULL OR l.to_at > f.answered_at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
       b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
         b.user_id) IS NOT NULL
     AND NOT EXISTS (SELECT FROM feedback_events e
       WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
     AND false),
 s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND false),
 s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND false),
 s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
     AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
       OR x.withdrawn_on > p.first_due)
     ),
 s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
     AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
     ),
 s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('done', 'replanned')
     ),
 s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('hand')
     ),
 s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
     coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
   FROM people p
   JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
   JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
   WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
     AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid) AND false
 UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
   h.site_id AS site_id, h.waiting_since AS since,
     coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
   FROM threads h
   JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
   WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
     AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
 UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
       (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
     2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
       OR f.hidden_from <> $5::uuid)
     AND false
 UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
   (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
     coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
       (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
         (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
   FROM promises p
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
     'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
     AND p.responsible_id IS NOT NULL
 UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
     coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
       false))::int AS bad
   FROM warnings v
   JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
     AND w.manager_id IS NOT NULL
 UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   JOIN people p ON p.id = x.person AND NOT p.stopped
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
     AND t.opens_at > :now - interval '90 days' ),
 s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
     (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
       (NULL)::int AS took, (0)::int AS bad
   FROM sites w
   CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
     UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
   WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL),
 days AS MATERIALIZED (SELECT d.user_id AS person, d.stage,
     0 AS late, 0 AS in_time,
     0 AS corrected, 0 AS responded,
     d.planned AS planned, d.patrolled AS patrolled
   FROM supervised_stages d
   JOIN people p ON p.id = d.user_id
   WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date
 UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (s.ran_out AT TIME ZONE 'Asia/Shanghai')::date),
     0 AS late, 0 AS in_time,
     0 AS corrected, 0 AS responded, 0, 0
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2 AND NOT s.may_hide
     AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out > :now
 UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (v.moment AT TIME ZONE 'Asia/Shanghai')::date), 0 AS late,
   0 AS in_time,
     0 AS corrected, 0 AS responded, 0, 0
   FROM (SELECT s.* FROM supervised_corrections s
   JOIN people p ON p.id = s.user_id
   WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid)))) s
   CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0), (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0),
     (s.acted, 0, 0, 0, 1)) AS v(moment, late, in_time, corrected, responded)
   WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND v.moment <= :now
 UNION ALL SELECT x.person, stage_on($1, t.site_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date), 0, 0, 0, 0,
   -1 AS planned, 0
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   JOIN people p ON p.id = x.person
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.lapses_at > :now
     AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')),
 stages AS (SELECT g.site_id, g.stage, g.actual_start AS from_day,
     coalesce(lead(g.actual_start) OVER (PARTITION BY g.site_id ORDER BY g.actual_start, g.sort),
       'infinity') AS to_day
   FROM site_stages g
   JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id AND w.bc_id = $2
   WHERE g.tenant_id = $1 AND g.actual_start IS NOT NULL),
 judged AS (SELECT u.what, u.person, u.site_id, p.post, u.stage,
     sum(u.n) AS n, sum(u.bad) AS bad, sum(sum(u.bad)) OVER cell / nullif(sum(sum(u.n)) OVER cell, 0)::numeric AS mean
   FROM (SELECT r.what, r.person, CASE WHEN r.what = 'home' THEN r.site_id END AS site_id,
         coalesce(g.stage, '') AS stage, 1 AS n, r.bad
       FROM (SELECT 'promise' AS what, x.person, x.site_id,
     (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_first x UNION ALL SELECT 'warning' AS what,
       x.person, x.site_id,
     (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_warning x) r
       LEFT JOIN stages g ON g.site_id = r.site_id AND g.from_day <= r.day AND g.to_day > r.day
     UNION ALL SELECT 'task', x.person, NULL::uuid, x.stage, x.planned,
       x.planned - x.patrolled FROM days x WHERE (x.planned, x.planned - x.patrolled) <> (0, 0)
     UNION ALL SELECT 'correction', x.person, NULL::uuid, x.stage, x.late + x.in_time,
       x.late FROM days x WHERE (x.late + x.in_time, x.late) <> (0, 0)) u
   JOIN people p ON p.id = u.person
   GROUP BY u.what, u.person, u.site_id, p.post, u.stage
   WINDOW cell AS (PARTITION BY u.what, u.stage, p.post)),
 means AS (SELECT DISTINCT x.what, x.stage, x.post, x.mean FROM judged x)
 SELECT y.kind, y.id, y.person, y.site_id, y.since, y.at, y.took, y.bad, y.weight
 FROM (SELECT x.kind, x.id, x.person, x.site_id, x.since, x.at, x.took, x.bad, x.bad - m.mean AS weight
     FROM (SELECT 'task' AS what, x.* FROM s_task x
     WHERE x.person = $6 AND x.bad = 1 UNION ALL SELECT 'correction' AS what, x.* FROM s_late x
     WHERE x.person = $6 AND x.bad = 1 UNION ALL SELECT 'promise' AS what, x.* FROM s_first x
     WHERE x.person = $6 AND x.bad = 1 UNION ALL SELECT 'warning' AS what, x.* FROM s_warning x
     WHERE x.person = $6 AND x.bad = 1) x
     JOIN people p ON p.id = x.person
     LEFT JOIN stages g ON g.site_id = x.site_id
       AND g.from_day <= (x.at AT TIME ZONE 'Asia/Shanghai')::date
       AND g.to_day > (x.at AT TIME ZONE 'Asia/Shanghai')::date
     JOIN means m ON m.what = x.what AND m.stage = coalesce(g.stage, '') AND m.post = p.post
   UNION ALL SELECT c.kind, c.id, c.person, c.site_id, c.since, c.at, c.took, c.bad, 1 - x.mean / x.bad
     FROM judged x
     JOIN s_complaint c ON c.person = x.person AND c.site_id = x.site_id
     WHERE x.what = 'home' AND x.person = $6 AND x.bad > 0) y
 WHERE y.weight > 0
 ORDER BY y.weight DESC, y.at DESC, y.id LIMIT 3) r
   JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id LEFT JOIN LATERAL (SELECT g.stage
     FROM site_stages g
     WHERE g.tenant_id = $1 AND g.site_id = r.site_id AND g.actual_start <= (r.at AT TIME ZONE 'Asia/Shanghai')::date
     ORDER BY g.actual_start DESC, g.sort DESC
     LIMIT 1) g ON true
   WHERE ($7::uuid[] IS NULL OR true) AND ($8::uuid[] IS NULL OR true)
   ORDER BY r.weight DESC, r.at DESC, r.id;

-- supervision.oldest
WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at, coalesce(l.to_at,
  'infinity') AS to_at,
     w.start_date
   FROM site_leads l
   JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
     AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
     AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
   WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
 people AS MATERIALIZED (SELECT u.id, u.nickname,
     coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
     u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
   FROM users u
   WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
     OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
 homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
     least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
   FROM led d
   WHERE d.start_date <= $4::date AND d.from_at <= :now
   GROUP BY d.user_id, d.site_id),
 s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.outcome IS DISTINCT FROM 6
     AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
 s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.handed AS at, (s.took)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.acted AS at, (s.response)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
     m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
   FROM thread_messages m
   CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
     WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
       AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
         WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
           AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
       AND (l.to_at IS NULL OR l.to_at > m.at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
     AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
       coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
     f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
       (0)::int AS bad
   FROM feedback f
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
       AND (l.to_at IS NULL OR l.to_at > f.answered_at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
       b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
         b.user_id) IS NOT NULL
     AND NOT EXISTS (SELECT FROM feedback_events e
       WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
     ),
 s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
     AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
       OR x.withdrawn_on > p.first_due)
     ),
 s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
     AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
     ),
 s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('done', 'replanned')
     ),
 s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('hand')
     ),
 s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
     coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
   FROM people p
   JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
   JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
   WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
     AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
 UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
   h.site_id AS site_id, h.waiting_since AS since,
     coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
   FROM threads h
   JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
   WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
     AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
 UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
       (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
     2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
       OR f.hidden_from <> $5::uuid)
 UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
   (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
     coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
       (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
         (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
   FROM promises p
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
     'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
     AND p.responsible_id IS NOT NULL
 UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
     coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
       false))::int AS bad
   FROM warnings v
   JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
     AND w.manager_id IS NOT NULL
 UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   JOIN people p ON p.id = x.person AND NOT p.stopped
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
     AND t.opens_at > :now - interval '90 days' ),
 s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
     (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
       (NULL)::int AS took, (0)::int AS bad
   FROM sites w
   CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
     UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
   WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL)
   SELECT r.id, r.kind, r.site_id, w.ws_name AS "siteName",
CASE WHEN true THEN coalesce(CASE r.kind
WHEN 'site' THEN w.ws_name
WHEN 'task' THEN (SELECT l.name FROM patrol_tasks t
  JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id WHERE t.tenant_id = $1 AND t.id = r.id)
WHEN 'correction' THEN (SELECT CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移'
  WHEN 'noclothes' THEN '未穿工服' WHEN 'smoking' THEN '抽烟' END ELSE k.problem END FROM corrections k
  LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id WHERE k.tenant_id = $1 AND k.id = r.id)
WHEN 'thread' THEN '业主留言'
WHEN 'feedback' THEN (SELECT f.no FROM feedback f WHERE f.tenant_id = $1 AND f.id = r.id)
WHEN 'promise' THEN (SELECT p.content FROM promises p WHERE p.tenant_id = $1 AND p.id = r.id)
WHEN 'warning' THEN (SELECT CASE v.rule WHEN 'lateStart' THEN '该开始没开始' WHEN 'lateFinish' THEN '到期没做完'
  WHEN 'nobody' THEN '阶段中无人施工' WHEN 'unaccepted' THEN '没验收就做下一项' WHEN 'failed' THEN '同一项多次不合格'
    WHEN 'overdue' THEN '整改超期' WHEN 'untidy' THEN '整洁度连续差' END FROM warnings v WHERE v.tenant_id = $1
      AND v.id = r.id) END, '') ELSE '' END AS title, g.stage, floor(extract(epoch FROM r.since))::float8 AS since,
floor(extract(epoch FROM r.at))::float8 AS at, r.took, r.bad, true AS "isReached"
   FROM (SELECT r.* FROM s_waiting r WHERE r.person = $6::uuid ORDER BY r.since, r.id LIMIT 1) r
   JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id LEFT JOIN LATERAL (SELECT g.stage
     FROM site_stages g
     WHERE g.tenant_id = $1 AND g.site_id = r.site_id AND g.actual_start <= (r.at AT TIME ZONE 'Asia/Shanghai')::date
     ORDER BY g.actual_start DESC, g.sort DESC
     LIMIT 1) g ON true;

-- supervision.people
WITH page AS MATERIALIZED (SELECT r.* FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post,
  l.from_at, coalesce(l.to_at, 'infinity') AS to_at,
    w.start_date
  FROM site_leads l
  JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
    AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
    AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
people AS MATERIALIZED (SELECT u.id, u.nickname,
    coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
    u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
  FROM users u
  WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
    OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
    least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
  FROM led d
  WHERE d.start_date <= $4::date AND d.from_at <= :now
  GROUP BY d.user_id, d.site_id),
s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.outcome IS DISTINCT FROM 6
    AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.handed AS at, (s.took)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.acted AS at, (s.response)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
    m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
  FROM thread_messages m
  CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
    WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
      AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
        WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
          AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
      AND (l.to_at IS NULL OR l.to_at > m.at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
    AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
      coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
    f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
      (0)::int AS bad
  FROM feedback f
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
      AND (l.to_at IS NULL OR l.to_at > f.answered_at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
      b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
        b.user_id) IS NOT NULL
    AND NOT EXISTS (SELECT FROM feedback_events e
      WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
    ),
s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
    AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
      OR x.withdrawn_on > p.first_due)
    ),
s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
    AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
    ),
s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('done', 'replanned')
    ),
s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('hand')
    ),
s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
    coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
  FROM people p
  JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
  JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
  WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
    AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
  h.site_id AS site_id, h.waiting_since AS since,
    coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
  FROM threads h
  JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
    AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
      (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
  FROM feedback f
  JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
  CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
    2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
      OR f.hidden_from <> $5::uuid)
UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
  (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
    coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
      (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
        (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
  FROM promises p
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
    'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND p.responsible_id IS NOT NULL
UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
    coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
      false))::int AS bad
  FROM warnings v
  JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
    AND w.manager_id IS NOT NULL
UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person AND NOT p.stopped
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
    AND t.opens_at > :now - interval '90 days' ),
s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
    (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
      (NULL)::int AS took, (0)::int AS bad
  FROM sites w
  CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
    UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
  WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL),
days AS MATERIALIZED (SELECT d.user_id AS person, d.stage,
    d.late AS late, d.in_time AS in_time,
    d.corrected AS corrected, d.responded AS responded,
    d.planned AS planned, d.patrolled AS patrolled
  FROM supervised_stages d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (s.ran_out AT TIME ZONE 'Asia/Shanghai')::date),
    -1 AS late, 0 AS in_time,
    0 AS corrected, 0 AS responded, 0, 0
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2 AND NOT s.may_hide
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out > :now
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (v.moment AT TIME ZONE 'Asia/Shanghai')::date), v.late AS late,
  v.in_time AS in_time,
    v.corrected AS corrected, v.responded AS responded, 0, 0
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0), (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0),
    (s.acted, 0, 0, 0, 1)) AS v(moment, late, in_time, corrected, responded)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND v.moment <= :now
UNION ALL SELECT x.person, stage_on($1, t.site_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date), 0, 0, 0, 0,
  -1 AS planned, 0
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.lapses_at > :now
    AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')),
of_days AS (SELECT x.person, sum(x.late)::int AS late, sum(x.corrected)::int AS corrected,
  sum(x.responded)::int AS responded, sum(x.planned)::int AS planned,
    sum(x.patrolled)::int AS patrolled FROM days x GROUP BY x.person),
paces AS (SELECT x.person, x.what, min(x.step) FILTER (WHERE x.so_far >= 0.5 * x.n) AS p50,
  min(x.step) FILTER (WHERE x.so_far >= 0.9 * x.n) AS p90
  FROM (SELECT y.person, y.what, y.step, sum(sum(y.n)) OVER upwards AS so_far, sum(sum(y.n)) OVER whole AS n
    FROM (SELECT d.user_id AS person, d.what, d.step, d.n
  FROM supervised_times d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date AND true
UNION ALL SELECT s.user_id, v.what, time_step(v.took), 1
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
    AS v(what, moment, took)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND true) y
    GROUP BY y.person, y.what, y.step
    WINDOW whole AS (PARTITION BY y.person, y.what), upwards AS (whole ORDER BY y.step)) x
  GROUP BY x.person, x.what),
stages AS (SELECT g.site_id, g.stage, g.actual_start AS from_day,
    coalesce(lead(g.actual_start) OVER (PARTITION BY g.site_id ORDER BY g.actual_start, g.sort),
      'infinity') AS to_day
  FROM site_stages g
  JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id AND w.bc_id = $2
  WHERE g.tenant_id = $1 AND g.actual_start IS NOT NULL),
judged AS (SELECT u.what, u.person, u.site_id, p.post, u.stage,
    sum(u.n) AS n, sum(u.bad) AS bad, sum(sum(u.bad)) OVER cell / nullif(sum(sum(u.n)) OVER cell, 0)::numeric AS mean
  FROM (SELECT r.what, r.person, CASE WHEN r.what = 'home' THEN r.site_id END AS site_id,
        coalesce(g.stage, '') AS stage, 1 AS n, r.bad
      FROM (SELECT 'promise' AS what, x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_first x UNION ALL SELECT 'warning' AS what,
      x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_warning x UNION ALL SELECT 'home',
      coalesce(h.person, c.person), coalesce(h.site_id, c.site_id),
    (coalesce(h.at, c.at) AT TIME ZONE 'Asia/Shanghai')::date, coalesce(c.n, 0)::int
  FROM homes h
  FULL JOIN (SELECT x.person, x.site_id, max(x.at) AS at, count(*) AS n FROM s_complaint x GROUP BY 1, 2) c
    ON c.person = h.person AND c.site_id = h.site_id) r
      LEFT JOIN stages g ON g.site_id = r.site_id AND g.from_day <= r.day AND g.to_day > r.day
    UNION ALL SELECT 'task', x.person, NULL::uuid, x.stage, x.planned,
      x.planned - x.patrolled FROM days x WHERE (x.planned, x.planned - x.patrolled) <> (0, 0)
    UNION ALL SELECT 'correction', x.person, NULL::uuid, x.stage, x.late + x.in_time,
      x.late FROM days x WHERE (x.late + x.in_time, x.late) <> (0, 0)) u
  JOIN people p ON p.id = u.person
  GROUP BY u.what, u.person, u.site_id, p.post, u.stage
  WINDOW cell AS (PARTITION BY u.what, u.stage, p.post)),
scored AS (SELECT x.person, x.post, sum(x.n) AS n, sum(x.bad) AS bad, sum(x.n * x.mean) AS expected
  FROM judged x GROUP BY x.person, x.post),
ranks AS (SELECT s.person, rank() OVER same AS rank, count(*) OVER (PARTITION BY s.post) AS ranked
  FROM scored s
  WHERE s.n >= 5
  WINDOW same AS (PARTITION BY s.post ORDER BY round((s.bad - s.expected) / s.n, 6)))
SELECT p.id, p.nickname, p.post, c.bc_id, c.bc_name, p.stopped AS "isStopped",
  floor(extract(epoch FROM o.oldest))::float8 AS "oldestAt", coalesce(o.n, 0)::int AS open,
  coalesce(w.n, 0)::int AS sites, coalesce(h.n, 0)::int AS homes,
  coalesce(t.planned, 0)::int AS "planned", coalesce(t.patrolled, 0)::int AS "patrolled",
  coalesce(t.planned - t.patrolled, 0)::int AS "missed",
  coalesce(a.n, 0)::int AS "answered",
  a.p50::int AS "answerP50", a.p90::int AS "answerP90",
  coalesce(t.responded, 0)::int AS "responded",
  b.p50::int AS "responseP50", b.p90::int AS "responseP90",
  coalesce(t.corrected, 0)::int AS "corrected",
  k.p50::int AS "correctionP50", k.p90::int AS "correctionP90",
  coalesce(t.late, 0)::int AS "late",
  coalesce(f.n, 0)::int AS "complaints",
  round(coalesce(f.n, 0) * 10::numeric / nullif(h.n, 0), 1)::float8 AS "perTen",
  coalesce(q.due, 0)::int AS "firstDue", coalesce(q.broken, 0)::int AS "firstBroken",
  coalesce(m.due, 0)::int AS "presentDue", coalesce(m.broken, 0)::int AS "presentBroken",
  coalesce(v.closed - v.moved, 0)::int AS "done", coalesce(v.moved, 0)::int AS "replanned",
  coalesce(z.n, 0)::int AS "byHand",
  coalesce(s.n, 0)::int AS judged, coalesce(s.bad, 0)::int AS bad,
  round(coalesce(s.expected, 0), 1)::float8 AS expected, n.rank::int AS rank,
  (SELECT count(*)::int FROM scored d WHERE d.post = p.post AND d.n >= 5) AS ranked
FROM people p
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = $2
LEFT JOIN (SELECT x.person, count(*) AS n, min(x.since) AS oldest FROM s_waiting x GROUP BY x.person) o
  ON o.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_site x GROUP BY x.person) w ON w.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM homes x GROUP BY x.person) h ON h.person = p.id
LEFT JOIN of_days t ON t.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS n, percentile_disc(0.5) WITHIN GROUP (ORDER BY x.took) AS p50,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY x.took) AS p90
  FROM s_answer x WHERE x.took IS NOT NULL GROUP BY x.person) a ON a.person = p.id
LEFT JOIN paces b ON b.person = p.id AND b.what = 'responded'
LEFT JOIN paces k ON k.person = p.id AND k.what = 'corrected'
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_complaint x GROUP BY x.person) f ON f.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_first x GROUP BY x.person) q ON q.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_present x GROUP BY x.person) m ON m.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS closed,
  sum(x.bad)::int AS moved FROM s_warning x GROUP BY x.person) v ON v.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_hand x GROUP BY x.person) z ON z.person = p.id
LEFT JOIN scored s ON s.person = p.id
LEFT JOIN ranks n ON n.person = p.id) r WHERE true ORDER BY r.late ASC, r.id LIMIT 100)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT r.* FROM page r  ORDER BY r.late ASC, r.id) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at,
      coalesce(l.to_at, 'infinity') AS to_at,
    w.start_date
  FROM site_leads l
  JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
    AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
    AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
people AS MATERIALIZED (SELECT u.id, u.nickname,
    coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
    u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
  FROM users u
  WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
    OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
    least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
  FROM led d
  WHERE d.start_date <= $4::date AND d.from_at <= :now
  GROUP BY d.user_id, d.site_id),
s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.outcome IS DISTINCT FROM 6
    AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.handed AS at, (s.took)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.acted AS at, (s.response)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) ),
s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
    m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
  FROM thread_messages m
  CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
    WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
      AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
        WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
          AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
      AND (l.to_at IS NULL OR l.to_at > m.at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
    AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
      coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
    f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
      (0)::int AS bad
  FROM feedback f
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
      AND (l.to_at IS NULL OR l.to_at > f.answered_at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
      b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
        b.user_id) IS NOT NULL
    AND NOT EXISTS (SELECT FROM feedback_events e
      WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
    ),
s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
    AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
      OR x.withdrawn_on > p.first_due)
    ),
s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
    AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
    ),
s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('done', 'replanned')
    ),
s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('hand')
    ),
s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
    coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
  FROM people p
  JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
  JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
  WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
    AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
  h.site_id AS site_id, h.waiting_since AS since,
    coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
  FROM threads h
  JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
    AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
      (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
  FROM feedback f
  JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
  CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
    2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
      OR f.hidden_from <> $5::uuid)
UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
  (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
    coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
      (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
        (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
  FROM promises p
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
    'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND p.responsible_id IS NOT NULL
UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
    coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
      false))::int AS bad
  FROM warnings v
  JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
    AND w.manager_id IS NOT NULL
UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person AND NOT p.stopped
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
    AND t.opens_at > :now - interval '90 days' ),
s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
    (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
      (NULL)::int AS took, (0)::int AS bad
  FROM sites w
  CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
    UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
  WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL),
days AS MATERIALIZED (SELECT d.user_id AS person, d.stage,
    d.late AS late, d.in_time AS in_time,
    d.corrected AS corrected, d.responded AS responded,
    d.planned AS planned, d.patrolled AS patrolled
  FROM supervised_stages d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (s.ran_out AT TIME ZONE 'Asia/Shanghai')::date),
    -1 AS late, 0 AS in_time,
    0 AS corrected, 0 AS responded, 0, 0
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2 AND NOT s.may_hide
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out > :now
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (v.moment AT TIME ZONE 'Asia/Shanghai')::date), v.late AS late,
  v.in_time AS in_time,
    v.corrected AS corrected, v.responded AS responded, 0, 0
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0), (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0),
    (s.acted, 0, 0, 0, 1)) AS v(moment, late, in_time, corrected, responded)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND v.moment <= :now
UNION ALL SELECT x.person, stage_on($1, t.site_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date), 0, 0, 0, 0,
  -1 AS planned, 0
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.lapses_at > :now
    AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')),
of_days AS (SELECT x.person, sum(x.late)::int AS late, sum(x.corrected)::int AS corrected,
  sum(x.responded)::int AS responded, sum(x.planned)::int AS planned,
    sum(x.patrolled)::int AS patrolled FROM days x GROUP BY x.person),
paces AS (SELECT x.person, x.what, min(x.step) FILTER (WHERE x.so_far >= 0.5 * x.n) AS p50,
  min(x.step) FILTER (WHERE x.so_far >= 0.9 * x.n) AS p90
  FROM (SELECT y.person, y.what, y.step, sum(sum(y.n)) OVER upwards AS so_far, sum(sum(y.n)) OVER whole AS n
    FROM (SELECT d.user_id AS person, d.what, d.step, d.n
  FROM supervised_times d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date AND true
UNION ALL SELECT s.user_id, v.what, time_step(v.took), 1
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
    AS v(what, moment, took)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND true) y
    GROUP BY y.person, y.what, y.step
    WINDOW whole AS (PARTITION BY y.person, y.what), upwards AS (whole ORDER BY y.step)) x
  GROUP BY x.person, x.what),
stages AS (SELECT g.site_id, g.stage, g.actual_start AS from_day,
    coalesce(lead(g.actual_start) OVER (PARTITION BY g.site_id ORDER BY g.actual_start, g.sort),
      'infinity') AS to_day
  FROM site_stages g
  JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id AND w.bc_id = $2
  WHERE g.tenant_id = $1 AND g.actual_start IS NOT NULL),
judged AS (SELECT u.what, u.person, u.site_id, p.post, u.stage,
    sum(u.n) AS n, sum(u.bad) AS bad, sum(sum(u.bad)) OVER cell / nullif(sum(sum(u.n)) OVER cell, 0)::numeric AS mean
  FROM (SELECT r.what, r.person, CASE WHEN r.what = 'home' THEN r.site_id END AS site_id,
        coalesce(g.stage, '') AS stage, 1 AS n, r.bad
      FROM (SELECT 'promise' AS what, x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_first x UNION ALL SELECT 'warning' AS what,
      x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_warning x UNION ALL SELECT 'home',
      coalesce(h.person, c.person), coalesce(h.site_id, c.site_id),
    (coalesce(h.at, c.at) AT TIME ZONE 'Asia/Shanghai')::date, coalesce(c.n, 0)::int
  FROM homes h
  FULL JOIN (SELECT x.person, x.site_id, max(x.at) AS at, count(*) AS n FROM s_complaint x GROUP BY 1, 2) c
    ON c.person = h.person AND c.site_id = h.site_id) r
      LEFT JOIN stages g ON g.site_id = r.site_id AND g.from_day <= r.day AND g.to_day > r.day
    UNION ALL SELECT 'task', x.person, NULL::uuid, x.stage, x.planned,
      x.planned - x.patrolled FROM days x WHERE (x.planned, x.planned - x.patrolled) <> (0, 0)
    UNION ALL SELECT 'correction', x.person, NULL::uuid, x.stage, x.late + x.in_time,
      x.late FROM days x WHERE (x.late + x.in_time, x.late) <> (0, 0)) u
  JOIN people p ON p.id = u.person
  GROUP BY u.what, u.person, u.site_id, p.post, u.stage
  WINDOW cell AS (PARTITION BY u.what, u.stage, p.post)),
scored AS (SELECT x.person, x.post, sum(x.n) AS n, sum(x.bad) AS bad, sum(x.n * x.mean) AS expected
  FROM judged x GROUP BY x.person, x.post),
ranks AS (SELECT s.person, rank() OVER same AS rank, count(*) OVER (PARTITION BY s.post) AS ranked
  FROM scored s
  WHERE s.n >= 5
  WINDOW same AS (PARTITION BY s.post ORDER BY round((s.bad - s.expected) / s.n, 6)))
SELECT p.id, p.nickname, p.post, c.bc_id, c.bc_name, p.stopped AS "isStopped",
  floor(extract(epoch FROM o.oldest))::float8 AS "oldestAt", coalesce(o.n, 0)::int AS open,
  coalesce(w.n, 0)::int AS sites, coalesce(h.n, 0)::int AS homes,
  coalesce(t.planned, 0)::int AS "planned", coalesce(t.patrolled, 0)::int AS "patrolled",
  coalesce(t.planned - t.patrolled, 0)::int AS "missed",
  coalesce(a.n, 0)::int AS "answered",
  a.p50::int AS "answerP50", a.p90::int AS "answerP90",
  coalesce(t.responded, 0)::int AS "responded",
  b.p50::int AS "responseP50", b.p90::int AS "responseP90",
  coalesce(t.corrected, 0)::int AS "corrected",
  k.p50::int AS "correctionP50", k.p90::int AS "correctionP90",
  coalesce(t.late, 0)::int AS "late",
  coalesce(f.n, 0)::int AS "complaints",
  round(coalesce(f.n, 0) * 10::numeric / nullif(h.n, 0), 1)::float8 AS "perTen",
  coalesce(q.due, 0)::int AS "firstDue", coalesce(q.broken, 0)::int AS "firstBroken",
  coalesce(m.due, 0)::int AS "presentDue", coalesce(m.broken, 0)::int AS "presentBroken",
  coalesce(v.closed - v.moved, 0)::int AS "done", coalesce(v.moved, 0)::int AS "replanned",
  coalesce(z.n, 0)::int AS "byHand",
  coalesce(s.n, 0)::int AS judged, coalesce(s.bad, 0)::int AS bad,
  round(coalesce(s.expected, 0), 1)::float8 AS expected, n.rank::int AS rank,
  (SELECT count(*)::int FROM scored d WHERE d.post = p.post AND d.n >= 5) AS ranked
FROM people p
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = $2
LEFT JOIN (SELECT x.person, count(*) AS n, min(x.since) AS oldest FROM s_waiting x GROUP BY x.person) o
  ON o.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_site x GROUP BY x.person) w ON w.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM homes x GROUP BY x.person) h ON h.person = p.id
LEFT JOIN of_days t ON t.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS n, percentile_disc(0.5) WITHIN GROUP (ORDER BY x.took) AS p50,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY x.took) AS p90
  FROM s_answer x WHERE x.took IS NOT NULL GROUP BY x.person) a ON a.person = p.id
LEFT JOIN paces b ON b.person = p.id AND b.what = 'responded'
LEFT JOIN paces k ON k.person = p.id AND k.what = 'corrected'
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_complaint x GROUP BY x.person) f ON f.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_first x GROUP BY x.person) q ON q.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_present x GROUP BY x.person) m ON m.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS closed,
  sum(x.bad)::int AS moved FROM s_warning x GROUP BY x.person) v ON v.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_hand x GROUP BY x.person) z ON z.person = p.id
LEFT JOIN scored s ON s.person = p.id
LEFT JOIN ranks n ON n.person = p.id) r WHERE true)::int AS total;

-- supervision.person
SELECT r.* FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at, coalesce(l.to_at,
  'infinity') AS to_at,
    w.start_date
  FROM site_leads l
  JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
    AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
    AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
  WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
people AS MATERIALIZED (SELECT u.id, u.nickname,
    coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
    u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
  FROM users u
  WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
    OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
    least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
  FROM led d
  WHERE d.start_date <= $4::date AND d.from_at <= :now
  GROUP BY d.user_id, d.site_id),
s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND t.outcome IS DISTINCT FROM 6
    AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) AND false),
s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.handed AS at, (s.took)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) AND false),
s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
  s.since AS since,
    s.acted AS at, (s.response)::int AS took, (0)::int AS bad
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
    AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
  WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid))) AND false),
s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
    m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
  FROM thread_messages m
  CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
    WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
      AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
        WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
          AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
      AND (l.to_at IS NULL OR l.to_at > m.at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
    AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
      coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
    f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
      (0)::int AS bad
  FROM feedback f
  LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
      AND (l.to_at IS NULL OR l.to_at > f.answered_at)
    ORDER BY l.post = 1 DESC
    LIMIT 1) b ON true
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
      b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
        b.user_id) IS NOT NULL
    AND NOT EXISTS (SELECT FROM feedback_events e
      WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
    AND false),
s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND false),
s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
  FROM feedback f
  CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
      WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
      AND (l.to_at IS NULL OR l.to_at > f.entered_at)
    UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
    AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND false),
s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
    AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
      OR x.withdrawn_on > p.first_due)
    ),
s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
  FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
      WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
        AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
  ORDER BY y.at, y.id
  LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
    (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
      (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
  FROM promises p
  CROSS JOIN LATERAL (SELECT
    CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
    CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
      AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
    AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
    ),
s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('done', 'replanned')
    ),
s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
    v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
  FROM warnings v
  JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
      AND (l.to_at IS NULL OR l.to_at > v.closed_at)
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.ended IN ('hand')
    ),
s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
    coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
  FROM people p
  JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
  JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
  WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
    AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
      AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid) AND false
UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
  h.site_id AS site_id, h.waiting_since AS since,
    coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
  FROM threads h
  JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
    AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
    coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
      (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
  FROM feedback f
  JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
  CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
  WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
    2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
      OR f.hidden_from <> $5::uuid)
    AND false
UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
  (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
    coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
      (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
        (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
  FROM promises p
  WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
    'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
    AND p.responsible_id IS NOT NULL
UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
    coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
      false))::int AS bad
  FROM warnings v
  JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
  WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
    AND w.manager_id IS NOT NULL
UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
    coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person AND NOT p.stopped
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
    AND t.opens_at > :now - interval '90 days' ),
s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
    (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
      (NULL)::int AS took, (0)::int AS bad
  FROM sites w
  CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
    UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
  WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL),
days AS MATERIALIZED (SELECT d.user_id AS person, d.stage,
    0 AS late, 0 AS in_time,
    0 AS corrected, 0 AS responded,
    d.planned AS planned, d.patrolled AS patrolled
  FROM supervised_stages d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (s.ran_out AT TIME ZONE 'Asia/Shanghai')::date),
    0 AS late, 0 AS in_time,
    0 AS corrected, 0 AS responded, 0, 0
  FROM people p
  JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2 AND NOT s.may_hide
    AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out > :now
UNION ALL SELECT s.user_id, stage_on($1, s.of_site, (v.moment AT TIME ZONE 'Asia/Shanghai')::date), 0 AS late,
  0 AS in_time,
    0 AS corrected, 0 AS responded, 0, 0
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0), (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0),
    (s.acted, 0, 0, 0, 1)) AS v(moment, late, in_time, corrected, responded)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND v.moment <= :now
UNION ALL SELECT x.person, stage_on($1, t.site_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date), 0, 0, 0, 0,
  -1 AS planned, 0
  FROM patrol_tasks t
  CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
  JOIN people p ON p.id = x.person
  WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.lapses_at > :now
    AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
      AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')),
of_days AS (SELECT x.person, sum(x.late)::int AS late, sum(x.corrected)::int AS corrected,
  sum(x.responded)::int AS responded, sum(x.planned)::int AS planned,
    sum(x.patrolled)::int AS patrolled FROM days x GROUP BY x.person),
paces AS (SELECT x.person, x.what, min(x.step) FILTER (WHERE x.so_far >= 0.5 * x.n) AS p50,
  min(x.step) FILTER (WHERE x.so_far >= 0.9 * x.n) AS p90
  FROM (SELECT y.person, y.what, y.step, sum(sum(y.n)) OVER upwards AS so_far, sum(sum(y.n)) OVER whole AS n
    FROM (SELECT d.user_id AS person, d.what, d.step, d.n
  FROM supervised_times d
  JOIN people p ON p.id = d.user_id
  WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.day BETWEEN $3::date AND $4::date AND false
UNION ALL SELECT s.user_id, v.what, time_step(v.took), 1
  FROM (SELECT s.* FROM supervised_corrections s
  JOIN people p ON p.id = s.user_id
  WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.may_hide AND (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
    WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
      WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
      AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
        AND f.hidden_from = $5::uuid)))) s
  CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
    AS v(what, moment, took)
  WHERE v.moment >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND v.moment < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND false) y
    GROUP BY y.person, y.what, y.step
    WINDOW whole AS (PARTITION BY y.person, y.what), upwards AS (whole ORDER BY y.step)) x
  GROUP BY x.person, x.what),
stages AS (SELECT g.site_id, g.stage, g.actual_start AS from_day,
    coalesce(lead(g.actual_start) OVER (PARTITION BY g.site_id ORDER BY g.actual_start, g.sort),
      'infinity') AS to_day
  FROM site_stages g
  JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id AND w.bc_id = $2
  WHERE g.tenant_id = $1 AND g.actual_start IS NOT NULL),
judged AS (SELECT u.what, u.person, u.site_id, p.post, u.stage,
    sum(u.n) AS n, sum(u.bad) AS bad, sum(sum(u.bad)) OVER cell / nullif(sum(sum(u.n)) OVER cell, 0)::numeric AS mean
  FROM (SELECT r.what, r.person, CASE WHEN r.what = 'home' THEN r.site_id END AS site_id,
        coalesce(g.stage, '') AS stage, 1 AS n, r.bad
      FROM (SELECT 'promise' AS what, x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_first x UNION ALL SELECT 'warning' AS what,
      x.person, x.site_id,
    (x.at AT TIME ZONE 'Asia/Shanghai')::date AS day, x.bad FROM s_warning x) r
      LEFT JOIN stages g ON g.site_id = r.site_id AND g.from_day <= r.day AND g.to_day > r.day
    UNION ALL SELECT 'task', x.person, NULL::uuid, x.stage, x.planned,
      x.planned - x.patrolled FROM days x WHERE (x.planned, x.planned - x.patrolled) <> (0, 0)
    UNION ALL SELECT 'correction', x.person, NULL::uuid, x.stage, x.late + x.in_time,
      x.late FROM days x WHERE (x.late + x.in_time, x.late) <> (0, 0)) u
  JOIN people p ON p.id = u.person
  GROUP BY u.what, u.person, u.site_id, p.post, u.stage
  WINDOW cell AS (PARTITION BY u.what, u.stage, p.post)),
scored AS (SELECT x.person, x.post, sum(x.n) AS n, sum(x.bad) AS bad, sum(x.n * x.mean) AS expected
  FROM judged x GROUP BY x.person, x.post),
ranks AS (SELECT s.person, rank() OVER same AS rank, count(*) OVER (PARTITION BY s.post) AS ranked
  FROM scored s
  WHERE s.n >= 5
  WINDOW same AS (PARTITION BY s.post ORDER BY round((s.bad - s.expected) / s.n, 6)))
SELECT p.id, p.nickname, p.post, c.bc_id, c.bc_name, p.stopped AS "isStopped",
  floor(extract(epoch FROM o.oldest))::float8 AS "oldestAt", coalesce(o.n, 0)::int AS open,
  coalesce(w.n, 0)::int AS sites, coalesce(h.n, 0)::int AS homes,
  coalesce(t.planned, 0)::int AS "planned", coalesce(t.patrolled, 0)::int AS "patrolled",
  coalesce(t.planned - t.patrolled, 0)::int AS "missed",
  coalesce(a.n, 0)::int AS "answered",
  a.p50::int AS "answerP50", a.p90::int AS "answerP90",
  NULL::int AS "responded",
  b.p50::int AS "responseP50", b.p90::int AS "responseP90",
  NULL::int AS "corrected",
  k.p50::int AS "correctionP50", k.p90::int AS "correctionP90",
  NULL::int AS "late",
  NULL::int AS "complaints",
  NULL::float8 AS "perTen",
  coalesce(q.due, 0)::int AS "firstDue", coalesce(q.broken, 0)::int AS "firstBroken",
  coalesce(m.due, 0)::int AS "presentDue", coalesce(m.broken, 0)::int AS "presentBroken",
  coalesce(v.closed - v.moved, 0)::int AS "done", coalesce(v.moved, 0)::int AS "replanned",
  coalesce(z.n, 0)::int AS "byHand",
  coalesce(s.n, 0)::int AS judged, coalesce(s.bad, 0)::int AS bad,
  round(coalesce(s.expected, 0), 1)::float8 AS expected, n.rank::int AS rank,
  (SELECT count(*)::int FROM scored d WHERE d.post = p.post AND d.n >= 5) AS ranked
FROM people p
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = $2
LEFT JOIN (SELECT x.person, count(*) AS n, min(x.since) AS oldest FROM s_waiting x GROUP BY x.person) o
  ON o.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_site x GROUP BY x.person) w ON w.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM homes x GROUP BY x.person) h ON h.person = p.id
LEFT JOIN of_days t ON t.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS n, percentile_disc(0.5) WITHIN GROUP (ORDER BY x.took) AS p50,
  percentile_disc(0.9) WITHIN GROUP (ORDER BY x.took) AS p90
  FROM s_answer x WHERE x.took IS NOT NULL GROUP BY x.person) a ON a.person = p.id
LEFT JOIN paces b ON b.person = p.id AND b.what = 'responded'
LEFT JOIN paces k ON k.person = p.id AND k.what = 'corrected'
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_complaint x GROUP BY x.person) f ON f.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_first x GROUP BY x.person) q ON q.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS due,
  sum(x.bad)::int AS broken FROM s_present x GROUP BY x.person) m ON m.person = p.id
LEFT JOIN (SELECT x.person, count(*)::int AS closed,
  sum(x.bad)::int AS moved FROM s_warning x GROUP BY x.person) v ON v.person = p.id
LEFT JOIN (SELECT x.person, count(*) AS n FROM s_hand x GROUP BY x.person) z ON z.person = p.id
LEFT JOIN scored s ON s.person = p.id
LEFT JOIN ranks n ON n.person = p.id) r WHERE r.id = $6::uuid;

-- supervision.records
WITH page AS MATERIALIZED (SELECT r.* FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post,
  l.from_at, coalesce(l.to_at, 'infinity') AS to_at,
     w.start_date
   FROM site_leads l
   JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
     AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
     AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
   WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
 people AS MATERIALIZED (SELECT u.id, u.nickname,
     coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
     u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
   FROM users u
   WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
     OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
 homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
     least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
   FROM led d
   WHERE d.start_date <= $4::date AND d.from_at <= :now
   GROUP BY d.user_id, d.site_id),
 s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.outcome IS DISTINCT FROM 6
     AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
 s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.handed AS at, (s.took)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.acted AS at, (s.response)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
     m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
   FROM thread_messages m
   CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
     WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
       AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
         WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
           AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
       AND (l.to_at IS NULL OR l.to_at > m.at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
     AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
       coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
     f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
       (0)::int AS bad
   FROM feedback f
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
       AND (l.to_at IS NULL OR l.to_at > f.answered_at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
       b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
         b.user_id) IS NOT NULL
     AND NOT EXISTS (SELECT FROM feedback_events e
       WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
     ),
 s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
     AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
       OR x.withdrawn_on > p.first_due)
     ),
 s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
     AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
     ),
 s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('done', 'replanned')
     ),
 s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('hand')
     ),
 s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
     coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
   FROM people p
   JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
   JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
   WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
     AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
 UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
   h.site_id AS site_id, h.waiting_since AS since,
     coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
   FROM threads h
   JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
   WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
     AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
 UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
       (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
     2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
       OR f.hidden_from <> $5::uuid)
 UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
   (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
     coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
       (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
         (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
   FROM promises p
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
     'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
     AND p.responsible_id IS NOT NULL
 UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
     coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
       false))::int AS bad
   FROM warnings v
   JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
     AND w.manager_id IS NOT NULL
 UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   JOIN people p ON p.id = x.person AND NOT p.stopped
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
     AND t.opens_at > :now - interval '90 days' ),
 s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
     (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
       (NULL)::int AS took, (0)::int AS bad
   FROM sites w
   CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
     UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
   WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL) SELECT r.* FROM s_waiting r) r
     WHERE r.person = $6::uuid ORDER BY r.since, r.id LIMIT 3)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT r.id, r.kind, r.site_id, w.ws_name AS "siteName",
CASE WHEN true THEN coalesce(CASE r.kind
WHEN 'site' THEN w.ws_name
WHEN 'task' THEN (SELECT l.name FROM patrol_tasks t
  JOIN patrol_plans l ON l.tenant_id = $1 AND l.id = t.plan_id WHERE t.tenant_id = $1 AND t.id = r.id)
WHEN 'correction' THEN (SELECT CASE k.source WHEN 'alarm' THEN CASE a.type WHEN 'cameraproblem' THEN '摄像头偏移'
  WHEN 'noclothes' THEN '未穿工服' WHEN 'smoking' THEN '抽烟' END ELSE k.problem END FROM corrections k
  LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id WHERE k.tenant_id = $1 AND k.id = r.id)
WHEN 'thread' THEN '业主留言'
WHEN 'feedback' THEN (SELECT f.no FROM feedback f WHERE f.tenant_id = $1 AND f.id = r.id)
WHEN 'promise' THEN (SELECT p.content FROM promises p WHERE p.tenant_id = $1 AND p.id = r.id)
WHEN 'warning' THEN (SELECT CASE v.rule WHEN 'lateStart' THEN '该开始没开始' WHEN 'lateFinish' THEN '到期没做完'
  WHEN 'nobody' THEN '阶段中无人施工' WHEN 'unaccepted' THEN '没验收就做下一项' WHEN 'failed' THEN '同一项多次不合格'
    WHEN 'overdue' THEN '整改超期' WHEN 'untidy' THEN '整洁度连续差' END FROM warnings v WHERE v.tenant_id = $1
      AND v.id = r.id) END, '') ELSE '' END AS title, g.stage, floor(extract(epoch FROM r.since))::float8 AS since,
floor(extract(epoch FROM r.at))::float8 AS at, r.took, r.bad,
  true AS "isReached" FROM page r JOIN sites w ON w.tenant_id = $1 AND w.id = r.site_id LEFT
    JOIN LATERAL (SELECT g.stage
     FROM site_stages g
     WHERE g.tenant_id = $1 AND g.site_id = r.site_id AND g.actual_start <= (r.at AT TIME ZONE 'Asia/Shanghai')::date
     ORDER BY g.actual_start DESC, g.sort DESC
     LIMIT 1) g ON true ORDER BY r.since, r.id) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM (WITH led AS MATERIALIZED (SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at,
       coalesce(l.to_at, 'infinity') AS to_at,
     w.start_date
   FROM site_leads l
   JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
     AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
     AND (w.terminated_at IS NULL OR w.terminated_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
   WHERE l.tenant_id = $1 AND l.from_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND (l.to_at IS NULL OR l.to_at > ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai'))),
 people AS MATERIALIZED (SELECT u.id, u.nickname,
     coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
     u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
   FROM users u
   WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
     OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)),
 homes AS (SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
     least(max(d.to_at), (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'), :now) AS at
   FROM led d
   WHERE d.start_date <= $4::date AND d.from_at <= :now
   GROUP BY d.user_id, d.site_id),
 s_task AS (SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     t.closes_at AS at, (NULL)::int AS took, (t.outcome IS NULL)::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.closes_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.closes_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND t.outcome IS DISTINCT FROM 6
     AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ),
 s_late AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.ran_out AS at, (NULL)::int AS took, (1)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.ran_out >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.ran_out < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.ran_out <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_corrected AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.handed AS at, (s.took)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.handed >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.handed < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.handed <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_response AS (SELECT 'correction' AS kind, s.correction_id AS id, s.user_id AS person, s.of_site AS site_id,
   s.since AS since,
     s.acted AS at, (s.response)::int AS took, (0)::int AS bad
   FROM people p
   JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
     AND s.acted >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND s.acted < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND s.acted <= :now
   WHERE (NOT s.may_hide OR EXISTS (SELECT FROM corrections k
     WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT EXISTS (SELECT FROM feedback f
       WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = s.user_id::uuid)
       AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
         AND f.hidden_from = $5::uuid))) ),
 s_answer AS (SELECT 'thread' AS kind, m.id AS id, b.user_id AS person, m.site_id AS site_id, q.at AS since,
     m.at AS at, (greatest(extract(epoch FROM m.at - greatest(q.at, b.from_at)), 0)::int)::int AS took, (0)::int AS bad
   FROM thread_messages m
   CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
     WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
       AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
         WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
           AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = m.site_id AND l.from_at <= m.at
       AND (l.to_at IS NULL OR l.to_at > m.at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE m.tenant_id = $1 AND m.bc_id = $2 AND m.side = 'staff' AND m.taken_at IS NULL AND m.kind = 'words'
     AND m.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND m.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND q.at IS NOT NULL AND b.user_id IS NOT NULL  UNION ALL SELECT 'feedback' AS kind, f.id AS id,
       coalesce(f.assignee_id, b.user_id) AS person, f.site_id AS site_id, f.entered_at AS since,
     f.answered_at AS at, (greatest(extract(epoch FROM f.answered_at - f.entered_at), 0)::int)::int AS took,
       (0)::int AS bad
   FROM feedback f
   LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
     WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.answered_at
       AND (l.to_at IS NULL OR l.to_at > f.answered_at)
     ORDER BY l.post = 1 DESC
     LIMIT 1) b ON true
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.answered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.answered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM coalesce(f.assignee_id,
       b.user_id) AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) AND coalesce(f.assignee_id,
         b.user_id) IS NOT NULL
     AND NOT EXISTS (SELECT FROM feedback_events e
       WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
     ),
 s_complaint AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_kept AS (SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     f.entered_at AS at, (NULL)::int AS took, (1)::int AS bad
   FROM feedback f
   CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
       WHERE l.tenant_id = $1 AND l.of_site = f.site_id AND l.from_at <= f.entered_at
       AND (l.to_at IS NULL OR l.to_at > f.entered_at)
     UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = 'complaint'
     AND f.status <> 4 AND f.entered_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
       AND f.entered_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND f.hidden_from = x.person AND (f.hidden_from IS NULL OR f.hidden_from <> $5::uuid) ),
 s_first AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.first_due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.first_due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.first_due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.first_due BETWEEN $3::date AND $4::date
     AND p.first_due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL
       OR x.withdrawn_on > p.first_due)
     ),
 s_present AS (SELECT 'promise' AS kind, p.id AS id, (SELECT y.who
   FROM (SELECT h.from_id AS who, h.at, h.id FROM promise_events h
       WHERE h.tenant_id = $1 AND h.promise_id = p.id AND h.act = 'hand'
         AND h.at >= ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     UNION ALL SELECT p.responsible_id, 'infinity'::timestamptz, p.id) y
   ORDER BY y.at, y.id
   LIMIT 1) AS person, p.site_id AS site_id, p.made_at AS since,
     (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at, (NULL)::int AS took,
       (NOT coalesce(p.state = 'kept' AND x.kept_on <= p.due, false))::int AS bad
   FROM promises p
   CROSS JOIN LATERAL (SELECT
     CASE WHEN p.state = 'kept' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'keep') AT TIME ZONE 'Asia/Shanghai')::date END AS kept_on,
     CASE WHEN p.state = 'withdrawn' THEN ((SELECT max(e.at) FROM promise_events e WHERE e.tenant_id = $1
       AND e.promise_id = p.id AND e.act = 'withdraw') AT TIME ZONE 'Asia/Shanghai')::date END AS withdrawn_on) x
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.due BETWEEN $3::date AND $4::date
     AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AND (x.withdrawn_on IS NULL OR x.withdrawn_on > p.due)
     ),
 s_warning AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('done', 'replanned')
     ),
 s_hand AS (SELECT 'warning' AS kind, v.id AS id, l.user_id AS person, v.site_id AS site_id, v.opened_at AS since,
     v.closed_at AS at, (NULL)::int AS took, (v.ended = 'replanned')::int AS bad
   FROM warnings v
   JOIN site_leads l ON l.tenant_id = $1 AND l.of_site = v.site_id AND l.from_at <= v.closed_at
       AND (l.to_at IS NULL OR l.to_at > v.closed_at)
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.closed_at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.closed_at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
     AND v.ended IN ('hand')
     ),
 s_waiting AS (SELECT 'correction' AS kind, k.id AS id, t.user_id AS person, k.site_id AS site_id, t.from_at AS since,
     coalesce(t.due_at, t.from_at) AS at, (NULL)::int AS took, (coalesce(t.due_at < :now, false))::int AS bad
   FROM people p
   JOIN correction_turns t ON t.tenant_id = $1 AND t.user_id = p.id AND t.to_at IS NULL
   JOIN corrections k ON k.tenant_id = $1 AND k.id = t.correction_id AND k.bc_id = $2
   WHERE NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1 AND f.id = k.source_id
     AND f.hidden_from = t.user_id::uuid) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback'
       AND f.tenant_id = $1 AND f.id = k.source_id AND f.hidden_from = $5::uuid)
 UNION ALL SELECT 'thread' AS kind, h.site_id AS id, coalesce(w.steward_id, w.manager_id) AS person,
   h.site_id AS site_id, h.waiting_since AS since,
     coalesce(h.due_at, h.waiting_since) AS at, (NULL)::int AS took, (coalesce(h.due_at < :now, false))::int AS bad
   FROM threads h
   JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
   WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.waiting_since IS NOT NULL
     AND coalesce(w.steward_id, w.manager_id) IS NOT NULL
 UNION ALL SELECT 'feedback' AS kind, f.id AS id, x.person AS person, f.site_id AS site_id, f.entered_at AS since,
     coalesce(coalesce(f.close_due_at, f.answer_due_at), f.entered_at) AS at, (NULL)::int AS took,
       (coalesce(coalesce(f.close_due_at, f.answer_due_at) < :now, false))::int AS bad
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   CROSS JOIN LATERAL (SELECT coalesce(f.assignee_id, w.steward_id) AS person) x
   WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1,
     2) AND x.person IS NOT NULL AND f.hidden_from IS DISTINCT FROM x.person AND (f.hidden_from IS NULL
       OR f.hidden_from <> $5::uuid)
 UNION ALL SELECT 'promise' AS kind, p.id AS id, p.responsible_id AS person, p.site_id AS site_id,
   (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS since,
     coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
       (p.due::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS at, (NULL)::int AS took,
         (coalesce(((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') < :now, false))::int AS bad
   FROM promises p
   WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state IN ('open',
     'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
     AND p.responsible_id IS NOT NULL
 UNION ALL SELECT 'warning' AS kind, v.id AS id, w.manager_id AS person, v.site_id AS site_id, v.opened_at AS since,
     coalesce(NULL::timestamptz, v.opened_at) AS at, (NULL)::int AS took, (coalesce(NULL::timestamptz < :now,
       false))::int AS bad
   FROM warnings v
   JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   WHERE v.tenant_id = $1 AND v.bc_id = $2 AND v.state <> 'closed' AND v.ball = 'manager'
     AND w.manager_id IS NOT NULL
 UNION ALL SELECT 'task' AS kind, t.id AS id, x.person AS person, t.site_id AS site_id, t.opens_at AS since,
     coalesce(t.closes_at, t.opens_at) AS at, (NULL)::int AS took, (coalesce(t.closes_at < :now, false))::int AS bad
   FROM patrol_tasks t
   CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
   JOIN people p ON p.id = x.person AND NOT p.stopped
   WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.outcome IS NULL AND t.opens_at <= :now AND t.lapses_at > :now
     AND t.opens_at > :now - interval '90 days' ),
 s_site AS (SELECT 'site' AS kind, w.id AS id, x.person AS person, w.id AS site_id, NULL::timestamptz AS since,
     (coalesce(w.start_date, w.planned_start, $3::date)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at,
       (NULL)::int AS took, (0)::int AS bad
   FROM sites w
   CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
     UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
   WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL) SELECT r.* FROM s_waiting r) r
     WHERE r.person = $6::uuid)::int AS total;

-- supervision.recount
INSERT INTO supervised_corrections AS s (tenant_id, correction_id, user_id, bc_id, of_site, may_hide, since,
  ran_out, handed, took, acted, response)
SELECT n.tenant_id, n.correction_id, n.user_id, n.bc_id, n.of_site, n.may_hide, n.since, n.ran_out, n.handed,
  n.took, n.acted, n.response
FROM corrections k
CROSS JOIN LATERAL supervised_correction($1, k.id) n
WHERE k.tenant_id = $1 AND n.since >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
ORDER BY n.correction_id, n.user_id
ON CONFLICT (tenant_id, correction_id, user_id) DO UPDATE SET
  bc_id = excluded.bc_id, of_site = excluded.of_site, may_hide = excluded.may_hide, since = excluded.since,
  ran_out = excluded.ran_out, handed = excluded.handed, took = excluded.took, acted = excluded.acted,
  response = excluded.response
WHERE s IS DISTINCT FROM excluded;

-- supervision.recountdays
WITH counted AS (
  SELECT x.bc_id, (x.moment AT TIME ZONE 'Asia/Shanghai')::date AS day, x.user_id, x.of_site, sum(x.late) AS late,
    sum(x.in_time) AS in_time, sum(x.corrected) AS corrected, sum(x.responded) AS responded, sum(x.planned) AS planned,
      sum(x.patrolled) AS patrolled
  FROM (SELECT s.bc_id, s.user_id, s.of_site, v.*
    FROM supervised_corrections s
    CROSS JOIN LATERAL (VALUES (s.ran_out, 1, 0, 0, 0, 0, 0),
      (s.handed, 0, (s.ran_out IS NULL)::int, 1, 0, 0, 0), (s.acted, 0, 0, 0, 1, 0, 0))
      AS v(moment, late, in_time, corrected, responded, planned, patrolled)
    WHERE s.tenant_id = $1 AND NOT s.may_hide
    UNION ALL SELECT t.bc_id, p.user_id, t.site_id, t.closes_at, 0, 0, 0, 0, 1, (t.outcome IS NOT NULL)::int
    FROM patrol_tasks t
    CROSS JOIN LATERAL unnest(t.user_ids) AS p(user_id)
    WHERE t.tenant_id = $1 AND t.closes_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
      AND t.outcome IS DISTINCT FROM 6) x
  WHERE x.moment >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  GROUP BY 1, 2, 3, 4),
kept AS (SELECT k.bc_id, k.day, k.user_id, k.of_site, k.late, k.in_time, k.corrected, k.responded, k.planned,
  k.patrolled
  FROM supervised_days k
  WHERE k.tenant_id = $1 AND k.day >= $2::date),
differing AS (SELECT bc_id, day, user_id, of_site,
    coalesce(c.late, 0) - coalesce(k.late, 0) AS late, coalesce(c.in_time, 0) - coalesce(k.in_time, 0) AS in_time,
      coalesce(c.corrected, 0) - coalesce(k.corrected, 0) AS corrected, coalesce(c.responded,
        0) - coalesce(k.responded, 0) AS responded, coalesce(c.planned, 0) - coalesce(k.planned, 0) AS planned,
          coalesce(c.patrolled, 0) - coalesce(k.patrolled, 0) AS patrolled
  FROM counted c
  FULL JOIN kept k USING (bc_id, day, user_id, of_site))
INSERT INTO supervised_days AS k (tenant_id, bc_id, day, user_id, of_site, late, in_time, corrected, responded,
  planned, patrolled)
SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.of_site, d.late, d.in_time, d.corrected, d.responded, d.planned,
  d.patrolled
FROM differing d
WHERE (d.late, d.in_time, d.corrected, d.responded, d.planned, d.patrolled) <> (0, 0, 0, 0, 0, 0)
ORDER BY 2, 3, 4, 5
ON CONFLICT (tenant_id, bc_id, day, user_id, of_site) DO UPDATE SET
  late = k.late + excluded.late, in_time = k.in_time + excluded.in_time, corrected = k.corrected + excluded.corrected,
    responded = k.responded + excluded.responded, planned = k.planned + excluded.planned,
      patrolled = k.patrolled + excluded.patrolled;

-- supervision.recountgone
DELETE FROM supervised_corrections s
WHERE s.tenant_id = $1 AND s.since >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai' AND NOT EXISTS (
  SELECT FROM supervised_correction($1, s.correction_id) n WHERE n.user_id = s.user_id);

-- supervision.recountstages
WITH counted AS (
  SELECT d.bc_id, d.day, d.user_id, d.stage, sum(d.late) AS late, sum(d.in_time) AS in_time,
    sum(d.corrected) AS corrected, sum(d.responded) AS responded, sum(d.planned) AS planned,
      sum(d.patrolled) AS patrolled
  FROM supervised_days d
  WHERE d.tenant_id = $1 AND d.day >= $2::date
  GROUP BY 1, 2, 3, 4),
kept AS (
  SELECT k.bc_id, k.day, k.user_id, k.stage, sum(k.late) AS late, sum(k.in_time) AS in_time,
    sum(k.corrected) AS corrected, sum(k.responded) AS responded, sum(k.planned) AS planned,
      sum(k.patrolled) AS patrolled
  FROM supervised_stages k
  WHERE k.tenant_id = $1 AND k.day >= $2::date
  GROUP BY 1, 2, 3, 4)
INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, late, in_time, corrected, responded, planned,
  patrolled)
SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.stage, d.late, d.in_time, d.corrected, d.responded, d.planned, d.patrolled
FROM (SELECT bc_id, day, user_id, stage, coalesce(c.late, 0) - coalesce(k.late, 0) AS late, coalesce(c.in_time,
  0) - coalesce(k.in_time, 0) AS in_time, coalesce(c.corrected, 0) - coalesce(k.corrected, 0) AS corrected,
    coalesce(c.responded, 0) - coalesce(k.responded, 0) AS responded, coalesce(c.planned, 0) - coalesce(k.planned,
      0) AS planned, coalesce(c.patrolled, 0) - coalesce(k.patrolled, 0) AS patrolled
  FROM counted c
  FULL JOIN kept k USING (bc_id, day, user_id, stage)) d
WHERE (d.late, d.in_time, d.corrected, d.responded, d.planned, d.patrolled) <> (0, 0, 0, 0, 0, 0);

-- supervision.recounttimes
WITH counted AS (
  SELECT s.bc_id, (v.moment AT TIME ZONE 'Asia/Shanghai')::date AS day, s.user_id, v.what, time_step(v.took) AS step,
    count(*) AS n
  FROM supervised_corrections s
  CROSS JOIN LATERAL (VALUES ('corrected', s.handed, s.took), ('responded', s.acted, s.response))
    AS v(what, moment, took)
  WHERE s.tenant_id = $1 AND NOT s.may_hide AND v.moment >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  GROUP BY 1, 2, 3, 4, 5),
kept AS (SELECT k.bc_id, k.day, k.user_id, k.what, k.step, k.n
  FROM supervised_times k
  WHERE k.tenant_id = $1 AND k.day >= $2::date),
differing AS (SELECT bc_id, day, user_id, what, step, coalesce(c.n, 0) - coalesce(k.n, 0) AS n
  FROM counted c
  FULL JOIN kept k USING (bc_id, day, user_id, what, step))
INSERT INTO supervised_times AS k (tenant_id, bc_id, day, user_id, what, step, n)
SELECT $1::uuid, d.bc_id, d.day, d.user_id, d.what, d.step, d.n
FROM differing d
WHERE d.n <> 0
ORDER BY 2, 3, 4, 5, 6
ON CONFLICT (tenant_id, bc_id, day, user_id, what, step) DO UPDATE SET n = k.n + excluded.n;

-- supervision.remark
SELECT k.id, k.figure, k.from_day::text AS "from", k.to_day::text AS "to", k.words,
  floor(extract(epoch FROM k.at))::float8 AS at,
k.version, k.bc_id
FROM supervision_remarks k
WHERE k.tenant_id = $1 AND k.user_id = $2 AND k.id = $3
FOR UPDATE OF k;

-- supervision.remarks
SELECT k.id, k.figure, k.from_day::text AS "from", k.to_day::text AS "to", k.words,
  floor(extract(epoch FROM k.at))::float8 AS at,
k.version
FROM supervision_remarks k
WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.user_id = $5 AND k.to_day >= $3::date AND k.from_day <= $4::date
ORDER BY k.at DESC, k.id
LIMIT 100;

-- supervision.restage
UPDATE supervised_days d SET stage = n.stage
FROM (SELECT k.bc_id, k.day, k.user_id, k.of_site, stage_on($1, k.of_site, k.day) AS stage
  FROM supervised_days k
  WHERE k.tenant_id = $1 AND k.day >= $2::date) n
WHERE d.tenant_id = $1 AND (d.bc_id, d.day, d.user_id, d.of_site) = (n.bc_id, n.day, n.user_id, n.of_site)
  AND d.stage <> n.stage;

-- supervision.say
INSERT INTO supervision_remarks (tenant_id, id, bc_id, user_id, figure, from_day, to_day, words, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now);

-- supervision.unled
SELECT w.id, w.ws_name
FROM sites w
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL
  AND (w.steward_id IS NULL OR w.manager_id IS NULL)
ORDER BY w.code;

-- supervision.unsay
DELETE FROM supervision_remarks k WHERE k.tenant_id = $1 AND k.id = $2;

-- supervision.unvisited
SELECT w.id, w.ws_name, w.lng, w.lat, floor(extract(epoch FROM v.at))::float8 AS "lastAt"
FROM sites w
CROSS JOIN LATERAL (SELECT greatest(
  (SELECT max(p.begun_at) FROM patrols p
   JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id AND u.post IS NOT NULL
   WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.kind <> 'remote'
     AND p.begun_at >= (((:now AT TIME ZONE 'Asia/Shanghai')::date - 89)::date::timestamp AT TIME ZONE
       'Asia/Shanghai')),
  (SELECT max(d.last_at) FROM attendance_days d
   JOIN workers k ON k.tenant_id = $1 AND k.id = d.worker_id AND k.user_id IS NOT NULL
   WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.day > (:now AT TIME ZONE 'Asia/Shanghai')::date - 90)) AS at) v
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = 1 AND w.deleted_at IS NULL
  AND ($3::uuid IS NULL OR $3 IN (w.steward_id, w.manager_id))
  AND (v.at IS NULL
    OR v.at < (((:now AT TIME ZONE 'Asia/Shanghai')::date - $4::int + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
ORDER BY v.at NULLS FIRST, w.code;

-- supervision.visits
WITH page AS MATERIALIZED (SELECT p.* FROM patrols p WHERE p.tenant_id = $1::uuid AND EXISTS (SELECT FROM users m
  WHERE m.tenant_id = $1 AND m.id = p.inspector_id
AND (m.post IS NOT NULL OR EXISTS (SELECT FROM site_leads l WHERE l.tenant_id = $1 AND l.user_id = m.id)))
  AND p.begun_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND p.begun_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') ORDER BY p.begun_at DESC,
      p.id DESC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT p.id, p.number, p.inspector_id, u.nickname AS "inspectorName", p.site_id, w.ws_name AS "siteName",
 p.bc_id, c.bc_name, floor(extract(epoch FROM p.begun_at))::float8 AS at, p.kind,
   CASE p.status WHEN 1 THEN 'begun' WHEN 3 THEN 'abandoned'
ELSE CASE WHEN p.problems > 0 THEN 'problems' ELSE 'clear' END END AS result, p.score, p.problems,
 true AS "isReached" FROM page p JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
 JOIN users u ON u.tenant_id = $1 AND u.id = p.inspector_id ORDER BY p.begun_at DESC, p.id DESC) r),
   '[]'::json)::text AS list,
  (SELECT count(*) FROM patrols p WHERE p.tenant_id = $1::uuid AND EXISTS (SELECT FROM users m WHERE m.tenant_id = $1
    AND m.id = p.inspector_id
AND (m.post IS NOT NULL OR EXISTS (SELECT FROM site_leads l WHERE l.tenant_id = $1 AND l.user_id = m.id)))
  AND p.begun_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND p.begun_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))::int AS total;
