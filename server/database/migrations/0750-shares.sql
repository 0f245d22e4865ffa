-- What customers are shown leads by a link of three further kinds (docs/decisions/0645). Its secret is formed from the
-- link and its generation, so that whoever made it copies it again.
ALTER TABLE links DROP CONSTRAINT links_kind_check,
  ADD CONSTRAINT links_kind_check CHECK (kind IN ('driver', 'owner', 'share', 'preview', 'quotation')),
  -- Empty where the secret was told once and is known to nobody.
  ADD generation  int CHECK (generation > 0),
  ADD store_id    uuid,
  ADD customer_id uuid,
  -- What it shows, in words that name nobody.
  ADD title       text NOT NULL DEFAULT '',
  ADD FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  ADD FOREIGN KEY (tenant_id, customer_id) REFERENCES customers;
-- Its rules stay those of its branch: whoever sees single sites reads the links of their homes. What was sent to
-- customers is narrowed to stores by the statements that list it.
CREATE INDEX links_shared ON links (tenant_id, made_at DESC, id) WHERE kind IN ('share', 'preview', 'quotation');
CREATE INDEX links_customer ON links (tenant_id, customer_id) WHERE customer_id IS NOT NULL;

-- How long the page was in sight, and which parts of it.
ALTER TABLE link_openings
  ADD seconds int NOT NULL DEFAULT 0 CHECK (seconds >= 0),
  ADD looked  text[] NOT NULL DEFAULT '{}';
CREATE INDEX link_openings_old ON link_openings (tenant_id, at);
