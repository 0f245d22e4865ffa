-- Names: tenant_id first in every key; ids are UUIDv7 made by the application; days are Asia/Shanghai days.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- What the current transaction may see. SET LOCAL app.tenant / app.bcs / app.sites before the first statement;
-- '*' stands for all. Without them nothing is visible.
CREATE FUNCTION scope_ids(setting text) RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN coalesce(current_setting(setting, true), '') IN ('', '*') THEN '{}'::uuid[] ELSE current_setting(setting, true)::uuid[] END $$;
CREATE FUNCTION scope_all(setting text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT coalesce(current_setting(setting, true), '') = '*' $$;
CREATE FUNCTION scope_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN coalesce(current_setting('app.tenant', true), '') IN ('', '*') THEN NULL ELSE current_setting('app.tenant', true)::uuid END $$;

CREATE TABLE tenants (id uuid PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL DEFAULT now());

CREATE TABLE companies (
  tenant_id uuid NOT NULL REFERENCES tenants(id), bc_id uuid NOT NULL, bc_name text NOT NULL, code text NOT NULL, city text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '', principal text NOT NULL DEFAULT '', phone text NOT NULL DEFAULT '', receives_orders boolean NOT NULL DEFAULT true,
  sort int NOT NULL DEFAULT 0, status smallint NOT NULL DEFAULT 1, lng double precision, lat double precision,
  PRIMARY KEY (tenant_id, bc_id), UNIQUE (tenant_id, code));
CREATE TABLE stores (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, name text NOT NULL, address text NOT NULL DEFAULT '', status smallint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
CREATE TABLE roles (
  tenant_id uuid NOT NULL REFERENCES tenants(id), id uuid NOT NULL, code text NOT NULL, name text NOT NULL,
  data_scope text NOT NULL CHECK (data_scope IN ('tenant','branches','stores','ownSites')), status smallint NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, code));
CREATE TABLE pages (
  tenant_id uuid NOT NULL REFERENCES tenants(id), id uuid NOT NULL, system text NOT NULL CHECK (system IN ('xc','jf','yx')), parent_id uuid,
  path text NOT NULL, name text NOT NULL, icon text NOT NULL DEFAULT '', visible boolean NOT NULL DEFAULT true, keep_alive boolean NOT NULL DEFAULT false,
  memory_router boolean NOT NULL DEFAULT false, component_name text NOT NULL DEFAULT '', component text NOT NULL DEFAULT '', always_show boolean NOT NULL DEFAULT false,
  sort int NOT NULL DEFAULT 0, PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, system, path),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES pages);
CREATE TABLE page_powers (
  tenant_id uuid NOT NULL, page_id uuid NOT NULL, label text NOT NULL, name text NOT NULL,
  PRIMARY KEY (tenant_id, page_id, label), FOREIGN KEY (tenant_id, page_id) REFERENCES pages ON DELETE CASCADE);
CREATE TABLE role_pages (
  tenant_id uuid NOT NULL, role_id uuid NOT NULL, page_id uuid NOT NULL, PRIMARY KEY (tenant_id, role_id, page_id),
  FOREIGN KEY (tenant_id, role_id) REFERENCES roles ON DELETE CASCADE, FOREIGN KEY (tenant_id, page_id) REFERENCES pages ON DELETE CASCADE);
CREATE TABLE role_powers (
  tenant_id uuid NOT NULL, role_id uuid NOT NULL, label text NOT NULL, PRIMARY KEY (tenant_id, role_id, label),
  FOREIGN KEY (tenant_id, role_id) REFERENCES roles ON DELETE CASCADE);
CREATE TABLE users (
  tenant_id uuid NOT NULL REFERENCES tenants(id), id uuid NOT NULL, user_name text NOT NULL, nickname text NOT NULL, phone text NOT NULL DEFAULT '',
  avatar text NOT NULL DEFAULT '', introduction text NOT NULL DEFAULT '', bc_id uuid, post smallint CHECK (post IN (1,2)), password text NOT NULL,
  status smallint NOT NULL DEFAULT 1 CHECK (status IN (1,2)), last_login timestamptz, failed_logins int NOT NULL DEFAULT 0, locked_until timestamptz,
  version int NOT NULL DEFAULT 0, deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
-- One account name names one person in the whole installation: the login body has no tenant (domain.md).
CREATE UNIQUE INDEX users_user_name ON users (lower(user_name)) WHERE deleted_at IS NULL;
CREATE TABLE user_roles (
  tenant_id uuid NOT NULL, user_id uuid NOT NULL, role_id uuid NOT NULL, PRIMARY KEY (tenant_id, user_id, role_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE, FOREIGN KEY (tenant_id, role_id) REFERENCES roles);
CREATE TABLE user_branches (
  tenant_id uuid NOT NULL, user_id uuid NOT NULL, bc_id uuid NOT NULL, PRIMARY KEY (tenant_id, user_id, bc_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE, FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
CREATE TABLE user_stores (
  tenant_id uuid NOT NULL, user_id uuid NOT NULL, store_id uuid NOT NULL, PRIMARY KEY (tenant_id, user_id, store_id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE, FOREIGN KEY (tenant_id, store_id) REFERENCES stores);
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY, tenant_id uuid NOT NULL, user_id uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL, revoked_at timestamptz, ip text NOT NULL DEFAULT '', agent text NOT NULL DEFAULT '',
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
CREATE INDEX sessions_user ON sessions (tenant_id, user_id);

-- One row per write, refusal, export and sign-in, in the transaction of its effect. The chain is sealed a moment later, in order of commit.
CREATE TABLE user_logs (
  tenant_id uuid NOT NULL, id uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), user_id uuid, user_name text NOT NULL DEFAULT '',
  ip text NOT NULL DEFAULT '', agent text NOT NULL DEFAULT '', system text NOT NULL DEFAULT '', action text NOT NULL, object text NOT NULL DEFAULT '',
  object_id text NOT NULL DEFAULT '', outcome text NOT NULL DEFAULT 'done', before jsonb, after jsonb, seq bigint, hash text,
  PRIMARY KEY (tenant_id, id));
CREATE UNIQUE INDEX user_logs_seq ON user_logs (tenant_id, seq) WHERE seq IS NOT NULL;
CREATE INDEX user_logs_open ON user_logs (tenant_id, id) WHERE seq IS NULL;
CREATE INDEX user_logs_object ON user_logs (tenant_id, object, object_id);
CREATE TABLE log_heads (tenant_id uuid NOT NULL, seq bigint NOT NULL, hash text NOT NULL, signature text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (tenant_id, seq));

CREATE TABLE settings (tenant_id uuid NOT NULL REFERENCES tenants(id), bc_id uuid, key text NOT NULL, value jsonb NOT NULL);
CREATE UNIQUE INDEX settings_key ON settings (tenant_id, coalesce(bc_id, '00000000-0000-0000-0000-000000000000'::uuid), key);
CREATE TABLE saved_views (
  tenant_id uuid NOT NULL, user_id uuid NOT NULL, name text NOT NULL, value jsonb NOT NULL, PRIMARY KEY (tenant_id, user_id, name),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
CREATE TABLE notifications (
  tenant_id uuid NOT NULL, id uuid NOT NULL, user_id uuid NOT NULL, title text NOT NULL, link text NOT NULL DEFAULT '', at timestamptz NOT NULL DEFAULT now(), read_at timestamptz,
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, user_id) REFERENCES users ON DELETE CASCADE);
CREATE INDEX notifications_user ON notifications (tenant_id, user_id, at DESC);

CREATE TABLE owners (tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, name text NOT NULL, phone text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);

CREATE TABLE sites (
  tenant_id uuid NOT NULL, id uuid NOT NULL, code text NOT NULL, ws_name text NOT NULL, bc_id uuid NOT NULL, store_id uuid, owner_id uuid,
  community text NOT NULL DEFAULT '', address text NOT NULL DEFAULT '', area numeric(9,2), layout text NOT NULL DEFAULT '', style text NOT NULL DEFAULT '',
  lng double precision, lat double precision, status smallint NOT NULL DEFAULT 2 CHECK (status IN (1,2,3,4)), stage text, progress smallint NOT NULL DEFAULT 0,
  start_date date, planned_start date, planned_finish date, actual_finish date, steward_id uuid, manager_id uuid,
  tidiness smallint CHECK (tidiness IN (1,2,3)), no_work smallint[] NOT NULL DEFAULT '{}', no_work_run int NOT NULL DEFAULT 0, no_work_sum int NOT NULL DEFAULT 0,
  devices_online int NOT NULL DEFAULT 0, devices_total int NOT NULL DEFAULT 0, open_alarms int NOT NULL DEFAULT 0, version int NOT NULL DEFAULT 0, deleted_at timestamptz,
  search text GENERATED ALWAYS AS (lower(code || ' ' || ws_name || ' ' || community || ' ' || address)) STORED,
  PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, code), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies, FOREIGN KEY (tenant_id, store_id) REFERENCES stores,
  FOREIGN KEY (tenant_id, owner_id) REFERENCES owners, FOREIGN KEY (tenant_id, steward_id) REFERENCES users, FOREIGN KEY (tenant_id, manager_id) REFERENCES users);
CREATE INDEX sites_branch ON sites (tenant_id, bc_id, status);
CREATE INDEX sites_steward ON sites (tenant_id, steward_id);
CREATE INDEX sites_manager ON sites (tenant_id, manager_id);
CREATE INDEX sites_search ON sites USING gin (search gin_trgm_ops);
CREATE TABLE site_stages (
  tenant_id uuid NOT NULL, site_id uuid NOT NULL, stage text NOT NULL, sort smallint NOT NULL, planned_start date, planned_finish date, actual_start date, actual_finish date,
  PRIMARY KEY (tenant_id, site_id, stage), FOREIGN KEY (tenant_id, site_id) REFERENCES sites);
CREATE TABLE workers (
  tenant_id uuid NOT NULL, id uuid NOT NULL, w_id text NOT NULL, w_name text NOT NULL, bc_id uuid NOT NULL, w_type smallint NOT NULL CHECK (w_type BETWEEN 1 AND 7),
  w_sex smallint NOT NULL DEFAULT 1, w_contact text NOT NULL DEFAULT '', w_face text, status smallint NOT NULL DEFAULT 1, version int NOT NULL DEFAULT 0, deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, w_id), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies);
CREATE TABLE site_members (
  tenant_id uuid NOT NULL, site_id uuid NOT NULL, worker_id uuid NOT NULL, entered_on date NOT NULL, left_on date,
  PRIMARY KEY (tenant_id, site_id, worker_id, entered_on), FOREIGN KEY (tenant_id, site_id) REFERENCES sites, FOREIGN KEY (tenant_id, worker_id) REFERENCES workers);

CREATE TABLE devices (
  tenant_id uuid NOT NULL REFERENCES tenants(id), id uuid NOT NULL, sn text NOT NULL UNIQUE, secret text NOT NULL, type text NOT NULL CHECK (type IN ('camera','faceTerminal','edgeBox','router')),
  model text NOT NULL DEFAULT '', bc_id uuid, bind_status smallint NOT NULL DEFAULT 1 CHECK (bind_status IN (1,2)), site_id uuid,
  device_status smallint NOT NULL DEFAULT 6 CHECK (device_status BETWEEN 1 AND 6), cause text, signal smallint, firmware text NOT NULL DEFAULT '', last_seen timestamptz, frame_at timestamptz,
  streams jsonb, remark text NOT NULL DEFAULT '', last_picture text, last_picture_at timestamptz, version int NOT NULL DEFAULT 0, deleted_at timestamptz,
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, bc_id) REFERENCES companies, FOREIGN KEY (tenant_id, site_id) REFERENCES sites,
  CHECK ((bind_status = 2) = (site_id IS NOT NULL)), CHECK (NOT (bind_status = 2 AND device_status IN (5,6))));
CREATE INDEX devices_site ON devices (tenant_id, site_id);
CREATE INDEX devices_branch ON devices (tenant_id, bc_id, device_status);
CREATE TABLE device_spans (
  tenant_id uuid NOT NULL, device_id uuid NOT NULL, from_at timestamptz NOT NULL, to_at timestamptz, state smallint NOT NULL, cause text NOT NULL,
  PRIMARY KEY (tenant_id, device_id, from_at), FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
CREATE UNIQUE INDEX device_spans_open ON device_spans (tenant_id, device_id) WHERE to_at IS NULL;
CREATE TABLE device_bindings (
  tenant_id uuid NOT NULL, id uuid NOT NULL, device_id uuid NOT NULL, site_id uuid, action text NOT NULL, actor text NOT NULL, at timestamptz NOT NULL DEFAULT now(), remark text NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, device_id) REFERENCES devices);
-- Identity of an event, apart from the partitioned tables, whose keys must hold the time.
CREATE TABLE device_receipts (device_id uuid NOT NULL, event_id text NOT NULL, received_on date NOT NULL, PRIMARY KEY (device_id, event_id));
CREATE TABLE device_nonces (device_id uuid NOT NULL, nonce text NOT NULL, expires_at timestamptz NOT NULL, PRIMARY KEY (device_id, nonce));
CREATE INDEX device_nonces_expiry ON device_nonces (expires_at);
CREATE TABLE files (
  key text PRIMARY KEY, tenant_id uuid NOT NULL REFERENCES tenants(id), bc_id uuid, site_id uuid, device_id uuid, user_id uuid, kind text NOT NULL, bytes int NOT NULL, at timestamptz NOT NULL DEFAULT now());

CREATE TABLE raw_events (
  tenant_id uuid NOT NULL, device_id uuid NOT NULL, event_id text NOT NULL, at timestamptz NOT NULL, received_at timestamptz NOT NULL DEFAULT now(), kind text NOT NULL, body jsonb NOT NULL) PARTITION BY RANGE (at);
CREATE INDEX raw_events_device ON raw_events (tenant_id, device_id, at);
CREATE TABLE attendance_events (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, site_id uuid NOT NULL, worker_id uuid NOT NULL, device_id uuid, at timestamptz NOT NULL, day date NOT NULL,
  direction text NOT NULL, picture text, similarity real, source text NOT NULL DEFAULT 'face' CHECK (source IN ('face','app','makeup')), reason text NOT NULL DEFAULT '') PARTITION BY RANGE (at);
CREATE INDEX attendance_events_site ON attendance_events (tenant_id, site_id, at DESC);
CREATE INDEX attendance_events_worker ON attendance_events (tenant_id, worker_id, at DESC);
CREATE INDEX attendance_events_time ON attendance_events USING brin (at);
CREATE TABLE site_events (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, site_id uuid NOT NULL, kind text NOT NULL, at timestamptz NOT NULL, title text NOT NULL, actor text NOT NULL DEFAULT '', ref_id uuid, picture text) PARTITION BY RANGE (at);
CREATE INDEX site_events_site ON site_events (tenant_id, site_id, at DESC, id DESC);

-- A partition for every month a day of [from, to] falls in; called before rows of that time are written.
CREATE FUNCTION ensure_months(from_day date, to_day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE parent text; m date; part text; part_from timestamptz; part_to timestamptz;
BEGIN
  IF to_day - from_day > 800 OR from_day < DATE '2020-01-01' THEN RAISE EXCEPTION 'range of months too wide'; END IF;
  PERFORM pg_advisory_xact_lock(724001);
  FOREACH parent IN ARRAY ARRAY['raw_events','attendance_events','site_events'] LOOP
    m := date_trunc('month', from_day);
    WHILE m <= to_day LOOP
      part := parent || '_' || to_char(m, 'YYYYMM');
      IF to_regclass('public.' || part) IS NULL THEN
        part_from := m::timestamp AT TIME ZONE 'Asia/Shanghai';
        part_to := (m + INTERVAL '1 month')::timestamp AT TIME ZONE 'Asia/Shanghai';
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', part, parent, part_from, part_to);
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', part);
      END IF;
      m := m + INTERVAL '1 month';
    END LOOP;
  END LOOP;
END $$;

CREATE TABLE attendance_days (
  tenant_id uuid NOT NULL, day date NOT NULL, site_id uuid NOT NULL, worker_id uuid NOT NULL, bc_id uuid NOT NULL, first_at timestamptz NOT NULL, last_at timestamptz NOT NULL, count int NOT NULL,
  PRIMARY KEY (tenant_id, day, site_id, worker_id));
CREATE INDEX attendance_days_site ON attendance_days (tenant_id, site_id, day);
CREATE TABLE site_days (
  tenant_id uuid NOT NULL, day date NOT NULL, site_id uuid NOT NULL, bc_id uuid NOT NULL, expected int NOT NULL DEFAULT 0, present int NOT NULL DEFAULT 0, no_work boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, day, site_id));
-- Figures of a branch on a day, kept so that a card can say what it was yesterday.
CREATE TABLE branch_days (
  tenant_id uuid NOT NULL, day date NOT NULL, bc_id uuid NOT NULL, figure text NOT NULL, value numeric NOT NULL, PRIMARY KEY (tenant_id, day, bc_id, figure));

CREATE TABLE alarms (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, site_id uuid NOT NULL, device_id uuid NOT NULL, type text NOT NULL CHECK (type IN ('cameraproblem','noclothes','smoking')),
  worker_id uuid, picture text, clip text, confidence real NOT NULL, at timestamptz NOT NULL, last_seen timestamptz NOT NULL, seen int NOT NULL DEFAULT 1, low_trust boolean NOT NULL DEFAULT false,
  correction_status smallint NOT NULL DEFAULT 1 CHECK (correction_status IN (1,2,3,4)), verdict text NOT NULL DEFAULT 'none' CHECK (verdict IN ('none','real','wrong')),
  step text CHECK (step IN ('assigned','doing','submitted')), round int NOT NULL DEFAULT 1, assignee_id uuid, corrector_id uuid, due_at timestamptz, closed_at timestamptz, version int NOT NULL DEFAULT 0,
  changed_by text NOT NULL DEFAULT '', changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, site_id) REFERENCES sites, FOREIGN KEY (tenant_id, device_id) REFERENCES devices, FOREIGN KEY (tenant_id, bc_id) REFERENCES companies,
  FOREIGN KEY (tenant_id, assignee_id) REFERENCES users);
-- One open alarm per camera and type (states.md).
CREATE UNIQUE INDEX alarms_open ON alarms (tenant_id, device_id, type) WHERE correction_status IN (1,2);
CREATE INDEX alarms_branch ON alarms (tenant_id, bc_id, at DESC);
CREATE INDEX alarms_site ON alarms (tenant_id, site_id, at DESC);
CREATE INDEX alarms_time ON alarms (tenant_id, at DESC, id DESC);
CREATE INDEX alarms_status ON alarms (tenant_id, correction_status, at DESC);
CREATE INDEX alarms_device ON alarms (tenant_id, device_id, at DESC);
CREATE TABLE alarm_logs (
  tenant_id uuid NOT NULL, id uuid NOT NULL, alarm_id uuid NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(), actor text NOT NULL, action text NOT NULL, text text NOT NULL DEFAULT '', pictures text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (tenant_id, id), FOREIGN KEY (tenant_id, alarm_id) REFERENCES alarms);
CREATE INDEX alarm_logs_alarm ON alarm_logs (tenant_id, alarm_id, at);
CREATE TABLE tidiness_checks (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, site_id uuid NOT NULL, device_id uuid, at timestamptz NOT NULL, picture text, result smallint NOT NULL CHECK (result IN (1,2,3,4)), confidence real,
  source text NOT NULL DEFAULT 'camera', PRIMARY KEY (tenant_id, id));
CREATE INDEX tidiness_site ON tidiness_checks (tenant_id, site_id, at DESC);
CREATE TABLE visits (
  tenant_id uuid NOT NULL, id uuid NOT NULL, bc_id uuid NOT NULL, site_id uuid NOT NULL, device_id uuid, at timestamptz NOT NULL, seconds int NOT NULL, picture text, similarity real, identity text NOT NULL DEFAULT '', handled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, id));
CREATE TABLE recordings (
  tenant_id uuid NOT NULL, id uuid NOT NULL, device_id uuid NOT NULL, from_at timestamptz NOT NULL, to_at timestamptz NOT NULL, key text NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (tenant_id, id));

-- What browsers are told. Read in order of (xid, seq) below the oldest running transaction, so that a late commit is never skipped.
CREATE TABLE live_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, xid xid8 NOT NULL DEFAULT pg_current_xact_id(), tenant_id uuid NOT NULL, bc_id uuid, site_id uuid, user_id uuid,
  topic text NOT NULL, what text NOT NULL, ref_id text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX live_events_order ON live_events (xid, seq);
CREATE FUNCTION live_notify() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('live', ''); RETURN NULL; END $$;
CREATE TRIGGER live_events_notify AFTER INSERT ON live_events FOR EACH STATEMENT EXECUTE FUNCTION live_notify();

CREATE TABLE jobs (kind text NOT NULL, day date NOT NULL, started_at timestamptz NOT NULL DEFAULT now(), finished_at timestamptz, note text NOT NULL DEFAULT '', PRIMARY KEY (kind, day));

-- Row-level security. Every table with tenant_id is forced; tables of a branch or a site also obey the data scope.
DO $$
DECLARE t text; cond text; has_bc boolean; has_site boolean;
BEGIN
  FOR t IN SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
           WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r','p') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    cond := '(tenant_id = (SELECT scope_tenant()) OR (SELECT scope_all(''app.tenant'')))';
    IF t IN ('alarms','attendance_events','attendance_days','site_days','site_events','tidiness_checks','visits') THEN
      cond := cond || ' AND ((SELECT scope_all(''app.bcs'')) OR bc_id = ANY ((SELECT scope_ids(''app.bcs''))::uuid[])) AND ((SELECT scope_all(''app.sites'')) OR site_id = ANY ((SELECT scope_ids(''app.sites''))::uuid[]))';
    ELSIF t = 'sites' THEN
      cond := cond || ' AND ((SELECT scope_all(''app.bcs'')) OR bc_id = ANY ((SELECT scope_ids(''app.bcs''))::uuid[])) AND ((SELECT scope_all(''app.sites'')) OR id = ANY ((SELECT scope_ids(''app.sites''))::uuid[]))';
    ELSIF t = 'devices' THEN
      cond := cond || ' AND ((SELECT scope_all(''app.bcs'')) OR bc_id = ANY ((SELECT scope_ids(''app.bcs''))::uuid[])) AND ((SELECT scope_all(''app.sites'')) OR site_id = ANY ((SELECT scope_ids(''app.sites''))::uuid[]))';
    ELSIF t IN ('workers','owners','branch_days') THEN
      cond := cond || ' AND ((SELECT scope_all(''app.bcs'')) OR bc_id = ANY ((SELECT scope_ids(''app.bcs''))::uuid[]))';
    END IF;
    EXECUTE format('CREATE POLICY scope ON %I USING (%s) WITH CHECK (%s)', t, cond, cond);
  END LOOP;
END $$;
ALTER TABLE tenants ENABLE ROW LEVEL SECURITY;
ALTER TABLE tenants FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON tenants USING (id = (SELECT scope_tenant()) OR (SELECT scope_all('app.tenant')));

GRANT USAGE ON SCHEMA public TO :app_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :app_role;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :app_role;
-- The log is written once: the chain may be added, nothing else changed, nothing removed.
REVOKE UPDATE, DELETE ON user_logs, log_heads FROM :app_role;
GRANT UPDATE (seq, hash) ON user_logs TO :app_role;
REVOKE EXECUTE ON FUNCTION ensure_months(date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_months(date, date) TO :app_role;
-- The tenant is set by SET LOCAL only, never by an expression inside a statement.
REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC;
