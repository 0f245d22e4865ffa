-- An owner without superuser, as on every managed PostgreSQL (docs/decisions/0440). Functions that run as the owner
-- used to carry `SET app.tenant = '*'`, which since PostgreSQL 15 only a superuser may write. Now the owner's own rule
-- knows such a function: there the owner acts in somebody else's session. In a session of its own it still sees nothing
-- before it says '*', and every other role is held by its own rule. A superuser is above all rules: its tables are left
-- as they are, so that nobody waits for them. Called after every run of migrations (migrate.ts): none has to say it.
CREATE FUNCTION owner_rules() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  cond constant text := format(
    'current_setting(''app.tenant'', true) = ''*'' OR (current_user = %1$L AND session_user <> %1$L)', current_user);
  r record;
BEGIN
  FOR r IN
    SELECT format('%I.%I', p.schemaname, p.tablename)::regclass AS target
    FROM pg_policies p, pg_roles o
    WHERE p.schemaname = 'public' AND p.policyname = 'owner' AND p.qual NOT ILIKE '%session_user%'
      AND o.rolname = current_user AND NOT o.rolsuper
  LOOP
    EXECUTE format('ALTER POLICY owner ON %s USING (%s) WITH CHECK (%s)', r.target, cond, cond);
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION owner_rules() FROM PUBLIC;
DO $$
DECLARE r record;
BEGIN
  FOR r IN SELECT f.oid::regprocedure AS name FROM pg_proc f
           WHERE f.pronamespace = 'public'::regnamespace AND 'app.tenant=*' = ANY (f.proconfig) LOOP
    EXECUTE format('ALTER FUNCTION %s RESET app.tenant', r.name);
  END LOOP;
END $$;
