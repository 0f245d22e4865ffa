-- What plans wanted of a branch and what has come of it, by the day on which the window ended; what was handed in and
-- what it found, by inspector and day. Kept in the transaction of the change: a patrol made up for the next day, an
-- excuse and a site that changes its branch correct the day that they are of. Whether what nobody has done is missed or
-- may still be made up for is said by the clock (docs/decisions/0222), so it is not kept.
CREATE TABLE patrol_task_days (
  tenant_id uuid NOT NULL,
  day       date NOT NULL,
  bc_id     uuid NOT NULL,
  plan_id   uuid NOT NULL,
  tasks     int NOT NULL,
  done      int NOT NULL,
  late      int NOT NULL,
  excused   int NOT NULL,
  PRIMARY KEY (tenant_id, day, bc_id, plan_id));
COMMENT ON TABLE patrol_task_days IS 'derived';
SELECT protect('patrol_task_days');

CREATE FUNCTION keep_patrol_task_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  columns constant text := 'tenant_id, bc_id, plan_id, closes_at, outcome';
  plus constant text := format('SELECT 1 AS sign, %s FROM added', columns);
  minus constant text := format('SELECT -1 AS sign, %s FROM removed', columns);
BEGIN
  EXECUTE format($f$
    INSERT INTO patrol_task_days AS k (tenant_id, day, bc_id, plan_id, tasks, done, late, excused)
    SELECT c.tenant_id, (c.closes_at AT TIME ZONE 'Asia/Shanghai')::date AS day, c.bc_id, c.plan_id, sum(c.sign),
      sum(c.sign * m.done), sum(c.sign * m.late), sum(c.sign * m.excused)
    FROM (%s) c
    CROSS JOIN LATERAL (SELECT coalesce(c.outcome = 3, false)::int AS done, coalesce(c.outcome = 4, false)::int AS late,
      coalesce(c.outcome = 6, false)::int AS excused) m
    GROUP BY 1, 2, 3, 4
    HAVING (sum(c.sign), sum(c.sign * m.done), sum(c.sign * m.late), sum(c.sign * m.excused)) <> (0, 0, 0, 0)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT (tenant_id, day, bc_id, plan_id) DO UPDATE SET
      tasks = k.tasks + excluded.tasks,
      done = k.done + excluded.done,
      late = k.late + excluded.late,
      excused = k.excused + excluded.excused
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
CREATE TRIGGER patrol_tasks_days_added AFTER INSERT ON patrol_tasks
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_task_days();
CREATE TRIGGER patrol_tasks_days_changed AFTER UPDATE ON patrol_tasks
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_task_days();
CREATE TRIGGER patrol_tasks_days_removed AFTER DELETE ON patrol_tasks
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_task_days();

-- Handed in, by whom and of which kind: how many, how many of them found a problem or an untidy site, and how many
-- problems.
CREATE TABLE patrol_days (
  tenant_id    uuid NOT NULL,
  day          date NOT NULL,
  bc_id        uuid NOT NULL,
  kind         text NOT NULL,
  inspector_id uuid NOT NULL,
  made         int NOT NULL,
  found        int NOT NULL,
  problems     int NOT NULL,
  PRIMARY KEY (tenant_id, day, bc_id, kind, inspector_id));
COMMENT ON TABLE patrol_days IS 'derived';
SELECT protect('patrol_days');

CREATE FUNCTION keep_patrol_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  columns constant text := 'tenant_id, bc_id, kind, inspector_id, submitted_at, problems, tidiness';
  plus constant text := format('SELECT 1 AS sign, %s FROM added WHERE status = 2', columns);
  minus constant text := format('SELECT -1 AS sign, %s FROM removed WHERE status = 2', columns);
BEGIN
  EXECUTE format($f$
    INSERT INTO patrol_days AS k (tenant_id, day, bc_id, kind, inspector_id, made, found, problems)
    SELECT c.tenant_id, (c.submitted_at AT TIME ZONE 'Asia/Shanghai')::date AS day, c.bc_id, c.kind, c.inspector_id,
      sum(c.sign), sum(c.sign * m.found), sum(c.sign * c.problems)
    FROM (%s) c
    CROSS JOIN LATERAL (SELECT (c.problems > 0 OR coalesce(c.tidiness = 3, false))::int AS found) m
    GROUP BY 1, 2, 3, 4, 5
    HAVING (sum(c.sign), sum(c.sign * m.found), sum(c.sign * c.problems)) <> (0, 0, 0)
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (tenant_id, day, bc_id, kind, inspector_id) DO UPDATE SET
      made = k.made + excluded.made,
      found = k.found + excluded.found,
      problems = k.problems + excluded.problems
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
CREATE TRIGGER patrols_days_added AFTER INSERT ON patrols
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_days();
CREATE TRIGGER patrols_days_changed AFTER UPDATE ON patrols
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_days();
CREATE TRIGGER patrols_days_removed AFTER DELETE ON patrols
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_patrol_days();

CREATE FUNCTION empty_patrol_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('TRUNCATE %I', TG_ARGV[0]);
  RETURN NULL;
END $$;
CREATE TRIGGER patrol_tasks_days_emptied AFTER TRUNCATE ON patrol_tasks
  FOR EACH STATEMENT EXECUTE FUNCTION empty_patrol_days('patrol_task_days');
CREATE TRIGGER patrols_days_emptied AFTER TRUNCATE ON patrols
  FOR EACH STATEMENT EXECUTE FUNCTION empty_patrol_days('patrol_days');

SET LOCAL app.tenant = '*';
INSERT INTO patrol_task_days
SELECT t.tenant_id, (t.closes_at AT TIME ZONE 'Asia/Shanghai')::date, t.bc_id, t.plan_id, count(*),
  count(*) FILTER (WHERE t.outcome = 3), count(*) FILTER (WHERE t.outcome = 4), count(*) FILTER (WHERE t.outcome = 6)
FROM patrol_tasks t
GROUP BY 1, 2, 3, 4;
INSERT INTO patrol_days
SELECT p.tenant_id, (p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date, p.bc_id, p.kind, p.inspector_id, count(*),
  count(*) FILTER (WHERE p.problems > 0 OR p.tidiness = 3), sum(p.problems)
FROM patrols p
WHERE p.status = 2
GROUP BY 1, 2, 3, 4, 5;

-- Which sites a span wanted, how late it became, and what may still be made up for.
CREATE INDEX patrol_tasks_closes ON patrol_tasks (tenant_id, closes_at)
  INCLUDE (bc_id, site_id, plan_id, outcome, lapses_at);
CREATE INDEX patrol_tasks_late ON patrol_tasks (tenant_id, closes_at) WHERE outcome = 4;
CREATE INDEX patrol_tasks_waiting ON patrol_tasks (tenant_id, lapses_at) WHERE outcome IS NULL;
CREATE INDEX patrols_submitted ON patrols (tenant_id, submitted_at) WHERE status = 2;
