-- app.ready
SELECT 1;

-- clock.months
SELECT ensure_months($1::date, $2::date);

-- clock.unsealed
SELECT DISTINCT tenant_id FROM user_logs WHERE seq IS NULL LIMIT 100;

-- demo.answers
SELECT n, answer FROM demo_answers;

-- demo.begin
INSERT INTO demo_steps (step, from_at)
SELECT $1, $2 FROM demo_steps WHERE step = 'people'
ON CONFLICT DO NOTHING;

-- demo.branch
SELECT s.bc_id AS bc, s.id AS store
FROM users u
JOIN user_stores t ON t.tenant_id = u.tenant_id AND t.user_id = u.id
JOIN stores s ON s.tenant_id = t.tenant_id AND s.id = t.store_id
WHERE u.user_name = $1;

-- demo.done
UPDATE demo_steps SET done_at = :now WHERE step = $1;

-- demo.forget
DELETE FROM demo_answers;

-- demo.keep
INSERT INTO demo_answers (n, answer) VALUES ($1, $2) RETURNING 1;

-- demo.open
UPDATE sites w
SET open_alarms = n.open
FROM (SELECT k.tenant_id, k.id, count(a.id)::int AS open FROM sites k
    LEFT JOIN alarms a ON a.tenant_id = k.tenant_id AND a.site_id = k.id
    AND a.correction_status IN (1, 2) GROUP BY 1, 2) n
WHERE w.tenant_id = n.tenant_id AND w.id = n.id AND w.open_alarms <> n.open;

-- demo.people
INSERT INTO demo_steps (step, from_at, done_at) VALUES ('people', $1, :now);

-- demo.receivers
SELECT (SELECT k.receiver_store FROM product_categories k
    WHERE k.tenant_id = c.tenant_id AND k.receiver_store IS NOT NULL LIMIT 1) AS store,
  (SELECT k.receiver_bc FROM product_categories k
    WHERE k.tenant_id = c.tenant_id AND k.receiver_bc IS NOT NULL LIMIT 1) AS bc
FROM companies c
WHERE c.bc_id = $1;

-- demo.settle
WITH due AS (
  SELECT a.tenant_id, a.id, a.at, a.site_id,
    CASE WHEN a.confidence < 0.6 THEN 78 + abs(hashtext(a.id::text)) % 12
    ELSE abs(hashtext(a.id::text)) % 100 END AS h
  FROM alarms a
  WHERE a.correction_status = 1
    AND a.at < $1::timestamptz - interval '1 day' * (abs(hashtext(a.id::text)) % 3) * $2)
UPDATE alarms a SET correction_status = CASE WHEN h < 78 THEN 3 WHEN h < 90 THEN 4 ELSE 2 END,
  verdict = CASE WHEN h < 78 OR h >= 90 THEN 'real' ELSE 'wrong' END,
    step = CASE WHEN h < 78 THEN 'submitted' WHEN h < 90 THEN NULL ELSE 'assigned' END,
  assignee_id = CASE WHEN h < 78 OR h >= 90 THEN w.manager_id END,
    corrector_id = CASE WHEN h < 78 THEN w.manager_id END,
      due_at = CASE WHEN h < 78 OR h >= 90 THEN a.at + interval '24 hours' END,
  closed_at = CASE WHEN (h < 78 AND h % 13 = 5) THEN least(a.at + interval '1 hour' * (CASE WHEN (h < 78
    AND h % 13 = 5) THEN 44 + h % 40 ELSE 1 + h % 30 END), :now)
    WHEN h < 90 THEN least(a.at + interval '1 hour' * (CASE WHEN (h < 78 AND h % 13 = 5) THEN 44 + h % 40
      ELSE 1 + h % 30 END), $1::timestamptz, :now) END,
  version = a.version + 1, changed_by = CASE WHEN h < 78 THEN s.nickname ELSE m.nickname END,
    changed_at = a.at + interval '1 hour'
FROM due JOIN sites w ON w.tenant_id = due.tenant_id AND w.id = due.site_id JOIN users m ON m.tenant_id = w.tenant_id
  AND m.id = w.manager_id JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
WHERE a.tenant_id = due.tenant_id AND a.id = due.id AND h < 97
RETURNING a.tenant_id, a.id, floor(extract(epoch FROM a.at))::float8 AS at,
  CASE WHEN h < 78 THEN 'passed' WHEN h < 90 THEN 'wrong' ELSE 'assigned' END AS kind,
    ((CASE WHEN (h < 78 AND h % 13 = 5) THEN 44 + h % 40 ELSE 1 + h % 30 END))::int AS hours, m.nickname AS manager,
      s.nickname AS reviewer;

-- demo.sites
SELECT w.id, w.ws_name, w.community, w.address, round(coalesce(w.area, 100))::int AS area, o.name AS owner,
  o.phone, coalesce(w.start_date, w.planned_start)::text AS begun
FROM sites w
JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
WHERE w.bc_id = $1 AND w.status IN (1, 2)
ORDER BY w.start_date NULLS LAST, w.code;

-- demo.step
SELECT from_at AS "from" FROM demo_steps WHERE step = $1 AND done_at IS NULL;

-- demo.tenants
SELECT id FROM tenants;

-- installation.files
SELECT files_mark AS mark FROM installation;

-- installation.first
INSERT INTO installation (key_print) VALUES ($1) ON CONFLICT DO NOTHING;

-- installation.marked
UPDATE installation SET files_mark = $1 WHERE files_mark IS NULL;

-- installation.named
SELECT f.key FROM files f WHERE f.tenant_id = $1 ORDER BY f.key DESC LIMIT 100;

-- installation.print
SELECT key_print AS print FROM installation;

-- installation.tenants
SELECT id FROM tenants;

-- jobs.claim
INSERT INTO job_runs AS j (tenant_id, kind, met_at, holder, held_until, started_at)
VALUES ($1, $2, :now, $3, :now + interval '2 minutes', :now)
ON CONFLICT (tenant_id, kind) DO UPDATE
SET holder = excluded.holder, held_until = excluded.held_until, started_at = excluded.started_at
WHERE coalesce((SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= greatest($4::timestamptz,
  :now + interval '1 hour')) < $4,
    true) AND (j.held_until IS NULL OR j.held_until < :now OR j.held_until > :now + interval '2 hours')
RETURNING (SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= :now + interval '1 hour') AS since,
  j.met_at AS met;

-- jobs.done
UPDATE job_runs
SET done_for = $4, done = (array_prepend($4::timestamptz, done))[1:20], succeeded_at = :now,
  failures = 0, error = '', note = $5, holder = NULL, held_until = NULL
WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.due
SELECT k."order", t.id AS tenant FROM json_to_recordset($1::json) AS k("order" int, kind text, whole boolean,
  "first" boolean, moment timestamptz)
JOIN (SELECT id, false AS whole FROM tenants UNION ALL SELECT '00000000-0000-0000-0000-000000000000'::uuid,
  true) t ON t.whole = k.whole
   JOIN job_runs j ON j.tenant_id = t.id AND j.kind = k.kind
   WHERE coalesce((SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= :now + interval '1 hour') < k.moment,
     true)
     AND (k."first" OR j.met_at < k.moment OR j.met_at > :now + interval '1 hour')
     AND (j.held_until IS NULL OR j.held_until < :now OR j.held_until > :now + interval '2 hours')
   ORDER BY k."order", t.id;

-- jobs.failed
UPDATE job_runs
SET failed_at = :now, failures = failures + 1, error = $4, holder = NULL,
  held_until = :now + interval '1 minute' * least(60, 2 ^ least(failures, 10))
WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.held
SELECT 1 FROM job_runs j WHERE j.tenant_id = $1 AND j.kind = $2 AND NOT (j.held_until IS NULL OR j.held_until < :now
  OR j.held_until > :now + interval '2 hours') AND j.holder IS NOT NULL;

-- jobs.meet
INSERT INTO job_runs (tenant_id, kind, met_at) SELECT t.id, k.kind,
  :now FROM json_to_recordset($1::json) AS k("order" int, kind text, whole boolean, "first" boolean, moment timestamptz)
JOIN (SELECT id, false AS whole FROM tenants UNION ALL SELECT '00000000-0000-0000-0000-000000000000'::uuid,
  true) t ON t.whole = k.whole
   WHERE NOT EXISTS (SELECT 1 FROM job_runs j WHERE j.tenant_id = t.id AND j.kind = k.kind)
   ON CONFLICT DO NOTHING;

-- jobs.renew
UPDATE job_runs SET held_until = :now + interval '2 minutes' WHERE tenant_id = $1 AND kind = $2 AND holder = $3;

-- jobs.tenants
SELECT id FROM tenants ORDER BY id;

-- live.begin
SELECT high.seq AS high, before + 1 AS first, gap.seq - 1 AS last
FROM (SELECT max(seq) AS seq FROM live_events) high
LEFT JOIN (SELECT seq, lag(seq) OVER (ORDER BY seq) AS before FROM live_events) gap
  ON gap.seq > before + 1
ORDER BY gap.seq;

-- live.known
SELECT EXISTS (SELECT FROM live_events WHERE seq <= $1) AS low,
EXISTS (SELECT FROM live_events WHERE seq >= $2) AS high;

-- live.look
SELECT look.floor, look.ceiling, look.top, look.known_at, found.*
FROM (
  SELECT pg_snapshot_xmin(s)::text AS floor, pg_snapshot_xmax(s)::text AS ceiling,
    (SELECT max(seq) FROM live_events) AS top,
    (pg_current_wal_insert_lsn() - '0/0')::bigint AS known_at
  FROM pg_current_snapshot() s
) look
LEFT JOIN LATERAL (
  (SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at FROM live_events WHERE seq > $1 ORDER BY seq LIMIT 1000)
  UNION ALL
  SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at
  FROM unnest($2::bigint[], $3::bigint[]) AS gap (first, last)
  JOIN live_events ON seq BETWEEN gap.first AND gap.last
) found ON true;

-- live.missed
SELECT seq, tenant_id, bc_id, site_id, user_id, receiver_id, except_id, topic, what, ref_id,
floor(extract(epoch FROM at))::float8 AS at
             FROM live_events
             WHERE tenant_id = $1 AND seq > $2 AND seq <= $3
             ORDER BY seq
             LIMIT 501;

-- metrics.backup
SELECT coalesce(extract(epoch FROM max(at)), 0)::float8 AS at FROM backups;

-- metrics.jobs
SELECT kind, extract(epoch FROM min(succeeded_at))::float8 AS succeeded, max(failures) AS failures
FROM job_runs
GROUP BY kind;

-- repeats.claim
INSERT INTO idempotency (tenant_id, user_id, key_hash, request_hash, at)
VALUES ($1, $2, $3, $4, :now)
ON CONFLICT DO NOTHING;

-- repeats.first
SELECT request_hash, answer FROM idempotency WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3;

-- repeats.keep
UPDATE idempotency SET answer = $4 WHERE tenant_id = $1 AND user_id = $2 AND key_hash = $3;

-- retention.delivery_days
DELETE FROM delivery_days WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 60);

-- retention.device_nonces
DELETE FROM device_nonces WHERE ctid = ANY (ARRAY(SELECT ctid FROM device_nonces WHERE expires_at < :now LIMIT 10000));

-- retention.device_receipts
DELETE FROM device_receipts WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (received_on < (:now AT TIME ZONE 'Asia/Shanghai')::date - 9);

-- retention.device_seen
DELETE FROM device_seen WHERE ctid >= $1::tid AND ctid < $2::tid
  AND (gone_on < (:now AT TIME ZONE 'Asia/Shanghai')::date);

-- retention.devices
SELECT days, id
FROM (SELECT d.id,
  coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = d.tenant_id AND s.key = 'rawDays' AND (s.bc_id = d.bc_id
    OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
      '400'::jsonb)::text::int AS days FROM devices d WHERE d.tenant_id = $1) k
WHERE days < $2 ORDER BY id;

-- retention.drop
SELECT drop_raw_month($1::date);

-- retention.idempotency
DELETE FROM idempotency WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '2 days');

-- retention.jobs
DELETE FROM jobs WHERE ctid >= $1::tid AND ctid < $2::tid AND (day < (:now AT TIME ZONE 'Asia/Shanghai')::date - 90);

-- retention.live_events
DELETE FROM live_events WHERE ctid = ANY (ARRAY(SELECT place FROM (SELECT ctid AS place,
  at FROM live_events ORDER BY seq LIMIT 10000) o
WHERE at < :now - interval '2 hours'));

-- retention.login_failures
DELETE FROM login_failures WHERE ctid >= $1::tid AND ctid < $2::tid AND (until < :now);

-- retention.longest
SELECT max(days) AS longest FROM (
SELECT coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = c.tenant_id AND s.key = 'rawDays'
  AND (s.bc_id = c.bc_id OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
    '400'::jsonb)::text::int AS days FROM companies c
UNION ALL SELECT coalesce((SELECT s.value FROM settings s WHERE s.tenant_id = t.id AND s.key = 'rawDays'
  AND (s.bc_id = NULL::uuid OR s.bc_id IS NULL) ORDER BY s.bc_id NULLS LAST LIMIT 1),
    '400'::jsonb)::text::int FROM tenants t) k;

-- retention.months
SELECT to_char(to_date(right(c.relname, 6), 'YYYYMM'), 'YYYY-MM-DD') AS month
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'raw_events'::regclass ORDER BY 1;

-- retention.notifications
DELETE FROM notifications WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '400 days'
  OR (read_at IS NOT NULL AND at < :now - interval '90 days'));

-- retention.oidc_states
DELETE FROM oidc_states WHERE ctid >= $1::tid AND ctid < $2::tid AND (expires_at < :now);

-- retention.overlap
SELECT to_regclass('public.' || $1) IS NULL AS gone, NOT EXISTS (
SELECT FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
  AND coalesce(substring(application_name FROM '^zhuguan (\d{1,6})$')::int, 0) < $2) AS alone;

-- retention.pages
SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS pages;

-- retention.raw
DELETE FROM raw_events WHERE tenant_id = $1 AND device_id = $2 AND at < $3 AND at <= coalesce(
(SELECT at FROM raw_events WHERE tenant_id = $1 AND device_id = $2 AND at < $3 ORDER BY at OFFSET 9999 LIMIT 1), $3);

-- retention.reminders
DELETE FROM reminders WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '400 days');

-- retention.rule
SELECT drop_alarms_open();

-- retention.screen_codes
DELETE FROM screen_codes WHERE ctid >= $1::tid AND ctid < $2::tid AND (expires_at < :now);

-- retention.sessions
DELETE FROM sessions WHERE ctid >= $1::tid AND ctid < $2::tid AND (coalesce(revoked_at,
  expires_at) < :now - interval '30 days');

-- retention.video_views
DELETE FROM video_views WHERE ctid >= $1::tid AND ctid < $2::tid AND (at < :now - interval '1095 days');
