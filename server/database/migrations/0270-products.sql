-- Numbers without gaps: a row is locked until what was numbered is there, or the number is not given.
CREATE TABLE document_numbers (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  kind      text NOT NULL,
  -- A branch, or the whole group.
  of_id     uuid NOT NULL,
  year      smallint NOT NULL,
  last      int NOT NULL,
  PRIMARY KEY (tenant_id, kind, of_id, year));
SELECT protect('document_numbers');

-- Who takes orders: branches, and stores that are merchants or sell themselves.
ALTER TABLE stores ADD receives_orders boolean NOT NULL DEFAULT false;

CREATE TABLE product_categories (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  parent_id      uuid,
  name           text NOT NULL,
  stage          text,
  -- A branch or a store, not both.
  receiver_bc    uuid,
  receiver_store uuid,
  lead_days      smallint,
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES product_categories,
  FOREIGN KEY (tenant_id, receiver_bc) REFERENCES companies,
  FOREIGN KEY (tenant_id, receiver_store) REFERENCES stores,
  CHECK (receiver_bc IS NULL OR receiver_store IS NULL));
CREATE UNIQUE INDEX product_categories_name ON product_categories
  (tenant_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), name);
SELECT protect('product_categories');

CREATE TABLE products (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  -- Empty: of the whole group.
  bc_id          uuid,
  code           text NOT NULL,
  name           text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('main', 'auxiliary', 'work', 'fee')),
  category_id    uuid NOT NULL,
  brand          text NOT NULL DEFAULT '',
  model          text NOT NULL DEFAULT '',
  spec           text NOT NULL DEFAULT '',
  unit           text NOT NULL,
  -- Empty: what the category says.
  stage          text,
  receiver_bc    uuid,
  receiver_store uuid,
  lead_days      smallint,
  pack           numeric(40, 3) CHECK (pack > 0),
  least          numeric(40, 3) CHECK (least >= 0),
  removal_price  numeric(40, 6) CHECK (removal_price >= 0),
  picture        text,
  status         smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2)),
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, category_id) REFERENCES product_categories,
  FOREIGN KEY (tenant_id, receiver_bc) REFERENCES companies,
  FOREIGN KEY (tenant_id, receiver_store) REFERENCES stores,
  CHECK (receiver_bc IS NULL OR receiver_store IS NULL));
CREATE INDEX products_category ON products (tenant_id, category_id);
CREATE INDEX products_picture ON products (tenant_id, picture) WHERE picture IS NOT NULL;
SELECT protect('products');

-- What a product costs and is sold for from a day on; rows are only added.
CREATE TABLE product_prices (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  product_id uuid NOT NULL,
  -- Empty: in every branch that has none of its own.
  bc_id      uuid,
  from_on    date NOT NULL,
  price      numeric(40, 6) NOT NULL CHECK (price >= 0),
  cost       numeric(40, 6) CHECK (cost >= 0),
  reason     text NOT NULL,
  set_by     text NOT NULL,
  set_at     timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, product_id) REFERENCES products,
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
CREATE INDEX product_prices_day ON product_prices (tenant_id, product_id, bc_id, from_on DESC, id DESC);
SELECT protect('product_prices');
