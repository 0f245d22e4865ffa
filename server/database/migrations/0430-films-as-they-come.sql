-- What a film holds and whether browsers play it, read when it was put away (docs/decisions/0430).
ALTER TABLE files
  ADD COLUMN film_seconds float8,
  ADD COLUMN film_format  text CHECK (film_format IN ('hevc', 'mpeg4', 'ts', 'other'));
-- `said_to` is the end that its sender gave; `to_at` is where the film itself ends. `turns` counts the tries to make it
-- playable.
ALTER TABLE recordings
  ADD COLUMN said_to timestamptz,
  ADD COLUMN format  text CHECK (format IN ('hevc', 'mpeg4', 'ts', 'other')),
  ADD COLUMN turns   int NOT NULL DEFAULT 0;
CREATE INDEX recordings_unplayable ON recordings (tenant_id, from_at) WHERE format IS NOT NULL;
