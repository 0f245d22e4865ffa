-- A site's whole life: a start outside a contract says why, a stage knows who accepted it, and what stands on a site that
-- has ended is to be brought back by somebody until a day (states.md: retrieval).
ALTER TABLE sites ADD COLUMN outside_contract text NOT NULL DEFAULT '';
ALTER TABLE site_stages ADD COLUMN accepted_by text NOT NULL DEFAULT '';

CREATE TABLE retrievals (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id uuid NOT NULL,
  bc_id uuid NOT NULL,
  site_id uuid NOT NULL,
  device_id uuid NOT NULL,
  person_id uuid,
  due date NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  closed_by text NOT NULL DEFAULT '',
  told_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices,
  FOREIGN KEY (tenant_id, person_id) REFERENCES users
);
CREATE UNIQUE INDEX retrievals_open ON retrievals (tenant_id, device_id) WHERE closed_at IS NULL;
CREATE INDEX retrievals_due ON retrievals (tenant_id, due) WHERE closed_at IS NULL;
SELECT protect('retrievals');

-- Devices that stand on sites which ended before: a week from today.
SET LOCAL app.tenant = '*';
INSERT INTO retrievals (tenant_id, id, bc_id, site_id, device_id, person_id, due, opened_at)
SELECT d.tenant_id, gen_random_uuid(), w.bc_id, w.id, d.id, coalesce(w.manager_id, w.steward_id),
  (now() AT TIME ZONE 'Asia/Shanghai')::date + 7, now()
FROM devices d
JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id AND w.status IN (3, 4)
WHERE d.bind_status = 2 AND d.deleted_at IS NULL;

-- A person who once worked on a site that the caller sees is known by name there, whichever branch they belong to now:
-- the rule of sites says which those are.
DROP POLICY scope ON workers;
CREATE POLICY scope ON workers TO :app_role USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' AND current_setting('app.sites', true) = '*')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])
  OR EXISTS (SELECT 1 FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
    WHERE m.tenant_id = workers.tenant_id AND m.worker_id = workers.id)))
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' OR current_setting('app.sites', true) LIKE '{%')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])));
