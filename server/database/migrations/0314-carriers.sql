-- Firms that tell by themselves where goods are. Whoever signs with the secret speaks for the name that notes bear.
CREATE TABLE carriers (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  name       text NOT NULL,
  secret     text NOT NULL,
  made_name  text NOT NULL,
  made_at    timestamptz NOT NULL,
  heard_at   timestamptz,
  stopped_at timestamptz,
  PRIMARY KEY (tenant_id, id));
CREATE UNIQUE INDEX carriers_name ON carriers (tenant_id, name) WHERE stopped_at IS NULL;
SELECT protect('carriers');
