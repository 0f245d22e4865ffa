/**
 * In a statement whose tenant is the value `tenant`: the role that the alias `role` names, of the person `person`,
 * reaches the site `site`.
 */
export const personReaches = (tenant: string, person: string, role: string, site: string): string =>
  `CASE ${role}.data_scope
  WHEN 'tenant' THEN true
  WHEN 'branches' THEN ${site}.bc_id = ${person}.bc_id
    OR EXISTS (SELECT 1 FROM user_branches b
      WHERE b.tenant_id = ${tenant} AND b.user_id = ${person}.id AND b.bc_id = ${site}.bc_id)
  WHEN 'stores' THEN EXISTS (SELECT 1 FROM user_stores t
    WHERE t.tenant_id = ${tenant} AND t.user_id = ${person}.id AND t.store_id = ${site}.store_id)
  ELSE ${person}.id IN (${site}.manager_id, ${site}.steward_id) END`
