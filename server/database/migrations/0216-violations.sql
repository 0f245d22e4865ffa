-- Violations of workers: of an alarm that was found to be true, or written down by somebody with a picture.
CREATE TABLE violations (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  bc_id       uuid NOT NULL,
  site_id     uuid NOT NULL,
  worker_id   uuid NOT NULL,
  type        text NOT NULL CHECK (type IN
    ('noclothes', 'smoking', 'helmet', 'electric', 'fire', 'litter', 'other')),
  at          timestamptz NOT NULL,
  alarm_id    uuid,
  picture     text,
  remark      text NOT NULL DEFAULT '',
  points      smallint NOT NULL CHECK (points >= 0),
  status      smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 5),
  entered_id  uuid,
  handled_id  uuid,
  objected_id uuid,
  -- Who judged the objection: what a person took back does not come again with its alarm.
  judged_id   uuid,
  changed_by  text NOT NULL DEFAULT '',
  changed_at  timestamptz,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, worker_id) REFERENCES workers,
  FOREIGN KEY (tenant_id, alarm_id) REFERENCES alarms,
  UNIQUE (tenant_id, alarm_id),
  CHECK (alarm_id IS NOT NULL OR picture IS NOT NULL));
CREATE INDEX violations_newest ON violations (tenant_id, at DESC, id DESC);
CREATE INDEX violations_branch ON violations (tenant_id, bc_id, at DESC, id DESC);
CREATE INDEX violations_site ON violations (tenant_id, site_id, at DESC, id DESC);
CREATE INDEX violations_worker ON violations (tenant_id, worker_id, at DESC, id DESC);
SELECT protect('violations');

CREATE TABLE violation_logs (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  violation_id uuid NOT NULL,
  actor        text NOT NULL,
  action       text NOT NULL,
  text         text NOT NULL DEFAULT '',
  at           timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, violation_id) REFERENCES violations ON DELETE CASCADE);
CREATE INDEX violation_logs_of ON violation_logs (tenant_id, violation_id, at);
SELECT protect('violation_logs');

-- What was found to be true before and stands, as it would have come about; what was corrected since counts as handled.
SET LOCAL app.tenant = '*';
INSERT INTO violations (tenant_id, id, bc_id, site_id, worker_id, type, at, alarm_id, picture, points, status)
SELECT a.tenant_id, gen_random_uuid(), a.bc_id, a.site_id, a.worker_id, a.type, a.at, a.id, a.picture,
  CASE a.type WHEN 'smoking' THEN 5 ELSE 2 END, CASE a.correction_status WHEN 3 THEN 2 ELSE 1 END
FROM alarms a
WHERE a.verdict = 'real' AND a.worker_id IS NOT NULL AND a.type IN ('noclothes', 'smoking')
  AND a.correction_status <> 4;
