-- Where somebody's own mail goes; a new address counts once its code was typed (docs/decisions/0655).
CREATE TABLE mail_addresses (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  user_id    uuid NOT NULL,
  address    text NOT NULL DEFAULT '',
  -- A new one, with the keyed digest of its code.
  asked      text NOT NULL DEFAULT '',
  code       text NOT NULL DEFAULT '',
  code_at    timestamptz,
  tries      int NOT NULL DEFAULT 0,
  trouble    text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
SELECT protect('mail_addresses');

-- How somebody wants to hear: kinds of cause that differ from the usual, sites (none: all), quiet hours, the digest.
CREATE TABLE notice_rules (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  user_id     uuid NOT NULL,
  ways        jsonb NOT NULL DEFAULT '{}',
  sites       uuid[] NOT NULL DEFAULT '{}',
  quiet_from  text NOT NULL DEFAULT '',
  quiet_to    text NOT NULL DEFAULT '',
  hour        int NOT NULL CHECK (hour BETWEEN 0 AND 23),
  digested_on date,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, user_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
SELECT protect('notice_rules');

-- One mail to one person, written with its cause and sent after that transaction. `page` and `of_site`: whoever may not
-- open it any more is not written to.
CREATE TABLE mails (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  user_id    uuid NOT NULL,
  event      text NOT NULL CHECK (event IN ('told', 'digest')),
  kind       text NOT NULL DEFAULT '',
  cause_id   text NOT NULL DEFAULT '',
  notice_id  uuid,
  of_site    uuid,
  page       text NOT NULL DEFAULT '',
  link       text NOT NULL DEFAULT '',
  urgent     boolean NOT NULL DEFAULT false,
  at         timestamptz NOT NULL,
  state      text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'dropped', 'givenUp')),
  tries      int NOT NULL DEFAULT 0,
  since      timestamptz NOT NULL,
  next_at    timestamptz NOT NULL,
  held_until timestamptz,
  sent_at    timestamptz,
  sent_as    uuid,
  said       text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
CREATE UNIQUE INDEX mails_once ON mails (tenant_id, user_id, event, kind, cause_id) WHERE state = 'queued';
CREATE INDEX mails_due ON mails (tenant_id, next_at) WHERE state = 'queued';
CREATE INDEX mails_cause ON mails (tenant_id, kind, cause_id) WHERE state = 'queued';
CREATE INDEX mails_of ON mails (tenant_id, user_id, at DESC);
CREATE INDEX mails_old ON mails (tenant_id, at);
SELECT protect('mails');

-- Groups that have mail to send now.
CREATE FUNCTION groups_to_mail(moment timestamptz) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT t.id FROM tenants t
  WHERE EXISTS (SELECT FROM mails m
    WHERE m.tenant_id = t.id AND m.state = 'queued' AND m.next_at <= moment
      AND (m.held_until IS NULL OR m.held_until <= moment))
  ORDER BY t.id
$$;

-- The site that a message is about, so that somebody's own rules can name sites.
ALTER TABLE notifications ADD COLUMN of_site uuid;
