-- What people ask about what is kept of them, and what became of it (docs/decisions/0660).
CREATE TABLE person_requests (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  no           text NOT NULL,
  ask          text NOT NULL CHECK (ask IN ('erase', 'collect')),
  kind         text NOT NULL CHECK (kind IN ('owner', 'customer', 'worker', 'visitor')),
  -- A contact of a home, a customer, a worker, a visit.
  subject_id   uuid NOT NULL,
  -- Gone once it is executed.
  name         text NOT NULL,
  words        text NOT NULL,
  state        text NOT NULL DEFAULT 'received' CHECK (state IN
    ('received', 'verified', 'restricted', 'executed', 'refused')),
  -- The home's device on which it was asked.
  device_id    uuid,
  proved_by    text CHECK (proved_by IN ('device', 'paper')),
  -- Of the paper that was signed.
  picture      text,
  due          date NOT NULL,
  received_by  text NOT NULL,
  received_at  timestamptz NOT NULL,
  verified_id  uuid,
  verified_by  text NOT NULL DEFAULT '',
  verified_at  timestamptz,
  executed_by  text NOT NULL DEFAULT '',
  executed_at  timestamptz,
  refused_for  text NOT NULL DEFAULT '',
  -- What went, kind by kind, and a digest over it; no values.
  done         jsonb NOT NULL DEFAULT '[]',
  digest       text NOT NULL DEFAULT '',
  -- Names and numbers of a restricted person, sealed: they stand nowhere else any more.
  aside        text NOT NULL DEFAULT '',
  version      int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, no),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  CHECK ((proved_by IS NULL) = (verified_at IS NULL)),
  CHECK ((state = 'executed') = (executed_at IS NOT NULL)),
  CHECK (aside = '' OR state = 'restricted'));
-- One request of a kind at a time.
CREATE UNIQUE INDEX person_requests_open ON person_requests (tenant_id, subject_id, ask)
  WHERE state IN ('received', 'verified', 'restricted');
CREATE INDEX person_requests_time ON person_requests (tenant_id, received_at DESC, id);
CREATE INDEX person_requests_state ON person_requests (tenant_id, state, due);
SELECT protect('person_requests');

-- What was erased, by numbers alone: a database of before is made to forget it again before it is opened.
CREATE TABLE erasures (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  at        timestamptz NOT NULL,
  -- Ids of a person's records by their kind, and what kept some of them.
  of        jsonb NOT NULL,
  bars      text[] NOT NULL DEFAULT '{}',
  -- In the journal beside the database.
  written   boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, id));
CREATE INDEX erasures_unwritten ON erasures (tenant_id, at) WHERE NOT written;
SELECT protect('erasures');

-- Keyed digests of the numbers of people who never signed and asked to be forgotten: no list brings them in again.
CREATE TABLE barred_numbers (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  digest    text NOT NULL,
  at        timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, digest));
SELECT protect('barred_numbers');

-- The words of a person taken out of what somebody wrote.
CREATE FUNCTION without_words(said text, words text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE word text;
BEGIN
  FOREACH word IN ARRAY words LOOP
    said := replace(said, word, '已删除');
  END LOOP;
  RETURN said;
END $$;
CREATE FUNCTION has_word(said text, words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT EXISTS (SELECT FROM unnest(words) w WHERE position(w IN said) > 0) $$;

-- A number that is gone is nobody's.
CREATE OR REPLACE FUNCTION number_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM customer_numbers n
    WHERE n.tenant_id = OLD.tenant_id AND n.of_branch = OLD.bc_id
      AND n.phone = replace(OLD.phone, '-', '') AND n.customer_id = OLD.id;
  END IF;
  IF NEW.merged_into IS NULL AND NEW.phone <> '' THEN
    INSERT INTO customer_numbers (tenant_id, of_branch, phone, customer_id)
    VALUES (NEW.tenant_id, NEW.bc_id, replace(NEW.phone, '-', ''), NEW.id);
  END IF;
  RETURN NULL;
END $$;

-- Whose name the contract bears, where it stands nowhere else any more: the law keeps it there.
ALTER TABLE contracts ADD kept_name text NOT NULL DEFAULT '', ADD kept_phone text NOT NULL DEFAULT '';
