-- What a home and we say to each other: one thread a home. Its row stands where the words are waited for.
CREATE TABLE threads (
  tenant_id     uuid NOT NULL REFERENCES tenants(id),
  site_id       uuid NOT NULL,
  bc_id         uuid NOT NULL,
  -- The place of the newest line.
  newest        int NOT NULL DEFAULT 0,
  -- The first word of the home that nobody has answered, its place, when the answer is due, and when others hear of it.
  waiting_since timestamptz,
  waiting_from  int,
  due_at        timestamptz,
  late_at       timestamptz,
  changed_at    timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, site_id),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  CHECK (num_nulls(waiting_since, waiting_from, due_at, late_at) IN (0, 4)));
CREATE INDEX threads_waiting ON threads (tenant_id, waiting_since) WHERE waiting_since IS NOT NULL;
CREATE INDEX threads_due ON threads (tenant_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX threads_branch ON threads (tenant_id, bc_id);
SELECT protect('threads');

-- Its lines, in their order. Nothing is edited; what was taken back leaves its place and nothing else.
CREATE TABLE thread_messages (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  id         uuid NOT NULL,
  site_id    uuid NOT NULL,
  bc_id      uuid NOT NULL,
  seq        int NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('words', 'silence')),
  side       text NOT NULL CHECK (side IN ('owner', 'staff')),
  channel    text NOT NULL CHECK (channel IN ('page', 'phone', 'wechat', 'meet')),
  -- Whose words they are, by the name of that day; of the home: which of its people, where that is known.
  who        text NOT NULL,
  contact_id uuid,
  -- Who of the staff wrote it, or wrote down what the home said; nobody where a link or the system did.
  user_id    uuid,
  -- What the owner reads of who answered: the post, and no more of the name than the first character.
  post       text NOT NULL DEFAULT '',
  words      text NOT NULL DEFAULT '',
  pictures   text[] NOT NULL DEFAULT '{}',
  at         timestamptz NOT NULL,
  taken_at   timestamptz,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, site_id, seq),
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  FOREIGN KEY (tenant_id, user_id) REFERENCES users,
  CHECK (kind = 'words' OR (side = 'staff' AND words <> '')),
  CHECK (contact_id IS NULL OR side = 'owner'),
  CHECK (taken_at IS NULL OR (words = '' AND pictures = '{}')),
  CHECK (taken_at IS NOT NULL OR words <> '' OR pictures <> '{}'));
CREATE INDEX thread_messages_contact ON thread_messages (tenant_id, contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX thread_messages_user ON thread_messages (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX thread_messages_words ON thread_messages USING gin (words gin_trgm_ops);
CREATE INDEX thread_messages_pictures ON thread_messages USING gin (pictures);
SELECT protect('thread_messages');

-- How far a contact has read, and when: the lines after `after` up to `seq` were seen then.
CREATE TABLE thread_reads (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  contact_id uuid NOT NULL,
  seq        int NOT NULL,
  after      int NOT NULL,
  site_id    uuid NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, contact_id, seq),
  FOREIGN KEY (tenant_id, contact_id) REFERENCES home_contacts,
  FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  CHECK (after < seq));
CREATE INDEX thread_reads_site ON thread_reads (tenant_id, site_id, seq);
SELECT protect('thread_reads');

-- What came of a message: the record that was made of it.
CREATE TABLE thread_outcomes (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  message_id uuid NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('feedback', 'promise', 'reception')),
  record_id  uuid NOT NULL,
  made_by    text NOT NULL,
  at         timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, message_id, kind, record_id),
  FOREIGN KEY (tenant_id, message_id) REFERENCES thread_messages);
SELECT protect('thread_outcomes');

-- What a branch says often, in its own words.
CREATE TABLE thread_templates (
  tenant_id  uuid NOT NULL REFERENCES tenants(id),
  bc_id      uuid NOT NULL,
  texts      text[] NOT NULL,
  changed_by text NOT NULL,
  changed_at timestamptz NOT NULL,
  version    int NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, bc_id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
SELECT protect('thread_templates');
