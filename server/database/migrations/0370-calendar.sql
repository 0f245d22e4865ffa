-- The dated days of the setting `calendar` (docs/decisions/0370): a lookup for whoever asks whether a day rests.
CREATE TABLE calendar_days (
  tenant_id uuid NOT NULL REFERENCES tenants(id),
  -- Null: of the group; a branch's own day counts before it.
  bc_id     uuid,
  day       date NOT NULL,
  rest      boolean NOT NULL,
  UNIQUE NULLS NOT DISTINCT (tenant_id, day, bc_id),
  FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
SELECT protect('calendar_days');

CREATE OR REPLACE FUNCTION rest_day(tenant uuid, bc uuid, on_day date) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT coalesce(
     (SELECT c.rest FROM calendar_days c
      WHERE c.tenant_id = tenant AND c.day = on_day AND (c.bc_id = bc OR c.bc_id IS NULL)
      ORDER BY c.bc_id NULLS LAST LIMIT 1),
     (SELECT s.value @> to_jsonb(extract(dow FROM on_day)::int) FROM settings s
      WHERE s.tenant_id = tenant AND s.key = 'restDays' AND (s.bc_id = bc OR s.bc_id IS NULL)
      ORDER BY s.bc_id NULLS LAST LIMIT 1), false) $$;
