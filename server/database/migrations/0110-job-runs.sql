-- Scheduled work by group and kind: for which moment it was last done, who holds it now, and what it last said. One row
-- each, however long the product runs; `jobs`, a row a day, is what the release before still writes. Work of the whole
-- installation stands under the id of nobody.
CREATE TABLE job_runs (
  tenant_id    uuid NOT NULL,
  kind         text NOT NULL,
  met_at       timestamptz NOT NULL,
  done_for     timestamptz,
  holder       uuid,
  held_until   timestamptz,
  started_at   timestamptz,
  succeeded_at timestamptz,
  failed_at    timestamptz,
  failures     int NOT NULL DEFAULT 0,
  error        text NOT NULL DEFAULT '',
  note         text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, kind));
SELECT protect('job_runs');
-- People read what became of it; the server's own login alone does it.
REVOKE INSERT, UPDATE, DELETE ON job_runs FROM :app_role;

-- What the release before has done today is not done again.
SET LOCAL app.tenant = '*';
INSERT INTO job_runs (tenant_id, kind, met_at, done_for, started_at, succeeded_at)
SELECT t.id, k.kind, max(j.started_at), max((j.day + k.at) AT TIME ZONE 'Asia/Shanghai'), max(j.started_at), max(j.finished_at)
FROM jobs j
JOIN (VALUES ('openDay', time '00:00'), ('attendance', time '00:20'), ('noWork', time '00:30'), ('dailySheet', time '08:00'))
  AS k (kind, at) ON k.kind = j.kind
CROSS JOIN tenants t
WHERE j.finished_at IS NOT NULL
GROUP BY t.id, k.kind;

-- A month of raw reports goes as a whole. The table's owner alone may drop it; whoever reads or writes raw reports is
-- waited for a second, then the others go first and the month goes at the next try.
CREATE FUNCTION drop_raw_month(month date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  part text := 'raw_events_' || to_char(month, 'YYYYMM');
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                 WHERE i.inhparent = 'raw_events'::regclass AND c.relname = part) THEN
    RAISE EXCEPTION 'no month % of raw events', month;
  END IF;
  EXECUTE format('DROP TABLE %I', part);
END $$;
REVOKE EXECUTE ON FUNCTION drop_raw_month(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_raw_month(date) TO :system_role;
