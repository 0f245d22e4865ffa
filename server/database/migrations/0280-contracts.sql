-- Contracts: of a quotation one that is live. What is kept beside them (total, paid, changes) is written in the
-- transaction that changes it.
CREATE TABLE contracts (
  tenant_id        uuid NOT NULL REFERENCES tenants(id),
  id               uuid NOT NULL,
  code             text NOT NULL,
  bc_id            uuid NOT NULL,
  store_id         uuid,
  customer_id      uuid NOT NULL,
  quotation_id     uuid NOT NULL,
  deposit_version  uuid,
  signed_version   uuid,
  owner_id         uuid,
  site_id          uuid,
  signing_progress smallint NOT NULL DEFAULT 1 CHECK (signing_progress IN (1, 2, 3)),
  state            text NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'void', 'ending', 'ended')),
  package_name     text NOT NULL,
  area             numeric(40, 2) NOT NULL,
  tax_percent      numeric(5, 2) NOT NULL,
  -- Of the version that it was made from, later of the one that was signed.
  base             numeric(40, 2) NOT NULL,
  bridge           jsonb,
  changed          numeric(40, 2) NOT NULL DEFAULT 0,
  total            numeric(40, 2) NOT NULL GENERATED ALWAYS AS (base + changed) STORED,
  paid             numeric(40, 2) NOT NULL DEFAULT 0,
  changes          int NOT NULL DEFAULT 0,
  signer           text NOT NULL DEFAULT '',
  signed_on        date,
  signed_by        text NOT NULL DEFAULT '',
  void_asked       boolean NOT NULL DEFAULT false,
  void_reason      text NOT NULL DEFAULT '',
  -- Its settlement, from the termination on.
  end_reason       text NOT NULL DEFAULT '',
  end_value        numeric(40, 2),
  end_by           text NOT NULL DEFAULT '',
  end_at           timestamptz,
  closed_at        timestamptz,
  made_by          uuid NOT NULL,
  made_at          timestamptz NOT NULL,
  version          int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, owner_id) REFERENCES owners,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users,
  CHECK ((signing_progress = 3) = (signed_on IS NOT NULL AND signed_version IS NOT NULL AND site_id IS NOT NULL)));
CREATE UNIQUE INDEX contracts_live ON contracts (tenant_id, quotation_id) WHERE state IN ('live', 'ending');
CREATE UNIQUE INDEX contracts_site ON contracts (tenant_id, site_id) WHERE state IN ('live', 'ending');
CREATE INDEX contracts_branch ON contracts (tenant_id, bc_id, state);
CREATE INDEX contracts_store ON contracts (tenant_id, store_id);
CREATE INDEX contracts_customer ON contracts (tenant_id, customer_id);
SELECT protect('contracts');

-- What is sold by it: every counting line of the signed version, and what approved changes brought.
CREATE TABLE contract_items (
  tenant_id          uuid NOT NULL REFERENCES tenants(id),
  id                 uuid NOT NULL,
  contract_id        uuid NOT NULL,
  -- The line of the quotation, or the change that brought it.
  line_id            uuid,
  change_id          uuid,
  sort               int NOT NULL,
  attribute          smallint NOT NULL CHECK (attribute IN (1, 2, 3, 4)),
  contract_attribute smallint NOT NULL CHECK (contract_attribute IN (1, 2)),
  room               text NOT NULL DEFAULT '',
  product_id         uuid,
  code               text NOT NULL DEFAULT '',
  name               text NOT NULL,
  detail             text NOT NULL DEFAULT '',
  unit               text NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('main', 'auxiliary', 'work', 'fee')),
  stage              text,
  receiver           uuid,
  receiver_name      text NOT NULL DEFAULT '',
  pack               numeric(40, 3),
  -- What the customer pays, and the whole packs that are ordered for it; with what no change has taken of both.
  quantity           numeric(40, 3) NOT NULL,
  left_over          numeric(40, 3) NOT NULL CHECK (left_over >= 0),
  ordered            numeric(40, 3) NOT NULL,
  ordered_left       numeric(40, 3) NOT NULL CHECK (ordered_left >= 0),
  price              numeric(40, 6) NOT NULL,
  package_price      numeric(40, 6),
  removal_price      numeric(40, 6),
  cost               numeric(40, 6),
  amount             numeric(40, 2) NOT NULL,
  remark             text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, product_id) REFERENCES products,
  CHECK ((line_id IS NULL) <> (change_id IS NULL)));
CREATE INDEX contract_items_contract ON contract_items (tenant_id, contract_id, sort);
SELECT protect('contract_items');

-- Money that came in; a row is never changed.
CREATE TABLE contract_receipts (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  contract_id uuid NOT NULL,
  code        text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('deposit', 'payment', 'kept', 'moved')),
  amount      numeric(40, 2) NOT NULL CHECK (amount > 0),
  method      text NOT NULL CHECK (method IN ('cash', 'card', 'transfer', 'wechat', 'alipay', 'other')),
  paid_on     date NOT NULL,
  payer       text NOT NULL,
  remark      text NOT NULL DEFAULT '',
  -- Of what was kept or moved: the refund that it belongs to.
  refund_id   uuid,
  user_id     uuid NOT NULL,
  user_name   text NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
CREATE INDEX contract_receipts_contract ON contract_receipts (tenant_id, contract_id);
SELECT protect('contract_receipts');

-- Money that goes out when it is approved; what it says is never changed.
CREATE TABLE contract_refunds (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  contract_id uuid NOT NULL,
  code        text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('deposit', 'refund', 'moved')),
  amount      numeric(40, 2) NOT NULL CHECK (amount > 0),
  kept        numeric(40, 2) NOT NULL DEFAULT 0 CHECK (kept >= 0 AND kept <= amount),
  kept_reason text NOT NULL DEFAULT '',
  method      text NOT NULL CHECK (method IN ('cash', 'card', 'transfer', 'wechat', 'alipay', 'other')),
  payee       text NOT NULL,
  reason      text NOT NULL,
  to_id       uuid,
  status      smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2, 3, 4)),
  user_id     uuid NOT NULL,
  user_name   text NOT NULL,
  at          timestamptz NOT NULL,
  judged      text NOT NULL DEFAULT '',
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, to_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
CREATE INDEX contract_refunds_contract ON contract_refunds (tenant_id, contract_id);
CREATE UNIQUE INDEX contract_refunds_waiting ON contract_refunds (tenant_id, contract_id) WHERE status = 1;
SELECT protect('contract_refunds');

CREATE TABLE contract_changes (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  contract_id uuid NOT NULL,
  code        text NOT NULL,
  status      smallint NOT NULL DEFAULT 1 CHECK (status IN (1, 2, 3, 4, 5)),
  reason      text NOT NULL,
  amount      numeric(40, 2) NOT NULL,
  user_id     uuid NOT NULL,
  user_name   text NOT NULL,
  at          timestamptz NOT NULL,
  judged      text NOT NULL DEFAULT '',
  judged_at   timestamptz,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
CREATE INDEX contract_changes_contract ON contract_changes (tenant_id, contract_id);
SELECT protect('contract_changes');

CREATE TABLE contract_change_lines (
  tenant_id          uuid NOT NULL REFERENCES tenants(id),
  id                 uuid NOT NULL,
  change_id          uuid NOT NULL,
  sort               int NOT NULL,
  attribute          smallint NOT NULL CHECK (attribute IN (2, 3, 4)),
  contract_attribute smallint NOT NULL CHECK (contract_attribute IN (1, 2)),
  item_id            uuid,
  product_id         uuid,
  code               text NOT NULL DEFAULT '',
  name               text NOT NULL,
  detail             text NOT NULL DEFAULT '',
  unit               text NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('main', 'auxiliary', 'work', 'fee')),
  stage              text,
  receiver           uuid,
  receiver_name      text NOT NULL DEFAULT '',
  pack               numeric(40, 3),
  quantity           numeric(40, 3) NOT NULL CHECK (quantity > 0),
  waste              numeric(5, 2) NOT NULL CHECK (waste BETWEEN 0 AND 100),
  priced             numeric(40, 3) NOT NULL,
  ordered            numeric(40, 3) NOT NULL,
  price              numeric(40, 6) NOT NULL CHECK (price >= 0),
  -- What a unit of the item costs that it changes.
  before             numeric(40, 6),
  cost               numeric(40, 6),
  amount             numeric(40, 2) NOT NULL,
  remark             text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, change_id) REFERENCES contract_changes,
  FOREIGN KEY (tenant_id, item_id) REFERENCES contract_items,
  FOREIGN KEY (tenant_id, product_id) REFERENCES products,
  CHECK ((attribute = 3) = (item_id IS NULL)));
CREATE INDEX contract_change_lines_change ON contract_change_lines (tenant_id, change_id, sort);
SELECT protect('contract_change_lines');
ALTER TABLE contract_items ADD FOREIGN KEY (tenant_id, change_id) REFERENCES contract_changes;

-- What is paid when: shares of what was signed, and each approved change by itself.
CREATE TABLE contract_instalments (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  contract_id uuid NOT NULL,
  sort        int NOT NULL,
  name        text NOT NULL,
  -- Due when this stage really starts; empty: when it is signed, or the change is approved.
  stage       text,
  percent     numeric(5, 2),
  change_id   uuid,
  amount      numeric(40, 2) NOT NULL,
  -- Of a change: the day of its approval.
  due_on      date,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, change_id) REFERENCES contract_changes,
  CHECK ((percent IS NULL) = (change_id IS NOT NULL)));
CREATE INDEX contract_instalments_contract ON contract_instalments (tenant_id, contract_id, sort);
SELECT protect('contract_instalments');

CREATE TABLE contract_files (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  contract_id uuid NOT NULL,
  key         text NOT NULL,
  name        text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('signed', 'kept', 'other')),
  user_name   text NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, key),
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts);
CREATE INDEX contract_files_contract ON contract_files (tenant_id, contract_id);
SELECT protect('contract_files');
