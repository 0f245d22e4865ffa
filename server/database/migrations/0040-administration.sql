-- What administrators change carries a version, so that the second of two people is told instead of overwriting the first.
ALTER TABLE roles ADD COLUMN remark text NOT NULL DEFAULT '', ADD COLUMN version int NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN version int NOT NULL DEFAULT 0;
ALTER TABLE companies ADD COLUMN version int NOT NULL DEFAULT 0;
ALTER TABLE stores ADD COLUMN principal text NOT NULL DEFAULT '', ADD COLUMN phone text NOT NULL DEFAULT '', ADD COLUMN lng double precision, ADD COLUMN lat double precision, ADD COLUMN version int NOT NULL DEFAULT 0;
-- A first or reset password is known to two people: its owner chooses another before anything else.
ALTER TABLE users ADD COLUMN must_change boolean NOT NULL DEFAULT false, ADD COLUMN totp text, ADD COLUMN totp_last bigint;
-- Failures are counted by address and account together (login_failures), so that nobody locks somebody else out.
ALTER TABLE users DROP COLUMN failed_logins, DROP COLUMN locked_until;
CREATE INDEX user_roles_role ON user_roles (tenant_id, role_id);
CREATE INDEX user_branches_branch ON user_branches (tenant_id, bc_id);
CREATE INDEX user_stores_store ON user_stores (tenant_id, store_id);
CREATE INDEX role_pages_page ON role_pages (tenant_id, page_id);
CREATE INDEX sites_store ON sites (tenant_id, store_id);
CREATE INDEX user_logs_time ON user_logs (tenant_id, at DESC);
CREATE INDEX user_logs_user ON user_logs (tenant_id, user_id, at DESC);
CREATE INDEX device_bindings_time ON device_bindings (tenant_id, at DESC);
CREATE INDEX device_bindings_device ON device_bindings (tenant_id, device_id, at DESC);

-- Before sign-in there is no tenant: the server's own login alone keeps these. The key is a hash of address and account.
CREATE TABLE login_failures (key text PRIMARY KEY, count int NOT NULL, until timestamptz NOT NULL);
REVOKE ALL ON login_failures FROM :app_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON login_failures TO :system_role;

-- Manager and steward have been told of this run of days without work by the night's count; whoever tells them by hand has a mark of their own.
ALTER TABLE sites ADD COLUMN stop_noticed_at timestamptz;
-- How a session was opened: who came through the company's own sign-in has no password here to change.
ALTER TABLE sessions ADD COLUMN via text NOT NULL DEFAULT 'password' CHECK (via IN ('password','sso'));
-- A sign-in under way at the company's provider: single use, minutes only.
CREATE TABLE oidc_states (state text PRIMARY KEY, nonce text NOT NULL, verifier text NOT NULL, expires_at timestamptz NOT NULL);
REVOKE ALL ON oidc_states FROM :app_role;
GRANT SELECT, INSERT, UPDATE, DELETE ON oidc_states TO :system_role;
