-- The version of the notice that was given with a signature, to an owner, to a worker, with a camera.
ALTER TABLE contracts ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE owners ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE workers ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
ALTER TABLE devices ADD COLUMN notice text NOT NULL DEFAULT '' CHECK (length(notice) <= 20);
