-- How the cameras of a site were is asked by people: where no server listened, nobody knows.
GRANT SELECT ON hearing TO :app_role;
-- What stood on a site, also what has gone since.
CREATE INDEX device_stands_site ON device_stands (tenant_id, site_id);
