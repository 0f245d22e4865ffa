import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { SEED_ROLES } from '../database/seed/roles.ts'
import { openFileStore } from '../features/files/file-store.ts'
import { report } from './device.ts'
import type { Records } from './example.ts'
import { examples } from './examples.ts'
import { HANDOVER_ROWS, homeRows } from './home-rows.ts'
import { shareRows } from './share-rows.ts'
import { type Person, startTestServer, type TestServer } from './start.ts'
import { seconds } from './time.ts'
import { versions } from './versions.ts'
import { wallRows } from './wall-rows.ts'

/** What the authorization matrix asks (G-01): every call that needs somebody, but for the stream and signing out. */
export const endpoints: Endpoint[] = Object.values(api)
  .flatMap((f): Endpoint[] => Object.values(f))
  .filter(
    (e) =>
      e.access !== 'device' &&
      e.access !== 'public' &&
      e.path !== api.live.stream.path &&
      e.path !== api.session.logout.path,
  )
/** Words that stand in rows of one tenant or branch only. */
export const CANARY = { NB: ['宁波', 'GDNB', '-NB-'], SZ: ['苏州', 'GDSZ', '-SZ-', '安居美家'] }

/** Who may make a call, worked out from the seed's roles, not from the server. */
export const held = (role: (typeof SEED_ROLES)[number], endpoint: Endpoint) =>
  typeof endpoint.access === 'string' ||
  endpoint.access.some((l) =>
    l.startsWith('page:')
      ? role.pages.some((page) => page === l.slice(5))
      : role.powers.includes(l) || role.powers.includes('*:*:*'),
  )

/** What belongs to a person alone, of `u`. */
const PERSONAL = `u.id AS me,
  (SELECT id FROM named_views WHERE user_id = u.id LIMIT 1) AS view,
  (SELECT id FROM absences WHERE user_id = u.id LIMIT 1) AS absence,
  (SELECT id FROM supervision_remarks WHERE user_id = u.id LIMIT 1) AS "supervisionRemark",
  (SELECT id FROM notifications WHERE user_id = u.id LIMIT 1) AS notification,
  (SELECT key FROM files WHERE user_id = u.id LIMIT 1) AS upload,
  (SELECT id FROM video_views WHERE user_id = u.id AND live ORDER BY id LIMIT 1) AS "liveView",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'user:import') AS "accountsImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'device:stock') AS "deviceStockImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'site:import') AS "sitesImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'worker:import') AS "workersImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'product:import') AS "productsImport",
  (SELECT id FROM imports WHERE user_id = u.id AND kind = 'customer:import') AS "customersImport"`
/** Ids of a branch's records, read past every rule. */
async function recordsOf(server: TestServer, code: string): Promise<Records> {
  const [row] = await server.sql<Records>(
    `SELECT c.bc_id, w.id AS site, hct.id AS contact, hd.id AS "homeDevice", vg.id AS "videoGrant", rp.id AS reception,
       tm.id AS message, k.id AS worker, fr.id AS "faceRemoval",
       u.id AS person, t.id AS store, d.id AS device, d.sn, e.sn AS spare,
       left(encode(s.token_hash, 'hex'), 16) AS session, a.id AS alarm, q.id AS pair, o.id AS document,
       p.key AS picture, v.id AS visit, rc.id AS recording, rh.id AS hold,
       z.id AS correction, y.id AS tidiness, b.id AS violation, jp.id AS promise,
       ca.id AS case, cp.id AS "casePicture", cp.masked_picture AS "caseKey", qn.id AS question, fb.id AS feedback,
       wn.id AS warning,
       m.id AS makeup,
       pm.id AS "patrolTemplate", pp.id AS "patrolPlan", pt.id AS "patrolTask", pa.id AS patrol, pi.id AS "patrolItem",
       pr.id AS product, pk.id AS package, im.id AS "packageItem",
       cu.id AS customer, cc.id AS "customerContact", fu.id AS "followUp", qu.id AS quotation,
       ep.id AS "earlyPromise", ho.id AS handover, qv.id AS "quotationVersion", sh.id AS share, pv.id AS preview,
       pr.category_id AS category,
       ct.id AS contract, ci.id AS "contractItem", ch.id AS change, cf.id AS refund,
       od.id AS order, ol.id AS "orderLine", nt.id AS note, tp.id AS trip, gc.id AS "goodsChange", lg.id AS leg,
       st.id AS statement, wl.id AS "owedLine", py.id AS payment, hc.id AS charge,
       lk.id AS link, cr.id AS carrier, cn.id AS channel, cm.id AS "channelMessage",
       ar.id AS arrangement, sn.id AS screen, nr.id AS "personRequest",
       pr.receiver_bc AS receiver, ex.id AS examine, ex.object_id AS examined,
       w.steward_id AS steward, w.manager_id AS manager, r.id AS role, g.id AS page, g.parent_id AS group, ${PERSONAL}
     FROM companies c
     JOIN LATERAL (SELECT * FROM sites WHERE bc_id = c.bc_id AND status = 1 ORDER BY code LIMIT 1) w ON true
     JOIN LATERAL (SELECT * FROM receptions WHERE site_id = w.id LIMIT 1) rp ON true
     JOIN LATERAL (SELECT * FROM thread_messages WHERE site_id = w.id ORDER BY seq LIMIT 1) tm ON true
     JOIN LATERAL (SELECT * FROM home_contacts WHERE site_id = w.id AND owner_id IS NULL LIMIT 1) hct ON true
     JOIN LATERAL (SELECT * FROM home_devices WHERE contact_id = hct.id LIMIT 1) hd ON true
     JOIN video_grants vg ON vg.contact_id = hct.id
     JOIN LATERAL (SELECT * FROM workers WHERE bc_id = c.bc_id ORDER BY w_id LIMIT 1) k ON true
     JOIN LATERAL (SELECT * FROM face_removals WHERE bc_id = c.bc_id LIMIT 1) fr ON true
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
     JOIN LATERAL (SELECT * FROM promises WHERE bc_id = c.bc_id LIMIT 1) jp ON true
     JOIN LATERAL (SELECT * FROM cases WHERE bc_id = c.bc_id LIMIT 1) ca ON true
     JOIN LATERAL (SELECT * FROM case_pictures WHERE case_id = ca.id LIMIT 1) cp ON true
     JOIN LATERAL (SELECT * FROM questions WHERE bc_id = c.bc_id LIMIT 1) qn ON true
     JOIN LATERAL (SELECT * FROM warnings WHERE bc_id = c.bc_id LIMIT 1) wn ON true
     JOIN LATERAL (SELECT * FROM feedback WHERE bc_id = c.bc_id LIMIT 1) fb ON true
     JOIN LATERAL (SELECT * FROM corrections WHERE bc_id = c.bc_id AND source = 'tidiness' LIMIT 1) z ON true
     JOIN LATERAL (SELECT * FROM products WHERE bc_id = c.bc_id ORDER BY code LIMIT 1) pr ON true
     JOIN LATERAL (SELECT * FROM packages WHERE bc_id = c.bc_id ORDER BY name LIMIT 1) pk ON true
     JOIN LATERAL (SELECT * FROM examine_requests WHERE bc_id = c.bc_id LIMIT 1) ex ON true
     JOIN LATERAL (SELECT * FROM package_items WHERE package_id = pk.id LIMIT 1) im ON true
     JOIN customers cu ON cu.bc_id = c.bc_id AND cu.phone = '13900001111'
     JOIN customer_promises ep ON ep.customer_id = cu.id JOIN handovers ho ON ho.customer_id = cu.id
     JOIN customer_contacts cc ON cc.customer_id = cu.id JOIN follow_ups fu ON fu.customer_id = cu.id
     JOIN quotations qu ON qu.customer_id = cu.id
     JOIN quotation_versions qv ON qv.quotation_id = qu.id
     JOIN links sh ON sh.target_id = qv.id
     JOIN previews pv ON pv.customer_id = cu.id
     JOIN contracts ct ON ct.quotation_id = qu.id
     JOIN contract_items ci ON ci.contract_id = ct.id JOIN contract_changes ch ON ch.contract_id = ct.id
     JOIN contract_refunds cf ON cf.contract_id = ct.id JOIN orders od ON od.contract_id = ct.id
     JOIN order_lines ol ON ol.order_id = od.id JOIN dispatches nt ON nt.order_id = od.id
     JOIN trips tp ON tp.bc_id = c.bc_id JOIN goods_changes gc ON gc.order_id = od.id
     JOIN logistics lg ON lg.change_id = gc.id JOIN links lk ON lk.target_id = nt.id
     JOIN statements st ON st.bc_id = c.bc_id JOIN owed_lines wl ON wl.statement_id = st.id
     JOIN owed_payments py ON py.statement_id = st.id JOIN owed_charges hc ON hc.bc_id = c.bc_id
     JOIN LATERAL (SELECT * FROM carriers WHERE tenant_id = c.tenant_id LIMIT 1) cr ON true
     JOIN LATERAL (SELECT * FROM channels WHERE tenant_id = c.tenant_id AND state = 'active' LIMIT 1) cn ON true
     JOIN LATERAL (SELECT * FROM channel_messages WHERE channel_id = cn.id LIMIT 1) cm ON true
     JOIN LATERAL (SELECT * FROM arrangements WHERE store_id = t.id LIMIT 1) ar ON true
     JOIN LATERAL (SELECT * FROM screens WHERE arrangement_id = ar.id LIMIT 1) sn ON true
     JOIN LATERAL (SELECT * FROM person_requests WHERE bc_id = c.bc_id LIMIT 1) nr ON true
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
 * Everybody has a view, a notice, a picture and a list of each kind; every branch has somebody signed in, a picture of
 * a site, and a record of every other kind.
 */
async function furnish(server: TestServer): Promise<void> {
  const city = `(SELECT CASE c.code WHEN 'NB' THEN '宁波' WHEN 'SZ' THEN '苏州' ELSE '杭州' END
    FROM companies c WHERE c.bc_id = u.bc_id)`
  const first = `FROM companies c
    JOIN LATERAL (SELECT * FROM users WHERE bc_id = c.bc_id ORDER BY user_name LIMIT 1) u ON true
    JOIN LATERAL (SELECT * FROM sites WHERE bc_id = c.bc_id AND status = 1 ORDER BY code LIMIT 1) w ON true
    JOIN LATERAL (SELECT * FROM workers WHERE bc_id = c.bc_id ORDER BY w_id LIMIT 1) k ON true`
  for (const insert of [
    `imports (tenant_id, id, user_id, kind, file_name, total, at)
     SELECT tenant_id, gen_random_uuid(), id, kind, coalesce(${city}, '集团') || '名单', 0, :now
     FROM users u, unnest(ARRAY['user:import', 'device:stock', 'site:import', 'worker:import', 'product:import',
       'customer:import'])
       kind`,
    ...homeRows(city, first),
    `named_views (tenant_id, id, user_id, page, title, search)
     SELECT tenant_id, gen_random_uuid(), id, 'SiteList', coalesce(${city}, '集团'), '' FROM users u`,
    `absences (tenant_id, id, user_id, deputy_id, from_day, to_day, entered_by, entered_at)
     SELECT u.tenant_id, gen_random_uuid(), u.id, d.id, :today + 9, :today + 9, coalesce(${city}, '集团'), :now
     FROM users u
     JOIN LATERAL (SELECT id FROM users WHERE tenant_id = u.tenant_id AND id <> u.id ORDER BY id LIMIT 1) d ON true`,
    `supervision_remarks (tenant_id, id, bc_id, user_id, figure, from_day, to_day, words, at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, 'late', :today, :today, coalesce(${city}, '集团'), :now
     FROM users u WHERE bc_id IS NOT NULL`,
    `notifications (tenant_id, id, user_id, title)
     SELECT tenant_id, gen_random_uuid(), id, coalesce(${city}, '集团') FROM users u`,
    `files (key, tenant_id, user_id, kind, bytes)
     SELECT gen_random_uuid() || '.jpg', tenant_id, id, 'picture', 1 FROM users`,
    `face_removals (tenant_id, id, bc_id, worker_id, device_id, why, opened_at)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, k.id, (SELECT d.id FROM devices d WHERE d.bc_id = c.bc_id LIMIT 1),
       'withdrawn', :now ${first}`,
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
    `questions (tenant_id, id, bc_id, site_id, words, needed_by, asker_id, asked_at)
     SELECT w.tenant_id, gen_random_uuid(), w.bc_id, w.id, ${city}, :today, u.id, :now ${first}`,
    `feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, channel, words, entered_by, entered_at,
       answer_warn_at, answer_due_at, changed_by, changed_at)
     SELECT w.tenant_id, gen_random_uuid(), 'FK-' || c.code, w.bc_id, w.id, 'complaint', 1, 'work', 'phone', ${city},
       '', :now, :now + interval '6 hours', :now + interval '8 hours', '', :now ${first}`,
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
       held_at, feedback_id)
     SELECT r.tenant_id, gen_random_uuid(), r.bc_id, r.site_id, r.device_id, r.from_at, r.to_at, 'person', c.city,
       :now + interval '1 day', '', :now, (SELECT f.id FROM feedback f WHERE f.bc_id = r.bc_id LIMIT 1)
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
    `customers (tenant_id, id, bc_id, name, phone, consultant_id, held, held_at, changed_at, created_at)
     SELECT u.tenant_id, gen_random_uuid(), u.bc_id, ${city} || '客户', '13900001111', u.id, 'assigned', :now,
       :now, :now
     ${first}`,
    `customer_contacts (tenant_id, id, customer_id, name, relation, phone, created_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, k.name, 'spouse', '13900002222', :now FROM customers k
     WHERE k.phone = '13900001111'`,
    `follow_ups (tenant_id, id, customer_id, kind, state, at, content, user_id, made_by, made_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 'phone', 'planned', :now, k.name, k.consultant_id, '', :now
     FROM customers k WHERE k.phone = '13900001111'`,
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
    ...HANDOVER_ROWS,
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
    `statements (tenant_id, id, code, bc_id, receiver_id, receiver_name, bc_name, month, state, made_by, made_name,
       made_at, sent_name, sent_at)
     SELECT o.tenant_id, gen_random_uuid(), 'DZ' || o.code, o.bc_id, o.receiver_id, o.receiver_name, o.bc_name,
       '2026-09-01', 'sent', o.made_by, o.bc_name, :now, o.bc_name, :now
     FROM orders o`,
    `owed_lines (tenant_id, id, bc_id, receiver_id, order_id, line_id, kind, quantity, price, amount, words, at,
       statement_id, month)
     SELECT o.tenant_id, gen_random_uuid(), o.bc_id, o.receiver_id, o.id, l.id, 'accepted', 1, 1, 1, o.bc_name, :now,
       s.id, s.month
     FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN statements s ON s.bc_id = o.bc_id`,
    `owed_payments (tenant_id, id, code, statement_id, bc_id, receiver_id, amount, method, paid_on, payee, made_by,
       made_name, at)
     SELECT tenant_id, gen_random_uuid(), 'FK' || code, id, bc_id, receiver_id, 1, 'cash', '2026-10-01', bc_name,
       made_by, bc_name, :now FROM statements`,
    `owed_charges (tenant_id, id, code, bc_id, receiver_id, receiver_name, kind, side, amount, reason, month,
       made_by, made_name, made_at)
     SELECT tenant_id, gen_random_uuid(), 'SG' || code, bc_id, receiver_id, bc_name, 'fine', 'take', 1, bc_name,
       '2026-07-01', made_by, bc_name, :now FROM orders`,
    `links (tenant_id, id, bc_id, kind, target_id, hash, expires_at, made_by, made_name, made_at)
     SELECT d.tenant_id, gen_random_uuid(), d.bc_id, 'driver', d.id, sha256(d.code::bytea), '2099-01-01', o.made_by,
       d.made_name, :now FROM dispatches d JOIN orders o ON o.id = d.order_id`,
    `home_devices (tenant_id, id, bc_id, site_id, contact_id, link_id, device, name, code, state, asked_at,
       last_seen_at)
     SELECT h.tenant_id, gen_random_uuid(), h.bc_id, h.site_id, h.id, l.id, h.id::text, '', '', 'asking', :now, :now
     FROM home_contacts h JOIN links l ON l.bc_id = h.bc_id`,
    ...shareRows,
    `carriers (tenant_id, id, name, secret, made_name, made_at)
     SELECT t.id, gen_random_uuid(), t.name, 's', '', :now FROM tenants t`,
    `channels (tenant_id, id, name, maker, host, secret, kinds, made_by, made_at)
     SELECT t.id, gen_random_uuid(), t.name, 'webhook', 'h', 's', '{alarm}', (SELECT u.id FROM users u
       WHERE u.tenant_id = t.id LIMIT 1), :now FROM tenants t`,
    `channel_messages (tenant_id, id, channel_id, event, at, state, since, next_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, 'trial', :now, 'sent', :now, :now FROM channels k`,
    `mail_addresses (tenant_id, user_id, address) SELECT u.tenant_id, u.id, 'a@example.com' FROM users u`,
    `notice_rules (tenant_id, user_id, hour) SELECT u.tenant_id, u.id, 8 FROM users u`,
    ...wallRows,
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
async function examplesAs(server: TestServer, records: Records) {
  const rows = await server.sql<Records & { user_name: string }>(
    `SELECT u.user_name, ${PERSONAL} FROM users u`,
  )
  const own = new Map(rows.map(({ user_name, ...row }) => [user_name, examples({ ...records, ...row })]))
  return (role: string) => own.get(role)!
}
/** Ids that nobody has. */
async function neverWere(server: TestServer): Promise<Records> {
  const own = await recordsOf(server, 'HZ')
  const ids = Object.fromEntries(Object.keys(own).map((name) => [name, randomUUID()]))
  return {
    ...own,
    ...ids,
    upload: `${randomUUID()}.jpg`,
    caseKey: `${randomUUID()}.jpg`,
    picture: 'none.jpg',
    sn: 'NONE-1',
    spare: 'NONE-2',
    session: '0'.repeat(16),
  }
}

export interface Matrix {
  server: TestServer
  people: Map<string, Person>
  /** Ids of a branch's records, read past every rule. */
  recordsOf(code: string): Promise<Records>
  /** Examples of a branch's records as somebody's own, by role: with what belongs to that person alone. */
  examplesAs(records: Records): ReturnType<typeof examplesAs>
  /** Versions of every record, so that a strange id beside one's own is what the server stumbles over. */
  versions(): Promise<Map<string, number>>
  /** Ids that nobody has. */
  neverWere(): Promise<Records>
  /** Number of refusals the log has. */
  refusals(): Promise<number>
}
/** A server in which every branch has a record of each kind, and somebody of each role signed in. */
export async function openMatrix(options: Parameters<typeof startTestServer>[0] = {}): Promise<Matrix> {
  const server = await startTestServer(options)
  for (const branch of ['HZ', 'NB', 'SZ'])
    for (const d of server.devices.filter((x) => x.sn.includes(branch) && x.type === 'camera').slice(0, 6))
      await report(server.url, d, [
        { id: 'seen', kind: 'alarm', at: seconds() - 9, type: 'smoking', confidence: 0.9 },
      ])
  await furnish(server)
  const people = new Map<string, Person>()
  for (const r of SEED_ROLES) people.set(r.code, await server.as(r.code))
  return {
    server,
    people,
    recordsOf: (code) => recordsOf(server, code),
    examplesAs: (records) => examplesAs(server, records),
    versions: () => versions(server),
    neverWere: () => neverWere(server),
    async refusals() {
      const [row] = await server.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM user_logs WHERE outcome = 'refused'`,
      )
      return row!.n
    },
  }
}
