-- Since when a reason is the reason: who says it again, with another day or remark, begins nothing anew.
ALTER TABLE sites ADD COLUMN stop_since timestamptz;
SET LOCAL app.tenant = '*';
UPDATE sites SET stop_since = stop_at WHERE stop_reason IS NOT NULL;
