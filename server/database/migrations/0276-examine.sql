-- One queue of what waits for approval, whatever it is; what is judged keeps its own records.
CREATE TABLE examine_requests (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  store_id     uuid,
  kind         text NOT NULL CHECK (kind IN ('quotation', 'change', 'refund', 'void')),
  object_id    uuid NOT NULL,
  version_id   uuid,
  number       text NOT NULL,
  round        int NOT NULL,
  summary      text NOT NULL,
  amount       numeric(40, 2),
  change       text NOT NULL,
  hash         text NOT NULL,
  state        smallint NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
  submitted_by uuid NOT NULL,
  submitted_at timestamptz NOT NULL,
  due_at       timestamptz NOT NULL,
  withdrawn_at timestamptz,
  judged_by    uuid,
  judged_at    timestamptz,
  reason       text NOT NULL DEFAULT '',
  version      int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, kind, object_id, round),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, submitted_by) REFERENCES users,
  FOREIGN KEY (tenant_id, judged_by) REFERENCES users,
  CHECK ((state = 0) = (judged_by IS NULL) AND (state = 0) = (judged_at IS NULL)),
  CHECK (state = 0 OR withdrawn_at IS NULL));
CREATE UNIQUE INDEX examine_requests_one ON examine_requests (tenant_id, kind, object_id)
  WHERE state = 0 AND withdrawn_at IS NULL;
CREATE INDEX examine_requests_due ON examine_requests (tenant_id, due_at) WHERE state = 0 AND withdrawn_at IS NULL;
CREATE INDEX examine_requests_newest ON examine_requests (tenant_id, submitted_at DESC, id DESC);
CREATE INDEX examine_requests_branch ON examine_requests (tenant_id, bc_id, submitted_at DESC, id DESC);
SELECT protect('examine_requests');

-- Which approver has opened which request, and when last.
CREATE TABLE examine_views (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  request_id uuid NOT NULL,
  user_id    uuid NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, request_id, user_id),
  FOREIGN KEY (tenant_id, request_id) REFERENCES examine_requests ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
SELECT protect('examine_views');
