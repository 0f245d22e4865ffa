-- What people agreed to or refused: who, to what, how, when, in which scope, with which proof, and when they took it
-- back. It goes where its subject goes: a branch sees it through the person.
CREATE TABLE consents (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('face')),
  subject_type   text NOT NULL CHECK (subject_type IN ('worker')),
  subject_id     uuid NOT NULL,
  state          smallint NOT NULL CHECK (state BETWEEN 1 AND 3),
  how            text NOT NULL CHECK (how IN ('written', 'spoken', 'electronic')),
  answered_on    date NOT NULL,
  scope          text NOT NULL,
  proof          text,
  recorded_by    text NOT NULL,
  recorded_at    timestamptz NOT NULL,
  withdrawn_by   text,
  withdrawn_at   timestamptz,
  withdrawn_why  text,
  PRIMARY KEY (tenant_id, id),
  CHECK ((state = 3) = (withdrawn_at IS NOT NULL)),
  CHECK (num_nulls(withdrawn_by, withdrawn_at, withdrawn_why) IN (0, 3)));
CREATE UNIQUE INDEX consents_given ON consents (tenant_id, kind, subject_type, subject_id) WHERE state = 1;
CREATE INDEX consents_newest ON consents (tenant_id, subject_id, kind, recorded_at DESC, id DESC);
CREATE INDEX consents_proof ON consents (tenant_id, proof) WHERE proof IS NOT NULL;
SELECT protect('consents');

-- A face that was kept before has no consent of this kind, and none is made up for it: it waits for one to be recorded
-- (待补同意). What stood beside the face stays readable for the release before; this one keeps a face without it.
ALTER TABLE workers DROP CONSTRAINT workers_check;
