-- A face is kept only with the person's consent: how it was given, when, and who took it down.
ALTER TABLE workers ADD COLUMN team text NOT NULL DEFAULT '', ADD COLUMN consent_how text CHECK (consent_how IN ('paper','phone')), ADD COLUMN consent_at timestamptz, ADD COLUMN consent_by text,
  ADD CHECK (w_face IS NULL OR (consent_how IS NOT NULL AND consent_at IS NOT NULL AND consent_by IS NOT NULL));
CREATE INDEX workers_face ON workers (tenant_id, w_face) WHERE w_face IS NOT NULL;
