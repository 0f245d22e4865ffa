-- When all of this database was last written into a file: an operator's figure outlives every server
-- (docs/decisions/0451). A backup that failed is no line here.
CREATE TABLE backups (
  id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at      timestamptz NOT NULL,
  rows    bigint NOT NULL,
  files   bigint NOT NULL,
  bytes   bigint NOT NULL);
REVOKE ALL ON backups FROM :app_role;
GRANT SELECT ON backups TO :system_role;
