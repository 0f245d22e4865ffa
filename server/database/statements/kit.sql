-- site.follows
UPDATE cases SET bc_id = $3 WHERE tenant_id = $1 AND site_id = $2 AND bc_id <> $3;

-- test.far.total
SELECT (5430)::int AS total;
