-- cases.add
INSERT INTO cases (tenant_id, id, bc_id, site_id, title, words, made_by, made_at, changed_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, :now, :now);

-- cases.addpicture
INSERT INTO case_pictures (tenant_id, id, case_id, picture, taken_on, stage, device_id, taken_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8));

-- cases.answers
SELECT c.id, coalesce(h.name, o.name, '') AS name, c.state, c.how, c.answered_on::text AS "answeredOn",
  c.scope, c.wording,
  CASE WHEN $3 THEN c.proof END AS proof, c.recorded_by AS "recordedBy",
  floor(extract(epoch FROM c.recorded_at))::float8 AS "recordedAt", c.withdrawn_by AS "withdrawnBy",
  floor(extract(epoch FROM c.withdrawn_at))::float8 AS "withdrawnAt", c.withdrawn_why AS "withdrawnWhy"
FROM home_contacts h
JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2
ORDER BY c.recorded_at DESC, c.id DESC;

-- cases.ask
UPDATE cases k
SET state = 'asked', scope = $3, places = $4, until = $5, asked_by = $6, asked_at = :now,
  contact_id = NULL, changed_at = :now, version = version + 1,
  agreed = ARRAY(SELECT p.masked_picture FROM case_pictures p
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' ORDER BY p.taken_on, p.id),
  praise_id = CASE WHEN 'praise' = ANY ($3::text[]) THEN (
    SELECT f.id FROM feedback f
    WHERE f.tenant_id = $1 AND f.site_id = k.site_id AND f.kind = 'praise' AND f.status <> 4
      AND f.home_at >= (SELECT h.since FROM home_contacts h
        WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL)
    ORDER BY f.entered_at DESC
    LIMIT 1) END
WHERE k.tenant_id = $1 AND k.id = $2;

-- cases.athome
SELECT k.id, k.state, k.scope, k.places, k.asked_by AS "askedBy", (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = $3
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) AS mine,
  h.owner_id IS NOT NULL AS signatory, k.until >= (:now AT TIME ZONE 'Asia/Shanghai')::date AS open, k.version
FROM cases k
JOIN home_contacts h ON h.tenant_id = $1 AND h.id = $3
WHERE k.tenant_id = $1 AND k.site_id = $2 AND k.asked_at >= $4
  AND k.state IN ('asked', 'consented', 'published', 'refused', 'withdrawn', 'expired')
ORDER BY k.asked_at DESC, k.id
LIMIT 5;

-- cases.byte
SELECT p.masked_picture AS file
FROM case_pictures p
JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
WHERE p.tenant_id = $1 AND p.masked_picture = $4 AND p.case_id = $5 AND p.state = 'released'
  AND p.masked_picture = ANY (k.agreed) AND k.state = 'published' AND $2 = ANY (k.places) AND k.until >= $3::date
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
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed));

-- cases.companies
SELECT c.bc_id, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = ANY ($2::uuid[]);

-- cases.contacts
SELECT h.id, coalesce(h.name, o.name) AS name, h.relation, h.owner_id IS NOT NULL AS signatory
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL
ORDER BY signatory DESC, h.since, h.id;

-- cases.content
SELECT k.id, k.site_id, k.bc_id, k.title, k.words, k.scope, coalesce(k.until::text, '') AS until, w.style,
  w.layout, CASE WHEN w.area > 0
    THEN (floor(w.area / 20) * 20)::int || '–' || (floor(w.area / 20) * 20 + 20)::int || ' ㎡' END AS "areaRange",
      w.community,
  coalesce(w.actual_finish, (:now AT TIME ZONE 'Asia/Shanghai')::date) - w.start_date + 1 AS days,
  w.status = 4 AS finished, (SELECT CASE WHEN t.v < 50000 THEN '5 万以下'
      ELSE (floor(t.v / 50000) * 5)::int || '–' || (floor(t.v / 50000) * 5 + 5)::int || ' 万' END
    FROM (SELECT (SELECT n.total FROM contracts n
      WHERE n.tenant_id = $1 AND n.site_id = w.id AND n.state NOT IN ('void', 'ended')
        AND n.signing_progress = 3
      LIMIT 1) AS v) t WHERE t.v > 0) AS "priceRange",
  (SELECT f.words FROM feedback f WHERE f.tenant_id = $1 AND f.id = k.praise_id) AS praise
FROM cases k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
WHERE k.tenant_id = $1 AND k.id = ANY ($2::uuid[])
ORDER BY k.changed_at DESC, k.id;

-- cases.drop
DELETE FROM case_pictures WHERE tenant_id = $1 AND case_id = $2 AND picture = ANY ($3)
RETURNING masked_picture AS made;

-- cases.edit
UPDATE cases SET title = $3, words = $4, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- cases.forget
WITH chosen AS (
  SELECT p.id, p.masked_picture AS made
  FROM case_pictures p
  JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     WHERE p.tenant_id = $1 AND p.masked_picture IS NOT NULL AND NOT k.state IN ('candidate', 'asked', 'consented',
       'published')
     LIMIT 500)
UPDATE case_pictures p
SET state = 'raw', masked_picture = NULL, released_by = '', released_at = NULL,
  version = version + 1
FROM chosen
WHERE p.tenant_id = $1 AND p.id = chosen.id
RETURNING chosen.made;

-- cases.hold
SELECT k.id FROM cases k WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid FOR UPDATE;

-- cases.home
SELECT w.id FROM cases k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id WHERE k.tenant_id = $1::uuid
  AND k.id = $2::uuid FOR NO KEY UPDATE OF w;

-- cases.homepicture
SELECT EXISTS (
SELECT 1
FROM home_devices d
JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
JOIN cases k ON k.tenant_id = $1 AND k.site_id = h.site_id
  AND k.state IN ('asked', 'consented', 'published') AND $4 = ANY (k.agreed)
JOIN case_pictures p ON p.tenant_id = $1 AND p.case_id = k.id AND p.masked_picture = $4 AND p.state = 'released'
WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown;

-- cases.inreach
SELECT p.id FROM case_pictures p JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
WHERE p.tenant_id = $1 AND k.tenant_id = $1::uuid AND p.masked_picture = $2 AND k.state IN ('candidate', 'asked',
  'consented', 'published');

-- cases.keys
SELECT p.picture AS key FROM case_pictures p WHERE p.tenant_id = $1 AND p.case_id = $2;

-- cases.ledger
SELECT floor(extract(epoch FROM e.at))::float8 AS at, e.actor, e.act, e.text
FROM case_events e
WHERE e.tenant_id = $1 AND e.case_id = $2
ORDER BY e.at DESC, e.id DESC
LIMIT 200;

-- cases.line
INSERT INTO case_events (tenant_id, id, case_id, act, actor, text, at) VALUES ($1, $2, $3, $4, $5, $6, :now);

-- cases.living
SELECT k.title, k.state FROM cases k WHERE k.tenant_id = $1 AND k.site_id = $2 AND k.state IN ('candidate', 'asked',
  'consented', 'published');

-- cases.locked
SELECT k.id, k.bc_id, k.site_id, k.title, k.words, k.state, k.scope, k.places, k.until::text AS until,
  k.contact_id, coalesce(nullif(CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END, ''), coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
    FROM home_contacts h
    LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE k.state = 'consented' AND h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '')) AS missing, w.ws_name, w.community, w.address, o.name AS owner, w.status,
  w.steward_id, k.version
FROM cases k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid;

-- cases.mask
UPDATE case_pictures
SET state = 'masked', turn = $3, masks = $4, masked_picture = $5, masked_id = $6, masked_by = $7,
  masked_at = :now, released_by = '', released_at = NULL, crop = $8, fixed = $9, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- cases.move
UPDATE cases SET state = $3, contact_id = $4, changed_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- cases.one
SELECT k.id, k.title, k.state, CASE WHEN k.state IN ('candidate', 'asked', 'consented',
  'published') THEN x.cover END AS cover, k.site_id,
w.ws_name AS "siteName", k.bc_id, c.bc_name, w.style, w.layout, trim_scale(w.area)::text AS area,
(SELECT CASE WHEN t.v < 50000 THEN '5 万以下'
      ELSE (floor(t.v / 50000) * 5)::int || '–' || (floor(t.v / 50000) * 5 + 5)::int || ' 万' END
    FROM (SELECT (SELECT n.total FROM contracts n
      WHERE n.tenant_id = $1 AND n.site_id = w.id AND n.state NOT IN ('void', 'ended')
        AND n.signing_progress = 3
      LIMIT 1) AS v) t WHERE t.v > 0) AS "priceRange", k.until::text AS until,
CASE WHEN k.state IN ('consented',
  'published') THEN k.until - (:now AT TIME ZONE 'Asia/Shanghai')::date END AS "daysLeft",
x.raw, x.masked, x.released, coalesce(nullif(CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END, ''), coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
    FROM home_contacts h
    LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE k.state = 'consented' AND h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '')) AS missing, k.places, k.scope,
k.openings, floor(extract(epoch FROM k.changed_at))::float8 AS "changedAt", k.version, k.words,
  k.asked_by AS "askedBy",
    floor(extract(epoch FROM k.asked_at))::float8 AS "askedAt" FROM cases k JOIN sites w ON w.tenant_id = $1
      AND w.id = k.site_id CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
    WHERE k.tenant_id = $1::uuid AND k.id = $2::uuid;

-- cases.onepicture
SELECT p.id, p.case_id, p.picture AS source, p.masked_picture AS rendition, p.state, p.masked_id,
  p.masked_by AS "maskedBy",
  CASE WHEN p.state IN ('masked', 'released') THEN coalesce(nullif(p.released_by, ''), p.masked_by) ELSE '' END
    AS "changedBy",
  CASE WHEN p.state IN ('masked', 'released') THEN floor(extract(epoch FROM coalesce(p.released_at,
    p.masked_at)))::float8 END
    AS "changedAt", coalesce((SELECT z.masks FROM camera_zones z
  WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND NOT EXISTS (SELECT FROM device_stands s
      WHERE s.tenant_id = $1 AND s.device_id = z.device_id AND ((s.from_at > least(z.seen_at,
        p.taken_at) AND s.from_at <= greatest(z.seen_at, p.taken_at)) OR (s.to_at > least(z.seen_at,
          p.taken_at) AND s.to_at <= greatest(z.seen_at, p.taken_at))))
    AND NOT EXISTS (SELECT FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = z.device_id AND a.type = 'cameraproblem'
        AND a.correction_status <> 4
        AND ((a.at > least(z.seen_at, p.taken_at) AND a.at <= greatest(z.seen_at,
          p.taken_at)) OR (a.closed_at > least(z.seen_at, p.taken_at) AND a.closed_at <= greatest(z.seen_at,
            p.taken_at))))
    AND NOT EXISTS (SELECT FROM tidiness_checks t
      WHERE t.tenant_id = $1 AND t.device_id = z.device_id AND t.result = 4 AND (t.at > least(z.seen_at,
        p.taken_at) AND t.at <= greatest(z.seen_at, p.taken_at)))
  ORDER BY z.made_at DESC, z.id DESC
  LIMIT 1), '[]') AS fixed, v.sn AS camera, p.taken_at IS NOT NULL AS timed,
  p.version
FROM case_pictures p
JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = p.device_id
WHERE p.tenant_id = $1 AND k.tenant_id = $1::uuid AND p.id = $2::uuid;

-- cases.opened
UPDATE cases SET openings = openings + 1 WHERE tenant_id = $1 AND id = $2;

-- cases.overdue
SELECT k.id FROM cases k
WHERE k.tenant_id = $1 AND k.state IN ('asked', 'consented',
  'published') AND k.until < (:now AT TIME ZONE 'Asia/Shanghai')::date
ORDER BY k.until, k.id
LIMIT 200;

-- cases.page
WITH page AS MATERIALIZED (SELECT k.* FROM cases k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id CROSS
  JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x WHERE k.tenant_id = $1::uuid ORDER BY k.changed_at DESC,
    k.id ASC LIMIT 20)
SELECT coalesce((SELECT json_agg(r)
    FROM (SELECT k.id, k.title, k.state, CASE WHEN k.state IN ('candidate', 'asked', 'consented',
      'published') THEN x.cover END AS cover, k.site_id,
w.ws_name AS "siteName", k.bc_id, c.bc_name, w.style, w.layout, trim_scale(w.area)::text AS area,
(SELECT CASE WHEN t.v < 50000 THEN '5 万以下'
      ELSE (floor(t.v / 50000) * 5)::int || '–' || (floor(t.v / 50000) * 5 + 5)::int || ' 万' END
    FROM (SELECT (SELECT n.total FROM contracts n
      WHERE n.tenant_id = $1 AND n.site_id = w.id AND n.state NOT IN ('void', 'ended')
        AND n.signing_progress = 3
      LIMIT 1) AS v) t WHERE t.v > 0) AS "priceRange", k.until::text AS until,
CASE WHEN k.state IN ('consented',
  'published') THEN k.until - (:now AT TIME ZONE 'Asia/Shanghai')::date END AS "daysLeft",
x.raw, x.masked, x.released, coalesce(nullif(CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END, ''), coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
    FROM home_contacts h
    LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE k.state = 'consented' AND h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '')) AS missing, k.places, k.scope,
k.openings, floor(extract(epoch FROM k.changed_at))::float8 AS "changedAt",
  k.version FROM page k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
    ORDER BY k.changed_at DESC, k.id ASC) r), '[]'::json)::text AS list,
  (SELECT count(*) FROM cases k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x WHERE k.tenant_id = $1::uuid)::int AS total;

-- cases.pictures
SELECT p.id, p.picture AS source, CASE WHEN k.state IN ('candidate', 'asked', 'consented',
  'published') THEN p.masked_picture END AS rendition, p.state, p.stage,
  p.taken_on::text AS day, coalesce(v.sn, '') AS camera, p.turn, p.masks, p.crop,
    coalesce((SELECT z.masks FROM camera_zones z
  WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND NOT EXISTS (SELECT FROM device_stands s
      WHERE s.tenant_id = $1 AND s.device_id = z.device_id AND ((s.from_at > least(z.seen_at,
        p.taken_at) AND s.from_at <= greatest(z.seen_at, p.taken_at)) OR (s.to_at > least(z.seen_at,
          p.taken_at) AND s.to_at <= greatest(z.seen_at, p.taken_at))))
    AND NOT EXISTS (SELECT FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = z.device_id AND a.type = 'cameraproblem'
        AND a.correction_status <> 4
        AND ((a.at > least(z.seen_at, p.taken_at) AND a.at <= greatest(z.seen_at,
          p.taken_at)) OR (a.closed_at > least(z.seen_at, p.taken_at) AND a.closed_at <= greatest(z.seen_at,
            p.taken_at))))
    AND NOT EXISTS (SELECT FROM tidiness_checks t
      WHERE t.tenant_id = $1 AND t.device_id = z.device_id AND t.result = 4 AND (t.at > least(z.seen_at,
        p.taken_at) AND t.at <= greatest(z.seen_at, p.taken_at)))
  ORDER BY z.made_at DESC, z.id DESC
  LIMIT 1), '[]') AS fixed,
  EXISTS (SELECT FROM camera_zones z
    WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND z.masks <> '[]')
  AND NOT EXISTS (SELECT FROM camera_zones z
    WHERE z.tenant_id = $1 AND z.device_id = p.device_id
      AND NOT EXISTS (SELECT FROM device_stands s
      WHERE s.tenant_id = $1 AND s.device_id = z.device_id AND ((s.from_at > least(z.seen_at,
        p.taken_at) AND s.from_at <= greatest(z.seen_at, p.taken_at)) OR (s.to_at > least(z.seen_at,
          p.taken_at) AND s.to_at <= greatest(z.seen_at, p.taken_at))))
    AND NOT EXISTS (SELECT FROM alarms a
      WHERE a.tenant_id = $1 AND a.device_id = z.device_id AND a.type = 'cameraproblem'
        AND a.correction_status <> 4
        AND ((a.at > least(z.seen_at, p.taken_at) AND a.at <= greatest(z.seen_at,
          p.taken_at)) OR (a.closed_at > least(z.seen_at, p.taken_at) AND a.closed_at <= greatest(z.seen_at,
            p.taken_at))))
    AND NOT EXISTS (SELECT FROM tidiness_checks t
      WHERE t.tenant_id = $1 AND t.device_id = z.device_id AND t.result = 4 AND (t.at > least(z.seen_at,
        p.taken_at) AND t.at <= greatest(z.seen_at, p.taken_at)))) AS moved, coalesce((SELECT o.masks
  FROM case_pictures o
  WHERE o.tenant_id = $1 AND o.device_id = p.device_id AND o.id <> p.id AND o.turn = 0 AND o.masked_at IS NOT NULL
    AND o.state <> 'pulled'
  ORDER BY o.masked_at DESC, o.id DESC
  LIMIT 1), '[]') AS proposed, p.masked_by AS "maskedBy", p.masked_id AS masked_by,
  p.released_by AS "releasedBy",
  p.masked_picture IS NOT NULL AND p.masked_picture = ANY (k.agreed) AS agreed, p.version
FROM case_pictures p
JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = p.device_id
WHERE p.tenant_id = $1 AND p.case_id = $2
ORDER BY p.taken_on, p.id;

-- cases.possible
SELECT t.key, floor(extract(epoch FROM t.at))::float8 AS at, d.day::text AS day, g.stage, coalesce(v.sn, '') AS camera,
  t.device_id
FROM (SELECT DISTINCT ON (a.key) a.key, a.at, a.device_id FROM (SELECT c.picture AS key, c.at, c.device_id
    FROM tidiness_checks c WHERE c.tenant_id = $1 AND c.site_id = $2 AND c.picture IS NOT NULL
    UNION ALL
    SELECT p.picture, coalesce(p.picture_at, p.begun_at), p.device_id
    FROM patrols p
    WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.picture IS NOT NULL AND p.submitted_at IS NOT NULL
    UNION ALL
    SELECT i.key, p.begun_at, NULL
    FROM patrols p
    JOIN patrol_items t ON t.tenant_id = $1 AND t.patrol_id = p.id
    CROSS JOIN LATERAL unnest(t.pictures) AS i(key)
    WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.submitted_at IS NOT NULL) a ORDER BY a.key, a.at) t
JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
CROSS JOIN LATERAL (SELECT (t.at AT TIME ZONE 'Asia/Shanghai')::date AS day) d
LEFT JOIN devices v ON v.tenant_id = $1 AND v.id = t.device_id
LEFT JOIN LATERAL (
  SELECT s.stage FROM site_stages s
  WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.actual_start <= d.day
  ORDER BY s.actual_start DESC, s.sort DESC
  LIMIT 1) g ON true
WHERE t.at >= coalesce((SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = $2 AND s.owner_id IS NOT NULL AND s.ended_at IS NULL), '-infinity')
ORDER BY t.at DESC, t.key
LIMIT 300;

-- cases.public
SELECT k.id
FROM cases k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
WHERE k.tenant_id = $1 AND k.state = 'published' AND $2 = ANY (k.places) AND k.until >= $3::date
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
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed))
  AND ($4::uuid[] IS NULL OR k.bc_id = ANY ($4::uuid[])) AND ($5::uuid[] IS NULL OR k.id = ANY ($5::uuid[]));

-- cases.pull
UPDATE case_pictures
SET state = 'pulled', masked_picture = NULL, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- cases.reach
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- cases.release
UPDATE case_pictures
SET state = 'released', released_by = $3, released_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- cases.remind
SELECT k.id, k.bc_id, k.site_id, k.title, k.until::text AS until, w.steward_id, x.step
FROM cases k
JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
CROSS JOIN LATERAL (SELECT 'soon:' || k.until::text AS step) x
WHERE k.tenant_id = $1 AND k.state IN ('consented', 'published')
  AND k.until BETWEEN (:now AT TIME ZONE 'Asia/Shanghai')::date AND (:now AT TIME ZONE 'Asia/Shanghai')::date + 30
  AND :now >= ((:now AT TIME ZONE 'Asia/Shanghai')::date::date::timestamp AT TIME ZONE 'Asia/Shanghai') + interval
    '8 hours'
  AND NOT EXISTS (
    SELECT 1 FROM reminders m
    WHERE m.tenant_id = $1 AND m.cause_kind = 'case' AND m.cause_id = k.id::text AND m.step = x.step)
ORDER BY k.until, k.id
LIMIT 200
FOR UPDATE OF k SKIP LOCKED;

-- cases.saysno
SELECT h.id, coalesce(h.name, o.name) AS name
FROM home_contacts h
LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3)
ORDER BY h.since, h.id;

-- cases.shown
SELECT p.case_id, p.device_id, p.masked_picture AS key, p.stage, p.taken_on::text AS day,
  floor(extract(epoch FROM p.taken_at))::float8 AS at
FROM case_pictures p
JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
WHERE p.tenant_id = $1 AND p.case_id = ANY ($2::uuid[]) AND p.state = 'released' AND k.state IN ('candidate', 'asked',
  'consented', 'published')
  AND ($3 OR p.masked_picture = ANY (k.agreed))
ORDER BY p.case_id, p.taken_on, p.id;

-- cases.site
SELECT w.id, w.bc_id, w.ws_name, w.community, w.address, w.status,
  (SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = w.owner_id) AS owner
FROM sites w
WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid
FOR NO KEY UPDATE OF w;

-- cases.stages
SELECT g.site_id, g.stage AS name, g.actual_start::text AS from, g.actual_finish::text AS to
FROM site_stages g
WHERE g.tenant_id = $1 AND g.site_id = ANY ($2::uuid[]) AND g.actual_start IS NOT NULL
ORDER BY g.site_id, g.sort;

-- cases.standing
SELECT count(*) FILTER (WHERE (k.state = 'consented' AND k.until >= (:now AT TIME ZONE 'Asia/Shanghai')::date
  AND coalesce(nullif(CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END, ''), coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
    FROM home_contacts h
    LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE k.state = 'consented' AND h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '')) = ''))::int AS ready,
  count(*) FILTER (WHERE (k.state = 'asked' OR k.state = 'candidate' AND CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END = '' OR coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
    FROM home_contacts h
    LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
    WHERE k.state = 'consented' AND h.tenant_id = $1 AND h.site_id = k.site_id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '') <> ''))::int AS "lackConsent",
  count(*) FILTER (WHERE CASE
  WHEN NOT k.state IN ('candidate', 'asked', 'consented', 'published') OR k.state = 'asked' THEN ''
  WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
  WHEN k.state <> 'candidate' AND x.agreed > 0 THEN ''
  WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
  WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
  WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
  WHEN k.state <> 'candidate' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
  ELSE '' END <> '')::int AS "lackMasks",
  coalesce(array_agg(DISTINCT w.style ORDER BY w.style) FILTER (WHERE w.style <> ''), '{}') AS styles,
  coalesce(array_agg(DISTINCT w.layout ORDER BY w.layout) FILTER (WHERE w.layout <> ''), '{}') AS layouts
FROM cases k JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
    count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
    count(*) FILTER (WHERE p.state = 'released')::int AS released,
    count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
    (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
      FILTER (WHERE p.state = 'released'))[1] AS cover
  FROM case_pictures p
  WHERE p.tenant_id = $1 AND p.case_id = k.id) x
WHERE k.tenant_id = $1::uuid;

-- cases.storepicture
SELECT p.id
  FROM case_pictures p
  JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
  JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
  WHERE p.tenant_id = $1 AND p.masked_picture = $4 AND p.state = 'released' AND p.masked_picture = ANY (k.agreed)
    AND k.state = 'published' AND $2 = ANY (k.places) AND k.until >= $3::date
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
    WHERE p.tenant_id = $1 AND p.case_id = k.id AND p.state = 'released' AND p.masked_picture = ANY (k.agreed));

-- cases.team
SELECT m.site_id, k.w_type AS trade, left(k.w_name, 1) || '师傅' AS surname
FROM site_members m
JOIN workers k ON k.tenant_id = $1 AND k.id = m.worker_id
WHERE m.tenant_id = $1 AND m.site_id = ANY ($2::uuid[])
  AND k.w_type NOT IN (1, 2)
GROUP BY m.site_id, k.w_type, left(k.w_name, 1)
ORDER BY m.site_id, k.w_type, 3;

-- cases.tomake
SELECT w.id AS site_id, w.ws_name AS "siteName", c.bc_name, n.n AS pictures, p.n AS pairs, v.tidy,
  v.n AS "tidyOf", o.on_time AS "onTime", f.n AS praises, w.style, w.layout
FROM (SELECT w.*, coalesce((SELECT s.since FROM home_contacts s
    WHERE s.tenant_id = $1 AND s.site_id = w.id AND s.owner_id IS NOT NULL AND s.ended_at IS NULL),
      '-infinity') AS since FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
        AND w.owner_id IS NOT NULL AND w.status IN (1,
          4) AND NOT EXISTS (SELECT FROM cases k WHERE k.tenant_id = $1 AND k.site_id = w.id) AND NOT EXISTS (SELECT
            FROM home_contacts h
    WHERE h.tenant_id = $1 AND h.site_id = w.id AND h.ended_at IS NULL
    AND (SELECT x.state FROM consents x
WHERE x.tenant_id = $1 AND x.kind = 'case' AND x.subject_id = h.id
ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1) IN (2, 3))
  ORDER BY w.actual_finish DESC NULLS LAST, w.start_date, w.id
  LIMIT 60) w
JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
CROSS JOIN LATERAL (SELECT count(DISTINCT t.key)::int AS n FROM (SELECT c.picture AS key, c.at, c.device_id
    FROM tidiness_checks c WHERE c.tenant_id = $1 AND c.site_id = w.id AND c.picture IS NOT NULL
    UNION ALL
    SELECT p.picture, coalesce(p.picture_at, p.begun_at), p.device_id
    FROM patrols p
    WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.picture IS NOT NULL AND p.submitted_at IS NOT NULL
    UNION ALL
    SELECT i.key, p.begun_at, NULL
    FROM patrols p
    JOIN patrol_items t ON t.tenant_id = $1 AND t.patrol_id = p.id
    CROSS JOIN LATERAL unnest(t.pictures) AS i(key)
    WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.submitted_at IS NOT NULL) t
  JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
  WHERE t.at >= w.since) n
CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM (
  SELECT t.device_id FROM (SELECT c.picture AS key, c.at, c.device_id
    FROM tidiness_checks c WHERE c.tenant_id = $1 AND c.site_id = w.id AND c.picture IS NOT NULL
    UNION ALL
    SELECT p.picture, coalesce(p.picture_at, p.begun_at), p.device_id
    FROM patrols p
    WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.picture IS NOT NULL AND p.submitted_at IS NOT NULL
    UNION ALL
    SELECT i.key, p.begun_at, NULL
    FROM patrols p
    JOIN patrol_items t ON t.tenant_id = $1 AND t.patrol_id = p.id
    CROSS JOIN LATERAL unnest(t.pictures) AS i(key)
    WHERE p.tenant_id = $1 AND p.site_id = w.id AND p.submitted_at IS NOT NULL) t
  JOIN files f ON f.tenant_id = $1 AND f.key = t.key AND f.kind = 'picture'
  WHERE t.at >= w.since AND t.device_id IS NOT NULL
  GROUP BY t.device_id
  HAVING count(DISTINCT (t.at AT TIME ZONE 'Asia/Shanghai')::date) > 1) d) p
CROSS JOIN LATERAL (SELECT count(*)::int AS n, CASE WHEN count(*) >= 5
    THEN round(100.0 * count(*) FILTER (WHERE t.result <> 3) / count(*))::int END AS tidy
  FROM tidiness_checks t
  WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.at >= w.since AND t.result <> 4) v
CROSS JOIN LATERAL (SELECT coalesce(w.actual_finish,
  (:now AT TIME ZONE 'Asia/Shanghai')::date) <= w.planned_finish AS on_time) o
CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM feedback f
  WHERE f.tenant_id = $1 AND f.site_id = w.id AND f.kind = 'praise' AND f.status <> 4
    AND f.home_at >= w.since) f
WHERE n.n > 1
ORDER BY least(p.n, 3) DESC, v.tidy DESC NULLS LAST, o.on_time DESC NULLS LAST, f.n DESC, n.n DESC,
  w.id
LIMIT 12;

-- cases.topublish
SELECT count(*)::int AS n FROM cases k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.state = 'consented';

-- cases.torelease
SELECT count(*)::int AS n FROM case_pictures p JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
WHERE p.tenant_id = $1 AND k.bc_id = $2 AND k.state IN ('candidate', 'asked', 'consented',
  'published') AND p.state = 'masked';

-- cases.touch
UPDATE cases SET changed_at = :now, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- cases.unmask
WITH chosen AS (
  SELECT p.id, p.masked_picture AS made
  FROM case_pictures p
  JOIN case_pictures one ON one.tenant_id = $1 AND one.id = $2 AND one.device_id = p.device_id
     WHERE p.tenant_id = $1 AND p.state IN ('masked',
       'released') AND NOT p.fixed @> coalesce((SELECT z.masks FROM camera_zones z
     WHERE z.tenant_id = $1 AND z.device_id = p.device_id AND NOT EXISTS (SELECT FROM device_stands s
         WHERE s.tenant_id = $1 AND s.device_id = z.device_id AND ((s.from_at > least(z.seen_at,
           p.taken_at) AND s.from_at <= greatest(z.seen_at, p.taken_at)) OR (s.to_at > least(z.seen_at,
             p.taken_at) AND s.to_at <= greatest(z.seen_at, p.taken_at))))
       AND NOT EXISTS (SELECT FROM alarms a
         WHERE a.tenant_id = $1 AND a.device_id = z.device_id AND a.type = 'cameraproblem'
           AND a.correction_status <> 4
           AND ((a.at > least(z.seen_at, p.taken_at) AND a.at <= greatest(z.seen_at,
             p.taken_at)) OR (a.closed_at > least(z.seen_at, p.taken_at) AND a.closed_at <= greatest(z.seen_at,
               p.taken_at))))
       AND NOT EXISTS (SELECT FROM tidiness_checks t
         WHERE t.tenant_id = $1 AND t.device_id = z.device_id AND t.result = 4 AND (t.at > least(z.seen_at,
           p.taken_at) AND t.at <= greatest(z.seen_at, p.taken_at)))
     ORDER BY z.made_at DESC, z.id DESC
     LIMIT 1), '[]')
     FOR UPDATE OF p)
UPDATE case_pictures p
SET state = 'raw', masked_picture = NULL, released_by = '', released_at = NULL,
  version = version + 1
FROM chosen
WHERE p.tenant_id = $1 AND p.id = chosen.id
RETURNING chosen.made;

-- cases.waiting
SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
  count(*) FILTER (WHERE p.state = 'masked')::int AS masked
FROM case_pictures p
WHERE p.tenant_id = $1 AND p.case_id = $2;

-- cases.zones
INSERT INTO camera_zones (tenant_id, id, device_id, masks, seen_at, made_id, made_by, made_at)
SELECT $1, $2, p.device_id, $4, p.taken_at, $5, $6, :now
FROM case_pictures p
WHERE p.tenant_id = $1 AND p.id = $3;
