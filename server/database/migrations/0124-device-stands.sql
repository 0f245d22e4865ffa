-- Where a device stood and when, exactly and without gaps in the telling: a late event belongs to the site of its own time.
-- device_bindings tells people the story in words; this is kept beside it by the same commands.
CREATE TABLE device_stands (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  device_id uuid NOT NULL,
  site_id uuid NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz,
  PRIMARY KEY (tenant_id, device_id, from_at),
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites
);
CREATE UNIQUE INDEX device_stands_open ON device_stands (tenant_id, device_id) WHERE to_at IS NULL;
-- Read by the device alone, as every server's own work does; people see it through the device's history.
SELECT reach_rules('device_stands', 'tenant_id', false, NULL, NULL, NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON device_stands TO :app_role, :system_role;

-- A binding lasts until the next change of place; what stood somewhere before the story was written stood there always.
SET LOCAL app.tenant = '*';
INSERT INTO device_stands (tenant_id, device_id, site_id, from_at, to_at)
SELECT b.tenant_id, b.device_id, b.site_id, b.at, b.next
FROM (
  SELECT tenant_id, device_id, site_id, action, at, lead(at) OVER (PARTITION BY tenant_id, device_id ORDER BY at, id) AS next
  FROM device_bindings
  WHERE action IN ('绑定', '解绑', '回收入库')
) b
WHERE b.action = '绑定' AND b.site_id IS NOT NULL AND b.next IS NOT NULL
ON CONFLICT DO NOTHING;
INSERT INTO device_stands (tenant_id, device_id, site_id, from_at)
SELECT d.tenant_id, d.id, d.site_id, coalesce((
  SELECT max(b.at) FROM device_bindings b
  WHERE b.tenant_id = d.tenant_id AND b.device_id = d.id AND b.site_id = d.site_id AND b.action = '绑定'
    AND EXISTS (SELECT 1 FROM device_stands s WHERE s.tenant_id = b.tenant_id AND s.device_id = b.device_id)), '-infinity')
FROM devices d
WHERE d.site_id IS NOT NULL
ON CONFLICT DO NOTHING;
