-- questions.answer
INSERT INTO question_answers (tenant_id, id, question_id, contact_id, choice, words, counts, recorded_by, pictures,
  at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now);

-- questions.answered
UPDATE questions
SET state = CASE WHEN $3 THEN 'answered' ELSE state END,
  closed_at = CASE WHEN $3 THEN :now ELSE closed_at END, changed_by = $4, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- questions.ask
INSERT INTO questions (tenant_id, id, bc_id, site_id, words, options, needed_by, stage, pictures, costs, estimate,
  asker_id, asked_at, again_of, changed_by, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::date, $8, $9, $10, $11, $12, :now, $13, $14, :now);

-- questions.asked
UPDATE questions SET changed_by = $3, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- questions.contact
SELECT h.id, coalesce(h.name, o.name) AS name
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.id = $3 AND h.ended_at IS NULL
FOR SHARE OF h;

-- questions.holdsite
SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner", w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid FOR SHARE OF w;

-- questions.home
SELECT q.id, q.words, q.options, q.needed_by::text AS "neededBy", rest_day($1, q.bc_id, q.needed_by) AS rest,
  CASE WHEN q.state = 'open'
    AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN (:now AT TIME ZONE 'Asia/Shanghai')::date -
      q.needed_by END AS "lateDays",
  q.stage,
  CASE WHEN q.withdrawn_for = '' THEN (q.pictures || ARRAY(SELECT c.key
  FROM thread_outcomes o
  CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
  WHERE o.tenant_id = $1 AND o.kind = 'question' AND o.record_id = q.id
  ORDER BY o.at, o.message_id, c.place)) ELSE '{}' END AS pictures, q.costs, q.estimate,
  CASE q.asker_id WHEN w.steward_id THEN 1::smallint
    WHEN w.manager_id THEN 2::smallint ELSE u.post END AS post,
  (SELECT min(r.name) FROM user_roles k JOIN roles r ON r.tenant_id = $1 AND r.id = k.role_id
   WHERE k.tenant_id = $1 AND k.user_id = u.id) AS role,
  u.nickname AS asker, floor(extract(epoch FROM q.asked_at))::float8 AS "askedAt", q.state = 'answered' AS answered,
  q.withdrawn_for AS "withdrawnFor", floor(extract(epoch FROM q.closed_at))::float8 AS "closedAt",
  (SELECT n.id FROM questions n WHERE n.tenant_id = $1 AND n.again_of = q.id) AS "askedAnew",
    coalesce((SELECT json_agg(json_build_object('contact_id', a.contact_id, 'contactName', coalesce(h.name, p.name),
      'choice', a.choice, 'words', a.words, 'counts', a.counts,
  'at', floor(extract(epoch FROM a.at))::float8, 'recordedBy', a.recorded_by, 'pictures', a.pictures) ORDER BY a.at,
    a.id) FROM question_answers a
  JOIN home_contacts h ON h.tenant_id = $1 AND h.id = a.contact_id
  LEFT JOIN owners p ON p.tenant_id = $1 AND p.id = h.owner_id
  WHERE a.tenant_id = $1 AND a.question_id = q.id), '[]') AS answers
FROM questions q
JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
WHERE q.tenant_id = $1 AND q.site_id = $2
  AND (q.state = 'open' OR q.closed_at > :now - interval '90 days')
  AND q.asked_at >= (SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)
ORDER BY q.closed_at DESC NULLS FIRST, q.needed_by, q.id
LIMIT 100;

-- questions.lock
SELECT q.id FROM questions q WHERE q.tenant_id = $1::uuid AND q.id = $2::uuid FOR UPDATE OF q;

-- questions.lockopen
SELECT q.id, q.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", q.bc_id, c.bc_name,
  q.words, q.options, q.needed_by::text AS "neededBy", rest_day($1, q.bc_id, q.needed_by) AS rest, q.stage,
    (q.pictures || ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'question' AND o.record_id = q.id
    ORDER BY o.at, o.message_id, c.place)) AS pictures,
  q.costs, q.estimate,
  q.state,
    CASE WHEN q.state = 'open'
      AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN (:now AT TIME ZONE 'Asia/Shanghai')::date -
        q.needed_by END AS "lateDays", q.asker_id, u.nickname AS "askerName",
          floor(extract(epoch FROM q.asked_at))::float8 AS "askedAt",
  q.again_of AS "againOf", (SELECT n.id FROM questions n WHERE n.tenant_id = $1 AND n.again_of = q.id) AS "askedAnew",
    coalesce((SELECT json_agg(json_build_object('id', a.id, 'contactName', coalesce(h.name, p.name), 'choice',
      a.choice, 'words', a.words, 'counts', a.counts,
    'at', floor(extract(epoch FROM a.at))::float8, 'recordedBy', a.recorded_by, 'pictures', a.pictures) ORDER BY a.at,
      a.id) FROM question_answers a
    JOIN home_contacts h ON h.tenant_id = $1 AND h.id = a.contact_id
    LEFT JOIN owners p ON p.tenant_id = $1 AND p.id = h.owner_id
    WHERE a.tenant_id = $1 AND a.question_id = q.id), '[]') AS answers, coalesce((SELECT coalesce(q.options[a.choice],
      a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '') AS answer,
  EXISTS (SELECT FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND NOT a.counts AND coalesce(q.options[a.choice],
      a.words) <> coalesce((SELECT coalesce(q.options[a.choice], a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '')) AS disputed,
  q.withdrawn_for AS "withdrawnFor", floor(extract(epoch FROM q.closed_at))::float8 AS "closedAt",
    (SELECT c.id FROM contracts c
    WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND q.costs AND q.state = 'answered'
      AND c.state IN ('live', 'finishing')
    ORDER BY c.made_at DESC
    LIMIT 1) AS contract_id, q.version, w.steward_id, q.changed_by AS "changedBy",
      floor(extract(epoch FROM q.changed_at))::float8 AS "changedAt" FROM questions q JOIN sites w ON w.tenant_id = $1
        AND w.id = q.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = q.site_id AND (s.ended_at IS NULL OR s.ended_at >= q.asked_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true WHERE q.tenant_id = $1::uuid AND q.state = 'open' AND q.site_id = $2::uuid ORDER BY q.needed_by,
      q.id FOR UPDATE OF q;

-- questions.one
SELECT q.id, q.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", q.bc_id, c.bc_name,
  q.words, q.options, q.needed_by::text AS "neededBy", rest_day($1, q.bc_id, q.needed_by) AS rest, q.stage,
    (q.pictures || ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'question' AND o.record_id = q.id
    ORDER BY o.at, o.message_id, c.place)) AS pictures,
  q.costs, q.estimate,
  q.state,
    CASE WHEN q.state = 'open'
      AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN (:now AT TIME ZONE 'Asia/Shanghai')::date -
        q.needed_by END AS "lateDays", q.asker_id, u.nickname AS "askerName",
          floor(extract(epoch FROM q.asked_at))::float8 AS "askedAt",
  q.again_of AS "againOf", (SELECT n.id FROM questions n WHERE n.tenant_id = $1 AND n.again_of = q.id) AS "askedAnew",
    coalesce((SELECT json_agg(json_build_object('id', a.id, 'contactName', coalesce(h.name, p.name), 'choice',
      a.choice, 'words', a.words, 'counts', a.counts,
    'at', floor(extract(epoch FROM a.at))::float8, 'recordedBy', a.recorded_by, 'pictures', a.pictures) ORDER BY a.at,
      a.id) FROM question_answers a
    JOIN home_contacts h ON h.tenant_id = $1 AND h.id = a.contact_id
    LEFT JOIN owners p ON p.tenant_id = $1 AND p.id = h.owner_id
    WHERE a.tenant_id = $1 AND a.question_id = q.id), '[]') AS answers, coalesce((SELECT coalesce(q.options[a.choice],
      a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '') AS answer,
  EXISTS (SELECT FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND NOT a.counts AND coalesce(q.options[a.choice],
      a.words) <> coalesce((SELECT coalesce(q.options[a.choice], a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '')) AS disputed,
  q.withdrawn_for AS "withdrawnFor", floor(extract(epoch FROM q.closed_at))::float8 AS "closedAt",
    (SELECT c.id FROM contracts c
    WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND q.costs AND q.state = 'answered'
      AND c.state IN ('live', 'finishing')
    ORDER BY c.made_at DESC
    LIMIT 1) AS contract_id, q.version, w.steward_id, q.changed_by AS "changedBy",
      floor(extract(epoch FROM q.changed_at))::float8 AS "changedAt" FROM questions q JOIN sites w ON w.tenant_id = $1
        AND w.id = q.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = q.site_id AND (s.ended_at IS NULL OR s.ended_at >= q.asked_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true WHERE q.tenant_id = $1::uuid AND q.id = $2::uuid;

-- questions.open
SELECT (SELECT count(*)::int FROM questions q WHERE q.tenant_id = $1 AND q.site_id = $2 AND q.state = 'open') AS n;

-- questions.own
SELECT coalesce(q.options[a.choice], a.words) AS said
FROM question_answers a
JOIN questions q ON q.tenant_id = $1 AND q.id = a.question_id
WHERE a.tenant_id = $1 AND a.question_id = $2 AND a.contact_id = $3;

-- questions.page
WITH page AS MATERIALIZED (SELECT q.* FROM questions q WHERE q.tenant_id = $1::uuid ORDER BY q.closed_at DESC,
  q.needed_by ASC, q.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT q.id, q.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", q.bc_id, c.bc_name,
  q.words, q.options, q.needed_by::text AS "neededBy", rest_day($1, q.bc_id, q.needed_by) AS rest, q.stage,
    (q.pictures || ARRAY(SELECT c.key
    FROM thread_outcomes o
    CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
    WHERE o.tenant_id = $1 AND o.kind = 'question' AND o.record_id = q.id
    ORDER BY o.at, o.message_id, c.place)) AS pictures,
  q.costs, q.estimate,
  q.state,
    CASE WHEN q.state = 'open'
      AND q.needed_by < (:now AT TIME ZONE 'Asia/Shanghai')::date THEN (:now AT TIME ZONE 'Asia/Shanghai')::date -
        q.needed_by END AS "lateDays", q.asker_id, u.nickname AS "askerName",
          floor(extract(epoch FROM q.asked_at))::float8 AS "askedAt",
  q.again_of AS "againOf", (SELECT n.id FROM questions n WHERE n.tenant_id = $1 AND n.again_of = q.id) AS "askedAnew",
    coalesce((SELECT json_agg(json_build_object('id', a.id, 'contactName', coalesce(h.name, p.name), 'choice',
      a.choice, 'words', a.words, 'counts', a.counts,
    'at', floor(extract(epoch FROM a.at))::float8, 'recordedBy', a.recorded_by, 'pictures', a.pictures) ORDER BY a.at,
      a.id) FROM question_answers a
    JOIN home_contacts h ON h.tenant_id = $1 AND h.id = a.contact_id
    LEFT JOIN owners p ON p.tenant_id = $1 AND p.id = h.owner_id
    WHERE a.tenant_id = $1 AND a.question_id = q.id), '[]') AS answers, coalesce((SELECT coalesce(q.options[a.choice],
      a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '') AS answer,
  EXISTS (SELECT FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND NOT a.counts AND coalesce(q.options[a.choice],
      a.words) <> coalesce((SELECT coalesce(q.options[a.choice], a.words) FROM question_answers a
    WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '')) AS disputed,
  q.withdrawn_for AS "withdrawnFor", floor(extract(epoch FROM q.closed_at))::float8 AS "closedAt",
    (SELECT c.id FROM contracts c
    WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND q.costs AND q.state = 'answered'
      AND c.state IN ('live', 'finishing')
    ORDER BY c.made_at DESC
    LIMIT 1) AS contract_id, q.version FROM page q JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
LEFT JOIN LATERAL (
    SELECT x.name, x.phone, s.id AS contact_id
    FROM home_contacts s
    JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
    WHERE s.tenant_id = $1 AND s.site_id = q.site_id AND (s.ended_at IS NULL OR s.ended_at >= q.asked_at)
    ORDER BY s.ended_at NULLS LAST
    LIMIT 1) o ON true ORDER BY q.closed_at DESC, q.needed_by ASC, q.id DESC) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM questions q WHERE q.tenant_id = $1::uuid)::int AS total;

-- questions.readby
SELECT 1 FROM questions q WHERE q.tenant_id = $1 AND q.site_id = $2
AND (q.state = 'open' OR q.closed_at > :now - interval '90 days')
AND q.asked_at >= (SELECT s.since FROM home_contacts s
  WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL) AND q.id = $3;

-- questions.readsite
SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner", w.steward_id
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- questions.remind
SELECT q.id, q.bc_id, q.site_id, w.ws_name AS "siteName", q.words, q.needed_by::text AS "neededBy", q.asker_id,
  w.steward_id, x.step, x.days
FROM questions q
JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
CROSS JOIN LATERAL (SELECT ((:now AT TIME ZONE 'Asia/Shanghai')::date - q.needed_by)::float8 AS days,
  CASE WHEN q.needed_by > (:now AT TIME ZONE 'Asia/Shanghai')::date THEN 'soon' ELSE 'late' END AS step) x
WHERE q.tenant_id = $1 AND q.state = 'open'
  AND :now >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') + interval
    '8 hours'
  AND (q.needed_by = (:now AT TIME ZONE 'Asia/Shanghai')::date + 1
    AND q.asked_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    OR q.needed_by BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date - 3
      AND (:now AT TIME ZONE 'Asia/Shanghai')::date - 1)
  AND NOT EXISTS (
    SELECT 1 FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'question' AND m.cause_id = q.id::text AND m.step = x.step)
ORDER BY q.needed_by, q.id
LIMIT 500
FOR UPDATE OF q SKIP LOCKED;

-- questions.rest
SELECT rest_day($1, $2::uuid, $3::date) AS rest;

-- questions.stages
SELECT g.stage, g.planned_start::text AS starts, g.actual_start IS NOT NULL AS begun
FROM site_stages g
WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_finish IS NULL
ORDER BY g.sort;

-- questions.tochange
SELECT count(*)::int AS n FROM questions q WHERE q.tenant_id = $1 AND q.bc_id = $2 AND q.state = 'answered' AND q.costs
  AND NOT EXISTS (
SELECT 1 FROM contracts c JOIN contract_changes k ON k.tenant_id = $1 AND k.contract_id = c.id
WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND k.at >= q.closed_at);

-- questions.undecided
SELECT count(*)::int AS n FROM questions q WHERE q.tenant_id = $1 AND q.bc_id = $2 AND q.state = 'open';

-- questions.withdraw
UPDATE questions
SET state = 'withdrawn', withdrawn_for = $3, closed_at = :now, changed_by = $4,
  changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;
