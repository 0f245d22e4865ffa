-- Where a camera sees what nobody outside may see, as long as it looks the same way (docs/decisions/0665): its
-- lettering, a neighbour's door. The newest of the same view counts; when the camera was moved they are void.
CREATE TABLE camera_zones (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  device_id uuid NOT NULL,
  masks     jsonb NOT NULL,
  -- When the picture was taken on which they were drawn: its view is theirs.
  seen_at   timestamptz NOT NULL,
  made_id   uuid NOT NULL,
  made_by   text NOT NULL,
  made_at   timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
CREATE INDEX camera_zones_of ON camera_zones (tenant_id, device_id, made_at DESC, id DESC);
SELECT protect('camera_zones');

-- What is left of a picture; null: all of it. And the zones that were burnt in beside what somebody drew.
ALTER TABLE case_pictures
  ADD crop  jsonb,
  ADD fixed jsonb NOT NULL DEFAULT '[]';

ALTER TABLE case_events DROP CONSTRAINT case_events_act_check,
  ADD CONSTRAINT case_events_act_check CHECK (act IN ('propose', 'edit', 'ask', 'agree', 'refuse', 'withdraw',
    'unobject', 'revise', 'publish', 'takeDown', 'expire', 'end', 'mask', 'zones', 'release', 'pull'));
