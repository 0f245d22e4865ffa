-- Found by number and name; by phone only for those who may read phones, so the two are searched apart.
ALTER TABLE workers ADD COLUMN search text GENERATED ALWAYS AS (lower(w_id || ' ' || w_name)) STORED;
CREATE INDEX workers_search ON workers USING gin (search gin_trgm_ops);
CREATE INDEX workers_contact ON workers USING gin (w_contact gin_trgm_ops);
CREATE INDEX workers_branch ON workers (tenant_id, bc_id, w_id);
ALTER TABLE workers ADD CHECK (w_sex IN (1, 2)), ADD CHECK (status IN (1, 2));
CREATE INDEX alarms_worker ON alarms (tenant_id, worker_id) WHERE worker_id IS NOT NULL;
CREATE SEQUENCE worker_numbers;
GRANT USAGE ON SEQUENCE worker_numbers TO :app_role;

-- Who sees single sites sees the people who are or were on them.
DROP POLICY scope ON workers;
CREATE POLICY scope ON workers TO :app_role USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid
  AND ((SELECT current_setting('app.bcs', true) = '*') OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[]))
  AND ((SELECT current_setting('app.sites', true) = '*') OR EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = workers.tenant_id AND m.worker_id = workers.id
    AND m.site_id = ANY ((SELECT nullif(nullif(current_setting('app.sites', true), '*'), '')::uuid[])::uuid[]))));
