-- What the cards of the home page compare themselves with is kept by the day, so that a figure and its own curve measure the
-- same thing and cost the same at any size.

-- How tidy a site was when the day ended, and whether it counted as standing still; null where nobody knows.
ALTER TABLE site_days ADD COLUMN tidiness smallint;
ALTER TABLE site_days ADD COLUMN stopped boolean;

-- Of a branch and a day: alarms raised, closed, come to their due time while open, and closed after it.
CREATE TABLE branch_alarms (
  tenant_id uuid NOT NULL,
  bc_id uuid NOT NULL,
  day date NOT NULL,
  raised int NOT NULL,
  closed int NOT NULL,
  due int NOT NULL,
  relieved int NOT NULL,
  PRIMARY KEY (tenant_id, bc_id, day));
COMMENT ON TABLE branch_alarms IS 'derived';
SELECT protect('branch_alarms');

CREATE FUNCTION keep_branch_alarms() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  columns constant text := 'tenant_id, bc_id, at, due_at, closed_at';
  plus constant text := format('SELECT 1 AS sign, %s FROM added', columns);
  minus constant text := format('SELECT -1 AS sign, %s FROM removed', columns);
BEGIN
  EXECUTE format($f$
    INSERT INTO branch_alarms AS k (tenant_id, bc_id, day, raised, closed, due, relieved)
    SELECT c.tenant_id, c.bc_id, (m.moment AT TIME ZONE 'Asia/Shanghai')::date AS day,
      sum(c.sign * m.raised), sum(c.sign * m.closed), sum(c.sign * m.due), sum(c.sign * m.relieved)
    FROM (%s) c
    CROSS JOIN LATERAL (VALUES
      (c.at, 1, 0, 0, 0),
      (c.closed_at, 0, 1, 0, coalesce(c.due_at < c.closed_at, false)::int),
      (CASE WHEN c.closed_at IS NULL OR c.closed_at > c.due_at THEN c.due_at END, 0, 0, 1, 0)
    ) m(moment, raised, closed, due, relieved)
    WHERE m.moment IS NOT NULL
    GROUP BY 1, 2, 3
    HAVING (sum(c.sign * m.raised), sum(c.sign * m.closed), sum(c.sign * m.due), sum(c.sign * m.relieved)) <> (0, 0, 0, 0)
    ORDER BY 1, 2, 3
    ON CONFLICT (tenant_id, bc_id, day) DO UPDATE SET
      raised = k.raised + excluded.raised,
      closed = k.closed + excluded.closed,
      due = k.due + excluded.due,
      relieved = k.relieved + excluded.relieved
  $f$, CASE TG_OP WHEN 'INSERT' THEN plus WHEN 'DELETE' THEN minus ELSE plus || ' UNION ALL ' || minus END);
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_added AFTER INSERT ON alarms
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_alarms();
CREATE TRIGGER alarms_changed AFTER UPDATE ON alarms
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_alarms();
CREATE TRIGGER alarms_removed AFTER DELETE ON alarms
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_branch_alarms();
CREATE FUNCTION empty_branch_alarms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE branch_alarms;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_emptied AFTER TRUNCATE ON alarms
  FOR EACH STATEMENT EXECUTE FUNCTION empty_branch_alarms();

SET LOCAL app.tenant = '*';
INSERT INTO branch_alarms
SELECT c.tenant_id, c.bc_id, (m.moment AT TIME ZONE 'Asia/Shanghai')::date,
  sum(m.raised), sum(m.closed), sum(m.due), sum(m.relieved)
FROM alarms c
CROSS JOIN LATERAL (VALUES
  (c.at, 1, 0, 0, 0),
  (c.closed_at, 0, 1, 0, coalesce(c.due_at < c.closed_at, false)::int),
  (CASE WHEN c.closed_at IS NULL OR c.closed_at > c.due_at THEN c.due_at END, 0, 0, 1, 0)
) m(moment, raised, closed, due, relieved)
WHERE m.moment IS NOT NULL
GROUP BY 1, 2, 3;

-- Open alarms are counted from their own small index, whatever the number of closed ones.
CREATE INDEX alarms_unclosed ON alarms (tenant_id, bc_id, due_at) WHERE correction_status IN (1, 2);

UPDATE site_days d SET tidiness = (
  SELECT t.result
  FROM tidiness_checks t
  WHERE t.tenant_id = d.tenant_id
    AND t.site_id = d.site_id
    AND t.result IN (1, 2, 3)
    AND t.at < ((d.day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')
  ORDER BY t.at DESC
  LIMIT 1);

-- A device that waits for its first heartbeat is neither on line nor off line: it leaves the site's count.
UPDATE sites w SET devices_total = n.total
FROM (
  SELECT k.tenant_id, k.id, count(d.id) FILTER (WHERE d.device_status <> 3)::int AS total
  FROM sites k
  LEFT JOIN devices d ON d.tenant_id = k.tenant_id AND d.site_id = k.id AND d.deleted_at IS NULL
  GROUP BY 1, 2) n
WHERE w.tenant_id = n.tenant_id AND w.id = n.id AND w.devices_total <> n.total;
