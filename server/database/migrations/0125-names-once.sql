-- What a form refuses as taken two hands could still save at once: the index says it now, and whoever is second hears the
-- same sentence (server/kit/taken.ts). Doubles from before keep their rows and get a number behind their name.
SET LOCAL app.tenant = '*';
UPDATE companies c SET bc_name = c.bc_name || '（' || d.n || '）'
FROM (SELECT tenant_id, bc_id, row_number() OVER (PARTITION BY tenant_id, bc_name ORDER BY sort, bc_id) AS n FROM companies) d
WHERE d.tenant_id = c.tenant_id AND d.bc_id = c.bc_id AND d.n > 1;
UPDATE stores t SET name = t.name || '（' || d.n || '）'
FROM (SELECT tenant_id, id, row_number() OVER (PARTITION BY tenant_id, bc_id, name ORDER BY id) AS n FROM stores) d
WHERE d.tenant_id = t.tenant_id AND d.id = t.id AND d.n > 1;
UPDATE roles r SET name = r.name || '（' || d.n || '）'
FROM (SELECT tenant_id, id, row_number() OVER (PARTITION BY tenant_id, name ORDER BY id) AS n FROM roles) d
WHERE d.tenant_id = r.tenant_id AND d.id = r.id AND d.n > 1;
CREATE UNIQUE INDEX companies_name ON companies (tenant_id, bc_name);
CREATE UNIQUE INDEX stores_name ON stores (tenant_id, bc_id, name);
CREATE UNIQUE INDEX roles_name ON roles (tenant_id, name);

-- A number that was scrapped may be stocked again; and a number belongs to the group that has stocked it, not to the whole
-- installation: another group neither learns nor blocks it (docs/decisions/0122).
CREATE UNIQUE INDEX devices_living ON devices (tenant_id, sn) WHERE deleted_at IS NULL;
CREATE INDEX devices_door ON devices (sn) WHERE deleted_at IS NULL;
ALTER TABLE devices DROP CONSTRAINT devices_sn_key;
