-- A view of what a camera sees now: it lasts while its page says so, and belongs to no recording.
ALTER TABLE video_views
  ADD COLUMN live     boolean NOT NULL DEFAULT false,
  ADD COLUMN ended_at timestamptz,
  ALTER COLUMN recording_id DROP NOT NULL,
  ADD CHECK (live OR recording_id IS NOT NULL);
CREATE INDEX video_views_open ON video_views (tenant_id, user_id, to_at) WHERE live AND ended_at IS NULL;
