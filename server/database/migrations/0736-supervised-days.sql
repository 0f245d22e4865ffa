-- A correction as it was for each person who had it, kept with the write (docs/decisions/0667): when its time ran out
-- in their turn, when they handed in what was verified and how long they had it, when they first did something
-- about it.
-- What runs out is written down before it does: whoever reads asks whether it has by now. `of_site` and no `site_id`:
-- what was theirs is read also by who does not reach the site any more.
CREATE TABLE supervised_corrections (
  tenant_id     uuid NOT NULL,
  correction_id uuid NOT NULL,
  user_id       uuid NOT NULL,
  bc_id         uuid NOT NULL,
  of_site       uuid NOT NULL,
  -- Of a feedback, which may be kept from somebody: counted where it is read, and in no day.
  may_hide      boolean NOT NULL,
  since         timestamptz NOT NULL,
  ran_out       timestamptz,
  handed        timestamptz,
  took          int,
  acted         timestamptz,
  response      int,
  PRIMARY KEY (tenant_id, correction_id, user_id));
COMMENT ON TABLE supervised_corrections IS 'derived';
CREATE INDEX supervised_corrections_late ON supervised_corrections (tenant_id, user_id, ran_out)
  WHERE ran_out IS NOT NULL;
CREATE INDEX supervised_corrections_handed ON supervised_corrections (tenant_id, user_id, handed)
  WHERE handed IS NOT NULL;
CREATE INDEX supervised_corrections_acted ON supervised_corrections (tenant_id, user_id, acted)
  WHERE acted IS NOT NULL;
CREATE INDEX supervised_corrections_hiding ON supervised_corrections (tenant_id, bc_id) WHERE may_hide;
CREATE INDEX supervised_corrections_since ON supervised_corrections (tenant_id, since);
SELECT protect('supervised_corrections');

-- How many of them by day, site and person, and how many windows of patrols that ended on that day.
CREATE TABLE supervised_days (
  tenant_id uuid NOT NULL,
  bc_id     uuid NOT NULL,
  day       date NOT NULL,
  user_id   uuid NOT NULL,
  of_site   uuid NOT NULL,
  late      int NOT NULL,
  in_time   int NOT NULL,
  corrected int NOT NULL,
  responded int NOT NULL,
  planned   int NOT NULL,
  patrolled int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, day, user_id, of_site));
COMMENT ON TABLE supervised_days IS 'derived';
SELECT protect('supervised_days');

-- How many of a person's took so long: `step` seconds or less, and more than the step before.
CREATE TABLE supervised_times (
  tenant_id uuid NOT NULL,
  bc_id     uuid NOT NULL,
  day       date NOT NULL,
  user_id   uuid NOT NULL,
  what      text NOT NULL,
  step      int NOT NULL,
  n         int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, day, user_id, what, step));
COMMENT ON TABLE supervised_times IS 'derived';
SELECT protect('supervised_times');

-- Up to the full minute within an hour, to ten minutes within a day, to the hour after that: what a page shows is
-- coarser.
CREATE FUNCTION time_step(seconds int) RETURNS int LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN seconds <= 3600 THEN (seconds + 59) / 60 * 60 WHEN seconds <= 86400 THEN (seconds + 599) / 600 * 600
    ELSE (seconds + 3599) / 3600 * 3600 END
$$;

-- A correction for each person who had it, from its turns and its log; nobody's once it is cancelled.
CREATE FUNCTION supervised_correction(of_tenant uuid, of_correction uuid) RETURNS SETOF supervised_corrections
LANGUAGE sql STABLE AS $$
  SELECT k.tenant_id, k.id, f.user_id, k.bc_id, k.site_id, k.source = 'feedback', f.since, f.ran_out,
    CASE WHEN k.correction_status = 3 THEN f.handed END, CASE WHEN k.correction_status = 3 THEN f.took END,
    a.at, greatest(extract(epoch FROM a.at - f.since), 0)::int
  FROM corrections k
  CROSS JOIN (SELECT t.user_id, min(t.from_at) AS since,
      min(t.due_at) FILTER (WHERE t.due_at >= t.from_at AND t.due_at < coalesce(t.to_at, 'infinity')) AS ran_out,
      max(t.to_at) FILTER (WHERE t.ended = 'submitted') AS handed,
      sum(greatest(extract(epoch FROM t.to_at - t.from_at), 0)::int) FILTER (WHERE t.ended = 'submitted')::int AS took,
      (array_agg(t.to_at ORDER BY t.from_at))[1] AS first_to
    FROM correction_turns t
    WHERE t.tenant_id = of_tenant AND t.correction_id = of_correction
    GROUP BY t.user_id) f
  CROSS JOIN LATERAL (SELECT min(l.at) AS at FROM correction_logs l
    WHERE l.tenant_id = of_tenant AND l.correction_id = of_correction AND l.action IN ('开始整改', '提交整改照片')
      AND l.at >= f.since AND l.at <= coalesce(f.first_to, 'infinity')) a
  WHERE k.tenant_id = of_tenant AND k.id = of_correction AND k.correction_status <> 4
    AND (f.ran_out IS NOT NULL OR a.at IS NOT NULL OR k.correction_status = 3 AND f.handed IS NOT NULL)
$$;

-- Each trigger names in its first word the statement for the corrections that its rows touched.
CREATE FUNCTION keep_supervised_corrections() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched constant text := CASE TG_ARGV[0]
    WHEN 'added' THEN 'SELECT tenant_id, correction_id FROM added'
    WHEN 'removed' THEN 'SELECT tenant_id, correction_id FROM removed'
    WHEN 'both' THEN 'SELECT tenant_id, correction_id FROM added UNION SELECT tenant_id, correction_id FROM removed'
    WHEN 'acted' THEN $f$SELECT tenant_id, correction_id FROM added WHERE action IN ('开始整改', '提交整改照片')$f$
    ELSE 'SELECT n.tenant_id, n.id AS correction_id FROM added n
      JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
      WHERE (n.bc_id, n.site_id, n.correction_status) <> (o.bc_id, o.site_id, o.correction_status)'
  END;
BEGIN
  EXECUTE format($f$
    WITH x AS MATERIALIZED (SELECT DISTINCT c.tenant_id, c.correction_id FROM (%s) c),
    counted AS MATERIALIZED (SELECT n.* FROM x
      CROSS JOIN LATERAL supervised_correction(x.tenant_id, x.correction_id) n),
    gone AS (DELETE FROM supervised_corrections s USING x
      WHERE s.tenant_id = x.tenant_id AND s.correction_id = x.correction_id AND NOT EXISTS (SELECT FROM counted n
        WHERE n.tenant_id = s.tenant_id AND n.correction_id = s.correction_id AND n.user_id = s.user_id))
    INSERT INTO supervised_corrections AS s
    SELECT n.* FROM counted n ORDER BY n.tenant_id, n.correction_id, n.user_id
    ON CONFLICT (tenant_id, correction_id, user_id) DO UPDATE SET
      bc_id = excluded.bc_id, of_site = excluded.of_site, may_hide = excluded.may_hide, since = excluded.since,
      ran_out = excluded.ran_out, handed = excluded.handed, took = excluded.took, acted = excluded.acted,
      response = excluded.response
    WHERE s IS DISTINCT FROM excluded
  $f$, touched);
  RETURN NULL;
END $$;
CREATE TRIGGER correction_turns_supervised_added AFTER INSERT ON correction_turns
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_corrections('added');
CREATE TRIGGER correction_turns_supervised_changed AFTER UPDATE ON correction_turns
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_corrections('both');
CREATE TRIGGER correction_turns_supervised_removed AFTER DELETE ON correction_turns
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_corrections('removed');
CREATE TRIGGER correction_logs_supervised AFTER INSERT ON correction_logs
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_corrections('acted');
CREATE TRIGGER corrections_supervised AFTER UPDATE ON corrections
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_corrections('changed');

-- What rows of supervised corrections or of patrol tasks add to their days.
CREATE FUNCTION keep_supervised_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plus constant text := 'SELECT 1 AS sign, t.* FROM added t';
  minus constant text := 'SELECT -1 AS sign, t.* FROM removed t';
  signed constant text := CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus
    ELSE plus || ' UNION ALL ' || minus END;
BEGIN
  EXECUTE format($f$
    INSERT INTO supervised_days AS k (tenant_id, bc_id, day, user_id, of_site, late, in_time, corrected, responded,
      planned, patrolled)
    SELECT c.tenant_id, c.bc_id, (m.moment AT TIME ZONE 'Asia/Shanghai')::date AS day, m.user_id, m.of_site,
      sum(c.sign * m.late), sum(c.sign * m.in_time), sum(c.sign * m.corrected), sum(c.sign * m.responded),
      sum(c.sign * m.planned), sum(c.sign * m.patrolled)
    FROM (%s) c
    CROSS JOIN LATERAL (%s) m
    WHERE m.moment IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
    HAVING (sum(c.sign * m.late), sum(c.sign * m.in_time), sum(c.sign * m.corrected), sum(c.sign * m.responded),
      sum(c.sign * m.planned), sum(c.sign * m.patrolled)) <> (0, 0, 0, 0, 0, 0)
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (tenant_id, bc_id, day, user_id, of_site) DO UPDATE SET
      late = k.late + excluded.late,
      in_time = k.in_time + excluded.in_time,
      corrected = k.corrected + excluded.corrected,
      responded = k.responded + excluded.responded,
      planned = k.planned + excluded.planned,
      patrolled = k.patrolled + excluded.patrolled
  $f$, signed, CASE TG_ARGV[0]
    WHEN 'tasks' THEN 'SELECT p.user_id, c.site_id AS of_site, c.closes_at AS moment, 0 AS late, 0 AS in_time,
        0 AS corrected, 0 AS responded, 1 AS planned, (c.outcome IS NOT NULL)::int AS patrolled
      FROM unnest(c.user_ids) AS p(user_id) WHERE c.outcome IS DISTINCT FROM 6'
    ELSE 'SELECT c.user_id, c.of_site, v.* FROM (VALUES (c.ran_out, 1, 0, 0, 0, 0, 0),
        (c.handed, 0, (c.ran_out IS NULL)::int, 1, 0, 0, 0), (c.acted, 0, 0, 0, 1, 0, 0))
        AS v(moment, late, in_time, corrected, responded, planned, patrolled) WHERE NOT c.may_hide'
  END);
  RETURN NULL;
END $$;
CREATE FUNCTION keep_supervised_times() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plus constant text := 'SELECT 1 AS sign, t.* FROM added t';
  minus constant text := 'SELECT -1 AS sign, t.* FROM removed t';
BEGIN
  EXECUTE format($f$
    INSERT INTO supervised_times AS k (tenant_id, bc_id, day, user_id, what, step, n)
    SELECT c.tenant_id, c.bc_id, (m.moment AT TIME ZONE 'Asia/Shanghai')::date AS day, c.user_id, m.what,
      time_step(m.took) AS step, sum(c.sign)
    FROM (%s) c
    CROSS JOIN LATERAL (VALUES ('corrected', c.handed, c.took), ('responded', c.acted, c.response))
      AS m(what, moment, took)
    WHERE m.moment IS NOT NULL AND NOT c.may_hide
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(c.sign) <> 0
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (tenant_id, bc_id, day, user_id, what, step) DO UPDATE SET n = k.n + excluded.n
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
CREATE TRIGGER supervised_corrections_days_added AFTER INSERT ON supervised_corrections
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days();
CREATE TRIGGER supervised_corrections_days_changed AFTER UPDATE ON supervised_corrections
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days();
CREATE TRIGGER supervised_corrections_days_removed AFTER DELETE ON supervised_corrections
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days();
CREATE TRIGGER supervised_corrections_times_added AFTER INSERT ON supervised_corrections
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_times();
CREATE TRIGGER supervised_corrections_times_changed AFTER UPDATE ON supervised_corrections
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_times();
CREATE TRIGGER supervised_corrections_times_removed AFTER DELETE ON supervised_corrections
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_times();
CREATE TRIGGER patrol_tasks_supervised_added AFTER INSERT ON patrol_tasks
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days('tasks');
CREATE TRIGGER patrol_tasks_supervised_changed AFTER UPDATE ON patrol_tasks
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days('tasks');
CREATE TRIGGER patrol_tasks_supervised_removed AFTER DELETE ON patrol_tasks
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_days('tasks');

CREATE FUNCTION empty_supervised() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE supervised_corrections, supervised_days, supervised_times;
  RETURN NULL;
END $$;
CREATE TRIGGER correction_turns_supervised_emptied AFTER TRUNCATE ON correction_turns
  FOR EACH STATEMENT EXECUTE FUNCTION empty_supervised();
CREATE TRIGGER patrol_tasks_supervised_emptied AFTER TRUNCATE ON patrol_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION empty_supervised();

-- What stands already; triggers count the days of corrections.
SET LOCAL app.tenant = '*';
INSERT INTO supervised_corrections
SELECT n.* FROM corrections k CROSS JOIN LATERAL supervised_correction(k.tenant_id, k.id) n;
INSERT INTO supervised_days AS k (tenant_id, bc_id, day, user_id, of_site, late, in_time, corrected, responded, planned,
  patrolled)
SELECT t.tenant_id, t.bc_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date, p.user_id, t.site_id, 0, 0, 0, 0,
  count(*), count(t.outcome)
FROM patrol_tasks t
CROSS JOIN LATERAL unnest(t.user_ids) AS p(user_id)
WHERE t.outcome IS DISTINCT FROM 6
GROUP BY 1, 2, 3, 4, 5
ON CONFLICT (tenant_id, bc_id, day, user_id, of_site) DO UPDATE SET
  planned = k.planned + excluded.planned,
  patrolled = k.patrolled + excluded.patrolled;
