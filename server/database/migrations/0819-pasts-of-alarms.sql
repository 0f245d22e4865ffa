-- What an alarm was for a time that its row no longer tells, since its deadline moved or it was opened again:
-- whoever asks how many were open or overdue when a day ended adds these (docs/decisions/0140).
CREATE TABLE alarm_pasts (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  alarm_id uuid NOT NULL,
  starts timestamptz NOT NULL,
  ends timestamptz NOT NULL,
  open smallint NOT NULL DEFAULT 0,
  overdue smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, alarm_id) REFERENCES alarms ON DELETE CASCADE,
  CHECK (starts < ends));
SELECT protect('alarm_pasts');
CREATE INDEX alarm_pasts_ends ON alarm_pasts (tenant_id, ends);
CREATE INDEX alarm_pasts_of ON alarm_pasts (tenant_id, alarm_id);

-- An interval holds its end and not its start: a deadline that is the moment asked about is not over yet.
CREATE FUNCTION keep_alarm_pasts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alarm_pasts (tenant_id, alarm_id, starts, ends, open, overdue)
  SELECT n.tenant_id, n.id, m.starts, m.ends, m.open, m.overdue
  FROM added n
  JOIN removed o ON o.tenant_id = n.tenant_id AND o.id = n.id
  CROSS JOIN LATERAL (VALUES
    (o.closed_at, n.changed_at, -1, 0),
    (o.due_at, least(o.closed_at, n.changed_at), 0, 1),
    (n.due_at, n.changed_at, 0, -1)
  ) m(starts, ends, open, overdue)
  WHERE n.closed_at IS NULL AND (o.closed_at, o.due_at) IS DISTINCT FROM (n.closed_at, n.due_at)
    AND m.starts < m.ends;
  RETURN NULL;
END $$;
CREATE TRIGGER alarms_moved AFTER UPDATE ON alarms
  REFERENCING NEW TABLE AS added OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_alarm_pasts();
