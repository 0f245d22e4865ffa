-- In whose time a visit was arranged: what the owner of before has arranged is not told to the next.
ALTER TABLE receptions ADD COLUMN entered_at timestamptz NOT NULL DEFAULT now();
UPDATE receptions SET entered_at = least(at, coalesce(changed_at, at));
