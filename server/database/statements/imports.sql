-- imports.add
INSERT INTO imports (tenant_id, user_id, kind, id, file_name, total, at) VALUES ($1, $2, $3, $4, $5, 0, $6);

-- imports.branches
SELECT bc_id, bc_name, code
FROM companies
WHERE tenant_id = $1 AND status = 1 AND ($2 OR bc_id = ANY ($3::uuid[]));

-- imports.count
SELECT count(*)::int AS n FROM import_rows WHERE tenant_id = $1 AND import_id = $2 AND ($3::text IS NULL OR state = $3);

-- imports.drop
DELETE FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND id = $4;

-- imports.fix
UPDATE import_rows
SET cells = $4::jsonb, twins = $5::jsonb
WHERE tenant_id = $1 AND import_id = $2 AND row_no = $3 AND state IN ('good', 'bad');

-- imports.forget
DELETE FROM imports WHERE (tenant_id, id) IN (
SELECT tenant_id, id FROM imports WHERE at < :now - interval '7 days' LIMIT 1 FOR UPDATE SKIP LOCKED);

-- imports.hold
SELECT 1 FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3 AND id = $4 FOR UPDATE;

-- imports.latest
SELECT i.id, i.file_name AS "fileName", floor(extract(epoch FROM i.at))::float8 AS at, i.total, r.unchecked, r.good,
  r.bad, r.done
     FROM imports i CROSS JOIN LATERAL (
SELECT (count(*) FILTER (WHERE state = 'unchecked'))::int AS unchecked,
  (count(*) FILTER (WHERE state = 'good'))::int AS good,
  (count(*) FILTER (WHERE state = 'bad'))::int AS bad,
  (count(*) FILTER (WHERE state = 'done'))::int AS done
FROM import_rows r
WHERE r.tenant_id = i.tenant_id AND r.import_id = i.id) r
     WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.kind = $3
     ORDER BY i.at DESC
     LIMIT 1;

-- imports.others
SELECT row_no AS row, cells
FROM import_rows
WHERE tenant_id = $1 AND import_id = $2 AND row_no <> $3
ORDER BY row_no DESC;

-- imports.page
SELECT row_no AS row, cells, state, errors
FROM import_rows
WHERE tenant_id = $1 AND import_id = $2 AND ($3::text IS NULL OR state = $3)
ORDER BY row_no
LIMIT 20 OFFSET $4::int;

-- imports.plan
SET LOCAL plan_cache_mode = force_custom_plan;

-- imports.replace
DELETE FROM imports WHERE tenant_id = $1 AND user_id = $2 AND kind = $3;

-- imports.rows
INSERT INTO import_rows (tenant_id, import_id, row_no, cells, twins)
SELECT $1, $2, row, cells, twins
FROM json_to_recordset($3::json) AS x(row int, cells jsonb, twins jsonb);

-- imports.state
SELECT i.id, i.file_name AS "fileName", floor(extract(epoch FROM i.at))::float8 AS at, i.total, r.unchecked, r.good,
  r.bad, r.done
     FROM imports i CROSS JOIN LATERAL (
SELECT (count(*) FILTER (WHERE state = 'unchecked'))::int AS unchecked,
  (count(*) FILTER (WHERE state = 'good'))::int AS good,
  (count(*) FILTER (WHERE state = 'bad'))::int AS bad,
  (count(*) FILTER (WHERE state = 'done'))::int AS done
FROM import_rows r
WHERE r.tenant_id = i.tenant_id AND r.import_id = i.id) r
     WHERE i.tenant_id = $1 AND i.user_id = $2 AND i.kind = $3 AND i.id = $4;

-- imports.take
SELECT row_no AS row, cells, twins
FROM import_rows
WHERE tenant_id = $1 AND import_id = $2 AND state = $3
ORDER BY row_no
LIMIT 100;

-- imports.total
UPDATE imports SET total = $3 WHERE tenant_id = $1 AND id = $2;

-- imports.turn
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- imports.write
UPDATE import_rows r
SET state = x.state, errors = x.errors, ref_id = x.ref
FROM json_to_recordset($3::json) AS x(row int, state text, errors jsonb, ref uuid)
WHERE r.tenant_id = $1 AND r.import_id = $2 AND r.row_no = x.row;
