-- A database role for each of the two reaches that most calls have: the whole tenant, and one branch. A transaction takes its
-- role before anything else (docs/decisions/0150). Their rules name one value each, so that the planner finds the statement's
-- own condition in them; the rule of the app's login asks what kind of reach it is with every row. All other reaches keep it.
-- Both roles hold what the app's login holds, and nothing is theirs.

-- The rules of the two roles on one table. What a branch reaches is what the login's rule gives for one branch and nothing else.
CREATE FUNCTION narrow_rules(target regclass, tenant_column name, by_branch boolean, receiver_column name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of_tenant text := format('%I = nullif(current_setting(''app.tenant'', true), '''')::uuid', tenant_column);
  of_branch text := of_tenant;
  listed constant text := '%I = nullif(current_setting(''app.bc'', true), '''')::uuid';
  p name;
BEGIN
  IF by_branch AND receiver_column IS NOT NULL THEN
    of_branch := format('%s AND (%s OR %s)', of_tenant, format(listed, 'bc_id'), format(listed, receiver_column));
  ELSIF by_branch THEN
    of_branch := format('%s AND %s', of_tenant, format(listed, 'bc_id'));
  END IF;
  FOREACH p IN ARRAY ARRAY['tenant', 'branch'] LOOP
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', p, target);
  END LOOP;
  EXECUTE format('CREATE POLICY tenant ON %s TO %I USING (%s) WITH CHECK (%s)', target, ':tenant_role_name', of_tenant, of_tenant);
  EXECUTE format('CREATE POLICY branch ON %s TO %I USING (%s) WITH CHECK (%s)', target, ':branch_role_name', of_branch, of_branch);
END $$;
REVOKE EXECUTE ON FUNCTION narrow_rules(regclass, name, boolean, name) FROM PUBLIC;

DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT format('%I.%I', schemaname, tablename)::regclass AS target, tablename, qual LIKE '%app.bcs%' AND qual LIKE '%bc_id = ANY%' AS by_branch
           FROM pg_policies WHERE schemaname = 'public' AND policyname = 'scope' LOOP
    PERFORM narrow_rules(r.target, CASE r.tablename WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END, r.by_branch, NULL);
  END LOOP;
END $$;

-- A person who once worked on a site that the caller sees is known by name there (0123); nobody is written by that.
DROP POLICY branch ON workers;
CREATE POLICY branch ON workers TO :branch_role USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  bc_id = nullif(current_setting('app.bc', true), '')::uuid
  OR EXISTS (SELECT 1 FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
    WHERE m.tenant_id = workers.tenant_id AND m.worker_id = workers.id)))
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid
  AND bc_id = nullif(current_setting('app.bc', true), '')::uuid);

-- As in 0122, and the two roles' rules with it: `protect()` calls this for every later table.
CREATE OR REPLACE FUNCTION reach_rules(
  target regclass, tenant_column name, by_branch boolean, site_column name, store_column name, receiver_column name
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cond text := format('%I = nullif(current_setting(''app.tenant'', true), '''')::uuid', tenant_column);
  listed constant text := '%2$I = ANY ((SELECT nullif(nullif(current_setting(%1$L, true), ''*''), '''')::uuid[])::uuid[])';
  axes text[] := ARRAY[]::text[];
  p name;
BEGIN
  IF by_branch AND coalesce(site_column, store_column, receiver_column) IS NOT NULL THEN
    axes := axes || '(SELECT current_setting(''app.bcs'', true) = ''*'' AND current_setting(''app.sites'', true) = ''*'')'::text;
  ELSIF by_branch THEN
    axes := axes || '(SELECT current_setting(''app.bcs'', true) = ''*'' OR current_setting(''app.sites'', true) LIKE ''{%'')'::text;
  ELSIF coalesce(site_column, store_column, receiver_column) IS NOT NULL THEN
    axes := axes || '(SELECT current_setting(''app.sites'', true) = ''*'' OR current_setting(''app.bcs'', true) LIKE ''{%'')'::text;
  END IF;
  IF by_branch THEN axes := axes || format(listed, 'app.bcs', 'bc_id'); END IF;
  IF site_column IS NOT NULL THEN axes := axes || format(listed, 'app.sites', site_column); END IF;
  IF store_column IS NOT NULL THEN axes := axes || format(listed, 'app.stores', store_column); END IF;
  IF receiver_column IS NOT NULL THEN axes := axes || format(listed, 'app.receivers', receiver_column); END IF;
  IF cardinality(axes) > 0 THEN cond := format('%s AND (%s)', cond, array_to_string(axes, ' OR ')); END IF;
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  FOREACH p IN ARRAY ARRAY['scope','server','owner'] LOOP
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', p, target);
  END LOOP;
  EXECUTE format('CREATE POLICY scope ON %s TO %I USING (%s) WITH CHECK (%s)', target, ':app_role_name', cond, cond);
  EXECUTE format('CREATE POLICY server ON %s TO %I USING (true) WITH CHECK (true)', target, ':system_role_name');
  EXECUTE format('CREATE POLICY owner ON %s TO CURRENT_USER USING (current_setting(''app.tenant'', true) = ''*'') WITH CHECK (current_setting(''app.tenant'', true) = ''*'')', target);
  PERFORM narrow_rules(target, tenant_column, by_branch, receiver_column);
END $$;

CREATE OR REPLACE FUNCTION protect(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND NOT attisdropped);
  filled name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND attnotnull AND NOT attisdropped);
  role name;
BEGIN
  PERFORM reach_rules(target, 'tenant_id', 'bc_id' = ANY (filled),
    CASE WHEN 'site_id' = ANY (filled) THEN 'site_id' END,
    CASE WHEN 'store_id' = ANY (has) THEN 'store_id' END,
    CASE WHEN 'receiver_id' = ANY (has) THEN 'receiver_id' END);
  FOREACH role IN ARRAY ARRAY[':app_role_name', ':tenant_role_name', ':branch_role_name', ':system_role_name'] LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', target, role);
  END LOOP;
END $$;

-- What the app's login may do, the two roles may: no more and no less. Every migration that grants or takes from it is followed
-- by this (migrate.ts), so no migration has to name them.
CREATE FUNCTION share_rights() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  app constant oid := (SELECT oid FROM pg_roles WHERE rolname = ':app_role_name');
  roles constant name[] := ARRAY[':tenant_role_name', ':branch_role_name'];
  r record;
BEGIN
  FOR r IN
    WITH rights (grantee, what) AS (
      SELECT a.grantee, format('%s ON %s %s', a.privilege_type, CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
      FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT a.grantee, format('%s (%I) ON TABLE %s', a.privilege_type, k.attname, c.oid::regclass)
      FROM pg_class c JOIN pg_attribute k ON k.attrelid = c.oid, aclexplode(k.attacl) a WHERE c.relnamespace = 'public'::regnamespace
      UNION ALL
      SELECT a.grantee, format('%s ON FUNCTION %s', a.privilege_type, f.oid::regprocedure)
      FROM pg_proc f, aclexplode(f.proacl) a WHERE f.pronamespace = 'public'::regnamespace
      UNION ALL
      SELECT a.grantee, format('%s ON SCHEMA %I', a.privilege_type, n.nspname)
      FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = 'public'
    ), wanted AS (
      SELECT name, what FROM rights, unnest(roles) name WHERE grantee = app
    ), held AS (
      SELECT k.rolname AS name, what FROM rights JOIN pg_roles k ON k.oid = grantee WHERE k.rolname = ANY (roles)
    )
    SELECT format('GRANT %s TO %I', what, name) AS say FROM (TABLE wanted EXCEPT TABLE held) w
    UNION ALL
    SELECT format('REVOKE %s FROM %I', what, name) FROM (TABLE held EXCEPT TABLE wanted) h
  LOOP
    EXECUTE r.say;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION share_rights() FROM PUBLIC;
SELECT share_rights();
