-- Who had come when the site ended had come all the same.
ALTER TABLE receptions DROP CONSTRAINT receptions_check,
  ADD CONSTRAINT receptions_arrived CHECK (state NOT IN ('arrived', 'done') OR arrived_at IS NOT NULL),
  ADD CONSTRAINT receptions_expected CHECK (state NOT IN ('planned', 'missed') OR arrived_at IS NULL);
