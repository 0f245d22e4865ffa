-- Who leads a site that the caller sees is known by name there, as who worked on it is (0123): a manager's own record,
-- too.
DROP POLICY scope ON workers;
CREATE POLICY scope ON workers TO :app_role USING (
  tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' AND current_setting('app.sites', true) = '*')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])
  OR EXISTS (SELECT 1 FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
    WHERE m.tenant_id = workers.tenant_id AND m.worker_id = workers.id)
  OR user_id IS NOT NULL AND EXISTS (SELECT 1 FROM sites w
    WHERE w.tenant_id = workers.tenant_id AND workers.user_id IN (w.manager_id, w.steward_id))))
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' OR current_setting('app.sites', true) LIKE '{%')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])));
