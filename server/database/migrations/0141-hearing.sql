-- When the installation could hear its devices. A gap of the server is not an outage of every device: silence is counted from the
-- later of a device's last word and the moment at which somebody began to listen again.
CREATE TABLE hearing (
  from_at timestamptz PRIMARY KEY,
  to_at timestamptz NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON hearing TO :system_role;
