-- grants.add
INSERT INTO video_grants (tenant_id, id, bc_id, site_id, contact_id, from_day, to_day, from_time, to_time, state,
  granted_by, granted_at, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, :now, $10, :now);

-- grants.addcameras
INSERT INTO video_grant_cameras (tenant_id, grant_id, device_id, added_at)
SELECT $1, $2, x, :now FROM unnest($3::uuid[]) x;

-- grants.cameras
SELECT d.id, d.sn, d.site_id,
  d.device_status AS status FROM devices d WHERE d.tenant_id = $1::uuid AND d.deleted_at IS NULL AND d.type = 'camera'
    AND d.id = $2::uuid ORDER BY d.sn;

-- grants.camerasof
SELECT g.id AS "grant", d.id, d.sn, (d.site_id = g.site_id AND d.deleted_at IS NULL AND NOT EXISTS (
SELECT 1 FROM device_stands e
WHERE e.tenant_id = $1 AND e.device_id = d.id AND e.site_id = g.site_id AND e.to_at >= k.added_at)) AS here
    FROM video_grants g
    JOIN video_grant_cameras k ON k.tenant_id = $1 AND k.grant_id = g.id
    JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
    WHERE g.tenant_id = $1::uuid AND g.site_id = $2::uuid AND g.state <> 'ended' ORDER BY d.sn;

-- grants.contacts
SELECT h.id AS contact_id, coalesce(h.name, o.name) AS name, h.relation, c.state AS consent,
  floor(extract(epoch FROM coalesce(c.withdrawn_at, c.recorded_at)))::float8 AS "consentAt",
  coalesce(c.withdrawn_by, c.recorded_by, '') AS "consentBy"
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
LEFT JOIN LATERAL (SELECT x.* FROM consents x
  WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id
  ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) c ON true
WHERE h.tenant_id = $1::uuid AND h.site_id = $2::uuid AND h.ended_at IS NULL
ORDER BY h.owner_id IS NULL, h.since, h.id;

-- grants.count
SELECT count(*)::int AS n FROM video_grants g
WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.state <> 'ended';

-- grants.home
SELECT h.status,
  coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'ownerVideoFrom' AND (s.bc_id = h.bc_id
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"08:00"'::jsonb) #>> '{}' AS "from",
      coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'ownerVideoTo' AND (s.bc_id = h.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"20:00"'::jsonb) #>> '{}' AS "to"
FROM sites h WHERE h.tenant_id = $1 AND h.id = $2;

-- grants.lock
SELECT g.id, g.contact_id, g.state, g.from_day::text AS "fromDay", g.to_day::text AS "toDay",
g.from_time AS "from", g.to_time AS "to", g.granted_by AS "grantedBy", g.changed_by AS "changedBy",
floor(extract(epoch FROM g.changed_at))::float8 AS "changedAt", g.reason, g.version, g.bc_id, g.site_id, EXISTS (
    SELECT 1 FROM video_grant_cameras k JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
    WHERE k.tenant_id = $1 AND k.grant_id = g.id AND d.site_id = g.site_id AND d.deleted_at IS NULL AND NOT EXISTS (
SELECT 1 FROM device_stands e
WHERE e.tenant_id = $1 AND e.device_id = d.id AND e.site_id = g.site_id AND e.to_at >= k.added_at)) AS here
  FROM video_grants g WHERE g.tenant_id = $1::uuid AND g.id = $2::uuid FOR UPDATE OF g;

-- grants.move
UPDATE video_grants g
SET state = $5, changed_by = $6, changed_at = :now, reason = $7, version = version + 1
WHERE g.tenant_id = $1 AND (g.id = $2 OR g.contact_id = ANY ($3::uuid[]) OR g.site_id = $4)
  AND g.state = ANY ($8::text[]);

-- grants.ofsite
SELECT g.id, g.contact_id, g.state, g.from_day::text AS "fromDay", g.to_day::text AS "toDay",
g.from_time AS "from", g.to_time AS "to", g.granted_by AS "grantedBy", g.changed_by AS "changedBy",
floor(extract(epoch FROM g.changed_at))::float8 AS "changedAt", g.reason,
  g.version FROM video_grants g WHERE g.tenant_id = $1::uuid AND g.site_id = $2::uuid AND g.state <> 'ended';

-- grants.waiting
SELECT count(*)::int AS n FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.status = 1
JOIN consents x ON x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id AND x.state = 1
WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.ended_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM video_grants g WHERE g.tenant_id = $1 AND g.contact_id = h.id);

-- homedevices.add
INSERT INTO home_devices (tenant_id, id, bc_id, site_id, contact_id, link_id, device, name, code, state, asked_at,
  last_seen_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'asking', :now, :now)
ON CONFLICT (tenant_id, link_id, device) DO NOTHING;

-- homedevices.asking
SELECT DISTINCT ON (d.id) p.ip
FROM home_devices d
JOIN link_openings p ON p.tenant_id = $1 AND p.link_id = d.link_id AND p.device = d.device
WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.state = 'asking'
ORDER BY d.id, p.at;

-- homedevices.behind
SELECT d.id, d.name, d.code, d.state, floor(extract(epoch FROM d.asked_at))::float8 AS "askedAt",
floor(extract(epoch FROM d.bound_at))::float8 AS "boundAt", d.bound_by AS "boundBy",
  floor(extract(epoch FROM d.last_seen_at))::float8 AS "lastSeenAt",
coalesce((SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = d.only_hand), '') AS "onlyHand",
  d.device FROM home_devices d
    WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.state <> 'removed' ORDER BY d.asked_at, d.id;

-- homedevices.bind
UPDATE home_devices d SET state = 'bound', bound_at = :now, bound_by = $3, allowed_by = $4, only_hand = $5
WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'asking';

-- homedevices.contact
SELECT h.id, h.site_id, w.bc_id, coalesce(h.name, o.name) AS name, coalesce((SELECT s.since FROM home_contacts s
      WHERE s.tenant_id = $1 AND s.site_id = h.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL),
        h.since) AS since,
    w.ws_name, w.steward_id, w.manager_id
  FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
  WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL;

-- homedevices.contacts
SELECT h.id FROM home_contacts h
WHERE h.tenant_id = $1 AND (h.site_id = $2 OR h.owner_id = $3) AND (h.ended_at IS NOT NULL) = $4;

-- homedevices.count
SELECT count(*) FILTER (WHERE d.state = 'asking')::int AS asking,
  count(*) FILTER (WHERE d.state = 'bound')::int AS bound
FROM home_devices d WHERE d.tenant_id = $1 AND d.link_id = $2;

-- homedevices.countbound
SELECT count(*)::int AS n FROM home_devices d
  WHERE d.tenant_id = $1 AND d.contact_id = $2 AND d.state = 'bound' AND d.state <> 'removed' AND EXISTS (SELECT 1
    FROM links l
WHERE l.tenant_id = $1 AND l.id = d.link_id AND l.revoked_at IS NULL AND l.expires_at > :now);

-- homedevices.countlinks
SELECT count(*)::int AS n
FROM links l JOIN home_contacts h ON h.tenant_id = $1 AND h.id = l.target_id
WHERE l.tenant_id = $1 AND l.kind = 'owner' AND l.revoked_at IS NULL AND l.expires_at > :now AND h.site_id = $2;

-- homedevices.hand
SELECT d.only_hand FROM home_devices d
WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'bound' AND d.only_hand IS NOT NULL;

-- homedevices.hold
SELECT h.id FROM home_contacts h
WHERE h.tenant_id = $1 AND h.id = $2 AND h.site_id = $3 AND h.ended_at IS NULL
FOR SHARE;

-- homedevices.holdhome
SELECT w.id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR NO KEY UPDATE;

-- homedevices.inreach
SELECT d.id, d.contact_id, d.link_id FROM home_devices d WHERE d.tenant_id = $1::uuid AND d.id = $2::uuid;

-- homedevices.lives
SELECT EXISTS (SELECT 1 FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL AND w.deleted_at IS NULL) AS lives;

-- homedevices.ofsite
SELECT d.id, d.name, d.code, d.state, floor(extract(epoch FROM d.asked_at))::float8 AS "askedAt",
floor(extract(epoch FROM d.bound_at))::float8 AS "boundAt", d.bound_by AS "boundBy",
  floor(extract(epoch FROM d.last_seen_at))::float8 AS "lastSeenAt",
coalesce((SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = d.only_hand), '') AS "onlyHand",
  d.contact_id, coalesce(h.name, o.name) AS person
  FROM home_devices d
  JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id
  LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
  WHERE d.tenant_id = $1::uuid AND d.site_id = $2::uuid AND d.state <> 'removed' AND EXISTS (SELECT 1 FROM links l
WHERE l.tenant_id = $1 AND l.id = d.link_id AND l.revoked_at IS NULL AND l.expires_at > :now)
  ORDER BY d.state, d.asked_at, d.id;

-- homedevices.one
SELECT d.id, d.name, d.code, d.state, floor(extract(epoch FROM d.asked_at))::float8 AS "askedAt",
floor(extract(epoch FROM d.bound_at))::float8 AS "boundAt", d.bound_by AS "boundBy",
  floor(extract(epoch FROM d.last_seen_at))::float8 AS "lastSeenAt",
coalesce((SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = d.only_hand), '') AS "onlyHand", d.device,
  d.only_hand FROM home_devices d
  WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3;

-- homedevices.remove
UPDATE home_devices d SET state = 'removed', removed_at = :now, removed_by = $4, removed_for = $5
WHERE d.tenant_id = $1 AND (d.id = $2 OR d.contact_id = ANY ($3::uuid[])) AND d.state <> 'removed'
RETURNING id, name;

-- homedevices.seen
UPDATE home_devices d SET last_seen_at = :now
WHERE d.tenant_id = $1 AND d.id = $2 AND d.last_seen_at < :now - interval '1 minute';

-- homedevices.target
SELECT h.bc_id, w.code || ' ' || w.ws_name AS code, coalesce(h.name, o.name) AS person FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id WHERE h.tenant_id = $1::uuid AND h.bc_id = $2::uuid
  AND h.id = $3::uuid AND h.ended_at IS NULL;

-- homedevices.turn
SELECT h.id FROM home_contacts h WHERE h.tenant_id = $1 AND h.id = $2 FOR UPDATE;

-- homedevices.until
SELECT CASE WHEN w.status = 3 THEN coalesce(w.terminated_at + interval '30 days', :now)
    ELSE (((CASE WHEN w.status = 4
  THEN w.actual_finish + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warrantyDays'
    AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '730'::jsonb))::int END) + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') END AS until
FROM home_contacts h JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
WHERE h.tenant_id = $1 AND h.id = $2;

-- homedevices.vouch
UPDATE home_devices d SET only_hand = NULL WHERE d.tenant_id = $1 AND d.id = $2;

-- homedevices.waiting
SELECT count(*)::int AS n FROM home_devices d
JOIN links l ON l.tenant_id = $1 AND l.id = d.link_id AND l.revoked_at IS NULL AND l.expires_at > :now
WHERE d.tenant_id = $1 AND d.bc_id = $2 AND d.state = 'asking';

-- homepage.access
SELECT floor(extract(epoch FROM k.at))::float8 AS at, coalesce(h.name, o.name) AS person, k.device, k.alone,
  u.nickname AS name,
  CASE u.id WHEN w.steward_id THEN 1::smallint
    WHEN w.manager_id THEN 2::smallint ELSE u.post END AS post
FROM (
  SELECT l.target_id AS contact_id, l.made_at AS at, l.made_by AS by, '' AS device, false AS alone
  FROM links l
  WHERE l.tenant_id = $1 AND l.kind = 'owner'
    AND l.target_id IN (SELECT c.id FROM home_contacts c WHERE c.tenant_id = $1 AND c.site_id = $2)
  UNION ALL
  SELECT d.contact_id, d.bound_at, d.allowed_by, d.name, d.only_hand IS NOT NULL
  FROM home_devices d
  WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.state = 'bound') k
JOIN home_contacts h ON h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = $2 AND h.ended_at IS NULL
JOIN sites w ON w.tenant_id = $1 AND w.id = $2
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.by
WHERE k.at > :now - interval '7 days' AND k.at >= $3
ORDER BY k.at DESC, person
LIMIT 20;

-- homepage.feedback
SELECT f.id, f.no, f.kind, f.words, f.channel <> 'link' AS recorded, f.status,
     floor(extract(epoch FROM f.entered_at))::float8 AS "enteredAt",
     floor(extract(epoch FROM (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END)))::float8 AS "dueAt",
     coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false) AS overdue,
    floor(extract(epoch FROM a.at))::float8 AS "answeredAt", coalesce(a.words, '') AS answer,
     CASE WHEN f.paused_until > :now THEN floor(extract(epoch FROM f.paused_at))::float8 END AS "pausedAt",
     CASE WHEN f.paused_until > :now THEN floor(extract(epoch FROM f.paused_until))::float8 END AS "pausedUntil",
     CASE WHEN f.paused_until > :now THEN f.pause_for END AS "pauseFor",
     CASE WHEN f.paused_until > :now THEN f.pause_text ELSE '' END AS "pauseText",
     floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt", f.result,
     CASE f.status WHEN 4 THEN coalesce((SELECT split_part(e.words, '：', 1) FROM feedback_events e
     WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'cancel'
     ORDER BY e.at DESC, e.id DESC LIMIT 1), '') ELSE '' END AS "cancelledFor",
     (SELECT o.no FROM feedback o
      WHERE o.tenant_id = $1 AND o.id = f.of_id AND o.site_id = $2 AND o.home_at >= $3
        AND ($5::uuid IS NULL OR o.hidden_from IS DISTINCT FROM $5)) AS "ofNo", f.score,
     f.scored_by <> '' AS typed, f.status = 3 AND (f.score IS NULL OR f.scored_by <> '')
       AND :now < f.closed_at + interval '7 days' AS "mayScore",
     f.status = 3 AND f.kind <> 'praise'
       AND :now <= f.closed_at + interval '1 day' * coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1
         AND s.key = 'feedbackReopenDays' AND (s.bc_id = f.bc_id OR s.bc_id IS NULL)
           ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8 AND $5::uuid IS NULL AS "mayReopen"
   FROM feedback f
   LEFT JOIN LATERAL (SELECT e.at, e.words FROM feedback_events e
     WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'answer'
     ORDER BY e.at DESC, e.id DESC LIMIT 1) a ON f.answered_at IS NOT NULL
   WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.home_at >= $3 AND ($4::uuid IS NULL OR f.id = $4)
     AND ($5::uuid IS NULL OR f.hidden_from IS DISTINCT FROM $5)
   ORDER BY f.status, f.entered_at DESC, f.id
   LIMIT 50;

-- homepage.feedbackversion
SELECT x.version FROM feedback x
WHERE x.tenant_id = $1 AND x.id = $2 AND x.site_id = $3 AND x.home_at >= $4;

-- homepage.home
SELECT w.ws_name, w.status, w.start_date::text AS "startDate", w.planned_finish::text AS "plannedFinish",
  w.actual_finish::text AS "actualFinish", (CASE WHEN w.status = 4
THEN w.actual_finish + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warrantyDays'
  AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
    '730'::jsonb))::int END)::text AS "warrantyUntil",
  coalesce(s.nickname, '') AS steward
FROM sites w
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
WHERE w.tenant_id = $1 AND w.id = $2;

-- homepage.picture
SELECT EXISTS (
SELECT 1
FROM home_devices d
JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
JOIN promises p ON p.tenant_id = $1 AND p.site_id = h.site_id AND (p.made_at >= (SELECT s.since FROM home_contacts s
  WHERE s.tenant_id = $1 AND s.site_id = h.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
    OR p.state IN ('open', 'extended') OR EXISTS (SELECT FROM promise_events t
  WHERE t.tenant_id = $1 AND t.promise_id = p.id AND t.act IN ('keep', 'break', 'withdraw')
    AND t.at > (SELECT s.since FROM home_contacts s
  WHERE s.tenant_id = $1 AND s.site_id = h.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)))
JOIN promise_events e ON e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep' AND $4 = ANY (e.pictures)
WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown;

-- homepage.promises
SELECT p.id, p.content, p.due::text AS due, p.first_due::text AS "firstDue", p.state,
p.state IN ('open', 'extended') AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date AS late,
  floor(extract(epoch FROM k.at))::float8 AS "keptAt",
greatest((k.at AT TIME ZONE 'Asia/Shanghai')::date - p.due, 0) AS "lateDays", p.objected,
p.state = 'kept' AND NOT p.objected AND NOT EXISTS (SELECT FROM promise_events d
      WHERE d.tenant_id = $1 AND d.promise_id = p.id AND d.act = 'dismiss') AND $4::uuid IS NULL
  AND :now < k.at + interval '7 days' AS "mayObject",
coalesce(k.pictures, '{}') AS pictures, y.act AS said, y.at AS "saidAt", coalesce(y.text, '') AS "saidFor"
  FROM promises p
  LEFT JOIN LATERAL (SELECT e.at, e.pictures FROM promise_events e
    WHERE p.state = 'kept' AND e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep'
    ORDER BY e.at DESC LIMIT 1) k ON true
  LEFT JOIN LATERAL (SELECT e.act, floor(extract(epoch FROM e.at))::float8 AS at, e.text
    FROM promise_events e
    WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('extend', 'uphold', 'dismiss', 'break', 'withdraw')
    ORDER BY e.at DESC, e.id DESC LIMIT 1) y ON true
  WHERE p.tenant_id = $1 AND p.site_id = $2 AND (p.made_at >= $3 OR p.state IN ('open',
    'extended') OR EXISTS (SELECT FROM promise_events t
      WHERE t.tenant_id = $1 AND t.promise_id = p.id AND t.act IN ('keep', 'break', 'withdraw')
        AND t.at > $3))
  ORDER BY p.state IN ('open', 'extended') DESC, CASE WHEN p.state IN ('open', 'extended') THEN p.due END, p.due DESC,
    p.id
  LIMIT 50;

-- homepage.promisesversion
SELECT x.version FROM promises x
WHERE x.tenant_id = $1 AND x.id = $2 AND x.site_id = $3 AND (x.made_at >= $4 OR x.state IN ('open',
  'extended') OR EXISTS (SELECT FROM promise_events t
    WHERE t.tenant_id = $1 AND t.promise_id = x.id AND t.act IN ('keep', 'break', 'withdraw')
      AND t.at > $4));

-- homepage.questionpicture
SELECT EXISTS (
SELECT 1
FROM home_devices d
JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
JOIN questions q ON q.tenant_id = $1 AND q.site_id = h.site_id
AND (q.state = 'open' OR q.closed_at > :now - interval '90 days')
AND q.asked_at >= (SELECT s.since FROM home_contacts s
  WHERE s.tenant_id = $1 AND s.site_id = h.site_id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
    AND q.withdrawn_for = '' AND $4 = ANY ((q.pictures || ARRAY(SELECT c.key
FROM thread_outcomes o
CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
WHERE o.tenant_id = $1 AND o.kind = 'question' AND o.record_id = q.id
ORDER BY o.at, o.message_id, c.place)))
WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown;

-- homepage.stages
SELECT g.stage, CASE WHEN g.actual_finish IS NOT NULL THEN 3
WHEN g.actual_start IS NOT NULL THEN 2 ELSE 1 END AS state, g.planned_start::text AS "plannedStart",
    g.planned_finish::text AS "plannedFinish", g.actual_start::text AS "actualStart",
    g.actual_finish::text AS "actualFinish"
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = $2
  ORDER BY g.sort;

-- homepage.week
SELECT kind, stage, floor(extract(epoch FROM at))::float8 AS at, n FROM (
  SELECT 'begun' AS kind, g.stage, g.actual_start::timestamp AT TIME ZONE 'Asia/Shanghai' AS at, 1 AS n
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_start > (:now AT TIME ZONE 'Asia/Shanghai')::date - 7
    AND g.actual_start >= ($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date
  UNION ALL
  SELECT 'accepted', g.stage, g.actual_finish::timestamp AT TIME ZONE 'Asia/Shanghai', 1
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_finish > (:now AT TIME ZONE 'Asia/Shanghai')::date - 7
    AND g.actual_finish >= ($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date
  UNION ALL
  SELECT 'patrols', NULL, max(p.submitted_at), count(*)::int
  FROM patrols p
  WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.submitted_at > :now - interval '7 days'
    AND p.submitted_at >= $3
  HAVING count(*) > 0
  UNION ALL
  SELECT 'arrived', NULL, max(d.delivered_at), count(*)::int
  FROM dispatches d
  WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.delivered_at > :now - interval '7 days'
    AND d.delivered_at >= $3
  HAVING count(*) > 0) k
ORDER BY at DESC, kind, stage;

-- homepage.writtendown
SELECT floor(extract(epoch FROM x.recorded_at))::float8 AS at, x.answered_on::text AS "answeredOn",
  x.state <> 2 AS agrees, x.how, x.recorded_by AS name
FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = $2 AND x.how <> 'electronic'
  AND x.recorded_at > :now - interval '7 days' AND x.recorded_at >= $3
ORDER BY x.recorded_at DESC, x.id
LIMIT 10;

-- looks.behind
SELECT v.contact_id AS contact, v.device_id AS camera FROM video_views v
WHERE v.tenant_id = $1 AND v.id = $2 AND v.link_id = $3 AND v.home_device_id = $4 AND v.user_id IS NULL
  AND v.ended_at IS NULL AND v.to_at > :now - interval '20 seconds';

-- looks.cameras
SELECT d.id, d.sn, d.device_status AS status, p.key AS picture,
    CASE WHEN p.key IS NOT NULL THEN floor(extract(epoch FROM d.last_picture_at))::float8 END AS "pictureAt"
  FROM video_grants g
  JOIN home_contacts h ON h.tenant_id = $1 AND h.id = g.contact_id
  JOIN video_grant_cameras k ON k.tenant_id = $1 AND k.grant_id = g.id
  JOIN devices d ON d.tenant_id = $1 AND d.id = k.device_id
  LEFT JOIN files p ON p.tenant_id = $1 AND p.key = d.last_picture AND p.site_id = g.site_id
    AND d.last_picture_at >= h.since AND NOT EXISTS (SELECT FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = d.id AND a.at = d.last_picture_at)
  WHERE g.tenant_id = $1 AND g.contact_id = $2 AND g.state <> 'ended' AND d.site_id = g.site_id
    AND d.deleted_at IS NULL AND NOT EXISTS (
SELECT 1 FROM device_stands e
WHERE e.tenant_id = $1 AND e.device_id = d.id AND e.site_id = g.site_id AND e.to_at >= k.added_at)
  ORDER BY d.sn;

-- looks.looking
SELECT v.id AS view, v.device_id AS camera, v.home_device_id AS device FROM video_views v
WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.user_id IS NULL AND v.ended_at IS NULL
  AND v.to_at > :now - interval '20 seconds';

-- looks.ondevice
SELECT v.id AS view, v.device_id AS camera,
  (v.user_id IS NULL AND v.ended_at IS NULL AND v.to_at > :now - interval '20 seconds') AS going, v.ended_for AS why
FROM video_views v
WHERE v.tenant_id = $1 AND v.home_device_id = $2 AND v.id = ANY ($3::uuid[]);

-- looks.page
WITH page AS MATERIALIZED (SELECT v.* FROM video_views v WHERE v.tenant_id = $1::uuid AND v.site_id = $2::uuid
  AND v.user_id IS NULL ORDER BY v.at ASC, v.id DESC LIMIT 3)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT v.id, floor(extract(epoch FROM v.at))::float8 AS at, v.site_id, w.ws_name AS "siteName",
        d.sn AS "cameraSn",
floor(extract(epoch FROM v.from_at))::float8 AS "from", floor(extract(epoch FROM v.to_at))::float8 AS "to", greatest(0,
  extract(epoch FROM v.to_at - v.from_at))::int AS seconds, v.user_name AS person, coalesce(p.name, '') AS device,
    (v.user_id IS NULL AND v.ended_at IS NULL AND v.to_at > :now - interval '20 seconds') AS running,
  CASE WHEN v.user_id IS NULL AND v.ended_at IS NULL AND v.to_at > :now - interval '20 seconds' THEN '正在看'
    WHEN v.ended_for <> '' THEN v.ended_for ELSE '页面已关闭' END AS ended FROM page v JOIN sites w ON w.tenant_id = $1
      AND w.id = v.site_id
JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id LEFT JOIN home_devices p ON p.tenant_id = $1
  AND p.id = v.home_device_id ORDER BY v.at ASC, v.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM video_views v WHERE v.tenant_id = $1::uuid AND v.site_id = $2::uuid
      AND v.user_id IS NULL)::int AS total;

-- looks.staff
SELECT floor(extract(epoch FROM v.at))::float8 AS at, v.user_name AS name, u.post,
  coalesce((SELECT r.name FROM user_roles x JOIN roles r ON r.tenant_id = $1 AND r.id = x.role_id
WHERE x.tenant_id = $1 AND x.user_id = v.user_id ORDER BY r.name LIMIT 1), '') AS role, d.sn AS camera,
    floor(extract(epoch FROM v.from_at))::float8 AS "from", floor(extract(epoch FROM v.to_at))::float8 AS "to",
      NOT v.live AS recorded, v.purpose
  FROM video_views v
  JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id
  WHERE v.tenant_id = $1 AND v.site_id = $2 AND v.user_id IS NOT NULL AND v.at >= to_timestamp($3)
  ORDER BY v.at DESC, v.id DESC LIMIT 50;

-- looks.standing
SELECT l.id IS NOT NULL AS linked, p.id IS NOT NULL AS bound, w.status AS "siteStatus", w.lived_in AS "livedIn",
  w.bc_id AS "homeBc",
  (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) AS consent,
  (SELECT floor(extract(epoch FROM max(coalesce(x.withdrawn_at, x.recorded_at))))::float8 FROM consents x
    WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = h.id) AS "consentAt",
  g.state AS "grant", coalesce(g.from_day::text, '') AS "fromDay", coalesce(g.to_day::text, '') AS "toDay",
  coalesce(g.from_time, '') AS "from", coalesce(g.to_time, '') AS "to",
    floor(extract(epoch FROM g.changed_at))::float8 AS "changedAt",
  coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'ownerVideoFrom' AND (s.bc_id = h.bc_id
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"08:00"'::jsonb) #>> '{}' AS "houseFrom",
      coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'ownerVideoTo' AND (s.bc_id = h.bc_id
        OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '"20:00"'::jsonb) #>> '{}' AS "houseTo"
FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.deleted_at IS NULL
LEFT JOIN links l ON l.tenant_id = $1 AND l.id = $3 AND l.kind = 'owner' AND l.target_id = h.id
  AND l.revoked_at IS NULL AND l.expires_at > :now
LEFT JOIN home_devices p ON p.tenant_id = $1 AND p.id = $4 AND p.link_id = l.id AND p.contact_id = h.id
  AND p.state = 'bound'
LEFT JOIN video_grants g ON g.tenant_id = $1 AND g.contact_id = h.id AND g.state <> 'ended'
WHERE h.tenant_id = $1 AND h.id = $2 AND h.ended_at IS NULL;

-- looks.turn
SELECT w.bc_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $2 FOR UPDATE;

-- looks.views
WITH page AS MATERIALIZED (SELECT v.* FROM video_views v WHERE v.tenant_id = $1::uuid AND v.site_id = $2::uuid
  AND v.user_id IS NOT NULL ORDER BY v.at ASC, v.id DESC LIMIT 100)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT v.id, floor(extract(epoch FROM v.at))::float8 AS at, v.site_id, w.ws_name AS "siteName",
        d.sn AS "cameraSn",
floor(extract(epoch FROM v.from_at))::float8 AS "from", floor(extract(epoch FROM v.to_at))::float8 AS "to", greatest(0,
  extract(epoch FROM v.to_at - v.from_at))::int AS seconds, v.user_name AS "userName",
  coalesce((CASE u.post WHEN 1 THEN '项目管家' WHEN 2 THEN '项目经理' END),
    coalesce((SELECT r.name FROM user_roles x JOIN roles r ON r.tenant_id = $1 AND r.id = x.role_id
WHERE x.tenant_id = $1 AND x.user_id = v.user_id ORDER BY r.name LIMIT 1), '')) AS post,
  CASE WHEN v.live THEN '直播' ELSE '录像' END AS what, v.purpose,
    v.words FROM page v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
JOIN devices d ON d.tenant_id = $1 AND d.id = v.device_id LEFT JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id
  ORDER BY v.at ASC, v.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM video_views v WHERE v.tenant_id = $1::uuid AND v.site_id = $2::uuid
      AND v.user_id IS NOT NULL)::int AS total;

-- owners.contacts
SELECT h.id, coalesce(h.name, o.name) AS name, h.relation, h.owner_id IS NOT NULL AS signatory,
masked_phone(coalesce(h.phone, o.phone)) AS phone, floor(extract(epoch FROM h.since))::float8 AS since,
  floor(extract(epoch FROM h.ended_at))::float8 AS "endedAt",
h.ended_by AS "endedBy", h.ended_for AS "endedFor", h.version FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE h.tenant_id = $1::uuid AND h.site_id = $2::uuid
    ORDER BY h.ended_at DESC NULLS FIRST, h.owner_id IS NULL, h.since, h.id;

-- owners.home
SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.community, CASE WHEN true THEN w.address ELSE '' END AS address,
  w.status, w.contract,
  w.start_date::text AS "startDate", w.planned_finish::text AS "plannedFinish",
  w.steward_id, coalesce(s.nickname, '') AS steward, coalesce(m.nickname, '') AS manager,
  coalesce(o.notice, '') AS notice
FROM sites w
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- owners.lockcontact
SELECT h.id, coalesce(h.name, o.name) AS name, h.relation, h.owner_id IS NOT NULL AS signatory,
coalesce(h.phone, o.phone) AS phone, floor(extract(epoch FROM h.since))::float8 AS since,
  floor(extract(epoch FROM h.ended_at))::float8 AS "endedAt",
h.ended_by AS "endedBy", h.ended_for AS "endedFor", h.version, h.site_id, h.changed_by AS "changedBy",
  floor(extract(epoch FROM h.changed_at))::float8 AS "changedAt"
  FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
  WHERE h.tenant_id = $1::uuid AND h.id = $2::uuid
  FOR UPDATE OF h;

-- owners.lockhome
SELECT w.id, w.ws_name, w.bc_id, w.owner_id, w.manager_id, w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid
FOR UPDATE OF w;

-- owners.others
SELECT w.id, w.code,
  w.ws_name FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id <> $2::uuid
    AND w.owner_id = (SELECT k.owner_id FROM sites k
WHERE k.tenant_id = $1 AND k.id = $2::uuid) ORDER BY w.code DESC LIMIT 20;

-- owners.page
WITH page AS MATERIALIZED (SELECT h.* FROM (SELECT k.*, u.at AS urgent_at
   FROM home_contacts k
   LEFT JOIN (SELECT x.site_id, min(x.at) AS at
     FROM (SELECT t.site_id, coalesce(t.due_at, t.waiting_since) AS at
     FROM threads t
     WHERE t.tenant_id = $1 AND t.waiting_since IS NOT NULL
       AND true
     UNION ALL SELECT f.site_id, CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END AS at
     FROM feedback f
     WHERE f.tenant_id = $1 AND f.kind = 'complaint' AND f.status IN (1,
       2) AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid)
       AND (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) IS NOT NULL
       AND true
     UNION ALL SELECT p.site_id, ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM promises p
     WHERE p.tenant_id = $1 AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true
     UNION ALL SELECT q.site_id, ((q.needed_by + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM questions q
     WHERE q.tenant_id = $1 AND q.state = 'open' AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true) x
     GROUP BY x.site_id) u ON u.site_id = k.site_id
   WHERE k.tenant_id = $1 AND k.owner_id IS NOT NULL) h WHERE h.tenant_id = $1::uuid AND h.owner_id IS NOT NULL
     AND h.ended_at IS NULL AND ($2::uuid IS NULL OR true) ORDER BY h.urgent_at ASC NULLS LAST, h.since DESC,
       h.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT h.site_id AS id, h.id AS contact_id, h.version AS "contactVersion", o.name AS "ownerName",
   masked_phone(o.phone) AS phone,
   (SELECT count(*)::int FROM home_contacts x
     WHERE x.tenant_id = $1 AND x.site_id = h.site_id AND x.owner_id IS NULL AND x.ended_at IS NULL) AS contacts,
   w.code, w.ws_name, h.bc_id, c.bc_name, w.status, w.steward_id, coalesce(s.nickname, '') AS "stewardName",
   CASE
 WHEN EXISTS (SELECT 1 FROM video_grants g
   WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'active') THEN 'granted'
 WHEN EXISTS (SELECT 1 FROM video_grants g
   WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'stopped') THEN 'stopped'
 WHEN EXISTS (SELECT 1 FROM consents x
   JOIN home_contacts k ON k.tenant_id = $1 AND k.id = x.subject_id AND k.site_id = h.site_id
   WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.state = 1) THEN 'agreed'
 ELSE 'none' END AS video, (SELECT floor(extract(epoch FROM max(v.at)))::float8 FROM video_views v
     WHERE v.tenant_id = $1 AND v.site_id = h.site_id AND v.user_id IS NULL
       AND v.at >= h.since) AS "lastLookAt",
   floor(extract(epoch FROM h.since))::float8 AS since, floor(extract(epoch FROM h.urgent_at))::float8 AS "urgentAt",
   floor(extract(epoch FROM t.waiting_since))::float8 AS "waitingSince",
   coalesce(t.due_at < :now, false) AS "replyLate",
     (SELECT count(*)::int FROM questions q WHERE q.tenant_id = $1 AND q.site_id = h.site_id
       AND q.state = 'open') AS "openQuestions",
   (SELECT count(*)::int FROM questions q
     WHERE q.tenant_id = $1 AND q.site_id = h.site_id AND q.state = 'open'
       AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS "lateQuestions",
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid)) AS "openComplaints",
         (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false)) AS "lateComplaints",
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.home_at < h.since) AS "formerComplaints",
   (SELECT count(*)::int FROM promises p
     WHERE p.tenant_id = $1 AND p.site_id = h.site_id AND p.state IN ('open',
       'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date) AS "duePromises",
         (SELECT round(avg(f.score), 1)::float8 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.score IS NOT NULL AND f.scored_by = ''
       AND f.home_at >= h.since AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid)) AS score,
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.score IS NOT NULL AND f.scored_by = ''
       AND f.home_at >= h.since AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid)) AS scores FROM page h
         JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
 JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = h.bc_id
 LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
 LEFT JOIN threads t ON t.tenant_id = $1 AND t.site_id = h.site_id ORDER BY h.urgent_at ASC NULLS LAST, h.since DESC,
   h.id DESC) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM (SELECT k.*, u.at AS urgent_at
   FROM home_contacts k
   LEFT JOIN (SELECT x.site_id, min(x.at) AS at
     FROM (SELECT t.site_id, coalesce(t.due_at, t.waiting_since) AS at
     FROM threads t
     WHERE t.tenant_id = $1 AND t.waiting_since IS NOT NULL
       AND true
     UNION ALL SELECT f.site_id, CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END AS at
     FROM feedback f
     WHERE f.tenant_id = $1 AND f.kind = 'complaint' AND f.status IN (1,
       2) AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid)
       AND (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) IS NOT NULL
       AND true
     UNION ALL SELECT p.site_id, ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM promises p
     WHERE p.tenant_id = $1 AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true
     UNION ALL SELECT q.site_id, ((q.needed_by + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM questions q
     WHERE q.tenant_id = $1 AND q.state = 'open' AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true) x
     GROUP BY x.site_id) u ON u.site_id = k.site_id
   WHERE k.tenant_id = $1 AND k.owner_id IS NOT NULL) h WHERE h.tenant_id = $1::uuid AND h.owner_id IS NOT NULL
     AND h.ended_at IS NULL AND ($2::uuid IS NULL OR true))::int AS total;

-- owners.page.explain
EXPLAIN WITH page AS MATERIALIZED (SELECT h.* FROM (SELECT k.*, u.at AS urgent_at
   FROM home_contacts k
   LEFT JOIN (SELECT x.site_id, min(x.at) AS at
     FROM (SELECT t.site_id, coalesce(t.due_at, t.waiting_since) AS at
     FROM threads t
     WHERE t.tenant_id = $1 AND t.waiting_since IS NOT NULL
       AND true
     UNION ALL SELECT f.site_id, CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END AS at
     FROM feedback f
     WHERE f.tenant_id = $1 AND f.kind = 'complaint' AND f.status IN (1,
       2) AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)
       AND (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) IS NOT NULL
       AND true
     UNION ALL SELECT p.site_id, ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM promises p
     WHERE p.tenant_id = $1 AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true
     UNION ALL SELECT q.site_id, ((q.needed_by + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM questions q
     WHERE q.tenant_id = $1 AND q.state = 'open' AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true) x
     GROUP BY x.site_id) u ON u.site_id = k.site_id
   WHERE k.tenant_id = $1 AND k.owner_id IS NOT NULL) h WHERE h.tenant_id = $1::uuid AND h.bc_id = $2::uuid
     AND h.owner_id IS NOT NULL AND h.ended_at IS NULL AND ($3::uuid IS NULL OR true) AND (h.site_id IN (SELECT w.id
       FROM sites w WHERE w.tenant_id = $1 AND (w.search LIKE $6 AND (false
         OR translate(lower(w.code || '|' || w.ws_name || '|' || w.community || '|'
       || coalesce(w.initials, '')), ' 　', '') LIKE $6))) OR h.site_id IN (SELECT x.site_id FROM home_contacts x
       WHERE x.tenant_id = $1 AND x.ended_at IS NULL AND (x.name ILIKE $4 OR x.phone <> '' AND x.phone = $5)
     UNION ALL
     SELECT x.site_id FROM owners o
       JOIN home_contacts x ON x.tenant_id = $1 AND x.owner_id = o.id AND x.ended_at IS NULL
       WHERE o.tenant_id = $1 AND (o.name ILIKE $4 OR o.phone <> '' AND o.phone = $5)))
         ORDER BY h.urgent_at ASC NULLS LAST, h.since DESC, h.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT h.site_id AS id, h.id AS contact_id, h.version AS "contactVersion", o.name AS "ownerName",
   masked_phone(o.phone) AS phone,
   (SELECT count(*)::int FROM home_contacts x
     WHERE x.tenant_id = $1 AND x.site_id = h.site_id AND x.owner_id IS NULL AND x.ended_at IS NULL) AS contacts,
   w.code, w.ws_name, h.bc_id, c.bc_name, w.status, w.steward_id, coalesce(s.nickname, '') AS "stewardName",
   CASE
 WHEN EXISTS (SELECT 1 FROM video_grants g
   WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'active') THEN 'granted'
 WHEN EXISTS (SELECT 1 FROM video_grants g
   WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'stopped') THEN 'stopped'
 WHEN EXISTS (SELECT 1 FROM consents x
   JOIN home_contacts k ON k.tenant_id = $1 AND k.id = x.subject_id AND k.site_id = h.site_id
   WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.state = 1) THEN 'agreed'
 ELSE 'none' END AS video, (SELECT floor(extract(epoch FROM max(v.at)))::float8 FROM video_views v
     WHERE v.tenant_id = $1 AND v.site_id = h.site_id AND v.user_id IS NULL
       AND v.at >= h.since) AS "lastLookAt",
   floor(extract(epoch FROM h.since))::float8 AS since, floor(extract(epoch FROM h.urgent_at))::float8 AS "urgentAt",
   floor(extract(epoch FROM t.waiting_since))::float8 AS "waitingSince",
   coalesce(t.due_at < :now, false) AS "replyLate",
     (SELECT count(*)::int FROM questions q WHERE q.tenant_id = $1 AND q.site_id = h.site_id
       AND q.state = 'open') AS "openQuestions",
   (SELECT count(*)::int FROM questions q
     WHERE q.tenant_id = $1 AND q.site_id = h.site_id AND q.state = 'open'
       AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS "lateQuestions",
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)) AS "openComplaints",
         (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid) AND coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false)) AS "lateComplaints",
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.kind = 'complaint' AND f.status IN (1, 2)
       AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid) AND f.home_at < h.since) AS "formerComplaints",
   (SELECT count(*)::int FROM promises p
     WHERE p.tenant_id = $1 AND p.site_id = h.site_id AND p.state IN ('open',
       'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date) AS "duePromises",
         (SELECT round(avg(f.score), 1)::float8 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.score IS NOT NULL AND f.scored_by = ''
       AND f.home_at >= h.since AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)) AS score,
   (SELECT count(*)::int FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = h.site_id AND f.score IS NOT NULL AND f.scored_by = ''
       AND f.home_at >= h.since AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)) AS scores FROM page h
         JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
 JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
 JOIN companies c ON c.tenant_id = $1 AND c.bc_id = h.bc_id
 LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
 LEFT JOIN threads t ON t.tenant_id = $1 AND t.site_id = h.site_id ORDER BY h.urgent_at ASC NULLS LAST, h.since DESC,
   h.id DESC) r), '[]'::json)::text AS list,
     (SELECT count(*) FROM (SELECT k.*, u.at AS urgent_at
   FROM home_contacts k
   LEFT JOIN (SELECT x.site_id, min(x.at) AS at
     FROM (SELECT t.site_id, coalesce(t.due_at, t.waiting_since) AS at
     FROM threads t
     WHERE t.tenant_id = $1 AND t.waiting_since IS NOT NULL
       AND true
     UNION ALL SELECT f.site_id, CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END AS at
     FROM feedback f
     WHERE f.tenant_id = $1 AND f.kind = 'complaint' AND f.status IN (1,
       2) AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)
       AND (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) IS NOT NULL
       AND true
     UNION ALL SELECT p.site_id, ((p.due + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM promises p
     WHERE p.tenant_id = $1 AND p.state IN ('open', 'extended') AND p.due <= (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true
     UNION ALL SELECT q.site_id, ((q.needed_by + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AS at
     FROM questions q
     WHERE q.tenant_id = $1 AND q.state = 'open' AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date
       AND true) x
     GROUP BY x.site_id) u ON u.site_id = k.site_id
   WHERE k.tenant_id = $1 AND k.owner_id IS NOT NULL) h WHERE h.tenant_id = $1::uuid AND h.bc_id = $2::uuid
     AND h.owner_id IS NOT NULL AND h.ended_at IS NULL AND ($3::uuid IS NULL OR true) AND (h.site_id IN (SELECT w.id
       FROM sites w WHERE w.tenant_id = $1 AND (w.search LIKE $6 AND (false
         OR translate(lower(w.code || '|' || w.ws_name || '|' || w.community || '|'
       || coalesce(w.initials, '')), ' 　', '') LIKE $6))) OR h.site_id IN (SELECT x.site_id FROM home_contacts x
       WHERE x.tenant_id = $1 AND x.ended_at IS NULL AND (x.name ILIKE $4 OR x.phone <> '' AND x.phone = $5)
     UNION ALL
     SELECT x.site_id FROM owners o
       JOIN home_contacts x ON x.tenant_id = $1 AND x.owner_id = o.id AND x.ended_at IS NULL
       WHERE o.tenant_id = $1 AND (o.name ILIKE $4 OR o.phone <> '' AND o.phone = $5))))::int AS total;

-- owners.siteof
SELECT h.site_id AS site FROM home_contacts h WHERE h.tenant_id = $1::uuid AND h.id = $2::uuid;
