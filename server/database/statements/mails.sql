-- mails.address
SELECT a.address, a.asked, a.code, floor(extract(epoch FROM a.code_at))::float8 AS "codeAt", a.tries, a.trouble
FROM mail_addresses a
WHERE a.tenant_id = $1 AND a.user_id = $2;

-- mails.ask
INSERT INTO mail_addresses AS a (tenant_id, user_id, asked, code, code_at, tries)
VALUES ($1, $2, $3, $4, :now, 0)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET asked = $3, code = $4, code_at = :now, tries = 0;

-- mails.begin
INSERT INTO notice_rules AS r (tenant_id, user_id, hour, digested_on) VALUES ($1, $2, $3, $4)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET digested_on = greatest(r.digested_on, excluded.digested_on);

-- mails.confirm
UPDATE mail_addresses a SET address = a.asked, asked = '', code = '', code_at = NULL, tries = 0, trouble = ''
WHERE a.tenant_id = $1 AND a.user_id = $2;

-- mails.digests
WITH due AS (
     UPDATE notice_rules r SET digested_on = $2
     FROM mail_addresses a
     WHERE r.tenant_id = $1 AND r.hour <= $3 AND coalesce(r.digested_on < $2, true) AND a.tenant_id = $1
       AND a.user_id = r.user_id AND a.address <> ''
     RETURNING r.tenant_id, r.user_id, r.ways, r.sites)
   INSERT INTO mails AS m (tenant_id, id, user_id, event, at, since, next_at)
   SELECT r.tenant_id, gen_random_uuid(), r.user_id, 'digest', :now, :now, :now
   FROM due r
   WHERE EXISTS (SELECT 1 FROM notifications n
     WHERE n.tenant_id = $1 AND n.user_id = r.user_id AND n.read_at IS NULL AND n.cause_kind IS NOT NULL
AND coalesce(r.ways ->> n.cause_kind, CASE WHEN n.cause_kind = ANY ($4::text[]) THEN 'now'
  ELSE 'digest' END) = 'digest'
AND (n.of_site IS NULL OR r.sites = '{}' OR n.of_site = ANY (r.sites)))
   ON CONFLICT (tenant_id, user_id, event, kind, cause_id) WHERE state = 'queued'
   DO UPDATE SET at = :now, since = :now, next_at = :now;

-- mails.drop
UPDATE mails m SET state = 'dropped', said = '已经有人处理'
FROM json_to_recordset($2::json) AS x(kind text, id text)
WHERE m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.state = 'queued';

-- mails.dropall
UPDATE mails m SET state = 'dropped', said = '不再发到这个邮箱'
WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.state = 'queued';

-- mails.forget
DELETE FROM mails m
WHERE m.tenant_id = $1 AND m.id = ANY (ARRAY(
  SELECT o.id FROM mails o
  WHERE o.tenant_id = $1 AND o.state <> 'queued' AND o.at < :now - interval '30 days'
  ORDER BY o.at
  LIMIT $2));

-- mails.giveback
UPDATE mails m SET held_until = NULL, tries = m.tries - 1, next_at = to_timestamp($3)
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]);

-- mails.gone
UPDATE mails m SET state = 'dropped', said = '账号已停用，或已不能打开'
   FROM users u
   WHERE m.tenant_id = $1 AND m.state = 'queued' AND m.next_at <= :now AND u.tenant_id = $1 AND u.id = m.user_id
     AND (u.status <> 1 OR u.deleted_at IS NOT NULL OR NOT EXISTS (
SELECT 1
FROM user_roles ur
JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
JOIN pages p ON p.tenant_id = $1 AND p.id = rp.page_id AND (m.page = '' OR p.component_name = m.page)
WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND (m.of_site IS NULL OR EXISTS (
  SELECT 1 FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site AND CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END))));

-- mails.groups
SELECT g AS tenant FROM groups_to_mail(:now) g;

-- mails.lately
SELECT count(*)::int AS n, floor(extract(epoch FROM max(m.sent_at) FILTER (WHERE m.sent_as IS NOT NULL)))::float8 AS sum
FROM mails m
WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.state = 'sent' AND m.event = 'told'
  AND m.sent_at > :now - interval '1 minute' * $3::int;

-- mails.list
SELECT m.id, m.event, nullif(m.kind, '') AS kind, m.state, floor(extract(epoch FROM m.at))::float8 AS at,
  floor(extract(epoch FROM m.sent_at))::float8 AS "sentAt", m.said,
  CASE WHEN m.sent_as IS NULL THEN 1 ELSE (SELECT count(*)::int FROM mails o
    WHERE o.tenant_id = $1 AND o.user_id = $2 AND o.sent_as = m.sent_as) END AS together
FROM mails m
WHERE m.tenant_id = $1 AND m.user_id = $2
ORDER BY m.at DESC, m.id DESC
LIMIT 10;

-- mails.nothing
UPDATE mails m SET state = 'dropped', held_until = NULL, said = '没有要汇总的'
WHERE m.tenant_id = $1 AND m.id = $2;

-- mails.queue
INSERT INTO mails (tenant_id, id, user_id, event, kind, cause_id, notice_id, of_site, page, link, urgent, at,
  since, next_at)
SELECT n.tenant_id, gen_random_uuid(), n.user_id, 'told', $2, $3, n.id, w.id, $6, $5, $7, :now,
  :now, :now
FROM notifications n
JOIN mail_addresses a ON a.tenant_id = $1 AND a.user_id = n.user_id AND a.address <> ''
LEFT JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = n.user_id
LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $4
WHERE n.tenant_id = $1 AND n.id = ANY ($8::uuid[]) AND n.times = 1
  AND coalesce(r.ways ->> $2, CASE WHEN $2 = ANY ($9::text[]) THEN 'now' END) =
    'now'
  AND (w.id IS NULL OR r.sites IS NULL OR r.sites = '{}' OR w.id = ANY (r.sites))
ON CONFLICT (tenant_id, user_id, event, kind, cause_id) WHERE state = 'queued' DO NOTHING;

-- mails.remove
UPDATE mail_addresses a SET address = '', asked = '', code = '', trouble = $3
WHERE a.tenant_id = $1 AND a.user_id = $2;

-- mails.rules
SELECT r.ways, r.quiet_from AS "quietFrom", r.quiet_to AS "quietTo", r.hour, r.version,
  coalesce((SELECT json_agg(json_build_object('id', w.id, 'name', w.ws_name) ORDER BY w.code)
    FROM sites w WHERE w.tenant_id = $1 AND w.id = ANY (r.sites)), '[]') AS sites
FROM notice_rules r
WHERE r.tenant_id = $1 AND r.user_id = $2;

-- mails.seen
UPDATE mails m SET state = 'dropped', said = '已在系统里看过'
FROM notifications n
WHERE m.tenant_id = $1 AND m.state = 'queued' AND m.event = 'told' AND m.next_at <= :now
  AND n.tenant_id = $1 AND n.id = m.notice_id AND n.read_at IS NOT NULL;

-- mails.sent
UPDATE mails m SET state = 'sent', sent_at = :now, sent_as = CASE WHEN $4 THEN $3::uuid END,
  held_until = NULL, said = '邮件服务器已收下'
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]);

-- mails.setrules
INSERT INTO notice_rules AS r (tenant_id, user_id, ways, sites, quiet_from, quiet_to, hour, version)
SELECT $1, $2, $3::jsonb, $4::uuid[], $5, $6, $7, 1
WHERE $8 = 0 OR EXISTS (SELECT 1 FROM notice_rules o WHERE o.tenant_id = $1 AND o.user_id = $2)
ON CONFLICT (tenant_id, user_id) DO UPDATE
SET ways = excluded.ways, sites = excluded.sites, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
  hour = excluded.hour, version = r.version + 1
WHERE r.version = $8;

-- mails.sites
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- mails.take
WITH due AS (
     SELECT q.id FROM mails q
     JOIN mail_addresses qa ON qa.tenant_id = $1 AND qa.user_id = q.user_id AND qa.address <> ''
     LEFT JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = q.user_id
     WHERE q.tenant_id = $1 AND q.state = 'queued' AND q.next_at <= :now
       AND (q.held_until IS NULL OR q.held_until <= :now)
       AND (q.urgent OR q.event = 'digest' OR coalesce(r.quiet_from, '') = '' OR NOT
         CASE WHEN r.quiet_from <= r.quiet_to THEN $2 >= r.quiet_from AND $2 < r.quiet_to
           ELSE $2 >= r.quiet_from OR $2 < r.quiet_to END)
     ORDER BY q.at, q.id
     LIMIT 500
     FOR UPDATE OF q SKIP LOCKED)
   UPDATE mails m SET held_until = :now + interval '2 minutes', tries = m.tries + 1
   FROM due, mail_addresses a
   WHERE m.tenant_id = $1 AND m.id = due.id AND a.tenant_id = $1 AND a.user_id = m.user_id
   RETURNING m.id, m.user_id AS user, a.address, m.event, m.kind, m.cause_id AS cause,
     (SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = m.of_site) AS "siteCode",
     (SELECT substring(n.title FROM '[A-Z]{2,6}[0-9]{6}-?[0-9]{2,6}') FROM notifications n WHERE n.tenant_id = $1
       AND n.id = m.notice_id) AS number,
     m.link, (
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

-- mails.try
UPDATE mail_addresses a SET tries = a.tries + 1 WHERE a.tenant_id = $1 AND a.user_id = $2;

-- mails.unask
UPDATE mail_addresses a SET asked = '', code = '' WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.asked = $3;

-- mails.unread
SELECT n.cause_kind AS kind, n.cause_id AS cause, s.code AS "siteCode",
  substring(n.title FROM '[A-Z]{2,6}[0-9]{6}-?[0-9]{2,6}') AS number, n.link,
     (
SELECT floor(extract(epoch FROM CASE n.cause_kind
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
  WHEN n.cause_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN n.cause_id::uuid END AS id) k) AS due,
     floor(extract(epoch FROM :now - n.at) / 86400)::int AS days
   FROM notifications n
   JOIN users u ON u.tenant_id = $1 AND u.id = n.user_id
   JOIN notice_rules r ON r.tenant_id = $1 AND r.user_id = n.user_id
   LEFT JOIN sites s ON s.tenant_id = $1 AND s.id = n.of_site
   WHERE n.tenant_id = $1 AND n.user_id = $2 AND n.read_at IS NULL AND n.cause_kind IS NOT NULL
AND coalesce(r.ways ->> n.cause_kind, CASE WHEN n.cause_kind = ANY ($3::text[]) THEN 'now'
  ELSE 'digest' END) = 'digest'
AND (n.of_site IS NULL OR r.sites = '{}' OR n.of_site = ANY (r.sites)) AND EXISTS (
SELECT 1
FROM user_roles ur
JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.status = 1
JOIN role_pages rp ON rp.tenant_id = $1 AND rp.role_id = ro.id
JOIN pages p ON p.tenant_id = $1 AND p.id = rp.page_id AND ('' = '' OR p.component_name = '')
WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND (n.of_site IS NULL OR EXISTS (
  SELECT 1 FROM sites w WHERE w.tenant_id = $1 AND w.id = n.of_site AND CASE ro.data_scope
WHEN 'tenant' THEN true
WHEN 'branches' THEN w.bc_id = u.bc_id
  OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)
WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
  WHERE t.tenant_id = $1 AND t.user_id = u.id AND t.store_id = w.store_id)
ELSE u.id IN (w.manager_id, w.steward_id) END)))
   ORDER BY n.at, n.id
   LIMIT 500;

-- mails.unsent
UPDATE mails m SET held_until = NULL, said = $3,
  state = CASE WHEN $4::float8 IS NULL THEN 'givenUp' ELSE m.state END,
  next_at = CASE WHEN $4::float8 IS NULL THEN m.next_at ELSE :now + interval '1 minute' * $4::float8 END
WHERE m.tenant_id = $1 AND m.id = ANY ($2::uuid[]) AND m.state = 'queued';
