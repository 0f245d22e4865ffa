-- An address of a list (filters, sort, columns) under a name of its user's own.
CREATE TABLE named_views (
  tenant_id uuid NOT NULL, id uuid NOT NULL, user_id uuid NOT NULL, page text NOT NULL, title text NOT NULL, search text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
CREATE UNIQUE INDEX named_views_title ON named_views (tenant_id, user_id, page, title);
SELECT protect('named_views');
