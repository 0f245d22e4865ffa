-- A visit is marked by somebody, once, and its steward is told of it, once. `handled` stays what says whether a visit
-- is open, as the release before asks it.
ALTER TABLE visits
  ADD COLUMN remark     text NOT NULL DEFAULT '',
  ADD COLUMN handled_by text NOT NULL DEFAULT '',
  ADD COLUMN handled_at timestamptz,
  ADD COLUMN told_id    uuid,
  ADD COLUMN told_at    timestamptz,
  ADD COLUMN version    int NOT NULL DEFAULT 0,
  ADD FOREIGN KEY (tenant_id, told_id) REFERENCES users;
CREATE INDEX visits_newest ON visits (tenant_id, at DESC, id DESC);
CREATE INDEX visits_branch ON visits (tenant_id, bc_id, at DESC, id DESC);
CREATE INDEX visits_site ON visits (tenant_id, site_id, at DESC, id DESC);
