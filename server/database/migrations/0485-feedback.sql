-- What owners say, and what becomes of it. It hangs on a site, the home; the owner is the site's.
CREATE TABLE feedback (
  tenant_id      uuid NOT NULL REFERENCES tenants(id),
  id             uuid NOT NULL,
  no             text NOT NULL,
  bc_id          uuid NOT NULL,
  site_id        uuid NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('suggestion', 'complaint', 'praise', 'repair')),
  level          smallint NOT NULL CHECK (level BETWEEN 1 AND 3),
  about          text NOT NULL CHECK (about IN ('person', 'goods', 'work')),
  about_id       uuid,
  channel        text NOT NULL CHECK (channel IN ('phone', 'store', 'wechat', 'scene', 'other')),
  words          text NOT NULL,
  pictures       text[] NOT NULL DEFAULT '{}',
  status         smallint NOT NULL DEFAULT 1 CHECK (status BETWEEN 1 AND 4),
  round          int NOT NULL DEFAULT 1,
  -- Kept from the site's steward whom it is about, until somebody releases it.
  hidden_from    uuid,
  assignee_id    uuid,
  entered_by     text NOT NULL,
  entered_at     timestamptz NOT NULL,
  -- The two clocks; `warn` is where three quarters of one have run.
  answer_warn_at timestamptz NOT NULL,
  answer_due_at  timestamptz NOT NULL,
  answered_at    timestamptz,
  answers        int NOT NULL DEFAULT 0,
  close_warn_at  timestamptz,
  close_due_at   timestamptz,
  -- A pause holds the close clock; it ends by itself on paused_until.
  paused_at      timestamptz,
  paused_until   timestamptz,
  pause_for      text CHECK (pause_for IN ('owner', 'third')),
  pause_text     text NOT NULL DEFAULT '',
  paused_s       int NOT NULL DEFAULT 0,
  -- Steps up the ladder in this round, and the moment that the last of them was due at.
  rung           smallint NOT NULL DEFAULT 0 CHECK (rung BETWEEN 0 AND 3),
  climbed_at     timestamptz,
  closed_at      timestamptz,
  cause          text CHECK (cause IN ('works', 'goods', 'design', 'service', 'supplier', 'other')),
  result         text NOT NULL DEFAULT '',
  cancelled      text CHECK (cancelled IN ('repeated', 'notOurs', 'withdrawn')),
  of_id          uuid,
  score          smallint CHECK (score BETWEEN 1 AND 5),
  scored_by      text NOT NULL DEFAULT '',
  called_back    boolean NOT NULL DEFAULT false,
  changed_by     text NOT NULL,
  changed_at     timestamptz NOT NULL,
  version        int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, no),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, about_id) REFERENCES users,
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users,
  FOREIGN KEY (tenant_id, of_id) REFERENCES feedback,
  CHECK ((paused_at IS NULL) = (paused_until IS NULL) AND (paused_at IS NULL) = (pause_for IS NULL)),
  CHECK (status NOT IN (2, 3) OR kind IN ('praise', 'suggestion') OR close_due_at IS NOT NULL));
CREATE INDEX feedback_newest ON feedback (tenant_id, entered_at DESC, id DESC);
CREATE INDEX feedback_branch ON feedback (tenant_id, bc_id, entered_at DESC, id DESC);
CREATE INDEX feedback_site ON feedback (tenant_id, site_id, entered_at DESC, id DESC);
CREATE INDEX feedback_of ON feedback (tenant_id, of_id) WHERE of_id IS NOT NULL;
CREATE INDEX feedback_open ON feedback (tenant_id, bc_id) WHERE status IN (1, 2);
CREATE INDEX feedback_assignee ON feedback (tenant_id, assignee_id) WHERE status IN (1, 2);
CREATE INDEX feedback_callback ON feedback (tenant_id, bc_id) WHERE status = 3 AND score <= 2 AND NOT called_back;
CREATE INDEX feedback_hidden ON feedback (tenant_id, hidden_from) WHERE hidden_from IS NOT NULL;
SELECT protect('feedback');

-- The ledger: each command a line.
CREATE TABLE feedback_events (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  feedback_id uuid NOT NULL,
  at          timestamptz NOT NULL,
  actor       text NOT NULL,
  act         text NOT NULL CHECK (act IN ('enter', 'accept', 'answer', 'transfer', 'raise', 'lower', 'escalate',
    'pause', 'resume', 'correct', 'close', 'thank', 'reopen', 'cancel', 'score', 'callback', 'release')),
  words       text NOT NULL DEFAULT '',
  pictures    text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback ON DELETE CASCADE);
CREATE INDEX feedback_events_of ON feedback_events (tenant_id, feedback_id, at);
SELECT protect('feedback_events');

-- Whom the ladder has brought in; whose turn it is stays with the assignee.
CREATE TABLE feedback_supervisors (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  feedback_id uuid NOT NULL,
  user_id     uuid NOT NULL,
  rung        smallint NOT NULL CHECK (rung BETWEEN 1 AND 3),
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, feedback_id, user_id),
  FOREIGN KEY (tenant_id, feedback_id) REFERENCES feedback ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users);
SELECT protect('feedback_supervisors');

-- Several corrections may come of one feedback; of any other source it is one.
ALTER TABLE corrections DROP CONSTRAINT corrections_source_check;
ALTER TABLE corrections ADD CONSTRAINT corrections_source_check
  CHECK (source IN ('alarm', 'patrol', 'tidiness', 'feedback'));
CREATE UNIQUE INDEX corrections_one_source ON corrections (tenant_id, source, source_id)
  WHERE source IN ('patrol', 'tidiness');
DROP INDEX corrections_source;
CREATE INDEX corrections_feedback ON corrections (tenant_id, source_id) WHERE source = 'feedback';

-- A change that is kept from one person is told to everybody else.
ALTER TABLE live_events ADD COLUMN except_id uuid;
