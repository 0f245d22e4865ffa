-- When a picture of a case was taken: one a day of a camera at one hour is a film (docs/decisions/0659). And how often
-- strangers have opened a link that shows the case, counted as it happens: openings are forgotten, and links are of
-- branches of their own.
ALTER TABLE case_pictures ADD COLUMN taken_at timestamptz;
ALTER TABLE cases ADD COLUMN openings int NOT NULL DEFAULT 0;

SET LOCAL app.tenant = '*';
UPDATE case_pictures p
SET taken_at = t.at
FROM (
  SELECT a.tenant_id, a.picture, min(a.at) AS at
  FROM (
    SELECT c.tenant_id, c.picture, c.at FROM tidiness_checks c
    UNION ALL
    SELECT v.tenant_id, v.picture, coalesce(v.picture_at, v.begun_at) FROM patrols v
    WHERE v.submitted_at IS NOT NULL) a
  WHERE a.picture IS NOT NULL
  GROUP BY 1, 2) t
WHERE t.tenant_id = p.tenant_id AND t.picture = p.picture AND p.device_id IS NOT NULL;
-- What is in a preview now is what its openings showed, as far as anybody knows.
UPDATE cases k
SET openings = n.openings
FROM (
  SELECT s.tenant_id, s.case_id, sum(s.openings)::int AS openings
  FROM (
    SELECT l.tenant_id, l.target_id AS case_id, l.openings FROM links l WHERE l.kind = 'share'
    UNION ALL
    SELECT l.tenant_id, i.target_id, l.openings
    FROM links l
    JOIN preview_items i ON i.tenant_id = l.tenant_id AND i.preview_id = l.target_id AND i.kind = 'case'
      AND i.dropped_at IS NULL
    WHERE l.kind = 'preview') s
  GROUP BY 1, 2) n
WHERE n.tenant_id = k.tenant_id AND n.case_id = k.id;
