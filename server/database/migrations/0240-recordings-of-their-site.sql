-- A recording belongs to the site where its camera stood when it began, and stays there when the camera is moved.
ALTER TABLE recordings
  ADD COLUMN bc_id   uuid,
  ADD COLUMN site_id uuid;
SET LOCAL app.tenant = '*';
UPDATE recordings r SET site_id = s.site_id, bc_id = w.bc_id
FROM device_stands s
JOIN sites w ON w.tenant_id = s.tenant_id AND w.id = s.site_id
WHERE s.tenant_id = r.tenant_id AND s.device_id = r.device_id
  AND s.from_at <= r.from_at AND (s.to_at IS NULL OR s.to_at > r.from_at);
-- What was recorded before the story of places begins belongs to the first of them.
UPDATE recordings r SET site_id = f.site_id, bc_id = f.bc_id
FROM (SELECT DISTINCT ON (s.tenant_id, s.device_id) s.tenant_id, s.device_id, s.site_id, w.bc_id
      FROM device_stands s
      JOIN sites w ON w.tenant_id = s.tenant_id AND w.id = s.site_id
      ORDER BY s.tenant_id, s.device_id, s.from_at) f
WHERE r.site_id IS NULL AND f.tenant_id = r.tenant_id AND f.device_id = r.device_id;
-- A camera that was never moved has always stood where it stands.
UPDATE recordings r SET site_id = w.id, bc_id = w.bc_id
FROM devices d
JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
WHERE r.site_id IS NULL AND d.tenant_id = r.tenant_id AND d.id = r.device_id;
-- What belongs nowhere nobody may see.
DELETE FROM recordings WHERE site_id IS NULL;

-- The release before names no site: while one of its servers is connected, the place is looked up here.
CREATE FUNCTION place_recording() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT s.site_id, w.bc_id INTO NEW.site_id, NEW.bc_id
  FROM device_stands s
  JOIN sites w ON w.tenant_id = s.tenant_id AND w.id = s.site_id
  WHERE s.tenant_id = NEW.tenant_id AND s.device_id = NEW.device_id
    AND s.from_at <= NEW.from_at + interval '5 minutes' AND (s.to_at IS NULL OR s.to_at > NEW.from_at)
  ORDER BY s.from_at
  LIMIT 1;
  IF NEW.site_id IS NULL THEN
    SELECT w.id, w.bc_id INTO NEW.site_id, NEW.bc_id
    FROM devices d
    JOIN sites w ON w.tenant_id = d.tenant_id AND w.id = d.site_id
    WHERE d.tenant_id = NEW.tenant_id AND d.id = NEW.device_id;
  END IF;
  RETURN CASE WHEN NEW.site_id IS NULL THEN NULL ELSE NEW END;
END $$;
CREATE TRIGGER recordings_placed BEFORE INSERT ON recordings
  FOR EACH ROW WHEN (NEW.site_id IS NULL) EXECUTE FUNCTION place_recording();
ALTER TABLE recordings
  ALTER COLUMN bc_id SET NOT NULL,
  ALTER COLUMN site_id SET NOT NULL,
  ADD FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  ADD FOREIGN KEY (tenant_id, device_id) REFERENCES devices;
CREATE INDEX recordings_camera ON recordings (tenant_id, device_id, from_at);
CREATE INDEX recordings_site ON recordings (tenant_id, site_id, device_id, to_at DESC);
CREATE INDEX recordings_kept ON recordings (tenant_id, bc_id, to_at);
CREATE INDEX recordings_key ON recordings (tenant_id, key);
SELECT protect('recordings');

-- What is kept beyond its days, why and until when. One row a site where the camera stood meanwhile.
CREATE TABLE recording_holds (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  device_id    uuid NOT NULL,
  from_at      timestamptz NOT NULL,
  to_at        timestamptz NOT NULL,
  "for"        text NOT NULL CHECK ("for" IN ('person', 'delivery', 'complaint')),
  reason       text NOT NULL,
  until_at     timestamptz NOT NULL,
  held_by      text NOT NULL,
  held_at      timestamptz NOT NULL,
  released_by  text,
  released_at  timestamptz,
  released_why text,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices,
  CHECK (from_at < to_at),
  CHECK (num_nulls(released_by, released_at, released_why) IN (0, 3)));
CREATE INDEX recording_holds_camera ON recording_holds (tenant_id, device_id, from_at) WHERE released_at IS NULL;
SELECT protect('recording_holds');

-- Who looked at what, and what for: the owner of the home reads it.
CREATE TABLE video_views (
  tenant_id    uuid NOT NULL REFERENCES tenants(id),
  id           uuid NOT NULL,
  bc_id        uuid NOT NULL,
  site_id      uuid NOT NULL,
  device_id    uuid NOT NULL,
  recording_id uuid NOT NULL,
  user_id      uuid NOT NULL,
  user_name    text NOT NULL,
  from_at      timestamptz NOT NULL,
  to_at        timestamptz NOT NULL,
  purpose      text NOT NULL CHECK (purpose IN ('patrol', 'alarm', 'acceptance', 'owner', 'other')),
  words        text NOT NULL,
  at           timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id));
CREATE INDEX video_views_site ON video_views (tenant_id, site_id, at DESC);
SELECT protect('video_views');
