-- The version of the notice that was given when a contract was signed, an owner or a worker came in, a camera was bound.
ALTER TABLE contracts ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE owners ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE workers ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE devices ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
