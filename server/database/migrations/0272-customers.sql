-- Who quotations are for; signing makes an owner of them. One telephone number is one customer of a branch.
CREATE TABLE customers (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  bc_id         uuid NOT NULL,
  store_id      uuid,
  name          text NOT NULL,
  phone         text NOT NULL,
  community     text NOT NULL DEFAULT '',
  address       text NOT NULL DEFAULT '',
  area          numeric(40, 2) CHECK (area >= 0),
  consultant_id uuid,
  owner_id      uuid,
  created_at    timestamptz NOT NULL,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, consultant_id) REFERENCES users,
  FOREIGN KEY (tenant_id, owner_id) REFERENCES owners);
CREATE UNIQUE INDEX customers_phone ON customers (tenant_id, bc_id, phone);
CREATE INDEX customers_store ON customers (tenant_id, store_id);
SELECT protect('customers');
