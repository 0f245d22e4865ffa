-- The number of the signed contract that a site belongs to while that lives. Who sees a site sees it, also who may open
-- no contract: a site begins by it, and ends by it alone.
ALTER TABLE sites ADD contract text NOT NULL DEFAULT '';
UPDATE sites w SET contract = c.code
FROM contracts c
WHERE c.tenant_id = w.tenant_id AND c.site_id = w.id AND c.state = 'live';
