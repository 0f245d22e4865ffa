/**
 * What becomes of the rows of every table: the job of retention.ts that forgets them, or why they are kept for good. A
 * test compares it with the database, so that nothing only grows without anybody having said so.
 */
export const FORGOTTEN: Readonly<Record<string, string>> = {
  absences: 'retention.absences',
  channel_messages: 'retention.channel_messages',
  device_nonces: 'retention.nonces',
  device_receipts: 'retention.device_receipts',
  device_seen: 'retention.device_seen',
  customer_looks: 'retention.customer_looks',
  delivery_days: 'retention.delivery_days',
  files: 'retention.pictures',
  idempotency: 'retention.idempotency',
  import_rows: 'retention.imports',
  imports: 'retention.imports',
  jobs: 'retention.jobs',
  link_openings: 'retention.link_openings',
  live_events: 'retention.live',
  mails: 'retention.mails',
  login_failures: 'retention.login_failures',
  notifications: 'retention.notifications',
  oidc_states: 'retention.oidc_states',
  raw_events: 'retention.rawMonths',
  recordings: 'retention.recordings',
  reminders: 'retention.reminders',
  screen_codes: 'retention.screen_codes',
  screens: 'retention.screens',
  sessions: 'retention.sessions',
  supervision_remarks: 'retention.remarks',
  video_views: 'retention.video_views',
}

const names = (text: string): string[] => text.trim().split(/\s+/)
/** Of files: which kinds a job forgets, and which stay as long as the record that names them. */
export const FILE_KINDS: Readonly<Record<string, string>> = {
  clip: 'retention.clips',
  picture: 'retention.pictures',
  pdf: 'retention.pictures',
  case: 'retention.cases',
  consent: 'of a worker, or of somebody of a home',
  contract: 'of a contract',
  identity: 'of somebody who asked what is kept of them',
  document: 'of a worker',
  face: 'of a worker, until taken back',
  goods: 'of an order',
  product: 'of a product',
}
export const KEPT: Readonly<Record<string, readonly string[]>> = {
  'a chain that lacks its beginning proves nothing': names('log_blackened log_heads user_logs'),
  'what happened on sites, by which wages and blame are settled': names(`
    alarm_pair_logs alarms attendance_days attendance_events correction_logs correction_turns corrections day_posts
    feedback feedback_events feedback_supervisors thread_messages thread_outcomes thread_reads threads
    patrol_items patrol_tasks patrols promise_events promises question_answers questions receptions site_leads
    site_events tidiness_checks tidiness_judgings violation_logs violations visits warning_events warnings`),
  'where devices stood and what they sent, by which that is judged': names(`
    device_bindings device_spans device_stands hearing recording_holds retrievals`),
  'what of a home was shown, where, until when and who agreed to it': names(
    'case_events case_pictures cases',
  ),
  'sold, delivered and paid: contracts and their law': names(`
    carried change_pieces contract_change_lines contract_changes contract_files contract_instalments
    contract_items contract_receipts contract_refunds contracts customer_contacts customer_events customer_numbers
    customers dispatches examine_requests
    examine_views follow_ups goods_changes goods_moves
    home_contacts home_devices judgements link_acts links
    logistics logistics_nodes note_holds order_answers order_lines order_revisions orders owed_charges owed_lines
    owed_payments owners pieces quotation_discounts quotation_editors quotation_lines quotation_rooms
    quotation_versions quotations preview_items previews statement_objections statements trips`),
  'until the gateway has ended it, two days at most': names('video_calls'),
  'until the clock has looked, a minute': names('sites_to_weigh'),
  'what somebody agreed to, and when it was taken back': names(`
    consents face_removals video_grant_cameras video_grants`),
  'what people asked about what is kept of them, and that it was forgotten': names(
    'barred_numbers erasures person_requests',
  ),
  'one row of a place, a person or a thing, as many as there are of it': names(`
    account_names alarm_pairs alarm_trusts carriers companies devices document_numbers installation job_runs offered
    package_alternatives package_items packages patrol_plans patrol_templates product_categories product_prices products
    rank_weight_logs rank_weights demo_answers demo_steps schema_migrations serial_numbers settings site_members
    signing_targets site_ranks site_stages sites stores
    mail_addresses notice_rules tenants user_branches user_identities user_roles user_stores users
    thread_templates
    worker_documents workers calendar_days`),
  'made by hand, bounded by how many one may have': names(`
    arrangements channels named_views page_powers pages role_pages role_powers roles saved_views`),
  'figures, a row a day and place, or a backup': names(`
    alarm_hours backups branch_alarms branch_attend branch_days items_to_order order_counts patrol_days
    patrol_task_days piece_counts piece_days site_arrivals site_days
    to_order_counts`),
}
