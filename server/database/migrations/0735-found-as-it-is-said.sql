-- A home is found the way it is said: without the spaces that we write, and by the first letters of its name. The
-- letters are written by whoever writes the name; a night fills in those of before (docs/decisions/0673).
ALTER TABLE sites DROP COLUMN search, ADD initials text;
ALTER TABLE sites ADD search text GENERATED ALWAYS AS (
  translate(
    lower(code || '|' || ws_name || '|' || community || '|' || address || '|' || coalesce(initials, '')),
    ' 　',
    ''
  )
) STORED;
CREATE INDEX sites_search ON sites USING gin (search gin_trgm_ops);
CREATE INDEX sites_unread ON sites (id) WHERE initials IS NULL;
-- The last four digits are what a telephone shows, and what every list shows of a number.
ALTER TABLE owners ADD phone_end text GENERATED ALWAYS AS (right(phone, 4)) STORED;
ALTER TABLE home_contacts ADD phone_end text GENERATED ALWAYS AS (right(phone, 4)) STORED;
CREATE INDEX owners_phone_end ON owners (tenant_id, phone_end) WHERE phone <> '';
CREATE INDEX home_contacts_phone_end ON home_contacts (tenant_id, phone_end) WHERE phone <> '';
