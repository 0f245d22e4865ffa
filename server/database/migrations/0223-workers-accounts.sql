-- A steward or manager among the workers is the same person as one account; what that account did is shown of them.
ALTER TABLE workers
  ADD COLUMN user_id uuid,
  ADD CONSTRAINT workers_user_id FOREIGN KEY (tenant_id, user_id) REFERENCES users;
CREATE UNIQUE INDEX workers_user ON workers (tenant_id, user_id) WHERE user_id IS NOT NULL AND deleted_at IS NULL;
