-- A day that cannot speak of attendance: a rest day of the branch (`restDays`, 0 = Sunday), or a day on which every camera and terminal of the site was blind.
ALTER TABLE site_days ADD COLUMN rest boolean NOT NULL DEFAULT false, ADD COLUMN blind boolean NOT NULL DEFAULT false;
CREATE FUNCTION rest_day(tenant uuid, bc uuid, on_day date) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT coalesce((SELECT s.value @> to_jsonb(extract(dow FROM on_day)::int) FROM settings s WHERE s.tenant_id = tenant AND s.key = 'restDays' AND (s.bc_id = bc OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1), false) $$;
CREATE INDEX site_days_site ON site_days (tenant_id, site_id, day);
CREATE INDEX site_days_branch ON site_days (tenant_id, bc_id, day);
-- What is known of the present standstill; work that resumes takes it away, the log and the timeline keep it.
ALTER TABLE sites
  ADD COLUMN stop_reason text CHECK (stop_reason IN ('material', 'owner', 'crew', 'process', 'weather', 'dispute', 'holiday', 'device', 'other')),
  ADD COLUMN stop_remark text NOT NULL DEFAULT '', ADD COLUMN stop_by text NOT NULL DEFAULT '', ADD COLUMN stop_at timestamptz, ADD COLUMN stop_told_at timestamptz;
CREATE INDEX sites_stopped ON sites (tenant_id, no_work_run DESC) WHERE no_work <> '{}';
