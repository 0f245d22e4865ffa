-- A quotation and its versions. What has been submitted never changes: the next version is another row.
CREATE TABLE quotations (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  code        text NOT NULL,
  bc_id       uuid NOT NULL,
  store_id    uuid,
  customer_id uuid NOT NULL,
  status      smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2, 3, 4, 5, 6)),
  -- Of its newest version.
  number      int NOT NULL DEFAULT 1,
  quoter_id   uuid NOT NULL,
  contract_id uuid,
  void_reason text NOT NULL DEFAULT '',
  created_at  timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL,
  changed_by  text NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
  FOREIGN KEY (tenant_id, quoter_id) REFERENCES users);
CREATE INDEX quotations_changed ON quotations (tenant_id, changed_at DESC, id);
CREATE INDEX quotations_branch ON quotations (tenant_id, bc_id, changed_at DESC, id);
CREATE INDEX quotations_store ON quotations (tenant_id, store_id, changed_at DESC, id);
CREATE INDEX quotations_customer ON quotations (tenant_id, customer_id);
SELECT protect('quotations');

CREATE TABLE quotation_versions (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  quotation_id  uuid NOT NULL,
  number        int NOT NULL,
  package_id    uuid,
  area          numeric(40, 2) NOT NULL CHECK (area >= 0),
  tax_percent   numeric(5, 2) NOT NULL CHECK (tax_percent BETWEEN 0 AND 100),
  valid_until   date NOT NULL,
  remark        text NOT NULL DEFAULT '',
  -- From the package to the total, as the lines gave it when they were written.
  package       numeric(40, 2) NOT NULL,
  removed       numeric(40, 2) NOT NULL,
  adjusted      numeric(40, 2) NOT NULL,
  added         numeric(40, 2) NOT NULL,
  discount      numeric(40, 2) NOT NULL,
  total         numeric(40, 2) NOT NULL,
  tax           numeric(40, 2) NOT NULL,
  per_square    numeric(40, 2),
  cost          numeric(40, 2) NOT NULL,
  uncosted      int NOT NULL,
  margin        numeric(40, 2),
  -- Submitted: from then on nothing of it changes but what became of it.
  submitted_at  timestamptz,
  submitted_id  uuid,
  submitted_by  text NOT NULL DEFAULT '',
  examine_state smallint CHECK (examine_state IN (0, 1, 2)),
  withdrawn     boolean NOT NULL DEFAULT false,
  judged_at     timestamptz,
  judged_by     text NOT NULL DEFAULT '',
  reason        text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, quotation_id, number),
  FOREIGN KEY (tenant_id, quotation_id) REFERENCES quotations ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, package_id) REFERENCES packages);
CREATE INDEX quotation_versions_package ON quotation_versions (tenant_id, package_id);
SELECT protect('quotation_versions');

-- A room, line or discount keeps its number over all versions of a quotation.
CREATE TABLE quotation_rooms (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  version_id uuid NOT NULL,
  id         uuid NOT NULL,
  sort       int NOT NULL,
  name       text NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('whole', 'living', 'bedroom', 'kitchen', 'bath', 'balcony', 'other')),
  floor      numeric(40, 2) NOT NULL CHECK (floor >= 0),
  perimeter  numeric(40, 2) NOT NULL CHECK (perimeter >= 0),
  height     numeric(40, 2) NOT NULL CHECK (height >= 0),
  openings   numeric(40, 2) NOT NULL CHECK (openings >= 0),
  PRIMARY KEY (tenant_id, version_id, id),
  FOREIGN KEY (tenant_id, version_id) REFERENCES quotation_versions ON DELETE CASCADE);
SELECT protect('quotation_rooms');

CREATE TABLE quotation_lines (
  tenant_id          uuid NOT NULL REFERENCES tenants(id),
  version_id         uuid NOT NULL,
  id                 uuid NOT NULL,
  sort               int NOT NULL,
  room_id            uuid,
  attribute          smallint NOT NULL CHECK (attribute IN (1, 2, 3, 4)),
  contract_attribute smallint NOT NULL CHECK (contract_attribute IN (1, 2)),
  item_id            uuid,
  product_id         uuid,
  code               text NOT NULL,
  name               text NOT NULL,
  detail             text NOT NULL,
  unit               text NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('main', 'auxiliary', 'work', 'fee')),
  stage              text,
  -- Who would be ordered from. It is no party yet: `receiver_id` would let it read the line (0150).
  supplier_id        uuid,
  supplier_name      text NOT NULL,
  quantity           numeric(40, 3) NOT NULL CHECK (quantity >= 0),
  waste              numeric(5, 2) NOT NULL CHECK (waste BETWEEN 0 AND 100),
  price              numeric(40, 6) NOT NULL CHECK (price >= 0),
  pack               numeric(40, 3),
  list_price         numeric(40, 6),
  package_price      numeric(40, 6),
  removal_price      numeric(40, 6),
  cost               numeric(40, 6) CHECK (cost >= 0),
  counts             boolean NOT NULL,
  remark             text NOT NULL,
  priced             numeric(40, 3) NOT NULL,
  ordered            numeric(40, 3) NOT NULL,
  amount             numeric(40, 2) NOT NULL,
  cost_amount        numeric(40, 2),
  PRIMARY KEY (tenant_id, version_id, id),
  FOREIGN KEY (tenant_id, version_id) REFERENCES quotation_versions ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, item_id) REFERENCES package_items,
  FOREIGN KEY (tenant_id, product_id) REFERENCES products);
CREATE INDEX quotation_lines_product ON quotation_lines (tenant_id, product_id);
CREATE INDEX quotation_lines_item ON quotation_lines (tenant_id, item_id);
SELECT protect('quotation_lines');

CREATE TABLE quotation_discounts (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  version_id uuid NOT NULL,
  id         uuid NOT NULL,
  sort       int NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('offer', 'rounding')),
  amount     numeric(40, 2) NOT NULL CHECK (amount >= 0),
  reason     text NOT NULL,
  PRIMARY KEY (tenant_id, version_id, id),
  FOREIGN KEY (tenant_id, version_id) REFERENCES quotation_versions ON DELETE CASCADE);
SELECT protect('quotation_discounts');

-- Who has a quotation open; a line that nobody renews says nothing.
CREATE TABLE quotation_editors (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  quotation_id uuid NOT NULL,
  user_id      uuid NOT NULL,
  since        timestamptz NOT NULL,
  seen_at      timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, quotation_id, user_id),
  FOREIGN KEY (tenant_id, quotation_id) REFERENCES quotations ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
SELECT protect('quotation_editors');
