-- The people of a home (docs/decisions/0481): the signatory is the owner's record, the others are written here. Who is
-- not of it any more keeps the name and number that it had.
CREATE TABLE home_contacts (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  bc_id      uuid NOT NULL,
  site_id    uuid NOT NULL,
  owner_id   uuid,
  name       text,
  phone      text,
  relation   text NOT NULL CHECK (relation IN ('owner', 'spouse', 'parent', 'child', 'agent', 'other')),
  since      timestamptz NOT NULL,
  ended_at   timestamptz,
  ended_by   text NOT NULL DEFAULT '',
  ended_for  text NOT NULL DEFAULT '',
  changed_by text NOT NULL DEFAULT '',
  changed_at timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, owner_id) REFERENCES owners,
  CHECK ((owner_id IS NULL OR ended_at IS NOT NULL) = (name IS NOT NULL)),
  CHECK ((name IS NULL) = (phone IS NULL)),
  CHECK ((relation = 'owner') = (owner_id IS NOT NULL)));
CREATE INDEX home_contacts_site ON home_contacts (tenant_id, site_id, since);
CREATE INDEX home_contacts_owner ON home_contacts (tenant_id, owner_id) WHERE owner_id IS NOT NULL;
CREATE UNIQUE INDEX home_contacts_signatory ON home_contacts (tenant_id, site_id)
  WHERE owner_id IS NOT NULL AND ended_at IS NULL;
SELECT protect('home_contacts');

SET LOCAL app.tenant = '*';
INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, owner_id, relation, since)
SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, w.owner_id, 'owner',
  coalesce(w.start_date::timestamp AT TIME ZONE 'Asia/Shanghai', now())
FROM sites w
WHERE w.owner_id IS NOT NULL AND w.deleted_at IS NULL;
