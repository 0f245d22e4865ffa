-- clock.own
SELECT clock_timestamp() AS at;

-- offer.grant
WITH wanted AS (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS w (code, what, page)),
  given AS (INSERT INTO role_pages (tenant_id, role_id, page_id)
SELECT $1, r.id, p.id FROM wanted w JOIN roles r ON r.tenant_id = $1 AND r.code = w.code
JOIN pages p ON p.tenant_id = $1 AND p.component_name = w.what
ON CONFLICT DO NOTHING RETURNING role_id)
UPDATE roles SET version = version + 1 WHERE tenant_id = $1 AND id IN (SELECT role_id FROM given);

-- offer.known
SELECT kind, key, detail FROM offered WHERE tenant_id = $1;

-- offer.movepower
UPDATE page_powers SET page_id = $3 WHERE tenant_id = $1 AND label = $2 AND page_id = $4;

-- offer.pages
SELECT id, system, path, component_name FROM pages WHERE tenant_id = $1;

-- offer.path
UPDATE pages p SET path = $5, version = version + 1
WHERE p.tenant_id = $1 AND p.system = $2 AND p.component_name = $3 AND p.path = $4
  AND NOT EXISTS (SELECT 1 FROM pages o WHERE o.tenant_id = $1 AND o.system = $2 AND o.path = $5);

-- offer.taken
SELECT code FROM roles WHERE tenant_id = $1 AND code = ANY ($2);

-- offer.turns
SELECT pg_advisory_xact_lock($1::int, hashtext($2));

-- offer.waiting
SELECT t.id FROM tenants t
WHERE NOT EXISTS (SELECT 1 FROM offered o WHERE o.tenant_id = t.id AND o.kind = 'release' AND o.detail = $1)
ORDER BY t.id;

-- seed.accounts
SELECT u.user_name, u.password
FROM account_names n
JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
WHERE n.name = ANY ($1) AND u.status = 1;

-- seed.any
SELECT 1 FROM tenants LIMIT 1;

-- seed.arrangements
INSERT INTO arrangements (tenant_id, bc_id, store_id, id, name, scenes, changed_by, changed_at, version)
SELECT tenant_id, bc_id, store_id, id, name, scenes, changed_by, changed_at,
  version FROM json_populate_recordset(NULL::arrangements, $1::json);

-- seed.branches
SELECT c.bc_id AS bc, s.id AS store
FROM companies c
JOIN stores s ON s.tenant_id = c.tenant_id AND s.bc_id = c.bc_id AND s.receives_orders
WHERE c.tenant_id = $1
ORDER BY c.sort;

-- seed.calendar_days
INSERT INTO calendar_days (tenant_id, day, rest)
SELECT tenant_id, day, rest FROM json_populate_recordset(NULL::calendar_days, $1::json);

-- seed.channel_messages
INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, link, at, since, next_at, sent_at,
  state, tries, said)
SELECT tenant_id, id, channel_id, event, kind, cause_id, link, at, since, next_at, sent_at, state, tries,
  said FROM json_populate_recordset(NULL::channel_messages, $1::json);

-- seed.channels
INSERT INTO channels (tenant_id, id, name, maker, host, secret, role, kinds, state, why, made_by, made_at, sent_at,
  version)
SELECT tenant_id, id, name, maker, host, secret, role, kinds, state, why, made_by, made_at, sent_at,
  version FROM json_populate_recordset(NULL::channels, $1::json);

-- seed.companies
INSERT INTO companies (tenant_id, bc_id, bc_name, code, city, address, principal, phone, receives_orders, sort, status,
  lng, lat)
SELECT tenant_id, bc_id, bc_name, code, city, address, principal, phone, receives_orders, sort, status, lng,
  lat FROM json_populate_recordset(NULL::companies, $1::json);

-- seed.consents
INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, proof,
  recorded_by, recorded_at, withdrawn_by, withdrawn_at, withdrawn_why)
SELECT tenant_id, id, 'face', 'worker', subject_id, state, how, answered_on, $2, proof,
  "by", (answered_on + time '10:00') AT TIME ZONE 'Asia/Shanghai',
  CASE WHEN state = 3 THEN "by" END, CASE WHEN state = 3 THEN $3::timestamptz END,
  CASE WHEN state = 3 THEN '本人不愿意再刷脸，改用补卡' END
FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, subject_id uuid, state smallint, how text,
  answered_on date, proof text, "by" text);

-- seed.counts
UPDATE sites w SET devices_total = (
SELECT count(*) FROM devices d
WHERE d.tenant_id = w.tenant_id AND d.site_id = w.id AND d.device_status <> 3);

-- seed.device_bindings
INSERT INTO device_bindings (tenant_id, id, device_id, site_id, action, actor, at, remark)
SELECT tenant_id, id, device_id, site_id, action, actor, at, remark FROM json_populate_recordset(NULL::device_bindings,
  $1::json);

-- seed.device_spans
INSERT INTO device_spans (tenant_id, device_id, from_at, state, cause)
SELECT tenant_id, device_id, from_at, state, cause FROM json_populate_recordset(NULL::device_spans, $1::json);

-- seed.devices
INSERT INTO devices (tenant_id, id, sn, secret, type, model, bc_id, bind_status, site_id, device_status, firmware,
  notice, remark, version)
SELECT tenant_id, id, sn, secret, type, model, bc_id, bind_status, site_id, device_status, firmware, notice, remark,
  version FROM json_populate_recordset(NULL::devices, $1::json);

-- seed.facefiles
INSERT INTO files (key, tenant_id, bc_id, kind, bytes, at)
SELECT key, tenant_id, bc_id, kind, bytes, $2
FROM json_to_recordset($1::json) AS x(key text, tenant_id uuid, bc_id uuid, kind text, bytes int);

-- seed.faces
UPDATE workers w SET w_face = x.key
FROM json_to_recordset($1::json) AS x(tenant_id uuid, id uuid, key text)
WHERE w.tenant_id = x.tenant_id AND w.id = x.id;

-- seed.firststore
SELECT k.id, k.bc_id, k.name FROM stores k JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
WHERE k.tenant_id = $1 ORDER BY c.sort, c.code, k.name LIMIT 1;

-- seed.home_contacts
INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, since, owner_id, name, phone, relation)
SELECT tenant_id, id, bc_id, site_id, since, owner_id, name, phone,
  relation FROM json_populate_recordset(NULL::home_contacts, $1::json);

-- seed.months
SELECT ensure_months($1::date, $2::date);

-- seed.offered
INSERT INTO offered (tenant_id, kind, key, detail)
SELECT tenant_id, kind, key, detail FROM json_populate_recordset(NULL::offered, $1::json) ON CONFLICT (tenant_id, kind,
  key) DO UPDATE SET detail = excluded.detail;

-- seed.owners
INSERT INTO owners (tenant_id, id, bc_id, name, phone)
SELECT tenant_id, id, bc_id, name, phone FROM json_populate_recordset(NULL::owners, $1::json);

-- seed.package_alternatives
INSERT INTO package_alternatives (tenant_id, item_id, product_id, sort, difference)
SELECT tenant_id, item_id, product_id, sort, difference FROM json_populate_recordset(NULL::package_alternatives,
  $1::json);

-- seed.package_items
INSERT INTO package_items (tenant_id, id, package_id, sort, room, product_id, base, factor, waste, removal_price)
SELECT tenant_id, id, package_id, sort, room, product_id, base, factor, waste,
  removal_price FROM json_populate_recordset(NULL::package_items, $1::json);

-- seed.packages
INSERT INTO packages (tenant_id, id, family_id, number, bc_id, name, per_square, least_area, from_on, to_on, remark,
  status, changed_by, changed_at, version)
SELECT tenant_id, id, family_id, number, bc_id, name, per_square, least_area, from_on, to_on, remark, status,
  changed_by, changed_at, version FROM json_populate_recordset(NULL::packages, $1::json);

-- seed.page_powers
INSERT INTO page_powers (tenant_id, page_id, label, name)
SELECT tenant_id, page_id, label, name FROM json_populate_recordset(NULL::page_powers, $1::json) ON CONFLICT DO NOTHING;

-- seed.pages
INSERT INTO pages (parent_id, icon, visible, keep_alive, memory_router, component_name, component, always_show,
  tenant_id, id, system, path, name, sort)
SELECT parent_id, icon, visible, keep_alive, memory_router, component_name, component, always_show, tenant_id, id,
  system, path, name, sort FROM json_populate_recordset(NULL::pages, $1::json) ON CONFLICT (tenant_id, system,
    path) DO NOTHING;

-- seed.patrol_items
INSERT INTO patrol_items (patrol_id, remark, correction_id, id, sort, hint, photo, title, weight, verdict, pictures,
  problem, tenant_id)
SELECT patrol_id, remark, correction_id, id, sort, hint, photo, title, weight, verdict, pictures, problem,
  tenant_id FROM json_populate_recordset(NULL::patrol_items, $1::json);

-- seed.patrol_plans
INSERT INTO patrol_plans (tenant_id, id, bc_id, name, kind, template_id, every, weekdays, stage, share, user_ids,
  from_time, to_time, days, starts_on, status, changed_by, version)
SELECT tenant_id, id, bc_id, name, kind, template_id, every, weekdays, stage, share, user_ids, from_time, to_time,
  days, starts_on, status, changed_by, version FROM json_populate_recordset(NULL::patrol_plans, $1::json);

-- seed.patrol_templates
INSERT INTO patrol_templates (tenant_id, id, name, items, status, changed_by, version)
SELECT tenant_id, id, name, items, status, changed_by, version FROM json_populate_recordset(NULL::patrol_templates,
  $1::json);

-- seed.product_categories
INSERT INTO product_categories (tenant_id, id, parent_id, name, stage, receiver_bc, receiver_store, lead_days)
SELECT tenant_id, id, parent_id, name, stage, receiver_bc, receiver_store,
  lead_days FROM json_populate_recordset(NULL::product_categories, $1::json);

-- seed.product_prices
INSERT INTO product_prices (tenant_id, id, product_id, bc_id, from_on, price, cost, reason, set_by, set_at)
SELECT tenant_id, id, product_id, bc_id, from_on, price, cost, reason, set_by,
  set_at FROM json_populate_recordset(NULL::product_prices, $1::json);

-- seed.products
INSERT INTO products (tenant_id, id, bc_id, name, kind, category_id, brand, model, spec, unit, stage, receiver_bc,
  receiver_store, lead_days, pack, least, removal_price, picture, status, version, code)
SELECT tenant_id, id, bc_id, name, kind, category_id, brand, model, spec, unit, stage, receiver_bc, receiver_store,
  lead_days, pack, least, removal_price, picture, status, version, code FROM json_populate_recordset(NULL::products,
    $1::json);

-- seed.receptions
INSERT INTO receptions (tenant_id, id, bc_id, site_id, at, planned, entered_at, arrived_at, ended_at, host_id,
  entered_by, purpose, state, record)
SELECT tenant_id, id, bc_id, site_id, at, planned, entered_at, arrived_at, ended_at, host_id, entered_by, purpose,
  state, record FROM json_populate_recordset(NULL::receptions, $1::json);

-- seed.roles
SELECT id, code FROM roles WHERE tenant_id = $1;

-- seed.screens
INSERT INTO screens (tenant_id, bc_id, store_id, id, name, kind, hash, arrangement_id, width, height, bundle, scene,
  item, frames, age, said_at, moved_at, paired_by, paired_at, why, version)
SELECT tenant_id, bc_id, store_id, id, name, kind, hash, arrangement_id, width, height, bundle, scene, item, frames,
  age, said_at, moved_at, paired_by, paired_at, why, version FROM json_populate_recordset(NULL::screens, $1::json);

-- seed.settings
INSERT INTO settings (tenant_id, key, value)
SELECT tenant_id, key, value FROM json_populate_recordset(NULL::settings, $1::json);

-- seed.site_events
INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor)
SELECT tenant_id, id, bc_id, site_id, kind, at, title, actor FROM json_populate_recordset(NULL::site_events, $1::json);

-- seed.site_leads
INSERT INTO site_leads (tenant_id, of_site, post, from_at, user_id)
SELECT tenant_id, of_site, post, from_at, user_id FROM json_populate_recordset(NULL::site_leads, $1::json);

-- seed.site_members
INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on, left_on)
SELECT tenant_id, site_id, worker_id, entered_on, left_on FROM json_populate_recordset(NULL::site_members, $1::json);

-- seed.site_stages
INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish, baseline_start,
  baseline_finish, actual_start, actual_finish)
SELECT tenant_id, site_id, stage, sort, planned_start, planned_finish, baseline_start, baseline_finish, actual_start,
  actual_finish FROM json_populate_recordset(NULL::site_stages, $1::json);

-- seed.sites
INSERT INTO sites (tenant_id, id, code, ws_name, initials, bc_id, store_id, owner_id, community, address, area, layout,
  style, lng, lat, status, stage, progress, start_date, planned_start, planned_finish, actual_finish, terminated_at,
    steward_id, manager_id, no_work, no_work_run, no_work_sum, devices_online, devices_total)
SELECT tenant_id, id, code, ws_name, initials, bc_id, store_id, owner_id, community, address, area, layout, style, lng,
  lat, status, stage, progress, start_date, planned_start, planned_finish, actual_finish, terminated_at, steward_id,
    manager_id, no_work, no_work_run, no_work_sum, devices_online,
      devices_total FROM json_populate_recordset(NULL::sites, $1::json);

-- seed.stores
INSERT INTO stores (tenant_id, id, bc_id, name, address, principal, phone, receives_orders, status, lng, lat)
SELECT tenant_id, id, bc_id, name, address, principal, phone, receives_orders, status, lng,
  lat FROM json_populate_recordset(NULL::stores, $1::json);

-- seed.tenants
INSERT INTO tenants (id, name, created_at)
SELECT id, name, created_at FROM json_populate_recordset(NULL::tenants, $1::json);

-- seed.user_branches
INSERT INTO user_branches (tenant_id, user_id, bc_id)
SELECT tenant_id, user_id, bc_id FROM json_populate_recordset(NULL::user_branches, $1::json);

-- seed.user_logs
INSERT INTO user_logs (tenant_id, id, user_id, user_name, system, ip, agent, action, object, object_id, outcome, after,
  at)
SELECT tenant_id, id, user_id, user_name, system, ip, agent, action, object, object_id, outcome, after,
  at FROM json_populate_recordset(NULL::user_logs, $1::json);

-- seed.user_roles
INSERT INTO user_roles (tenant_id, user_id, role_id)
SELECT tenant_id, user_id, role_id FROM json_populate_recordset(NULL::user_roles, $1::json);

-- seed.user_stores
INSERT INTO user_stores (tenant_id, user_id, store_id)
SELECT tenant_id, user_id, store_id FROM json_populate_recordset(NULL::user_stores, $1::json);

-- seed.users
INSERT INTO users (tenant_id, id, user_name, nickname, phone, avatar, introduction, bc_id, post, password, status,
  version, must_change)
SELECT tenant_id, id, user_name, nickname, phone, avatar, introduction, bc_id, post, password, status, version,
  must_change FROM json_populate_recordset(NULL::users, $1::json);

-- seed.worker_documents
INSERT INTO worker_documents (tenant_id, id, worker_id, kind, number, valid_until, added_by, added_at)
SELECT tenant_id, id, worker_id, kind, number, valid_until, added_by,
  added_at FROM json_populate_recordset(NULL::worker_documents, $1::json);

-- seed.workers
INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, user_id, status, notice,
  version)
SELECT tenant_id, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, user_id, status, notice,
  version FROM json_populate_recordset(NULL::workers, $1::json);
