-- Figures and ranks of supervision compare by stage, and a branch has many more sites than stages
-- (docs/decisions/0667): each day knows the stage of its site on it, and what a write moves is told by day, person and
-- stage, in a line of its own that waits for nobody; the night adds lines up.
CREATE FUNCTION stage_on(of_tenant uuid, of_site uuid, on_day date) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT g.stage
    FROM site_stages g
    WHERE g.tenant_id = of_tenant AND g.site_id = of_site AND g.actual_start <= on_day
    ORDER BY g.actual_start DESC, g.sort DESC
    LIMIT 1), '')
$$;

CREATE TABLE supervised_stages (
  tenant_id uuid NOT NULL,
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  bc_id     uuid NOT NULL,
  day       date NOT NULL,
  user_id   uuid NOT NULL,
  -- Empty while the site had none.
  stage     text NOT NULL,
  late      int NOT NULL,
  in_time   int NOT NULL,
  corrected int NOT NULL,
  responded int NOT NULL,
  planned   int NOT NULL,
  patrolled int NOT NULL,
  PRIMARY KEY (tenant_id, id));
COMMENT ON TABLE supervised_stages IS 'derived';
SELECT protect('supervised_stages');
CREATE INDEX supervised_stages_day ON supervised_stages (tenant_id, bc_id, day);

-- What stands already, before triggers count it.
SET LOCAL app.tenant = '*';
ALTER TABLE supervised_days ADD COLUMN stage text NOT NULL DEFAULT '';
UPDATE supervised_days d SET stage = stage_on(d.tenant_id, d.of_site, d.day);
CREATE INDEX supervised_days_site ON supervised_days (tenant_id, of_site);
INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, late, in_time, corrected, responded, planned,
  patrolled)
SELECT d.tenant_id, d.bc_id, d.day, d.user_id, d.stage, sum(d.late), sum(d.in_time), sum(d.corrected),
  sum(d.responded), sum(d.planned), sum(d.patrolled)
FROM supervised_days d
GROUP BY 1, 2, 3, 4, 5;

-- Whoever adds a day need not know its stage.
CREATE FUNCTION stage_supervised_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.stage := stage_on(NEW.tenant_id, NEW.of_site, NEW.day);
  RETURN NEW;
END $$;
CREATE TRIGGER supervised_days_staged BEFORE INSERT ON supervised_days
  FOR EACH ROW EXECUTE FUNCTION stage_supervised_day();

CREATE FUNCTION keep_supervised_stages() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plus constant text := 'SELECT 1 AS sign, t.* FROM added t';
  minus constant text := 'SELECT -1 AS sign, t.* FROM removed t';
BEGIN
  EXECUTE format($f$
    INSERT INTO supervised_stages (tenant_id, bc_id, day, user_id, stage, late, in_time, corrected, responded,
      planned, patrolled)
    SELECT d.tenant_id, d.bc_id, d.day, d.user_id, d.stage, sum(d.sign * d.late), sum(d.sign * d.in_time),
      sum(d.sign * d.corrected), sum(d.sign * d.responded), sum(d.sign * d.planned), sum(d.sign * d.patrolled)
    FROM (%s) d
    GROUP BY 1, 2, 3, 4, 5
    HAVING (sum(d.sign * d.late), sum(d.sign * d.in_time), sum(d.sign * d.corrected), sum(d.sign * d.responded),
      sum(d.sign * d.planned), sum(d.sign * d.patrolled)) <> (0, 0, 0, 0, 0, 0)
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
CREATE TRIGGER supervised_days_stages_added AFTER INSERT ON supervised_days
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_stages();
CREATE TRIGGER supervised_days_stages_changed AFTER UPDATE ON supervised_days
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_stages();
CREATE TRIGGER supervised_days_stages_removed AFTER DELETE ON supervised_days
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_supervised_stages();

-- A stage that began, or began on another day than was said, takes the days of its site along.
CREATE FUNCTION restage_supervised_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched constant text := CASE TG_OP WHEN 'INSERT' THEN 'SELECT * FROM added WHERE actual_start IS NOT NULL'
    WHEN 'DELETE' THEN 'SELECT * FROM removed WHERE actual_start IS NOT NULL'
    ELSE 'SELECT n.* FROM added n JOIN removed o USING (tenant_id, site_id, stage)
      WHERE (n.actual_start, n.sort) IS DISTINCT FROM (o.actual_start, o.sort)' END;
BEGIN
  EXECUTE format($f$
    WITH x AS (SELECT DISTINCT t.tenant_id, t.site_id FROM (%s) t),
    moved AS MATERIALIZED (SELECT d.tenant_id, d.bc_id, d.day, d.user_id, d.of_site, n.stage
      FROM supervised_days d
      JOIN x ON x.tenant_id = d.tenant_id AND x.site_id = d.of_site
      CROSS JOIN LATERAL stage_on(d.tenant_id, d.of_site, d.day) AS n(stage)
      WHERE d.stage <> n.stage
      ORDER BY 1, 2, 3, 4, 5
      FOR UPDATE OF d)
    UPDATE supervised_days d SET stage = m.stage
    FROM moved m
    WHERE (d.tenant_id, d.bc_id, d.day, d.user_id, d.of_site) = (m.tenant_id, m.bc_id, m.day, m.user_id, m.of_site)
  $f$, touched);
  RETURN NULL;
END $$;
CREATE TRIGGER site_stages_supervised_added AFTER INSERT ON site_stages
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION restage_supervised_days();
CREATE TRIGGER site_stages_supervised_changed AFTER UPDATE ON site_stages
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION restage_supervised_days();
CREATE TRIGGER site_stages_supervised_removed AFTER DELETE ON site_stages
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION restage_supervised_days();

CREATE OR REPLACE FUNCTION empty_supervised() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE supervised_corrections, supervised_days, supervised_stages, supervised_times;
  RETURN NULL;
END $$;
