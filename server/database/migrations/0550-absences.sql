-- Who is away from a day to a day, and who stands in: new work and escalations go there (docs/decisions/0550).
CREATE TABLE absences (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  user_id    uuid NOT NULL,
  deputy_id  uuid NOT NULL,
  from_day   date NOT NULL,
  to_day     date NOT NULL,
  entered_by text NOT NULL,
  entered_at timestamptz NOT NULL,
  -- Back before its last day, or called off before its first.
  ended_by   text NOT NULL DEFAULT '',
  ended_at   timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  FOREIGN KEY (tenant_id, deputy_id) REFERENCES users,
  CHECK (user_id <> deputy_id),
  CHECK (from_day <= to_day AND to_day - from_day < 366),
  CHECK ((ended_at IS NULL) = (ended_by = '')));
CREATE INDEX absences_person ON absences (tenant_id, user_id, to_day DESC);
CREATE INDEX absences_deputy ON absences (tenant_id, deputy_id, to_day DESC);
CREATE INDEX absences_old ON absences (to_day);
SELECT protect('absences');
