import { createHash, randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { uuid } from '@zhuguan/contract/kit/paging.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { SEED_ROLES } from '../database/seed/roles.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { row, uuid as uuidColumn } from '../kit/row.ts'
import { report } from '../testing/device.ts'
import type { Example, Records } from '../testing/example.ts'
import { examples } from '../testing/examples.ts'
import { idFields, type IdField, valueAt, withValue } from '../testing/id-fields.ts'
import { cellsOf } from '../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

/**
 * The authorization matrix (G-01): every endpoint as every role, in its own branch, against records of the
 * sibling branch and of the other tenant. What is expected is worked out here from the seed's roles, not from the server.
 */
let server: TestServer
const people = new Map<string, Person>()
const endpoints = Object.values(api)
  .flatMap((f) => Object.values(f) as Endpoint[])
  .filter(
    (e) =>
      e.access !== 'device' &&
      e.access !== 'public' &&
      e.path !== api.live.stream.path &&
      e.path !== api.session.logout.path,
  )
/** Words that stand in rows of one tenant or branch only. */
const CANARY = { NB: ['宁波', 'GDNB', '-NB-'], SZ: ['苏州', 'GDSZ', '-SZ-', '安居美家'] }

beforeAll(async () => {
  server = await startTestServer()
  for (const branch of ['HZ', 'NB', 'SZ'])
    for (const d of server.devices.filter((x) => x.sn.includes(branch) && x.type === 'camera').slice(0, 6))
      await report(server.url, d, [
        { id: 'seen', kind: 'alarm', at: seconds() - 9, type: 'smoking', confidence: 0.9 },
      ])
  await furnish()
  for (const r of SEED_ROLES) people.set(r.code, await server.as(r.code))
})
afterAll(() => server.stop())

/** What belongs to a person alone, of `u`. */
const PERSONAL = `u.id AS me,
  (SELECT id FROM named_views WHERE user_id = u.id LIMIT 1) AS view,
  (SELECT id FROM notifications WHERE user_id = u.id LIMIT 1) AS notification,
  (SELECT key FROM files WHERE user_id = u.id LIMIT 1) AS upload,
  (SELECT id FROM video_views WHERE user_id = u.id AND live ORDER BY id LIMIT 1) AS "liveView",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'user:import') AS "accountsImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'device:stock') AS "deviceStockImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'site:import') AS "sitesImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'worker:import') AS "workersImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'product:import') AS "productsImport"`
/** Ids of a branch's records, read past every rule. */
async function recordsOf(code: string): Promise<Records> {
  const [row] = await server.sql<Records>(
    `SELECT c.bc_id, w.id AS site, k.id AS worker, u.id AS person, t.id AS store, d.id AS device, d.sn, e.sn AS spare,
       left(encode(s.token_hash, 'hex'), 16) AS session, a.id AS alarm, q.id AS pair, o.id AS document,
       p.key AS picture,
       v.id AS visit, rc.id AS recording, rh.id AS hold,
       z.id AS correction, y.id AS tidiness, b.id AS violation, m.id AS makeup,
       pm.id AS "patrolTemplate", pp.id AS "patrolPlan", pt.id AS "patrolTask", pa.id AS patrol, pi.id AS "patrolItem",
       pr.id AS product, pk.id AS package, im.id AS "packageItem",
       cu.id AS customer, qu.id AS quotation, pr.category_id AS category,
       ct.id AS contract, ci.id AS "contractItem", ch.id AS change, cf.id AS refund,
       od.id AS order, ol.id AS "orderLine", nt.id AS note, tp.id AS trip, gc.id AS "goodsChange", lg.id AS leg,
       lk.id AS link, cr.id AS carrier,
       pr.receiver_bc AS receiver, ex.id AS examine, ex.object_id AS examined,
       w.steward_id AS steward, w.manager_id AS manager, r.id AS role, g.id AS page, g.parent_id AS group, ${PERSONAL}
     FROM companies c
     JOIN LATERAL (SELECT * FROM sites WHERE bc_id = c.bc_id AND status = 1 ORDER BY code LIMIT 1) w ON true
     JOIN LATERAL (SELECT * FROM workers WHERE bc_id = c.bc_id ORDER BY w_id LIMIT 1) k ON true
     JOIN LATERAL (SELECT * FROM users WHERE bc_id = c.bc_id ORDER BY user_name LIMIT 1) u ON true
     JOIN LATERAL (SELECT * FROM stores WHERE bc_id = c.bc_id ORDER BY name LIMIT 1) t ON true
     JOIN LATERAL (SELECT * FROM devices WHERE bc_id = c.bc_id AND bind_status = 2 ORDER BY sn LIMIT 1) d ON true
     JOIN LATERAL (SELECT * FROM devices WHERE bc_id = c.bc_id AND bind_status = 1 ORDER BY sn LIMIT 1) e ON true
     JOIN LATERAL (SELECT * FROM alarms WHERE bc_id = c.bc_id ORDER BY id LIMIT 1) a ON true
     JOIN alarm_pairs q ON q.device_id = a.device_id AND q.site_id = a.site_id AND q.type = a.type
     JOIN LATERAL (SELECT * FROM recordings WHERE device_id = d.id LIMIT 1) rc ON true
     JOIN LATERAL (SELECT * FROM recording_holds WHERE device_id = d.id LIMIT 1) rh ON true
     JOIN LATERAL (SELECT * FROM visits WHERE bc_id = c.bc_id LIMIT 1) v ON true
     JOIN LATERAL (SELECT * FROM tidiness_checks WHERE site_id = w.id ORDER BY id LIMIT 1) y ON true
     JOIN LATERAL (SELECT * FROM violations WHERE bc_id = c.bc_id LIMIT 1) b ON true
     JOIN LATERAL (SELECT * FROM corrections WHERE bc_id = c.bc_id AND source = 'tidiness' LIMIT 1) z ON true
     JOIN LATERAL (SELECT * FROM products WHERE bc_id = c.bc_id ORDER BY code LIMIT 1) pr ON true
     JOIN LATERAL (SELECT * FROM packages WHERE bc_id = c.bc_id ORDER BY name LIMIT 1) pk ON true
     JOIN LATERAL (SELECT * FROM examine_requests WHERE bc_id = c.bc_id LIMIT 1) ex ON true
     JOIN LATERAL (SELECT * FROM package_items WHERE package_id = pk.id LIMIT 1) im ON true
     JOIN customers cu ON cu.bc_id = c.bc_id AND cu.phone = '13900001111'
     JOIN quotations qu ON qu.customer_id = cu.id
     JOIN contracts ct ON ct.quotation_id = qu.id
     JOIN contract_items ci ON ci.contract_id = ct.id
     JOIN contract_changes ch ON ch.contract_id = ct.id
     JOIN contract_refunds cf ON cf.contract_id = ct.id
     JOIN orders od ON od.contract_id = ct.id
     JOIN order_lines ol ON ol.order_id = od.id
     JOIN dispatches nt ON nt.order_id = od.id
     JOIN trips tp ON tp.bc_id = c.bc_id
     JOIN goods_changes gc ON gc.order_id = od.id
     JOIN logistics lg ON lg.change_id = gc.id
     JOIN links lk ON lk.target_id = nt.id
     JOIN LATERAL (SELECT * FROM carriers WHERE tenant_id = c.tenant_id LIMIT 1) cr ON true
     JOIN LATERAL (SELECT * FROM patrol_templates WHERE bc_id = c.bc_id LIMIT 1) pm ON true
     JOIN LATERAL (SELECT * FROM patrol_plans WHERE bc_id = c.bc_id LIMIT 1) pp ON true
     JOIN LATERAL (SELECT * FROM patrol_tasks WHERE plan_id = pp.id LIMIT 1) pt ON true
     JOIN LATERAL (SELECT * FROM patrols WHERE bc_id = c.bc_id AND status = 1 LIMIT 1) pa ON true
     JOIN LATERAL (SELECT * FROM patrol_items WHERE patrol_id = pa.id LIMIT 1) pi ON true
     JOIN LATERAL (SELECT * FROM sessions WHERE user_id = u.id LIMIT 1) s ON true
     JOIN LATERAL (SELECT * FROM attendance_events WHERE bc_id = c.bc_id AND source = 'makeup' LIMIT 1) m ON true
     JOIN LATERAL (SELECT * FROM files WHERE site_id = w.id AND bytes = 1 LIMIT 1) p ON true
     JOIN LATERAL (SELECT * FROM worker_documents WHERE worker_id = k.id LIMIT 1) o ON true
     JOIN roles r ON r.tenant_id = c.tenant_id AND r.code = 'pm'
     JOIN pages g ON g.tenant_id = c.tenant_id AND g.component_name = 'SiteList'
     WHERE c.code = $1`,
    [code],
  )
  return row!
}
/**
 * Everybody has a view, a notice, a picture and a list of each kind; every branch has somebody signed in, a picture of a
 * site and a makeup.
 */
async function furnish(): Promise<void> {
  const city = `(SELECT CASE c.code WHEN 'NB' THEN '宁波' WHEN 'SZ' THEN '苏州' ELSE '杭州' END
    FROM companies c WHERE c.bc_id = u.bc_id)`
  const first = `FROM companies c
    JOIN LATERAL (SELECT * FROM users WHERE bc_id = c.bc_id ORDER BY user_name LIMIT 1) u ON true
    JOIN LATERAL (SELECT * FROM sites WHERE bc_id = c.bc_id AND status = 1 ORDER BY code LIMIT 1) w ON true
    JOIN LATERAL (SELECT * FROM workers WHERE bc_id = c.bc_id ORDER BY w_id LIMIT 1) k ON true`
  for (const insert of [
    `imports (tenant_id, id, user_id, kind, file_name, total, at)
     SELECT tenant_id, gen_random_uuid(), id, kind, coalesce(${city}, '集团') || '名单', 0, :now
     FROM users u, unnest(ARRAY['user:import', 'device:stock', 'site:import', 'worker:import', 'product:import']) kind`,
    `named_views (tenant_id, id, user_id, page, title, search)
     SELECT tenant_id, gen_random_uuid(), id, 'SiteList', coalesce(${city}, '集团'), '' FROM users u`,
    `notifications (tenant_id, id, user_id, title)
     SELECT tenant_id, gen_random_uuid(), id, coalesce(${city}, '集团') FROM users u`,
    `files (key, tenant_id, user_id, kind, bytes)
     SELECT gen_random_uuid() || '.jpg', tenant_id, id, 'picture', 1 FROM users`,
    `sessions (token_hash, tenant_id, user_id, expires_at)
     SELECT sha256(c.code::bytea), u.tenant_id, u.id, :now + interval '1 day' ${first}`,
    `attendance_events (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, source, reason)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, k.id, :now, :today, 'in', 'makeup', ${city} ${first}`,
    `tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, :now, 3 ${first}`,
    `worker_documents (tenant_id, id, worker_id, kind, number, added_by, added_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 'other', 'QT-' || c.code, ${city}, :now ${first}`,
    `corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, 'tidiness', gen_random_uuid(), ${city}, :now ${first}`,
    `visits (tenant_id, id, bc_id, site_id, at, seconds)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, :now, 60 ${first}`,
    `violations (tenant_id, id, bc_id, site_id, worker_id, type, at, picture, points)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, k.id, 'smoking', :now, ${city}, 5 ${first}`,
    `patrol_templates (tenant_id, id, bc_id, name, items)
     SELECT u.tenant_id, gen_random_uuid(), u.bc_id, ${city} || '巡检',
       '[{"title": "地面清洁", "hint": "", "weight": 1, "photo": false}]' ${first}`,
    `patrol_plans (tenant_id, id, bc_id, name, kind, template_id, every, weekdays, share, user_ids, from_time, to_time,
       days, starts_on)
     SELECT m.tenant_id, gen_random_uuid(), m.bc_id, m.name, 'plan', m.id, 'day', '{1,2,3,4,5,6,7}', 'one',
       ARRAY(SELECT u.id FROM users u WHERE u.bc_id = m.bc_id), '00:00', '23:59', 1, :today
     FROM patrol_templates m WHERE m.bc_id IS NOT NULL`,
    `patrol_tasks (tenant_id, id, bc_id, site_id, plan_id, day, user_ids, opens_at, closes_at, lapses_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, p.id, :today, p.user_ids, :now, :now, :now + interval '1 day'
     ${first} JOIN patrol_plans p ON p.bc_id = c.bc_id`,
    `patrols (tenant_id, id, number, bc_id, site_id, kind, template_id, template, inspector_id, begun_at)
     SELECT w.tenant_id, gen_random_uuid(), 'XJ-' || c.code, w.bc_id, w.id, 'scene', m.id, m.name, u.id, :now
     ${first} JOIN patrol_templates m ON m.bc_id = c.bc_id`,
    `recordings (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, key, bytes)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, :now, :now + interval '1 minute',
       gen_random_uuid() || '.mp4', 1
     FROM devices d WHERE d.site_id IS NOT NULL`,
    `recording_holds (tenant_id, id, bc_id, site_id, device_id, from_at, to_at, "for", reason, until_at, held_by,
       held_at)
     SELECT r.tenant_id, gen_random_uuid(), r.bc_id, r.site_id, r.device_id, r.from_at, r.to_at, 'person', c.city,
       :now + interval '1 day', '', :now
     FROM recordings r JOIN companies c ON c.bc_id = r.bc_id`,
    `video_views (tenant_id, id, bc_id, site_id, device_id, live, user_id, user_name, from_at, to_at, purpose,
       words, at)
     SELECT u.tenant_id, gen_random_uuid(), d.bc_id, d.site_id, d.id, true, u.id, u.nickname, :now,
       :now + interval '1 hour', 'patrol', '', :now
     FROM users u
     JOIN LATERAL (SELECT * FROM devices n WHERE n.tenant_id = u.tenant_id AND n.site_id IS NOT NULL
       ORDER BY n.bc_id = u.bc_id DESC NULLS LAST, n.sn LIMIT 1) d ON true`,
    `product_categories (tenant_id, id, name) SELECT id, gen_random_uuid(), '瓷砖' FROM tenants`,
    `products (tenant_id, id, bc_id, code, name, kind, category_id, unit, receiver_bc)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, 'SP-' || c.code,
       ${city.replace('u.bc_id', 'd.bc_id')} || '瓷砖', 'main', g.id, '片',
       (SELECT e.bc_id FROM companies e WHERE e.tenant_id = c.tenant_id ORDER BY e.code LIMIT 1)
     FROM companies c JOIN companies d ON d.bc_id = c.bc_id JOIN product_categories g ON g.tenant_id = c.tenant_id
     WHERE g.name = '瓷砖'`,
    `product_prices (tenant_id, id, product_id, bc_id, from_on, price, cost, reason, set_by, set_at)
     SELECT p.tenant_id, gen_random_uuid(), p.id, p.bc_id, :today, 1, 1, p.name, '', :now FROM products p`,
    `packages (tenant_id, id, family_id, number, bc_id, name, per_square, least_area, from_on, changed_by, changed_at)
     SELECT p.tenant_id, p.id, p.id, 1, p.bc_id, p.name, 1, 1, :today, '', :now
     FROM products p WHERE p.bc_id IS NOT NULL`,
    `package_items (tenant_id, id, package_id, sort, room, product_id, base, factor, waste)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 1, 'whole', k.id, 'fixed', 1, 0 FROM packages k
     WHERE k.bc_id IS NOT NULL`,
    `customers (tenant_id, id, bc_id, name, phone, created_at)
     SELECT u.tenant_id, gen_random_uuid(), u.bc_id, ${city} || '客户', '13900001111', :now ${first}`,
    `quotations (tenant_id, id, code, bc_id, customer_id, quoter_id, created_at, changed_at, changed_by)
     SELECT k.tenant_id, gen_random_uuid(), 'BJ-' || k.name, k.bc_id, k.id, u.id, :now, :now, ''
     FROM customers k JOIN LATERAL (SELECT * FROM users WHERE bc_id = k.bc_id ORDER BY user_name LIMIT 1) u ON true
     WHERE k.phone = '13900001111'`,
    `quotation_versions (tenant_id, id, quotation_id, number, area, tax_percent, valid_until, remark, package, removed,
       adjusted, added, discount, total, tax, cost, uncosted)
     SELECT q.tenant_id, gen_random_uuid(), q.id, 1, 1, 3, '2099-01-01', q.code, 0, 0, 0, 0, 0, 0, 0, 0, 0
     FROM quotations q WHERE q.code LIKE 'BJ-%'`,
    `examine_requests (tenant_id, id, bc_id, kind, object_id, number, round, summary, change, hash, submitted_by,
       submitted_at, due_at)
     SELECT q.tenant_id, gen_random_uuid(), q.bc_id, 'quotation', q.id, q.code, 1, q.code, '', 'h', q.quoter_id, :now,
       :now
     FROM quotations q WHERE q.code LIKE 'BJ-%'`,
    `contracts (tenant_id, id, code, bc_id, customer_id, quotation_id, signed_version, site_id, signing_progress,
       package_name, area, tax_percent, base, paid, signed_on, made_by, made_at)
     SELECT q.tenant_id, gen_random_uuid(), 'HT-' || c.code, q.bc_id, q.customer_id, q.id, gen_random_uuid(), w.id, 3,
       ${city}, 1, 3, 10, 10, :today, u.id, :now
     ${first} JOIN quotations q ON q.bc_id = c.bc_id AND q.code LIKE 'BJ-%'`,
    `contract_items (tenant_id, id, contract_id, line_id, sort, attribute, contract_attribute, name, unit, kind,
       quantity, left_over, ordered, ordered_left, price, amount)
     SELECT tenant_id, gen_random_uuid(), id, gen_random_uuid(), 1, 1, 1, package_name, '片', 'main', 9, 9, 9, 9, 1, 0
     FROM contracts`,
    `contract_changes (tenant_id, id, contract_id, code, reason, amount, user_id, user_name, at)
     SELECT tenant_id, gen_random_uuid(), id, 'BG' || code, package_name, 0, made_by, package_name, :now
     FROM contracts`,
    `contract_refunds (tenant_id, id, contract_id, code, kind, amount, method, payee, reason, status, user_id,
       user_name, at)
     SELECT tenant_id, gen_random_uuid(), id, 'TK' || code, 'refund', 1, 'cash', package_name, '', 3, made_by,
       package_name, :now FROM contracts`,
    `orders (tenant_id, id, code, bc_id, bc_name, receiver_id, receiver_name, site_id, contract_id, method, expected_on,
       made_by, made_name, made_at, due_at, lines)
     SELECT c.tenant_id, gen_random_uuid(), 'DD' || c.code, c.bc_id, c.package_name, c.bc_id, c.package_name, c.site_id,
       c.id, 1, '2099-01-01', c.made_by, c.package_name, :now, :now, 1
     FROM contracts c`,
    `order_lines (tenant_id, id, order_id, item_id, sort, name, unit, quantity, price)
     SELECT o.tenant_id, gen_random_uuid(), o.id, i.id, 1, o.bc_name, '片', 9, 1
     FROM orders o JOIN contract_items i ON i.contract_id = o.contract_id`,
    `pieces (tenant_id, id, bc_id, site_id, contract_id, item_id, quantity, place, order_state, since)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, c.site_id, c.id, i.id, 9, 'open', 1, :now
     FROM contracts c JOIN contract_items i ON i.contract_id = c.id`,
    `trips (tenant_id, id, code, bc_id, receiver_id, day, driver, made_by, made_at)
     SELECT tenant_id, gen_random_uuid(), 'CC' || code, bc_id, receiver_id, '2099-01-01', bc_name, made_by, :now
     FROM orders`,
    `dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, state, method, made_name, made_at,
       delivered_at, sheet_code, check_state, lines)
     SELECT tenant_id, gen_random_uuid(), 'FH' || code, bc_id, receiver_id, site_id, id, 3, 1, bc_name, :now, :now,
       'YS' || code, 0, 1 FROM orders`,
    `goods_changes (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, line_id, note_id, result, quantity,
       reason_code, reason, answer_due, made_by, made_name, made_at)
     SELECT d.tenant_id, gen_random_uuid(), 'TH' || d.code, d.bc_id, d.receiver_id, d.site_id, d.order_id, l.id,
       d.id, 4, 1,
       'broken', d.made_name, :now, o.made_by, d.made_name, :now
     FROM dispatches d JOIN orders o ON o.id = d.order_id JOIN order_lines l ON l.order_id = o.id`,
    `logistics (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, type, change_id, made_at)
     SELECT tenant_id, gen_random_uuid(), 'WL' || code, bc_id, receiver_id, site_id, order_id, 4, id, :now
     FROM goods_changes`,
    `links (tenant_id, id, bc_id, kind, target_id, hash, expires_at, made_by, made_name, made_at)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, 'driver', d.id, sha256(d.code::bytea), '2099-01-01', o.made_by,
       d.made_name, :now FROM dispatches d JOIN orders o ON o.id = d.order_id`,
    `carriers (tenant_id, id, name, secret, made_name, made_at)
     SELECT t.id, gen_random_uuid(), t.name, 's', '', :now FROM tenants t`,
    `patrol_items (tenant_id, id, patrol_id, sort, title, weight, photo)
     SELECT p.tenant_id, gen_random_uuid(), p.id, 1, p.template, 1, false FROM patrols p`,
  ])
    await server.sql(`INSERT INTO ${insert}`)
  const store = openFileStore(server.dataDir)
  for (const code of ['HZ', 'NB', 'SZ'])
    await server.sql(
      `INSERT INTO files (key, tenant_id, bc_id, site_id, kind, bytes)
       SELECT $1, w.tenant_id, w.bc_id, w.id, 'picture', 1 ${first} WHERE c.code = $2`,
      [await store.put(Buffer.from('x'), 'jpg'), code],
    )
}
/** Examples of a branch's records as somebody's own: with what belongs to that person alone. */
async function examplesAs(records: Records) {
  const rows = await server.sql<Records & { user_name: string }>(
    `SELECT u.user_name, ${PERSONAL} FROM users u`,
  )
  const own = new Map(rows.map(({ user_name, ...row }) => [user_name, examples({ ...records, ...row })]))
  return (role: string) => own.get(role)!
}
/** Versions of every record, so that a strange id beside one's own is what the server stumbles over. */
async function versions(): Promise<Map<string, number>> {
  const rows = await server.sql<{ id: string; version: number }>(
    [
      'sites',
      'devices',
      'alarms',
      'corrections',
      'alarm_pairs',
      'tidiness_checks',
      'users',
      'workers',
      'worker_documents',
      'stores',
      'roles',
      'pages',
      'visits',
      'violations',
      'customers',
      'packages',
      'examine_requests',
      'quotations',
      'contracts',
      'contract_changes',
      'contract_refunds',
      'orders',
      'dispatches',
      'goods_changes',
      'logistics',
      'trips',
      'products',
      'product_categories',
      'patrol_templates',
      'patrol_plans',
      'patrol_tasks',
      'patrols',
    ]
      .map((table) => `SELECT id::text, version FROM ${table}`)
      .concat('SELECT bc_id::text, version FROM companies')
      .join(' UNION ALL '),
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
/** Ids that nobody has. */
async function neverWere(): Promise<Records> {
  const own = await recordsOf('HZ')
  const ids = Object.fromEntries(Object.keys(own).map((name) => [name, randomUUID()]))
  return {
    ...own,
    ...ids,
    upload: `${randomUUID()}.jpg`,
    picture: 'none.jpg',
    sn: 'NONE-1',
    spare: 'NONE-2',
    session: '0'.repeat(16),
  }
}
const inForce = <I extends object>(input: I, known: Map<string, number>): I =>
  JSON.parse(JSON.stringify(input), (_name, value) =>
    value && typeof value === 'object' && 'version' in value
      ? { ...value, version: known.get(value.id) ?? value.version }
      : value,
  ) as I
const held = (role: (typeof SEED_ROLES)[number], endpoint: Endpoint) =>
  typeof endpoint.access === 'string' ||
  endpoint.access.some((l) =>
    l.startsWith('page:')
      ? role.pages.includes(l.slice(5) as never)
      : role.powers.includes(l) || role.powers.includes('*:*:*'),
  )

test('every endpoint has a rule; doors of machines, links and sign-in alone need no session', () => {
  const open = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => e.access === 'public' || e.access === 'device')
    .map((e) => e.path)
  expect(open.sort()).toEqual([
    '/open/device/events',
    '/open/device/files',
    // Links without an account, and carriers: both prove themselves by a secret of their own.
    '/open/driver/handover',
    '/open/driver/node',
    '/open/driver/photo',
    '/open/driver/state',
    '/open/link/open',
    '/open/link/painted',
    '/open/logistics/events',
    '/osmcore/api/recording/play',
    '/osmcore/api/stream/play',
    '/user/system/auth/login',
    '/user/system/auth/sso-begin',
    '/user/system/auth/sso-finish',
  ])
  const served = server.app.built.routes.map((r) => `${r.method} ${r.path}`).sort()
  const said = Object.values(api)
    .flatMap((f) => Object.values(f) as Endpoint[])
    .filter((e) => e.access !== 'device')
    .map((e) => `${e.method} ${e.path}`)
    .sort()
  expect(served).toEqual(said)
})

test('nobody without a session gets in anywhere', async () => {
  const pm = people.get('pm')!
  for (const e of endpoints) {
    for (const headers of [{}, { token: '' }, { token: 'made-up', 'tenant-id': pm.tenant }] as Record<
      string,
      string
    >[])
      expect((await server.nobody(headers).ask(e as never)).status, e.path).toBe(401)
    for (const tenant of ['', '01900000-0000-7000-8000-000000000000'])
      expect(
        (await server.nobody({ token: pm.token, 'tenant-id': tenant }).ask(e as never)).status,
        e.path,
      ).toBe(403)
  }
})

test('every endpoint as every role: no wrong allow, no wrong denial', async () => {
  const strange = examples(await recordsOf('SZ'))
  let asked = 0
  for (const role of SEED_ROLES) {
    for (const endpoint of endpoints) {
      const answer = await people.get(role.code)!.ask(endpoint as never, strange[endpoint.path]?.[0] as never)
      const denied = answer.code === 401 && answer.msg === 'No Permission'
      expect(denied, `${role.code} ${endpoint.path}: ${answer.code} ${answer.msg}`).toBe(
        !held(role, endpoint),
      )
      asked += 1
    }
  }
  expect(asked).toBe(SEED_ROLES.length * endpoints.length)
}, 180_000)

/** Everything that a call could change, a word each; signing in is one's own. */
const state = async () => {
  const tables = `alarm_pairs alarm_pair_logs alarm_trusts alarms attendance_events companies consents
    correction_logs corrections devices files imports named_views notifications
    rank_weights rank_weight_logs site_ranks recordings recording_holds video_views
    page_powers pages role_pages role_powers roles settings site_members site_stages sites stores tidiness_checks
    tidiness_judgings user_branches user_roles user_stores violation_logs violations visits patrol_items
    patrol_plans patrol_tasks patrol_templates patrols
    contracts contract_change_lines contract_changes contract_files contract_instalments contract_items
    contract_receipts contract_refunds document_numbers
    orders order_lines order_revisions pieces goods_moves piece_counts site_arrivals carried change_pieces
    dispatches trips logistics logistics_nodes note_holds goods_changes judgements links link_acts link_openings
    carriers
    customers examine_requests examine_views quotations quotation_lines quotation_versions
    package_alternatives package_items packages product_categories product_prices products
    workers`
  const users = `SELECT 'users', md5(string_agg((to_jsonb(t) - 'last_login')::text, ',' ORDER BY id)) FROM users t`
  const digests = tables
    .split(/\s+/)
    .map((table) => `SELECT '${table}', md5(string_agg(t::text, ',' ORDER BY t::text)) FROM ${table} t`)
  const sessions = `SELECT 'sessions', count(revoked_at)::text FROM sessions`
  return server.sql(`${[users, ...digests, sessions].join(' UNION ALL ')} ORDER BY 1`)
}
type Asked = Answered & { cells: string }
type Answered = Awaited<ReturnType<Person['ask']>>
/** A call and every word of its answer, also of a workbook. */
async function hear(person: Person, endpoint: Endpoint, input: Example | undefined): Promise<Asked> {
  const answer: Answered = await person.ask(endpoint, input)
  const isSheet = answer.headers.get('content-type')?.includes('sheet')
  return { ...answer, cells: isSheet ? JSON.stringify(await cellsOf(answer.bytes)) : answer.text }
}

/** What an endpoint's examples leave out: all, or the field of an id. */
function missing(endpoint: Endpoint, given: Example[] = []): string[] {
  const fields = idFields(endpoint)
  if (!given.length) return endpoint.body || fields.length ? [`${endpoint.path}: no example`] : []
  return fields
    .filter((field) => given.every((example) => valueAt(example, field) === undefined))
    .map(({ where, path }) => `${endpoint.path}: no ${where}.${path.join('.')} in its example`)
}

test('every endpoint that takes an id or a body has an example with every id that it takes', async () => {
  const known = examples(await recordsOf('HZ'))
  expect(endpoints.flatMap((e) => missing(e, known[e.path]))).toEqual([])
  const paths = endpoints.map((e) => e.path)
  expect(Object.keys(known).filter((path) => !paths.includes(path))).toEqual([])
  const found = endpoints.flatMap((e) =>
    idFields(e).map(({ where, path }) => `${e.path} ${where}.${path.join('.')}`),
  )
  // Each kind of id is seen for one: in a list, in rows of a list, under a name of its own, a key, a serial number.
  expect(found).toEqual(
    expect.arrayContaining([
      `${api.sites.list.path} query.bc_id`,
      `${api.alarms.assignMany.path} body.alarms.0.id`,
      `${api.pages.sort.path} body.parent_id`,
      `${api.userlogs.list.path} query.object_id`,
      `${api.files.get.path} query.key`,
      `${api.alarms.submit.path} body.pictures`,
      `${api.deviceStock.bindaction.path} body.with`,
    ]),
  )
})

test('the control: an endpoint that nobody gave an example, or one without an id of it, is found', () => {
  const fake: Endpoint = {
    method: 'POST',
    path: '/fake',
    title: '新的',
    access: 'signedIn',
    query: z.object({ site_id: uuid.optional() }),
    body: z.object({ rows: z.array(z.object({ worker_id: uuid, day: z.string() })) }),
    data: z.null(),
  }
  const rows = [{ worker_id: randomUUID(), day: '2026-01-01' }]
  expect(missing(fake, undefined)).toEqual(['/fake: no example'])
  const of = (input: object) => [input as Example]
  expect(missing(fake, of({ body: { rows } }))).toEqual(['/fake: no query.site_id in its example'])
  expect(missing(fake, of({ query: { site_id: randomUUID() }, body: { rows: [{}] } }))).toEqual([
    '/fake: no body.rows.0.worker_id in its example',
  ])
  expect(missing({ ...fake, query: undefined, body: undefined }, undefined)).toEqual([])
})

const bounds = (e: Endpoint) => idFields(e).some(({ narrows }) => !narrows)
interface Case {
  endpoint: Endpoint
  /** Which of the endpoint's examples. */
  index: number
  own: Example
  strange: Example
  /** Fields whose ids are other people's: of the other branch, roles and pages are one's own. */
  fields: IdField[]
}
/** Every example with ids that are not one's own. */
function casesOf(mine: Records, theirs: Records): Case[] {
  const [own, strange] = [examples(mine), examples(theirs)]
  return endpoints.flatMap((endpoint) =>
    (own[endpoint.path] ?? []).flatMap((example, index) => {
      const other = strange[endpoint.path]![index]!
      const fields = idFields(endpoint).filter(
        (field) => JSON.stringify(valueAt(example, field)) !== JSON.stringify(valueAt(other, field)),
      )
      return fields.length ? [{ endpoint, index, own: example, strange: other, fields }] : []
    }),
  )
}
/** What these strange ids may be answered with, by the example's own word. */
function due({ answers }: Example, fields: IdField[]): number[] {
  const each = fields.map(({ path }) => answers?.[path.join('.')] ?? answers?.[path[0]!] ?? 403)
  return each.every((code) => code === 200) ? each : each.filter((code) => code !== 200)
}
/** Those who see the whole tenant see its second branch. */
const strangersTo = (code: string) => SEED_ROLES.filter((r) => code === 'SZ' || r.scope !== 'tenant')
/** One of each width of sight, of those who may make the call. */
function oneOfEach(roles: readonly (typeof SEED_ROLES)[number][], endpoint: Endpoint) {
  const able = roles.filter((role) => held(role, endpoint))
  return able.filter((role, i) => able.findIndex((other) => other.scope === role.scope) === i)
}

test('records of the sibling branch and the other tenant: 403 without a hint, nothing changed, no foreign word in any answer', async () => {
  const before = await state()
  const mine = await recordsOf('HZ')
  let asked = 0
  for (const [code, words] of Object.entries(CANARY)) {
    const theirs = await recordsOf(code)
    const cases = casesOf(mine, theirs).filter(({ endpoint }) => bounds(endpoint))
    for (const role of strangersTo(code)) {
      const person = people.get(role.code)!
      for (const { endpoint, strange, fields } of cases.filter((one) => held(role, one.endpoint))) {
        const answer = await hear(person, endpoint, strange)
        const what = `${role.code} ${endpoint.path} ${answer.msg}`
        expect(due(strange, fields), what).toContain(answer.code)
        expect(answer.status, what).toBe(answer.code === 403 ? 403 : 200)
        for (const word of words.filter((w) => !JSON.stringify(strange).includes(w)))
          expect(answer.text, what).not.toContain(word)
        asked += 1
      }
      // What takes no id answers of one's own, whatever else is said.
      for (const endpoint of endpoints.filter((e) => held(role, e) && !e.body && !bounds(e) && !e.raw))
        for (const query of [{}, { bc_id: theirs.bc_id, keyword: words[0], pageSize: 100 }]) {
          const answer = await person.ask(endpoint as never, { query } as never)
          for (const word of words.filter((w) => w !== (query as { keyword?: string }).keyword))
            expect(answer.text, `${role.code} ${endpoint.path}`).not.toContain(word)
        }
    }
  }
  expect(asked).toBeGreaterThan(500)
  expect(await state()).toEqual(before)
}, 180_000)

/** The example with no id but this one. */
const onlyWith = (endpoint: Endpoint, example: Example, field: IdField): Example =>
  idFields(endpoint)
    .filter((other) => other.path.join() !== field.path.join())
    .reduce((input, other) => withValue(input, other, undefined), example)
/** Without the second that it was said in. */
const timeless = (text: string) => text.replaceAll(/"at":\d+/g, '')

test('a list narrowed by somebody else’s record answers as if there were no such record', async () => {
  const mine = await recordsOf('HZ')
  const nobody = examples(await neverWere())
  let narrowed = 0
  for (const [code, words] of Object.entries(CANARY)) {
    const cases = casesOf(mine, await recordsOf(code)).filter(({ endpoint }) => !bounds(endpoint))
    for (const { endpoint, index, strange, fields } of cases)
      for (const field of fields)
        for (const role of oneOfEach(strangersTo(code), endpoint)) {
          const person = people.get(role.code)!
          const what = `${role.code} ${endpoint.path} by ${field.path.join('.')} of ${code}`
          const answer = await hear(person, endpoint, onlyWith(endpoint, strange, field))
          const none = await hear(person, endpoint, onlyWith(endpoint, nobody[endpoint.path]![index]!, field))
          for (const word of words) expect(answer.cells, what).not.toContain(word)
          const rows = (answer.data as { list?: unknown[] } | null)?.list
          if (rows) expect(rows, what).toEqual([])
          expect([answer.code, timeless(answer.cells)], what).toEqual([none.code, timeless(none.cells)])
          narrowed += 1
        }
  }
  expect(narrowed).toBeGreaterThan(150)
}, 180_000)

test('one strange id among one’s own: refused, nothing changed', async () => {
  const mine = await recordsOf('HZ')
  // One's own records are where the call may be made, so that nothing but the strange id stands in its way.
  const ours = [mine.alarm, mine.correction]
  await server.sql(`UPDATE corrections SET correction_status = 2, step = 'doing' WHERE id = ANY ($1)`, [ours])
  await server.sql('UPDATE devices SET device_status = 5 WHERE sn = $1', [mine.spare])
  const before = await state()
  const known = await versions()
  let asked = 0
  const ofCaller = await examplesAs(mine)
  for (const [code, words] of Object.entries(CANARY)) {
    const cases = casesOf(mine, await recordsOf(code)).filter(({ endpoint }) => bounds(endpoint))
    for (const { endpoint, index, strange, fields } of cases)
      for (const field of fields) {
        for (const role of oneOfEach(strangersTo(code), endpoint)) {
          const own = ofCaller(role.code)[endpoint.path]![index]!
          const mixed = withValue(own, field, valueAt(strange, field))
          const input = inForce(mixed, known)
          await server.sql(
            `UPDATE corrections SET assignee_id = (SELECT id FROM users WHERE user_name = $2) WHERE id = ANY ($1)`,
            [ours, role.code],
          )
          await server.sql(
            'UPDATE patrols SET inspector_id = (SELECT id FROM users WHERE user_name = $2) WHERE id = $1',
            [mine.patrol, role.code],
          )
          const answer = await hear(people.get(role.code)!, endpoint, input)
          const what = `${role.code} ${endpoint.path} ${field.where}.${field.path.join('.')} of ${code}`
          expect([403, ...due(strange, [field])], `${what}: ${answer.text}`).toContain(answer.code)
          asked += 1
          for (const word of words.filter((w) => !JSON.stringify(input).includes(w)))
            expect(answer.text, what).not.toContain(word)
        }
      }
  }
  expect(asked).toBeGreaterThan(200)
  await server.sql('UPDATE corrections SET assignee_id = NULL WHERE id = ANY ($1)', [ours])
  await server.sql('UPDATE patrols SET inspector_id = $2 WHERE id = $1', [mine.patrol, mine.person])
  expect(await state()).toEqual(before)
}, 180_000)

// Holes that are planted in a server of their own: `npm run goal -- G-01`.
test('the control: a word of another branch is seen in an answer that may hold it', async () => {
  const admin = people.get('admin')!
  const own = await recordsOf('NB')
  const answer = await admin.ask(api.sites.details, { query: { id: own.site } })
  expect(CANARY.NB.some((word) => answer.text.includes(word))).toBe(true)
})

test('in the database: every table of a tenant forces its rules, the login owns nothing, and a query without its predicate stays inside', async () => {
  const [login] = await server.sql<{ name: string }>(
    `SELECT usename AS name FROM pg_stat_activity WHERE datname = current_database() AND usename LIKE '%_app' LIMIT 1`,
  )
  expect(
    await server.sql(
      `SELECT 1 FROM pg_roles WHERE rolname = $1 AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)`,
      [login!.name],
    ),
  ).toEqual([])
  expect(
    await server.sql(`SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = $1`, [login!.name]),
  ).toEqual([])
  expect(
    await server.sql(
      `SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id' WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r','p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)`,
    ),
  ).toEqual([])
  const [sz] = await server.sql<{ tenant_id: string }>(`SELECT tenant_id FROM companies WHERE code = 'SZ'`)
  const [hz] = await server.sql<{ tenant_id: string; bc_id: string }>(
    `SELECT tenant_id, bc_id FROM companies WHERE code = 'HZ'`,
  )
  for (const table of ['sites', 'alarms', 'devices', 'users', 'site_events', 'raw_events']) {
    const rows = await server.db.tx(
      { tenant: hz!.tenant_id, bcs: null, sites: null, user: null },
      (tx) =>
        tx.query(
          `rls.${table}`,
          row({ tenant_id: uuidColumn }),
          `SELECT DISTINCT tenant_id FROM ${table}`,
          [],
        ),
      { readOnly: true },
    )
    expect(
      rows.rows.map((r) => r.tenant_id),
      table,
    ).toEqual([hz!.tenant_id])
  }
  for (const table of ['sites', 'alarms', 'devices']) {
    const rows = await server.db.tx(
      { tenant: hz!.tenant_id, bcs: [hz!.bc_id], sites: null, receivers: [hz!.bc_id], user: null },
      (tx) =>
        tx.query(`rls.bc.${table}`, row({ bc_id: uuidColumn }), `SELECT DISTINCT bc_id FROM ${table}`, []),
      { readOnly: true },
    )
    expect(
      rows.rows.map((r) => r.bc_id),
      table,
    ).toEqual([hz!.bc_id])
  }
  await expect(
    server.db.tx({ tenant: hz!.tenant_id, bcs: null, sites: null, user: null }, (tx) =>
      tx.run('rls.write', `UPDATE sites SET tenant_id = '${sz!.tenant_id}'`, []),
    ),
  ).rejects.toThrow()
  await expect(
    server.db.tx({ tenant: `x'; DROP TABLE sites; --`, bcs: null, sites: null, user: null }, async () => {}),
  ).rejects.toThrow(/not an id/)
})

const refusals = async () =>
  (await server.sql<{ n: number }>(`SELECT count(*)::int AS n FROM user_logs WHERE outcome = 'refused'`))[0]!
    .n

test('a session that ended, and one used under another name of tenant, get in nowhere; each refusal of a known person is one line in the log', async () => {
  const tell = async () => {
    await server.sql(`SELECT pg_notify('access', '')`)
    await new Promise((r) => setTimeout(r, 300))
  }
  const ended = {
    revoked: await server.as('sales'),
    expired: await server.as('examiner'),
    disabled: await server.as('acceptor'),
  }
  const hash = (p: Person) => createHash('sha256').update(p.token).digest()
  await server.sql('UPDATE sessions SET revoked_at = :now WHERE token_hash = $1', [hash(ended.revoked)])
  await server.sql(`UPDATE sessions SET expires_at = :now - interval '1 second' WHERE token_hash = $1`, [
    hash(ended.expired),
  ])
  await server.sql(`UPDATE users SET status = 2 WHERE user_name = 'acceptor'`)
  await tell()
  const pm = people.get('pm')!
  const other = await server.as('other')
  for (const e of endpoints.filter((x) => x.access !== 'public')) {
    expect((await ended.revoked.ask(e as never)).status, e.path).toBe(401)
    expect((await ended.disabled.ask(e as never)).status, e.path).toBe(401)
    expect(await ended.expired.ask(e as never), e.path).toMatchObject({
      code: 500,
      msg: 'Token Expiration',
      data: null,
    })
    expect(
      (await server.nobody({ token: '   ', 'tenant-id': pm.tenant }).ask(e as never)).status,
      e.path,
    ).toBe(401)
    const before = await refusals()
    const strangers = [
      { token: pm.token },
      { token: pm.token, 'tenant-id': other.tenant },
      { token: other.token, 'tenant-id': pm.tenant },
    ] as Record<string, string>[]
    for (const headers of strangers)
      expect(await server.nobody(headers).ask(e as never), e.path).toMatchObject({
        status: 403,
        code: 403,
        data: null,
      })
    expect(await refusals(), e.path).toBe(before + strangers.length)
  }
  await server.sql(`UPDATE users SET status = 1 WHERE user_name = 'acceptor'`)
  await tell()
}, 120_000)

test('records that are deleted or never existed read the same: refused, one line each, nothing changed', async () => {
  const own = await recordsOf('HZ')
  const strange = await recordsOf('NB')
  const never = await neverWere()
  const before = await state()
  let asked = 0
  for (const role of ['branch_gm', 'device_keeper', 'inspector']) {
    const held_ = endpoints.filter((e) =>
      held(
        SEED_ROLES.find((r) => r.code === role)!,
        e,
      ),
    )
    const person = people.get(role)!
    const cases = casesOf(own, never).filter(({ endpoint }) => held_.includes(endpoint) && bounds(endpoint))
    for (const { endpoint: e, strange: example, fields } of cases) {
      const lines = await refusals()
      const answer = await person.ask(e as never, example as never)
      expect(due(example, fields), `${role} ${e.path}: never existed: ${answer.text}`).toContain(answer.code)
      expect(await refusals(), `${role} ${e.path}`).toBe(lines + (answer.code === 403 ? 1 : 0))
      asked += 1
    }
    for (const e of held_.filter((x) => !x.raw && /list|pick|stat|all|cards|monitor|sheet/.test(x.path))) {
      const answer = await person.ask(
        e as never,
        {
          query: { bc_id: strange.bc_id, bcId: strange.bc_id },
          body: { bc_id: strange.bc_id, bcs: null, tenant_id: strange.bc_id, scope: 'tenant' },
        } as never,
      )
      for (const word of CANARY.NB)
        expect(answer.text, `${role} ${e.path} asks for another branch`).not.toContain(word)
    }
  }
  expect(asked).toBeGreaterThan(20)
  expect(await state()).toEqual(before)
  for (const [table, field] of [
    ['sites', 'site'],
    ['devices', 'device'],
    ['workers', 'worker'],
  ] as const) {
    await server.sql(`UPDATE ${table} SET deleted_at = :now WHERE id = $1`, [own[field]])
    const deleted = await state()
    for (const name of ['branch_gm', 'device_keeper', 'admin']) {
      const role = SEED_ROLES.find((r) => r.code === name)!
      const cases = casesOf(own, { ...own, [field]: never[field] })
      for (const { endpoint, own: example, fields } of cases) {
        if (!held(role, endpoint) || !bounds(endpoint) || due(example, fields).includes(200)) continue
        const answer = await people.get(name)!.ask(endpoint as never, example as never)
        const what = `${name} ${endpoint.path}: a deleted ${field}: ${answer.text.slice(0, 100)}`
        expect(answer.code, what).not.toBe(200)
      }
    }
    expect(await state()).toEqual(deleted)
    await server.sql(`UPDATE ${table} SET deleted_at = NULL WHERE id = $1`, [own[field]])
  }
  // The control: the same call with one's own ids goes through.
  expect((await people.get('branch_gm')!.ask(api.sites.details, { query: { id: own.site } })).code).toBe(200)
}, 120_000)

// Last, because calls that name no version do what they say.
test('the control: with nothing strange in it, every example is let in to somebody', async () => {
  const ofCaller = await examplesAs(await recordsOf('HZ'))
  // A version that nobody has seen stops the others.
  const unread = new Map([...(await versions()).keys()].map((id) => [id, 1_000_000]))
  const entered = new Set<string>()
  const named = endpoints.filter(bounds)
  for (const endpoint of named)
    for (const role of oneOfEach(SEED_ROLES, endpoint))
      for (const [index, example] of ofCaller(role.code)[endpoint.path]!.entries()) {
        const answer = await hear(people.get(role.code)!, endpoint, inForce(example, unread))
        if (answer.code !== 403 && answer.code !== 401) entered.add(`${endpoint.path} ${index}`)
      }
  const known = named.flatMap((e) =>
    ofCaller('admin')[e.path]!.map((_example, index) => `${e.path} ${index}`),
  )
  expect(known.filter((one) => !entered.has(one))).toEqual([])
}, 120_000)
