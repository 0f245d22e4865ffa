-- Papers of what is owed: put before the receiver, agreed by both, paid (docs/states.md, statementActions). One of the
-- whole group names no branch: its bc_id is the nil uuid, which no branch's reach contains.
CREATE TABLE statements (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  code          text NOT NULL,
  bc_id         uuid NOT NULL,
  receiver_id   uuid NOT NULL,
  receiver_name text NOT NULL,
  bc_name       text NOT NULL,
  -- Its first day.
  month         date NOT NULL CHECK (extract(day FROM month) = 1),
  state         text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sent', 'disputed', 'agreed', 'dropped')),
  round         int NOT NULL DEFAULT 1,
  made_by       uuid NOT NULL,
  made_name     text NOT NULL,
  made_at       timestamptz NOT NULL,
  sent_by       uuid,
  sent_name     text NOT NULL DEFAULT '',
  sent_at       timestamptz,
  answered_name text NOT NULL DEFAULT '',
  answered_at   timestamptz,
  reason        text NOT NULL DEFAULT '',
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, made_by) REFERENCES users,
  FOREIGN KEY (tenant_id, sent_by) REFERENCES users);
CREATE UNIQUE INDEX statements_one ON statements (tenant_id, receiver_id, month, bc_id) WHERE state <> 'dropped';
CREATE INDEX statements_branch ON statements (tenant_id, bc_id, month DESC);
CREATE INDEX statements_newest ON statements (tenant_id, month DESC, code DESC);
SELECT protect('statements');
ALTER TABLE owed_lines ADD FOREIGN KEY (tenant_id, statement_id) REFERENCES statements;
-- The month that a line is one of, by its first day: that in which it was written, or the one that a line by hand is
-- about.
ALTER TABLE owed_lines ADD COLUMN month date;
SET LOCAL app.tenant = '*';
UPDATE owed_lines SET month = date_trunc('month', at AT TIME ZONE 'Asia/Shanghai')::date;
ALTER TABLE owed_lines ALTER COLUMN month SET NOT NULL;
CREATE INDEX owed_lines_month ON owed_lines (tenant_id, receiver_id, month);

-- What the receiver said against a line; of the last round while it stands.
CREATE TABLE statement_objections (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  statement_id uuid NOT NULL,
  round        int NOT NULL,
  -- The first of the lines of the ledger that the paper shows as one.
  line_id      uuid NOT NULL,
  bc_id        uuid NOT NULL,
  receiver_id  uuid NOT NULL,
  words        text NOT NULL,
  PRIMARY KEY (tenant_id, statement_id, round, line_id),
  FOREIGN KEY (tenant_id, statement_id) REFERENCES statements,
  FOREIGN KEY (tenant_id, line_id) REFERENCES owed_lines);
SELECT protect('statement_objections');

-- Lines by hand, each approved by an examiner before it is owed.
CREATE TABLE owed_charges (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  code          text NOT NULL,
  bc_id         uuid NOT NULL,
  receiver_id   uuid NOT NULL,
  receiver_name text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('freight', 'broken', 'difference', 'fine', 'other')),
  side          text NOT NULL CHECK (side IN ('take', 'add')),
  amount        numeric(40, 2) NOT NULL CHECK (amount > 0),
  reason        text NOT NULL,
  -- The month that it is about: its first day.
  month         date NOT NULL CHECK (extract(day FROM month) = 1),
  state         text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn')),
  made_by       uuid NOT NULL,
  made_name     text NOT NULL,
  made_at       timestamptz NOT NULL,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX owed_charges_waiting ON owed_charges (tenant_id, receiver_id) WHERE state = 'waiting';
SELECT protect('owed_charges');
ALTER TABLE owed_lines ADD FOREIGN KEY (tenant_id, charge_id) REFERENCES owed_charges;

-- What was paid to a receiver, or by one who owed; registered, reversed, never edited.
CREATE TABLE owed_payments (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  code           text NOT NULL,
  statement_id   uuid NOT NULL,
  bc_id          uuid NOT NULL,
  receiver_id    uuid NOT NULL,
  -- Below 0 where the receiver paid.
  amount         numeric(40, 2) NOT NULL CHECK (amount <> 0),
  method         text NOT NULL,
  paid_on        date NOT NULL,
  payee          text NOT NULL,
  remark         text NOT NULL DEFAULT '',
  made_by        uuid NOT NULL,
  made_name      text NOT NULL,
  at             timestamptz NOT NULL,
  reversed_at    timestamptz,
  reversed_name  text NOT NULL DEFAULT '',
  reverse_reason text NOT NULL DEFAULT '',
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, statement_id) REFERENCES statements,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX owed_payments_statement ON owed_payments (tenant_id, statement_id);
CREATE INDEX owed_payments_receiver ON owed_payments (tenant_id, receiver_id, paid_on);
SELECT protect('owed_payments');

-- Goods that came back damaged: the sum that the receiver asks for, and whether an examiner decides about it.
ALTER TABLE logistics ADD COLUMN damage numeric(40, 2) NOT NULL DEFAULT 0 CHECK (damage >= 0);
ALTER TABLE logistics ADD COLUMN dispute text NOT NULL DEFAULT '' CHECK (dispute IN ('', 'asked', 'decided'));
UPDATE logistics SET dispute = 'decided' WHERE disputed <> '';
ALTER TABLE examine_requests DROP CONSTRAINT examine_requests_kind_check;
ALTER TABLE examine_requests ADD CONSTRAINT examine_requests_kind_check
  CHECK (kind IN ('quotation', 'change', 'refund', 'void', 'goods', 'charge', 'grade'));
