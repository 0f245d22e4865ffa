-- Tenants share nothing but names. Which tenant an account name belongs to, and which tenants hold a serial number,
-- stands in two small tables, the only place where names of all tenants meet: sign-in and the devices' door ask them
-- first (docs/decisions/0181). An account name is one person's in the whole installation; two may hold a number (0122).
CREATE TABLE account_names (
  name      text PRIMARY KEY,
  tenant_id uuid NOT NULL);
CREATE TABLE serial_numbers (
  sn        text NOT NULL,
  tenant_id uuid NOT NULL,
  PRIMARY KEY (sn, tenant_id));
COMMENT ON TABLE account_names IS 'derived';
COMMENT ON TABLE serial_numbers IS 'derived';
-- Nothing for people: who else is here is nobody's business.
GRANT SELECT ON account_names, serial_numbers TO :system_role;
ALTER TABLE account_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_names FORCE ROW LEVEL SECURITY;
CREATE POLICY server ON account_names FOR SELECT TO :system_role USING (true);
CREATE POLICY owner ON account_names TO CURRENT_USER USING (current_setting('app.tenant', true) = '*');
ALTER TABLE serial_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE serial_numbers FORCE ROW LEVEL SECURITY;
CREATE POLICY server ON serial_numbers FOR SELECT TO :system_role USING (true);
CREATE POLICY owner ON serial_numbers TO CURRENT_USER USING (current_setting('app.tenant', true) = '*');

-- Kept by the tables themselves, so that a server of the release before, a restore and an import keep them too. A new
-- account whose name is taken anywhere is not written, as before by ON CONFLICT DO NOTHING; a renamed one is refused.
CREATE FUNCTION account_named() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
DECLARE
  before text := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN lower(OLD.user_name) END;
  after  text := CASE WHEN TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN lower(NEW.user_name) END;
BEGIN
  IF before IS DISTINCT FROM after THEN
    DELETE FROM account_names WHERE name = before;
    IF after IS NOT NULL AND TG_OP = 'INSERT' THEN
      INSERT INTO account_names (name, tenant_id) VALUES (after, NEW.tenant_id) ON CONFLICT DO NOTHING;
      IF NOT FOUND THEN RETURN NULL; END IF;
    ELSIF after IS NOT NULL THEN
      INSERT INTO account_names (name, tenant_id) VALUES (after, NEW.tenant_id);
    END IF;
  END IF;
  RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE FUNCTION number_stocked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
DECLARE
  before text := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN OLD.sn END;
  after  text := CASE WHEN TG_OP <> 'DELETE' AND NEW.deleted_at IS NULL THEN NEW.sn END;
BEGIN
  IF before IS DISTINCT FROM after THEN
    DELETE FROM serial_numbers WHERE sn = before AND tenant_id = OLD.tenant_id;
    IF after IS NOT NULL THEN
      INSERT INTO serial_numbers (sn, tenant_id) VALUES (after, NEW.tenant_id) ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION directory_emptied() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET app.tenant = '*' AS $$
BEGIN
  IF TG_RELID = 'users'::regclass THEN DELETE FROM account_names; ELSE DELETE FROM serial_numbers; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER account_named BEFORE INSERT OR DELETE OR UPDATE OF user_name, deleted_at ON users
  FOR EACH ROW EXECUTE FUNCTION account_named();
CREATE TRIGGER number_stocked AFTER INSERT OR DELETE OR UPDATE OF sn, deleted_at ON devices
  FOR EACH ROW EXECUTE FUNCTION number_stocked();
CREATE TRIGGER users_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION directory_emptied();
CREATE TRIGGER devices_emptied AFTER TRUNCATE ON devices FOR EACH STATEMENT EXECUTE FUNCTION directory_emptied();

SET LOCAL app.tenant = '*';
INSERT INTO account_names (name, tenant_id)
SELECT lower(user_name), tenant_id FROM users WHERE deleted_at IS NULL;
INSERT INTO serial_numbers (sn, tenant_id)
SELECT sn, tenant_id FROM devices WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX users_name ON users (tenant_id, lower(user_name)) WHERE deleted_at IS NULL;

-- The release before names the old index when it adds an account, and finds names and numbers by these two. They stay
-- while one of its servers is connected, as `alarms_open` does (docs/decisions/0155).
CREATE FUNCTION drop_shared_names() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
  DROP INDEX IF EXISTS devices_door;
  DROP INDEX IF EXISTS users_user_name;
END $$;
REVOKE EXECUTE ON FUNCTION account_named(), number_stocked(), directory_emptied(), drop_shared_names()
  FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_shared_names() TO :system_role;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_stat_activity
                 WHERE datname = current_database() AND usename = ':system_role_name') THEN
    PERFORM drop_shared_names();
  END IF;
END $$;
