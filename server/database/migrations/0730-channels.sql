-- Where messages go besides the bell: a robot of a group, or another system by a signed webhook (docs/decisions/0630).
CREATE TABLE channels (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  name          text NOT NULL CHECK (name <> ''),
  maker         text NOT NULL CHECK (maker IN ('wecom', 'dingtalk', 'feishu', 'webhook')),
  host          text NOT NULL,
  -- The address of a robot is a secret by itself, so both are sealed in one; the host is for reading.
  secret        text NOT NULL,
  bc_id         uuid,
  role          text NOT NULL DEFAULT '',
  kinds         text[] NOT NULL CHECK (kinds <> '{}'),
  state         text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stopped')),
  why           text NOT NULL DEFAULT '',
  failing_since timestamptz,
  sent_at       timestamptz,
  made_by       uuid NOT NULL,
  made_at       timestamptz NOT NULL,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, name),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, made_by) REFERENCES users);
SELECT protect('channels');

-- One message to one channel, written with its cause and sent after that transaction. `of_site` and no `site_id`: what
-- was sent stays where it was sent from.
CREATE TABLE channel_messages (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  channel_id uuid NOT NULL,
  event      text NOT NULL CHECK (event IN ('waiting', 'settled', 'trial')),
  kind       text NOT NULL DEFAULT '',
  cause_id   text NOT NULL DEFAULT '',
  of_site    uuid,
  link       text NOT NULL DEFAULT '',
  at         timestamptz NOT NULL,
  state      text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'dropped', 'givenUp')),
  tries      int NOT NULL DEFAULT 0,
  -- The back-off, and the day after which it is given up, run from here: a replay begins anew.
  since      timestamptz NOT NULL,
  next_at    timestamptz NOT NULL,
  held_until timestamptz,
  sent_at    timestamptz,
  -- The message in which this cause went, where several went in one.
  sent_as    uuid,
  said       text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, channel_id) REFERENCES channels);
CREATE UNIQUE INDEX channel_messages_once ON channel_messages (tenant_id, channel_id, event, kind, cause_id)
  WHERE state = 'queued';
CREATE INDEX channel_messages_due ON channel_messages (tenant_id, next_at) WHERE state = 'queued';
CREATE INDEX channel_messages_cause ON channel_messages (tenant_id, kind, cause_id);
CREATE INDEX channel_messages_of ON channel_messages (tenant_id, channel_id, at DESC);
CREATE INDEX channel_messages_old ON channel_messages (tenant_id, at);
SELECT protect('channel_messages');

-- Groups that have something to send now.
CREATE FUNCTION groups_to_send(moment timestamptz) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT t.id FROM tenants t
  WHERE EXISTS (SELECT FROM channel_messages m
    WHERE m.tenant_id = t.id AND m.state = 'queued' AND m.next_at <= moment
      AND (m.held_until IS NULL OR m.held_until <= moment))
  ORDER BY t.id
$$;
