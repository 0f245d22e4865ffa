-- live.all
INSERT INTO live_events (tenant_id, bc_id, site_id, topic, what, ref_id, at)
SELECT x.*, :now
FROM json_to_recordset($1::json)
  AS x(tenant uuid, bc uuid, site uuid, topic text, what text, id text);

-- live.announce
INSERT INTO live_events (tenant_id, bc_id, site_id, user_id, topic, what, ref_id, receiver_id, except_id,
  at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now);

-- live.forget
UPDATE site_events e
SET picture = NULL
FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[]) AS x(site, ref, at, picture)
WHERE e.tenant_id = $1 AND e.site_id = x.site AND e.ref_id = x.ref AND e.picture = x.picture
  AND e.at BETWEEN x.at - interval '1 day' AND x.at + interval '8 days';

-- live.line
INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor, ref_id, picture)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- live.sites
INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor, ref_id, picture)
SELECT tenant, id, bc, site, kind, to_timestamp(at), title, actor, ref, picture
FROM json_to_recordset($1::json)
  AS x(tenant uuid, id uuid, bc uuid, site uuid, kind text, at float8, title text, actor text, ref uuid,
    picture text);
