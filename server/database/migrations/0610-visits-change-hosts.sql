-- Whoever entered a visit at the wrong home takes it back; one whose host cannot receive any more waits for another.
ALTER TABLE receptions
  ADD COLUMN entered_id uuid,
  ADD FOREIGN KEY (tenant_id, entered_id) REFERENCES users,
  ALTER COLUMN host_id DROP NOT NULL;
CREATE INDEX receptions_entered ON receptions (tenant_id, entered_id);
