-- What is composed for one customer: cases, homes nearby, a package, a quotation, each asked anew at every look
-- (docs/decisions/0646).
CREATE TABLE previews (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  bc_id       uuid NOT NULL,
  store_id    uuid,
  customer_id uuid NOT NULL,
  state       text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sent', 'revised', 'ended')),
  title       text NOT NULL,
  words       text NOT NULL DEFAULT '',
  made_by     uuid NOT NULL,
  made_name   text NOT NULL,
  made_at     timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL,
  changed_by  text NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX previews_changed ON previews (tenant_id, changed_at DESC, id);
CREATE INDEX previews_customer ON previews (tenant_id, customer_id, changed_at DESC);
SELECT protect('previews');

CREATE TABLE preview_items (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  preview_id  uuid NOT NULL,
  sort        int NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('case', 'site', 'package', 'quotation')),
  target_id   uuid NOT NULL,
  -- It fell out by itself; why is said to whoever composed it.
  dropped_at  timestamptz,
  dropped_for text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, preview_id) REFERENCES previews ON DELETE CASCADE);
CREATE UNIQUE INDEX preview_items_of ON preview_items (tenant_id, preview_id, kind, target_id);
CREATE INDEX preview_items_target ON preview_items (tenant_id, kind, target_id) WHERE dropped_at IS NULL;
SELECT protect('preview_items');
