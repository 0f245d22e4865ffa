-- A page that is fetched is not yet looked at (docs/decisions/0664): an opening counts from the moment at which it was
-- in sight. How often a link may be opened is spent by what it tells, seen or not.
ALTER TABLE link_openings ADD COLUMN shown_at timestamptz;
UPDATE link_openings SET shown_at = at;
ALTER TABLE links ADD COLUMN told int NOT NULL DEFAULT 0 CHECK (told >= 0);
UPDATE links SET told = openings;
