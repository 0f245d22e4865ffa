-- How content a home was with a visit: its own score counts, one that staff typed for it says who typed it.
ALTER TABLE receptions
  ADD COLUMN score smallint CHECK (score BETWEEN 1 AND 5),
  ADD COLUMN score_words text NOT NULL DEFAULT '',
  ADD COLUMN scored_by text NOT NULL DEFAULT '',
  ADD COLUMN called_back boolean NOT NULL DEFAULT false,
  ADD CHECK (score IS NULL OR state = 'done'),
  ADD CHECK (score IS NOT NULL OR (score_words = '' AND scored_by = '' AND NOT called_back));
CREATE INDEX receptions_scored ON receptions (tenant_id, bc_id, ended_at) WHERE score IS NOT NULL AND scored_by = '';
