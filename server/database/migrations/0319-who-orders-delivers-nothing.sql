-- The driver, the store and the site say that goods are there (docs/states.md, Dispatch), not who ordered them.
SET LOCAL app.tenant = '*';
DELETE FROM role_powers p
USING roles r
WHERE r.tenant_id = p.tenant_id AND r.id = p.role_id AND r.code = 'order_clerk' AND p.label = 'dispatch:deliver';
