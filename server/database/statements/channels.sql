-- channels.add
INSERT INTO channels (tenant_id, id, name, maker, host, secret, bc_id, role, kinds, made_by, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10, :now);

-- channels.branch
SELECT c.bc_id AS id FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2;

-- channels.drop
UPDATE channel_messages m SET state = 'dropped', said = '已经有人处理'
FROM json_to_recordset($2::json) AS x(kind text, id text)
WHERE m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.event = 'waiting'
  AND m.state = 'queued';

-- channels.dropall
UPDATE channel_messages m SET state = 'dropped', said = '通道已停用'
WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = 'queued';

-- channels.duenow
UPDATE channel_messages m SET next_at = :now
WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = 'queued' AND m.next_at > :now;

-- channels.edit
UPDATE channels k SET name = $3, host = $4, secret = $5, bc_id = $6, role = $7, kinds = $8::text[],
  failing_since = CASE WHEN $9 THEN NULL ELSE k.failing_since END, version = k.version + 1
WHERE k.tenant_id = $1 AND k.id = $2;

-- channels.failed
UPDATE channel_messages m SET held_until = NULL, said = $3,
  state = CASE WHEN $4::float8 IS NULL THEN 'givenUp' ELSE m.state END,
  next_at = CASE WHEN $4::float8 IS NULL THEN m.next_at ELSE :now + interval '1 minute' * $4::float8 END
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]) AND m.state = 'queued';

-- channels.forget
DELETE FROM channel_messages m
WHERE m.tenant_id = $1 AND m.id = ANY (ARRAY(
  SELECT o.id FROM channel_messages o
  WHERE o.tenant_id = $1 AND o.state <> 'queued' AND o.at < :now - interval '30 days'
  ORDER BY o.at
  LIMIT $2));

-- channels.giveback
UPDATE channel_messages m SET held_until = NULL, tries = m.tries - 1, next_at = to_timestamp($3)
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]);

-- channels.gone
UPDATE channel_messages m SET state = 'dropped', said = '工地已不在这个分公司'
FROM channels k, sites w
WHERE m.tenant_id = $1 AND m.state = 'queued' AND m.next_at <= :now AND k.tenant_id = $1
  AND k.id = m.channel_id AND w.tenant_id = $1 AND w.id = m.of_site AND k.bc_id <> w.bc_id;

-- channels.groups
SELECT g AS tenant FROM groups_to_send(:now) g;

-- channels.holdback
UPDATE channel_messages m SET next_at = :now + interval '1 minute' * $3::float8
WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = 'queued' AND m.next_at <= :now
  AND (m.held_until IS NULL OR m.held_until <= :now);

-- channels.ill
UPDATE channels k SET failing_since = coalesce(k.failing_since, :now)
WHERE k.tenant_id = $1 AND k.id = $2 AND k.state = 'active'
RETURNING floor(extract(epoch FROM k.failing_since))::float8 AS since, k.name, k.made_by AS by;

-- channels.lately
SELECT count(*)::int AS n, floor(extract(epoch FROM max(m.sent_at) FILTER (WHERE m.sent_as IS NOT NULL)))::float8 AS sum
FROM channel_messages m
WHERE m.tenant_id = $1 AND m.channel_id = $2 AND m.state = 'sent'
  AND m.sent_at > :now - interval '1 minute' * $3::int;

-- channels.list
SELECT k.id, k.name, k.maker, k.host, k.bc_id, coalesce(c.bc_name, '') AS bc_name, k.role,
  coalesce(ro.name, k.role) AS "roleName", k.kinds, k.state, k.why, u.nickname AS by,
    floor(extract(epoch FROM k.made_at))::float8 AS at,
  k.version, (SELECT count(*)::int FROM channel_messages m
    WHERE m.tenant_id = $1 AND m.channel_id = k.id AND m.state = 'queued') AS waiting,
  floor(extract(epoch FROM k.failing_since))::float8 AS "failingSince",
    floor(extract(epoch FROM k.sent_at))::float8 AS "sentAt"
FROM channels k
JOIN users u ON u.tenant_id = $1 AND u.id = k.made_by
LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN roles ro ON ro.tenant_id = $1 AND ro.code = k.role
WHERE k.tenant_id = $1
ORDER BY k.state, k.name, k.id;

-- channels.lock
SELECT k.id, k.name, k.maker, k.host, k.secret, k.bc_id, k.role, k.kinds, k.state, k.version
FROM channels k
WHERE k.tenant_id = $1 AND k.id = $2
FOR UPDATE;

-- channels.lockmessage
SELECT m.id, m.state, k.id AS channel, k.name, k.state AS active
FROM channel_messages m
JOIN channels k ON k.tenant_id = $1 AND k.id = m.channel_id
WHERE m.tenant_id = $1 AND m.id = $2
FOR UPDATE OF m;

-- channels.messages
SELECT m.id, m.event, nullif(m.kind, '') AS kind, m.state, floor(extract(epoch FROM m.at))::float8 AS at, m.tries,
  CASE WHEN m.state = 'queued' THEN floor(extract(epoch FROM m.next_at))::float8 END AS next,
    floor(extract(epoch FROM m.sent_at))::float8 AS "sentAt",
  CASE WHEN m.sent_as IS NULL THEN 1 ELSE (SELECT count(*)::int FROM channel_messages o
    WHERE o.tenant_id = $1 AND o.channel_id = $2 AND o.sent_as = m.sent_as) END AS together, m.said
FROM channel_messages m
WHERE m.tenant_id = $1 AND m.channel_id = $2
ORDER BY m.at DESC, m.id DESC
LIMIT 50;

-- channels.queue
INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, of_site, link, at, since, next_at)
SELECT k.tenant_id, gen_random_uuid(), k.id, 'waiting', $2, $3, w.id, $5, :now, :now, :now
FROM channels k
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $4
WHERE k.tenant_id = $1 AND k.state = 'active' AND $2 = ANY (k.kinds)
  AND (k.bc_id IS NULL OR k.bc_id = coalesce(w.bc_id, $8::uuid))
  AND (k.role = '' OR EXISTS (
    SELECT 1 FROM user_roles ur
    JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.code = k.role
    WHERE ur.tenant_id = $1 AND ur.user_id = ANY ($6::uuid[])))
  AND (EXISTS (
    SELECT 1 FROM notifications n WHERE n.tenant_id = $1 AND n.id = ANY ($7::uuid[]) AND n.times = 1)
    OR $9 AND NOT EXISTS (
      SELECT 1 FROM channel_messages o
      WHERE o.tenant_id = $1 AND o.channel_id = k.id AND o.event = 'waiting' AND o.kind = $2
        AND o.cause_id = $3))
ORDER BY k.id
ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = 'queued' DO NOTHING;

-- channels.replay
UPDATE channel_messages m SET state = 'queued', since = :now, next_at = :now, tries = 0,
  sent_as = NULL, sent_at = NULL, said = ''
WHERE m.tenant_id = $1 AND m.id = $2 AND NOT EXISTS (
  SELECT 1 FROM channel_messages o
  WHERE o.tenant_id = $1 AND o.channel_id = m.channel_id AND o.event = m.event AND o.kind = m.kind
    AND o.cause_id = m.cause_id AND o.state = 'queued');

-- channels.roles
SELECT r.code, r.name FROM roles r WHERE r.tenant_id = $1 AND r.status = 1 AND r.code <> '' ORDER BY r.name;

-- channels.sent
UPDATE channel_messages m SET state = 'sent', sent_at = :now, sent_as = CASE WHEN $4 THEN $3::uuid END,
  held_until = NULL, said = '对方已收到'
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]);

-- channels.settled
INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, of_site, at, since, next_at)
SELECT DISTINCT ON (m.channel_id, m.kind, m.cause_id) m.tenant_id, gen_random_uuid(), m.channel_id, 'settled',
  m.kind, m.cause_id, m.of_site, :now::timestamptz, :now::timestamptz, :now::timestamptz
FROM json_to_recordset($2::json) AS x(kind text, id text)
JOIN channel_messages m ON m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.event = 'waiting'
  AND (m.state = 'sent' OR m.tries > 0)
JOIN channels k ON k.tenant_id = $1 AND k.id = m.channel_id AND k.maker = 'webhook'
  AND k.state = 'active'
WHERE NOT EXISTS (
  SELECT 1 FROM channel_messages o
  WHERE o.tenant_id = $1 AND o.channel_id = m.channel_id AND o.kind = m.kind AND o.cause_id = m.cause_id
    AND o.event = 'settled' AND o.at >= m.at)
ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = 'queued' DO NOTHING;

-- channels.start
UPDATE channels k SET state = 'active', why = '', failing_since = NULL,
  version = k.version + 1
WHERE k.tenant_id = $1 AND k.id = $2;

-- channels.stop
UPDATE channels k SET state = 'stopped', why = $3, version = k.version + 1
WHERE k.tenant_id = $1 AND k.id = $2;

-- channels.take
WITH due AS (
  SELECT q.id FROM channel_messages q
  WHERE q.tenant_id = $1 AND q.state = 'queued' AND q.next_at <= :now
    AND (q.held_until IS NULL OR q.held_until <= :now) AND true
  ORDER BY q.at, q.id
  LIMIT 200
  FOR UPDATE SKIP LOCKED)
UPDATE channel_messages m SET held_until = :now + interval '2 minutes', tries = m.tries + 1
FROM due, channels k
WHERE m.tenant_id = $1 AND m.id = due.id AND k.tenant_id = $1 AND k.id = m.channel_id
RETURNING m.id, k.id AS channel, k.maker, k.secret, m.event, m.kind, m.cause_id, m.of_site AS site,
  (SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site) AS "siteCode", m.link,
  (
SELECT floor(extract(epoch FROM CASE m.kind
  WHEN 'alarm' THEN (SELECT c.due_at FROM corrections c WHERE c.tenant_id = $1 AND c.id = k.id
  AND c.correction_status IN (1, 2))
  WHEN 'correction' THEN (SELECT c.due_at FROM corrections c WHERE c.tenant_id = $1 AND c.id = k.id
  AND c.correction_status IN (1, 2))
  WHEN 'feedback' THEN (SELECT CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END FROM feedback f WHERE f.tenant_id = $1 AND f.id = k.id)
  WHEN 'order' THEN (SELECT o.due_at FROM orders o
    WHERE o.tenant_id = $1 AND o.id = k.id AND o.receive_state = 0)
  WHEN 'question' THEN (SELECT ((q.needed_by + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') FROM questions q
    WHERE q.tenant_id = $1 AND q.id = k.id AND q.state = 'open')
  WHEN 'promise' THEN (SELECT ((p.due + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') FROM promises p
    WHERE p.tenant_id = $1 AND p.id = k.id AND p.state IN ('open', 'extended'))
  END))::float8
FROM (SELECT CASE
  WHEN m.cause_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN m.cause_id::uuid END AS id) k) AS due,
  floor(extract(epoch FROM m.at))::float8 AS at, m.tries, floor(extract(epoch FROM m.since))::float8 AS since;

-- channels.takerest
WITH due AS (
  SELECT q.id FROM channel_messages q
  WHERE q.tenant_id = $1 AND q.state = 'queued' AND q.next_at <= :now
    AND (q.held_until IS NULL OR q.held_until <= :now) AND q.channel_id = $2 AND q.event <> 'trial'
  ORDER BY q.at, q.id
  LIMIT 20000
  FOR UPDATE SKIP LOCKED)
UPDATE channel_messages m SET held_until = :now + interval '2 minutes', tries = m.tries + 1
FROM due, channels k
WHERE m.tenant_id = $1 AND m.id = due.id AND k.tenant_id = $1 AND k.id = m.channel_id
RETURNING m.id, k.id AS channel, k.maker, k.secret, m.event, m.kind, m.cause_id, m.of_site AS site,
  (SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site) AS "siteCode", m.link,
  (
SELECT floor(extract(epoch FROM CASE m.kind
  WHEN 'alarm' THEN (SELECT c.due_at FROM corrections c WHERE c.tenant_id = $1 AND c.id = k.id
  AND c.correction_status IN (1, 2))
  WHEN 'correction' THEN (SELECT c.due_at FROM corrections c WHERE c.tenant_id = $1 AND c.id = k.id
  AND c.correction_status IN (1, 2))
  WHEN 'feedback' THEN (SELECT CASE f.status
WHEN 1 THEN f.answer_due_at
WHEN 2 THEN least(
  CASE WHEN f.answered_at IS NULL THEN f.answer_due_at END,
  CASE WHEN f.paused_at IS NULL THEN f.close_due_at END) END FROM feedback f WHERE f.tenant_id = $1 AND f.id = k.id)
  WHEN 'order' THEN (SELECT o.due_at FROM orders o
    WHERE o.tenant_id = $1 AND o.id = k.id AND o.receive_state = 0)
  WHEN 'question' THEN (SELECT ((q.needed_by + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') FROM questions q
    WHERE q.tenant_id = $1 AND q.id = k.id AND q.state = 'open')
  WHEN 'promise' THEN (SELECT ((p.due + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') FROM promises p
    WHERE p.tenant_id = $1 AND p.id = k.id AND p.state IN ('open', 'extended'))
  END))::float8
FROM (SELECT CASE
  WHEN m.cause_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN m.cause_id::uuid END AS id) k) AS due,
  floor(extract(epoch FROM m.at))::float8 AS at, m.tries, floor(extract(epoch FROM m.since))::float8 AS since;

-- channels.trial
INSERT INTO channel_messages (tenant_id, id, channel_id, event, at, since, next_at)
VALUES ($1, $2, $3, 'trial', :now, :now, :now)
ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = 'queued'
DO UPDATE SET next_at = :now;

-- channels.well
UPDATE channels k SET failing_since = NULL, sent_at = :now WHERE k.tenant_id = $1 AND k.id = $2;
