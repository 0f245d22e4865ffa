-- A table made after the foundation gets the same rules by one call: forced row-level security by tenant, and by branch
-- and site where it has those columns; the app's login may read and write it and owns nothing.
CREATE FUNCTION protect(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cond text := '(tenant_id = (SELECT scope_tenant()) OR (SELECT scope_all(''app.tenant'')))';
  has_column boolean;
BEGIN
  SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = target AND attname = 'bc_id' AND attnotnull AND NOT attisdropped) INTO has_column;
  IF has_column THEN cond := cond || ' AND ((SELECT scope_all(''app.bcs'')) OR bc_id = ANY ((SELECT scope_ids(''app.bcs''))::uuid[]))'; END IF;
  SELECT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = target AND attname = 'site_id' AND attnotnull AND NOT attisdropped) INTO has_column;
  IF has_column THEN cond := cond || ' AND ((SELECT scope_all(''app.sites'')) OR site_id = ANY ((SELECT scope_ids(''app.sites''))::uuid[]))'; END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('DROP POLICY IF EXISTS scope ON %s', target);
  EXECUTE format('CREATE POLICY scope ON %s USING (%s) WITH CHECK (%s)', target, cond, cond);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', target, ':app_role_name');
END $$;
REVOKE EXECUTE ON FUNCTION protect(regclass) FROM PUBLIC;
