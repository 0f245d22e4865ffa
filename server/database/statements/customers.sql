-- customers.add
INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, source, community, address, area, budget,
  style, consultant_id, held, why, answer_due, back_due, introducer_id, notice, held_at, changed_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, :now, :now, :now);

-- customers.addcontact
INSERT INTO customer_contacts (tenant_id, id, customer_id, name, relation, phone, created_at)
VALUES ($1, $2, $3, $4, $5, $6, :now);

-- customers.addup
WITH gone AS (DELETE FROM customer_counts k WHERE k.tenant_id = $1 RETURNING k.*), kept AS (
  INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
  SELECT g.tenant_id, g.bc_id, g.store_id, g.held, g.step, sum(g.count)
  FROM gone g
  GROUP BY 1, 2, 3, 4, 5
  HAVING sum(g.count) <> 0
  RETURNING 1)
SELECT ((SELECT count(*) FROM gone) - (SELECT count(*) FROM kept))::int AS n;

-- customers.alike
SELECT k.id, k.name, coalesce(s.name, '') AS "storeName", coalesce(u.nickname, '') AS "consultantName",
  CASE WHEN $5::text <> '' AND replace(k.address, ' ', '') = replace($5, ' ', '') THEN '地址相同'
    WHEN k.name = $3 THEN '同小区同名' ELSE '同小区，名字只差一个字' END AS why
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id
WHERE k.tenant_id = $1::uuid AND k.id <> $2::uuid AND k.held <> 'merged'
  AND k.bc_id = $6
  AND ($5::text <> '' AND replace(k.address, ' ', '') = replace($5, ' ', '') AND k.community = $4
    OR $4::text <> '' AND k.community = $4
      AND (k.name = $3 OR (length(k.name) >= 3 AND length(k.name) = length($3::text) AND (SELECT count(*)
    FROM generate_series(1, length(k.name)) i
    WHERE substr(k.name, i, 1) <> substr($3::text, i, 1)) = 1)))
ORDER BY k.created_at, k.id
LIMIT 10;

-- customers.away
UPDATE customers SET held = 'merged', merged_into = $3, lost_reason = NULL, answer_due = NULL, back_due = NULL,
  changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.back
SELECT k.id,
  (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'leadDays' AND (s.bc_id = k.bc_id
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '14'::jsonb) #>> '{}')::float8 AS days
FROM customers k
WHERE k.tenant_id = $1 AND k.back_due <= :now AND k.held = 'assigned' AND k.step < 5
  AND NOT EXISTS (SELECT FROM quotations q
    WHERE q.tenant_id = $1 AND q.customer_id = k.id AND q.status = 2)
  AND NOT coalesce(k.next_at BETWEEN :now AND :now + interval '14 days', false)
  AND EXISTS (SELECT FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text
      AND m.step = 'back:' || floor(extract(epoch FROM k.back_due))::float8::bigint::text
      AND m.at <= :now - interval '3 days')
ORDER BY k.id
LIMIT 500
FOR UPDATE OF k SKIP LOCKED;

-- customers.board
SELECT x.step, max(x.n)::int AS n, coalesce(json_agg(json_build_object('id', x.id, 'name', x.name,
    'community', x.community, 'consultant_id', x.consultant_id,
    'consultantName', x.consultant, 'step', x.step, 'nextAt', x.next,
    'overdue', x.overdue, 'held', x.held) ORDER BY x.place) FILTER (WHERE x.place <= 30), '[]') AS cards
FROM (
  SELECT k.step, k.id, k.name, k.community, k.held, k.consultant_id, coalesce(u.nickname, '') AS consultant,
    floor(extract(epoch FROM k.next_at))::float8 AS next, (k.held = 'assigned' AND (coalesce(k.answer_due <= :now,
      false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) AS overdue, count(*) OVER (PARTITION BY k.step) AS n,
    row_number() OVER (PARTITION BY k.step ORDER BY (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) DESC, k.next_at NULLS LAST, k.created_at DESC, k.id)
      AS place
  FROM customers k
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
  WHERE k.tenant_id = $1::uuid AND k.held <> 'merged' AND k.held <> 'lost') x
GROUP BY x.step
ORDER BY x.step;

-- customers.bound
SELECT DISTINCT ON (c.customer_id) c.customer_id, c.code
FROM contracts c
WHERE c.tenant_id = $1 AND c.customer_id = ANY ($2::uuid[]) AND c.state <> 'void'
ORDER BY c.customer_id, c.code;

-- customers.branch
SELECT 1 FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = $2 AND c.bc_id = $3 AND c.status = 1;

-- customers.circle
WITH RECURSIVE x AS (
  SELECT k.id, k.introducer_id FROM customers k WHERE k.tenant_id = $1 AND k.id = $3
  UNION
  SELECT k.id, k.introducer_id FROM x JOIN customers k ON k.tenant_id = $1 AND k.id = x.introducer_id)
SELECT EXISTS (SELECT FROM x WHERE x.id = $2) AS circle;

-- customers.consultant
SELECT 1 FROM users u
WHERE u.tenant_id = $1 AND u.id = $3 AND u.status = 1 AND u.deleted_at IS NULL AND u.bc_id = $2;

-- customers.consultants
SELECT u.id, u.nickname AS name, (SELECT count(*)::int FROM customers k
    WHERE k.tenant_id = $1 AND k.consultant_id = u.id AND k.held = 'assigned' AND k.step < 5) AS n,
  (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'leadCap' AND (s.bc_id = $3::uuid
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), '200'::jsonb) #>> '{}')::int AS cap,
      NOT (u.status = 1 AND u.deleted_at IS NULL AND NOT EXISTS (
    SELECT FROM absences away WHERE away.tenant_id = $1 AND away.user_id = u.id AND away.ended_at IS NULL
      AND (:now AT TIME ZONE 'Asia/Shanghai')::date BETWEEN away.from_day AND away.to_day)) AS away
FROM users u
WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[])
ORDER BY n, u.nickname, u.id;

-- customers.contact
SELECT t.name, t.phone FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = $2 AND t.id = $3;

-- customers.contacts
SELECT 1 FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = $2;

-- customers.contracted
SELECT c.code FROM contracts c
WHERE c.tenant_id = $1 AND c.customer_id = $2 AND c.state NOT IN ('void', 'ended')
ORDER BY c.code
LIMIT 1;

-- customers.dropcontact
DELETE FROM customer_contacts WHERE tenant_id = $1 AND customer_id = $2 AND id = $3;

-- customers.edit
UPDATE customers
SET store_id = $3, name = $4, phone = $5, source = $6, community = $7, address = $8, area = $9, budget = $10,
  style = $11, introducer_id = $12, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.elsewhere
SELECT 1
FROM customer_numbers n
WHERE n.tenant_id = $1 AND n.phone = replace($2, '-', '') AND n.of_branch <> $3
LIMIT 1;

-- customers.entry
INSERT INTO customer_events (tenant_id, id, customer_id, act, actor, from_id, to_id, text, at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now);

-- customers.followed
UPDATE customers SET answer_due = NULL, back_due = $3, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.forgetlooks
DELETE FROM customer_looks WHERE tenant_id = $1 AND at < :now - interval '180 days';

-- customers.hold
UPDATE customers
SET held = $3, consultant_id = $4, why = $5, lost_reason = $6, held_at = :now, answer_due = $7, back_due = $8,
  changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.holdpeople
SELECT u.id FROM users u
WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[])
ORDER BY u.id
FOR NO KEY UPDATE;

-- customers.import
INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, source, community, address, area, budget,
  style, notice, held, why, held_at, changed_at, created_at)
SELECT $1, x.id, x.bc_id, x.store_id, x.name, x.phone, x.source, x.community, x.address, x.area, x.budget, x.style,
  x.notice, 'pool', $3, :now, :now, :now
FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, store_id uuid, name text, phone text, source text,
  community text, address text, area numeric, budget numeric, style text, notice text);

-- customers.importentries
INSERT INTO customer_events (tenant_id, id, customer_id, act, actor, text, at)
SELECT $1, gen_random_uuid(), x.id, 'enter', $3, $4, :now
FROM unnest($2::uuid[]) AS x(id);

-- customers.inpool
SELECT count(*)::int AS n FROM customers k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.held = 'pool';

-- customers.into
UPDATE customers
SET name = $3, source = $4, community = $5, address = $6, area = $7, budget = $8, style = $9, store_id = $10,
  consultant_id = $11, held = $12, lost_reason = CASE WHEN $12 = 'lost' THEN lost_reason END,
  answer_due = CASE WHEN step = 1 THEN answer_due END, refuses = refuses OR $13,
  owner_id = coalesce(owner_id, $14), notice = coalesce(nullif(notice, ''), $15), changed_at = :now,
  version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.introducedby
UPDATE customers SET introducer_id = nullif($3, id) WHERE tenant_id = $1 AND introducer_id = $2;

-- customers.known
SELECT n.of_branch, n.phone, k.name, k.refuses
FROM customer_numbers n
JOIN customers k ON k.tenant_id = $1 AND k.id = n.customer_id
WHERE n.tenant_id = $1 AND n.phone = ANY ($2::text[]);

-- customers.leads
WITH RECURSIVE x AS (
  SELECT k.id, k.merged_into, 0 AS depth FROM customers k WHERE k.tenant_id = $1 AND k.id = $2
  UNION ALL
  SELECT k.id, k.merged_into, x.depth + 1
  FROM x JOIN customers k ON k.tenant_id = $1 AND k.id = x.merged_into
  WHERE x.depth < 50)
SELECT x.id FROM x WHERE x.merged_into IS NULL;

-- customers.lines
SELECT * FROM (
  SELECT 'event' AS kind, floor(extract(epoch FROM e.at))::float8 AS at, e.act AS code, coalesce(u.nickname,
    '') AS more, e.text, e.actor,
    NULL::uuid AS ref
  FROM customer_events e
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = e.to_id
  WHERE e.tenant_id = $1 AND e.customer_id IN (WITH RECURSIVE x AS (
    SELECT $2::uuid AS id
    UNION
    SELECT o.id FROM x JOIN customers o ON o.tenant_id = $1 AND o.merged_into = x.id)
  SELECT x.id FROM x)
  UNION ALL
  SELECT 'follow', floor(extract(epoch FROM f.at))::float8, f.kind, f.state, concat_ws('　', nullif(f.content, ''),
    nullif(f.result, '')),
    coalesce(nullif(f.closed_by, ''), f.made_by), f.id
  FROM follow_ups f
  WHERE f.tenant_id = $1 AND f.customer_id = $2
  UNION ALL
  SELECT 'quotation', floor(extract(epoch FROM q.created_at))::float8, q.status::text, '', q.code, u.nickname, q.id
  FROM quotations q
  JOIN users u ON u.tenant_id = $1 AND u.id = q.quoter_id
  WHERE q.tenant_id = $1 AND q.customer_id = $2
  UNION ALL
  SELECT 'contract', floor(extract(epoch FROM c.made_at))::float8, c.state, coalesce(c.signed_on::text, ''), c.code,
    coalesce(nullif(c.signed_by, ''), u.nickname), c.id
  FROM contracts c
  JOIN users u ON u.tenant_id = $1 AND u.id = c.made_by
  WHERE c.tenant_id = $1 AND c.customer_id = $2
  UNION ALL
  SELECT 'receipt', floor(extract(epoch FROM r.at))::float8, r.kind, '', c.code, r.user_name, NULL
  FROM contracts c
  JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
  WHERE c.tenant_id = $1 AND c.customer_id = $2
  UNION ALL
  SELECT 'site', floor(extract(epoch FROM c.signed_on::timestamp AT TIME ZONE 'Asia/Shanghai'))::float8, '', '',
    w.ws_name, '', w.id
  FROM contracts c
  JOIN sites w ON w.tenant_id = $1 AND w.id = c.site_id
  WHERE c.tenant_id = $1 AND c.customer_id = $2 AND c.signed_on IS NOT NULL) x
ORDER BY x.at DESC, x.kind, x.text
LIMIT 300;

-- customers.lock
SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  k.phone AS phone, k.source, k.community, k.address AS address,
  trim_scale(k.area)::text AS area,
  k.budget::text AS budget, k.style, k.consultant_id, coalesce(u.nickname, '') AS "consultantName",
  k.introducer_id, coalesce(i.name, '') AS "introducerName", k.held, k.why,
  k.step, (CASE WHEN k.step = 6 THEN 3
  WHEN k.step = 5 THEN 2 ELSE 1 END)::smallint AS "signingProgress", k.lost_reason AS "lostReason", k.refuses, k.notice,
  floor(extract(epoch FROM k.created_at))::float8 AS "createdAt",
    floor(extract(epoch FROM k.followed_at))::float8 AS "followedAt",
  floor(extract(epoch FROM k.next_at))::float8 AS "nextAt",
    floor(extract(epoch FROM k.answer_due))::float8 AS "answerDue",
      floor(extract(epoch FROM k.back_due))::float8 AS "backDue",
  (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) AS overdue, k.version, k.merged_into, k.owner_id
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid
FOR UPDATE OF k;

-- customers.look
INSERT INTO customer_looks (tenant_id, id, user_id, kind, at, n, digest) VALUES ($1, $2, $3, $4, :now, $5, $6);

-- customers.looked
SELECT EXISTS (SELECT FROM customer_looks l
WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.kind = $3 AND l.digest = $4
  AND l.at >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS looked;

-- customers.looks
SELECT coalesce(sum(l.n), 0)::int AS n
FROM customer_looks l
WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.kind = ANY ($3::text[]) AND l.at >= :now - interval '1 minute';

-- customers.lostlately
SELECT EXISTS (SELECT FROM customer_events e
WHERE e.tenant_id = $1 AND e.customer_id = $2 AND e.from_id = $3 AND e.act IN ('back', 'lose', 'hand')
  AND e.at > :now - interval '7 days') AS lost;

-- customers.movecontacts
UPDATE customer_contacts SET customer_id = $3 WHERE tenant_id = $1 AND customer_id = $2;

-- customers.near
SELECT x.stage, count(*)::int AS n
FROM (
  SELECT coalesce((SELECT g.stage FROM site_stages g
    WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL
    ORDER BY g.sort LIMIT 1), '') AS stage
  FROM sites w
  WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.community = $3 AND w.status = 1 AND w.deleted_at IS NULL) x
GROUP BY x.stage
ORDER BY n DESC, x.stage;

-- customers.one
SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  masked_phone(k.phone) AS phone, k.source, k.community,
    CASE WHEN CASE WHEN k.step = 6 THEN true ELSE true END THEN k.address ELSE '' END AS address,
  trim_scale(k.area)::text AS area,
  k.budget::text AS budget, k.style, k.consultant_id, coalesce(u.nickname, '') AS "consultantName",
  k.introducer_id, coalesce(i.name, '') AS "introducerName", k.held, k.why,
  k.step, (CASE WHEN k.step = 6 THEN 3
  WHEN k.step = 5 THEN 2 ELSE 1 END)::smallint AS "signingProgress", k.lost_reason AS "lostReason", k.refuses, k.notice,
  floor(extract(epoch FROM k.created_at))::float8 AS "createdAt",
    floor(extract(epoch FROM k.followed_at))::float8 AS "followedAt",
  floor(extract(epoch FROM k.next_at))::float8 AS "nextAt",
    floor(extract(epoch FROM k.answer_due))::float8 AS "answerDue",
      floor(extract(epoch FROM k.back_due))::float8 AS "backDue",
  (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) AS overdue, k.version, coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name, 'relation',
      t.relation, 'phone', masked_phone(t.phone)) ORDER BY t.created_at,
        t.id) FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = k.id), '[]') AS contacts,
  (SELECT json_build_object('n', count(*), 'signed', count(*) FILTER (WHERE b.step = 6))
   FROM customers b
   WHERE b.tenant_id = $1 AND b.introducer_id = k.id AND b.held <> 'merged') AS introduced,
  coalesce((SELECT json_agg(m.name ORDER BY m.name) FROM customers m
    WHERE m.tenant_id = $1 AND m.id <> k.id AND m.id IN (WITH RECURSIVE x AS (
    SELECT k.id AS id
    UNION
    SELECT o.id FROM x JOIN customers o ON o.tenant_id = $1 AND o.merged_into = x.id)
  SELECT x.id FROM x)), '[]') AS merged
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid;

-- customers.own
UPDATE customers
SET owner_id = (SELECT w.owner_id FROM sites w WHERE w.tenant_id = $1 AND w.id = $3), answer_due = NULL,
  back_due = NULL, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- customers.page
WITH page AS MATERIALIZED (SELECT k.* FROM customers k WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
  ORDER BY k.created_at DESC, k.id LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  masked_phone(k.phone) AS phone, k.source, k.community,
    CASE WHEN CASE WHEN k.step = 6 THEN true ELSE true END THEN k.address ELSE '' END AS address,
  trim_scale(k.area)::text AS area,
  k.budget::text AS budget, k.style, k.consultant_id, coalesce(u.nickname, '') AS "consultantName",
  k.introducer_id, coalesce(i.name, '') AS "introducerName", k.held, k.why,
  k.step, (CASE WHEN k.step = 6 THEN 3
  WHEN k.step = 5 THEN 2 ELSE 1 END)::smallint AS "signingProgress", k.lost_reason AS "lostReason", k.refuses, k.notice,
  floor(extract(epoch FROM k.created_at))::float8 AS "createdAt",
    floor(extract(epoch FROM k.followed_at))::float8 AS "followedAt",
  floor(extract(epoch FROM k.next_at))::float8 AS "nextAt",
    floor(extract(epoch FROM k.answer_due))::float8 AS "answerDue",
      floor(extract(epoch FROM k.back_due))::float8 AS "backDue",
  (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) AS overdue, k.version FROM page k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id ORDER BY k.created_at DESC, k.id) r),
  '[]'::json)::text AS list,
  (SELECT coalesce(sum(k.count),
    0) FROM customer_counts k WHERE k.tenant_id = $1::uuid AND k.held <> 'merged')::int AS total;

-- customers.pick
SELECT k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
  masked_phone(k.phone) AS phone, k.source, k.community,
    CASE WHEN CASE WHEN k.step = 6 THEN true ELSE true END THEN k.address ELSE '' END AS address,
  trim_scale(k.area)::text AS area,
  k.budget::text AS budget, k.style, k.consultant_id, coalesce(u.nickname, '') AS "consultantName",
  k.introducer_id, coalesce(i.name, '') AS "introducerName", k.held, k.why,
  k.step, (CASE WHEN k.step = 6 THEN 3
  WHEN k.step = 5 THEN 2 ELSE 1 END)::smallint AS "signingProgress", k.lost_reason AS "lostReason", k.refuses, k.notice,
  floor(extract(epoch FROM k.created_at))::float8 AS "createdAt",
    floor(extract(epoch FROM k.followed_at))::float8 AS "followedAt",
  floor(extract(epoch FROM k.next_at))::float8 AS "nextAt",
    floor(extract(epoch FROM k.answer_due))::float8 AS "answerDue",
      floor(extract(epoch FROM k.back_due))::float8 AS "backDue",
  (k.held = 'assigned' AND (coalesce(k.answer_due <= :now, false)
  OR coalesce(k.next_at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'),
    false))) AS overdue, k.version
FROM customers k
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id
WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
ORDER BY k.created_at DESC, k.id
LIMIT 20;

-- customers.reach
SELECT k.id, k.bc_id, k.merged_into, k.step FROM customers k WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid;

-- customers.refuse
UPDATE customers SET refuses = $3, changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- customers.refusing
SELECT k.name FROM customers k WHERE k.tenant_id = $1 AND k.id = $2 AND k.refuses;

-- customers.remindanswer
SELECT k.id, k.bc_id, k.store_id, k.name, k.consultant_id, x.step
FROM customers k
CROSS JOIN LATERAL (SELECT 'answer:' || floor(extract(epoch FROM k.answer_due))::float8::bigint::text AS step) x
WHERE k.tenant_id = $1 AND k.answer_due <= :now AND k.held = 'assigned'
  AND NOT EXISTS (SELECT FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text AND m.step = x.step)
ORDER BY k.answer_due, k.id
LIMIT 500
FOR UPDATE OF k SKIP LOCKED;

-- customers.remindback
SELECT k.id, k.bc_id, k.store_id, k.name, k.consultant_id,
  'back:' || floor(extract(epoch FROM k.back_due))::float8::bigint::text AS step
  FROM customers k
  WHERE k.tenant_id = $1 AND k.back_due <= :now + interval '3 days' AND k.held = 'assigned' AND k.step < 5
AND NOT EXISTS (SELECT FROM quotations q
  WHERE q.tenant_id = $1 AND q.customer_id = k.id AND q.status = 2)
AND NOT coalesce(k.next_at BETWEEN :now AND :now + interval '14 days', false)
    AND NOT EXISTS (SELECT FROM reminders m
      WHERE m.tenant_id = $1 AND m.cause_kind = 'customer' AND m.cause_id = k.id::text
        AND m.step = 'back:' || floor(extract(epoch FROM k.back_due))::float8::bigint::text)
  ORDER BY k.back_due, k.id
  LIMIT 500
  FOR UPDATE OF k SKIP LOCKED;

-- customers.same
SELECT k.id, k.name, coalesce(s.name, c.bc_name) AS place, coalesce(u.nickname, '') AS consultant, k.held,
  coalesce((SELECT t.name FROM customer_contacts t
    WHERE t.tenant_id = $1 AND t.customer_id = k.id AND t.phone = $3 LIMIT 1), '') AS contact
FROM customer_numbers n
JOIN customers k ON k.tenant_id = $1 AND k.id = n.customer_id
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
WHERE n.tenant_id = $1 AND n.of_branch = $2 AND n.phone = replace($3, '-', '') AND n.customer_id IS DISTINCT FROM $4;

-- customers.signedat
SELECT k.id, k.store_id, k.consultant_id AS maker_id
FROM contracts c
JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id AND k.step = 6
WHERE c.tenant_id = $1 AND c.site_id = $2
ORDER BY c.signed_on DESC NULLS LAST
LIMIT 1;

-- customers.sources
SELECT DISTINCT k.source FROM customers k
WHERE k.tenant_id = $1 AND k.source NOT IN ('walkIn', 'call', 'online', 'introduced', 'channel', 'event', 'link',
  'other')
ORDER BY k.source;

-- customers.store
SELECT 1 FROM stores s WHERE s.tenant_id = $1 AND s.bc_id = $2 AND s.id = $3;

-- customers.stores
SELECT s.store_id AS id, s.bc_id, s.name
FROM (
  SELECT t.tenant_id, t.id AS store_id, t.bc_id, t.name
  FROM stores t
  WHERE t.tenant_id = $1 AND t.status = 1
) s
WHERE s.tenant_id = $1::uuid
ORDER BY s.name, s.store_id;

-- customers.theirs
SELECT k.id, k.bc_id, k.store_id
FROM customers k
WHERE k.tenant_id = $1 AND k.consultant_id = $2 AND k.held = 'assigned'
ORDER BY k.id;

-- customers.told
SELECT u.nickname FROM users u WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[]) ORDER BY u.nickname;

-- customers.toldbylink
UPDATE customers SET notice = $3 WHERE tenant_id = $1 AND id = $2 AND notice = '';

-- customers.touch
UPDATE customers SET changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- customers.turns
SELECT u.id, (SELECT count(*)::int FROM customers k
    WHERE k.tenant_id = $1 AND k.consultant_id = u.id AND k.bc_id = $3 AND k.held = 'assigned'
      AND k.community = $4 AND $4 <> '') AS near,
  (SELECT max(e.at) FROM customer_events e
   WHERE e.tenant_id = $1 AND e.to_id = u.id AND e.act = 'assign') AS last
FROM users u
WHERE u.tenant_id = $1 AND u.id = ANY ($2::uuid[]);

-- customers.waits
SELECT x.id, x.wait, x.name, x.community, floor(extract(epoch FROM x.at))::float8 AS at, x.kind, x.content, x.follow_id
FROM (
  SELECT k.id, 'answer' AS wait, 1 AS place, k.name, k.community, k.answer_due AS at, NULL AS kind,
    k.why AS content, NULL::uuid AS follow_id
  FROM customers k
  WHERE k.tenant_id = $1::uuid AND k.held = 'assigned' AND k.consultant_id = $2::uuid AND k.answer_due IS NOT NULL
    AND k.step = 1
  UNION ALL
  SELECT k.id,
    CASE
      WHEN f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') THEN
        'overdue' ELSE 'today' END,
    CASE WHEN f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') THEN 2
      ELSE 3 END, k.name, k.community, f.at, f.kind, f.content, f.id
  FROM customers k
  JOIN follow_ups f ON f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'planned'
  WHERE k.tenant_id = $1::uuid AND k.held = 'assigned' AND k.consultant_id = $2::uuid
    AND f.at < (((:now AT TIME ZONE 'Asia/Shanghai')::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')
  UNION ALL
  SELECT k.id, 'back', 4, k.name, k.community, k.back_due, NULL, '', NULL
  FROM customers k
  WHERE k.tenant_id = $1::uuid AND k.held = 'assigned' AND k.consultant_id = $2::uuid
    AND k.back_due < :now + interval '3 days' AND k.next_at IS NULL
    AND k.step < 5 AND NOT k.refuses AND (k.answer_due IS NULL OR k.step > 1)
  UNION ALL
  SELECT k.id, 'deposit', 5, k.name, k.community, d.at, NULL, '', NULL
  FROM customers k
  CROSS JOIN LATERAL (
    SELECT min(r.at) AS at
    FROM contracts c
    JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
    WHERE c.tenant_id = $1 AND c.customer_id = k.id AND c.signing_progress = 2 AND c.state = 'live') d
  WHERE k.tenant_id = $1::uuid AND k.held = 'assigned' AND k.consultant_id = $2::uuid AND k.step = 5
    AND d.at < :now - interval '7 days') x
ORDER BY x.place, x.at, x.id;

-- followups.add
INSERT INTO follow_ups (tenant_id, id, customer_id, kind, state, at, content, result, user_id, made_by, made_at,
  closed_at, closed_by, late)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, :now, CASE WHEN $11 THEN :now END, $12, $13);

-- followups.calendar
SELECT f.id, f.customer_id, k.name AS "customerName", k.community, k.bc_id, f.kind, f.state,
  floor(extract(epoch FROM f.at))::float8 AS at, f.content, f.result, f.user_id, u.nickname AS "userName",
    f.made_by AS "madeBy",
  floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt", f.closed_by AS "closedBy", f.late, f.moved,
    (f.state = 'planned'
      AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS overdue,
  floor(extract(epoch FROM CASE WHEN f.state = 'done' AND k.next_at > f.at THEN k.next_at END))::float8 AS "nextAt",
    f.version
  FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id
  JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id
JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id
  WHERE o.tenant_id = $1::uuid AND o.bc_id = $2::uuid AND f.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')
    AND f.at < (($4::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai') AND f.tenant_id = $1
  ORDER BY f.at, f.id
  LIMIT 501;

-- followups.cancel
UPDATE follow_ups
SET state = 'cancelled', result = $3, closed_at = :now, closed_by = $4, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- followups.clashes
SELECT k.name, f.at, to_char(f.at AT TIME ZONE 'Asia/Shanghai', 'HH24:MI') AS clock
FROM follow_ups f
JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id
WHERE f.tenant_id = $1 AND f.user_id = $2 AND f.state = 'planned' AND f.id IS DISTINCT FROM $4::uuid
  AND f.at > $3::timestamptz - interval '1 hour' AND f.at < $3::timestamptz + interval '1 hour'
ORDER BY f.at, f.id
LIMIT 3;

-- followups.counts
SELECT count(*) FILTER (WHERE (f.state = 'planned'
  AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')))::int AS
    overdue,
  count(*) FILTER (WHERE NOT (f.state = 'planned'
    AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
      AND f.at < (((:now AT TIME ZONE 'Asia/Shanghai')::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))::int
        AS today,
  count(*) FILTER (WHERE NOT (f.state = 'planned'
    AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai'))
      AND f.at < ((date_trunc('week',
        (:now AT TIME ZONE 'Asia/Shanghai')::date)::date + 7)::date::timestamp AT TIME ZONE 'Asia/Shanghai'))::int AS
          week
FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id
WHERE o.tenant_id = $1::uuid AND f.tenant_id = $1 AND f.state = 'planned';

-- followups.done
UPDATE follow_ups
SET state = 'done', at = $3, result = $4, late = $5, closed_at = :now, closed_by = $6, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- followups.end
UPDATE follow_ups
SET state = 'cancelled', result = $4, closed_at = :now, closed_by = $5, version = version + 1
WHERE tenant_id = $1 AND customer_id = $2 AND state = 'planned' AND ($3::text[] IS NULL OR kind = ANY ($3))
RETURNING id;

-- followups.hand
UPDATE follow_ups SET user_id = $3, version = version + 1
WHERE tenant_id = $1 AND customer_id = $2 AND state = 'planned' AND user_id <> $3;

-- followups.hold
SELECT f.id, f.customer_id, k.name AS "customerName", k.community, k.bc_id, f.kind, f.state,
  floor(extract(epoch FROM f.at))::float8 AS at, f.content, f.result, f.user_id, u.nickname AS "userName",
    f.made_by AS "madeBy",
  floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt", f.closed_by AS "closedBy", f.late, f.moved,
    (f.state = 'planned'
      AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS overdue,
  floor(extract(epoch FROM CASE WHEN f.state = 'done' AND k.next_at > f.at THEN k.next_at END))::float8 AS "nextAt",
    f.version FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id JOIN customers k
      ON k.tenant_id = $1 AND k.id = f.customer_id
JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id WHERE o.tenant_id = $1::uuid AND f.tenant_id = $1
  AND f.id = $2::uuid FOR UPDATE OF f;

-- followups.merge
UPDATE follow_ups SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2;

-- followups.move
UPDATE follow_ups SET at = $3, moved = moved + 1, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- followups.page
WITH page AS MATERIALIZED (SELECT f.* FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id
  AND o.id = f.customer_id WHERE o.tenant_id = $1::uuid AND o.bc_id = $2::uuid AND f.customer_id = $3::uuid
    AND f.user_id = $4::uuid AND f.tenant_id = $1 ORDER BY f.at ASC, f.id LIMIT 3)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT f.id, f.customer_id, k.name AS "customerName", k.community, k.bc_id, f.kind, f.state,
  floor(extract(epoch FROM f.at))::float8 AS at, f.content, f.result, f.user_id, u.nickname AS "userName",
    f.made_by AS "madeBy",
  floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt", f.closed_by AS "closedBy", f.late, f.moved,
    (f.state = 'planned'
      AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS overdue,
  floor(extract(epoch FROM CASE WHEN f.state = 'done' AND k.next_at > f.at THEN k.next_at END))::float8 AS "nextAt",
    f.version FROM page f JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id
JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id ORDER BY f.at ASC, f.id) r), '[]'::json)::text AS list,
    (SELECT count(*) FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id
      WHERE o.tenant_id = $1::uuid AND o.bc_id = $2::uuid AND f.customer_id = $3::uuid AND f.user_id = $4::uuid
        AND f.tenant_id = $1)::int AS total;

-- followups.read
SELECT f.id, f.customer_id, k.name AS "customerName", k.community, k.bc_id, f.kind, f.state,
  floor(extract(epoch FROM f.at))::float8 AS at, f.content, f.result, f.user_id, u.nickname AS "userName",
    f.made_by AS "madeBy",
  floor(extract(epoch FROM f.closed_at))::float8 AS "closedAt", f.closed_by AS "closedBy", f.late, f.moved,
    (f.state = 'planned'
      AND f.at < ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai')) AS overdue,
  floor(extract(epoch FROM CASE WHEN f.state = 'done' AND k.next_at > f.at THEN k.next_at END))::float8 AS "nextAt",
    f.version FROM follow_ups f JOIN customers o ON o.tenant_id = f.tenant_id AND o.id = f.customer_id JOIN customers k
      ON k.tenant_id = $1 AND k.id = f.customer_id
JOIN users u ON u.tenant_id = $1 AND u.id = f.user_id WHERE o.tenant_id = $1::uuid AND f.tenant_id = $1
  AND f.id = $2::uuid;

-- followups.restday
SELECT rest_day($1, $2::uuid, ($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date) AS rest;

-- followups.same
SELECT f.id FROM follow_ups f
WHERE f.tenant_id = $1 AND f.customer_id = $2 AND f.state = 'planned'
  AND starts_with(f.content, $3) AND right(f.content, length($4)) = $4
LIMIT 1;

-- signing.deposits
SELECT b.bucket, count(c.id)::int AS n, coalesce(sum(c.paid), 0)::text AS money
FROM unnest(ARRAY[0, 8, 16, 31], ARRAY[8, 16, 31, 100000]) AS b(bucket, past)
LEFT JOIN LATERAL (
  SELECT c.id, c.paid
  FROM customers k
  JOIN contracts c ON c.tenant_id = $1 AND c.customer_id = k.id AND c.state = 'live'
    AND c.signing_progress = 2
  CROSS JOIN LATERAL (SELECT floor(extract(epoch FROM :now - min(r.at)) / 86400) AS days
    FROM contract_receipts r WHERE r.tenant_id = $1 AND r.contract_id = c.id) a
  WHERE k.tenant_id = $1::uuid AND k.held <> 'merged' AND a.days >= b.bucket AND a.days < b.past) c ON true
GROUP BY b.bucket
ORDER BY b.bucket;

-- signing.funnel
SELECT x.dimension, x.key, coalesce(t.name, u.nickname, '') AS label, x.came, x.contacted, x.met, x.quoted,
  x.deposit, x.signed, x.lost, x."contactedDays", x."metDays", x."quotedDays", x."depositDays",
  x."signedDays"
FROM (
  SELECT CASE WHEN grouping(m.source) = 0 THEN 'source' WHEN grouping(m.store_id) = 0 THEN 'store'
      WHEN grouping(m.consultant_id) = 0 THEN 'consultant' ELSE 'all' END AS dimension,
    coalesce(m.source, m.store_id::text, m.consultant_id::text) AS key, m.store_id, m.consultant_id,
    count(*) FILTER (WHERE m.came IS NOT NULL)::int AS came,
      count(*) FILTER (WHERE m.contacted IS NOT NULL)::int AS contacted,
        count(*) FILTER (WHERE m.met IS NOT NULL)::int AS met,
          count(*) FILTER (WHERE m.quoted IS NOT NULL)::int AS quoted,
            count(*) FILTER (WHERE m.deposit IS NOT NULL)::int AS deposit,
              count(*) FILTER (WHERE m.signed IS NOT NULL)::int AS signed,
                count(*) FILTER (WHERE m.lost IS NOT NULL)::int AS lost,
                  round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.contacted - m.came) / 86400)
    FILTER (WHERE m.contacted IS NOT NULL AND m.contacted >= m.came))::numeric, 1)::float8 AS "contactedDays",
    round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.met - m.contacted) / 86400)
    FILTER (WHERE m.met IS NOT NULL AND m.met >= m.contacted))::numeric, 1)::float8 AS "metDays",
    round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.quoted - m.met) / 86400)
    FILTER (WHERE m.quoted IS NOT NULL AND m.quoted >= m.met))::numeric, 1)::float8 AS "quotedDays",
    round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.deposit - m.quoted) / 86400)
    FILTER (WHERE m.deposit IS NOT NULL AND m.deposit >= m.quoted))::numeric, 1)::float8 AS "depositDays",
    round((percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM m.signed - m.deposit) / 86400)
    FILTER (WHERE m.signed IS NOT NULL AND m.signed >= m.deposit))::numeric, 1)::float8 AS "signedDays"
  FROM (SELECT k.source, k.store_id, k.consultant_id, k.created_at AS came,
    (SELECT min(f.at) FROM follow_ups f
     WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done') AS contacted,
    (SELECT min(f.at) FROM follow_ups f
     WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done'
       AND f.kind IN ('store', 'measure')) AS met,
    (SELECT min(v.judged_at) FROM quotations q
     JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
     WHERE q.tenant_id = $1 AND q.customer_id = k.id
       AND v.examine_state = 1) AS quoted,
    (SELECT min(r.at) FROM contracts c
     JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
     WHERE c.tenant_id = $1 AND c.customer_id = k.id) AS deposit,
    (SELECT min(c.signed_on)::timestamp AT TIME ZONE 'Asia/Shanghai' FROM contracts c
     WHERE c.tenant_id = $1 AND c.customer_id = k.id AND c.signed_on IS NOT NULL AND c.state <> 'void') AS signed,
    CASE WHEN k.held = 'lost' THEN (SELECT max(e.at) FROM customer_events e
     WHERE e.tenant_id = $1 AND e.customer_id = k.id AND e.act = 'lose') END AS lost,
    k.lost_reason FROM customers k WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
      AND k.created_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND k.created_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')) m
  GROUP BY GROUPING SETS ((), (m.source), (m.store_id), (m.consultant_id))) x
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = x.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = x.consultant_id
ORDER BY x.came + x.signed DESC, x.key;

-- signing.lost
SELECT m.lost_reason AS reason, count(*)::int AS n
FROM (SELECT k.source, k.store_id, k.consultant_id, k.created_at AS came,
    (SELECT min(f.at) FROM follow_ups f
     WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done') AS contacted,
    (SELECT min(f.at) FROM follow_ups f
     WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = 'done'
       AND f.kind IN ('store', 'measure')) AS met,
    (SELECT min(v.judged_at) FROM quotations q
     JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
     WHERE q.tenant_id = $1 AND q.customer_id = k.id
       AND v.examine_state = 1) AS quoted,
    (SELECT min(r.at) FROM contracts c
     JOIN contract_receipts r ON r.tenant_id = $1 AND r.contract_id = c.id
     WHERE c.tenant_id = $1 AND c.customer_id = k.id) AS deposit,
    (SELECT min(c.signed_on)::timestamp AT TIME ZONE 'Asia/Shanghai' FROM contracts c
     WHERE c.tenant_id = $1 AND c.customer_id = k.id AND c.signed_on IS NOT NULL AND c.state <> 'void') AS signed,
    CASE WHEN k.held = 'lost' THEN (SELECT max(e.at) FROM customer_events e
     WHERE e.tenant_id = $1 AND e.customer_id = k.id AND e.act = 'lose') END AS lost,
    k.lost_reason FROM customers k WHERE k.tenant_id = $1::uuid AND k.held <> 'merged'
      AND k.created_at >= ($2::date::timestamp AT TIME ZONE 'Asia/Shanghai')
        AND k.created_at < (($3::date + 1)::date::timestamp AT TIME ZONE 'Asia/Shanghai')) m
WHERE m.lost IS NOT NULL
GROUP BY m.lost_reason
ORDER BY n DESC, m.lost_reason;

-- signing.money
SELECT coalesce(sum(c.total) FILTER (WHERE c.signed_on BETWEEN $2::date AND $3::date AND c.state <> 'void'), 0)::text
    AS money,
  coalesce(sum(b.n), 0)::int AS refunds, coalesce(sum(b.money), 0)::text AS refunded,
  (count(*) FILTER (WHERE c.signed_on BETWEEN $2::date AND $3::date AND c.state = 'void'))::int AS voided
FROM customers k
JOIN contracts c ON c.tenant_id = $1 AND c.customer_id = k.id
LEFT JOIN LATERAL (
  SELECT count(*) AS n, sum(f.amount - f.kept) AS money
  FROM contract_refunds f
  WHERE f.tenant_id = $1 AND f.contract_id = c.id AND f.status = 2
    AND f.kind <> 'moved'
    AND (f.at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN $2::date AND $3::date) b ON true
WHERE k.tenant_id = $1::uuid AND k.held <> 'merged';

-- signing.place
SELECT count(s.id)::int AS stores
FROM companies c
LEFT JOIN stores s ON s.tenant_id = $1 AND s.bc_id = c.bc_id AND s.id = $3
WHERE c.tenant_id = $1 AND c.bc_id = $2
GROUP BY c.bc_id;

-- signing.settarget
INSERT INTO signing_targets AS g (tenant_id, id, bc_id, store_id, consultant_id, month, people, money)
SELECT $1, $2, $3, $4, $5, $6::date, $7, $8
WHERE $9::int IS NULL OR EXISTS (SELECT FROM signing_targets o
  WHERE o.tenant_id = $1 AND o.month = $6::date AND o.bc_id = $3 AND o.store_id IS NOT DISTINCT FROM $4
    AND o.consultant_id IS NOT DISTINCT FROM $5)
ON CONFLICT (tenant_id, month, bc_id, store_id, consultant_id) DO UPDATE
SET people = excluded.people, money = excluded.money, version = g.version + 1
WHERE g.version = $9
RETURNING g.version, NULL::text AS was;

-- signing.targets
SELECT g.id, g.bc_id, b.bc_name, g.store_id, coalesce(s.name, '') AS "storeName", g.consultant_id,
  coalesce(u.nickname, '') AS "consultantName", g.people, g.money::text AS money, d.signed,
  d.money AS "signedMoney", d.expected, d.expected_money AS "expectedMoney", g.version
FROM signing_targets g
JOIN companies b ON b.tenant_id = $1 AND b.bc_id = g.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = g.store_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.consultant_id
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE x.signed)::int AS signed,
    coalesce(sum(x.total) FILTER (WHERE x.signed), 0)::text AS money,
    count(*) FILTER (WHERE x.expected)::int AS expected,
    coalesce(sum(x.total) FILTER (WHERE x.expected), 0)::text AS expected_money
  FROM (
    SELECT c.total, coalesce(c.state <> 'void' AND c.signed_on >= g.month
        AND c.signed_on < (g.month + interval '1 month')::date, false) AS signed,
      c.state = 'live' AND c.signing_progress = 2
        AND g.month = date_trunc('month', (:now AT TIME ZONE 'Asia/Shanghai')::date)::date AS expected
    FROM contracts c
    JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
    WHERE c.tenant_id = $1 AND c.bc_id = g.bc_id AND (g.store_id IS NULL OR k.store_id = g.store_id)
      AND (g.consultant_id IS NULL OR k.consultant_id = g.consultant_id)) x) d
WHERE g.tenant_id = $1::uuid AND g.bc_id = $2::uuid AND g.month = $3::date
ORDER BY b.code, g.store_id NULLS FIRST, g.consultant_id NULLS FIRST;
