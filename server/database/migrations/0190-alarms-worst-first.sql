-- What the assignee of an alarm said against it stays until somebody answers: sent again it is refused.
ALTER TABLE alarms ADD COLUMN disputed boolean NOT NULL DEFAULT false;

-- The list begins with what is worst: what is not closed, by its deadline; then what is closed, the newest first.
CREATE INDEX alarms_worst ON alarms
  (tenant_id, (CASE WHEN correction_status IN (1, 2) THEN due_at END), at DESC, id DESC);
CREATE INDEX alarms_branch_worst ON alarms
  (tenant_id, bc_id, (CASE WHEN correction_status IN (1, 2) THEN due_at END), at DESC, id DESC);
