-- Reaches of different kinds add up: a row is inside when its branch is listed or its site is listed (or, for tables that
-- come later, its store or its receiver). Until now branches and sites were asked for both, which fits one kind of role only.
-- The settings keep their meaning: '*' says that this axis singles nothing out, so a server of the version before still
-- sees what it saw. The owner and the server's own login are as they were (0010).
CREATE FUNCTION reach_rules(
  target regclass, tenant_column name, by_branch boolean, site_column name, store_column name, receiver_column name
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cond text := format('%I = nullif(current_setting(''app.tenant'', true), '''')::uuid', tenant_column);
  listed constant text := '%2$I = ANY ((SELECT nullif(nullif(current_setting(%1$L, true), ''*''), '''')::uuid[])::uuid[])';
  axes text[] := ARRAY[]::text[];
  p name;
BEGIN
  -- A table with a branch alone is left open to who reaches by single sites, and the other way round: the statement says which rows.
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
END $$;
REVOKE EXECUTE ON FUNCTION reach_rules(regclass, name, boolean, name, name, name) FROM PUBLIC;

CREATE OR REPLACE FUNCTION scope_rules(target regclass, tenant_column name, by_branch boolean, site_column name) RETURNS void LANGUAGE sql AS $$
  SELECT reach_rules(target, tenant_column, by_branch, site_column, NULL, NULL)
$$;

-- Every table keeps the columns by which it is reached: its own site where the rule of before named sites.
DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT format('%I.%I', schemaname, tablename)::regclass AS target, tablename, qual LIKE '%app.sites%' AS of_sites
           FROM pg_policies WHERE schemaname = 'public' AND policyname = 'scope' AND qual LIKE '%app.bcs%' AND tablename <> 'workers' LOOP
    PERFORM scope_rules(r.target, 'tenant_id', true,
      CASE WHEN NOT r.of_sites THEN NULL WHEN r.tablename = 'sites' THEN 'id' ELSE 'site_id' END);
  END LOOP;
END $$;

-- Workers stand on sites by their teams (0031).
DROP POLICY scope ON workers;
CREATE POLICY scope ON workers TO :app_role USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' AND current_setting('app.sites', true) = '*')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])
  OR EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = workers.tenant_id AND m.worker_id = workers.id
    AND m.site_id = ANY ((SELECT nullif(nullif(current_setting('app.sites', true), '*'), '')::uuid[])::uuid[]))))
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid AND (
  (SELECT current_setting('app.bcs', true) = '*' OR current_setting('app.sites', true) LIKE '{%')
  OR bc_id = ANY ((SELECT nullif(nullif(current_setting('app.bcs', true), '*'), '')::uuid[])::uuid[])));

-- A later table gets the same by one call: branch and site where it always has those columns, store and receiver where it has them.
CREATE OR REPLACE FUNCTION protect(target regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND NOT attisdropped);
  filled name[] := ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = target AND attnum > 0 AND attnotnull AND NOT attisdropped);
BEGIN
  PERFORM reach_rules(target, 'tenant_id', 'bc_id' = ANY (filled),
    CASE WHEN 'site_id' = ANY (filled) THEN 'site_id' END,
    CASE WHEN 'store_id' = ANY (has) THEN 'store_id' END,
    CASE WHEN 'receiver_id' = ANY (has) THEN 'receiver_id' END);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I, %I', target, ':app_role_name', ':system_role_name');
END $$;
