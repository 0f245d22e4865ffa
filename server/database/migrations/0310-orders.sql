-- Goods on their way from an approved line to the site (docs/states.md, Pieces). A piece is a quantity in exactly one
-- place; every state above it is computed from pieces and written in the transaction that moves them.
CREATE TABLE orders (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  code           text NOT NULL,
  -- Its two parties: the branch whose site it is for, and the company or store that receives it.
  bc_id          uuid NOT NULL,
  receiver_id    uuid NOT NULL,
  receiver_name  text NOT NULL,
  bc_name        text NOT NULL,
  site_id        uuid NOT NULL,
  contract_id    uuid NOT NULL,
  -- Split off from this one by its receiver.
  parent_id      uuid,
  -- Orders of one receiver for several sites, placed together.
  batch          text NOT NULL DEFAULT '',
  receive_state  smallint NOT NULL DEFAULT 0 CHECK (receive_state IN (0, 1, 2)),
  -- Over before its time: recalled, released, withdrawn; closed is one whose remainder nobody ships.
  ended          text NOT NULL DEFAULT '' CHECK (ended IN ('', 'recalled', 'released', 'withdrawn', 'closed',
  'terminated')),
  method         smallint NOT NULL CHECK (method IN (1, 2, 3)),
  expected_on    date NOT NULL,
  remark         text NOT NULL DEFAULT '',
  -- How often it was put before the receiver, and why it was last refused.
  revision       int NOT NULL DEFAULT 1,
  reject_code    text NOT NULL DEFAULT '',
  reason         text NOT NULL DEFAULT '',
  -- What one party asked of the other and nobody has answered.
  ask            text NOT NULL DEFAULT '' CHECK (ask IN ('', 'withdraw', 'close')),
  ask_side       text NOT NULL DEFAULT '' CHECK (ask_side IN ('', 'buyer', 'receiver')),
  ask_reason     text NOT NULL DEFAULT '',
  ask_by         uuid,
  ask_name       text NOT NULL DEFAULT '',
  ask_at         timestamptz,
  -- What the receiver may know of the site.
  community      text NOT NULL DEFAULT '',
  address        text NOT NULL DEFAULT '',
  contact        text NOT NULL DEFAULT '',
  contact_phone  text NOT NULL DEFAULT '',
  made_by        uuid NOT NULL,
  made_name      text NOT NULL,
  made_at        timestamptz NOT NULL,
  due_at         timestamptz NOT NULL,
  answered_at    timestamptz,
  answered_by    text NOT NULL DEFAULT '',
  urged_at       timestamptz,
  -- Computed: of its pieces, of its lines.
  order_state    smallint CHECK (order_state BETWEEN 1 AND 7),
  lines          int NOT NULL DEFAULT 0,
  lines_accepted int NOT NULL DEFAULT 0,
  amount         numeric(40, 2) NOT NULL DEFAULT 0,
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, code),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, parent_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
CREATE INDEX orders_newest ON orders (tenant_id, made_at DESC, id DESC);
CREATE INDEX orders_branch ON orders (tenant_id, bc_id, made_at DESC, id DESC);
CREATE INDEX orders_receiver ON orders (tenant_id, receiver_id, receive_state, made_at DESC);
CREATE INDEX orders_site ON orders (tenant_id, site_id);
CREATE INDEX orders_due ON orders (tenant_id, due_at) WHERE receive_state = 0 AND ended = '';
SELECT protect('orders');

-- What was ordered, with the purchase price of that day.
CREATE TABLE order_lines (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  order_id    uuid NOT NULL,
  item_id     uuid NOT NULL,
  sort        int NOT NULL,
  code        text NOT NULL DEFAULT '',
  name        text NOT NULL,
  detail      text NOT NULL DEFAULT '',
  unit        text NOT NULL,
  stage       text,
  quantity    numeric(40, 3) NOT NULL CHECK (quantity >= 0),
  price       numeric(40, 6) NOT NULL,
  promised_on date,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, item_id) REFERENCES contract_items);
CREATE INDEX order_lines_order ON order_lines (tenant_id, order_id, sort);
CREATE INDEX order_lines_item ON order_lines (tenant_id, item_id);
SELECT protect('order_lines');

-- What was put before the receiver before the last resubmission, as it was then.
CREATE TABLE order_revisions (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  order_id  uuid NOT NULL,
  revision  int NOT NULL,
  content   jsonb NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, order_id, revision),
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders);
SELECT protect('order_revisions');

CREATE TABLE pieces (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  -- Of its contract: who sells in a store must know what of it is ordered before they change it.
  store_id     uuid,
  -- Of the order that it stands in; nobody's while it is open.
  receiver_id  uuid,
  contract_id  uuid NOT NULL,
  item_id      uuid NOT NULL,
  order_id     uuid,
  line_id      uuid,
  quantity     numeric(40, 3) NOT NULL CHECK (quantity > 0),
  place        text NOT NULL CHECK (place IN
    ('open', 'held', 'asked', 'ship', 'way', 'waiting', 'accepted', 'change', 'back', 'dropped')),
  -- acceptanceResult; nothing before it has shipped.
  result       smallint CHECK (result BETWEEN 0 AND 5),
  -- Of a shortage or an exchange: how far what comes instead is.
  replaced     text NOT NULL DEFAULT '' CHECK (replaced IN ('', 'ship', 'way')),
  -- The note that carries it or will; with what comes instead on another one.
  note_id      uuid,
  next_note_id uuid,
  change_id    uuid,
  round        int NOT NULL DEFAULT 0,
  -- How many times its quantity stands on the site unusable, and for how many of those a leg back is open.
  faulty       int NOT NULL DEFAULT 0 CHECK (faulty >= 0),
  legs         int NOT NULL DEFAULT 0 CHECK (legs BETWEEN 0 AND faulty),
  -- In what the contract orders; not once an equal piece has taken its place.
  counts       boolean NOT NULL DEFAULT true,
  -- Of what went back for good: the contract may be reduced by it.
  free         boolean NOT NULL DEFAULT false,
  order_state  smallint CHECK (order_state BETWEEN 1 AND 7),
  from_id      uuid,
  since        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contract_id) REFERENCES contracts,
  FOREIGN KEY (tenant_id, item_id) REFERENCES contract_items,
  FOREIGN KEY (tenant_id, order_id) REFERENCES orders,
  FOREIGN KEY (tenant_id, line_id) REFERENCES order_lines,
  CHECK ((place IN ('open', 'dropped')) OR order_id IS NOT NULL),
  CHECK (place <> 'open' OR (order_id IS NULL AND receiver_id IS NULL)),
  CHECK ((place = 'change') = (result IN (3, 4, 5) AND place <> 'back') OR place = 'back'),
  CHECK ((replaced = '') OR place = 'change'));
CREATE INDEX pieces_item ON pieces (tenant_id, item_id);
CREATE INDEX pieces_order ON pieces (tenant_id, order_id);
CREATE INDEX pieces_contract ON pieces (tenant_id, contract_id);
CREATE INDEX pieces_site ON pieces (tenant_id, site_id);
CREATE INDEX pieces_note ON pieces (tenant_id, note_id) WHERE note_id IS NOT NULL;
CREATE INDEX pieces_next_note ON pieces (tenant_id, next_note_id) WHERE next_note_id IS NOT NULL;
CREATE INDEX pieces_open ON pieces (tenant_id, bc_id, site_id, item_id) WHERE order_state = 1;
SELECT protect('pieces');

-- What left the receiver and what became of it on the way; a row is never changed.
CREATE TABLE goods_moves (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  item_id   uuid NOT NULL,
  piece_id  uuid NOT NULL,
  note_id   uuid,
  kind      text NOT NULL CHECK (kind IN ('shipped', 'short', 'lost', 'back', 'scrapped')),
  -- Below 0 where a finding was taken back.
  quantity  numeric(40, 3) NOT NULL CHECK (quantity <> 0),
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, item_id) REFERENCES contract_items);
CREATE INDEX goods_moves_item ON goods_moves (tenant_id, item_id);
SELECT protect('goods_moves');

-- How many pieces of a site stand in each state, kept with every change: cards and boards add these up. One row a site,
-- so that whoever moves goods of it waits for nobody but those who do the same.
CREATE TABLE piece_counts (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  site_id   uuid NOT NULL,
  bc_id     uuid NOT NULL,
  n1        int NOT NULL DEFAULT 0 CHECK (n1 >= 0),
  n2        int NOT NULL DEFAULT 0 CHECK (n2 >= 0),
  n3        int NOT NULL DEFAULT 0 CHECK (n3 >= 0),
  n4        int NOT NULL DEFAULT 0 CHECK (n4 >= 0),
  n5        int NOT NULL DEFAULT 0 CHECK (n5 >= 0),
  n6        int NOT NULL DEFAULT 0 CHECK (n6 >= 0),
  n7        int NOT NULL DEFAULT 0 CHECK (n7 >= 0),
  PRIMARY KEY (tenant_id, site_id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
CREATE INDEX piece_counts_branch ON piece_counts (tenant_id, bc_id);
SELECT protect('piece_counts');

-- The same at the end of a day, by branch and by whoever leads the site; nobody leads a site without a manager.
CREATE TABLE piece_days (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  bc_id      uuid NOT NULL,
  manager_id uuid,
  day        date NOT NULL,
  state      smallint NOT NULL CHECK (state BETWEEN 1 AND 7),
  count      int NOT NULL,
  late       int NOT NULL DEFAULT 0,
  UNIQUE NULLS NOT DISTINCT (tenant_id, day, bc_id, manager_id, state));
SELECT protect('piece_days');

-- When a site can take goods, and where they are unloaded: said by whoever leads it.
CREATE TABLE site_arrivals (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  site_id   uuid NOT NULL,
  bc_id     uuid NOT NULL,
  ready_on  date NOT NULL,
  place     text NOT NULL DEFAULT '',
  user_name text NOT NULL,
  at        timestamptz NOT NULL,
  version   int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, site_id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
SELECT protect('site_arrivals');

-- What the signed version leaves out of the package brings nothing: there is nothing of it to change or to order.
UPDATE contract_items i SET left_over = 0, ordered_left = 0 WHERE i.attribute = 4;

INSERT INTO pieces (tenant_id, id, bc_id, site_id, store_id, contract_id, item_id, quantity, place, order_state, since)
SELECT i.tenant_id, gen_random_uuid(), c.bc_id, c.site_id, c.store_id, c.id, i.id, i.ordered_left, 'open', 1, now()
FROM contract_items i
JOIN contracts c ON c.tenant_id = i.tenant_id AND c.id = i.contract_id
WHERE c.signing_progress = 3 AND c.state = 'live' AND i.kind IN ('main', 'auxiliary') AND i.ordered_left > 0;
INSERT INTO piece_counts (tenant_id, site_id, bc_id, n1)
SELECT p.tenant_id, p.site_id, p.bc_id, count(*)
FROM pieces p
GROUP BY 1, 2, 3;
