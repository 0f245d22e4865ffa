-- The code beside a case on a wall opens a link of that wall (docs/decisions/0688): nobody made it, and what it brings
-- is counted for the wall. Of a case there is one that still opens.
ALTER TABLE links
  ALTER COLUMN made_by DROP NOT NULL,
  ADD screen_id uuid,
  ADD FOREIGN KEY (tenant_id, screen_id) REFERENCES screens ON DELETE CASCADE,
  ADD CHECK (made_by IS NOT NULL OR screen_id IS NOT NULL);
CREATE UNIQUE INDEX links_screen ON links (tenant_id, screen_id, target_id)
  WHERE screen_id IS NOT NULL AND revoked_at IS NULL;
