-- cli.addbranch
INSERT INTO user_branches (tenant_id, user_id, bc_id) VALUES ($1, $2, $3);

-- cli.addrole
INSERT INTO user_roles (tenant_id, user_id, role_id) VALUES ($1, $2, $3);

-- cli.adduser
INSERT INTO users (tenant_id, id, user_name, nickname, bc_id, password) VALUES ($1, $2, $3, $4, $5, $6);

-- cli.admin
INSERT INTO users (tenant_id, id, user_name, nickname, password, must_change)
VALUES ($1, $2, $3, $4, $5, true);

-- cli.branch
SELECT tenant_id, bc_id, NULL::uuid AS id FROM companies WHERE code = $1;

-- cli.branchof
SELECT tenant_id, bc_id FROM companies WHERE code = $1;

-- cli.password
UPDATE users u SET password = $2, version = version + 1
FROM account_names n
WHERE n.name = lower($1) AND u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
RETURNING u.tenant_id, u.id;

-- cli.role
SELECT id FROM roles WHERE tenant_id = $1 AND code = $2;

-- cli.sessions
UPDATE sessions SET revoked_at = :now WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL;

-- cli.site
SELECT tenant_id, bc_id, id FROM sites WHERE code = $1 AND deleted_at IS NULL;

-- cli.sn
SELECT 1 FROM devices WHERE tenant_id = $1 AND sn = $2 AND deleted_at IS NULL;

-- cli.tenant
SELECT 1 FROM tenants WHERE name = $1;

-- cli.tenants
SELECT id, name FROM tenants ORDER BY created_at, name;

-- cli.user
SELECT 1 FROM account_names WHERE name = lower($1);
