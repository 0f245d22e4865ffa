-- erasures.add
INSERT INTO erasures AS e (tenant_id, id, at, of, bars) VALUES ($1, $2, :now, $3, $4)
ON CONFLICT (tenant_id, id) DO UPDATE SET at = :now, bars = $4, written = false;

-- erasures.bar
INSERT INTO barred_numbers (tenant_id, digest, at)
SELECT $1, d, :now FROM unnest($2::text[]) d ON CONFLICT DO NOTHING;

-- erasures.barred
SELECT b.digest FROM barred_numbers b WHERE b.tenant_id = $1 AND b.digest = ANY ($2::text[]);

-- erasures.known
SELECT 1 FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2 AND e.bars <@ $3::text[];

-- erasures.one
SELECT e.tenant_id AS tenant, e.id, e.at, e.of::json AS ids,
  to_json(e.bars) AS bars FROM erasures e WHERE e.tenant_id = $1 AND e.id = $2;

-- erasures.unwritten
SELECT e.tenant_id AS tenant, e.id, e.at, e.of::json AS ids,
  to_json(e.bars) AS bars FROM erasures e WHERE e.tenant_id = $1 AND NOT e.written ORDER BY e.at, e.id;

-- erasures.written
UPDATE erasures e SET written = true WHERE e.tenant_id = $1 AND e.id = $2 AND e.at = $3;

-- persons.about
SELECT p.id, p.no, p.ask, p.state, p.due::text AS due, p.refused_for AS "refusedFor"
FROM person_requests p
WHERE p.tenant_id = $1 AND p.subject_id = $2
ORDER BY p.received_at DESC LIMIT 10;

-- persons.add
INSERT INTO person_requests (tenant_id, id, bc_id, no, ask, kind, subject_id, name, words, device_id, due,
  received_by, received_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now);

-- persons.collected
UPDATE person_requests p SET state = 'executed', executed_by = $3, executed_at = :now, version = version + 1
WHERE p.tenant_id = $1 AND p.id = $2;

-- persons.device
SELECT d.only_hand IS NOT NULL AS alone FROM home_devices d
WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'bound';

-- persons.execute
UPDATE person_requests p SET state = $3, done = $4, digest = $5, aside = $6, name = $7,
  words = CASE WHEN $7 = '' THEN '' ELSE p.words END,
  executed_by = CASE WHEN p.executed_by = '' THEN $8 ELSE p.executed_by END,
  executed_at = CASE WHEN $3 = 'executed' THEN :now::timestamptz END, version = version + 1
WHERE p.tenant_id = $1 AND p.id = $2;

-- persons.findcustomer
SELECT x.id, x.name, masked_phone(x.phone) AS phone, x.about, x.picture
FROM (SELECT k.tenant_id, k.id, k.bc_id, k.name, k.phone, k.community AS about, NULL::text AS picture,
  NULL::uuid AS site_id, k.created_at AS at FROM customers k WHERE k.tenant_id = $1
UNION ALL SELECT f.tenant_id, f.id, k.bc_id, f.name, f.phone, k.community || '（' || k.name || '的联系人）', NULL,
  NULL, f.created_at
FROM customer_contacts f JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id WHERE f.tenant_id = $1) x
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND (x.name = $3 OR x.phone <> '' AND replace(x.phone, '-',
  '') = $3)
ORDER BY x.at DESC NULLS LAST, x.id
LIMIT 30;

-- persons.findowner
SELECT x.id, x.name, masked_phone(x.phone) AS phone, x.about, x.picture
FROM (SELECT h.tenant_id, h.id, h.bc_id, coalesce(h.name, o.name) AS name, coalesce(h.phone, o.phone) AS phone,
  w.ws_name AS about, NULL::text AS picture, h.site_id, h.since AS at FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.deleted_at IS NULL
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id WHERE h.tenant_id = $1) x
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND (x.name = $3 OR x.phone <> '' AND replace(x.phone, '-',
  '') = $3)
ORDER BY x.at DESC NULLS LAST, x.id
LIMIT 30;

-- persons.findvisitor
SELECT x.id, x.name, masked_phone(x.phone) AS phone, x.about, x.picture
FROM (SELECT v.tenant_id, v.id, v.bc_id, '来访者' AS name, '' AS phone, w.ws_name AS about,
  v.picture, v.site_id, v.at
  FROM visits v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
  WHERE v.tenant_id = $1 AND v.picture IS NOT NULL) x
WHERE x.tenant_id = $1::uuid AND x.site_id = $2::uuid AND (x.at AT TIME ZONE 'Asia/Shanghai')::date = $3::date
ORDER BY x.at DESC NULLS LAST, x.id
LIMIT 30;

-- persons.findworker
SELECT x.id, x.name, masked_phone(x.phone) AS phone, x.about, x.picture
FROM (SELECT k.tenant_id, k.id, k.bc_id, k.w_name AS name, k.w_contact AS phone, k.w_id AS about,
  NULL::text AS picture, NULL::uuid AS site_id, NULL::timestamptz AS at
  FROM workers k WHERE k.tenant_id = $1 AND k.deleted_at IS NULL) x
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND (x.name = $3 OR x.phone <> '' AND replace(x.phone, '-',
  '') = $3)
ORDER BY x.at DESC NULLS LAST, x.id
LIMIT 30;

-- persons.forget
UPDATE person_requests p SET name = '', words = ''
WHERE p.tenant_id = $1 AND p.subject_id = ANY ($2::uuid[]) AND p.id <> $3
  AND p.state IN ('executed', 'refused');

-- persons.one
SELECT p.id, p.no, p.ask, p.kind, p.name, p.bc_id, c.bc_name, p.state,
floor(extract(epoch FROM p.received_at))::float8 AS "receivedAt", p.received_by AS "receivedBy", p.due::text AS due,
  (p.state IN ('received', 'verified') AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS late,
p.verified_id, p.verified_by AS "verifiedBy", floor(extract(epoch FROM p.executed_at))::float8 AS "executedAt",
  p.version, p.subject_id, p.words, p.proved_by AS proof, p.device_id, p.picture AS paper,
floor(extract(epoch FROM p.verified_at))::float8 AS "verifiedAt", p.executed_by AS "executedBy",
  p.refused_for AS "refusedFor", p.done,
p.digest,
  p.aside FROM person_requests p JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
    WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid;

-- persons.open
SELECT p.no FROM person_requests p
WHERE p.tenant_id = $1 AND p.subject_id = $2 AND p.ask = $3 AND (p.state IN ('received',
  'verified') OR p.state = 'restricted');

-- persons.page
WITH page AS MATERIALIZED (SELECT p.* FROM person_requests p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid
  AND p.bc_id = $3::uuid ORDER BY p.due ASC, p.id LIMIT 3)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT p.id, p.no, p.ask, p.kind, p.name, p.bc_id, c.bc_name, p.state,
floor(extract(epoch FROM p.received_at))::float8 AS "receivedAt", p.received_by AS "receivedBy", p.due::text AS due,
  (p.state IN ('received', 'verified') AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS late,
p.verified_id, p.verified_by AS "verifiedBy", floor(extract(epoch FROM p.executed_at))::float8 AS "executedAt",
  p.version FROM page p JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id ORDER BY p.due ASC, p.id) r),
    '[]'::json)::text AS list,
  (SELECT count(*) FROM person_requests p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid
    AND p.bc_id = $3::uuid)::int AS total;

-- persons.refuse
UPDATE person_requests p SET state = 'refused', refused_for = $3, version = version + 1
WHERE p.tenant_id = $1 AND p.id = $2;

-- persons.restricted
SELECT p.id, p.no, p.ask, p.kind, p.name, p.bc_id, c.bc_name, p.state,
floor(extract(epoch FROM p.received_at))::float8 AS "receivedAt", p.received_by AS "receivedBy", p.due::text AS due,
  (p.state IN ('received', 'verified') AND p.due < (:now AT TIME ZONE 'Asia/Shanghai')::date) AS late,
p.verified_id, p.verified_by AS "verifiedBy", floor(extract(epoch FROM p.executed_at))::float8 AS "executedAt",
  p.version, p.subject_id, p.words, p.proved_by AS proof, p.device_id, p.picture AS paper,
floor(extract(epoch FROM p.verified_at))::float8 AS "verifiedAt", p.executed_by AS "executedBy",
  p.refused_for AS "refusedFor", p.done,
p.digest, p.aside FROM person_requests p JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
WHERE p.tenant_id = $1 AND p.state = 'restricted' ORDER BY p.received_at LIMIT 50 FOR UPDATE OF p;

-- persons.subjectcustomer
SELECT x.id, x.bc_id, x.name FROM (SELECT k.tenant_id, k.id, k.bc_id, k.name, k.phone, k.community AS about,
  NULL::text AS picture,
  NULL::uuid AS site_id, k.created_at AS at FROM customers k WHERE k.tenant_id = $1
UNION ALL SELECT f.tenant_id, f.id, k.bc_id, f.name, f.phone, k.community || '（' || k.name || '的联系人）', NULL,
  NULL, f.created_at
FROM customer_contacts f JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id WHERE f.tenant_id = $1) x
WHERE x.tenant_id = $1::uuid AND x.id = $2::uuid;

-- persons.subjectowner
SELECT x.id, x.bc_id, x.name FROM (SELECT h.tenant_id, h.id, h.bc_id, coalesce(h.name, o.name) AS name,
  coalesce(h.phone, o.phone) AS phone,
  w.ws_name AS about, NULL::text AS picture, h.site_id, h.since AS at FROM home_contacts h
JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.deleted_at IS NULL
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id WHERE h.tenant_id = $1) x
WHERE x.tenant_id = $1::uuid AND x.id = $2::uuid;

-- persons.subjectworker
SELECT x.id, x.bc_id, x.name FROM (SELECT k.tenant_id, k.id, k.bc_id, k.w_name AS name, k.w_contact AS phone,
  k.w_id AS about,
  NULL::text AS picture, NULL::uuid AS site_id, NULL::timestamptz AS at
  FROM workers k WHERE k.tenant_id = $1 AND k.deleted_at IS NULL) x
WHERE x.tenant_id = $1::uuid AND x.bc_id = $2::uuid AND x.id = $3::uuid;

-- persons.verify
UPDATE person_requests p SET state = 'verified', proved_by = $3, picture = $4, verified_id = $5,
  verified_by = $6, verified_at = :now, version = version + 1
WHERE p.tenant_id = $1 AND p.id = $2;

-- persons.waiting
SELECT count(*)::int AS n FROM person_requests p WHERE p.tenant_id = $1 AND p.bc_id = $2 AND p.state = 'received';
