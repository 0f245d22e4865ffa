-- An owner's link leads to one contact of a home (docs/decisions/0496). What opens it is a device that asks; only those
-- that somebody has let in are told anything.
ALTER TABLE links DROP CONSTRAINT links_kind_check,
  ADD CONSTRAINT links_kind_check CHECK (kind IN ('driver', 'owner'));

CREATE TABLE home_devices (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  contact_id   uuid NOT NULL,
  link_id      uuid NOT NULL,
  -- The number that the browser keeps of itself.
  device       text NOT NULL,
  name         text NOT NULL,
  code         text NOT NULL,
  state        text NOT NULL CHECK (state IN ('asking', 'bound', 'removed')),
  asked_at     timestamptz NOT NULL,
  bound_at     timestamptz,
  bound_by     text NOT NULL DEFAULT '',
  removed_at   timestamptz,
  removed_by   text NOT NULL DEFAULT '',
  removed_for  text NOT NULL DEFAULT '',
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  FOREIGN KEY (tenant_id, link_id) REFERENCES links,
  CHECK ((state = 'removed') = (removed_at IS NOT NULL)),
  CHECK (state <> 'bound' OR bound_at IS NOT NULL));
CREATE UNIQUE INDEX home_devices_device ON home_devices (tenant_id, link_id, device);
CREATE INDEX home_devices_site ON home_devices (tenant_id, site_id, asked_at);
CREATE INDEX home_devices_contact ON home_devices (tenant_id, contact_id);
SELECT protect('home_devices');

-- What comes by the owner's own link says so.
ALTER TABLE feedback DROP CONSTRAINT feedback_channel_check,
  ADD CONSTRAINT feedback_channel_check CHECK (channel IN ('phone', 'store', 'wechat', 'scene', 'other', 'link'));
