-- demo.feedback
INSERT INTO feedback SELECT x.* FROM json_populate_recordset(NULL::feedback, $1::json) x;

-- demo.feedbackevents
INSERT INTO feedback_events SELECT x.* FROM json_populate_recordset(NULL::feedback_events, $1::json) x;

-- demo.feedbacksupervisors
INSERT INTO feedback_supervisors
SELECT x.*
FROM json_populate_recordset(NULL::feedback_supervisors, $1::json) x;

-- demo.homes
SELECT w.id, s.user_name AS steward, s.user_name = $2 AND m.user_name = $3 AS own
FROM sites w
JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
WHERE w.bc_id = $1 AND w.status = 1
ORDER BY own DESC, w.code DESC;

-- dossier.alarms
SELECT a.at, a.type, a.correction_status AS status, count(*) OVER ()::int AS n
FROM alarms a
WHERE a.tenant_id = $1 AND a.site_id = $2 AND ($3::timestamptz IS NULL OR a.at >= $3) AND ($4::timestamptz IS NULL
  OR a.at < $4)
ORDER BY a.at DESC, a.id
LIMIT 200;

-- dossier.clocks
SELECT f.answer_due_at AS "answerDueAt", f.answered_at AS "answeredAt", f.close_due_at AS "closeDueAt"
FROM feedback f
WHERE f.tenant_id = $1 AND f.id = $2;

-- dossier.holds
SELECT d.sn AS camera, floor(extract(epoch FROM h.from_at))::float8 AS from,
  floor(extract(epoch FROM h.to_at))::float8 AS to,
  floor(extract(epoch FROM h.until_at))::float8 AS until, h.reason, h.held_by AS by, count(*) OVER ()::int AS n
FROM recording_holds h
JOIN devices d ON d.tenant_id = $1 AND d.id = h.device_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.released_at IS NULL AND ($3::timestamptz IS NULL OR h.held_at >= $3)
  AND ($4::timestamptz IS NULL OR h.held_at < $4)
ORDER BY h.from_at DESC, h.id
LIMIT 200;

-- dossier.orders
SELECT o.code, o.receiver_name AS receiver, o.order_state AS state, o.expected_on::text AS expected,
  count(*) OVER ()::int AS n
FROM orders o
WHERE o.tenant_id = $1 AND o.site_id = $2 AND ($3::timestamptz IS NULL OR o.made_at >= $3) AND ($4::timestamptz IS NULL
  OR o.made_at < $4)
ORDER BY o.code DESC
LIMIT 200;

-- dossier.people
SELECT coalesce(h.name, o.name) AS name, h.relation, masked_phone(coalesce(h.phone, o.phone)) AS phone,
  h.since, h.ended_at AS until, h.owner_id IS NOT NULL AS "isOwner"
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND ($3::timestamptz IS NULL OR h.since >= $3) AND ($4::timestamptz IS NULL
  OR h.since < $4)
ORDER BY h.ended_at DESC NULLS FIRST, h.owner_id IS NULL, h.since
LIMIT 200;

-- dossier.promises
SELECT p.content, coalesce(u.nickname, '') AS author, p.first_due::text AS first, p.due::text AS due, p.state,
  p.objected, count(*) OVER ()::int AS n
FROM promises p
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = p.author_id
WHERE p.tenant_id = $1 AND p.site_id = $2 AND ($3::timestamptz IS NULL OR (p.made_at >= $3 OR p.state IN ('open',
  'extended') OR EXISTS (SELECT FROM promise_events t
  WHERE t.tenant_id = $1 AND t.promise_id = p.id AND t.act IN ('keep', 'break', 'withdraw')
    AND t.at > $3)))
  AND ($4::timestamptz IS NULL OR p.made_at < $4)
ORDER BY p.made_at DESC, p.id
LIMIT 200;

-- dossier.thread
SELECT m.at, m.who, m.kind, m.words, cardinality(m.pictures) AS pictures, m.taken_at IS NOT NULL AS taken,
  count(*) OVER ()::int AS n
FROM thread_messages m
WHERE m.tenant_id = $1 AND m.site_id = $2 AND ($3::timestamptz IS NULL OR m.at >= $3) AND ($4::timestamptz IS NULL
  OR m.at < $4)
ORDER BY m.seq DESC
LIMIT 200;

-- dossier.time
SELECT (SELECT max(s.ended_at) FROM home_contacts s
WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND s.owner_id IS NOT NULL AND s.ended_at <= f.home_at) AS from,
  (SELECT min(s.ended_at) FROM home_contacts s
WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND s.owner_id IS NOT NULL AND s.ended_at > f.home_at) AS to
  FROM feedback f WHERE f.tenant_id = $1 AND f.id = $2;

-- feedback.add
INSERT INTO feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, about_id, hidden_from, channel, words,
  pictures, of_id, entered_by, entered_at, answer_warn_at, answer_due_at, changed_by, changed_at, home_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, :now, $16, $17, $15, :now,
  to_timestamp($18));

-- feedback.another
SELECT f.id, f.no, f.site_id, f.status, f.hidden_from IS NOT NULL AS hidden,
  extract(epoch FROM f.home_at)::float8 AS "homeAt"
FROM feedback f
WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.id = $3::uuid;

-- feedback.asked
SELECT EXISTS (SELECT FROM questions q
WHERE q.tenant_id = $1 AND q.site_id = $2 AND q.state = 'open' AND q.asked_at >= (SELECT s.since FROM home_contacts s
  WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)) AS asked;

-- feedback.children
SELECT k.id, 'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai', 'YYMMDD') || '-' || upper(right(k.id::text, 8)) AS no,
  k.problem, k.correction_status AS "correctionStatus",
  coalesce(u.nickname, '') AS "assigneeName", floor(extract(epoch FROM k.due_at))::float8 AS "dueAt", k.version
FROM corrections k
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = $2
ORDER BY k.at, k.id;

-- feedback.climb
UPDATE feedback SET rung = $3, climbed_at = :now WHERE tenant_id = $1 AND id = $2;

-- feedback.clocks
SELECT f.id, f.bc_id AS bc, f.answer_warn_at, f.answer_due_at, f.close_warn_at, f.close_due_at
FROM feedback f
WHERE f.tenant_id = $1 AND f.bc_id = ANY ($2::uuid[]) AND f.status IN (1, 2)
  AND f.level < 3 AND f.paused_at IS NULL
ORDER BY f.id
FOR UPDATE OF f;

-- feedback.closesettled
UPDATE feedback
SET status = 3, closed_at = :now, result = $3, changed_by = $4, changed_at = :now,
  close_due_at = coalesce(close_due_at, :now), paused_s = paused_s
    + coalesce(floor(extract(epoch FROM least(:now, paused_until) - paused_at))::int, 0),
  paused_at = NULL, paused_until = NULL, pause_for = NULL, pause_text = '', version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- feedback.complaints
SELECT count(f.id)::int AS n, (count(f.id) FILTER (WHERE coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false)))::int AS late
   FROM unnest($3::timestamptz[] || :now) WITH ORDINALITY AS t(at, place)
   LEFT JOIN feedback f ON f.entered_at <= t.at AND coalesce(f.closed_at, 'infinity'::timestamptz) > t.at
     AND f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.kind = 'complaint'
   GROUP BY t.place
   ORDER BY t.place;

-- feedback.earlier
SELECT f.id, f.no, f.kind, f.status, f.words, floor(extract(epoch FROM f.entered_at))::float8 AS "enteredAt"
FROM feedback f
WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.site_id = $3::uuid
  AND f.id <> $4::uuid AND f.entered_at <= to_timestamp($5 + 1)
ORDER BY f.entered_at DESC, f.id DESC
LIMIT 10;

-- feedback.event
INSERT INTO feedback_events (tenant_id, id, feedback_id, at, actor, act, words, pictures)
VALUES ($1, $2, $3, :now, $4, $5, $6, $7);

-- feedback.events
SELECT e.id, floor(extract(epoch FROM e.at))::float8 AS at, e.actor, e.act, e.words, e.pictures
FROM feedback_events e
WHERE e.tenant_id = $1 AND e.feedback_id = $2
ORDER BY e.at, e.id;

-- feedback.first
SELECT f.id, f.words AS title, w.ws_name AS site, f.level, floor(extract(epoch FROM (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END)))::float8 AS at, coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false) AS late
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   WHERE f.tenant_id = $1::uuid AND f.bc_id = $2::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $3::uuid)
     AND f.kind = 'complaint' AND f.status IN (1, 2)
   ORDER BY (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) NULLS LAST, f.entered_at DESC, f.id DESC
   LIMIT 12;

-- feedback.followed
SELECT count(*)::int AS n
FROM feedback f
JOIN feedback_supervisors s ON s.tenant_id = $1 AND s.feedback_id = f.id AND s.user_id = $2
WHERE f.tenant_id = $1 AND f.status IN (1, 2);

-- feedback.followers
SELECT v.user_id AS id, v.rung
FROM feedback_supervisors v
WHERE v.tenant_id = $1 AND v.feedback_id = $2
ORDER BY v.user_id;

-- feedback.goeson
UPDATE feedback
SET close_warn_at = $3, close_due_at = $4, paused_s = $5, paused_at = NULL, paused_until = NULL,
  pause_for = NULL, pause_text = ''
WHERE tenant_id = $1 AND id = $2;

-- feedback.handed
UPDATE feedback SET assignee_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- feedback.handedalong
UPDATE feedback SET assignee_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- feedback.hide
UPDATE feedback f SET hidden_from = $3, version = f.version + 1
WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.about_id = $3 AND f.hidden_from IS NULL
  AND NOT EXISTS (
    SELECT FROM feedback_events e WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'release');

-- feedback.lastanswer
SELECT e.actor, floor(extract(epoch FROM e.at))::float8 AS at
FROM feedback_events e
WHERE e.tenant_id = $1 AND e.feedback_id = $2 AND e.act IN ('answer', 'thank')
ORDER BY e.at DESC, e.id DESC
LIMIT 1;

-- feedback.lock
SELECT f.id, f.no, f.kind, f.level, f.about, f.about_id, coalesce(b.nickname, '') AS "aboutName",
f.channel, f.words, f.site_id, w.ws_name AS "siteName", f.bc_id, c.bc_name,
coalesce(o.name, '') AS "ownerName", (SELECT min(s.ended_at) FROM home_contacts s
       WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND s.owner_id IS NOT NULL
         AND s.ended_at > f.home_at) IS NOT NULL AS former,
f.status, f.round, f.assignee_id,
coalesce(a.nickname, '') AS "assigneeName", f.entered_by AS "enteredBy",
floor(extract(epoch FROM f.entered_at))::float8 AS "enteredAt",
  floor(extract(epoch FROM f.answered_at))::float8 AS "answeredAt",
floor(extract(epoch FROM f.answer_due_at))::float8 AS "answerDueAt",
  floor(extract(epoch FROM f.close_due_at))::float8 AS "closeDueAt",
floor(extract(epoch FROM (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END)))::float8 AS "dueAt", coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false) AS overdue,
floor(extract(epoch FROM f.paused_at))::float8 AS "pausedAt",
  floor(extract(epoch FROM f.paused_until))::float8 AS "pausedUntil", f.pause_for AS "pauseFor",
f.pause_text AS "pauseText",
floor(extract(epoch FROM coalesce(f.closed_at, :now) - f.entered_at))::int AS gross,
f.paused_s + coalesce(floor(extract(epoch FROM least(:now, f.paused_until) - f.paused_at))::int, 0) AS paused,
f.rung, f.answers,
(SELECT count(*)::int FROM corrections k
WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = f.id AND k.correction_status IN (1,
  2)) AS "openChildren",
floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt",
CASE f.status
WHEN 3 THEN floor(extract(epoch FROM (f.closed_at + interval '1 day' * coalesce((SELECT s.value FROM settings s
  WHERE s.tenant_id = $1 AND s.key = 'feedbackReopenDays' AND (s.bc_id = f.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
f.cause, f.result, f.score, f.scored_by AS "scoredBy", f.called_back AS "calledBack",
f.hidden_from IS NOT NULL AS hidden, (SELECT p.id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promise_id,
(SELECT p.responsible_id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promisor_id,
EXISTS (SELECT FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND p.objected
  AND NOT EXISTS (SELECT FROM promise_events j
    WHERE j.tenant_id = $1 AND j.promise_id = p.id AND j.act IN ('uphold', 'dismiss') AND j.at > e.at)) AS unjudged,
      f.version, f.hidden_from, f.answer_warn_at, f.answer_due_at, f.answered_at, f.close_warn_at, f.close_due_at,
        f.paused_at, f.paused_until, f.pause_for, f.pause_text, f.paused_s, f.climbed_at, f.closed_at, f.cancelled,
          f.of_id, f.scored_by, f.called_back, w.manager_id, CASE WHEN w.status = 4 THEN coalesce(w.aftercare_id,
            w.steward_id)
ELSE w.steward_id END AS steward_id, f.changed_by AS "changedBy",
     floor(extract(epoch FROM f.changed_at))::float8 AS "changedAt"
   FROM feedback f JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = f.bc_id
LEFT JOIN LATERAL (
     SELECT x.name, x.phone, s.id AS contact_id
     FROM home_contacts s
     JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
     WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND (s.ended_at IS NULL OR s.ended_at >= f.home_at)
     ORDER BY s.ended_at NULLS LAST
     LIMIT 1) o ON true
LEFT JOIN users a ON a.tenant_id = $1 AND a.id = f.assignee_id
LEFT JOIN users b ON b.tenant_id = $1 AND b.id = f.about_id
   WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.id = $3::uuid
   FOR UPDATE OF f;

-- feedback.locktheirs
SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id, w.steward_id,
  w.manager_id
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1 AND f.assignee_id = $2 AND f.status = 2
ORDER BY f.id
FOR UPDATE OF f;

-- feedback.move
UPDATE feedback f
SET status = x.status, level = x.level, round = x.round, hidden_from = x.hidden_from, assignee_id = x.assignee_id,
  answer_warn_at = x.answer_warn_at, answer_due_at = x.answer_due_at, answered_at = x.answered_at, answers = x.answers,
    close_warn_at = x.close_warn_at, close_due_at = x.close_due_at, paused_at = x.paused_at,
      paused_until = x.paused_until, pause_for = x.pause_for, pause_text = x.pause_text, paused_s = x.paused_s,
        rung = x.rung, climbed_at = x.climbed_at, closed_at = x.closed_at, cause = x.cause, result = x.result,
          cancelled = x.cancelled, of_id = x.of_id, score = x.score, scored_by = x.scored_by,
            called_back = x.called_back, changed_by = $5, changed_at = :now,
  version = f.version + 1
FROM json_populate_record(NULL::feedback, $4::json) x
WHERE f.tenant_id = $1 AND f.id = $2 AND f.version = $3;

-- feedback.moveclocks
UPDATE feedback f
SET answer_warn_at = x.answer_warn_at, answer_due_at = x.answer_due_at, close_warn_at = x.close_warn_at,
  close_due_at = x.close_due_at
FROM json_populate_recordset(NULL::feedback, $2::json) x
WHERE f.tenant_id = $1 AND f.id = x.id;

-- feedback.moving
SELECT f.id, f.no, f.kind, f.status, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id,
  f.assignee_id, w.steward_id, w.manager_id
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.status IN (1, 2)
ORDER BY f.id
FOR UPDATE OF f;

-- feedback.one
SELECT f.id, f.no, f.kind, f.level, f.about, f.about_id, coalesce(b.nickname, '') AS "aboutName",
f.channel, f.words, f.site_id, w.ws_name AS "siteName", f.bc_id, c.bc_name,
coalesce(o.name, '') AS "ownerName", (SELECT min(s.ended_at) FROM home_contacts s
       WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND s.owner_id IS NOT NULL
         AND s.ended_at > f.home_at) IS NOT NULL AS former,
f.status, f.round, f.assignee_id,
coalesce(a.nickname, '') AS "assigneeName", f.entered_by AS "enteredBy",
floor(extract(epoch FROM f.entered_at))::float8 AS "enteredAt",
  floor(extract(epoch FROM f.answered_at))::float8 AS "answeredAt",
floor(extract(epoch FROM f.answer_due_at))::float8 AS "answerDueAt",
  floor(extract(epoch FROM f.close_due_at))::float8 AS "closeDueAt",
floor(extract(epoch FROM (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END)))::float8 AS "dueAt", coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false) AS overdue,
floor(extract(epoch FROM f.paused_at))::float8 AS "pausedAt",
  floor(extract(epoch FROM f.paused_until))::float8 AS "pausedUntil", f.pause_for AS "pauseFor",
f.pause_text AS "pauseText",
floor(extract(epoch FROM coalesce(f.closed_at, :now) - f.entered_at))::int AS gross,
f.paused_s + coalesce(floor(extract(epoch FROM least(:now, f.paused_until) - f.paused_at))::int, 0) AS paused,
f.rung, f.answers,
(SELECT count(*)::int FROM corrections k
WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = f.id AND k.correction_status IN (1,
  2)) AS "openChildren",
floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt",
CASE f.status
WHEN 3 THEN floor(extract(epoch FROM (f.closed_at + interval '1 day' * coalesce((SELECT s.value FROM settings s
  WHERE s.tenant_id = $1 AND s.key = 'feedbackReopenDays' AND (s.bc_id = f.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
f.cause, f.result, f.score, f.scored_by AS "scoredBy", f.called_back AS "calledBack",
f.hidden_from IS NOT NULL AS hidden, (SELECT p.id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promise_id,
(SELECT p.responsible_id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promisor_id,
EXISTS (SELECT FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND p.objected
  AND NOT EXISTS (SELECT FROM promise_events j
    WHERE j.tenant_id = $1 AND j.promise_id = p.id AND j.act IN ('uphold', 'dismiss') AND j.at > e.at)) AS unjudged,
      f.version, f.pictures || ARRAY(SELECT c.key
     FROM thread_outcomes o
     CROSS JOIN LATERAL unnest(o.pictures) WITH ORDINALITY AS c(key, place)
     WHERE o.tenant_id = $1 AND o.kind = 'feedback' AND o.record_id = f.id
     ORDER BY o.at, o.message_id, c.place) AS pictures, w.code,
     CASE WHEN true THEN w.address ELSE w.community END AS address,
     coalesce(m.nickname, '') AS manager,
     coalesce(s.nickname, '') AS steward, f.of_id,
     (SELECT count(*)::int FROM alarms l
      WHERE l.tenant_id = $1 AND l.site_id = f.site_id AND l.correction_status IN (1, 2)
        AND ($4::timestamptz IS NULL OR l.at >= $4) AND ($5::timestamptz IS NULL OR l.at < $5)) AS "openAlarms",
     o.contact_id, coalesce(masked_phone(o.phone), '') AS "ownerPhone"
   FROM feedback f JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = f.bc_id
LEFT JOIN LATERAL (
     SELECT x.name, x.phone, s.id AS contact_id
     FROM home_contacts s
     JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
     WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND (s.ended_at IS NULL OR s.ended_at >= f.home_at)
     ORDER BY s.ended_at NULLS LAST
     LIMIT 1) o ON true
LEFT JOIN users a ON a.tenant_id = $1 AND a.id = f.assignee_id
LEFT JOIN users b ON b.tenant_id = $1 AND b.id = f.about_id
   LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
   LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
   WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL OR f.hidden_from <> $2::uuid) AND f.id = $3::uuid;

-- feedback.opencomplaint
SELECT f.hidden_from IS NOT NULL AS hidden FROM feedback f WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL
  OR f.hidden_from <> $2::uuid) AND f.id = $3::uuid AND f.kind = 'complaint' AND f.status IN (1, 2);

-- feedback.page
WITH page AS MATERIALIZED (SELECT f.* FROM feedback f WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL
  OR f.hidden_from <> $2::uuid) ORDER BY (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) ASC NULLS LAST, f.entered_at DESC, f.id DESC LIMIT 20)
   SELECT coalesce((SELECT json_agg(r)
       FROM (SELECT f.id, f.no, f.kind, f.level, f.about, f.about_id, coalesce(b.nickname, '') AS "aboutName",
f.channel, f.words, f.site_id, w.ws_name AS "siteName", f.bc_id, c.bc_name,
coalesce(o.name, '') AS "ownerName", (SELECT min(s.ended_at) FROM home_contacts s
       WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND s.owner_id IS NOT NULL
         AND s.ended_at > f.home_at) IS NOT NULL AS former,
f.status, f.round, f.assignee_id,
coalesce(a.nickname, '') AS "assigneeName", f.entered_by AS "enteredBy",
floor(extract(epoch FROM f.entered_at))::float8 AS "enteredAt",
  floor(extract(epoch FROM f.answered_at))::float8 AS "answeredAt",
floor(extract(epoch FROM f.answer_due_at))::float8 AS "answerDueAt",
  floor(extract(epoch FROM f.close_due_at))::float8 AS "closeDueAt",
floor(extract(epoch FROM (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END)))::float8 AS "dueAt", coalesce((CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) < :now, false) AS overdue,
floor(extract(epoch FROM f.paused_at))::float8 AS "pausedAt",
  floor(extract(epoch FROM f.paused_until))::float8 AS "pausedUntil", f.pause_for AS "pauseFor",
f.pause_text AS "pauseText",
floor(extract(epoch FROM coalesce(f.closed_at, :now) - f.entered_at))::int AS gross,
f.paused_s + coalesce(floor(extract(epoch FROM least(:now, f.paused_until) - f.paused_at))::int, 0) AS paused,
f.rung, f.answers,
(SELECT count(*)::int FROM corrections k
WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = f.id AND k.correction_status IN (1,
  2)) AS "openChildren",
floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt",
CASE f.status
WHEN 3 THEN floor(extract(epoch FROM (f.closed_at + interval '1 day' * coalesce((SELECT s.value FROM settings s
  WHERE s.tenant_id = $1 AND s.key = 'feedbackReopenDays' AND (s.bc_id = f.bc_id OR s.bc_id IS NULL)
    ORDER BY s.bc_id NULLS LAST LIMIT 1), '7'::jsonb)::text::float8)))::float8 END AS "reopenUntil",
f.cause, f.result, f.score, f.scored_by AS "scoredBy", f.called_back AS "calledBack",
f.hidden_from IS NOT NULL AS hidden, (SELECT p.id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promise_id,
(SELECT p.responsible_id FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id) AS promisor_id,
EXISTS (SELECT FROM promise_events e
   JOIN promises p ON p.tenant_id = $1 AND p.id = e.promise_id
   WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND p.objected
  AND NOT EXISTS (SELECT FROM promise_events j
    WHERE j.tenant_id = $1 AND j.promise_id = p.id AND j.act IN ('uphold', 'dismiss') AND j.at > e.at)) AS unjudged,
      f.version FROM page f JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = f.bc_id
LEFT JOIN LATERAL (
     SELECT x.name, x.phone, s.id AS contact_id
     FROM home_contacts s
     JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
     WHERE s.tenant_id = $1 AND s.site_id = f.site_id AND (s.ended_at IS NULL OR s.ended_at >= f.home_at)
     ORDER BY s.ended_at NULLS LAST
     LIMIT 1) o ON true
LEFT JOIN users a ON a.tenant_id = $1 AND a.id = f.assignee_id
LEFT JOIN users b ON b.tenant_id = $1 AND b.id = f.about_id ORDER BY (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) ASC NULLS LAST, f.entered_at DESC, f.id DESC) r),
    '[]'::json)::text AS list,
     (SELECT count(*) FROM feedback f WHERE f.tenant_id = $1::uuid AND (f.hidden_from IS NULL
       OR f.hidden_from <> $2::uuid))::int AS total;

-- feedback.pauses
SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.about_id,
  f.status, f.level, f.round, f.hidden_from, f.assignee_id, f.answer_warn_at, f.answer_due_at, f.answered_at,
    f.answers, f.close_warn_at, f.close_due_at, f.paused_at, f.paused_until, f.pause_for, f.pause_text, f.paused_s,
      f.rung, f.climbed_at, f.closed_at, f.cause, f.result, f.cancelled, f.of_id, f.score, f.scored_by, f.called_back
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1 AND ($2::uuid IS NULL OR f.id = $2) AND f.paused_until <= :now
ORDER BY f.id
LIMIT 500
FOR UPDATE OF f;

-- feedback.place
SELECT w.id, w.bc_id, w.ws_name, w.manager_id, w.steward_id, CASE WHEN w.status = 4 THEN coalesce(w.aftercare_id,
  w.steward_id)
ELSE w.steward_id END AS keeper_id
   FROM sites w
   WHERE w.tenant_id = $1::uuid AND w.id = $2::uuid AND w.deleted_at IS NULL
   FOR SHARE OF w;

-- feedback.readtheirs
SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id, w.steward_id,
  w.manager_id
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1 AND f.assignee_id = $2 AND f.status = 2
ORDER BY f.id;

-- feedback.settled
SELECT f.id, f.no, f.kind, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from, f.about_id, f.assignee_id
FROM feedback f
JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
WHERE f.tenant_id = $1 AND f.status IN (1, 2) AND w.status = 3 AND NOT EXISTS (SELECT FROM contracts t
    WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.state IN ('live', 'ending', 'finishing'))
ORDER BY f.id
LIMIT 500
FOR UPDATE OF f SKIP LOCKED;

-- feedback.supervise
INSERT INTO feedback_supervisors (tenant_id, feedback_id, user_id, rung, at)
SELECT $1, $2, x.id, $4, :now
FROM unnest($3::uuid[]) AS x(id)
ON CONFLICT DO NOTHING;

-- feedback.supervisors
SELECT u.id, u.nickname AS name, floor(extract(epoch FROM v.at))::float8 AS at
FROM feedback_supervisors v
JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id
WHERE v.tenant_id = $1 AND v.feedback_id = $2
ORDER BY v.at, v.rung, u.id;

-- feedback.toaccept
SELECT count(*)::int AS n FROM feedback f WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status = 1;

-- feedback.toclose
SELECT count(*)::int AS n FROM feedback f WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.status IN (1, 2);

-- feedback.unsettled
SELECT count(*)::int AS open, (count(*) FILTER (WHERE (CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END) <= :now))::int AS late
   FROM feedback f
   WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.status IN (1, 2);

-- feedback.waiting
SELECT f.id, f.no, f.kind, f.level, f.status, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from,
     f.about_id, f.assignee_id, CASE WHEN w.status = 4 THEN coalesce(w.aftercare_id, w.steward_id)
ELSE w.steward_id END AS steward_id, f.rung, f.climbed_at, x.due, f.round,
     x.due <= :now AS "isLate"
   FROM feedback f
   JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
   CROSS JOIN LATERAL (SELECT CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END AS due) x
   WHERE f.tenant_id = $1 AND f.status IN (1,
     2) AND ((f.answered_at IS NULL AND f.answer_warn_at <= :now) OR (f.paused_at IS NULL AND f.close_warn_at <= :now))
       AND x.due IS NOT NULL
     AND CASE
       WHEN x.due <= :now THEN f.rung < 3
       ELSE NOT EXISTS (
         SELECT FROM reminders m
         WHERE m.tenant_id = $1 AND m.cause_kind = 'feedback' AND m.cause_id = f.id::text
           AND m.step = 'warn:' || floor(extract(epoch FROM x.due))::text) END
   ORDER BY f.id
   LIMIT 500
   FOR UPDATE OF f SKIP LOCKED;
