-- previews.add
INSERT INTO previews (tenant_id, id, bc_id, store_id, customer_id, title, words, made_by, made_name, made_at,
  changed_at, changed_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now, :now, $9);

-- previews.allitems
SELECT i.kind, i.target_id, i.dropped_for AS "droppedFor" FROM preview_items i
WHERE i.tenant_id = $1 AND i.preview_id = $2
ORDER BY i.sort, i.id;

-- previews.clear
DELETE FROM preview_items i WHERE i.tenant_id = $1 AND i.preview_id = $2;

-- previews.drop
UPDATE preview_items i SET dropped_at = :now, dropped_for = $3
WHERE i.tenant_id = $1 AND i.id = $2 AND i.dropped_at IS NULL;

-- previews.item
INSERT INTO preview_items (tenant_id, id, preview_id, sort, kind, target_id) VALUES ($1, $2, $3, $4, $5, $6);

-- previews.items
SELECT i.kind, i.target_id FROM preview_items i
WHERE i.tenant_id = $1 AND i.preview_id = $2 AND i.dropped_at IS NULL
ORDER BY i.sort, i.id;

-- previews.list
SELECT v.id, v.title, v.bc_id, v.store_id, v.customer_id, k.name AS "customerName", v.made_by AS maker_id,
v.made_name AS "makerName", v.state, (SELECT count(*)::int FROM preview_items i
  WHERE i.tenant_id = $1 AND i.preview_id = v.id AND i.dropped_at IS NULL) AS items,
coalesce((SELECT sum(l.openings)::int FROM links l
  WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = v.id), 0) AS openings,
floor(extract(epoch FROM v.changed_at))::float8 AS "changedAt",
  v.version FROM previews v JOIN customers k ON k.tenant_id = $1 AND k.id = v.customer_id WHERE v.tenant_id = $1::uuid
    ORDER BY v.changed_at DESC, v.id LIMIT 50;

-- previews.lives
SELECT EXISTS (SELECT FROM previews p
WHERE p.tenant_id = $1 AND p.id = $2 AND p.state <> 'ended') AS lives;

-- previews.lock
SELECT v.id, v.title, v.bc_id, v.store_id, v.customer_id, k.name AS "customerName", v.made_by AS maker_id,
  v.made_name AS "makerName", v.state, (SELECT count(*)::int FROM preview_items i
    WHERE i.tenant_id = $1 AND i.preview_id = v.id AND i.dropped_at IS NULL) AS items,
  coalesce((SELECT sum(l.openings)::int FROM links l
    WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = v.id), 0) AS openings,
  floor(extract(epoch FROM v.changed_at))::float8 AS "changedAt", v.version, v.words, k.community,
    v.changed_by AS "changedBy"
FROM previews v JOIN customers k ON k.tenant_id = $1 AND k.id = v.customer_id WHERE v.tenant_id = $1::uuid
  AND v.id = $2::uuid FOR UPDATE OF v;

-- previews.one
SELECT v.id, v.title, v.bc_id, v.store_id, v.customer_id, k.name AS "customerName", v.made_by AS maker_id,
  v.made_name AS "makerName", v.state, (SELECT count(*)::int FROM preview_items i
    WHERE i.tenant_id = $1 AND i.preview_id = v.id AND i.dropped_at IS NULL) AS items,
  coalesce((SELECT sum(l.openings)::int FROM links l
    WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = v.id), 0) AS openings,
  floor(extract(epoch FROM v.changed_at))::float8 AS "changedAt", v.version, v.words, k.community,
    v.changed_by AS "changedBy"
FROM previews v JOIN customers k ON k.tenant_id = $1 AND k.id = v.customer_id WHERE v.tenant_id = $1::uuid
  AND v.id = $2::uuid;

-- previews.opendoor
SELECT l.id FROM links l
WHERE l.tenant_id = $1 AND l.kind = 'preview' AND l.target_id = $2 AND l.revoked_at IS NULL
  AND l.expires_at > :now AND l.password IS NULL
LIMIT 1;

-- previews.packages
SELECT p.id, p.name AS title, trim_scale(p.per_square)::text || ' 元/㎡' AS detail
FROM packages p
WHERE p.tenant_id = $1::uuid AND ((p.bc_id IS NULL OR p.bc_id = ANY($2::uuid[])) OR p.bc_id IN (SELECT k.bc_id
  FROM sites k WHERE k.tenant_id = $1 AND k.id = ANY($3::uuid[])) OR p.bc_id IN (SELECT k.bc_id FROM stores k
    WHERE k.tenant_id = $1 AND k.id = ANY($4::uuid[]))) AND (p.bc_id IS NULL OR p.bc_id = $5::uuid) AND p.status = 2
      AND p.from_on <= (:now AT TIME ZONE 'Asia/Shanghai')::date AND (p.to_on IS NULL
        OR p.to_on >= (:now AT TIME ZONE 'Asia/Shanghai')::date)
ORDER BY p.name, p.number DESC, p.id
LIMIT 30;

-- previews.quotations
SELECT v.id, q.code || ' 第 ' || v.number || ' 版' AS title, '有效期至 ' || v.valid_until AS detail
FROM quotations q
JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
WHERE q.tenant_id = $1::uuid AND q.customer_id = $2::uuid AND q.status <> 6 AND v.examine_state = 1
  AND v.valid_until >= (:now AT TIME ZONE 'Asia/Shanghai')::date
ORDER BY v.submitted_at DESC, v.id
LIMIT 30;

-- previews.save
UPDATE previews
SET state = $3, title = $4, words = $5, changed_at = :now, changed_by = $6, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- previews.sites
SELECT w.id FROM sites w
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND w.community ILIKE $2
ORDER BY w.status = 4, w.start_date DESC NULLS LAST, w.id
LIMIT 30;

-- previews.standing
SELECT i.id, i.preview_id, i.target_id, k.title, v.title AS "previewTitle", v.made_by AS maker_id, v.bc_id
FROM preview_items i
JOIN previews v ON v.tenant_id = $1 AND v.id = i.preview_id AND v.state <> 'ended'
JOIN cases k ON k.tenant_id = $1 AND k.id = i.target_id
WHERE i.tenant_id = $1 AND i.kind = 'case' AND i.dropped_at IS NULL
ORDER BY v.made_at, i.sort;

-- previews.tocustomer
UPDATE previews SET customer_id = $3, version = version + 1 WHERE tenant_id = $1 AND customer_id = $2;

-- previews.words
SELECT v.words FROM previews v WHERE v.tenant_id = $1 AND v.id = $2;

-- shares.case
SELECT k.bc_id, k.title FROM cases k WHERE k.tenant_id = $1 AND k.id = $2;

-- shares.fallen
SELECT l.id, l.bc_id, l.title, coalesce(c.name, l.person) AS person, l.made_by AS maker_id
FROM links l
JOIN cases k ON k.tenant_id = $1 AND k.id = l.target_id
  AND k.state NOT IN ('consented', 'published')
LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = l.customer_id
WHERE l.tenant_id = $1 AND l.kind = 'share' AND l.revoked_at IS NULL AND l.expires_at > :now
ORDER BY l.made_at
LIMIT 200;

-- shares.frame
SELECT l.kind, l.title, coalesce(k.name, l.person) AS person, l.made_name AS maker, l.made_by AS maker_id,
  CASE WHEN l.screen_id IS NULL THEN l.made_name ELSE coalesce(t.name, '') END AS "shownMaker",
  l.store_id,
  l.customer_id, floor(extract(epoch FROM l.expires_at))::float8 AS "expiresAt"
FROM links l
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id
LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = l.store_id
WHERE l.tenant_id = $1 AND l.id = $2;

-- shares.ofscreen
SELECT k.id, k.title, ((k.until + 1)::timestamp AT TIME ZONE 'Asia/Shanghai' - interval '1 second') AS end
FROM unnest($2::uuid[]) n(id)
JOIN cases k ON k.tenant_id = $1 AND k.id = n.id
WHERE EXISTS (SELECT FROM cases k
      JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
      WHERE k.tenant_id = $1 AND k.id = n.id AND k.state = 'published' AND 'link' = ANY (k.places)
        AND k.until >= (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND EXISTS (SELECT FROM home_contacts h
    JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id AND c.state = 1
    WHERE h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = k.site_id AND h.ended_at IS NULL)
  AND NOT EXISTS (SELECT FROM home_contacts h
    WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  AND 'photos' = ANY (k.scope) AND EXISTS (SELECT FROM case_pictures p
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed)));

-- shares.one
SELECT l.id, l.kind, l.title, l.bc_id, c.bc_name, coalesce(s.name, '') AS "storeName", l.customer_id,
  coalesce(k.name, l.person) AS "customerName", l.made_by AS maker_id, l.made_name AS "makerName",
  floor(extract(epoch FROM l.made_at))::float8 AS "madeAt",
    floor(extract(epoch FROM l.expires_at))::float8 AS "expiresAt", l.openings, l.told, l.most,
  floor(extract(epoch FROM (SELECT max(p.last_at) FROM link_openings p
    WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL)))::float8 AS "lastOpenedAt",
      (SELECT count(DISTINCT p.device) > 1 FROM link_openings p
    WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL
      AND p.device NOT LIKE 'visit-%') AS "otherDevice", (l.customer_id IS NOT NULL AND l.openings > 0 AND NOT EXISTS (
    SELECT FROM follow_ups f
    WHERE f.tenant_id = $1 AND f.customer_id = l.customer_id AND f.state = 'done'
      AND f.at >= (SELECT min(p.shown_at) FROM link_openings p
        WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL))) AS unfollowed,
  l.password IS NOT NULL AS "hasPassword",
    CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= :now THEN 'expired'
    WHEN (l.screen_id IS NOT NULL AND EXISTS (SELECT FROM screens s
    WHERE s.tenant_id = $1 AND s.id = l.screen_id AND s.revoked_at IS NOT NULL)) THEN 'revoked' WHEN CASE l.kind
      WHEN 'share' THEN NOT EXISTS (SELECT FROM cases k
      JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
      WHERE k.tenant_id = $1 AND k.id = l.target_id AND k.state = 'published' AND 'link' = ANY (k.places)
        AND k.until >= (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND EXISTS (SELECT FROM home_contacts h
    JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id AND c.state = 1
    WHERE h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = k.site_id AND h.ended_at IS NULL)
  AND NOT EXISTS (SELECT FROM home_contacts h
    WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  AND 'photos' = ANY (k.scope) AND EXISTS (SELECT FROM case_pictures p
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed)))
    WHEN 'quotation' THEN NOT EXISTS (SELECT FROM quotation_versions x
      JOIN quotations y ON y.tenant_id = $1 AND y.id = x.quotation_id AND y.status <> 6
      WHERE x.tenant_id = $1 AND x.id = l.target_id AND x.examine_state = 1) ELSE NOT EXISTS (SELECT FROM previews p
      WHERE p.tenant_id = $1 AND p.id = l.target_id AND p.state <> 'ended') END THEN 'over'
        WHEN l.told >= l.most THEN 'used' ELSE 'live' END AS state FROM links l JOIN companies c ON c.tenant_id = $1
          AND c.bc_id = l.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = l.store_id
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id WHERE l.tenant_id = $1::uuid AND l.kind IN ('share',
  'preview', 'quotation') AND l.id = $2::uuid;

-- shares.openings
SELECT p.id, floor(extract(epoch FROM p.shown_at))::float8 AS at, p.seconds, p.looked, d.place AS device
FROM link_openings p
LEFT JOIN (
  SELECT f.device, row_number() OVER (ORDER BY min(f.shown_at))::int AS place
  FROM link_openings f
  WHERE f.tenant_id = $1 AND f.link_id = $2 AND f.shown_at IS NOT NULL AND f.device NOT LIKE 'visit-%'
  GROUP BY f.device) d ON d.device = p.device
WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.shown_at IS NOT NULL
ORDER BY p.shown_at DESC, p.id
LIMIT 200;

-- shares.outlived
SELECT DISTINCT k.id, ((k.until + 1)::timestamp AT TIME ZONE 'Asia/Shanghai' - interval '1 second') AS end
FROM links l
JOIN cases k ON k.tenant_id = $1 AND k.id = l.target_id
WHERE l.tenant_id = $1 AND l.kind = 'share' AND l.revoked_at IS NULL AND l.expires_at > :now
  AND l.expires_at > ((k.until + 1)::timestamp AT TIME ZONE 'Asia/Shanghai' - interval '1 second')
LIMIT 200;

-- shares.page
WITH page AS MATERIALIZED (SELECT l.* FROM links l LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id
  WHERE l.tenant_id = $1::uuid AND l.kind IN ('share', 'preview', 'quotation') ORDER BY l.made_at DESC,
    l.id ASC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT l.id, l.kind, l.title, l.bc_id, c.bc_name, coalesce(s.name, '') AS "storeName", l.customer_id,
  coalesce(k.name, l.person) AS "customerName", l.made_by AS maker_id, l.made_name AS "makerName",
  floor(extract(epoch FROM l.made_at))::float8 AS "madeAt",
    floor(extract(epoch FROM l.expires_at))::float8 AS "expiresAt", l.openings, l.told, l.most,
  floor(extract(epoch FROM (SELECT max(p.last_at) FROM link_openings p
    WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL)))::float8 AS "lastOpenedAt",
      (SELECT count(DISTINCT p.device) > 1 FROM link_openings p
    WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL
      AND p.device NOT LIKE 'visit-%') AS "otherDevice", (l.customer_id IS NOT NULL AND l.openings > 0 AND NOT EXISTS (
    SELECT FROM follow_ups f
    WHERE f.tenant_id = $1 AND f.customer_id = l.customer_id AND f.state = 'done'
      AND f.at >= (SELECT min(p.shown_at) FROM link_openings p
        WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL))) AS unfollowed,
  l.password IS NOT NULL AS "hasPassword",
    CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= :now THEN 'expired'
    WHEN (l.screen_id IS NOT NULL AND EXISTS (SELECT FROM screens s
    WHERE s.tenant_id = $1 AND s.id = l.screen_id AND s.revoked_at IS NOT NULL)) THEN 'revoked' WHEN CASE l.kind
      WHEN 'share' THEN NOT EXISTS (SELECT FROM cases k
      JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
      WHERE k.tenant_id = $1 AND k.id = l.target_id AND k.state = 'published' AND 'link' = ANY (k.places)
        AND k.until >= (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND w.deleted_at IS NULL AND w.status IN (1, 4)
  AND EXISTS (SELECT FROM home_contacts h
    JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id AND c.state = 1
    WHERE h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = k.site_id AND h.ended_at IS NULL)
  AND NOT EXISTS (SELECT FROM home_contacts h
    WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  AND 'photos' = ANY (k.scope) AND EXISTS (SELECT FROM case_pictures p
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed)))
    WHEN 'quotation' THEN NOT EXISTS (SELECT FROM quotation_versions x
      JOIN quotations y ON y.tenant_id = $1 AND y.id = x.quotation_id AND y.status <> 6
      WHERE x.tenant_id = $1 AND x.id = l.target_id AND x.examine_state = 1) ELSE NOT EXISTS (SELECT FROM previews p
      WHERE p.tenant_id = $1 AND p.id = l.target_id AND p.state <> 'ended') END THEN 'over'
        WHEN l.told >= l.most THEN 'used' ELSE 'live' END AS state FROM page l JOIN companies c ON c.tenant_id = $1
          AND c.bc_id = l.bc_id
LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = l.store_id
LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id ORDER BY l.made_at DESC, l.id ASC) r),
  '[]'::json)::text AS list,
  (SELECT count(*) FROM links l LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id
    WHERE l.tenant_id = $1::uuid AND l.kind IN ('share', 'preview', 'quotation'))::int AS total;

-- shares.place
SELECT x.bc_id, x.store_id FROM (
  SELECT s.bc_id, s.id AS store_id, s.name FROM stores s WHERE s.tenant_id = $1 AND s.id = ANY ($2::uuid[])
  UNION ALL
  SELECT c.bc_id, NULL, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = ANY ($3::uuid[])) x
ORDER BY x.store_id IS NULL, x.name
LIMIT 1;

-- shares.sites
SELECT w.id, w.community, w.status, w.stage,
  coalesce(w.actual_finish, (:now AT TIME ZONE 'Asia/Shanghai')::date) - w.start_date + 1 AS days, w.style
FROM sites w
WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND w.deleted_at IS NULL AND w.community <> ''
  AND w.status IN (1, 4);

-- shares.until
SELECT ((k.until + 1)::timestamp AT TIME ZONE 'Asia/Shanghai' - interval '1 second') AS end FROM cases k
  WHERE k.tenant_id = $1 AND k.id = $2;
