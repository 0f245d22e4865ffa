-- Two logins instead of one that may say "all tenants": the app's sees one tenant and nothing wider, whatever it is told;
-- the server's own work (devices, clock, live tail, sign-in) has a login of its own. The rules of the app's login lose
-- their OR for it: `tenant_id = …` is now the same condition that every statement has, the planner merges the two, and a
-- page of a list is planned in a quarter of the time (docs/decisions/0010).
GRANT USAGE ON SCHEMA public TO :system_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :system_role;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :system_role;
REVOKE ALL ON schema_migrations FROM :app_role, :system_role;
REVOKE UPDATE, DELETE ON user_logs, log_heads FROM :system_role;
GRANT UPDATE (seq, hash) ON user_logs TO :system_role;
GRANT EXECUTE ON FUNCTION ensure_months(date, date) TO :system_role;
-- Whatever a later migration makes for the app is open to the server's own work too.
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO :system_role;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO :system_role;

-- The three rules of a table. The owner is forced too and sees a row only when it says so (backup); it may grant itself
-- anything anyway. Without its setting the app's login sees nothing.
CREATE FUNCTION scope_rules(target regclass, tenant_column name, by_branch boolean, site_column name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cond text := format('%I = nullif(current_setting(''app.tenant'', true), '''')::uuid', tenant_column);
  list constant text := ' AND ((SELECT current_setting(%1$L, true) = ''*'') OR %2$I = ANY ((SELECT nullif(nullif(current_setting(%1$L, true), ''*''), '''')::uuid[])::uuid[]))';
  p name;
BEGIN
  IF by_branch THEN cond := cond || format(list, 'app.bcs', 'bc_id'); END IF;
  IF site_column IS NOT NULL THEN cond := cond || format(list, 'app.sites', site_column); END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  FOREACH p IN ARRAY ARRAY['scope','server','owner'] LOOP EXECUTE format('DROP POLICY IF EXISTS %I ON %s', p, target); END LOOP;
  EXECUTE format('CREATE POLICY scope ON %s TO %I USING (%s) WITH CHECK (%s)', target, ':app_role_name', cond, cond);
  EXECUTE format('CREATE POLICY server ON %s TO %I USING (true) WITH CHECK (true)', target, ':system_role_name');
  EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (current_setting(''app.tenant'', true) = ''*'') WITH CHECK (current_setting(''app.tenant'', true) = ''*'')', target);
END $$;
REVOKE EXECUTE ON FUNCTION scope_rules(regclass, name, boolean, name) FROM PUBLIC;

-- Every table keeps the reach that it had: what its rule named, the new one names.
DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT format('%I.%I', schemaname, tablename)::regclass AS target, tablename, qual FROM pg_policies WHERE schemaname = 'public' AND policyname = 'scope' LOOP
    PERFORM scope_rules(r.target, CASE r.tablename WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END, r.qual LIKE '%app.bcs%',
      CASE WHEN r.qual NOT LIKE '%app.sites%' THEN NULL WHEN r.tablename = 'sites' THEN 'id' ELSE 'site_id' END);
  END LOOP;
END $$;

-- A later table gets the same by one call: branch and site where it always has those columns.
CREATE OR REPLACE FUNCTION protect(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  filled name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = target AND attname IN ('bc_id', 'site_id') AND attnotnull AND NOT attisdropped);
BEGIN
  PERFORM scope_rules(target, 'tenant_id', 'bc_id' = ANY (filled), CASE WHEN 'site_id' = ANY (filled) THEN 'site_id' END);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I, %I', target, ':app_role_name', ':system_role_name');
END $$;
