-- The group says which sources a customer may have: its own words stand in the column as they are.
ALTER TABLE customers DROP CONSTRAINT customers_source_check;
ALTER TABLE customers ADD CONSTRAINT customers_source_check CHECK (length(source) BETWEEN 1 AND 20);
CREATE INDEX customers_own_sources ON customers (tenant_id, source)
  WHERE source NOT IN ('walkIn', 'call', 'online', 'introduced', 'channel', 'event', 'link', 'other');
