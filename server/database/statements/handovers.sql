-- handovers.answer
UPDATE handover_questions SET answer = $3, answered_by = $4, answered_at = :now
WHERE tenant_id = $1 AND handover_id = $2 AND answered_at IS NULL;

-- handovers.ask
INSERT INTO handover_questions (tenant_id, id, handover_id, text, asked_by, asked_at)
VALUES ($1, $2, $3, $4, $5, :now);

-- handovers.brief
SELECT b.taste, b.people, b.fears, b.given, b.changed_by AS "changedBy",
  floor(extract(epoch FROM b.changed_at))::float8 AS "changedAt",
  b.version
FROM customer_briefs b
WHERE b.tenant_id = $1 AND b.customer_id = $2;

-- handovers.carried
UPDATE customer_promises SET state = 'carried', promise_id = $3, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- handovers.early
SELECT e.id, e.content, e.subject, e.due::text AS due, e.post, e.state, e.text, u.nickname AS "authorName",
  floor(extract(epoch FROM e.made_at))::float8 AS "madeAt", e.version
FROM customer_promises e
JOIN users u ON u.tenant_id = $1 AND u.id = e.author_id
WHERE e.tenant_id = $1 AND e.customer_id = $2
ORDER BY e.due, e.id;

-- handovers.lock
SELECT h.id, h.bc_id, h.site_id, w.ws_name AS "siteName", w.steward_id,
  coalesce(s.nickname, '') AS "stewardName", h.customer_id,
  coalesce(k.name, o.name, '') AS "customerName", h.consultant_id,
  coalesce(u.nickname, '') AS "consultantName", h.state, floor(extract(epoch FROM h.made_at))::float8 AS "madeAt",
    h.taste, h.people,
  h.fears, h.given, h.confirmed_by AS "confirmedBy",
    floor(extract(epoch FROM h.confirmed_at))::float8 AS "confirmedAt", h.version, h.store_id
FROM handovers h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = h.customer_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = h.consultant_id
WHERE h.tenant_id = $1::uuid AND h.id = $2::uuid
FOR UPDATE OF h;

-- handovers.mergebrief
INSERT INTO customer_briefs AS b (tenant_id, customer_id, taste, people, fears, given, changed_by,
  changed_at, version)
SELECT $1, $3, o.taste, o.people, o.fears, o.given, o.changed_by, o.changed_at, o.version
FROM customer_briefs o
WHERE o.tenant_id = $1 AND o.customer_id = $2
ON CONFLICT (tenant_id, customer_id) DO UPDATE
SET taste = left(concat_ws('；', nullif(b.taste, ''), nullif(excluded.taste, '')), 500),
  people = left(concat_ws('；', nullif(b.people, ''), nullif(excluded.people, '')), 500),
  fears = left(concat_ws('；', nullif(b.fears, ''), nullif(excluded.fears, '')), 500),
  given = left(concat_ws('；', nullif(b.given, ''), nullif(excluded.given, '')), 500),
  version = b.version + 1;

-- handovers.mergedbrief
DELETE FROM customer_briefs b WHERE b.tenant_id = $1 AND b.customer_id = $2;

-- handovers.mergepromises
UPDATE customer_promises e SET customer_id = $3 WHERE e.tenant_id = $1 AND e.customer_id = $2;

-- handovers.move
UPDATE handovers
SET state = $3, confirmed_by = CASE WHEN $3 = 'confirmed' THEN $4 ELSE '' END,
  confirmed_at = CASE WHEN $3 = 'confirmed' THEN :now END, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- handovers.moved
UPDATE handovers SET store_id = NULL, consultant_id = NULL WHERE tenant_id = $1 AND site_id = $2;

-- handovers.nosteward
SELECT count(*)::int AS n FROM handovers h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
WHERE h.tenant_id = $1 AND h.bc_id = $2 AND h.state <> 'confirmed'
  AND w.steward_id IS NULL AND w.deleted_at IS NULL;

-- handovers.ofcustomer
SELECT h.id, h.bc_id, h.site_id, w.ws_name AS "siteName", w.steward_id,
  coalesce(s.nickname, '') AS "stewardName", h.customer_id,
  coalesce(k.name, o.name, '') AS "customerName", h.consultant_id,
  coalesce(u.nickname, '') AS "consultantName", h.state, floor(extract(epoch FROM h.made_at))::float8 AS "madeAt",
    h.taste, h.people,
  h.fears, h.given, h.confirmed_by AS "confirmedBy",
    floor(extract(epoch FROM h.confirmed_at))::float8 AS "confirmedAt", h.version,
      coalesce((SELECT json_agg(json_build_object('name', t.name, 'relation', t.relation) ORDER BY t.created_at,
        t.id) FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = h.customer_id), '[]') AS contacts,
  coalesce((SELECT json_agg(json_build_object('id', p.id, 'content', p.content, 'subject', p.subject, 'due',
    p.due::text, 'state', p.state,
      'post', p.post, 'authorName', a.nickname) ORDER BY p.due, p.id) FROM promises p
    JOIN customer_promises e ON e.tenant_id = $1 AND e.promise_id = p.id
    JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
    WHERE p.tenant_id = $1 AND p.site_id = h.site_id AND e.customer_id = h.customer_id), '[]') AS promises,
  coalesce((SELECT json_agg(json_build_object('id', q.id, 'text', q.text, 'askedBy', q.asked_by, 'askedAt',
    floor(extract(epoch FROM q.asked_at))::float8, 'answer', q.answer,
      'answeredBy', q.answered_by, 'answeredAt', floor(extract(epoch FROM q.answered_at))::float8) ORDER BY q.asked_at,
        q.id) FROM handover_questions q WHERE q.tenant_id = $1 AND q.handover_id = h.id), '[]') AS questions
FROM handovers h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = h.customer_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = h.consultant_id
WHERE h.tenant_id = $1::uuid AND h.customer_id = $2::uuid
ORDER BY h.made_at DESC, h.id;

-- handovers.ofsite
SELECT h.id, h.bc_id, h.site_id, w.ws_name AS "siteName", w.steward_id,
  coalesce(s.nickname, '') AS "stewardName", h.customer_id,
  coalesce(k.name, o.name, '') AS "customerName", h.consultant_id,
  coalesce(u.nickname, '') AS "consultantName", h.state, floor(extract(epoch FROM h.made_at))::float8 AS "madeAt",
    h.taste, h.people,
  h.fears, h.given, h.confirmed_by AS "confirmedBy",
    floor(extract(epoch FROM h.confirmed_at))::float8 AS "confirmedAt", h.version,
      coalesce((SELECT json_agg(json_build_object('name', t.name, 'relation', t.relation) ORDER BY t.created_at,
        t.id) FROM customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = h.customer_id), '[]') AS contacts,
  coalesce((SELECT json_agg(json_build_object('id', p.id, 'content', p.content, 'subject', p.subject, 'due',
    p.due::text, 'state', p.state,
      'post', p.post, 'authorName', a.nickname) ORDER BY p.due, p.id) FROM promises p
    JOIN customer_promises e ON e.tenant_id = $1 AND e.promise_id = p.id
    JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
    WHERE p.tenant_id = $1 AND p.site_id = h.site_id AND e.customer_id = h.customer_id), '[]') AS promises,
  coalesce((SELECT json_agg(json_build_object('id', q.id, 'text', q.text, 'askedBy', q.asked_by, 'askedAt',
    floor(extract(epoch FROM q.asked_at))::float8, 'answer', q.answer,
      'answeredBy', q.answered_by, 'answeredAt', floor(extract(epoch FROM q.answered_at))::float8) ORDER BY q.asked_at,
        q.id) FROM handover_questions q WHERE q.tenant_id = $1 AND q.handover_id = h.id), '[]') AS questions
FROM handovers h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = h.customer_id
LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
LEFT JOIN users u ON u.tenant_id = $1 AND u.id = h.consultant_id
WHERE h.tenant_id = $1::uuid AND h.site_id = $2::uuid
ORDER BY h.made_at DESC, h.id
LIMIT 1;

-- handovers.open
INSERT INTO handovers (tenant_id, id, bc_id, site_id, customer_id, store_id, consultant_id, taste, people, fears,
  given, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, :now);

-- handovers.openearly
SELECT e.id, e.content, e.subject, e.due::text AS due, e.post, e.author_id, e.made_at AS "madeAt"
FROM customer_promises e
WHERE e.tenant_id = $1 AND e.customer_id = $2 AND e.state = 'open'
ORDER BY e.due, e.id
FOR UPDATE OF e;

-- handovers.promise
INSERT INTO customer_promises (tenant_id, id, customer_id, content, subject, due, post, author_id, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now);

-- handovers.signed
SELECT w.bc_id, w.ws_name, w.steward_id, w.manager_id, k.store_id, k.consultant_id,
  coalesce((SELECT array_agg(d.reason ORDER BY d.sort, d.id) FROM quotation_discounts d
    WHERE d.tenant_id = $1 AND d.version_id = $4 AND d.kind = 'offer'), '{}') AS discounts
FROM sites w
JOIN customers k ON k.tenant_id = $1 AND k.id = $3
WHERE w.tenant_id = $1 AND w.id = $2;

-- handovers.unconfirmed
SELECT h.id, h.bc_id, h.site_id, w.ws_name AS "siteName"
FROM handovers h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.state <> 'confirmed'
ORDER BY h.made_at DESC, h.id
LIMIT 1;

-- handovers.whose
SELECT e.customer_id
FROM customer_promises e
JOIN customers k ON k.tenant_id = $1 AND k.id = e.customer_id
WHERE e.tenant_id = $1 AND k.tenant_id = $1::uuid AND e.id = $2::uuid;

-- handovers.withdraw
UPDATE customer_promises SET state = 'withdrawn', text = $3, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- handovers.write
INSERT INTO customer_briefs AS b (tenant_id, customer_id, taste, people, fears, given, changed_by,
  changed_at, version)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now, 1)
ON CONFLICT (tenant_id, customer_id) DO UPDATE
SET taste = $3, people = $4, fears = $5, given = $6, changed_by = $7, changed_at = :now, version = b.version + 1;
