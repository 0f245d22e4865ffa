-- What a home was promised. A promise is due at the end of its day; whether it is late is computed and stands nowhere.
CREATE TABLE promises (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  bc_id          uuid NOT NULL,
  site_id        uuid NOT NULL,
  content        text NOT NULL,
  subject        text NOT NULL CHECK (subject IN ('schedule', 'goods', 'quality', 'cost', 'attendance', 'other')),
  source         text NOT NULL DEFAULT 'hand'
    CHECK (source IN ('hand', 'message', 'visit', 'feedback', 'patrol', 'customer')),
  author_id      uuid NOT NULL,
  -- Who leads the site by this post answers for it; nobody where the post is empty.
  post           smallint NOT NULL CHECK (post IN (1, 2)),
  responsible_id uuid,
  first_due      date NOT NULL,
  due            date NOT NULL,
  state          text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'extended', 'kept', 'broken', 'withdrawn')),
  -- The owner says that it was not kept, and nobody has decided yet.
  objected       boolean NOT NULL DEFAULT false,
  made_at        timestamptz NOT NULL,
  changed_by     text NOT NULL,
  changed_at     timestamptz NOT NULL,
  version        int NOT NULL DEFAULT 0,
  -- The order of the list: what is open by its day, then what is over, the latest first.
  place          int NOT NULL GENERATED ALWAYS AS (CASE WHEN state IN ('open', 'extended') THEN due - date '2000-01-01'
    ELSE 100000000 - (due - date '2000-01-01') END) STORED,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, author_id) REFERENCES users,
  FOREIGN KEY (tenant_id, responsible_id) REFERENCES users,
  CHECK (due >= first_due),
  CHECK (state = 'kept' OR NOT objected));
CREATE INDEX promises_placed ON promises (tenant_id, place, id);
CREATE INDEX promises_branch ON promises (tenant_id, bc_id, place, id);
CREATE INDEX promises_site ON promises (tenant_id, site_id, place, id);
CREATE INDEX promises_open ON promises (tenant_id, due) WHERE state IN ('open', 'extended');
CREATE INDEX promises_responsible ON promises (tenant_id, responsible_id) WHERE state IN ('open', 'extended');
CREATE INDEX promises_changed ON promises (tenant_id, changed_at);
CREATE INDEX promises_content ON promises USING gin (content gin_trgm_ops);
SELECT protect('promises');

-- The ledger: what is counted of promises is counted from its lines.
CREATE TABLE promise_events (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  promise_id uuid NOT NULL,
  act        text NOT NULL CHECK (act IN
    ('promise', 'coexist', 'extend', 'keep', 'object', 'uphold', 'dismiss', 'break', 'withdraw', 'hand')),
  actor      text NOT NULL,
  text       text NOT NULL DEFAULT '',
  from_due   date,
  to_due     date,
  -- Of 'hand': who answered for it until then, and who does from then on.
  from_id    uuid,
  to_id      uuid,
  pictures   text[] NOT NULL DEFAULT '{}',
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, promise_id) REFERENCES promises ON DELETE CASCADE,
  CHECK (act <> 'extend' OR to_due > from_due),
  CHECK (act <> 'keep' OR cardinality(pictures) > 0));
CREATE INDEX promise_events_of ON promise_events (tenant_id, promise_id, at, id);
SELECT protect('promise_events');
