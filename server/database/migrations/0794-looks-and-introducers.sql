-- Whoever asks whether a number is known, or looks for one in their own list, learns who is a customer: counted as
-- well, the same number once a day, by a digest that nobody can try numbers on.
ALTER TABLE customer_looks DROP CONSTRAINT customer_looks_kind_check;
SET LOCAL app.tenant = '*';
UPDATE customer_looks SET kind = 'asked' WHERE kind = 'elsewhere';
ALTER TABLE customer_looks
  ADD CONSTRAINT customer_looks_kind_check CHECK (kind IN ('number', 'asked', 'search', 'import')),
  ADD digest text,
  -- Of an import: how many of its numbers were known.
  ADD n int NOT NULL DEFAULT 1 CHECK (n > 0);

-- Who brought them: a customer of the branch, most often one whose home we have built.
ALTER TABLE customers
  ADD introducer_id uuid,
  ADD FOREIGN KEY (tenant_id, introducer_id) REFERENCES customers,
  ADD CHECK (introducer_id <> id);
CREATE INDEX customers_introducer ON customers (tenant_id, introducer_id) WHERE introducer_id IS NOT NULL;
