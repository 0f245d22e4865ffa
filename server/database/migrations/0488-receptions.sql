-- Somebody of a home comes to the site and is received (docs/states.md, receptionActions).
CREATE TABLE receptions (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  site_id    uuid NOT NULL,
  at         timestamptz NOT NULL,
  planned    boolean NOT NULL,
  arrived_at timestamptz,
  ended_at   timestamptz,
  host_id    uuid NOT NULL,
  purpose    text NOT NULL CHECK (purpose IN ('look', 'choose', 'accept', 'repair', 'complain', 'other')),
  remark     text NOT NULL DEFAULT '',
  record     text NOT NULL DEFAULT '',
  state      text NOT NULL CHECK (state IN ('planned', 'arrived', 'done', 'missed', 'cancelled')),
  entered_by text NOT NULL,
  changed_by text NOT NULL DEFAULT '',
  changed_at timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, host_id) REFERENCES users,
  CHECK ((state IN ('arrived', 'done')) = (arrived_at IS NOT NULL)),
  CHECK ((state IN ('done', 'missed', 'cancelled')) = (ended_at IS NOT NULL)));
CREATE INDEX receptions_site ON receptions (tenant_id, site_id, at DESC);
CREATE INDEX receptions_host ON receptions (tenant_id, host_id) WHERE state IN ('planned', 'arrived');
SELECT protect('receptions');
