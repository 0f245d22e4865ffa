-- A lock on the last number of the month made every new site wait for the commit of the one before.
CREATE SEQUENCE site_numbers;
GRANT USAGE ON SEQUENCE site_numbers TO :app_role;
