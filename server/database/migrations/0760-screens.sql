-- What walls show, one scene after the other (docs/decisions/0650). `before` is the version to go back to.
CREATE TABLE arrangements (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  store_id   uuid NOT NULL,
  name       text NOT NULL CHECK (name <> ''),
  scenes     jsonb NOT NULL CHECK (jsonb_array_length(scenes) BETWEEN 1 AND 40),
  opens      text,
  closes     text,
  before     jsonb,
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, store_id, name),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores);
CREATE INDEX arrangements_branch ON arrangements (tenant_id, bc_id);
SELECT protect('arrangements');

-- A wall without a person: its cookie's hash says which one it is. Its last word overwrites the one before.
CREATE TABLE screens (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  bc_id          uuid NOT NULL,
  store_id       uuid NOT NULL,
  name           text NOT NULL CHECK (name <> ''),
  kind           text NOT NULL CHECK (kind IN ('public', 'staff')),
  hash           bytea NOT NULL,
  arrangement_id uuid,
  width          int NOT NULL,
  height         int NOT NULL,
  bundle         text NOT NULL DEFAULT '',
  scene          text NOT NULL DEFAULT '',
  item           text NOT NULL DEFAULT '',
  frames         int NOT NULL DEFAULT 0,
  age            int NOT NULL DEFAULT 0,
  said_at        timestamptz,
  -- When the count of its frames last moved: what paints nothing new is silent, whatever its connection says.
  moved_at       timestamptz,
  paired_by      text NOT NULL,
  paired_at      timestamptz NOT NULL,
  revoked_at     timestamptz,
  why            text NOT NULL DEFAULT '',
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, arrangement_id) REFERENCES arrangements ON DELETE SET NULL (arrangement_id));
CREATE UNIQUE INDEX screens_hash ON screens (hash);
CREATE UNIQUE INDEX screens_name ON screens (tenant_id, store_id, name) WHERE revoked_at IS NULL;
CREATE INDEX screens_branch ON screens (tenant_id, bc_id);
CREATE INDEX screens_arrangement ON screens (tenant_id, arrangement_id) WHERE arrangement_id IS NOT NULL;
CREATE INDEX screens_revoked ON screens (tenant_id, revoked_at) WHERE revoked_at IS NOT NULL;
SELECT protect('screens');

-- Browsers that show a code and belong to nobody yet.
CREATE TABLE screen_codes (
  hash       bytea PRIMARY KEY,
  code       text NOT NULL UNIQUE,
  width      int NOT NULL,
  height     int NOT NULL,
  agent      text NOT NULL,
  ip         text NOT NULL,
  expires_at timestamptz NOT NULL);
CREATE INDEX screen_codes_expiry ON screen_codes (expires_at);
REVOKE ALL ON screen_codes FROM :app_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON screen_codes TO :system_role;
