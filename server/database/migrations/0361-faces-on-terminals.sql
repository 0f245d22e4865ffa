-- A face that may not be kept any more is still known to terminals: each is a task of who keeps the branch's devices.
CREATE TABLE face_removals (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  -- Of the device.
  bc_id     uuid NOT NULL,
  worker_id uuid NOT NULL,
  device_id uuid NOT NULL,
  -- The consent was taken back, or the worker was stopped.
  why       text NOT NULL CHECK (why IN ('withdrawn', 'stopped')),
  opened_at timestamptz NOT NULL,
  done_at   timestamptz,
  done_by   text NOT NULL DEFAULT '',
  -- The worker agreed once more: what is on the terminal may stay.
  ended_at  timestamptz,
  version   int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, worker_id) REFERENCES workers,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
CREATE UNIQUE INDEX face_removals_once ON face_removals (tenant_id, device_id, worker_id)
  WHERE done_at IS NULL AND ended_at IS NULL;
CREATE INDEX face_removals_worker ON face_removals (tenant_id, worker_id, opened_at);
CREATE INDEX face_removals_branch ON face_removals (tenant_id, bc_id) WHERE done_at IS NULL AND ended_at IS NULL;
SELECT protect('face_removals');
