import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshDatabase } from '../testing/database.ts'
import { changesSchema, gradeOf, owes, SHARED } from '../testing/tenant-rule.ts'

/** What keeps the door open to a second installation and to a database over several machines (docs/decisions/0181). */
let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const names = async (text: string): Promise<string[]> =>
  (await client.query<{ name: string }>(text)).rows.map((r) => r.name).sort()
const TABLES = `pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`
const column = (table: string, number: string) =>
  `(SELECT attname FROM pg_attribute WHERE attrelid = ${table} AND attnum = ${number})`
const HAS_TENANT = `EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')`

/** Tables that grow with the office, not with the work. */
const OF_OFFICE = 'companies,owners,pages,patrol_templates,product_categories,products,stores,tenants,users'

const rules = {
  /** A table that holds no tenant. */
  shared: () => names(`SELECT relname AS name FROM ${TABLES} AND NOT ${HAS_TENANT}`),
  /** A unique index of a tenant's table that does not begin with the tenant. */
  unique: () =>
    names(
      `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE i.indisunique AND i.indrelid IN (SELECT c.oid FROM ${TABLES} AND ${HAS_TENANT})
         AND ${column('i.indrelid', 'i.indkey[0]')} IS DISTINCT FROM 'tenant_id'`,
    ),
  /** A foreign key that does not begin with the tenant on both sides. */
  foreign: () =>
    names(
      `SELECT k.conrelid::regclass || '.' || k.conname AS name FROM pg_constraint k
       WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND k.conparentid = 0
         AND NOT (${column('k.conrelid', 'k.conkey[1]')} = 'tenant_id'
           AND (k.confrelid = 'tenants'::regclass OR ${column('k.confrelid', 'k.confkey[1]')} = 'tenant_id'))`,
    ),
  /** A foreign key to what grows with the work that no index begins with: who reads by it reads the whole table. */
  whole: () =>
    names(
      `SELECT k.conrelid::regclass || '.' || ${column('k.conrelid', 'k.conkey[2]')} AS name
       FROM pg_constraint k
       WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND k.conparentid = 0
         AND array_length(k.conkey, 1) = 2 AND k.confrelid <> ALL ('{${OF_OFFICE}}'::regclass[])
         AND NOT EXISTS (SELECT FROM pg_index i
           WHERE i.indrelid = k.conrelid AND (i.indkey::int2[])[0:1] = k.conkey[1:2])`,
    ),
  /** A right on some columns of a table. */
  columns: () =>
    names(
      `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
       WHERE attacl IS NOT NULL AND attrelid IN (SELECT c.oid FROM ${TABLES})`,
    ),
  /** A function in SQL that reads or writes tables. */
  functions: () =>
    names(
      `SELECT proname AS name FROM pg_proc JOIN pg_language l ON l.oid = prolang
       WHERE pronamespace = 'public'::regnamespace AND l.lanname = 'sql'
         AND prosrc ~* '\\m(FROM|INTO|UPDATE) [a-z]+_?[a-z]+ '`,
    ),
  triggers: () =>
    names(
      `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
       WHERE NOT tgisinternal AND tgrelid IN (SELECT c.oid FROM ${TABLES})`,
    ),
}
/** What there is today, each with its reason; a list that grows is a door that closes. */
const ALLOWED: Record<keyof typeof rules, string[]> = {
  shared: Object.keys(SHARED).filter((table) => !['account_names', 'serial_numbers'].includes(table)),
  unique: [
    // The directory itself.
    'account_names_pkey',
    'serial_numbers_pkey',
    // Random, and the way to the tenant: a picture's key, a link's secret, a wall's cookie, a session's token.
    'files_pkey',
    'links_hash',
    'screens_hash',
    'sessions_pkey',
    // The number of a message, for all tenants in the order of their commits.
    'live_events_pkey',
    // A company account is given once by its provider.
    'user_identities_one',
  ],
  foreign: [],
  // Read with another key before it, or by nobody.
  whole: [
    'cases.contact_id',
    'contract_change_lines.item_id',
    'contract_instalments.change_id',
    'contract_items.change_id',
    'contract_refunds.to_id',
    'day_posts.site_id',
    'delivery_days.site_id',
    'goods_changes.line_id',
    'goods_changes.site_id',
    'judgements.change_id',
    'judgements.line_id',
    'judgements.piece_id',
    'logistics.site_id',
    'owed_lines.change_id',
    'owed_lines.charge_id',
    'owed_lines.note_id',
    'patrol_items.correction_id',
    'patrol_items.correction_id',
    'patrols.device_id',
    'recording_holds.site_id',
    'retrievals.site_id',
    'statement_objections.line_id',
    'tidiness_checks.correction_id',
    'video_calls.view_id',
    'video_grant_cameras.device_id',
    'video_views.contact_id',
    'video_views.home_device_id',
    'video_views.link_id',
  ],
  // The log's seal is written into lines that nobody may change otherwise; the mark of the files beside the key (0431).
  columns: ['installation.files_mark', 'user_logs.hash', 'user_logs.seq'],
  // One day's rest by the settings; where people of several sites are expected; sums that triggers keep; whether the
  // owner of a table is at work; which groups have messages or mail to send (0630, 0655); lead times;
  // how far a customer has come (0610); a correction as it was for each person who had it (0667).
  functions: [
    'add_branch_attend',
    'by_owner',
    'decide_posts',
    'groups_to_mail',
    'groups_to_send',
    'lead_days_of',
    'rest_day',
    'stage_on',
    'step_customer',
    'supervised_correction',
  ],
  // Sums: alarms, items_to_order, orders, patrol_tasks, patrols, site_days. What is to be ordered (0291): pieces,
  // products and their categories, site_stages. Copies: corrections. What an older release writes: device_….
  // Directories: devices, users. A book: workers. Numbers and steps (0610): contracts, customers, customer_contacts,
  // follow_ups, quotations. Sites that warnings are to look at (0590): patrols, settings, sites,
  // tidiness_checks and others.
  triggers: [
    'alarms',
    'contracts',
    // Supervision copies whose a correction was and when they did something about it (0667).
    'correction_logs',
    'correction_turns',
    'corrections',
    'customer_contacts',
    'customers',
    'device_nonces',
    'device_receipts',
    'devices',
    // The release before says of no moment whose it is (0520).
    'feedback',
    // A row that goes leaves a note until its file has been taken away (0680).
    'files',
    'follow_ups',
    'items_to_order',
    'orders',
    'patrol_tasks',
    'patrols',
    'pieces',
    'product_categories',
    'products',
    'quotations',
    // The release before names no site (0240).
    'recordings',
    'settings',
    'site_days',
    'site_stages',
    'sites',
    'supervised_corrections',
    'supervised_days',
    'tidiness_checks',
    'users',
    'workers',
  ],
}

test('the tenant comes first in every key, and what is shared is on a list', async () => {
  for (const [name, found] of Object.entries(rules))
    expect(await found(), name).toEqual([...ALLOWED[name as keyof typeof rules]].sort())
})

test('each rule finds what is planted for it', async () => {
  await client.query('BEGIN')
  await client.query(`CREATE TABLE planted_shared (id uuid PRIMARY KEY)`)
  await client.query(
    `CREATE TABLE planted (tenant_id uuid NOT NULL, id uuid NOT NULL REFERENCES planted_shared, name text UNIQUE)`,
  )
  await client.query(
    `CREATE TABLE planted_line (tenant_id uuid NOT NULL, site_id uuid,
       FOREIGN KEY (tenant_id, site_id) REFERENCES sites)`,
  )
  await client.query('CREATE UNIQUE INDEX planted_behind ON planted (id, tenant_id)')
  await client.query('GRANT UPDATE (name) ON planted TO PUBLIC')
  await client.query(
    `CREATE FUNCTION planted_read() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM planted p'`,
  )
  await client.query(
    'CREATE TRIGGER planted AFTER DELETE ON planted FOR EACH STATEMENT EXECUTE FUNCTION directory_emptied()',
  )
  const found: Record<string, string[]> = {}
  for (const [name, find] of Object.entries(rules))
    found[name] = (await find()).filter((one) => !ALLOWED[name as keyof typeof rules].includes(one))
  await client.query('ROLLBACK')
  expect(found).toEqual({
    shared: ['planted_shared'],
    unique: ['planted_behind', 'planted_name_key'],
    foreign: ['planted.planted_id_fkey'],
    whole: ['planted_line.site_id'],
    columns: ['planted.name'],
    functions: ['planted_read'],
    triggers: ['planted'],
  })
})

test('a statement says whose rows it is about: the words that do, and those that do not', () => {
  const said = [
    'SELECT 1 FROM sites WHERE tenant_id = $1',
    'SELECT 1 FROM sites w JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id WHERE w.tenant_id = $1',
    'INSERT INTO alarms (tenant_id, id) VALUES ($1, $2)',
    'UPDATE users u SET version = 1 WHERE u.tenant_id = $1::uuid AND u.id = $2',
    'SELECT key FROM device_seen WHERE gone_on < $1',
    'WITH found AS (SELECT id FROM sites WHERE tenant_id = $1) SELECT id FROM found',
  ]
  expect(said.map(gradeOf)).toEqual(said.map(() => 'said'))
  expect(
    gradeOf('SELECT 1 FROM sites w JOIN owners o ON o.tenant_id = w.tenant_id WHERE w.tenant_id = $1'),
  ).toBe('joined')
  expect(
    gradeOf(
      'UPDATE devices d SET cause = x.cause FROM json_to_recordset($1) AS x(tenant uuid) WHERE d.tenant_id = x.tenant',
    ),
  ).toBe('many')
  expect(gradeOf('SELECT 1 FROM sites WHERE code = $1')).toBe('none')
  expect(
    gradeOf('SELECT 1 FROM sites w, users WHERE w.tenant_id = $1 AND EXISTS (SELECT FROM users u)'),
  ).toBe('none')
  expect(gradeOf('DELETE FROM alarms WHERE ctid = $1')).toBe('none')
  expect(owes('sites.new', 'SELECT 1 FROM sites WHERE code = $1')).toBe(3)
  expect(changesSchema('sites.new', 'ALTER TABLE sites ADD COLUMN x int')).toBe(true)
  expect(owes('sites.new', said[0]!)).toBe(0)
  expect(changesSchema('sites.new', said[0]!)).toBe(false)
  expect(owes('session.access', 'SELECT 1 FROM sessions s WHERE s.token_hash = $1')).toBe(0)
})
