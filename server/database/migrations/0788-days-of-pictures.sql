-- What the days of a branch are over of is found by branch and age; of clock-ins and visits those alone that still have
-- a picture (docs/decisions/0658).
CREATE INDEX attendance_events_pictures ON attendance_events (tenant_id, bc_id, at) WHERE picture IS NOT NULL;
CREATE INDEX visits_pictures ON visits (tenant_id, bc_id, at) WHERE picture IS NOT NULL;
CREATE INDEX video_views_branch ON video_views (tenant_id, bc_id, at);
