-- Clips that nothing names are found by their time, and alarms by the clip that they name.
CREATE INDEX files_clips ON files (tenant_id, at, key) WHERE kind = 'clip';
CREATE INDEX alarms_clip ON alarms (tenant_id, clip) WHERE clip IS NOT NULL;
