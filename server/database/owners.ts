/**
 * Which feature writes which table; the others ask and tell it. A name without a feature of its own is a room of the
 * server: app, ingest, database. tools/structure looks at every statement.
 */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  alarms: ['alarms', 'alarm_logs', 'branch_alarms'],
  app: ['idempotency', 'installation', 'jobs', 'job_runs'],
  attendance: ['attendance_days', 'attendance_events', 'branch_attend', 'site_days'],
  companies: ['companies', 'stores', 'user_branches', 'user_stores'],
  database: ['offered', 'schema_migrations', 'tenants'],
  devices: [
    'devices',
    'device_bindings',
    'device_spans',
    'device_stands',
    'hearing',
    'retrievals',
    'serial_numbers',
  ],
  files: ['files'],
  home: ['branch_days'],
  imports: ['imports', 'import_rows'],
  ingest: ['device_nonces', 'device_receipts', 'device_seen', 'raw_events'],
  live: ['live_events', 'site_events'],
  notifications: ['notifications'],
  pages: ['pages', 'page_powers'],
  recordings: ['recordings'],
  roles: ['roles', 'role_pages', 'role_powers', 'user_roles'],
  session: ['sessions', 'login_failures', 'oidc_states', 'user_identities'],
  settings: ['settings'],
  sites: ['sites', 'site_stages', 'owners'],
  tidiness: ['tidiness_checks', 'tidiness_judgings'],
  userlogs: ['user_logs', 'log_heads'],
  users: ['account_names', 'users'],
  views: ['named_views', 'saved_views'],
  violations: ['violations', 'violation_logs'],
  visitors: ['visits'],
  workers: ['workers', 'worker_documents', 'site_members'],
}
