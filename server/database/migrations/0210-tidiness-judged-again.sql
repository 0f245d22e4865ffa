-- A check can be judged again, with a reason: its result is what counts from then on, what it was stands here.
ALTER TABLE tidiness_checks
  ADD COLUMN given     smallint CHECK (given IN (1, 2, 3, 4)),
  ADD COLUMN judged_by text,
  ADD COLUMN judged_at timestamptz,
  ADD COLUMN version   int NOT NULL DEFAULT 0,
  ADD CONSTRAINT tidiness_checks_source CHECK (source IN ('camera', 'patrol'));
CREATE INDEX tidiness_newest ON tidiness_checks (tenant_id, at DESC, id DESC);
CREATE INDEX tidiness_branch ON tidiness_checks (tenant_id, bc_id, at DESC, id DESC);

CREATE TABLE tidiness_judgings (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  check_id  uuid NOT NULL,
  at        timestamptz NOT NULL,
  actor     text NOT NULL,
  was       smallint NOT NULL CHECK (was IN (1, 2, 3, 4)),
  result    smallint NOT NULL CHECK (result IN (1, 2, 3, 4)),
  reason    text NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, check_id) REFERENCES tidiness_checks);
CREATE INDEX tidiness_judgings_check ON tidiness_judgings (tenant_id, check_id, at);
SELECT protect('tidiness_judgings');
