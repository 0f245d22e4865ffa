-- The newest still of a camera is of the home in which it stands: what it saw in the home before stays there.
UPDATE devices d
SET last_picture = NULL, last_picture_at = NULL
FROM files f
WHERE f.tenant_id = d.tenant_id AND f.key = d.last_picture AND f.site_id IS DISTINCT FROM d.site_id;
UPDATE devices SET last_picture = NULL, last_picture_at = NULL WHERE site_id IS NULL AND last_picture IS NOT NULL;
