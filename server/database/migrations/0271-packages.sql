-- Packages: a row is a version of one. A published version never changes; its successor is another row.
CREATE TABLE packages (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  -- What its versions have in common: the id of the first.
  family_id  uuid NOT NULL,
  number     int NOT NULL,
  -- Empty: of the whole group.
  bc_id      uuid,
  name       text NOT NULL,
  per_square numeric(40, 6) NOT NULL CHECK (per_square >= 0),
  least_area numeric(40, 2) NOT NULL CHECK (least_area >= 0),
  from_on    date NOT NULL,
  to_on      date CHECK (to_on >= from_on),
  remark     text NOT NULL DEFAULT '',
  status     smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2, 3)),
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, family_id, number),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
-- Of a package one version is written and one is sold.
CREATE UNIQUE INDEX packages_draft ON packages (tenant_id, family_id) WHERE status = 1;
CREATE UNIQUE INDEX packages_sold ON packages (tenant_id, family_id) WHERE status = 2;
SELECT protect('packages');

CREATE TABLE package_items (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  package_id    uuid NOT NULL,
  sort          int NOT NULL,
  room          text NOT NULL CHECK (room IN ('whole', 'living', 'bedroom', 'kitchen', 'bath', 'balcony', 'other')),
  product_id    uuid NOT NULL,
  base          text NOT NULL CHECK (base IN ('floor', 'wall', 'perimeter', 'room', 'piece', 'fixed')),
  factor        numeric(40, 3) NOT NULL CHECK (factor >= 0),
  waste         numeric(5, 2) NOT NULL CHECK (waste BETWEEN 0 AND 100),
  removal_price numeric(40, 6) CHECK (removal_price >= 0),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, package_id) REFERENCES packages ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, product_id) REFERENCES products);
CREATE INDEX package_items_package ON package_items (tenant_id, package_id, sort);
SELECT protect('package_items');

CREATE TABLE package_alternatives (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  item_id    uuid NOT NULL,
  product_id uuid NOT NULL,
  sort       int NOT NULL,
  difference numeric(40, 6) NOT NULL CHECK (difference >= 0),
  PRIMARY KEY (tenant_id, item_id, product_id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES package_items ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, product_id) REFERENCES products);
SELECT protect('package_alternatives');
