-- The day from which a void contract is out of every figure; what was signed in a month is looked up by its day.
ALTER TABLE contracts ADD COLUMN voided_on date CHECK (voided_on IS NULL OR state = 'void');
CREATE INDEX contracts_signed ON contracts (tenant_id, signed_on) WHERE signed_on IS NOT NULL;
