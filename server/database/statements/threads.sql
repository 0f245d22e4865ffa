-- progress.act
SELECT m.id, m.seq FROM thread_messages m WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.act = $3;

-- progress.arrived
SELECT DISTINCT l.name
FROM dispatches d
JOIN carried c ON c.tenant_id = $1 AND c.note_id = d.id
JOIN order_lines l ON l.tenant_id = $1 AND l.id = c.line_id
WHERE d.tenant_id = $1 AND d.site_id = $2
  AND d.delivered_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai'
ORDER BY 1
LIMIT 20;

-- progress.happened
SELECT kind, stage, n FROM (
     SELECT CASE WHEN g.actual_finish = (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'accepted'
       ELSE 'begun' END AS kind, g.stage, 1 AS n, g.sort
     FROM site_stages g
WHERE g.tenant_id = $1 AND g.site_id = $2 AND (g.actual_start = (:now AT TIME ZONE 'Asia/Shanghai')::date
  OR g.actual_finish = (:now AT TIME ZONE 'Asia/Shanghai')::date)
     UNION ALL
     SELECT 'arrived', NULL, count(*)::int, 100 FROM dispatches d
WHERE d.tenant_id = $1 AND d.site_id = $2
  AND d.delivered_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai' HAVING
    count(*) > 0
     UNION ALL
     SELECT 'patrols', NULL, count(*)::int, 101 FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.status = 2
  AND p.submitted_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai' HAVING
    count(*) > 0) k
   ORDER BY sort;

-- progress.homes
SELECT * FROM (
     SELECT w.id AS site_id, w.ws_name AS "siteName", o.name AS "ownerName",
       (SELECT count(*)::int FROM site_stages g
WHERE g.tenant_id = $1 AND g.site_id = w.id AND (g.actual_start = (:now AT TIME ZONE 'Asia/Shanghai')::date
  OR g.actual_finish = (:now AT TIME ZONE 'Asia/Shanghai')::date)) + (SELECT count(*)::int FROM dispatches d
WHERE d.tenant_id = $1 AND d.site_id = w.id
  AND d.delivered_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai')
         + (SELECT count(*)::int FROM patrols p
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.status = 2
  AND p.submitted_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS happened,
       (SELECT count(DISTINCT f.key)::int FROM patrols p
JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id
JOIN files f ON f.tenant_id = $1 AND f.key = ANY (i.pictures) AND f.kind = 'picture' AND f.device_id IS NULL
WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.status = 2
  AND p.kind <> 'remote'
    AND p.submitted_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS
      pictures,
       (SELECT floor(extract(epoch FROM max(m.at)))::float8 FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = w.id AND m.kind = 'progress' AND m.taken_at IS NULL
  AND m.at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS "sentAt"
     FROM sites w
     JOIN home_contacts h ON h.tenant_id = $1 AND h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.status = 1 AND (w.steward_id = $2::uuid
       OR w.manager_id = $2::uuid OR NOT EXISTS (
       SELECT 1 FROM sites k
       WHERE k.tenant_id = $1 AND k.status = 1 AND k.deleted_at IS NULL
         AND (k.steward_id = $2::uuid OR k.manager_id = $2::uuid)))) k
   WHERE k.happened > 0 OR k."sentAt" IS NOT NULL
   ORDER BY k."sentAt" IS NOT NULL, k."siteName", k.site_id
   LIMIT 100;

-- progress.sent
SELECT floor(extract(epoch FROM m.at))::float8 AS at, m.who FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.kind = 'progress' AND m.taken_at IS NULL
  AND m.at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai'
    ORDER BY m.seq DESC LIMIT 10;

-- progress.shots
SELECT f.key, min(i.title) AS title, bool_or(i.verdict = 'failed') AS failed,
  floor(extract(epoch FROM max(p.submitted_at)))::float8 AS at
   FROM patrols p
JOIN patrol_items i ON i.tenant_id = $1 AND i.patrol_id = p.id
JOIN files f ON f.tenant_id = $1 AND f.key = ANY (i.pictures) AND f.kind = 'picture' AND f.device_id IS NULL
WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.status = 2
  AND p.kind <> 'remote'
    AND p.submitted_at >= (:now AT TIME ZONE 'Asia/Shanghai')::date::timestamp AT TIME ZONE 'Asia/Shanghai'
   GROUP BY f.key
   ORDER BY 3, 4 DESC, 1
   LIMIT 60;

-- threads.add
INSERT INTO thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, contact_id, user_id,
  post, words, pictures, act, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, :now);

-- threads.carried
SELECT unnest(x.pictures) AS key FROM thread_outcomes x WHERE x.tenant_id = $1 AND x.message_id = $2;

-- threads.clocks
SELECT t.site_id, t.bc_id AS bc, t.due_at, t.late_at
FROM threads t
WHERE t.tenant_id = $1 AND t.bc_id = ANY ($2::uuid[]) AND t.late_at > :now
ORDER BY t.site_id
FOR UPDATE OF t;

-- threads.contacts
SELECT h.id, coalesce(h.name, o.name) AS name, h.relation
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL
ORDER BY h.owner_id IS NULL, h.since, h.id;

-- threads.empty
SELECT w.id
   FROM sites w
   JOIN threads t ON t.tenant_id = $1 AND t.site_id = w.id
   WHERE w.tenant_id = $1 AND w.bc_id = $2 AND (w.status = 4 AND w.actual_finish < $3::date
  OR w.status = 3 AND (w.terminated_at AT TIME ZONE 'Asia/Shanghai')::date < $3::date)
AND NOT (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = w.id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.state = 'open'))
AND NOT EXISTS (SELECT 1 FROM feedback o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.status IN (1, 2))
AND NOT EXISTS (SELECT 1 FROM promises o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.state IN ('open',
    'extended')) AND NOT EXISTS (SELECT 1 FROM thread_messages m WHERE m.tenant_id = $1 AND m.site_id = w.id)
   LIMIT 500;

-- threads.erase
UPDATE thread_messages SET words = '', pictures = '{}', taken_at = :now WHERE tenant_id = $1 AND id = $2;

-- threads.forget
DELETE FROM thread_messages k
     WHERE k.tenant_id = $1 AND k.id IN (SELECT m.id FROM sites w
JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = w.id
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND (w.status = 4 AND w.actual_finish < $3::date
  OR w.status = 3 AND (w.terminated_at AT TIME ZONE 'Asia/Shanghai')::date < $3::date)
AND NOT (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = w.id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.state = 'open'))
AND NOT EXISTS (SELECT 1 FROM feedback o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.status IN (1, 2))
AND NOT EXISTS (SELECT 1 FROM promises o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.state IN ('open',
    'extended')) AND m.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM thread_outcomes x
  WHERE x.tenant_id = $1 AND x.message_id = m.id) ORDER BY m.site_id, m.seq LIMIT 500)
     RETURNING k.id, k.pictures;

-- threads.forgetreads
DELETE FROM thread_reads r WHERE r.tenant_id = $1 AND r.site_id = ANY ($2);

-- threads.forgetthread
DELETE FROM threads t WHERE t.tenant_id = $1 AND t.site_id = ANY ($2);

-- threads.holdhome
SELECT w.id, w.bc_id, w.ws_name, w.status, w.owner_id, w.manager_id, w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL FOR NO KEY UPDATE OF w;

-- threads.keep
INSERT INTO threads (tenant_id, site_id, bc_id, newest, waiting_since, waiting_from, due_at, late_at, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)
ON CONFLICT (tenant_id, site_id) DO UPDATE
SET newest = $4, waiting_since = $5, waiting_from = $6, due_at = $7, late_at = $8, changed_at = :now;

-- threads.keeptemplates
INSERT INTO thread_templates AS s (tenant_id, bc_id, texts, changed_by, changed_at)
VALUES ($1, $2, $3, $4, :now)
ON CONFLICT (tenant_id, bc_id) DO UPDATE
SET texts = $3, changed_by = $4, changed_at = :now, version = s.version + 1
WHERE s.version = $5;

-- threads.leaders
SELECT w.manager_id, w.steward_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2;

-- threads.line
SELECT m.id, m.site_id, m.kind, m.side, m.contact_id, m.user_id, m.pictures, m.at,
  m.taken_at IS NOT NULL AS "isTaken"
FROM thread_messages m
WHERE m.tenant_id = $1::uuid AND m.id = $2::uuid;

-- threads.moveclocks
UPDATE threads t
SET due_at = x.due_at, late_at = x.late_at
FROM json_populate_recordset(NULL::threads, $2::json) x
WHERE t.tenant_id = $1 AND t.site_id = x.site_id;

-- threads.newer
SELECT m.who, m.side, m.kind, m.words, m.at
FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.seq > $3 AND m.taken_at IS NULL
ORDER BY m.seq DESC
LIMIT 1;

-- threads.offeedback
SELECT x.id FROM feedback x WHERE x.tenant_id = $1::uuid AND x.site_id = ANY($2::uuid[]) AND x.site_id = $3::uuid
  AND x.id = $4::uuid AND NOT EXISTS (SELECT FROM feedback f WHERE f.tenant_id = $1 AND f.id = x.id
    AND f.hidden_from = $5::uuid);

-- threads.ofpromise
SELECT x.id FROM promises x WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND x.site_id = $3::uuid
  AND x.id = $4::uuid;

-- threads.ofquestion
SELECT x.id FROM questions x WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND x.site_id = $3::uuid
  AND x.id = $4::uuid;

-- threads.ofreception
SELECT x.id FROM receptions x WHERE x.tenant_id = $1::uuid AND x.site_id = $2::uuid AND x.id = $3::uuid;

-- threads.old
SELECT count(*)::int AS n FROM (SELECT 1 FROM sites w
JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = w.id
WHERE w.tenant_id = $1 AND w.bc_id = $2 AND (w.status = 4 AND w.actual_finish < $3::date
  OR w.status = 3 AND (w.terminated_at AT TIME ZONE 'Asia/Shanghai')::date < $3::date)
AND NOT (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = w.id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.state = 'open'))
AND NOT EXISTS (SELECT 1 FROM feedback o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.status IN (1, 2))
AND NOT EXISTS (SELECT 1 FROM promises o
  WHERE o.tenant_id = $1 AND o.site_id = w.id AND o.state IN ('open',
    'extended')) AND m.tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM thread_outcomes x
  WHERE x.tenant_id = $1 AND x.message_id = m.id) LIMIT $4) k;

-- threads.one
SELECT t.newest, t.waiting_since, t.waiting_from, t.due_at, t.late_at
FROM threads t
WHERE t.tenant_id = $1 AND t.site_id = $2;

-- threads.outcome
INSERT INTO thread_outcomes (tenant_id, message_id, kind, record_id, made_by, pictures, at)
VALUES ($1, $2, $3, $4, $5, $6, :now)
ON CONFLICT DO NOTHING;

-- threads.outcomes
SELECT x.message_id, x.kind, x.record_id AS id
FROM thread_messages m
JOIN thread_outcomes x ON x.tenant_id = $1 AND x.message_id = m.id
WHERE m.tenant_id = $1::uuid AND m.site_id = $2::uuid AND (x.kind <> 'feedback' OR NOT EXISTS (SELECT FROM feedback f
  WHERE f.tenant_id = $1 AND f.id = x.record_id AND f.hidden_from = $3::uuid))
ORDER BY x.at, x.record_id
LIMIT 500;

-- threads.own
SELECT m.id, m.seq, m.side, m.channel, CASE WHEN m.side = 'staff' THEN m.post ELSE m.who END AS who, m.words,
     m.pictures, floor(extract(epoch FROM m.at))::float8 AS at, m.taken_at IS NOT NULL AS "isTaken",
     coalesce(m.contact_id = $3 AND m.user_id IS NULL, false) AS mine
   FROM thread_messages m
   WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.kind <> 'silence'
AND m.at >= (SELECT s.since FROM home_contacts s
       WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
         AND ($4::int IS NULL OR m.seq < $4)
   ORDER BY m.seq DESC
   LIMIT 31;

-- threads.page
WITH page AS MATERIALIZED (SELECT m.* FROM thread_messages m WHERE m.tenant_id = $1::uuid AND m.site_id = $2::uuid
  ORDER BY m.seq ASC, m.id DESC LIMIT 3)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT m.id, m.seq, m.kind, m.side, m.channel, m.who,
  CASE WHEN m.side = 'owner' THEN coalesce(u.nickname, '') ELSE '' END AS "enteredBy", m.user_id, m.words,
  m.pictures, floor(extract(epoch FROM m.at))::float8 AS at,
    floor(extract(epoch FROM m.taken_at))::float8 AS "takenAt", floor(extract(epoch FROM s.at))::float8 AS "seenAt",
  coalesce(s.name, '') AS "seenBy",
  coalesce(m.side = 'owner' AND m.taken_at IS NULL AND m.seq >= t.waiting_from,
    false) AS waits FROM page m JOIN threads t ON t.tenant_id = $1 AND t.site_id = m.site_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = m.user_id
LEFT JOIN LATERAL (
  SELECT r.at, coalesce(h.name, o.name) AS name
  FROM thread_reads r
  JOIN home_contacts h ON h.tenant_id = $1 AND h.id = r.contact_id
  LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
  WHERE r.tenant_id = $1 AND r.site_id = m.site_id AND r.after < m.seq AND m.seq <= r.seq
  ORDER BY r.at, r.contact_id
  LIMIT 1) s ON m.side = 'staff' AND m.kind <> 'silence' AND m.channel = 'page' ORDER BY m.seq ASC, m.id DESC) r),
    '[]'::json)::text AS list,
    (SELECT count(*) FROM thread_messages m WHERE m.tenant_id = $1::uuid AND m.site_id = $2::uuid)::int AS total;

-- threads.paperhome
SELECT w.id, w.bc_id, w.code, w.ws_name AS "siteName", CASE WHEN true THEN w.address ELSE w.community END AS address,
  coalesce(s.nickname, '') AS steward,
  (SELECT max(s.ended_at) FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = w.id AND s.owner_id IS NOT NULL AND s.ended_at <= $3::timestamptz) AS from,
      (SELECT min(s.ended_at) FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = w.id AND s.owner_id IS NOT NULL AND s.ended_at > $3::timestamptz) AS to
FROM sites w
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- threads.paperlines
SELECT m.at, m.kind, m.side, m.channel, m.who, m.words, m.pictures, m.taken_at IS NOT NULL AS "isTaken",
  count(*) OVER ()::int AS n
FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = $2 AND ($3::timestamptz IS NULL OR m.at >= $3) AND ($4::timestamptz IS NULL
  OR m.at < $4)
ORDER BY m.seq
LIMIT 500;

-- threads.paperpeople
SELECT coalesce(h.name, o.name) AS name, h.relation, masked_phone(coalesce(h.phone, o.phone)) AS phone,
  h.owner_id IS NOT NULL AS "isOwner"
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND ($4::timestamptz IS NULL OR h.since < $4)
  AND ($3::timestamptz IS NULL OR h.ended_at IS NULL OR h.ended_at > $3)
ORDER BY h.owner_id IS NULL, h.since, h.id;

-- threads.picture
SELECT 1
FROM home_devices d
JOIN home_contacts c ON c.tenant_id = $1 AND c.id = d.contact_id AND c.ended_at IS NULL
JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = c.site_id AND m.at >= (SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = c.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
  AND m.pictures && ARRAY[$4]
WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound'
LIMIT 1;

-- threads.readhome
SELECT w.id, w.bc_id, w.ws_name, w.status, w.owner_id, w.manager_id, w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL;

-- threads.remind
SELECT t.site_id AS id, t.bc_id, w.ws_name AS "siteName", w.manager_id, w.steward_id, t.waiting_from AS from,
  x.late, x.step
FROM threads t
JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
CROSS JOIN LATERAL (VALUES
  ('due:' || t.waiting_from, false, t.due_at),
  ('late:' || t.waiting_from, true, t.late_at)) x(step, late, at)
WHERE t.tenant_id = $1 AND t.due_at <= :now AND x.at <= :now
  AND NOT EXISTS (
    SELECT FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'thread' AND m.cause_id = t.site_id::text AND m.step = x.step)
ORDER BY x.at, t.site_id
LIMIT 500
FOR UPDATE OF t SKIP LOCKED;

-- threads.saw
INSERT INTO thread_reads (tenant_id, contact_id, seq, after, site_id, at)
   SELECT $1, $3, x.seq, x.after, $2, :now
   FROM (SELECT max(m.seq) AS seq, greatest(min(m.seq) - 1, coalesce((SELECT max(r.seq)
         FROM thread_reads r
         WHERE r.tenant_id = $1 AND r.contact_id = $3), 0)) AS after
       FROM thread_messages m
       WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.kind <> 'silence'
AND m.at >= (SELECT s.since FROM home_contacts s
       WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL) AND m.seq <= $4) x
   WHERE x.seq > x.after
   ON CONFLICT DO NOTHING;

-- threads.since
SELECT (SELECT s.since FROM home_contacts s
WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL) AS since;

-- threads.templates
SELECT coalesce(s.texts, '{}') AS texts, coalesce(s.version, 0) AS version,
  coalesce(s.changed_by, '') AS "changedBy", floor(extract(epoch FROM s.changed_at))::float8 AS "changedAt"
FROM companies c
LEFT JOIN thread_templates s ON s.tenant_id = $1 AND s.bc_id = c.bc_id
WHERE c.tenant_id = $1 AND c.bc_id = $2;

-- threads.unanswered
SELECT m.seq, m.at
FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.side = 'owner' AND m.taken_at IS NULL
  AND m.seq > coalesce((SELECT max(a.seq)
    FROM thread_messages a
    WHERE a.tenant_id = $1 AND a.site_id = $2 AND a.side = 'staff' AND a.kind <> 'progress'
      AND a.taken_at IS NULL), 0)
ORDER BY m.seq
LIMIT 1;

-- threads.unansweredof
SELECT count(*)::int AS n
FROM threads t
JOIN thread_messages m ON m.tenant_id = $1 AND m.site_id = t.site_id AND m.seq >= t.waiting_from
  AND m.taken_at IS NULL
WHERE t.tenant_id = $1 AND t.site_id = $2;

-- threads.waiting
SELECT count(*)::int AS n FROM threads t WHERE t.tenant_id = $1 AND t.bc_id = $2 AND t.waiting_since IS NOT NULL;
