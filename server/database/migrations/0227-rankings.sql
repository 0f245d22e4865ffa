-- Which sites to patrol on a day, and why: the list of each branch's morning as it was made.
CREATE TABLE site_ranks (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  bc_id     uuid NOT NULL,
  site_id   uuid NOT NULL,
  day       date NOT NULL,
  rank      smallint NOT NULL,
  score     real NOT NULL,
  -- [{code, n, stage, points}], the weightiest first.
  reasons   jsonb NOT NULL,
  PRIMARY KEY (tenant_id, site_id, day),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
CREATE INDEX site_ranks_branch ON site_ranks (tenant_id, bc_id, day);
SELECT protect('site_ranks');

-- What a reason counts in a branch, where that is not what it began with; who set it by hand keeps it from learning.
CREATE TABLE rank_weights (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  bc_id      uuid NOT NULL,
  reason     text NOT NULL CHECK (reason IN ('alarms', 'untidy', 'silence', 'unvisited', 'covering')),
  weight     numeric(4, 2) NOT NULL CHECK (weight BETWEEN 0.2 AND 3),
  pinned     boolean NOT NULL DEFAULT false,
  -- The week that it was last weighed in, by its Monday.
  learned_on date,
  changed_by text NOT NULL DEFAULT '',
  changed_at timestamptz,
  version    int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, bc_id, reason),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
SELECT protect('rank_weights');

CREATE TABLE rank_weight_logs (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  bc_id     uuid NOT NULL,
  reason    text NOT NULL,
  at        timestamptz NOT NULL,
  actor     text NOT NULL,
  was       numeric(4, 2) NOT NULL,
  weight    numeric(4, 2) NOT NULL,
  text      text NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id, reason) REFERENCES rank_weights);
CREATE INDEX rank_weight_logs_of ON rank_weight_logs (tenant_id, bc_id, at DESC);
SELECT protect('rank_weight_logs');
