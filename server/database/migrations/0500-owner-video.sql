-- What a home's people see of their own site by their link (docs/decisions/0500): that they agreed to it, what the
-- steward granted them, and every look as a line of the log in which the looks of staff stand.
ALTER TABLE consents DROP CONSTRAINT consents_kind_check,
  DROP CONSTRAINT consents_subject_type_check,
  ADD CONSTRAINT consents_kind_check CHECK (kind IN ('face', 'ownerVideo')),
  ADD CONSTRAINT consents_subject_type_check CHECK (subject_type IN ('worker', 'contact')),
  -- Which version of the words was shown; empty where the words are all in the scope.
  ADD COLUMN wording text NOT NULL DEFAULT '';

CREATE TABLE video_grants (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  bc_id       uuid NOT NULL,
  site_id     uuid NOT NULL,
  contact_id  uuid NOT NULL,
  from_day    date NOT NULL,
  to_day      date NOT NULL,
  -- Hours of a day; where they end no later than they begin, they end the day after.
  from_time   text NOT NULL CHECK (from_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  to_time     text NOT NULL CHECK (to_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  state       text NOT NULL CHECK (state IN ('active', 'stopped', 'ended')),
  granted_by  text NOT NULL,
  granted_at  timestamptz NOT NULL,
  changed_by  text NOT NULL,
  changed_at  timestamptz NOT NULL,
  -- Why it was stopped or ended; words of staff, which the home never reads.
  reason      text NOT NULL DEFAULT '',
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  CHECK (from_day <= to_day));
CREATE UNIQUE INDEX video_grants_one ON video_grants (tenant_id, contact_id) WHERE state <> 'ended';
CREATE INDEX video_grants_site ON video_grants (tenant_id, site_id) WHERE state <> 'ended';
SELECT protect('video_grants');

CREATE TABLE video_grant_cameras (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  grant_id   uuid NOT NULL,
  device_id  uuid NOT NULL,
  -- A camera that leaves the home after this is not granted any more, wherever it stands next.
  added_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, grant_id, device_id),
  FOREIGN KEY (tenant_id, grant_id) REFERENCES video_grants,
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
SELECT protect('video_grant_cameras');

ALTER TABLE video_views DROP CONSTRAINT video_views_purpose_check,
  ADD CONSTRAINT video_views_purpose_check
    CHECK (purpose IN ('patrol', 'alarm', 'acceptance', 'owner', 'other', 'look')),
  ALTER COLUMN user_id DROP NOT NULL,
  ADD COLUMN contact_id uuid,
  ADD COLUMN link_id uuid,
  ADD COLUMN home_device_id uuid,
  -- In words, why a look by link ended.
  ADD COLUMN ended_for text NOT NULL DEFAULT '',
  ADD FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  ADD FOREIGN KEY (tenant_id, link_id) REFERENCES links,
  ADD FOREIGN KEY (tenant_id, home_device_id) REFERENCES home_devices,
  ADD CONSTRAINT video_views_who CHECK (
    num_nulls(contact_id, link_id, home_device_id) IN (0, 3) AND (user_id IS NULL) = (link_id IS NOT NULL)
    AND (user_id IS NULL) = (purpose = 'look'));
CREATE INDEX video_views_looks ON video_views (tenant_id, site_id, at DESC) WHERE user_id IS NULL;
CREATE INDEX video_views_looking ON video_views (tenant_id, site_id) WHERE user_id IS NULL AND ended_at IS NULL;
