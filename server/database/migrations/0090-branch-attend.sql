-- Sums of a branch's day over its sites, kept with every change of a site's day in the same transaction: totals of lists and
-- daily figures of a branch or a whole group read a row a day instead of a row a site and day.
CREATE TABLE branch_attend (
  tenant_id uuid NOT NULL, day date NOT NULL, bc_id uuid NOT NULL, sites int NOT NULL, worked int NOT NULL, no_work int NOT NULL, present int NOT NULL, absent int NOT NULL, due int NOT NULL, attended int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, day));
COMMENT ON TABLE branch_attend IS 'derived';
SELECT protect('branch_attend');

-- What one row of site_days adds to its branch's day; the same reading of a day as docs/decisions/0005.
CREATE FUNCTION add_branch_attend(changes jsonb) RETURNS void LANGUAGE sql AS $$
  INSERT INTO branch_attend AS k (tenant_id, day, bc_id, sites, worked, no_work, present, absent, due, attended)
  SELECT (c->>'t')::uuid, (c->>'d')::date, (c->>'b')::uuid, (c->>'s')::int, (c->>'w')::int, (c->>'n')::int, (c->>'p')::int, (c->>'a')::int, (c->>'u')::int, (c->>'e')::int FROM jsonb_array_elements(changes) c ORDER BY 1, 2, 3
  ON CONFLICT (tenant_id, bc_id, day) DO UPDATE SET sites = k.sites + excluded.sites, worked = k.worked + excluded.worked, no_work = k.no_work + excluded.no_work, present = k.present + excluded.present,
    absent = k.absent + excluded.absent, due = k.due + excluded.due, attended = k.attended + excluded.attended
$$;
CREATE FUNCTION keep_branch_attend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sums constant text := 'SELECT jsonb_agg(x) FROM (SELECT tenant_id AS t, day AS d, bc_id AS b, sum(g) AS s, sum(g * (present > 0)::int) AS w, sum(g * no_work::int) AS n, sum(g * present) AS p, sum(g * absent) AS a,
    sum(CASE WHEN rest OR (blind AND present = 0) THEN 0 ELSE g * expected END) AS u, sum(CASE WHEN rest THEN 0 ELSE g * present END) AS e FROM (%s) r GROUP BY 1, 2, 3) x
    WHERE (s, w, n, p, a, u, e) <> (0, 0, 0, 0, 0, 0, 0)';
  plus constant text := 'SELECT 1 AS g, tenant_id, day, bc_id, present, absent, expected, no_work, rest, blind FROM added';
  minus constant text := 'SELECT -1 AS g, tenant_id, day, bc_id, present, absent, expected, no_work, rest, blind FROM removed';
  changes jsonb;
BEGIN
  EXECUTE format(sums, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END) INTO changes;
  IF changes IS NOT NULL THEN PERFORM add_branch_attend(changes); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER site_days_added AFTER INSERT ON site_days REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_attend();
CREATE TRIGGER site_days_changed AFTER UPDATE ON site_days REFERENCING NEW TABLE AS added OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_attend();
CREATE TRIGGER site_days_removed AFTER DELETE ON site_days REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_attend();
CREATE FUNCTION empty_branch_attend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN TRUNCATE branch_attend; RETURN NULL; END $$;
CREATE TRIGGER site_days_emptied AFTER TRUNCATE ON site_days FOR EACH STATEMENT EXECUTE FUNCTION empty_branch_attend();

SET LOCAL app.tenant = '*';
INSERT INTO branch_attend SELECT tenant_id, day, bc_id, count(*), count(*) FILTER (WHERE present > 0), count(*) FILTER (WHERE no_work), sum(present), sum(absent), coalesce(sum(expected) FILTER (WHERE NOT rest AND NOT (blind AND present = 0)), 0), coalesce(sum(present) FILTER (WHERE NOT rest), 0)
  FROM site_days GROUP BY 1, 2, 3;
