-- files.add
INSERT INTO files (key, tenant_id, user_id, kind, bytes, at, taken_at, digest, shape, look, link_id)
VALUES ($1, $2, $3, $9, $4, $5, $6, $7, $8, $11::bit(380), $10);

-- files.alike
SELECT m.key AS mine, m.shape, o.key, o.shape AS original, o.bc_id, o.site_id, coalesce(w.ws_name, '') AS ws_name,
  floor(extract(epoch FROM o.at))::float8 AS at,
CASE WHEN k.id IS NOT NULL AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
  AND f.id = k.source_id AND f.hidden_from IS NOT NULL) THEN 'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai',
    'YYMMDD') || '-' || upper(right(k.id::text, 8)) END AS number
   FROM files m
   CROSS JOIN LATERAL (
     SELECT f.*
     FROM files f
     WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.proves <> $3 AND bit_count(f.look # m.look) <= $5
     ORDER BY bit_count(f.look # m.look)
     LIMIT $6) o
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = o.proves
   WHERE m.tenant_id = $1 AND m.key = ANY ($4);

-- files.athome
UPDATE files
SET bc_id = $5, site_id = $6
WHERE tenant_id = $1 AND key = $2 AND (user_id = $3 OR link_id = $4) AND kind = 'picture' AND site_id IS NULL
  AND proves IS NULL;

-- files.bylink
UPDATE files
SET kind = 'goods', bc_id = $4
WHERE tenant_id = $1 AND key = $2 AND link_id = $3 AND kind = 'picture' AND site_id IS NULL;

-- files.claim
UPDATE files
SET kind = $4, bc_id = $5
WHERE tenant_id = $1 AND key = $2 AND user_id = $3 AND kind = 'picture' AND site_id IS NULL AND proves IS NULL;

-- files.clips
DELETE FROM files WHERE tenant_id = $1 AND key = ANY ($2);

-- files.drop
DELETE FROM files WHERE tenant_id = $1 AND key = $2;

-- files.forgotten
SELECT f.key, f.at
FROM files f
WHERE f.tenant_id = $1 AND f.key = ANY ($2::text[]) AND f.kind = 'picture' AND f.proves IS NULL
  AND f.order_id IS NULL
ORDER BY f.at, f.key
FOR UPDATE OF f;

-- files.hide
DELETE FROM files WHERE tenant_id = $1 AND key = ANY ($2) AND proves IS NULL RETURNING key;

-- files.hold
SELECT f.key, f.at
FROM files f
WHERE f.tenant_id = $1 AND f.key = ANY ($2::text[]) AND f.device_id IS NOT NULL
ORDER BY f.at, f.key
FOR UPDATE OF f;

-- files.leaving
SELECT l.key FROM files_leaving l WHERE l.tenant_id = $1 ORDER BY l.key LIMIT 200;

-- files.left
DELETE FROM files_leaving l WHERE l.tenant_id = $1 AND l.key = ANY ($2);

-- files.loose
SELECT f.key, f.at
FROM files f
WHERE f.tenant_id = $1 AND f.kind IN ('picture', 'pdf') AND f.proves IS NULL AND f.order_id IS NULL
  AND (f.device_id IS NOT NULL) = $2 AND ($2 OR f.site_id IS NULL)
  AND (f.at, f.key) > ($3::timestamptz, $4) AND f.at < $5
ORDER BY f.at, f.key
LIMIT 2000
FOR UPDATE OF f SKIP LOCKED;

-- files.mine
SELECT f.kind, floor(extract(epoch FROM f.at))::float8 AS at, floor(extract(epoch FROM coalesce(f.taken_at,
  f.at)))::float8 AS taken
FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.user_id = $3 FOR UPDATE OF f;

-- files.named
SELECT n.picture AS key FROM alarms n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.clip AS key FROM alarms n WHERE n.tenant_id = $1 AND n.clip = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.picture AS key FROM attendance_events n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.picture AS key FROM case_pictures n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT n.masked_picture AS key FROM case_pictures n WHERE n.tenant_id = $1
  AND n.masked_picture = ANY ($2::text[])
UNION ALL SELECT n.proof AS key FROM consents n WHERE n.tenant_id = $1 AND n.proof = ANY ($2::text[])
UNION ALL SELECT n.key AS key FROM contract_files n WHERE n.tenant_id = $1 AND n.key = ANY ($2::text[])
UNION ALL SELECT unnest(n.pictures) AS key FROM corrections n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT unnest(n.pictures) AS key FROM correction_logs n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT n.last_picture AS key FROM devices n WHERE n.tenant_id = $1 AND n.last_picture = ANY ($2::text[])
UNION ALL SELECT n.photo AS key FROM dispatches n WHERE n.tenant_id = $1 AND n.photo = ANY ($2::text[])
UNION ALL SELECT n.signature AS key FROM dispatches n WHERE n.tenant_id = $1 AND n.signature = ANY ($2::text[])
UNION ALL SELECT n.damage_photo AS key FROM dispatches n WHERE n.tenant_id = $1 AND n.damage_photo = ANY ($2::text[])
UNION ALL SELECT unnest(n.pictures) AS key FROM feedback n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT unnest(n.pictures) AS key FROM feedback_events n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT unnest(n.photos) AS key FROM goods_changes n WHERE n.tenant_id = $1 AND n.photos && $2::text[]
UNION ALL SELECT unnest(n.answer_photos) AS key FROM goods_changes n WHERE n.tenant_id = $1
  AND n.answer_photos && $2::text[]
UNION ALL SELECT unnest(n.photos) AS key FROM judgements n WHERE n.tenant_id = $1 AND n.photos && $2::text[]
UNION ALL SELECT n.photo AS key FROM logistics_nodes n WHERE n.tenant_id = $1 AND n.photo = ANY ($2::text[])
UNION ALL SELECT n.picture AS key FROM patrols n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT unnest(n.pictures) AS key FROM patrol_items n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT n.picture AS key FROM person_requests n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT n.picture AS key FROM products n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT unnest(n.pictures) AS key FROM promise_events n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT unnest(n.pictures) AS key FROM questions n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT unnest(n.pictures) AS key FROM question_answers n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
UNION ALL SELECT n.key AS key FROM recordings n WHERE n.tenant_id = $1 AND n.key = ANY ($2::text[])
UNION ALL SELECT n.picture AS key FROM site_events n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT unnest(n.pictures) AS key FROM thread_messages n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT unnest(n.pictures) AS key FROM thread_outcomes n WHERE n.tenant_id = $1 AND n.pictures && $2::text[]
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.picture AS key FROM tidiness_checks n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.picture AS key FROM violations n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT n.picture AS key FROM visits n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
  AND n.at > $3::timestamptz - interval '10 days'
UNION ALL SELECT n.picture AS key FROM worker_documents n WHERE n.tenant_id = $1 AND n.picture = ANY ($2::text[])
UNION ALL SELECT n.w_face AS key FROM workers n WHERE n.tenant_id = $1 AND n.w_face = ANY ($2::text[]);

-- files.oforder
UPDATE files f
SET order_id = $3
WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.kind = 'goods';

-- files.one
SELECT f.key, f.user_id, f.bc_id, f.site_id, f.link_id, f.kind, EXISTS (
SELECT 1 FROM workers k
WHERE k.tenant_id = f.tenant_id AND k.w_face = f.key
  AND ($3::uuid[] IS NULL AND $4::uuid[] IS NULL OR k.bc_id = ANY ($3) OR EXISTS (
    SELECT 1 FROM site_members m
    WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id AND m.site_id = ANY ($4)))) AS face,
     f.kind = 'document' AND EXISTS (
SELECT 1 FROM worker_documents d
JOIN workers k ON k.tenant_id = $1 AND k.id = d.worker_id
WHERE d.tenant_id = $1 AND d.picture = f.key
  AND ($5::uuid[] IS NULL AND $6::uuid[] IS NULL OR k.bc_id = ANY ($5) OR EXISTS (
    SELECT 1 FROM site_members m
    WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ANY ($6)))) AS document,
     f.kind = 'consent' AND (EXISTS (
SELECT 1 FROM consents c
JOIN home_contacts k ON k.tenant_id = $1 AND k.id = c.subject_id
WHERE c.tenant_id = $1 AND c.proof = f.key AND c.subject_type = 'contact' AND $16::boolean
  AND ($17::uuid[] IS NULL AND $18::uuid[] IS NULL OR k.bc_id = ANY ($17) OR k.site_id = ANY ($18)))
OR $19::boolean AND EXISTS (
SELECT 1 FROM consents c
JOIN workers k ON k.tenant_id = $1 AND k.id = c.subject_id
WHERE c.tenant_id = $1 AND c.proof = f.key AND c.subject_type = 'worker'
  AND ($7::uuid[] IS NULL AND $8::uuid[] IS NULL OR k.bc_id = ANY ($7) OR EXISTS (
    SELECT 1 FROM site_members m
    WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ANY ($8))))) AS consent,
     f.kind = 'contract' AND EXISTS (
SELECT 1 FROM contract_files x
JOIN contracts c ON c.tenant_id = $1 AND c.id = x.contract_id
WHERE x.tenant_id = $1 AND x.key = f.key
  AND ($9::boolean OR c.bc_id = ANY ($10::uuid[]) OR c.store_id = ANY ($11::uuid[]))) AS contract,
     f.kind = 'goods' AND EXISTS (
SELECT 1 FROM orders o
WHERE o.tenant_id = $1 AND o.id = f.order_id
  AND ($12::boolean OR o.bc_id = ANY ($13::uuid[]) OR o.site_id = ANY ($14::uuid[])
    OR o.receiver_id = ANY ($15::uuid[]))) AS goods
   FROM files f
   WHERE f.tenant_id = $1 AND f.key = $2;

-- files.original
SELECT f.key FROM files f WHERE f.tenant_id = $1 AND f.key = $2 AND f.site_id = $3 AND f.kind = 'picture';

-- files.own
SELECT 1 FROM files f WHERE f.tenant_id = $1 AND f.key = $2 AND (f.user_id = $3 OR f.link_id = $4);

-- files.paper
UPDATE files
SET kind = 'contract', bc_id = $4
WHERE tenant_id = $1 AND key = $2 AND user_id = $3 AND kind IN ('picture', 'pdf') AND site_id IS NULL
  AND proves IS NULL;

-- files.rendition
INSERT INTO files (key, tenant_id, kind, bytes, at) VALUES ($2, $1, 'case', $3, $4);

-- files.replace
INSERT INTO files (key, tenant_id, bc_id, site_id, device_id, kind, bytes, at, film_seconds)
SELECT $3, f.tenant_id, f.bc_id, f.site_id, f.device_id, f.kind, $4, f.at, $5
FROM files f
WHERE f.tenant_id = $1 AND f.key = $2;

-- files.shapes
SELECT f.shape FROM files f WHERE f.tenant_id = $1 AND f.key = ANY ($2) AND f.shape IS NOT NULL;

-- files.tie
UPDATE files
SET bc_id = $3, site_id = $4, proves = $5
WHERE tenant_id = $1 AND key = ANY ($2) AND coalesce(proves, $5) = $5;

-- files.used
SELECT o.bc_id, o.site_id, coalesce(w.ws_name, '') AS ws_name, floor(extract(epoch FROM o.at))::float8 AS at,
CASE WHEN k.id IS NOT NULL AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
  AND f.id = k.source_id AND f.hidden_from IS NOT NULL) THEN 'ZG' || to_char(k.at AT TIME ZONE 'Asia/Shanghai',
    'YYMMDD') || '-' || upper(right(k.id::text, 8)) END AS number
   FROM files f
   JOIN files o ON o.tenant_id = $1 AND (o.key = f.key OR o.digest = f.digest) AND o.proves <> $3
   LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = o.site_id
LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = o.proves
   WHERE f.tenant_id = $1 AND f.key = ANY ($2)
   LIMIT 1;
