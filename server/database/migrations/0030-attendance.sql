-- Makeups and their reversals are events of their own beside the raw punches, which never change: who, when, why, and what is taken back.
ALTER TABLE attendance_events ADD COLUMN actor_id uuid, ADD COLUMN actor text NOT NULL DEFAULT '', ADD COLUMN made_at timestamptz, ADD COLUMN reverses uuid;
CREATE INDEX attendance_events_makeups ON attendance_events (tenant_id, id) WHERE source = 'makeup';
CREATE INDEX attendance_events_reversals ON attendance_events (tenant_id, reverses) WHERE reverses IS NOT NULL;

-- How many of a day's punches were made up; how many of a site's expected people did not come.
ALTER TABLE attendance_days ADD COLUMN makeups int NOT NULL DEFAULT 0;
ALTER TABLE site_days ADD COLUMN absent int NOT NULL DEFAULT 0;
SET LOCAL app.tenant = '*';
UPDATE site_days k SET absent = (SELECT count(*) FROM site_members m WHERE m.tenant_id = k.tenant_id AND m.site_id = k.site_id AND m.entered_on <= k.day AND (m.left_on IS NULL OR m.left_on >= k.day)
  AND NOT EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.day = k.day AND a.site_id = k.site_id AND a.worker_id = m.worker_id));

-- The list is paged along the day and the first punch; a person's days.
CREATE INDEX attendance_days_first ON attendance_days (tenant_id, day, first_at);
CREATE INDEX attendance_days_worker ON attendance_days (tenant_id, worker_id, day);
CREATE INDEX site_members_worker ON site_members (tenant_id, worker_id);
-- Who stands on which site is seen by who sees the site.
SELECT protect('site_members');
