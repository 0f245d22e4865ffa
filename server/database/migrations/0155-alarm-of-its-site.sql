-- One open alarm of a camera and type on a site: what a camera sees after it was moved is an alarm of its new site.
CREATE UNIQUE INDEX alarms_open_here ON alarms (tenant_id, device_id, site_id, type) WHERE correction_status IN (1, 2);

-- The release before counts into `alarms_open`, which knows no site, and cannot file an alarm without it. While a server
-- of that release is connected it stays; the job `overlap.alarms` removes it after the last has gone (docs/decisions/0155).
CREATE FUNCTION drop_alarms_open() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
BEGIN
  DROP INDEX IF EXISTS alarms_open;
END $$;
REVOKE EXECUTE ON FUNCTION drop_alarms_open() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_alarms_open() TO :system_role;

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_stat_activity
                 WHERE datname = current_database() AND usename = ':system_role_name') THEN
    PERFORM drop_alarms_open();
  END IF;
END $$;
