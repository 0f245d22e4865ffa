-- Who led a site by which post, from when until when (docs/decisions/0600): what is counted of a person is what was
-- theirs in their time. `of_site` and no `site_id`: the time of who has no reach any more is read all the same.
CREATE TABLE site_leads (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  of_site   uuid NOT NULL,
  -- 1 steward, 2 manager.
  post      smallint NOT NULL CHECK (post IN (1, 2)),
  from_at   timestamptz NOT NULL,
  user_id   uuid NOT NULL,
  to_at     timestamptz,
  PRIMARY KEY (tenant_id, of_site, post, from_at),
  FOREIGN KEY (tenant_id, of_site) REFERENCES sites,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  CHECK (to_at > from_at));
CREATE UNIQUE INDEX site_leads_now ON site_leads (tenant_id, of_site, post) WHERE to_at IS NULL;
CREATE INDEX site_leads_user ON site_leads (tenant_id, user_id, from_at);
SELECT protect('site_leads');

-- Of before only who leads now is known.
SET LOCAL app.tenant = '*';
INSERT INTO site_leads (tenant_id, of_site, post, from_at, user_id)
SELECT w.tenant_id, w.id, x.post, '2000-01-01 00:00+08', x.who
FROM sites w
CROSS JOIN LATERAL (VALUES (1, w.steward_id), (2, w.manager_id)) AS x(post, who)
WHERE x.who IS NOT NULL;

-- Of a branch what was judged in a span is read by who had it, by its windows, by the day that it was promised for.
CREATE INDEX promises_first_due ON promises (tenant_id, bc_id, first_due);
CREATE INDEX promises_due ON promises (tenant_id, bc_id, due);
CREATE INDEX warnings_ended ON warnings (tenant_id, bc_id, closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX thread_messages_said ON thread_messages (tenant_id, bc_id, at) WHERE side = 'staff' AND kind = 'words';
CREATE INDEX feedback_answered ON feedback (tenant_id, bc_id, answered_at) WHERE answered_at IS NOT NULL;

-- What a person has to say to a figure of theirs; it stays beside it.
CREATE TABLE supervision_remarks (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  id        uuid NOT NULL,
  bc_id     uuid NOT NULL,
  user_id   uuid NOT NULL,
  figure    text NOT NULL,
  -- The days that the figure was of.
  from_day  date NOT NULL,
  to_day    date NOT NULL,
  words     text NOT NULL CHECK (words <> ''),
  at        timestamptz NOT NULL,
  version   int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  CHECK (from_day <= to_day));
CREATE INDEX supervision_remarks_of ON supervision_remarks (tenant_id, user_id, bc_id, to_day DESC);
CREATE INDEX supervision_remarks_old ON supervision_remarks (at);
SELECT protect('supervision_remarks');

-- A place comes from a check-in and is kept 90 days; these are the ones that still have one.
CREATE INDEX patrols_placed ON patrols (tenant_id, begun_at) WHERE lng IS NOT NULL;
