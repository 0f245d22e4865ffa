-- What a consultant knows of a home before anybody signs: written for whoever will build it (docs/decisions/0661).
CREATE TABLE customer_briefs (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  customer_id uuid NOT NULL,
  taste       text NOT NULL DEFAULT '',
  people      text NOT NULL DEFAULT '',
  fears       text NOT NULL DEFAULT '',
  given       text NOT NULL DEFAULT '',
  changed_by  text NOT NULL,
  changed_at  timestamptz NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, customer_id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers);
SELECT protect('customer_briefs');

-- What was promised before the signature; with it each becomes a promise to the home.
CREATE TABLE customer_promises (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  customer_id uuid NOT NULL,
  content     text NOT NULL,
  subject     text NOT NULL CHECK (subject IN ('schedule', 'goods', 'quality', 'cost', 'attendance', 'other')),
  due         date NOT NULL,
  -- Who leads the site by this post answers for it from the signature on.
  post        smallint NOT NULL CHECK (post IN (1, 2)),
  author_id   uuid NOT NULL,
  made_at     timestamptz NOT NULL,
  state       text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'carried', 'withdrawn')),
  -- Why it was taken back.
  text        text NOT NULL DEFAULT '',
  promise_id  uuid,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users,
  FOREIGN KEY (tenant_id, promise_id) REFERENCES promises,
  CHECK ((state = 'carried') = (promise_id IS NOT NULL)));
CREATE INDEX customer_promises_of ON customer_promises (tenant_id, customer_id, made_at);
CREATE INDEX customer_promises_promise ON customer_promises (tenant_id, promise_id) WHERE promise_id IS NOT NULL;
SELECT protect('customer_promises');

-- The sheet that a signature makes of it for the site: what was known that day, until the steward has confirmed it.
CREATE TABLE handovers (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  bc_id         uuid NOT NULL,
  site_id       uuid NOT NULL,
  customer_id   uuid NOT NULL,
  -- As the customer says them: whoever follows them answers, in their store.
  store_id      uuid,
  consultant_id uuid,
  taste         text NOT NULL,
  people        text NOT NULL,
  fears         text NOT NULL,
  given         text NOT NULL,
  state         text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'asked', 'confirmed')),
  made_at       timestamptz NOT NULL,
  confirmed_by  text NOT NULL DEFAULT '',
  confirmed_at  timestamptz,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
  FOREIGN KEY (tenant_id, consultant_id) REFERENCES users,
  CHECK ((state = 'confirmed') = (confirmed_at IS NOT NULL)));
CREATE INDEX handovers_site ON handovers (tenant_id, site_id, made_at DESC);
CREATE INDEX handovers_customer ON handovers (tenant_id, customer_id, made_at DESC);
SELECT protect('handovers');
CREATE FUNCTION follow_handover() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE handovers h SET consultant_id = NEW.consultant_id, store_id = NEW.store_id
  -- A site of another branch is none of the consultant's any more.
  WHERE h.tenant_id = NEW.tenant_id AND h.customer_id = NEW.id AND h.bc_id = NEW.bc_id;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_handover AFTER UPDATE ON customers FOR EACH ROW
  WHEN ((OLD.consultant_id, OLD.store_id) IS DISTINCT FROM (NEW.consultant_id, NEW.store_id))
  EXECUTE FUNCTION follow_handover();

-- What the steward asked back, and what the consultant answered.
CREATE TABLE handover_questions (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  handover_id uuid NOT NULL,
  text        text NOT NULL,
  asked_by    text NOT NULL,
  asked_at    timestamptz NOT NULL,
  answer      text NOT NULL DEFAULT '',
  answered_by text NOT NULL DEFAULT '',
  answered_at timestamptz,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, handover_id) REFERENCES handovers ON DELETE CASCADE);
CREATE INDEX handover_questions_of ON handover_questions (tenant_id, handover_id, asked_at);
SELECT protect('handover_questions');

-- Which wording a customer was told when their number was written down; empty: nobody told them yet.
ALTER TABLE customers ADD notice text NOT NULL DEFAULT '';
