-- sites.add
INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, store_id, owner_id, community, address, area,
    layout, style, planned_start, planned_finish, steward_id, manager_id, lng, lat, contract, initials)
SELECT $1, id, code, ws_name, bc_id, store_id, owner_id, community, address, area, layout, style,
  "plannedStart", "plannedFinish", steward_id, manager_id, lng, lat, coalesce(contract, ''), initials
FROM json_to_recordset($2::json) AS x(id uuid, code text, ws_name text, bc_id uuid, store_id uuid,
    owner_id uuid, community text, address text, area numeric, layout text, style text,
    "plannedStart" date, "plannedFinish" date, steward_id uuid, manager_id uuid, lng float8, lat float8,
    contract text, initials text);

-- sites.addcontact
INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, name, phone, relation, since, changed_by, changed_at)
SELECT $1, $2, $3, $4, $5, $6, $7, :now, $8, :now
WHERE $9 > (SELECT count(*) FROM home_contacts h
  WHERE h.tenant_id = $1 AND h.site_id = $4 AND h.owner_id IS NULL AND h.ended_at IS NULL);

-- sites.adopted
UPDATE sites SET owner_id = coalesce($3, owner_id), contract = $4, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- sites.aftercare
UPDATE sites SET aftercare_id = $3 WHERE tenant_id = $1 AND id = $2;

-- sites.along
UPDATE sites
SET bc_id = $3, store_id = NULL, owner_id = $4, steward_id =
  CASE WHEN $5 THEN NULL ELSE steward_id END, manager_id =
  CASE WHEN $6 THEN NULL ELSE manager_id END, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- sites.baseline
UPDATE site_stages SET baseline_start = planned_start, baseline_finish = planned_finish
WHERE tenant_id = $1 AND site_id = $2 AND baseline_start IS NULL
  AND planned_start IS NOT NULL AND planned_finish IS NOT NULL;

-- sites.branch
SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1;

-- sites.branchto
SELECT bc_id, bc_name FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1;

-- sites.contactsalong
UPDATE home_contacts h
SET bc_id = w.bc_id,
  owner_id = CASE WHEN h.owner_id IS NOT NULL AND h.ended_at IS NULL THEN w.owner_id ELSE h.owner_id END
FROM sites w
WHERE h.tenant_id = $1 AND h.site_id = $2 AND w.tenant_id = $1 AND w.id = $2;

-- sites.detail
SELECT row_to_json(r)::text AS json FROM (SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, coalesce(t.name,
  '') AS "storeName", w.community,
  CASE WHEN true THEN w.address ELSE '' END AS address, w.status, w.stage, w.progress,
    w.start_date::text AS "startDate",
  w.planned_finish::text AS "plannedFinish", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
  w.steward_id, coalesce(s.nickname, '') AS "stewardName", w.manager_id,
  coalesce(m.nickname, '') AS "managerName", w.devices_online AS "devicesOnline",
  w.devices_total AS "devicesTotal", w.tidiness, w.lived_in AS "livedIn", w.open_alarms AS "openAlarms",
  (SELECT count(*)::int FROM corrections k
    WHERE k.tenant_id = $1 AND k.site_id = w.id AND k.source <> 'alarm'
      AND k.correction_status IN (1,
        2) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
          AND f.id = k.source_id AND f.hidden_from = $5::uuid)) AS "openCorrections", w.contract,
  coalesce(o.name, '') AS "ownerName", w.version, w.store_id, w.area::text AS area,
   w.outside_contract AS "outsideContract", w.layout, w.style, w.lng AS lng, w.lat AS lat,
   w.planned_start::text AS "plannedStart", w.actual_finish::text AS "actualFinish",
   CASE WHEN s.id IS NULL THEN NULL ELSE json_build_object('id', s.id, 'nickname', s.nickname, 'phone',
     s.phone) END AS steward,
   CASE WHEN m.id IS NULL THEN NULL ELSE json_build_object('id', m.id, 'nickname', m.nickname, 'phone',
     m.phone) END AS manager,
   CASE WHEN o.id IS NULL THEN NULL ELSE json_build_object('name', o.name, 'phone', masked_phone(o.phone)) END AS owner,
   coalesce((SELECT json_agg(json_build_object('stage', g.stage, 'state', CASE WHEN g.actual_finish IS NOT NULL THEN 3
  WHEN g.actual_start IS NOT NULL THEN 2 ELSE 1 END, 'sort', g.sort, 'acceptedBy', g.accepted_by, 'plannedStart',
    g.planned_start::text, 'plannedFinish', g.planned_finish::text, 'actualStart', g.actual_start::text,
      'actualFinish', g.actual_finish::text, 'baselineStart', g.baseline_start::text, 'baselineFinish',
        g.baseline_finish::text) ORDER BY g.sort) FROM site_stages g WHERE g.tenant_id = w.tenant_id
          AND g.site_id = w.id), '[]') AS stages,
   coalesce((SELECT json_agg(json_build_object('id', k.id, 'w_name', k.w_name, 'w_type', k.w_type, 'enteredOn',
     sm.entered_on::text, 'present',
       EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = w.tenant_id AND a.day = $3::date
         AND a.site_id = w.id AND a.worker_id = k.id)) ORDER BY k.w_type, k.w_name)
     FROM site_members sm JOIN workers k ON k.tenant_id = sm.tenant_id AND k.id = sm.worker_id
       WHERE sm.tenant_id = w.tenant_id AND sm.site_id = w.id AND sm.left_on IS NULL), '[]') AS team,
   coalesce((SELECT json_agg(json_build_object('id', d.id, 'sn', d.sn, 'type', d.type, 'deviceStatus', d.device_status,
     'lastSeen', floor(extract(epoch FROM d.last_seen))::float8) ORDER BY d.type,
       d.sn) FROM devices d WHERE d.tenant_id = w.tenant_id AND d.site_id = w.id AND d.deleted_at IS NULL),
         '[]') AS devices,
   (SELECT json_build_object('key', d.last_picture, 'at',
     floor(extract(epoch FROM d.last_picture_at))::float8) FROM devices d
     WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.deleted_at IS NULL AND d.last_picture_at IS NOT NULL
     AND $4::text = '' ORDER BY d.last_picture_at DESC LIMIT 1) AS picture, $4::text AS "noLook",
   (SELECT json_build_object('rests', rest_day(w.tenant_id, w.bc_id, $3::date),
     'expected', n.expected, 'present', n.present,
     'guests', n.present - n.expected + n.absent,
     'alarms',
       (SELECT count(*)::int FROM alarms a WHERE a.tenant_id = w.tenant_id AND a.site_id = w.id
         AND a.at >= ($3::date::timestamp AT TIME ZONE 'Asia/Shanghai')),
     'firstIn', (SELECT floor(extract(epoch FROM min(a.first_at)))::float8 FROM attendance_days a
       WHERE a.tenant_id = w.tenant_id AND a.day = $3::date AND a.site_id = w.id))
     FROM (SELECT (count(*) FILTER (WHERE member))::int AS expected,
       (count(*) FILTER (WHERE member AND NOT came))::int AS absent, (count(*) FILTER (WHERE came))::int AS present
 FROM (SELECT bool_or(member) AS member, bool_or(came) AS came FROM (
   SELECT m.worker_id, true AS member,
     false AS came FROM site_members m WHERE m.tenant_id = w.tenant_id AND m.site_id = w.id
       AND coalesce(m.counted_from, m.entered_on) <= $3::date
    AND (m.left_on IS NULL OR coalesce(m.counted_to,
      m.left_on) >= $3::date) AND NOT EXISTS (SELECT 1 FROM day_posts o WHERE o.tenant_id = w.tenant_id
    AND o.day = $3::date AND o.worker_id = m.worker_id AND o.site_id <> m.site_id)
   UNION ALL SELECT a.worker_id, false,
     true FROM attendance_days a WHERE a.tenant_id = w.tenant_id AND a.day = $3::date
       AND a.site_id = w.id) one GROUP BY worker_id) people) n) AS today
  FROM sites w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
LEFT JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id WHERE w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL AND w.id = $2::uuid) r;

-- sites.edit
UPDATE sites w
SET ws_name = $3, bc_id = $4, store_id = CASE WHEN $13 THEN $5 ELSE w.store_id END,
  community = $6, address = $7, area = $8, layout = $9, style = $10,
  planned_start = coalesce($11, w.planned_start), planned_finish = coalesce($12, w.planned_finish),
  owner_id = coalesce($14, w.owner_id), lng = coalesce($15, w.lng), lat = coalesce($16, w.lat),
  initials = $17,
  version = w.version + 1
FROM sites was
WHERE w.tenant_id = $1 AND w.id = $2 AND was.tenant_id = $1 AND was.id = $2
RETURNING was.ws_name, was.store_id, was.community, was.address, was.area::text, was.layout, was.style,
  was.planned_start::text AS "plannedStart", was.planned_finish::text AS "plannedFinish", was.lng, was.lat;

-- sites.editcontact
UPDATE home_contacts h
SET name = $3, relation = $4, phone = $5, version = h.version + 1, changed_by = $6, changed_at = :now
WHERE h.tenant_id = $1 AND h.id = $2;

-- sites.endcontacts
UPDATE home_contacts h
SET ended_at = :now, ended_by = $4, ended_for = $5, version = h.version + 1, changed_by = $4, changed_at = :now,
  name = coalesce(h.name, (SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = h.owner_id)),
  phone = coalesce(h.phone, (SELECT o.phone FROM owners o WHERE o.tenant_id = $1 AND o.id = h.owner_id))
WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL AND ($3::uuid IS NULL OR h.id = $3);

-- sites.home
SELECT w.status AS "siteStatus", CASE WHEN w.status = 4
  THEN w.actual_finish + (coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = $1 AND s.key = 'warrantyDays'
    AND (s.bc_id = w.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '730'::jsonb))::int END::text AS "warrantyUntil"
FROM sites w
WHERE w.tenant_id = $1 AND w.id = $2;

-- sites.inreach
SELECT w.id FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND w.id = $2::uuid;

-- sites.known
SELECT bc_id || '|' || ws_name AS key
FROM sites
WHERE tenant_id = $1 AND ws_name = ANY ($2) AND deleted_at IS NULL;

-- sites.ledby
SELECT w.id, w.bc_id, p.post, u.post = p.code AND (u.bc_id = w.bc_id OR EXISTS (SELECT 1 FROM user_branches b
    WHERE b.tenant_id = $1 AND b.user_id = u.id AND b.bc_id = w.bc_id)) AS fits
FROM sites w
JOIN users u ON u.tenant_id = $1 AND u.id = $2
CROSS JOIN LATERAL (VALUES ('manager', 2, w.manager_id), ('steward', 1, w.steward_id))
  AS p(post, code, who)
WHERE w.tenant_id = $1 AND p.who = $2 AND w.deleted_at IS NULL AND w.status IN (1, 2)
ORDER BY w.id;

-- sites.ledfrom
INSERT INTO site_leads (tenant_id, of_site, post, from_at, user_id)
SELECT $1, w.id, x.post, :now, x.who
FROM sites w
CROSS JOIN LATERAL (VALUES (1::smallint, w.steward_id), (2::smallint, w.manager_id)) AS x(post, who)
WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND x.who IS NOT NULL
  AND NOT EXISTS (SELECT FROM site_leads l
    WHERE l.tenant_id = $1 AND l.of_site = w.id AND l.post = x.post AND l.to_at IS NULL);

-- sites.ledtill
UPDATE site_leads l SET to_at = :now
FROM sites w
CROSS JOIN LATERAL (VALUES (1::smallint, w.steward_id), (2::smallint, w.manager_id)) AS x(post, who)
WHERE l.tenant_id = $1 AND w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND l.of_site = w.id AND l.post = x.post
  AND l.to_at IS NULL AND l.user_id IS DISTINCT FROM x.who;

-- sites.letter
UPDATE sites w SET initials = x.initials
FROM json_to_recordset($2::json) AS x(id uuid, initials text)
WHERE w.tenant_id = $1 AND w.id = x.id;

-- sites.livedin
UPDATE sites SET lived_in = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- sites.lock
SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, coalesce(t.name, '') AS "storeName", w.community,
  w.address AS address, w.status, w.stage, w.progress, w.start_date::text AS "startDate",
  w.planned_finish::text AS "plannedFinish", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
  w.steward_id, coalesce(s.nickname, '') AS "stewardName", w.manager_id,
  coalesce(m.nickname, '') AS "managerName", w.devices_online AS "devicesOnline",
  w.devices_total AS "devicesTotal", w.tidiness, w.lived_in AS "livedIn", w.open_alarms AS "openAlarms",
  (SELECT count(*)::int FROM corrections k
    WHERE k.tenant_id = $1 AND k.site_id = w.id AND k.source <> 'alarm'
      AND k.correction_status IN (1, 2) AND true) AS "openCorrections", w.contract,
  coalesce(o.name, '') AS "ownerName",
    w.version FROM sites w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
LEFT JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id WHERE w.tenant_id = $1::uuid
  AND w.deleted_at IS NULL AND w.id = $2::uuid FOR UPDATE OF w;

-- sites.named
SELECT id, bc_id, post, user_name, nickname
FROM users
WHERE tenant_id = $1 AND (user_name = ANY ($2) OR nickname = ANY ($2)) AND post IS NOT NULL
  AND bc_id IS NOT NULL AND status = 1 AND deleted_at IS NULL;

-- sites.newowner
INSERT INTO owners (tenant_id, id, bc_id, name, phone) VALUES ($1, $2, $3, $4, $5);

-- sites.number
SELECT nextval('site_numbers') AS n;

-- sites.numbers
SELECT nextval('site_numbers') AS n FROM generate_series(1, $1::int);

-- sites.own
SELECT t.name AS store, w.owner_id AS owner,
  (SELECT u.nickname FROM users u WHERE u.tenant_id = w.tenant_id AND u.id = w.steward_id
AND u.bc_id IS DISTINCT FROM $3 AND NOT EXISTS (SELECT 1 FROM user_branches b
  WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id = $3)) AS steward,
    (SELECT u.nickname FROM users u WHERE u.tenant_id = w.tenant_id AND u.id = w.manager_id
AND u.bc_id IS DISTINCT FROM $3 AND NOT EXISTS (SELECT 1 FROM user_branches b
  WHERE b.tenant_id = u.tenant_id AND b.user_id = u.id AND b.bc_id = $3)) AS manager,
   EXISTS (SELECT 1 FROM sites o WHERE o.tenant_id = w.tenant_id AND o.owner_id = w.owner_id AND o.id <> w.id) AS shared
 FROM sites w
 LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
 WHERE w.tenant_id = $1 AND w.id = $2;

-- sites.owner
SELECT o.id, o.name, o.phone FROM sites w
JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
WHERE w.tenant_id = $1 AND w.id = $2;

-- sites.owneralong
UPDATE owners SET bc_id = $3 WHERE tenant_id = $1 AND id = $2;

-- sites.ownerbyphone
SELECT o.id, o.name FROM owners o WHERE o.tenant_id = $1 AND o.bc_id = $2 AND o.phone = $3 ORDER BY o.id LIMIT 1;

-- sites.ownernamed
UPDATE owners o
SET name = $3, phone = $4
WHERE o.tenant_id = $1 AND o.id = $2
  AND ($4 = '' OR NOT EXISTS (SELECT 1 FROM owners x
    WHERE x.tenant_id = $1 AND x.bc_id = o.bc_id AND x.phone = $4 AND x.id <> o.id));

-- sites.owners
INSERT INTO owners (tenant_id, id, bc_id, name, phone, notice)
SELECT $1, id, bc_id, name, phone, coalesce(notice, '')
FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, name text, phone text, notice text);

-- sites.ownerseen
UPDATE home_contacts h
SET version = h.version + 1, changed_by = $3, changed_at = :now
WHERE h.tenant_id = $1 AND h.owner_id = $2 AND h.ended_at IS NULL;

-- sites.ownertold
UPDATE owners o SET notice = $3
FROM sites w
WHERE o.tenant_id = $1 AND w.tenant_id = $1 AND w.id = $2 AND o.id = w.owner_id;

-- sites.page
WITH page AS MATERIALIZED (SELECT w.* FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL
  AND ($2::uuid IS NULL OR true) ORDER BY w.code DESC, w.id DESC LIMIT 20)
  SELECT coalesce((SELECT json_agg(r)
      FROM (SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, coalesce(t.name, '') AS "storeName", w.community,
  CASE WHEN true THEN w.address ELSE '' END AS address, w.status, w.stage, w.progress,
    w.start_date::text AS "startDate",
  w.planned_finish::text AS "plannedFinish", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
  w.steward_id, coalesce(s.nickname, '') AS "stewardName", w.manager_id,
  coalesce(m.nickname, '') AS "managerName", w.devices_online AS "devicesOnline",
  w.devices_total AS "devicesTotal", w.tidiness, w.lived_in AS "livedIn", w.open_alarms AS "openAlarms",
  (SELECT count(*)::int FROM corrections k
    WHERE k.tenant_id = $1 AND k.site_id = w.id AND k.source <> 'alarm'
      AND k.correction_status IN (1,
        2) AND NOT EXISTS (SELECT FROM feedback f WHERE k.source = 'feedback' AND f.tenant_id = $1
          AND f.id = k.source_id AND f.hidden_from = $2::uuid)) AS "openCorrections", w.contract,
  coalesce(o.name, '') AS "ownerName",
    w.version FROM page w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
LEFT JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id ORDER BY w.code DESC, w.id DESC) r),
  '[]'::json)::text AS list,
    (SELECT count(*) FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL AND ($2::uuid IS NULL
      OR true))::int AS total;

-- sites.people
UPDATE sites SET steward_id = $3, manager_id = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- sites.pick
SELECT w.id, w.code, w.ws_name FROM sites w WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL ORDER BY w.status,
  w.code DESC LIMIT 30;

-- sites.pickstores
SELECT s.id, s.bc_id, s.name FROM stores s WHERE s.tenant_id = $1::uuid AND s.status = 1 ORDER BY s.name, s.id;

-- sites.place
UPDATE sites SET lng = $3, lat = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- sites.placed
SELECT lng, lat FROM sites WHERE tenant_id = $1 AND id = $2;

-- sites.points
SELECT '{"ids":"' || coalesce(string_agg(replace(w.id::text, '-', ''),
  '') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL), '') || '",'
     || '"lng":[' || coalesce(string_agg(((w.lng * 1e6)::int)::text,
       ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
         '') || ']' || ',' || '"lat":[' || coalesce(string_agg(((w.lat * 1e6)::int)::text,
           ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
             '') || ']' || ',' || '"status":[' || coalesce(string_agg((w.status)::text,
               ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
                 '') || ']' || ',' || '"stopped":[' || coalesce(string_agg((CASE WHEN w.no_work = '{}' THEN 0
                   ELSE greatest(w.no_work_run, 1) END)::text,
                     ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
                       '') || ']' || ',' || '"alarms":[' || coalesce(string_agg((w.open_alarms)::text,
                         ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
                           '') || ']' || ',' || '"overdue":[' || coalesce(string_agg((CASE
                             WHEN (w.id IN (SELECT a.site_id FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id IS NOT NULL AND (a.correction_status IN (1,
       2) AND a.due_at < :now))) THEN 1 ELSE 0 END)::text, ',') FILTER (WHERE w.lng IS NOT NULL AND w.lat IS NOT NULL),
         '') || ']'
     || ',"unplaced":' || count(*) FILTER (WHERE NOT (w.lng IS NOT NULL AND w.lat IS NOT NULL))
     || ',"counts":' || json_build_object('all', count(*),
'overdue', count(*) FILTER (WHERE (w.id IN (SELECT a.site_id FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id IS NOT NULL AND (a.correction_status IN (1, 2) AND a.due_at < :now)))),
'inTime', count(*) FILTER (WHERE w.open_alarms > 0 AND NOT (w.id IN (SELECT a.site_id FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id IS NOT NULL AND (a.correction_status IN (1, 2) AND a.due_at < :now)))),
'stopped', count(*) FILTER (WHERE w.no_work <> '{}'),
'quiet', count(*) FILTER (WHERE w.status = 1 AND w.open_alarms = 0 AND w.no_work = '{}'),
'notStarted', count(*) FILTER (WHERE w.status = 2),
'ended', count(*) FILTER (WHERE w.status IN (3, 4))) || '}' AS json
   FROM sites w
   WHERE w.tenant_id = $1::uuid AND w.deleted_at IS NULL;

-- sites.replan
UPDATE site_stages g SET
  planned_start = $3::date + p.before,
  planned_finish = $3::date + greatest(p.until - 1, p.before),
  actual_start = CASE WHEN p.place = 1 THEN $3::date ELSE g.actual_start END
FROM (SELECT s.stage, s.place,
    (CASE WHEN s.whole THEN s.begins * s.days / s.length
      ELSE (s.place - 1) * s.days / s.stages END)::int AS before,
    (CASE WHEN s.whole THEN s.ends * s.days / s.length ELSE s.place * s.days / s.stages END)::int AS until
  FROM (SELECT t.stage, t.place, t.stages, t.whole, t.length, t.planned_start - t.first AS begins,
      t.planned_finish - t.first + 1 AS ends, coalesce($4::date - $3::date + 1, t.length) AS days
    FROM (SELECT r.stage, r.planned_start, r.planned_finish, row_number() OVER (ORDER BY r.sort) AS place,
        count(*) OVER () AS stages, min(r.planned_start) OVER () AS first,
        max(r.planned_finish) OVER () - min(r.planned_start) OVER () + 1 AS length,
        count(*) FILTER (WHERE r.planned_start IS NULL OR r.planned_finish IS NULL) OVER () = 0 AS whole
      FROM site_stages r WHERE r.tenant_id = $1 AND r.site_id = $2) t) s) p
WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.stage = p.stage;

-- sites.setowner
UPDATE sites SET owner_id = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- sites.signatories
INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, owner_id, relation, since, changed_by, changed_at)
SELECT w.tenant_id, x.id, w.bc_id, w.id, w.owner_id, 'owner', :now, $3, :now
FROM json_to_recordset($2::json) AS x(id uuid, site uuid)
JOIN sites w ON w.tenant_id = $1 AND w.id = x.site AND w.owner_id IS NOT NULL
ON CONFLICT (tenant_id, site_id) WHERE owner_id IS NOT NULL AND ended_at IS NULL DO NOTHING;

-- sites.stages
INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish)
SELECT $1, w.id, s.stage, s.sort, w.start + (s.sort::int - 1) * w.days / 10,
  w.start + greatest(s.sort::int * w.days / 10 - 1, (s.sort::int - 1) * w.days / 10)
FROM (SELECT x.id, x.start, coalesce(x.finish - x.start + 1, 90) AS days
    FROM json_to_recordset($2::json) AS x(id uuid, start date, finish date)) w,
  unnest($3::text[]) WITH ORDINALITY AS s(stage, sort);

-- sites.state
UPDATE sites SET status = $3::smallint, start_date = coalesce($4::date, start_date),
  planned_finish = coalesce($5::date, planned_finish), outside_contract = coalesce($6, outside_contract),
  stage = CASE WHEN $4::date IS NULL THEN stage ELSE coalesce(stage, 'briefing') END,
  actual_finish = CASE WHEN $3::smallint = 4 THEN $7::date ELSE actual_finish END,
  terminated_at = CASE WHEN $3::smallint = 3 THEN :now END,
  no_work = '{}', no_work_run = 0, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- sites.store
SELECT 1 FROM stores WHERE tenant_id = $1 AND id = $2 AND bc_id = $3;

-- sites.stores
SELECT id, bc_id, name FROM stores WHERE tenant_id = $1 AND status = 1;

-- sites.terminate
UPDATE sites SET status = 3, contract = '', no_work = '{}', no_work_run = 0,
  terminated_at = :now, version = version + 1
WHERE tenant_id = $1 AND id = $2;

-- sites.twinowner
INSERT INTO owners (tenant_id, id, bc_id, name, phone)
SELECT tenant_id, $3, $4, name, phone
FROM owners
WHERE tenant_id = $1 AND id = $2;

-- sites.unled
DELETE FROM site_leads l
USING sites w
CROSS JOIN LATERAL (VALUES (1::smallint, w.steward_id), (2::smallint, w.manager_id)) AS x(post, who)
WHERE l.tenant_id = $1 AND w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND l.of_site = w.id AND l.post = x.post
  AND l.to_at IS NULL AND l.user_id IS DISTINCT FROM x.who AND l.from_at >= :now;

-- sites.unlettered
SELECT w.id, w.ws_name AS name FROM sites w WHERE w.tenant_id = $1 AND w.initials IS NULL LIMIT $2;

-- stages.accept
UPDATE site_stages
SET actual_finish = $4::date, accepted_by = $5
WHERE tenant_id = $1 AND site_id = $2 AND stage = $3 AND $4::date IS NOT NULL AND $5::text IS NOT NULL;

-- stages.all
SELECT g.stage, CASE WHEN g.actual_finish IS NOT NULL THEN 3
WHEN g.actual_start IS NOT NULL THEN 2 ELSE 1 END AS state, g.actual_start::text AS "actualStart",
    g.planned_start::text AS "plannedStart", g.planned_finish::text AS "plannedFinish"
  FROM site_stages g
  WHERE g.tenant_id = $1 AND g.site_id = $2
  ORDER BY g.sort;

-- stages.begin
UPDATE site_stages
SET actual_start = $4::date
WHERE tenant_id = $1 AND site_id = $2 AND stage = $3 AND $4::date IS NOT NULL AND $5::text IS NOT NULL;

-- stages.plan
UPDATE site_stages
SET planned_start = $4, planned_finish = $5
WHERE tenant_id = $1 AND site_id = $2 AND stage = $3;

-- stages.planned
UPDATE sites w
SET planned_start = CASE WHEN g.whole THEN g.first ELSE least(w.planned_start, g.first) END, planned_finish = $3,
  version = version + 1
FROM (SELECT min(t.planned_start) AS first, count(*) = count(t.planned_start) AS whole
  FROM site_stages t WHERE t.tenant_id = $1 AND t.site_id = $2) g
WHERE w.tenant_id = $1 AND w.id = $2;

-- stages.progress
UPDATE sites SET stage = $3, progress = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2;

-- stages.redo
UPDATE site_stages
SET actual_start = coalesce(actual_start, $4::date), actual_finish = NULL, accepted_by = ''
WHERE tenant_id = $1 AND site_id = $2 AND stage = $3 AND $4::date IS NOT NULL AND $5::text IS NOT NULL;
