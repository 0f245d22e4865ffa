-- Owners and other people of a home are looked for by a part of the name and by the whole number.
CREATE INDEX owners_name ON owners USING gin (name gin_trgm_ops);
CREATE INDEX owners_phone ON owners (tenant_id, phone) WHERE phone <> '';
CREATE INDEX home_contacts_name ON home_contacts USING gin (name gin_trgm_ops);
CREATE INDEX home_contacts_phone ON home_contacts (tenant_id, phone) WHERE phone <> '';
CREATE INDEX sites_owner ON sites (tenant_id, owner_id) WHERE owner_id IS NOT NULL;
