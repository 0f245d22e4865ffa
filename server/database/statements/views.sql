-- views.all
SELECT name, value FROM saved_views WHERE tenant_id = $1 AND user_id = $2;

-- views.change
UPDATE named_views
SET title = coalesce($4, title), search = coalesce($5, search)
WHERE tenant_id = $1 AND user_id = $2 AND id = $3;

-- views.drop
DELETE FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3;

-- views.get
SELECT value FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name = $3;

-- views.keep
INSERT INTO named_views (tenant_id, id, user_id, page, title, search, at)
VALUES ($1, $2, $3, $4, $5, $6, :now)
ON CONFLICT (tenant_id, user_id, page, title)
DO NOTHING;

-- views.named
SELECT id, title, search FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND page = $3 ORDER BY at;

-- views.one
SELECT page FROM named_views WHERE tenant_id = $1 AND user_id = $2 AND id = $3 FOR UPDATE;

-- views.save
INSERT INTO saved_views (tenant_id, user_id, name, value) SELECT $1, $2, $3,
  $4 WHERE (SELECT count(*) FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name <> $3) < 200
ON CONFLICT (tenant_id, user_id, name) DO UPDATE SET value = excluded.value;

-- views.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));
