-- One trip of a driver: stops in order, each of them a note.
CREATE TABLE trips (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  code         text NOT NULL,
  bc_id        uuid NOT NULL,
  receiver_id  uuid NOT NULL,
  day          date NOT NULL,
  driver       text NOT NULL DEFAULT '',
  driver_phone text NOT NULL DEFAULT '',
  plate        text NOT NULL DEFAULT '',
  made_by      uuid NOT NULL,
  made_at      timestamptz NOT NULL,
  version      int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX trips_day ON trips (tenant_id, day);
SELECT protect('trips');

-- A delivery note: what leaves the receiver together (docs/states.md, Dispatch). Once it has arrived it is also the
-- sheet
-- on which it is accepted.
CREATE TABLE dispatches (
  tenant_id       uuid NOT NULL REFERENCES tenants(id),
  id              uuid NOT NULL,
  code            text NOT NULL,
  bc_id           uuid NOT NULL,
  receiver_id     uuid NOT NULL,
  site_id         uuid NOT NULL,
  order_id        uuid NOT NULL,
  -- logisticsType of its way: 1 ordered goods, 2 what was short, 3 what is exchanged.
  kind            smallint NOT NULL DEFAULT 1 CHECK (kind IN (1, 2, 3)),
  state           smallint NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2, 3, 4, 5)),
  -- The rest of this one, or what comes instead of what it brought.
  parent_id       uuid,
  change_id       uuid,
  method          smallint NOT NULL CHECK (method IN (1, 2, 3)),
  planned_on      date,
  address         text NOT NULL DEFAULT '',
  contact         text NOT NULL DEFAULT '',
  contact_phone   text NOT NULL DEFAULT '',
  -- The hours in which it can be unloaded, in words.
  window_text     text NOT NULL DEFAULT '',
  trip_id         uuid,
  stop            int,
  pickup_store    text NOT NULL DEFAULT '',
  pickup_code     text NOT NULL DEFAULT '',
  pickup_until    date,
  carrier         text NOT NULL DEFAULT '',
  waybill         text NOT NULL DEFAULT '',
  made_name       text NOT NULL,
  made_at         timestamptz NOT NULL,
  shipped_name    text NOT NULL DEFAULT '',
  shipped_at      timestamptz,
  delivered_name  text NOT NULL DEFAULT '',
  delivered_at    timestamptz,
  -- Who took it over, where, with what picture; a signature is a picture too.
  delivered_place text NOT NULL DEFAULT '',
  lng             double precision,
  lat             double precision,
  photo           text,
  signature       text,
  reason          text NOT NULL DEFAULT '',
  -- The acceptance sheet: its number from the arrival on; the rest is computed from what became of its pieces.
  sheet_code      text NOT NULL DEFAULT '',
  check_state     smallint CHECK (check_state IN (0, 1, 2)),
  lines           int NOT NULL DEFAULT 0,
  lines_checked   int NOT NULL DEFAULT 0,
  checked_by      text NOT NULL DEFAULT '',
  checked_at      timestamptz,
  version         int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, parent_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, trip_id) REFERENCES trips);
CREATE UNIQUE INDEX dispatches_sheet ON dispatches (tenant_id, sheet_code) WHERE sheet_code <> '';
CREATE INDEX dispatches_newest ON dispatches (tenant_id, made_at DESC, id DESC);
CREATE INDEX dispatches_branch ON dispatches (tenant_id, bc_id, made_at DESC, id DESC);
CREATE INDEX dispatches_receiver ON dispatches (tenant_id, receiver_id, made_at DESC);
CREATE INDEX dispatches_order ON dispatches (tenant_id, order_id);
CREATE INDEX dispatches_site ON dispatches (tenant_id, site_id);
CREATE INDEX dispatches_planned ON dispatches (tenant_id, planned_on) WHERE state IN (0, 2);
SELECT protect('dispatches');

-- What a note carried when it left, piece by piece; a piece that is split later is split here too.
CREATE TABLE carried (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  note_id   uuid NOT NULL,
  piece_id  uuid NOT NULL,
  line_id   uuid NOT NULL,
  quantity  numeric(40, 3) NOT NULL CHECK (quantity > 0),
  -- What of it has been judged since it arrived.
  checked   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, note_id, piece_id),
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, piece_id) REFERENCES pieces);
CREATE INDEX carried_piece ON carried (tenant_id, piece_id);
SELECT protect('carried');

CREATE TABLE logistics (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  code        text NOT NULL,
  bc_id       uuid NOT NULL,
  receiver_id uuid NOT NULL,
  site_id     uuid NOT NULL,
  order_id    uuid NOT NULL,
  type        smallint NOT NULL CHECK (type BETWEEN 0 AND 5),
  progress    smallint NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 3),
  status      smallint NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 4),
  note_id     uuid,
  change_id   uuid,
  parent_id   uuid,
  carrier     text NOT NULL DEFAULT '',
  waybill     text NOT NULL DEFAULT '',
  expected_on date,
  node_text   text NOT NULL DEFAULT '',
  node_at     timestamptz,
  signed_by   text NOT NULL DEFAULT '',
  signed_at   timestamptz,
  -- Of goods that came back.
  grade       text NOT NULL DEFAULT '' CHECK (grade IN ('', 'good', 'damaged')),
  grade_reason text NOT NULL DEFAULT '',
  disputed    text NOT NULL DEFAULT '',
  made_at     timestamptz NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, note_id) REFERENCES dispatches,
  FOREIGN KEY (tenant_id, parent_id) REFERENCES logistics);
CREATE INDEX logistics_newest ON logistics (tenant_id, made_at DESC, id DESC);
CREATE INDEX logistics_branch ON logistics (tenant_id, bc_id, made_at DESC, id DESC);
CREATE INDEX logistics_receiver ON logistics (tenant_id, receiver_id, made_at DESC);
CREATE INDEX logistics_note ON logistics (tenant_id, note_id);
CREATE INDEX logistics_change ON logistics (tenant_id, change_id) WHERE change_id IS NOT NULL;
CREATE INDEX logistics_waybill ON logistics (tenant_id, carrier, waybill) WHERE waybill <> '';
SELECT protect('logistics');

CREATE TABLE logistics_nodes (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  logistics_id uuid NOT NULL,
  -- When it happened, and when we heard of it.
  at           timestamptz NOT NULL,
  heard_at     timestamptz NOT NULL,
  source       text NOT NULL CHECK (source IN ('system', 'person', 'driver', 'carrier')),
  title        text NOT NULL,
  place        text NOT NULL DEFAULT '',
  user_name    text NOT NULL DEFAULT '',
  -- Of a carrier: its own number, which comes once.
  event        text,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, logistics_id) REFERENCES logistics);
CREATE UNIQUE INDEX logistics_nodes_event ON logistics_nodes (tenant_id, logistics_id, event) WHERE event IS NOT NULL;
CREATE INDEX logistics_nodes_of ON logistics_nodes (tenant_id, logistics_id, at);
SELECT protect('logistics_nodes');

-- Addresses that open without an account (docs/product.md, Links): only the hash of the secret is kept.
CREATE TABLE links (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('driver')),
  target_id  uuid NOT NULL,
  hash       bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Openings that are allowed; null without limit.
  most       int,
  openings   int NOT NULL DEFAULT 0,
  password   text,
  revoked_at timestamptz,
  made_by    uuid NOT NULL,
  made_name  text NOT NULL,
  made_at    timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE UNIQUE INDEX links_hash ON links (hash);
CREATE INDEX links_target ON links (tenant_id, kind, target_id);
SELECT protect('links');

-- One device in thirty minutes is one opening, counted when its page says that it is painted.
CREATE TABLE link_openings (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  link_id   uuid NOT NULL,
  device    text NOT NULL,
  ip        text NOT NULL,
  agent     text NOT NULL,
  at        timestamptz NOT NULL,
  last_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, link_id) REFERENCES links ON DELETE CASCADE);
CREATE INDEX link_openings_of ON link_openings (tenant_id, link_id, device, last_at);
SELECT protect('link_openings');
