-- A home that is shown to others: a view over what its site has, and no more than its people agreed to
-- (docs/decisions/0640).
ALTER TABLE consents DROP CONSTRAINT consents_kind_check,
  ADD CONSTRAINT consents_kind_check CHECK (kind IN ('face', 'ownerVideo', 'case'));

CREATE TABLE cases (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  bc_id       uuid NOT NULL,
  site_id     uuid NOT NULL,
  title       text NOT NULL,
  words       text NOT NULL DEFAULT '',
  state       text NOT NULL DEFAULT 'candidate' CHECK (state IN
    ('candidate', 'asked', 'consented', 'published', 'refused', 'expired', 'withdrawn')),
  -- What its people were asked for: what, where, until when; which renditions and whose praise they were shown.
  scope       text[] NOT NULL DEFAULT '{}'
    CHECK (scope <@ ARRAY['photos', 'live', 'community', 'layout', 'price', 'praise']),
  places      text[] NOT NULL DEFAULT '{}' CHECK (places <@ ARRAY['screen', 'store', 'link']),
  until       date,
  agreed      text[] NOT NULL DEFAULT '{}',
  praise_id   uuid,
  asked_by    text NOT NULL DEFAULT '',
  asked_at    timestamptz,
  -- Whose name the contract bears, who agreed for the home: while they are of it and have not taken it back.
  contact_id  uuid,
  made_by     text NOT NULL,
  made_at     timestamptz NOT NULL,
  changed_at  timestamptz NOT NULL,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  CHECK (state = 'candidate' OR asked_at IS NOT NULL AND until IS NOT NULL OR state = 'withdrawn'),
  CHECK (state NOT IN ('consented', 'published') OR contact_id IS NOT NULL));
-- A home is asked about one at a time.
CREATE UNIQUE INDEX cases_living ON cases (tenant_id, site_id)
  WHERE state IN ('candidate', 'asked', 'consented', 'published');
CREATE INDEX cases_branch ON cases (tenant_id, bc_id, changed_at DESC, id);
CREATE INDEX cases_site ON cases (tenant_id, site_id, made_at DESC);
CREATE INDEX cases_public ON cases (tenant_id, until) WHERE state = 'published';
SELECT protect('cases');

-- A picture of the site in its case, and the file of its own with the masks burnt in.
CREATE TABLE case_pictures (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  case_id     uuid NOT NULL,
  -- The picture of the site; it opens nothing outside.
  picture     text NOT NULL,
  taken_on    date NOT NULL,
  stage       text,
  device_id   uuid,
  state       text NOT NULL DEFAULT 'raw' CHECK (state IN ('raw', 'masked', 'released', 'pulled')),
  turn        smallint NOT NULL DEFAULT 0 CHECK (turn IN (0, 90, 180, 270)),
  masks       jsonb NOT NULL DEFAULT '[]',
  masked_picture text,
  masked_id   uuid,
  masked_by   text NOT NULL DEFAULT '',
  masked_at   timestamptz,
  released_by text NOT NULL DEFAULT '',
  released_at timestamptz,
  version     int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, case_id) REFERENCES cases,
  CHECK ((state IN ('masked', 'released')) = (masked_picture IS NOT NULL)),
  CHECK (masked_picture IS NULL OR masked_id IS NOT NULL));
CREATE UNIQUE INDEX case_pictures_once ON case_pictures (tenant_id, case_id, picture);
CREATE UNIQUE INDEX case_pictures_rendition ON case_pictures (tenant_id, masked_picture)
  WHERE masked_picture IS NOT NULL;
CREATE INDEX case_pictures_camera ON case_pictures (tenant_id, device_id, masked_at DESC) WHERE device_id IS NOT NULL;
SELECT protect('case_pictures');

-- The ledger: what became of a case, by whom and why.
CREATE TABLE case_events (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  case_id     uuid NOT NULL,
  act         text NOT NULL CHECK (act IN ('propose', 'edit', 'ask', 'agree', 'refuse', 'withdraw', 'unobject',
    'revise',
    'publish', 'takeDown', 'expire', 'end', 'mask', 'release', 'pull')),
  actor       text NOT NULL,
  text        text NOT NULL DEFAULT '',
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, case_id) REFERENCES cases);
CREATE INDEX case_events_of ON case_events (tenant_id, case_id, at);
SELECT protect('case_events');
