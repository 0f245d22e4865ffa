-- What an uploaded picture looks like, so that a copy of it is known when it is to prove something else (0281).
ALTER TABLE files ADD COLUMN shape bytea;
CREATE INDEX files_shapes ON files (tenant_id, site_id) WHERE shape IS NOT NULL AND proves IS NOT NULL;
