-- A file whose row has gone and that may still lie in its place: it is taken away until that has succeeded once.
CREATE TABLE files_leaving (
  tenant_id uuid NOT NULL REFERENCES tenants,
  key       text NOT NULL,
  PRIMARY KEY (tenant_id, key)
);
SELECT protect('files_leaving');
CREATE FUNCTION file_leaves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO files_leaving (tenant_id, key) VALUES (OLD.tenant_id, OLD.key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER files_leave AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION file_leaves();
