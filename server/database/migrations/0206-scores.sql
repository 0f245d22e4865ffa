-- How a worker was on a site, 1 to 5, said by whoever takes them off it.
ALTER TABLE site_members ADD COLUMN score smallint CHECK (score BETWEEN 1 AND 5);
ALTER TABLE site_members ADD COLUMN scored_by text;
