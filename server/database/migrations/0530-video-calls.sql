-- WebRTC calls that a video gateway has answered: each is somebody's to end, whatever becomes of the server that
-- arranged it (docs/decisions/0530).
CREATE TABLE video_calls (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  view_id   uuid NOT NULL,
  -- The gateway's address of the call, sealed: whoever has it may end the call.
  place     text NOT NULL,
  begun_at  timestamptz NOT NULL,
  -- When it is ended, unless the server that watches over it moves this on; and when that is tried again.
  due_at    timestamptz NOT NULL,
  tries     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, view_id) REFERENCES video_views);
CREATE INDEX video_calls_due ON video_calls (tenant_id, due_at);
SELECT protect('video_calls');
