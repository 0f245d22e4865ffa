-- The list of sites counts and sorts without reading the table: every column that its scope and its usual filters ask for.
CREATE INDEX sites_listed ON sites (tenant_id, bc_id, status) INCLUDE (id) WHERE deleted_at IS NULL;
DROP INDEX sites_branch;
