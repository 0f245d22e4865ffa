-- What the owner of a home has to decide (docs/states.md, questionActions). That it is overdue is computed.
CREATE TABLE questions (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  id            uuid NOT NULL,
  bc_id         uuid NOT NULL,
  site_id       uuid NOT NULL,
  words         text NOT NULL,
  -- Two to six; none: it is answered in words.
  options       text[] NOT NULL DEFAULT '{}' CHECK (cardinality(options) IN (0, 2, 3, 4, 5, 6)),
  needed_by     date NOT NULL,
  -- The stage of the plan that waits for it.
  stage         text CHECK (stage IN ('briefing', 'demolition', 'plumbing', 'waterproof', 'tiling', 'carpentry',
    'painting', 'fitting', 'cleaning', 'handover')),
  pictures      text[] NOT NULL DEFAULT '{}',
  -- It changes the price: about how much, in words.
  costs         boolean NOT NULL DEFAULT false,
  estimate      text NOT NULL DEFAULT '',
  state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'answered', 'withdrawn')),
  asker_id      uuid NOT NULL,
  asked_at      timestamptz NOT NULL,
  -- What was asked before and is asked anew.
  again_of      uuid,
  withdrawn_for text NOT NULL DEFAULT '',
  closed_at     timestamptz,
  changed_by    text NOT NULL DEFAULT '',
  changed_at    timestamptz,
  version       int NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, asker_id) REFERENCES users,
  FOREIGN KEY (tenant_id, again_of) REFERENCES questions,
  CHECK ((state = 'open') = (closed_at IS NULL)),
  CHECK ((state = 'withdrawn') = (withdrawn_for <> '')),
  CHECK (costs = (estimate <> '')));
CREATE INDEX questions_placed ON questions (tenant_id, closed_at DESC, needed_by, id DESC);
CREATE INDEX questions_branch ON questions (tenant_id, bc_id, closed_at DESC, needed_by, id DESC);
CREATE INDEX questions_site ON questions (tenant_id, site_id, closed_at DESC, needed_by, id DESC);
CREATE INDEX questions_open ON questions (tenant_id, needed_by) WHERE state = 'open';
CREATE INDEX questions_asker ON questions (tenant_id, asker_id);
CREATE UNIQUE INDEX questions_again ON questions (tenant_id, again_of) WHERE again_of IS NOT NULL;
CREATE INDEX questions_words ON questions USING gin (words gin_trgm_ops);
SELECT protect('questions');

-- What people of the home said. The first counts; what others said stands beside it.
CREATE TABLE question_answers (
  tenant_id   uuid NOT NULL REFERENCES tenants(id),
  id          uuid NOT NULL,
  question_id uuid NOT NULL,
  contact_id  uuid NOT NULL,
  choice      smallint CHECK (choice BETWEEN 1 AND 6),
  words       text NOT NULL DEFAULT '',
  counts      boolean NOT NULL,
  -- Who of the staff wrote it down, and what proves it.
  recorded_by text NOT NULL DEFAULT '',
  pictures    text[] NOT NULL DEFAULT '{}',
  at          timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, question_id) REFERENCES questions ON DELETE CASCADE,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  CHECK ((choice IS NULL) = (words <> '')),
  CHECK ((recorded_by = '') = (cardinality(pictures) = 0)));
CREATE UNIQUE INDEX question_answers_once ON question_answers (tenant_id, question_id, contact_id);
CREATE UNIQUE INDEX question_answers_first ON question_answers (tenant_id, question_id) WHERE counts;
CREATE INDEX question_answers_contact ON question_answers (tenant_id, contact_id);
SELECT protect('question_answers');
