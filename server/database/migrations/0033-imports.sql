-- A workbook somebody is importing: its rows as they stand in the file, and what became of each. It belongs to that person,
-- who has one open per kind; rows are stored in batches, each marked in the transaction that stored it. `twins` names the
-- rows before it that are known by the same number, or the same name and phone.
CREATE TABLE imports (
  tenant_id uuid NOT NULL, id uuid NOT NULL, user_id uuid NOT NULL, kind text NOT NULL, file_name text NOT NULL, total int NOT NULL, at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
CREATE INDEX imports_user ON imports (tenant_id, user_id, kind, at DESC);
CREATE TABLE import_rows (
  tenant_id uuid NOT NULL, import_id uuid NOT NULL, row_no int NOT NULL, cells jsonb NOT NULL, state text NOT NULL DEFAULT 'unchecked' CHECK (state IN ('unchecked','good','bad','done')), errors jsonb NOT NULL DEFAULT '[]', twins jsonb NOT NULL DEFAULT '[]', ref_id uuid,
  PRIMARY KEY (tenant_id, import_id, row_no), FOREIGN KEY (tenant_id, import_id) REFERENCES imports ON DELETE CASCADE);
CREATE INDEX import_rows_state ON import_rows (tenant_id, import_id, state, row_no);
SELECT protect('imports'), protect('import_rows');
-- A thousand names or phones are looked up at once.
CREATE INDEX workers_phone ON workers (tenant_id, w_contact);
CREATE INDEX sites_name ON sites (tenant_id, ws_name);
