-- A customer is a lead until somebody signs: where it came from, who has it, what became of it (docs/decisions/0610).
ALTER TABLE customers
  ADD source text NOT NULL DEFAULT 'other'
    CHECK (source IN ('walkIn', 'call', 'online', 'introduced', 'channel', 'event', 'link', 'other')),
  ADD budget numeric(40, 2) CHECK (budget >= 0),
  ADD style text NOT NULL DEFAULT '',
  ADD held text NOT NULL DEFAULT 'pool' CHECK (held IN ('pool', 'assigned', 'lost', 'merged')),
  -- Why it is where it is, in words that the one who has it reads.
  ADD why text NOT NULL DEFAULT '',
  ADD held_at timestamptz,
  -- Somebody answers until then; empty once somebody has.
  ADD answer_due timestamptz,
  -- It goes back to the pool then, unless something is done; empty where it may stay.
  ADD back_due timestamptz,
  ADD lost_reason text CHECK (lost_reason IN ('price', 'rival', 'givenUp', 'later', 'silent', 'far', 'other')),
  -- Whoever does not want to hear from us is not called, and no list brings the number in again.
  ADD refuses boolean NOT NULL DEFAULT false,
  ADD merged_into uuid,
  -- Kept by triggers from what has happened.
  ADD step smallint NOT NULL DEFAULT 1 CHECK (step BETWEEN 1 AND 6),
  ADD followed_at timestamptz,
  ADD next_at timestamptz,
  ADD changed_at timestamptz,
  ADD CHECK ((held = 'lost') = (lost_reason IS NOT NULL)),
  ADD CHECK ((held = 'merged') = (merged_into IS NOT NULL)),
  ADD CHECK (held <> 'assigned' OR consultant_id IS NOT NULL),
  ADD FOREIGN KEY (tenant_id, merged_into) REFERENCES customers;
SET LOCAL app.tenant = '*';
UPDATE customers SET held = CASE WHEN consultant_id IS NULL THEN 'pool' ELSE 'assigned' END, held_at = created_at,
  changed_at = created_at;
ALTER TABLE customers ALTER held_at SET NOT NULL, ALTER changed_at SET NOT NULL;

-- Further people of a home: a couple is one customer with two telephones.
CREATE TABLE customer_contacts (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  customer_id uuid NOT NULL,
  name        text NOT NULL,
  relation    text NOT NULL CHECK (relation IN ('spouse', 'family', 'agent', 'other')),
  phone       text NOT NULL CHECK (phone <> ''),
  created_at  timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers);
CREATE INDEX customer_contacts_of ON customer_contacts (tenant_id, customer_id, created_at);
SELECT protect('customer_contacts');

-- Every number that is known in a branch, and whose it is: of customers and of their further people, not of what has
-- been merged away; a landline with a dash and without is one number. `of_branch` and no `bc_id`: a
-- number is taken also where its store is out of reach.
CREATE TABLE customer_numbers (
  tenant_id   uuid NOT NULL,
  of_branch   uuid NOT NULL,
  phone       text NOT NULL,
  customer_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, of_branch, phone));
COMMENT ON TABLE customer_numbers IS 'derived';
CREATE INDEX customer_numbers_of ON customer_numbers (tenant_id, customer_id);
CREATE INDEX customer_numbers_phone ON customer_numbers (tenant_id, phone);
SELECT protect('customer_numbers');
INSERT INTO customer_numbers (tenant_id, of_branch, phone, customer_id)
SELECT tenant_id, bc_id, replace(phone, '-', ''), id FROM customers
ON CONFLICT DO NOTHING;
DROP INDEX customers_phone;

CREATE FUNCTION number_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM customer_numbers n
    WHERE n.tenant_id = OLD.tenant_id AND n.of_branch = OLD.bc_id
      AND n.phone = replace(OLD.phone, '-', '') AND n.customer_id = OLD.id;
  END IF;
  IF NEW.merged_into IS NULL THEN
    INSERT INTO customer_numbers (tenant_id, of_branch, phone, customer_id)
    VALUES (NEW.tenant_id, NEW.bc_id, replace(NEW.phone, '-', ''), NEW.id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_numbered AFTER INSERT ON customers FOR EACH ROW EXECUTE FUNCTION number_customer();
CREATE TRIGGER customers_renumbered AFTER UPDATE ON customers FOR EACH ROW
  WHEN ((OLD.phone, OLD.bc_id, OLD.merged_into) IS DISTINCT FROM (NEW.phone, NEW.bc_id, NEW.merged_into))
  EXECUTE FUNCTION number_customer();

CREATE FUNCTION number_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM customer_numbers n
    WHERE n.tenant_id = OLD.tenant_id AND n.phone = replace(OLD.phone, '-', '') AND n.customer_id = OLD.customer_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO customer_numbers (tenant_id, of_branch, phone, customer_id)
    SELECT NEW.tenant_id, k.bc_id, replace(NEW.phone, '-', ''), NEW.customer_id
    FROM customers k
    WHERE k.tenant_id = NEW.tenant_id AND k.id = NEW.customer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER contacts_numbered AFTER INSERT OR UPDATE OR DELETE ON customer_contacts FOR EACH ROW
  EXECUTE FUNCTION number_contact();

-- What is planned with a customer, and what was done.
CREATE TABLE follow_ups (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  customer_id uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('phone', 'wechat', 'store', 'measure', 'other')),
  state       text NOT NULL CHECK (state IN ('planned', 'done', 'cancelled')),
  -- Planned for then, or done then.
  at          timestamptz NOT NULL,
  content     text NOT NULL DEFAULT '',
  result      text NOT NULL DEFAULT '',
  -- Whose it is; goes along when the customer is handed over.
  user_id     uuid NOT NULL,
  made_by     text NOT NULL,
  made_at     timestamptz NOT NULL,
  -- When it was written down as done or cancelled, and by whom.
  closed_at   timestamptz,
  closed_by   text NOT NULL DEFAULT '',
  -- Written down on a later day.
  late        boolean NOT NULL DEFAULT false,
  -- How often it was put off.
  moved       int NOT NULL DEFAULT 0,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  CHECK ((state = 'planned') = (closed_at IS NULL)));
CREATE INDEX follow_ups_of ON follow_ups (tenant_id, customer_id, at DESC);
CREATE INDEX follow_ups_planned ON follow_ups (tenant_id, at) WHERE state = 'planned';
CREATE INDEX follow_ups_user ON follow_ups (tenant_id, user_id, state, at);
SELECT protect('follow_ups');

-- The ledger: who had a customer from when on and why, and what became of it.
CREATE TABLE customer_events (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  customer_id uuid NOT NULL,
  act         text NOT NULL CHECK (act IN
    ('enter', 'claim', 'assign', 'hand', 'back', 'lose', 'revive', 'merge', 'refuse', 'accept', 'own', 'edit')),
  actor       text NOT NULL,
  from_id     uuid,
  to_id       uuid,
  text        text NOT NULL DEFAULT '',
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customers);
CREATE INDEX customer_events_of ON customer_events (tenant_id, customer_id, at);
CREATE INDEX customer_events_lost ON customer_events (tenant_id, from_id, at) WHERE act IN ('back', 'lose', 'hand');
CREATE INDEX customer_events_given ON customer_events (tenant_id, to_id, at DESC) WHERE act = 'assign';
SELECT protect('customer_events');
INSERT INTO customer_events (tenant_id, id, customer_id, act, actor, to_id, at)
SELECT tenant_id, gen_random_uuid(), id, 'enter', '', consultant_id, created_at FROM customers;

-- Whose telephone was read by whom, and which numbers were asked for: what may be done so often a day is counted here.
CREATE TABLE customer_looks (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  user_id     uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('number', 'elsewhere')),
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
CREATE INDEX customer_looks_of ON customer_looks (tenant_id, user_id, kind, at);
CREATE INDEX customer_looks_old ON customer_looks (at);
SELECT protect('customer_looks');

-- How many are to be signed in a month: by the branch, a store of it, a consultant of it.
CREATE TABLE signing_targets (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  bc_id         uuid NOT NULL,
  store_id      uuid,
  consultant_id uuid,
  month         date NOT NULL CHECK (extract(day FROM month) = 1),
  people        int NOT NULL CHECK (people >= 0),
  money         numeric(40, 2) NOT NULL CHECK (money >= 0),
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, consultant_id) REFERENCES users);
CREATE UNIQUE INDEX signing_targets_one ON signing_targets (tenant_id, month, bc_id, store_id, consultant_id)
  NULLS NOT DISTINCT;
SELECT protect('signing_targets');

-- What has happened gives the step; no hand sets it (docs/decisions/0610). Money that is given back takes it back.
CREATE FUNCTION step_customer(tenant uuid, customer uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE customers k SET step = x.step, followed_at = x.followed_at, next_at = x.next_at
  FROM (
    SELECT
      CASE
        WHEN c.signed = 3 THEN 6
        WHEN c.signed = 2 THEN 5
        WHEN EXISTS (SELECT FROM quotations q
          WHERE q.tenant_id = tenant AND q.customer_id = customer AND q.status IN (3, 5)) THEN 4
        WHEN f.seen THEN 3
        WHEN f.followed_at IS NOT NULL THEN 2
        ELSE 1
      END::smallint AS step,
      f.followed_at, f.next_at
    FROM (
      SELECT max(n.signing_progress) AS signed
      FROM contracts n
      WHERE n.tenant_id = tenant AND n.customer_id = customer AND n.state NOT IN ('void', 'ended')) c
    CROSS JOIN (
      SELECT max(g.at) FILTER (WHERE g.state = 'done') AS followed_at,
        coalesce(bool_or(g.state = 'done' AND g.kind IN ('store', 'measure')), false) AS seen,
        min(g.at) FILTER (WHERE g.state = 'planned') AS next_at
      FROM follow_ups g
      WHERE g.tenant_id = tenant AND g.customer_id = customer) f) x
  WHERE k.tenant_id = tenant AND k.id = customer
    AND (k.step, k.followed_at, k.next_at) IS DISTINCT FROM (x.step, x.followed_at, x.next_at)
$$;
CREATE FUNCTION step_its_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR OLD.customer_id <> NEW.customer_id) THEN
    PERFORM step_customer(OLD.tenant_id, OLD.customer_id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM step_customer(NEW.tenant_id, NEW.customer_id);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER follow_ups_step AFTER INSERT OR UPDATE OR DELETE ON follow_ups FOR EACH ROW
  EXECUTE FUNCTION step_its_customer();
CREATE TRIGGER quotations_step AFTER INSERT OR DELETE OR UPDATE OF status, customer_id ON quotations FOR EACH ROW
  EXECUTE FUNCTION step_its_customer();
CREATE TRIGGER contracts_step AFTER INSERT OR DELETE OR UPDATE OF signing_progress, state, customer_id ON contracts
  FOR EACH ROW EXECUTE FUNCTION step_its_customer();
SELECT step_customer(tenant_id, id) FROM customers;

-- The list and its board: who has what, what is due, what is new.
CREATE INDEX customers_new ON customers (tenant_id, created_at DESC, id) WHERE held <> 'merged';
CREATE INDEX customers_branch ON customers (tenant_id, bc_id, created_at DESC, id) WHERE held <> 'merged';
DROP INDEX customers_store;
CREATE INDEX customers_store ON customers (tenant_id, store_id, created_at DESC, id) WHERE held <> 'merged';
CREATE INDEX customers_consultant ON customers (tenant_id, consultant_id, next_at) WHERE held = 'assigned';
CREATE INDEX customers_answer ON customers (tenant_id, answer_due) WHERE answer_due IS NOT NULL;
CREATE INDEX customers_back ON customers (tenant_id, back_due) WHERE back_due IS NOT NULL;
CREATE INDEX customers_community ON customers (tenant_id, bc_id, community) WHERE held = 'assigned' AND community <> '';
CREATE INDEX customers_merged ON customers (tenant_id, merged_into) WHERE merged_into IS NOT NULL;
