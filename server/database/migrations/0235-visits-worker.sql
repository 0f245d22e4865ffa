-- Somebody whom a camera took for a stranger may be one of the workers: the visit says who. Visits that were marked
-- before say only that it was one.
ALTER TABLE visits
  ADD COLUMN worker_id uuid,
  ADD FOREIGN KEY (tenant_id, worker_id) REFERENCES workers;
CREATE INDEX visits_worker ON visits (tenant_id, worker_id) WHERE worker_id IS NOT NULL;
