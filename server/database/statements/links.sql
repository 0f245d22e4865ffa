-- links.act
INSERT INTO link_acts (tenant_id, link_id, id, target_id, at) VALUES ($1, $2, $3, $4, :now)
ON CONFLICT DO NOTHING RETURNING 1;

-- links.acted
SELECT a.target_id, a.answer FROM link_acts a WHERE a.tenant_id = $1 AND a.link_id = $2 AND a.id = $3;

-- links.add
INSERT INTO links (tenant_id, id, bc_id, kind, target_id, hash, expires_at, most, password, person, made_by,
  made_name, made_at, generation, store_id, customer_id, title)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now, $13, $14, $15, $16);

-- links.alive
SELECT count(*)::int AS n FROM links l
WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND l.expires_at > :now AND l.revoked_at IS NULL;

-- links.answered
UPDATE link_acts a SET answer = $4 WHERE a.tenant_id = $1 AND a.link_id = $2 AND a.id = $3;

-- links.byhash
SELECT l.id, l.bc_id, l.kind, l.target_id, l.password, l.person, l.made_name, l.expires_at,
l.revoked_at IS NULL AND l.expires_at > :now AND NOT (l.screen_id IS NOT NULL AND EXISTS (SELECT FROM screens s
  WHERE s.tenant_id = $1 AND s.id = l.screen_id AND s.revoked_at IS NOT NULL)) AS valid,
CASE WHEN l.relieved AND l.expires_at > :now AND l.revoked_at > :now - interval '1 day'
  THEN l.revoked_at END AS "relievedAt", coalesce(l.told >= l.most, false) AS full,
EXISTS (SELECT 1 FROM link_openings p WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.device = $3
AND p.last_at > :now - interval '30 minutes') AS inside FROM links l WHERE l.tenant_id = $1 AND l.hash = $2;

-- links.forget
DELETE FROM link_openings k
     WHERE k.tenant_id = $1 AND k.id IN (SELECT p.id FROM link_openings p
JOIN links l ON l.tenant_id = $1 AND l.id = p.link_id AND l.bc_id = $2
WHERE p.tenant_id = $1 AND p.at < $3
AND NOT EXISTS (SELECT 1 FROM dispatches n
  WHERE n.tenant_id = $1 AND l.kind = 'driver' AND (n.id = l.target_id OR n.trip_id = l.target_id)
    AND (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = n.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = n.site_id AND g.state = 'open')))
AND NOT EXISTS (SELECT 1 FROM home_contacts c
  WHERE c.tenant_id = $1 AND l.kind = 'owner' AND c.id = l.target_id AND (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = c.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = c.site_id AND g.state = 'open'))) ORDER BY p.at LIMIT 5000);

-- links.goon
UPDATE link_openings p SET last_at = :now
WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.last_at > :now - interval '30 minutes'
RETURNING p.shown_at IS NOT NULL AS shown;

-- links.inreach
SELECT l.id FROM links l WHERE l.tenant_id = $1::uuid AND l.bc_id = $2::uuid AND l.kind = $3 AND l.target_id = $4::uuid;

-- links.lock
SELECT l.id, l.bc_id, l.kind, l.target_id, l.password, l.person, l.made_name, l.expires_at,
l.revoked_at IS NULL AND l.expires_at > :now AND NOT (l.screen_id IS NOT NULL AND EXISTS (SELECT FROM screens s
  WHERE s.tenant_id = $1 AND s.id = l.screen_id AND s.revoked_at IS NOT NULL)) AS valid,
CASE WHEN l.relieved AND l.expires_at > :now AND l.revoked_at > :now - interval '1 day'
  THEN l.revoked_at END AS "relievedAt", coalesce(l.told >= l.most, false) AS full,
EXISTS (SELECT 1 FROM link_openings p WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.device = $3
AND p.last_at > :now - interval '30 minutes') AS inside FROM links l WHERE l.tenant_id = $1
  AND l.id = $2 FOR UPDATE OF l;

-- links.maker
SELECT l.made_by FROM links l WHERE l.tenant_id = $1 AND l.id = $2;

-- links.moveall
UPDATE links l SET bc_id = $4 WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[]);

-- links.noted
WITH o AS (
  SELECT p.id, p.looked FROM link_openings p
  WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.last_at > :now - interval '30 minutes'
  ORDER BY p.last_at DESC LIMIT 1)
UPDATE link_openings p
SET seconds = least(p.seconds + $4::int, ceil(extract(epoch FROM :now - p.at))::int + $4::int),
  looked = ARRAY(SELECT DISTINCT x FROM unnest(p.looked || $5::text[]) x ORDER BY x), last_at = :now
FROM o
WHERE p.tenant_id = $1 AND p.id = o.id
RETURNING p.seconds, NOT o.looked @> $5::text[] AS news;

-- links.of
SELECT l.id, l.kind, CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= :now THEN 'expired'
    WHEN l.told >= l.most THEN 'used' ELSE 'live' END AS state,
  l.person, l.openings, l.most, l.password IS NOT NULL AS "hasPassword",
  floor(extract(epoch FROM (SELECT max(p.last_at) FROM link_openings p
  WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL)))::float8 AS "lastOpenedAt",
  floor(extract(epoch FROM l.expires_at))::float8 AS "expiresAt", l.made_name AS "madeBy",
    floor(extract(epoch FROM l.made_at))::float8 AS "madeAt"
FROM links l
WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND ($4::uuid[] IS NULL OR l.id = ANY ($4::uuid[]))
ORDER BY l.made_at DESC, l.id DESC
LIMIT 50;

-- links.ofscreen
INSERT INTO links AS l (tenant_id, id, bc_id, kind, target_id, hash, expires_at, made_name, made_at, generation,
  store_id, title, screen_id)
SELECT $1, n.id, $2, 'share', n.target, n.hash, n.ends, $3, :now, 1, $4, n.title, $5
FROM unnest($6::uuid[], $7::uuid[], $8::bytea[], $9::timestamptz[], $10::text[]) n(id, target, hash, ends, title)
ON CONFLICT (tenant_id, screen_id, target_id) WHERE screen_id IS NOT NULL AND revoked_at IS NULL
DO UPDATE SET expires_at = EXCLUDED.expires_at, title = EXCLUDED.title
RETURNING l.id, l.target_id, l.generation, l.hash;

-- links.oldopenings
SELECT count(*)::int AS n FROM (SELECT 1 FROM link_openings p
JOIN links l ON l.tenant_id = $1 AND l.id = p.link_id AND l.bc_id = $2
WHERE p.tenant_id = $1 AND p.at < $3
AND NOT EXISTS (SELECT 1 FROM dispatches n
  WHERE n.tenant_id = $1 AND l.kind = 'driver' AND (n.id = l.target_id OR n.trip_id = l.target_id)
    AND (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = n.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = n.site_id AND g.state = 'open')))
AND NOT EXISTS (SELECT 1 FROM home_contacts c
  WHERE c.tenant_id = $1 AND l.kind = 'owner' AND c.id = l.target_id AND (EXISTS (SELECT 1 FROM feedback f
     WHERE f.tenant_id = $1 AND f.site_id = c.site_id AND f.kind = 'complaint' AND f.status IN (1, 2))
   OR EXISTS (SELECT 1 FROM goods_changes g
     WHERE g.tenant_id = $1 AND g.site_id = c.site_id AND g.state = 'open'))) LIMIT $4) k;

-- links.opened
INSERT INTO link_openings (tenant_id, id, link_id, device, ip, agent, at, last_at)
VALUES ($1, $2, $3, $4, $5, $6, :now, :now);

-- links.openedby
SELECT p.ip, bool_or(p.device = $3) AS mine FROM link_openings p
WHERE p.tenant_id = $1 AND p.link_id = $2 GROUP BY p.ip;

-- links.relieve
UPDATE links l SET revoked_at = :now, relieved = true
WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND l.revoked_at IS NULL AND l.expires_at > :now;

-- links.renew
UPDATE links l SET generation = $3, hash = $4 WHERE l.tenant_id = $1 AND l.id = $2;

-- links.revoke
UPDATE links l SET revoked_at = :now WHERE l.tenant_id = $1 AND l.id = ANY ($2::uuid[]);

-- links.revokeall
UPDATE links l SET revoked_at = :now
WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[]) AND l.revoked_at IS NULL;

-- links.secret
SELECT l.generation, l.hash, l.revoked_at IS NULL AND l.expires_at > :now AS live, l.person, l.title,
  floor(extract(epoch FROM l.expires_at))::float8 AS "expiresAt", l.password IS NOT NULL AS password
FROM links l
WHERE l.tenant_id = $1 AND l.id = $2 FOR UPDATE OF l;

-- links.shortenall
UPDATE links l SET expires_at = least(l.expires_at, $4)
WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[]) AND l.revoked_at IS NULL;

-- links.shown
WITH o AS (
  UPDATE link_openings p SET shown_at = :now
  WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.shown_at IS NULL
    AND p.last_at > :now - interval '30 minutes'
  RETURNING p.link_id)
UPDATE links l SET openings = l.openings + 1
FROM o
WHERE l.tenant_id = $1 AND l.id = o.link_id
RETURNING l.openings;

-- links.target
SELECT l.kind, l.target_id, l.bc_id, l.store_id, l.customer_id, l.revoked_at IS NULL AS live FROM links l
WHERE l.tenant_id = $1 AND l.id = $2;

-- links.tocustomer
UPDATE links l SET customer_id = $3 WHERE l.tenant_id = $1 AND l.customer_id = $2;

-- links.told
UPDATE links l SET told = l.told + 1 WHERE l.tenant_id = $1 AND l.id = $2;

-- links.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));
