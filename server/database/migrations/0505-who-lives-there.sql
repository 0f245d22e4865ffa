-- People live in a home while it is built: its cameras are for working hours alone (docs/decisions/0505).
ALTER TABLE sites ADD COLUMN lived_in boolean NOT NULL DEFAULT false;

-- The complaint for which an hour is held: while that is open, service sees this hour and nothing else.
ALTER TABLE recording_holds
  ADD COLUMN feedback_id uuid,
  ADD FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback;
CREATE INDEX recording_holds_feedback ON recording_holds (tenant_id, feedback_id) WHERE feedback_id IS NOT NULL;
-- Those of before: held at the moment at which the complaint was entered.
UPDATE recording_holds h SET feedback_id = f.id
FROM feedback f
WHERE f.tenant_id = h.tenant_id AND f.site_id = h.site_id AND f.kind = 'complaint'
  AND h.held_at BETWEEN f.entered_at - interval '2 seconds' AND f.entered_at + interval '2 seconds'
  AND h.to_at BETWEEN f.entered_at - interval '2 seconds' AND f.entered_at + interval '2 seconds';

ALTER TABLE video_views
  DROP CONSTRAINT video_views_purpose_check,
  ADD CONSTRAINT video_views_purpose_check
    CHECK (purpose IN ('patrol', 'alarm', 'acceptance', 'owner', 'complaint', 'other', 'look'));
