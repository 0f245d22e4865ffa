-- How many alarms of a type a branch had in an hour, and what has become of them by now: statistics read a row an hour
-- instead of a row an alarm. Kept in the transaction of the change, so that a late event, a verdict that is taken back,
-- a reopened correction and a site that changes its branch correct the hour in which the alarm was raised.
CREATE TABLE alarm_hours (
  tenant_id uuid NOT NULL,
  day       date NOT NULL,
  bc_id     uuid NOT NULL,
  hour      smallint NOT NULL,
  type      text NOT NULL,
  raised    int NOT NULL,
  "real"    int NOT NULL,
  wrong     int NOT NULL,
  corrected int NOT NULL,
  cancelled int NOT NULL,
  PRIMARY KEY (tenant_id, day, bc_id, hour, type));
COMMENT ON TABLE alarm_hours IS 'derived';
SELECT protect('alarm_hours');

-- What added, changed and removed rows of alarms do to their hours.
CREATE FUNCTION keep_alarm_hours() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  columns constant text := 'tenant_id, bc_id, at, type, verdict, correction_status';
  plus constant text := format('SELECT 1 AS sign, %s FROM added', columns);
  minus constant text := format('SELECT -1 AS sign, %s FROM removed', columns);
BEGIN
  EXECUTE format($f$
    INSERT INTO alarm_hours AS k (tenant_id, day, bc_id, hour, type, raised, "real", wrong, corrected, cancelled)
    SELECT c.tenant_id, m.moment::date AS day, c.bc_id, extract(hour FROM m.moment)::smallint AS hour, c.type,
      sum(c.sign), sum(c.sign * m."real"), sum(c.sign * m.wrong), sum(c.sign * m.corrected), sum(c.sign * m.cancelled)
    FROM (%s) c
    CROSS JOIN LATERAL (SELECT c.at AT TIME ZONE 'Asia/Shanghai' AS moment, (c.verdict = 'real')::int AS "real",
      (c.verdict = 'wrong')::int AS wrong, (c.correction_status = 3)::int AS corrected,
      (c.correction_status = 4)::int AS cancelled) m
    GROUP BY 1, 2, 3, 4, 5
    HAVING (sum(c.sign), sum(c.sign * m."real"), sum(c.sign * m.wrong), sum(c.sign * m.corrected),
      sum(c.sign * m.cancelled)) <> (0, 0, 0, 0, 0)
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (tenant_id, day, bc_id, hour, type) DO UPDATE SET
      raised = k.raised + excluded.raised,
      "real" = k."real" + excluded."real",
      wrong = k.wrong + excluded.wrong,
      corrected = k.corrected + excluded.corrected,
      cancelled = k.cancelled + excluded.cancelled
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
-- After those of a branch's day, whose row is written first: two writers of an hour take turns there.
CREATE TRIGGER alarms_hours_added AFTER INSERT ON alarms
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_alarm_hours();
CREATE TRIGGER alarms_hours_changed AFTER UPDATE ON alarms
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_alarm_hours();
CREATE TRIGGER alarms_hours_removed AFTER DELETE ON alarms
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_alarm_hours();
CREATE FUNCTION empty_alarm_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE alarm_hours;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_hours_emptied AFTER TRUNCATE ON alarms
  FOR EACH STATEMENT EXECUTE FUNCTION empty_alarm_hours();

SET LOCAL app.tenant = '*';
INSERT INTO alarm_hours
SELECT a.tenant_id, m.moment::date, a.bc_id, extract(hour FROM m.moment)::smallint, a.type, count(*),
  count(*) FILTER (WHERE a.verdict = 'real'), count(*) FILTER (WHERE a.verdict = 'wrong'),
  count(*) FILTER (WHERE a.correction_status = 3), count(*) FILTER (WHERE a.correction_status = 4)
FROM alarms a
CROSS JOIN LATERAL (SELECT a.at AT TIME ZONE 'Asia/Shanghai' AS moment) m
GROUP BY 1, 2, 3, 4, 5;

-- By site, camera and person there are nearly as many groups a day as alarms: they are read from the index alone.
CREATE INDEX alarms_figures ON alarms (tenant_id, at)
  INCLUDE (bc_id, site_id, device_id, type, assignee_id, verdict, correction_status);
-- How long those took that were corrected in a span, likewise; percentiles are of the exact times.
CREATE INDEX alarms_corrected ON alarms (tenant_id, closed_at)
  INCLUDE (bc_id, site_id, type, at) WHERE correction_status = 3;
