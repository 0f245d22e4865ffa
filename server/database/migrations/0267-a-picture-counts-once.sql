-- Of several verdicts on one picture one counts: that of a person, of several people the last.
ALTER TABLE tidiness_checks ADD COLUMN replaced boolean NOT NULL DEFAULT false;
UPDATE tidiness_checks t SET replaced = true
WHERE t.picture IS NOT NULL AND EXISTS (
  SELECT 1 FROM tidiness_checks p
  WHERE p.tenant_id = t.tenant_id AND p.site_id = t.site_id AND p.picture = t.picture AND p.source = 'patrol'
    AND (t.source = 'camera' OR p.id > t.id));
