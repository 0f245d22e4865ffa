-- Papers of workers: what they are, how long they count, a picture. They go where the worker goes: a branch sees them
-- through the person.
CREATE TABLE worker_documents (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  worker_id   uuid NOT NULL,
  kind        text NOT NULL CHECK (kind IN
    ('identity', 'electrician', 'welder', 'heights', 'training', 'insurance', 'health', 'other')),
  number      text NOT NULL,
  picture     text,
  valid_until date,
  added_by    text NOT NULL,
  added_at    timestamptz NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, worker_id) REFERENCES workers ON DELETE CASCADE,
  UNIQUE (tenant_id, worker_id, kind, number));
CREATE INDEX worker_documents_picture ON worker_documents (tenant_id, picture) WHERE picture IS NOT NULL;
CREATE INDEX worker_documents_ends ON worker_documents (tenant_id, valid_until) WHERE valid_until IS NOT NULL;
SELECT protect('worker_documents');
