-- Who answers for a home after it was handed over: open promises, feedback, and what its owner says from then on.
ALTER TABLE sites ADD COLUMN aftercare_id uuid;
ALTER TABLE sites ADD FOREIGN KEY (tenant_id, aftercare_id) REFERENCES users;
CREATE INDEX sites_aftercare ON sites (tenant_id, aftercare_id) WHERE aftercare_id IS NOT NULL;
