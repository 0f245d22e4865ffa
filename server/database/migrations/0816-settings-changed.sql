-- Who set a value and when: whoever saves another one over it has seen it (docs/decisions/0689).
ALTER TABLE settings ADD COLUMN changed_by text NOT NULL DEFAULT '';
ALTER TABLE settings ADD COLUMN changed_at timestamptz;
