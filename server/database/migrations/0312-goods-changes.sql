-- What was found wrong with goods on the site, and what becomes of it (docs/states.md, Acceptance).
CREATE TABLE goods_changes (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  code          text NOT NULL,
  bc_id         uuid NOT NULL,
  receiver_id   uuid NOT NULL,
  site_id       uuid NOT NULL,
  order_id      uuid NOT NULL,
  line_id       uuid NOT NULL,
  note_id       uuid NOT NULL,
  -- acceptanceResult that it asks for: 3, 4 or 5; surplus goods are a change of their own.
  result        smallint CHECK (result IN (3, 4, 5)),
  surplus       boolean NOT NULL DEFAULT false,
  quantity      numeric(40, 3) NOT NULL CHECK (quantity > 0),
  reason_code   text NOT NULL,
  reason        text NOT NULL,
  photos        text[] NOT NULL DEFAULT '{}',
  round         int NOT NULL DEFAULT 1,
  -- Found after it had been accepted.
  late          boolean NOT NULL DEFAULT false,
  examine_state smallint NOT NULL DEFAULT 0 CHECK (examine_state IN (0, 1, 2)),
  -- open until nothing of it is left to do.
  state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'unsolved', 'withdrawn', 'rejected')),
  -- What the receiver says to it.
  answer        text NOT NULL DEFAULT '' CHECK (answer IN ('', 'agree', 'dispute')),
  answer_reason text NOT NULL DEFAULT '',
  answer_photos text[] NOT NULL DEFAULT '{}',
  answer_name   text NOT NULL DEFAULT '',
  answer_at     timestamptz,
  answer_due    timestamptz NOT NULL,
  -- Of a return: again ordered, reduced from the contract, or borne by us; of a surplus: back or bought.
  outcome       text NOT NULL DEFAULT '' CHECK (outcome IN ('', 'again', 'reduce', 'borne', 'back', 'bought')),
  outcome_reason text NOT NULL DEFAULT '',
  scrap         boolean NOT NULL DEFAULT false,
  clip_key      text,
  clip_hold     uuid,
  made_by       uuid NOT NULL,
  made_name     text NOT NULL,
  made_at       timestamptz NOT NULL,
  closed_at     timestamptz,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines,
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX goods_changes_newest ON goods_changes (tenant_id, made_at DESC, id DESC);
CREATE INDEX goods_changes_branch ON goods_changes (tenant_id, bc_id, made_at DESC, id DESC);
CREATE INDEX goods_changes_receiver ON goods_changes (tenant_id, receiver_id, made_at DESC);
CREATE INDEX goods_changes_order ON goods_changes (tenant_id, order_id);
CREATE INDEX goods_changes_open ON goods_changes (tenant_id, bc_id) WHERE state = 'open';
SELECT protect('goods_changes');

-- The pieces that a change is about; one that is split later is split here too.
CREATE TABLE change_pieces (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  change_id uuid NOT NULL,
  piece_id  uuid NOT NULL,
  quantity  numeric(40, 3) NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (tenant_id, change_id, piece_id),
  FOREIGN KEY (tenant_id, change_id) REFERENCES goods_changes,
  FOREIGN KEY (tenant_id, piece_id) REFERENCES pieces);
CREATE INDEX change_pieces_piece ON change_pieces (tenant_id, piece_id);
SELECT protect('change_pieces');

-- What somebody judged on a sheet, in the order of judging; a row is never changed.
CREATE TABLE judgements (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  note_id     uuid NOT NULL,
  line_id     uuid NOT NULL,
  piece_id    uuid NOT NULL,
  quantity    numeric(40, 3) NOT NULL CHECK (quantity > 0),
  result      smallint NOT NULL CHECK (result IN (2, 3, 4, 5)),
  reason_code text NOT NULL DEFAULT '',
  reason      text NOT NULL DEFAULT '',
  photos      text[] NOT NULL DEFAULT '{}',
  change_id   uuid,
  user_name   text NOT NULL,
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines,
  FOREIGN KEY (tenant_id, piece_id) REFERENCES pieces,
  FOREIGN KEY (tenant_id, change_id) REFERENCES goods_changes);
CREATE INDEX judgements_note ON judgements (tenant_id, note_id);
SELECT protect('judgements');

ALTER TABLE examine_requests DROP CONSTRAINT examine_requests_kind_check;
ALTER TABLE examine_requests ADD CONSTRAINT examine_requests_kind_check
  CHECK (kind IN ('quotation', 'change', 'refund', 'void', 'goods'));
