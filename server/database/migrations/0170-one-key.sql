-- By which key the installation is sealed and signed: a print of it, from which nothing follows. A server with another
-- key could read no device's secret and would sign the log so that every check calls it broken.
CREATE TABLE installation (
  one       boolean PRIMARY KEY DEFAULT true CHECK (one),
  key_print text NOT NULL);
REVOKE ALL ON installation FROM :app_role;
GRANT SELECT, INSERT ON installation TO :system_role;
