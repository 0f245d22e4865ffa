-- ingest.device
SELECT d.id, d.sn, d.tenant_id AS tenant, d.bc_id AS bc, d.site_id AS site, d.type, d.secret,
  extract(epoch FROM s.from_at)::float8 AS since
FROM serial_numbers n
JOIN devices d ON d.tenant_id = n.tenant_id AND d.sn = n.sn AND d.deleted_at IS NULL
LEFT JOIN device_stands s ON s.tenant_id = d.tenant_id AND s.device_id = d.id AND s.to_at IS NULL
WHERE n.sn = $1
ORDER BY d.id;

-- ingest.file
INSERT INTO files (key, tenant_id, bc_id, site_id, device_id, kind, bytes, at, film_seconds, film_format)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- ingest.files
SELECT key, device_id, kind, bytes, film_seconds AS seconds, film_format AS format
FROM files
WHERE key = ANY ($1)
FOR KEY SHARE;

-- ingest.forget
DELETE FROM device_seen WHERE key IN (SELECT k::uuid FROM json_array_elements_text($1::json) AS k);

-- ingest.hold
SELECT w.id, w.status AS "siteStatus", w.lived_in AS "livedIn", w.bc_id AS "homeBc"
FROM sites w
JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
ORDER BY w.id
FOR KEY SHARE OF w;

-- ingest.months
SELECT ensure_months($1::date, $2::date);

-- ingest.older
SELECT EXISTS (SELECT FROM device_receipts) AS some;

-- ingest.raw
INSERT INTO raw_events (tenant_id, device_id, event_id, at, kind, body, received_at)
SELECT d.tenant, d.id, x.event, to_timestamp(x.at), x.kind, x.body, :now
FROM json_to_recordset($1::json) AS x(d int, event text, at float8, kind text, body jsonb)
JOIN json_to_recordset($2::json) AS d(d int, tenant uuid, id uuid) USING (d);

-- ingest.receipts
SELECT r.device_id, r.event_id
FROM json_to_recordset($1::json) AS x(device uuid, event text)
JOIN device_receipts r ON r.device_id = x.device AND r.event_id = x.event;

-- ingest.seen
WITH nonces AS (
  INSERT INTO device_seen (key, gone_on)
  SELECT key::uuid, $3::date FROM json_array_elements_text($1::json) AS key
  ON CONFLICT DO NOTHING RETURNING key
), events AS (
  INSERT INTO device_seen (key, gone_on)
  SELECT key, $4::date
  FROM json_to_recordset($2::json) AS t(nonce uuid, keys uuid[]), unnest(t.keys) AS key
  WHERE t.nonce IS NULL OR t.nonce = ANY (ARRAY(SELECT key FROM nonces))
  ORDER BY key
  ON CONFLICT DO NOTHING RETURNING key
), n AS (SELECT count(*)::int AS nonces FROM nonces
), e AS (SELECT count(*)::int AS events FROM events)
SELECT n.nonces, e.events,
  CASE WHEN n.nonces < $5 THEN (SELECT json_agg(key) FROM nonces) END AS fresh_nonces,
  CASE WHEN e.events < $6 THEN (SELECT json_agg(key) FROM events) END AS fresh_events
FROM n, e;

-- ingest.stood
SELECT k.place::int AS place, w.id AS site, w.bc_id AS bc,
  EXISTS (
    SELECT 1 FROM device_stands e
    WHERE e.tenant_id = k.tenant AND e.device_id = k.device
      AND e.to_at > to_timestamp(k.at) - interval '300 seconds'
  ) AS moved
FROM unnest($1::uuid[], $2::uuid[], $3::float8[]) WITH ORDINALITY AS k(tenant, device, at, place)
LEFT JOIN device_stands s ON s.tenant_id = k.tenant AND s.device_id = k.device
  AND date_trunc('second', s.from_at) <= to_timestamp(k.at) AND (s.to_at IS NULL OR s.to_at > to_timestamp(k.at))
LEFT JOIN sites w ON w.tenant_id = s.tenant_id AND w.id = s.site_id;

-- ingest.stoodlately
SELECT 1 FROM device_stands s
WHERE s.tenant_id = $1 AND s.device_id = $2 AND s.to_at > :now - interval '604800 seconds'
LIMIT 1;

-- ingest.tie
UPDATE files f
SET bc_id = x.bc, site_id = x.site
FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::uuid[]) AS x(key, bc, site, device)
WHERE f.key = x.key AND f.device_id = x.device;

-- ingest.workers
SELECT w.tenant_id || ':' || w.w_id AS key, w.id
FROM json_to_recordset($1::json) AS x(tenant uuid, w_id text)
JOIN workers w ON w.tenant_id = x.tenant AND w.w_id = x.w_id
WHERE w.deleted_at IS NULL;
